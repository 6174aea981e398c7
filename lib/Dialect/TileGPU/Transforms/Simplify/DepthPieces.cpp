// Loads of all of an axis, cut into pieces.
#include "Simplify/DepthPieces.h"
#include "Simplify/FewRows.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

int64_t depthAxis(bool isLhs, tile::DotOp dot) {
  return isLhs ? (dot.getTransposeA() ? 0 : 1) : (dot.getTransposeB() ? 1 : 0);
}

static bool isWholeLoad(Value operand, int64_t axis) {
  auto load = operand.getDefiningOp<tile::LoadOp>();
  return load && operand.hasOneUse() && !load.getMask() && !load.getOrder() &&
         load.getView().getType().getShape()[axis] ==
             load.getType().getDimSize(axis) &&
         isConstantIntValue(load.getIndices()[axis], 0);
}

bool isLoadedWhole(tile::DotOp dot) {
  return isWholeLoad(dot.getLhs(), depthAxis(true, dot)) &&
         isWholeLoad(dot.getRhs(), depthAxis(false, dot));
}

bool isCut(tile::DotOp dot) {
  return !hasFewRows(dot) && isLoadedWhole(dot) && depthOf(dot) > mostAtOnce;
}

Value loadPiece(OpBuilder &builder, tile::DotOp dot, bool isLhs, int64_t piece,
                Value number) {
  auto load =
      (isLhs ? dot.getLhs() : dot.getRhs()).getDefiningOp<tile::LoadOp>();
  int64_t axis = depthAxis(isLhs, dot);
  SmallVector<Value> indices(load.getIndices());
  indices[axis] = number;
  RankedTensorType whole = load.getType();
  SmallVector<int64_t> shape(whole.getShape());
  shape[axis] = piece;
  return tile::LoadOp::create(
      builder, dot.getLoc(),
      RankedTensorType::get(shape, whole.getElementType()), load.getView(),
      indices, /*mask=*/Value(), builder.getI64ArrayAttr(shape), load.getPad(),
      /*order=*/DenseI64ArrayAttr());
}

Value forEachPiece(OpBuilder &builder, tile::DotOp dot, int64_t piece,
                   Value init,
                   function_ref<Value(Value number, Value carried)> body) {
  Location loc = dot.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        one = arith::ConstantIndexOp::create(builder, loc, 1),
        count = arith::ConstantIndexOp::create(
            builder, loc, llvm::divideCeil(depthOf(dot), piece));
  auto loop = scf::ForOp::create(builder, loc, zero, count, one, init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value next = body(loop.getInductionVar(), loop.getRegionIterArgs().front());
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

void replaceDot(tile::DotOp dot, Value result) {
  SmallVector<Operation *> unused = {dot.getLhs().getDefiningOp(),
                                     dot.getRhs().getDefiningOp()};
  dot.replaceAllUsesWith(result);
  dot.erase();
  for (Operation *op : unused)
    if (op && isOpTriviallyDead(op))
      op->erase();
}

} // namespace tilegpt::tilegpu
