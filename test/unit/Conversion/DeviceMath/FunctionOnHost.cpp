// Builds a loop that loads, applies the function and stores, and runs the pass
// that expands functions.
#include "FunctionOnHost.h"
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

namespace tilegpt::test {

void FunctionOnHost::compile(const std::string &name, const std::string &type,
                             bool isBinary) {
  // Entry points take addresses and a range, like those of kernels.
  const std::string text =
      llvm::formatv(R"(
      func.func @apply(%words: !llvm.ptr, %grid: !llvm.ptr, %begin: i64, %end: i64) -> i32 {{
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i64
        %p1 = llvm.getelementptr %words[1] : (!llvm.ptr) -> !llvm.ptr, i64
        %p2 = llvm.getelementptr %words[2] : (!llvm.ptr) -> !llvm.ptr, i64
        %x = llvm.load %words : !llvm.ptr -> !llvm.ptr
        %y = llvm.load %p1 : !llvm.ptr -> !llvm.ptr
        %r = llvm.load %p2 : !llvm.ptr -> !llvm.ptr
        scf.for %i = %begin to %end step %c1 : i64 {{
          %xp = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {2}
          %yp = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {2}
          %rp = llvm.getelementptr %r[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {2}
          %a = llvm.load %xp : !llvm.ptr -> {2}
          %b = llvm.load %yp : !llvm.ptr -> {2}
          %v = {0} {1} : {2}
          llvm.store %v, %rp : {2}, !llvm.ptr
        }
        return %c0 : i32
      })",
                    name, isBinary ? "%a, %b" : "%a", type);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  mlir::PassManager passes(&context);
  passes.addNestedPass<mlir::func::FuncOp>(tilegpu::createExpandFunctions());
  passes.addPass(mlir::createSCFToControlFlowPass());
  passes.addPass(mlir::createConvertMathToLLVMPass());
  passes.addPass(mlir::createArithToLLVMConversionPass());
  passes.addPass(mlir::createConvertControlFlowToLLVMPass());
  passes.addPass(mlir::createConvertFuncToLLVMPass());
  passes.addPass(mlir::createReconcileUnrealizedCastsPass());
  ASSERT_TRUE(mlir::succeeded(passes.run(*module)));
  auto loaded = cpu::HostImage::load(llvm::cantFail(target::compileImage(
      *module, llvm::cantFail(target::HostTarget::create()))));
  ASSERT_TRUE(loaded) << loaded.error().message;
  image.emplace(std::move(*loaded));
  auto found = image->find("apply");
  ASSERT_TRUE(found) << found.error().message;
  function = *found;
}

void FunctionOnHost::apply(const void *x, const void *y, void *result,
                           size_t count) const {
  const uint64_t words[] = {reinterpret_cast<uint64_t>(x),
                            reinterpret_cast<uint64_t>(y),
                            reinterpret_cast<uint64_t>(result)};
  function(words, nullptr, 0, int64_t(count));
}

} // namespace tilegpt::test
