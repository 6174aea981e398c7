// Softmax does not care what is subtracted from its exponents. A loop that
// brings a maximum along may keep the one it has while the exponentials stay in
// range; only where they leave it is the iteration computed as it is written.
#include "Mainloop/OnlineSoftmax.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RELAXSOFTMAX
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct RelaxSoftmax : tilegpu::impl::RelaxSoftmaxBase<RelaxSoftmax> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<MainloopOp> loops;
    getOperation().walk([&](MainloopOp loop) { loops.push_back(loop); });
    for (MainloopOp loop : loops)
      if (std::optional<OnlineSoftmax> match = matchSoftmax(loop)) {
        simplifyExponents(*match);
        relax(*matchSoftmax(loop));
        ++numLoops;
      }
  }

private:
  /// The ops of the iteration on which some values depend and which depend on
  /// the new maximum themselves, in their order.
  static SmallVector<Operation *> exactSlice(OnlineSoftmax &match,
                                             ArrayRef<Value> wanted) {
    llvm::SetVector<Operation *> reached;
    Operation *larger = match.newMaximum.getDefiningOp();
    auto reach = [&](auto &reach, Value value) -> bool {
      Operation *op = value.getDefiningOp();
      if (!op || op->getBlock() != match.loop.getConsumeBlock())
        return false;
      if (op == larger || reached.contains(op))
        return true;
      bool depends = false;
      for (Value operand : op->getOperands())
        depends |= reach(reach, operand);
      if (depends)
        reached.insert(op);
      return depends;
    };
    for (Value value : wanted)
      reach(reach, value);
    SmallVector<Operation *> ops(reached.begin(), reached.end());
    llvm::sort(ops, [](Operation *left, Operation *right) {
      return left->isBeforeInBlock(right);
    });
    return ops;
  }

  /// Exponents as a GPU has them: 2^(S·c - m'·c), one multiply-add an element.
  /// What S is scaled by, and log₂e where the text has b = e, is one scalar in
  /// front of the loop.
  static void simplifyExponents(OnlineSoftmax match) {
    MainloopOp loop = match.loop;
    Location loc = match.dot.getLoc();
    OpBuilder builder(loop);
    Operation *power = match.exponentials.getDefiningOp();
    auto maximumType = cast<RankedTensorType>(match.newMaximum.getType());
    bool isColumn = maximumType.getRank() == 2 &&
                    maximumType.getElementType().isF32() &&
                    isa<math::Exp2Op, math::ExpOp>(power);
    if (!isColumn)
      return;
    constexpr double log2e = 1.4426950408889634;
    double number = match.isBinary ? 1.0 : log2e;
    Value scalar;
    for (OpFoldResult factor : match.scale.factors) {
      if (auto value = dyn_cast<Value>(factor)) {
        if (!loop.isDefinedOutsideOfLoop(value))
          return;
        scalar =
            scalar
                ? arith::MulFOp::create(builder, loc, scalar, value).getResult()
                : value;
      } else {
        number *= cast<FloatAttr>(cast<Attribute>(factor)).getValueAsDouble();
      }
    }
    if (match.scale.isNegative)
      number = -number;
    if (number != 1.0 || !scalar) {
      Value constant = arith::ConstantOp::create(
          builder, loc, builder.getF32FloatAttr(number));
      scalar = scalar ? arith::MulFOp::create(builder, loc, scalar, constant)
                            .getResult()
                      : constant;
    }
    auto splat = [&](Type type) -> Value {
      return tile::SplatOp::create(
          builder, loc, type, scalar,
          builder.getI64ArrayAttr(cast<RankedTensorType>(type).getShape()));
    };
    auto replace = [&](Operation *power, Value exponent) {
      power->getResult(0).replaceAllUsesWith(math::Exp2Op::create(
          builder, loc, exponent, arith::FastMathFlags::afn));
      power->erase();
    };
    Value maximum = loop.getRegionIterArgs()[match.maximum];
    Type column = maximum.getType(), scores = match.scores.getType();
    SmallVector<Operation *> shrinks;
    for (Operation &op : *loop.getConsumeBlock())
      if (isa<math::Exp2Op, math::ExpOp>(op) &&
          op.getResult(0).getType() == column &&
          isDifference(op.getOperand(0), maximum, match.newMaximum))
        shrinks.push_back(&op);

    builder.setInsertionPoint(power);
    Value subtracted = arith::NegFOp::create(
        builder, loc,
        arith::MulFOp::create(builder, loc, match.newMaximum, splat(column)));
    Value row = tile::BroadcastOp::create(
        builder, loc, scores, subtracted,
        builder.getI64ArrayAttr(cast<RankedTensorType>(scores).getShape()));
    replace(power, math::FmaOp::create(builder, loc, match.scores,
                                       splat(scores), row));
    for (Operation *shrink : shrinks) {
      builder.setInsertionPoint(shrink);
      Value fall =
          arith::SubFOp::create(builder, loc, maximum, match.newMaximum);
      replace(shrink, arith::MulFOp::create(builder, loc, fall, splat(column)));
    }
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(*loop.getConsumeBlock())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  static bool isDifference(Value exponent, Value from, Value subtracted) {
    Value atoms[] = {from, subtracted};
    SmallVector<LinearTerm> terms = linearForm(exponent, atoms);
    return terms.size() == 2 && llvm::all_of(terms, [&](LinearTerm &term) {
             return llvm::is_contained(atoms, term.tile);
           });
  }

  static void relax(OnlineSoftmax match) {
    MainloopOp loop = match.loop;
    OpBuilder builder(match.dot);
    Location loc = match.dot.getLoc();
    Value maximum = loop.getRegionIterArgs()[match.maximum],
          sum = loop.getRegionIterArgs()[match.sum];

    // With the maximum that is there.
    IRMapping kept;
    kept.map(match.newMaximum, maximum);
    for (Operation *op : exactSlice(match, {match.lhs, match.total}))
      builder.clone(*op, kept);
    Value total = kept.lookup(match.total);
    Value keptSum = arith::AddFOp::create(builder, loc, sum, total);
    Operation *large = isLarge(builder, loc, total);
    if (isMinusInfinity(loop.getInitArgs()[match.maximum]))
      large->setAttr(holdsAtFirstName, builder.getUnitAttr());

    // As it is written.
    SmallVector<Value> wanted = {match.newMaximum, match.newSum, match.newAcc,
                                 match.lhs};
    auto branch =
        scf::IfOp::create(builder, loc, TypeRange(ValueRange(wanted)),
                          large->getResult(0), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(
        builder, loc,
        ValueRange{maximum, keptSum, match.output, kept.lookup(match.lhs)});
    SmallVector<Operation *> exact = exactSlice(match, wanted);
    auto *larger = match.newMaximum.getDefiningOp();
    exact.insert(exact.begin(), larger);
    // What only the new maximum is made of.
    for (Value operand : larger->getOperands())
      if (auto reduce = operand.getDefiningOp<tile::ReduceOp>();
          reduce && reduce->hasOneUse())
        exact.insert(exact.begin(), reduce);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(builder, loc, wanted);
    for (Operation *op : exact)
      op->moveBefore(yield);
    for (auto [value, result] : llvm::zip_equal(wanted, branch.getResults()))
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !branch->isAncestor(use.getOwner());
      });
  }

  static bool isMinusInfinity(Value tile) {
    return matchPattern(tile, m_NegInfFloat());
  }

  /// Whether any sum of exponentials in a warp is out of range, or no number:
  /// the first iteration has no maximum yet.
  static Operation *isLarge(OpBuilder &builder, Location loc, Value total) {
    constexpr double most = 32768;
    auto type = cast<RankedTensorType>(total.getType());
    Value limit = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, builder.getF32FloatAttr(most).getValue()));
    Value isOut = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT,
                                        total, limit);
    return AnyOp::create(builder, loc, builder.getI1Type(), isOut);
  }
};
} // namespace
