// Softmax does not care what is subtracted from its exponents. A loop that
// brings a maximum along may keep the one it has while the exponentials stay in
// range; only where they leave it is the iteration computed as it is written.
#include "Mainloop/AffineCondition.h"
#include "Mainloop/OnlineSoftmax.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
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
    for (MainloopOp loop : loops) {
      keepSmallPowers(loop);
      if (std::optional<OnlineSoftmax> match = matchSoftmax(loop)) {
        relaxScores(*match);
        if (match->shiftedUse) {
          explainMissed(match->shiftedUse, "softmax")
              << "maxima are looked for in every iteration: this depends on "
                 "the maximum otherwise than by quotients with the sum and by "
                 "the maximum plus the logarithm of the sum";
          continue;
        }
        simplifyExponents(*matchSoftmax(loop));
        relax(*matchSoftmax(loop));
        ++numLoops;
      }
    }
  }

private:
  /// Powers below the smallest normal number stay what they are, where the text
  /// makes zeros of them.
  static void keepSmallPowers(MainloopOp loop) {
    for (auto select : llvm::make_early_inc_range(
             loop.getConsumeBlock()->getOps<arith::SelectOp>())) {
      Value power = select.getFalseValue();
      auto small = select.getCondition().getDefiningOp<arith::CmpFOp>();
      auto size =
          small ? small.getLhs().getDefiningOp<math::AbsFOp>() : math::AbsFOp();
      SplatElementsAttr bound;
      auto zero = select.getTrueValue().getDefiningOp<arith::BitcastOp>();
      if (!isa_and_nonnull<math::Exp2Op, math::ExpOp>(power.getDefiningOp()) ||
          !size || size.getOperand() != power || !zero ||
          !isa_and_nonnull<arith::AndIOp>(zero.getIn().getDefiningOp()) ||
          small.getPredicate() != arith::CmpFPredicate::OLT ||
          !matchPattern(small.getRhs(), m_Constant(&bound)) ||
          !bound.getSplatValue<APFloat>().isSmallestNormalized())
        continue;
      select.replaceAllUsesWith(power);
      select.erase();
    }
  }

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

  /// The ops of an iteration that scores are made of, back to loads and to
  /// dots, which are not among them.
  static llvm::SetVector<Operation *> opsOfScores(const OnlineSoftmax &match) {
    llvm::SetVector<Operation *> ops;
    SmallVector<Value> values = {match.scores};
    while (!values.empty()) {
      Operation *op = values.pop_back_val().getDefiningOp();
      if (!op || isa<tile::DotOp>(op) || !ops.insert(op) ||
          isa<tile::LoadOp>(op))
        continue;
      llvm::append_range(values, op->getOperands());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::append_range(values, block.getTerminator()->getOperands());
    }
    return ops;
  }

  /// Those in the loop that nothing else reads.
  static llvm::SetVector<Operation *> scoreSlice(const OnlineSoftmax &match) {
    llvm::SetVector<Operation *> slice = opsOfScores(match);
    slice.remove_if(
        [&](Operation *op) { return !match.loop->isProperAncestor(op); });
    auto isRead = [&](Operation *op) {
      return llvm::any_of(op->getResults(), [&](Value result) {
        return result != match.scores &&
               llvm::any_of(result.getUsers(), [&](Operation *user) {
                 return !slice.contains(user) &&
                        !(isa<scf::YieldOp>(user) &&
                          slice.contains(user->getParentOp()));
               });
      });
    };
    while (true) {
      size_t before = slice.size();
      slice.remove_if(isRead);
      if (slice.size() == before)
        return slice;
    }
  }

  /// Whether scores are products of 16-bit numbers.
  static bool hasNarrowFactors(MainloopOp loop) {
    constexpr unsigned narrowBits = 16;
    return llvm::all_of(
        loop.getConsumeBlock()->getOps<tile::DotOp>(), [](tile::DotOp dot) {
          return dot.getLhs().getType().getElementTypeBitWidth() <= narrowBits;
        });
  }

  /// Scores of 16-bit factors need not be exact in the last digits: a tanh that
  /// caps them is one instruction, what divides them multiplies by its
  /// reciprocal, products and sums round once.
  static void relaxScores(OnlineSoftmax match) {
    using arith::FastMathFlags;
    if (!hasNarrowFactors(match.loop))
      return;
    for (Operation *op : scoreSlice(match)) {
      if (auto tanh = dyn_cast<math::TanhOp>(op))
        tanh.setFastmath(tanh.getFastmath() | FastMathFlags::afn);
      else if (auto quotient = dyn_cast<arith::DivFOp>(op))
        divideInFront(match.loop, quotient);
      else if (isa<arith::MulFOp, arith::AddFOp, arith::SubFOp>(op)) {
        auto scores = cast<arith::ArithFastMathInterface>(op);
        op->setAttr(
            scores.getFastMathAttrName(),
            arith::FastMathFlagsAttr::get(
                op->getContext(), scores.getFastMathFlagsAttr().getValue() |
                                      FastMathFlags::contract));
      }
    }
  }

  /// x / c as x · (1/c), where c is a scalar from in front of the loop.
  static void divideInFront(MainloopOp loop, arith::DivFOp quotient) {
    Value divisor = throughBroadcast(quotient.getRhs());
    auto splat = divisor.getDefiningOp<tile::SplatOp>();
    SplatElementsAttr constant;
    OpBuilder builder(loop);
    Location loc = quotient.getLoc();
    Value scalar;
    if (splat && loop.isDefinedOutsideOfLoop(splat.getValue()))
      scalar = splat.getValue();
    else if (matchPattern(divisor, m_Constant(&constant)))
      scalar = arith::ConstantOp::create(builder, loc,
                                         constant.getSplatValue<TypedAttr>());
    if (!scalar || !scalar.getType().isF32())
      return;
    Value one =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1));
    Value by = arith::DivFOp::create(builder, loc, one, scalar);
    Value dividend = quotient.getLhs();
    SmallVector<LinearTerm> terms = linearForm(dividend, {});
    if (Value all = terms.size() == 1 ? scalarFactor(builder, loop, terms[0], 1)
                                      : Value()) {
      dividend = terms[0].tile;
      by = arith::MulFOp::create(builder, loc, by, all);
    }
    auto type = cast<RankedTensorType>(quotient.getType());
    Value factor = tile::SplatOp::create(
        builder, loc, type, by, builder.getI64ArrayAttr(type.getShape()));
    builder.setInsertionPoint(quotient);
    Value product = arith::MulFOp::create(builder, loc, dividend, factor,
                                          arith::FastMathFlags::contract);
    quotient.replaceAllUsesWith(product);
    quotient.erase();
  }

  /// Exponents as a GPU has them: 2^(S·c - m'·c), one multiply-add an element,
  /// or 2^((S - m')·c) where m' may be huge: then the product is not rounded
  /// before it is subtracted. What S is scaled by, and log₂e where the text has
  /// b = e, is one scalar in front of the loop.
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
    Value scalar =
        scalarFactor(builder, loop, match.scale, match.isBinary ? 1.0 : log2e);
    if (!scalar)
      return;
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
          isDifference(op.getOperand(0), maximum, match.subtracted))
        shrinks.push_back(&op);

    builder.setInsertionPoint(power);
    auto repeat = [&](Value maximum) {
      return tile::BroadcastOp::create(
          builder, loc, scores, maximum,
          builder.getI64ArrayAttr(cast<RankedTensorType>(scores).getShape()));
    };
    if (mayBeHuge(match)) {
      Value below = arith::SubFOp::create(builder, loc, match.scores,
                                          repeat(match.subtracted));
      replace(power, arith::MulFOp::create(builder, loc, below, splat(scores)));
    } else {
      Value subtracted = arith::NegFOp::create(
          builder, loc,
          arith::MulFOp::create(builder, loc, match.subtracted, splat(column)));
      replace(power, math::FmaOp::create(builder, loc, match.scores,
                                         splat(scores), repeat(subtracted)));
    }
    for (Operation *shrink : shrinks) {
      builder.setInsertionPoint(shrink);
      Value fall =
          arith::SubFOp::create(builder, loc, maximum, match.subtracted);
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
    // What stands in for minus infinity may be too large for the first scores.
    bool hasHuge = mayBeHuge(match);
    if (hasHuge || match.subtracted != match.newMaximum)
      large = arith::OrIOp::create(builder, loc, large->getResult(0),
                                   isHuge(builder, loc, maximum));
    if (hasHuge)
      contractExponents(builder,
                        kept.lookup(match.exponentials).getDefiningOp());
    if (isMinusInfinity(loop.getInitArgs()[match.maximum]))
      large->setAttr(holdsAtFirstName, builder.getUnitAttr());

    // As it is written. What shrinks the weighted sum may wait for it.
    SmallVector<Value> wanted = {match.newMaximum, match.newSum, match.lhs},
                       otherwise = {maximum, keptSum, kept.lookup(match.lhs)};
    Value factor = shrinksLater(match) ? factorOf(match) : Value();
    if (factor) {
      wanted.push_back(factor);
      otherwise.push_back(splat(builder, loc, factor.getType(), 1));
    } else {
      wanted.push_back(match.newAcc);
      otherwise.push_back(match.output);
    }
    SmallVector<Operation *> exact = exactSlice(match, wanted);
    auto *larger = match.newMaximum.getDefiningOp();
    exact.insert(exact.begin(), larger);
    // What only the new maximum is made of.
    for (Value operand : larger->getOperands())
      if (auto reduce = operand.getDefiningOp<tile::ReduceOp>();
          reduce && reduce->hasOneUse())
        exact.insert(exact.begin(), reduce);
    bool isDescending = shouldBeginAtEnd(match);
    scf::IfOp branch =
        writeBranch(builder, large->getResult(0), exact, wanted, otherwise);
    if (isDescending)
      beginAtEnd(match);
    if (!factor)
      return;
    factor = branch.getResults().back();
    Operation *shrinks = AnyOp::create(
        builder, loc, builder.getI1Type(),
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, factor,
                              splat(builder, loc, factor.getType(), 1)));
    if (large->hasAttr(holdsAtFirstName))
      shrinks->setAttr(holdsAtFirstName, builder.getUnitAttr());
    Operation *product = match.newAcc.getDefiningOp();
    SmallVector<Operation *> late = {product};
    for (Value operand : product->getOperands())
      if (Operation *op = operand.getDefiningOp(); op && op->hasOneUse())
        if (isa<tile::BroadcastOp>(op))
          late.insert(late.begin(), op);
    writeBranch(builder, shrinks->getResult(0), late, match.newAcc,
                match.output);
  }

  /// Whether the last iterations are those to begin with: a mask hides some of
  /// their scores, and either scores of the first ones as well, so that blocks
  /// do not walk the same keys at the same time anyway, or scores change with
  /// the position of a key.
  static bool shouldBeginAtEnd(const OnlineSoftmax &match) {
    MainloopOp loop = match.loop;
    if (!match.isIncreasing || !matchPattern(loop.getStep(), m_One()) ||
        !matchPattern(loop.getInitArgs()[match.maximum], m_Constant()))
      return false;
    bool hidesFirst = false, hidesLast = false, hasPositions = false;
    for (Operation *op : opsOfScores(match)) {
      hasPositions |= isa<arith::SIToFPOp>(op) &&
                      isa<RankedTensorType>(op->getResult(0).getType());
      auto select = dyn_cast<arith::SelectOp>(op);
      if (!select || !isa<RankedTensorType>(select.getCondition().getType()))
        continue;
      Mask mask = maskOf(select);
      std::optional<SmallVector<Comparison>> comparisons =
          comparisonsOf(mask.condition, mask.keepsWhere);
      if (!comparisons)
        continue;
      for (Comparison comparison : *comparisons)
        if (std::optional<AffineCondition> condition = affineCondition(
                comparison, loop.getIterationArg(), [&](Value value) {
                  return loop.isDefinedOutsideOfLoop(value);
                })) {
          hidesFirst |= condition->perIteration > 0;
          hidesLast |= condition->perIteration < 0;
        }
    }
    return hidesLast && (hidesFirst || hasPositions);
  }

  /// Runs the iterations from the last to the first. The first to run has to
  /// find a maximum anyway; that it has a mask as well costs little, and scores
  /// that fall with the distance of a key do not raise the maximum afterwards.
  /// Rows that see nothing in it keep a maximum that is a number.
  static void beginAtEnd(const OnlineSoftmax &match) {
    MainloopOp loop = match.loop;
    OpBuilder builder(loop);
    loop->setAttr(descendingName, builder.getUnitAttr());
    OpOperand &init = loop.getInitArgsMutable()[match.maximum];
    if (isMinusInfinity(init.get()))
      init.set(splat(builder, loop.getLoc(), init.get().getType(), lowest));
  }
  /// Stands in for minus infinity.
  static constexpr float lowest = -1e30f;

  /// Whether the deferred dot still runs when an iteration computes.
  static bool shrinksLater(const OnlineSoftmax &match) {
    MainloopOp loop = match.loop;
    return computesUnderDots(
        loop, PlanAttr::of(loop->getParentOfType<tile::KernelOp>()));
  }

  /// The column that the weighted sum is multiplied with; null where it is put
  /// together otherwise.
  static Value factorOf(const OnlineSoftmax &match) {
    Operation *product = match.newAcc.getDefiningOp();
    for (Value operand : product->getOperands())
      if (auto row = operand.getDefiningOp<tile::BroadcastOp>();
          row && row->hasOneUse())
        return row.getSource();
    return {};
  }

  static Value splat(OpBuilder &builder, Location loc, Type type,
                     float number) {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(cast<RankedTensorType>(type), number));
  }

  /// Moves ops into a branch that is taken where `condition` holds; what they
  /// make is something else `otherwise`.
  static scf::IfOp writeBranch(OpBuilder &builder, Value condition,
                               ArrayRef<Operation *> ops, ValueRange wanted,
                               ValueRange otherwise) {
    OpBuilder::InsertionGuard guard(builder);
    Location loc = condition.getLoc();
    auto branch = scf::IfOp::create(builder, loc, wanted.getTypes(), condition,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, otherwise);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(builder, loc, wanted);
    for (Operation *op : ops)
      op->moveBefore(yield);
    for (auto [value, result] : llvm::zip_equal(wanted, branch.getResults()))
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !branch->isAncestor(use.getOwner());
      });
    return branch;
  }

  /// Whether maxima may be numbers that hide scores, or come from memory: so
  /// large that a product with c is not right to a fraction of 1.
  static bool mayBeHuge(const OnlineSoftmax &match) {
    MainloopOp loop = match.loop;
    if (!isMinusInfinity(loop.getInitArgs()[match.maximum]) ||
        llvm::any_of(loop.getStreamArgs(), [&](BlockArgument stream) {
          return llvm::any_of(stream.getUsers(), [](Operation *user) {
            return !isa<tile::DotOp>(user);
          });
        }))
      return true;
    return llvm::any_of(opsOfScores(match), [](Operation *op) {
      Attribute constant;
      matchPattern(op, m_Constant(&constant));
      if (auto tile = dyn_cast_or_null<SplatElementsAttr>(constant))
        constant = tile.getSplatValue<Attribute>();
      auto number = dyn_cast_or_null<FloatAttr>(constant);
      return isa<tile::LoadOp>(op) || (number && number.getValue().isFinite() &&
                                       number.getValueAsDouble() < least);
    });
  }
  static constexpr float least = -65536;

  /// Whether any row of a warp has a maximum that is huge or not there yet.
  static Value isHuge(OpBuilder &builder, Location loc, Value maximum) {
    auto type = cast<RankedTensorType>(maximum.getType());
    Value limit = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type,
                               builder.getF32FloatAttr(least).getValue()));
    Value isLess = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT, maximum, limit);
    return AnyOp::create(builder, loc, builder.getI1Type(), isLess);
  }

  /// Exponents (S - m)·c of the maximum that is kept, which is not huge, as
  /// S·c - m·c.
  static void contractExponents(OpBuilder &builder, Operation *power) {
    Location loc = power->getLoc();
    auto product = power->getOperand(0).getDefiningOp<arith::MulFOp>();
    auto difference = product ? product.getLhs().getDefiningOp<arith::SubFOp>()
                              : arith::SubFOp();
    auto row = difference
                   ? difference.getRhs().getDefiningOp<tile::BroadcastOp>()
                   : tile::BroadcastOp();
    auto factor = product ? product.getRhs().getDefiningOp<tile::SplatOp>()
                          : tile::SplatOp();
    if (!row || !factor)
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(power);
    auto column = cast<RankedTensorType>(row.getSource().getType());
    Value shift = arith::NegFOp::create(
        builder, loc,
        arith::MulFOp::create(
            builder, loc, row.getSource(),
            tile::SplatOp::create(builder, loc, column, factor.getValue(),
                                  builder.getI64ArrayAttr(column.getShape()))));
    Value shifts = tile::BroadcastOp::create(builder, loc, row.getType(), shift,
                                             row.getSizes());
    power->setOperand(0, math::FmaOp::create(builder, loc, difference.getLhs(),
                                             factor, shifts));
    for (Operation *op : {product.getOperation(), difference.getOperation(),
                          row.getOperation()})
      if (isOpTriviallyDead(op))
        op->erase();
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
