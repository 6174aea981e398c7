// Splits loads that span an axis into pieces.
#include "Simplify/DepthPieces.h"
#include "EraseDead.h"
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

/// Whether an op is a dot that sums along an axis of a tile.
static bool sumsAlong(Operation *op, Value tile, int64_t axis) {
  auto dot = dyn_cast<tile::DotOp>(op);
  return dot && dot.getAcc() != tile &&
         (dot.getLhs() != tile || depthAxis(true, dot) == axis) &&
         (dot.getRhs() != tile || depthAxis(false, dot) == axis);
}

static bool isWholeLoad(Value operand, int64_t axis) {
  auto load = operand.getDefiningOp<tile::LoadOp>();
  return load && !load.getMask() && !load.getOrder() &&
         llvm::all_of(
             operand.getUsers(),
             [&](Operation *user) { return sumsAlong(user, operand, axis); }) &&
         load.getView().getType().getShape()[axis] ==
             load.getType().getDimSize(axis) &&
         isConstantIntValue(load.getIndices()[axis], 0);
}

bool isLoadedWhole(tile::DotOp dot) {
  return isWholeLoad(dot.getLhs(), depthAxis(true, dot)) &&
         isWholeLoad(dot.getRhs(), depthAxis(false, dot));
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

ValueRange forEachPiece(
    OpBuilder &builder, tile::DotOp dot, int64_t piece, ValueRange inits,
    function_ref<SmallVector<Value>(Value number, ValueRange carried)> body) {
  Location loc = dot.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        one = arith::ConstantIndexOp::create(builder, loc, 1),
        count = arith::ConstantIndexOp::create(
            builder, loc, llvm::divideCeil(depthOf(dot), piece));
  auto loop = scf::ForOp::create(builder, loc, zero, count, one, inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, next);
  return loop.getResults();
}

void replaceDot(tile::DotOp dot, Value result) {
  SmallVector<Operation *> unused = {dot.getLhs().getDefiningOp(),
                                     dot.getRhs().getDefiningOp()};
  dot.replaceAllUsesWith(result);
  dot.erase();
  eraseDead(unused);
}

} // namespace tilegpt::tilegpu
