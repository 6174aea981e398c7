// Fuses a row's maximum and the sum of its exponentials into one reduction of
// pairs.
#include "EraseDead.h"
#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/ExponentialSum.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_FUSEEXPONENTIALSUMS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// The product of the factors of a term; 0 if they are not all constant.
static double constantFactor(const LinearTerm &term) {
  double product = term.isNegative ? -1 : 1;
  for (OpFoldResult factor : term.factors) {
    FloatAttr number;
    if (auto attribute = dyn_cast<Attribute>(factor))
      number = dyn_cast<FloatAttr>(attribute);
    else
      matchPattern(cast<Value>(factor), m_Constant(&number));
    if (!number)
      return 0;
    product *= number.getValueAsDouble();
  }
  return product;
}

/// A value without its guard against infinity: `m` of `max(m, number)` or `m =
/// -inf ? number : m`; null for others.
static Value unguarded(Value value) {
  auto isNumber = [](Value tile) {
    SplatElementsAttr number;
    return matchPattern(tile, m_Constant(&number)) &&
           isa<FloatType>(number.getElementType()) &&
           number.getSplatValue<APFloat>().isFinite();
  };
  if (auto larger = value.getDefiningOp<arith::MaximumFOp>()) {
    if (isNumber(larger.getRhs()))
      return larger.getLhs();
    return isNumber(larger.getLhs()) ? larger.getRhs() : Value();
  }
  auto choice = value.getDefiningOp<arith::SelectOp>();
  auto compare = choice ? choice.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::OEQ ||
      compare.getLhs() != choice.getFalseValue() ||
      !matchPattern(compare.getRhs(), m_NegInfFloat()) ||
      !isNumber(choice.getTrueValue()))
    return {};
  return choice.getFalseValue();
}

namespace {
/// The sum of exponentials of one tile.
class Fusion {
public:
  explicit Fusion(tile::ReduceOp sum) : sum(sum) {}

  /// Whether the op sums exponentials relative to their row's maximum. Explains
  /// the obstacle of a near miss.
  bool match() {
    if (sum.getKind() != tile::ReduceKind::Add || sum.getSources().size() != 1)
      return false;
    exponentials = sum.getSources().front();
    Operation *power = exponentials.getDefiningOp();
    if (!isa_and_nonnull<math::ExpOp, math::Exp2Op>(power) ||
        !getElementTypeOrSelf(exponentials.getType()).isF32())
      return false;
    Value exponent = power->getOperand(0);
    isBinary = isa<math::Exp2Op>(power);
    for (const LinearTerm &term : linearForm(exponent, {})) {
      Value bare = unguarded(term.tile);
      auto reduce = throughBroadcast(bare ? bare : term.tile)
                        .getDefiningOp<tile::ReduceOp>();
      if (scale != 0 || !reduce || !isMaximum(reduce))
        continue;
      maximum = reduce;
      scores = maximum.getSources().front();
      scale = scaleOf(exponent);
    }
    if (!maximum)
      return false;
    if (scale == 0)
      return refuse(
          "its exponents are not the elements minus the maximum, times a "
          "positive constant; subtract the maximum of the same tile");
    if (cast<RankedTensorType>(scores.getType()).getEncoding())
      return refuse(
          "its tiles have layouts; run before tile-gpu-assign-layouts");
    if (maximum.getNanPolicy() != tile::NaNPolicy::Propagate)
      return refuse("the maximum ignores NaN; reduce with nan(propagate)");
    // Recomputing them takes longer than a second exchange (bf16 softmax of
    // 1000 x 32000 on an H200: 52 us instead of 34).
    if (!exponentials.hasOneUse())
      return refuse("its exponentials have other uses");
    return true;
  }

