// Follows the integers of rows through arithmetic.
#include "Masks/RowNumbers.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<int64_t> splatIntegerOf(Value tile) {
  SplatElementsAttr constant;
  if (matchPattern(tile, m_Constant(&constant)) &&
      isa<IntegerType, IndexType>(constant.getElementType()))
    return constant.getSplatValue<APInt>().getSExtValue();
  return std::nullopt;
}

/// Whether all elements of a tile are one scalar.
static bool isUniform(Value tile) {
  return splatIntegerOf(tile) || tile.getDefiningOp<tile::SplatOp>();
}

/// Whether an op only repeats or reshapes the elements of its operand.
static bool isShape(Operation *op) {
  return isa<tile::BroadcastOp, tile::ExpandDimsOp>(op);
}

/// Whether an op multiplies a quotient by its divisor: x / d · d.
static bool isMultiple(Operation *op) {
  auto product = dyn_cast<arith::MulIOp>(op);
  Operation *quotient = product ? product.getLhs().getDefiningOp() : nullptr;
  return isa_and_nonnull<arith::DivSIOp, arith::FloorDivSIOp>(quotient) &&
         quotient->getOperand(1) == product.getRhs() &&
         isUniform(product.getRhs());
}

bool isNonDecreasing(Value tile) {
  if (isUniform(tile))
    return true;
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (auto type = dyn_cast<RankedTensorType>(tile.getType());
      !type || llvm::count_if(type.getShape(),
                              [](int64_t size) { return size != 1; }) > 1)
    return false;
  if (isa<tile::IotaOp>(op))
    return true;
  if (isShape(op))
    return isNonDecreasing(op->getOperand(0));
  if (isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return llvm::all_of(op->getOperands(), isNonDecreasing);
  if (isa<arith::SubIOp>(op))
    return isUniform(op->getOperand(1)) && isNonDecreasing(op->getOperand(0));
  if (isMultiple(op))
    return isNonDecreasing(op->getOperand(0).getDefiningOp()->getOperand(0));
  std::optional<int64_t> factor =
      isa<arith::MulIOp, arith::DivSIOp, arith::FloorDivSIOp, arith::ShRSIOp>(
          op)
          ? splatIntegerOf(op->getOperand(1))
          : std::nullopt;
  return factor && *factor > 0 && isNonDecreasing(op->getOperand(0));
}

Value elementAt(OpBuilder &builder, Location loc, Value tile, Value position) {
  Type element = cast<RankedTensorType>(tile.getType()).getElementType();
  if (std::optional<int64_t> number = splatIntegerOf(tile))
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(element, *number));
  Operation *op = tile.getDefiningOp();
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return splat.getValue();
  if (isa<tile::IotaOp>(op))
    return element.isIndex() ? position
                             : builder.createOrFold<arith::IndexCastOp>(
                                   loc, element, position);
  if (isShape(op))
    return elementAt(builder, loc, op->getOperand(0), position);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(elementAt(builder, loc, operand, position));
  return builder
      .create(loc, op->getName().getIdentifier(), operands, {element})
      ->getResult(0);
}

} // namespace tilegpt::tilegpu
