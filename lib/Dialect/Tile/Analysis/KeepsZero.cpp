// Follows zeros through arithmetic.
#include "TileGPT/Dialect/Tile/Analysis/KeepsZero.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool keepsZero(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast_or_null<tile::LoadOp>(op))
    return load.getPad() == tile::PadKind::Zero;
  auto keeps = [](Value operand) { return keepsZero(operand); };
  if (isa_and_nonnull<tile::CastOp, math::AbsFOp, arith::NegFOp, arith::AddFOp,
                      arith::SubFOp, arith::AddIOp, arith::MulIOp>(op))
    return llvm::all_of(op->getOperands(), keeps);
  // Zero times NaN is NaN.
  return isa_and_nonnull<arith::MulFOp>(op) &&
         llvm::all_of(op->getOperands(), keeps);
}

} // namespace tilegpt::tilegpu
