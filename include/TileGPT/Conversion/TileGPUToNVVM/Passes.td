//===- Passes.td - Conversion of tiles with layouts to thread code -----------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_TILEGPUTONVVM_PASSES_TD
#define TILEGPT_CONVERSION_TILEGPUTONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ToThreads : Pass<"tile-gpu-to-threads", "::mlir::ModuleOp"> {
  let summary = "Convert kernels on tiles to the code of one thread";
  let description = [{
    A `tile.kernel` becomes a `func.func` whose arguments are words as the runtime passes them: pointer, sizes and strides of
    each view, then the grid and the address of the status word. Every tile becomes the registers that its layout assigns to a
    thread.

    Example: `arith.addf %a, %b : tensor<128x96xf32, #l>` on 128 threads becomes 96 `arith.addf … : f32`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def OrderByUse : Pass<"tile-gpu-order-by-use", "::mlir::func::FuncOp"> {
  let summary = "Sink arithmetic of thread code to its first use";
  let description = [{
    A chain of tile ops becomes, op by op, groups of ops on registers, with a whole tile live between two groups. Moving
    each op to its first use interleaves the chains of single registers, so that only the ends of chains have long live
    ranges. Loads and stores keep their positions, except for loads of constant memory in kernels with a producer, whose
    accumulators leave few registers: these sink in batches of 16 registers, but not past dots in flight. A float that is
    next used after a loop stays before it if its operands would take more registers in the loop; an empty `llvm.inline_asm`
    keeps LLVM from sinking it.

    Example: `%a0 = f %x0; %a1 = f %x1; %b0 = g %a0; %b1 = g %a1` becomes `%a0 = f %x0; %b0 = g %a0; %a1 = f %x1;
    %b1 = g %a1` where `%b0` is stored before `%b1`.
  }];
}

def ToLlvm : Pass<"tile-gpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert thread code to the LLVM dialect";
  let description = [{
    Ops of `arith`, `math`, `index`, `cf` and `func` become ops of the LLVM dialect in one conversion, with an index of 32
    bits. Ops of `nvvm` for which LLVM has no intrinsic become inline PTX.

    Example: `arith.addi %a, %b : index` becomes `llvm.add %a, %b : i32`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def KernelAbi : Pass<"tile-gpu-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "Mark kernels and record how they are launched";
  let description = [{
    Functions that carry a plan get `nvvm.kernel`, the number of threads, their device symbol and `tile_gpu.launch`; the module
    gets NVPTX's triple and data layout.

    Example: `llvm.func @add(…) attributes {tile_gpu.plan = …}` becomes `llvm.func @kernel_add(…) attributes {nvvm.kernel,
    nvvm.reqntid = array<i32: 128>, tile_gpu.launch = {threads = 128 : i32}}`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif
