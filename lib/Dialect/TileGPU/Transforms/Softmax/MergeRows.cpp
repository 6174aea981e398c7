// Merges the parts of an online softmax, weighting each by the exponential of
// its maximum relative to the largest one.
#include "Softmax/MergeRows.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class Merge {
public:
  Merge(OpBuilder &builder, Location loc, const OnlineSoftmax &softmax,
        LoopLikeOpInterface loop)
      : builder(builder), loc(loc), softmax(softmax), loop(loop) {}

  SoftmaxRows
  run(int64_t count,
      llvm::function_ref<Value(unsigned number, int64_t part)> readRows) {
    SmallVector<Value> maxima;
    for (int64_t part = 0; part < count; ++part)
      maxima.push_back(readRows(0, part));
    SoftmaxRows all = {maxima.front(), {}, {}};
    for (Value other : ArrayRef(maxima).drop_front())
      all.maximum = arith::MaximumFOp::create(builder, loc, all.maximum, other);
    auto add = [&](Value &sum, Value term) {
      sum = sum ? arith::AddFOp::create(builder, loc, sum, term).getResult()
                : term;
    };
    for (auto [part, maximum] : llvm::enumerate(maxima)) {
      Value weight = weigh(maximum, all.maximum);
      add(all.sum, arith::MulFOp::create(builder, loc,
                                         readRows(1, int64_t(part)), weight));
      add(all.output, multiplyRows(readRows(2, int64_t(part)), weight));
    }
    return all;
  }

private:
  /// b^(d·x) of a column x.
  Value power(Value exponent) {
    RankedTensorType type = tileOf(exponent);
    Value factor = tile::SplatOp::create(
        builder, loc, type,
        scalarFactor(builder, loop, softmax.shift, /*number=*/1.0),
        builder.getI64ArrayAttr(type.getShape()));
    Value scaled = arith::MulFOp::create(builder, loc, exponent, factor);
    if (softmax.isBinary)
      return math::Exp2Op::create(builder, loc, scaled);
    return math::ExpOp::create(builder, loc, scaled);
  }

  /// The weight of a part's rows relative to the largest maximum: exactly 1 for
  /// the largest, even if it is minus infinity.
  Value weigh(Value maximum, Value largest) {
    RankedTensorType type = tileOf(maximum);
    Value one = arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(type, builder.getF32FloatAttr(1.0)));
    Value isLargest = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, maximum, largest);
    Value less = arith::SubFOp::create(builder, loc, maximum, largest);
    return arith::SelectOp::create(builder, loc, isLargest, one, power(less));
  }

  Value multiplyRows(Value tile, Value weight) {
    RankedTensorType type = tileOf(tile);
    Value wide = tile::BroadcastOp::create(
        builder, loc, type, weight, builder.getI64ArrayAttr(type.getShape()));
    return arith::MulFOp::create(builder, loc, tile, wide);
  }

  OpBuilder &builder;
  Location loc;
  const OnlineSoftmax &softmax;
  LoopLikeOpInterface loop;
};
} // namespace

SoftmaxRows
mergeRows(OpBuilder &builder, const OnlineSoftmax &softmax,
          LoopLikeOpInterface loop, int64_t count,
          llvm::function_ref<Value(unsigned number, int64_t part)> readRows) {
  return Merge(builder, loop.getLoc(), softmax, loop).run(count, readRows);
}

} // namespace tilegpt::tilegpu
