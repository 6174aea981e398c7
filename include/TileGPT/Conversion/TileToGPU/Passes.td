//===- Passes.td - Passes from tile kernels to GPU threads ---------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_TILETOGPU_PASSES_TD
#define TILEGPT_CONVERSION_TILETOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ToThreads : Pass<"tile-gpu-to-threads", "::mlir::ModuleOp"> {
  let summary = "turns kernels on tiles into the code of one thread";
  let description = [{
    A `tile.kernel` becomes a `func.func` whose arguments are words as the runtime passes them: for a view pointer,
    sizes and strides, then the grid and the address of the status. Every tile becomes the registers its layout gives a
    thread.

    Example: `arith.addf %a, %b : tensor<128x96xf32, #l>` on 128 threads becomes 96 `arith.addf … : f32`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

#endif
