// Runs one-shot bufferization with copies that the vectorizer supports.
#include "Memory/EarlyStores.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_BUFFERIZETILES
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

/// Whether two buffers are the same, or equal subviews of the same.
static bool areSame(Value lhs, Value rhs) {
  if (lhs == rhs)
    return true;
  auto window = lhs.getDefiningOp<memref::SubViewOp>(),
       other = rhs.getDefiningOp<memref::SubViewOp>();
  return window && other &&
         OperationEquivalence::isEquivalentTo(
             window, other, OperationEquivalence::IgnoreLocations);
}

/// Computes tiles where they are stored.
static LogicalResult storeEarly(RewriterBase &rewriter, ModuleOp module) {
  bufferization::OneShotBufferizationOptions options;
  options.allowReturnAllocsFromLoops = true;
  bufferization::OneShotAnalysisState state(module, options);
  if (failed(bufferization::analyzeOp(module, state)))
    return failure();
  return bufferization::eliminateEmptyTensors(
      rewriter, module, state,
      [](RewriterBase &rewriter, SubsetInsertionOpInterface op,
         tensor::EmptyOp empty, Operation *user) -> Value {
        auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(*op);
        if (store && !tilegpt::cpu::mayBeStoredEarly(store, empty, user))
          return {};
        return bufferization::buildSubsetExtraction(rewriter, op, empty, user);
      });
}

namespace {
struct BufferizeTiles : tilegpt::cpu::impl::BufferizeTilesBase<BufferizeTiles> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    if (failed(storeEarly(rewriter, getOperation())))
      return signalPassFailure();
    bufferization::OneShotBufferizationOptions options;
    options.memCpyFn = [](OpBuilder &builder, Location loc, Value from,
                          Value to) {
      linalg::CopyOp::create(builder, loc, from, to);
      return success();
    };
    bufferization::BufferizationState state;
    if (failed(
            bufferization::runOneShotBufferize(getOperation(), options, state)))
      return signalPassFailure();
    // Removes self-copies.
    getOperation().walk([](linalg::CopyOp copy) {
      if (areSame(copy.getInputs().front(), copy.getOutputs().front()))
        copy.erase();
    });
  }
};
} // namespace
