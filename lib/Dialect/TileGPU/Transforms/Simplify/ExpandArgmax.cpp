// Expands argmax and argmin of long rows to the extreme and the first column
// that holds it, both of which blocks can compute in parts.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <limits>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_EXPANDARGMAX
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Whether an op is an argmax or argmin of a row that may exceed the registers.
static bool isOfLongRow(tile::ReduceOp op) {
  if (op.getKind() != tile::ReduceKind::ArgMax &&
      op.getKind() != tile::ReduceKind::ArgMin)
    return false;
  auto type = cast<RankedTensorType>(op.getSources()[0].getType());
  return op->getParentOfType<tile::KernelOp>().getEntryBlock() ==
             op->getBlock() &&
         type.getRank() == 2 && op.getAxis() == 1 && type.getDimSize(0) == 1 &&
         type.getDimSize(1) >= LongRows::fewestColumns;
}

static void expand(tile::ReduceOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value row = op.getSources()[0];
  auto type = cast<RankedTensorType>(row.getType());
  Type element = type.getElementType(), i32 = builder.getI32Type();
  ArrayAttr sizes = builder.getI64ArrayAttr(type.getShape());
  auto reduce = [&](Type result, Value tile, tile::ReduceKind kind,
                    tile::NaNPolicy nan, bool keepdims) -> Value {
    return tile::ReduceOp::create(
               builder, loc, TypeRange{result}, ValueRange{tile}, /*axis=*/1,
               tile::ReduceKindAttr::get(builder.getContext(), kind),
               /*identities=*/ArrayAttr(), keepdims, nan)
        .getResult(0);
  };
  Value extreme =
      reduce(RankedTensorType::get({1, 1}, element), row,
             op.getKind() == tile::ReduceKind::ArgMax ? tile::ReduceKind::Max
                                                      : tile::ReduceKind::Min,
             op.getNanPolicy(), /*keepdims=*/true);
  Value extremes =
      tile::BroadcastOp::create(builder, loc, type, extreme, sizes);
  Value holds;
  if (isa<FloatType>(element)) {
    auto compare = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) {
      return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
    };
    // With NaN propagation any NaN is the extreme. Without, the extreme is NaN
    // only if all elements are, and then the first one is it.
    bool propagates = op.getNanPolicy() == tile::NaNPolicy::Propagate;
    Value number = propagates ? row : extremes;
    holds = arith::OrIOp::create(
        builder, loc, compare(arith::CmpFPredicate::OEQ, row, extremes),
        compare(arith::CmpFPredicate::UNO, number, number));
  } else {
    holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, row,
                                  extremes);
  }
  auto places = type.clone(i32);
  Value numbers = tile::IotaOp::create(
      builder, loc, RankedTensorType::get({type.getDimSize(1)}, i32),
      builder.getI64ArrayAttr({type.getDimSize(1)}));
  Value columns =
      tile::BroadcastOp::create(builder, loc, places, numbers, sizes);
  Value none = arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(places, builder.getI32IntegerAttr(
                                         std::numeric_limits<int32_t>::max())));
  Value held = arith::SelectOp::create(builder, loc, holds, columns, none);
  op.getResult(0).replaceAllUsesWith(
      reduce(op.getResult(0).getType(), held, tile::ReduceKind::Min,
             tile::NaNPolicy::Propagate, op.getKeepdims()));
  op.erase();
}

namespace {
struct ExpandArgmax : tilegpu::impl::ExpandArgmaxBase<ExpandArgmax> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<tile::ReduceOp> found;
    getOperation().walk([&](tile::ReduceOp op) {
      if (isOfLongRow(op))
        found.push_back(op);
    });
    for (tile::ReduceOp op : found)
      expand(op);
    numExpanded += found.size();
  }
};
} // namespace
