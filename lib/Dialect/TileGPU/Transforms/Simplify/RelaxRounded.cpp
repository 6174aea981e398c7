// Marks exponentials of which nothing but 16 bits is kept in the end.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RELAXROUNDED
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;

/// Whether all that comes of a tile is rounded to 16 bits, on ways on which
/// relative errors do not grow.
/// \param isPositive  whether its elements are, so that sums are safe as well.
static bool isOnlyRounded(Value value, bool isPositive) {
  constexpr unsigned narrowBits = 16;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto cast = dyn_cast<tile::CastOp>(user))
      return getElementTypeOrSelf(cast.getType()).getIntOrFloatBitWidth() <=
             narrowBits;
    if (auto sum = dyn_cast<tile::ReduceOp>(user))
      return isPositive && sum.getKind() == tile::ReduceKind::Add &&
             isOnlyRounded(sum.getResults().front(), isPositive);
    if (isa<tile::BroadcastOp, tile::ExpandDimsOp>(user))
      return isOnlyRounded(user->getResult(0), isPositive);
    return isa<arith::MulFOp, arith::DivFOp>(user) &&
           isOnlyRounded(user->getResult(0), /*isPositive=*/false);
  });
}

namespace {
struct RelaxRounded : tilegpu::impl::RelaxRoundedBase<RelaxRounded> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    getOperation().walk([](math::ExpOp op) {
      if (isa<RankedTensorType>(op.getType()) &&
          getElementTypeOrSelf(op.getType()).isF32() &&
          isOnlyRounded(op, /*isPositive=*/true))
        op.setFastmath(op.getFastmath() | arith::FastMathFlags::afn);
    });
  }
};
} // namespace