  void run() {
    OpBuilder builder(maximum);
    Location loc = sum.getLoc();
    constexpr double log2e = 1.4426950408889634;
    tile::ReduceOp pairs =
        ExponentialSum(isBinary ? scale : scale * log2e)
            .reduce(builder, loc, scores, int64_t(sum.getAxis()),
                    maximum.getKeepdims());
    Value greatest = pairs.getResult(0), total = pairs.getResult(1),
          from = greatest;
    maximum.getResult(0).replaceAllUsesWith(greatest);
    builder.setInsertionPoint(sum);
    auto shaped = [&](Value value, Type type) -> Value {
      auto wanted = cast<RankedTensorType>(type);
      if (value.getType() == wanted)
        return value;
      return tile::ReshapeOp::create(
          builder, loc, wanted, value,
          builder.getI64ArrayAttr(wanted.getShape()));
    };
    if (subtracted) {
      from = shaped(subtracted, greatest.getType());
      Value less = arith::SubFOp::create(builder, loc, greatest, from);
      if (scale != 1)
        less = arith::MulFOp::create(
            builder, loc, less,
            arith::ConstantOp::create(
                builder, loc,
                SplatElementsAttr::get(
                    cast<RankedTensorType>(less.getType()),
                    builder.getF32FloatAttr(static_cast<float>(scale)))));
      Value power = isBinary
                        ? math::Exp2Op::create(builder, loc, less).getResult()
                        : math::ExpOp::create(builder, loc, less).getResult();
      total = arith::MulFOp::create(builder, loc, total, power);
    }
    // Infinite maxima make the sum NaN.
    Value none = arith::SubFOp::create(builder, loc, from, from);
    total = arith::AddFOp::create(builder, loc, total, none);
    sum.getResult(0).replaceAllUsesWith(
        shaped(total, sum.getResult(0).getType()));
    sum.erase();
  }

private:
  bool refuse(StringRef reason) const {
    explainMissed(sum, "softmax")
        << "a maximum and the sum of exponentials are two reductions: "
        << reason;
    return false;
  }

  /// Whether an op computes maxima along the axis of the sum.
  bool isMaximum(tile::ReduceOp op) {
    return op.getKind() == tile::ReduceKind::Max &&
           op.getSources().size() == 1 && op.getAxis() == sum.getAxis() &&
           op.getSources().front().getType() == exponentials.getType() &&
           op->getBlock() == sum->getBlock();
  }

  /// c, if the exponent is c·(scores − maximum), possibly with a guarded
  /// maximum; 0 for others.
  double scaleOf(Value exponent) {
    SmallVector<LinearTerm> terms =
        linearForm(exponent, scores, /*throughBroadcasts=*/false);
    if (terms.size() != 2)
      return 0;
    if (terms.front().tile != scores)
      std::swap(terms[0], terms[1]);
    double factor = constantFactor(terms[0]);
    bool isBelow =
        terms[0].tile == scores && factor > 0 && std::isfinite(factor) &&
        scaleOfMaximum(terms[1].tile, constantFactor(terms[1])) == -factor;
    return isBelow ? factor : 0;
  }

  /// `factor` times c, if a tile is c times each row's maximum, possibly
  /// guarded, broadcast along the row; 0 for others.
  double scaleOfMaximum(Value tile, double factor) {
    subtracted = {};
    int64_t axis = sum.getAxis(),
            rank = cast<RankedTensorType>(scores.getType()).getRank();
    while (tile != maximum.getResult(0)) {
      Operation *op = tile.getDefiningOp();
      if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op)) {
        // Broadcasting aligns trailing axes.
        auto source = cast<RankedTensorType>(broadcast.getSource().getType());
        if (source.getRank() != rank && (source.getRank() != rank - 1 || axis))
          return 0;
        tile = broadcast.getSource();
      } else if (auto expand = dyn_cast_or_null<tile::ExpandDimsOp>(op)) {
        if (int64_t(expand.getAxis()) != axis)
          return 0;
        tile = expand.getSource();
      } else if (Value bare = unguarded(tile); bare && !subtracted) {
        subtracted = tile;
        tile = bare;
      } else {
        SmallVector<LinearTerm> terms =
            linearForm(tile, maximum.getResult(0), /*throughBroadcasts=*/false);
        // A multiple of the maximum cannot be guarded.
        if (terms.size() != 1 || terms.front().tile == tile || subtracted)
          return 0;
        tile = terms.front().tile;
        factor *= constantFactor(terms.front());
      }
    }
    return factor;
  }

  tile::ReduceOp sum, maximum;
  Value exponentials, scores;
  /// What is subtracted instead of the maximum; null if the maximum is.
  Value subtracted;
  double scale = 0;
  bool isBinary = false; ///< powers of 2 instead of e
};

struct FuseExponentialSums
    : tilegpu::impl::FuseExponentialSumsBase<FuseExponentialSums> {
  using FuseExponentialSumsBase::FuseExponentialSumsBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<tile::ReduceOp> sums;
    getOperation().walk([&](tile::ReduceOp op) { sums.push_back(op); });
    llvm::SetVector<Block *> changed;
    for (tile::ReduceOp sum : sums) {
      Fusion fusion(sum);
      if (!fusion.match())
        continue;
      explainPassed(sum, "softmax")
          << "the maximum and the sum of exponentials are one reduction";
      changed.insert(sum->getBlock());
      fusion.run();
      ++numFused;
    }
    for (Block *block : changed)
      eraseDead(*block);
  }
};
} // namespace
