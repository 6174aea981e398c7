// Pads operands with zeros if their depth is no multiple of the matrix
// instruction's.
#include "Layout/PadDepth.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The axis along which a dot sums.
static int64_t summedAxis(int64_t rank, bool isLast) {
  return isLast ? rank - 1 : rank - 2;
}

/// The load of an operand, if elements past the end of its tile along an axis
/// are zeros, and only the dot reads them.
static tile::LoadOp findPaddable(Value operand, int64_t axis, tile::DotOp dot) {
  auto load = operand.getDefiningOp<tile::LoadOp>();
  if (!load || load.getMask() || load.getOrder() ||
      load.getPad() != tile::PadKind::Zero ||
      llvm::any_of(load->getUsers(),
                   [&](Operation *user) { return user != dot; }))
    return {};
  int64_t size = load.getView().getType().getShape()[axis];
  bool hasAll = !ShapedType::isDynamic(size) &&
                size <= load.getType().getDimSize(axis) &&
                isConstantIntValue(load.getIndices()[axis], 0);
  return hasAll ? load : tile::LoadOp();
}

static void pad(tile::LoadOp load, int64_t axis, int64_t depth) {
  SmallVector<int64_t> shape(load.getType().getShape());
  shape[axis] = depth;
  OpBuilder builder(load);
  Value deeper = tile::LoadOp::create(
      builder, load.getLoc(), load.getType().clone(shape), load.getView(),
      load.getIndices(), /*mask=*/Value(), builder.getI64ArrayAttr(shape),
      load.getPad(), /*order=*/DenseI64ArrayAttr());
  load.getResult().replaceAllUsesWith(deeper);
  load->erase();
}

void padDepths(ArrayRef<tile::DotOp> dots) {
  for (tile::DotOp dot : dots) {
    std::optional<MmaOperands> operands = mmaOperands(dot);
    // Less than one instruction takes as long by multiply-adds, whose results
    // are laid out in rows.
    if (!operands || depthOf(dot) < operands->depth ||
        depthOf(dot) % operands->depth == 0)
      continue;
    int64_t depth = llvm::alignTo(depthOf(dot), operands->depth),
            rank = dot.getLhs().getType().getRank(),
            left = summedAxis(rank, !dot.getTransposeA()),
            right = summedAxis(rank, dot.getTransposeB());
    tile::LoadOp lhs = findPaddable(dot.getLhs(), left, dot),
                 rhs = findPaddable(dot.getRhs(), right, dot);
    if (!lhs || !rhs || (lhs == rhs && left != right))
      continue;
    pad(lhs, left, depth);
    if (rhs != lhs)
      pad(rhs, right, depth);
  }
}

} // namespace tilegpt::tilegpu
