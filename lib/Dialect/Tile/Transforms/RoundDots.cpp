// Trades digits of f32 products for the speed of matrix instructions.
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
  void runOnOperation() override {
    getOperation().walk([](DotOp dot) {
      bool isSingle = llvm::all_of(dot.getOperandTypes(), [](Type type) {
        return getElementTypeOrSelf(type).isF32();
      });
      if (isSingle)
        dot.setPrecision(Precision::TF32);
    });
  }
};
} // namespace
