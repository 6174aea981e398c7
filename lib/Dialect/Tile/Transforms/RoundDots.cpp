// Reduces the precision of dots for faster MMA instructions.
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_ROUNDDOTSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {
struct RoundDots : tilegpt::tile::impl::RoundDotsPassBase<RoundDots> {
  using RoundDotsPassBase::RoundDotsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](DotOp dot) {
      Type lhs = dot.getLhs().getType().getElementType(),
           rhs = dot.getRhs().getType().getElementType(),
           acc = dot.getAcc().getType().getElementType();
      if (dot.getPrecision() != Precision::IEEE || !acc.isF32())
        return;
      if (tf32 && lhs.isF32() && rhs.isF32())
        dot.setPrecision(Precision::TF32);
      else if (f8 && isF8(lhs) && isF8(rhs))
        dot.setPrecision(Precision::Fast);
    });
  }
};
} // namespace
