// Follows sizes through tensor.dim, index arithmetic and destinations back to
// the function's arguments.
#include "SymbolicSizes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using tilegpt::bundle::Extent;

namespace tilegpt::target {

static Extent add(Extent a, Extent b, int64_t sign) {
  return {a.constant + sign * b.constant, a.perRow + sign * b.perRow,
          a.perSequence + sign * b.perSequence};
}

std::optional<Extent> SymbolicSizes::evaluate(Value index) const {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return Extent{constant.getSExtValue(), 0, 0};
  Operation *op = index.getDefiningOp();
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    return axis ? sizeOf(dim.getSource(), *axis) : std::nullopt;
  }
  if (!op || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<Extent> lhs = evaluate(op->getOperand(0)),
                        rhs = evaluate(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  if (!isa<arith::MulIOp>(op))
    return add(*lhs, *rhs, isa<arith::AddIOp>(op) ? 1 : -1);
  if (!rhs->isConstant())
    std::swap(lhs, rhs);
  if (!rhs->isConstant())
    return std::nullopt;
  int64_t factor = rhs->constant;
  return Extent{lhs->constant * factor, lhs->perRow * factor,
                lhs->perSequence * factor};
}

std::optional<Extent> SymbolicSizes::sizeOf(Value tensor, int64_t axis) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return Extent{type.getDimSize(axis), 0, 0};
  if (tensor == ids)
    return Extent::rows();
  if (isa<BlockArgument>(tensor))
    return Extent::sequences();
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    return evaluate(empty.getDynamicSize(axis));
  if (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    return sizeOf(cast.getSource(), axis);
  if (auto launch = tensor.getDefiningOp<tile::LaunchOp>())
    return sizeOf(
        launch.getOuts()[llvm::cast<OpResult>(tensor).getResultNumber()], axis);
  // The dynamic axis of state is its first: one entry per sequence.
  if (tensor.getDefiningOp<tile::GetGlobalOp>() && axis == 0)
    return Extent::sequences();
  return std::nullopt;
}

FailureOr<SmallVector<Extent>> SymbolicSizes::shapeOf(Value tensor) const {
  SmallVector<Extent> shape;
  for (int64_t axis = 0,
               rank = cast<RankedTensorType>(tensor.getType()).getRank();
       axis < rank; ++axis) {
    std::optional<Extent> size = sizeOf(tensor, axis);
    if (!size)
      return emitError(tensor.getLoc())
             << "expected axis " << axis << " of " << tensor.getType()
             << " to be linear in the rows and sequences of a step (the sizes "
                "of ids and pos)";
    shape.push_back(*size);
  }
  return shape;
}

} // namespace tilegpt::target
