// Writes every tile that a loop carries to one place, so that it keeps one
// buffer over all iterations.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_TIELOOPTILES
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

/// True for values that may lie in the tile of another iteration argument: the
/// loop passes it on, whole or in part.
static bool passesOn(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
                    tensor::ExpandShapeOp, tensor::CastOp>(op);
}

namespace {
struct TieLoopTiles : tilegpt::cpu::impl::TieLoopTilesBase<TieLoopTiles> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) {
      auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
      OpBuilder builder(yield);
      SmallVector<std::pair<BlockArgument, OpOperand *>> moved;
      for (auto [argument, yielded] :
           llvm::zip_equal(loop.getRegionIterArgs(), yield->getOpOperands()))
        if (isa<RankedTensorType>(argument.getType()) &&
            yielded.get() != argument)
          moved.push_back({argument, &yielded});

      // Tiles that change places are copied aside before the first of them is
      // overwritten.
      for (auto [argument, yielded] : moved)
        if (passesOn(yielded->get()))
          yielded->set(bufferization::AllocTensorOp::create(
              builder, loop.getLoc(),
              cast<RankedTensorType>(argument.getType()),
              /*dynamicSizes=*/ValueRange(), /*copy=*/yielded->get()));
      for (auto [argument, yielded] : moved)
        yielded->set(bufferization::MaterializeInDestinationOp::create(
                         builder, loop.getLoc(), argument.getType(),
                         yielded->get(), argument)
                         .getResult());
    });
  }
};
} // namespace
