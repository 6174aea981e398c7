// Writes every tile that a loop carries to one place, so that it keeps one
// buffer over all iterations.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_TIELOOPTILES
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

namespace {
struct TieLoopTiles : tilegpt::cpu::impl::TieLoopTilesBase<TieLoopTiles> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) {
      auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
      OpBuilder builder(yield);
      for (auto [argument, yielded] :
           llvm::zip_equal(loop.getRegionIterArgs(), yield->getOpOperands())) {
        if (!isa<RankedTensorType>(argument.getType()) ||
            yielded.get() == argument)
          continue;
        yielded.set(bufferization::MaterializeInDestinationOp::create(
                        builder, loop.getLoc(), argument.getType(),
                        yielded.get(), argument)
                        .getResult());
      }
    });
  }
};
} // namespace
