// One dialect conversion with the patterns of all dialects of thread code: each
// conversion walks the function and builds what it replaces anew.
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_TOLLVM
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;

namespace {
struct ToLlvm : tilegpu::impl::ToLlvmBase<ToLlvm> {
  void runOnOperation() override {
    // The bodies of structured ops and kernels are not code of a thread.
    const WalkResult nested = getOperation().walk([](Operation *op) {
      if (op->getNumRegions() == 0 ||
          isa<ModuleOp, FunctionOpInterface, LLVM::GlobalOp>(op))
        return WalkResult::advance();
      op->emitOpError("expected thread code as branches between blocks, found "
                      "a nested region; run --convert-scf-to-cf first on loops "
                      "and conditions");
      return WalkResult::interrupt();
    });
    if (nested.wasInterrupted())
      return signalPassFailure();
    MLIRContext *context = &getContext();
    // An index has 32 bits; where views are larger, offsets have been formed in
    // 64 already.
    constexpr unsigned indexBits = 32;
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(indexBits);
    LLVMTypeConverter converter(context, options);
    RewritePatternSet patterns(context);
    populateMathToLLVMConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    SymbolTableCollection symbols;
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    cf::populateAssertToLLVMConversionPattern(converter, patterns,
                                              /*abortOnFailure=*/true,
                                              &symbols);
    // What NVVM has no intrinsic for becomes inline PTX.
    populateNVVMToLLVMConversionPatterns(patterns);
    LLVMConversionTarget target(*context);
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
