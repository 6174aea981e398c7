// Products of many rows whose operands are loaded whole, as loops over pieces
// of the depth: what a plan can feed by a producer or copy ahead.
#include "Simplify/DepthPieces.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_CUTDOTS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct CutDots : tilegpu::impl::CutDotsBase<CutDots> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<tile::DotOp> dots;
    getOperation().walk([&](tile::DotOp dot) {
      if (isCut(dot))
        dots.push_back(dot);
    });
    for (tile::DotOp dot : dots)
      cut(dot);
  }

private:
  static void cut(tile::DotOp dot) {
    OpBuilder builder(dot);
    Value sum = forEachPiece(
        builder, dot, pieceDepth, dot.getAcc(), [&](Value number, Value acc) {
          IRMapping mapping;
          mapping.map(dot.getLhs(), loadPiece(builder, dot, /*isLhs=*/true,
                                              pieceDepth, number));
          mapping.map(dot.getRhs(), loadPiece(builder, dot, /*isLhs=*/false,
                                              pieceDepth, number));
          mapping.map(dot.getAcc(), acc);
          return builder.clone(*dot, mapping)->getResult(0);
        });
    replaceDot(dot, sum);
  }
};
} // namespace
