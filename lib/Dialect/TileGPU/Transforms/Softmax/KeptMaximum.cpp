// Builds the exponents of an iteration from the terms of its scores, in the
// branch of the mask, so that they are computed beside the exponentials.
#include "Softmax/KeptMaximum.h"
#include "Softmax/Scores.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SmallVector<Operation *> opsBetween(const OnlineSoftmax &match, Value from,
                                    ValueRange wanted) {
  llvm::SetVector<Operation *> reached;
  MainloopOp loop = match.loop;
  auto reach = [&](auto &reach, Value value) -> bool {
    Operation *op = value.getDefiningOp();
    if (value == from || (op && reached.contains(op)))
      return true;
    if (!op || op->getBlock() != loop.getConsumeBlock())
      return false;
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

SmallVector<Operation *> movableWeights(const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  llvm::SetVector<Operation *> ops;
  for (Operation *op :
       opsBetween(match, match.exponentials, {match.lhs, match.total}))
    ops.insert(op);
  size_t numBehind = ops.size();
  // Backwards, so that users come first.
  for (Operation &op : llvm::reverse(*loop.getConsumeBlock())) {
    bool isArithmetic = OpTrait::hasElementwiseMappableTraits(&op) ||
                        isa<tile::BroadcastOp, tile::ExpandDimsOp,
                            tile::ReshapeOp, tile::SplatOp, tile::IotaOp>(op);
    if (isArithmetic && !op.use_empty() &&
        &op != match.exponentials.getDefiningOp() &&
        llvm::all_of(op.getUsers(),
                     [&](Operation *user) { return ops.contains(user); }))
      ops.insert(&op);
  }
  return llvm::to_vector(
      llvm::reverse(ops.getArrayRef().drop_front(numBehind)));
}

namespace {
/// A branch that masks scores or passes them through.
struct BranchedMask {
  scf::IfOp branch;
  arith::SelectOp select;
  Value scores;     ///< without the mask
  TypedAttr hidden; ///< the value of a hidden score
};

class Writer {
public:
  Writer(OpBuilder &builder, const OnlineSoftmax &match)
      : builder(builder), match(match), loop(match.loop),
        loc(match.dot->getLoc()), front(loop),
        scoresType(cast<RankedTensorType>(match.scores.getType())) {}

  KeptMaximum write() {
    for (Operation *op : movableScores(match))
      slice.insert(op);
    behind = movableWeights(match);
    llvm::append_range(behind, opsBetween(match, match.exponentials,
                                          {match.lhs, match.total}));
    Value maximum = loop.getRegionIterArgs()[match.maximum];
    column = cast<RankedTensorType>(maximum.getType());
    unit = scalarFactor(front, loop, match.scale, 1.0);
    minusMaximum = arith::NegFOp::create(
        builder, loc,
        arith::MulFOp::create(
            builder, loc, maximum,
            splat(column, scalarFactor(front, loop, match.shift, 1.0))));
    if (std::optional<BranchedMask> mask = findMask())
      return writeVersions(*mask);
    return writeVersion(match.scores, nullptr);
  }

private:
  std::optional<BranchedMask> findMask() const {
    auto branch = match.scores.getDefiningOp<scf::IfOp>();
    if (!branch || !slice.contains(branch) || branch.getNumResults() != 1)
      return std::nullopt;
    Value kept = branch.elseYield().getOperand(0);
    auto select =
        branch.thenYield().getOperand(0).getDefiningOp<arith::SelectOp>();
    if (!select || select->getBlock() != branch.thenBlock() ||
        llvm::count(ValueRange{select.getTrueValue(), select.getFalseValue()},
                    kept) != 1)
      return std::nullopt;
    SplatElementsAttr hidden;
    if (!matchPattern(select.getTrueValue() == kept ? select.getFalseValue()
                                                    : select.getTrueValue(),
                      m_Constant(&hidden)))
      return std::nullopt;
    return BranchedMask{branch, select, kept,
                        hidden.getSplatValue<TypedAttr>()};
  }

  //===--------------------------------------------------------------------===//
  // Versions
  //===--------------------------------------------------------------------===//

  /// Emits the iteration with and without its mask.
  KeptMaximum writeVersions(BranchedMask mask) {
    loop->getParentOfType<tile::KernelOp>()->setAttr(keepsBranchesName,
                                                     builder.getUnitAttr());
    keepInFront(mask.branch.getCondition());
    auto branch = scf::IfOp::create(
        builder, loc, {match.total.getType(), match.lhs.getType()},
        mask.branch.getCondition(), /*withElseRegion=*/true);
    for (Region &region : branch->getRegions()) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&region.front());
      bool isMasked = &region == &branch.getThenRegion();
      KeptMaximum version =
          writeVersion(mask.scores, isMasked ? &mask : nullptr);
      scf::YieldOp::create(builder, loc, {version.total, version.lhs});
    }
    return {branch.getResult(0), branch.getResult(1)};
  }

  KeptMaximum writeVersion(Value scores, const BranchedMask *mask) {
    copies.clear();
    IRMapping known;
    Value exponent = exponentOf(cloned(scores, known));
    if (mask)
      exponent = masked(exponent, *mask, known);
    Value power =
        math::Exp2Op::create(builder, loc, exponent, arith::FastMathFlags::afn);
    known.map(match.exponentials, power);
    for (Operation *op : behind)
      builder.clone(*op, known);
    for (Operation *op : llvm::reverse(copies))
      if (isOpTriviallyDead(op))
        op->erase();
    return {known.lookup(match.total), known.lookup(match.lhs)};
  }

  /// Keeps the ops that a value depends on in place.
  void keepInFront(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !slice.remove(op))
      return;
    for (Value operand : op->getOperands())
      keepInFront(operand);
  }

  /// Clones a value, with all ops of the slice that it needs.
  Value cloned(Value value, IRMapping &known) {
    Operation *op = value.getDefiningOp();
    if (op && slice.contains(op) && !known.contains(value))
      clone(*op, known);
    return known.lookupOrDefault(value);
  }
  void clone(Operation &op, IRMapping &known) {
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        cloned(operand, known);
    });
    copies.push_back(builder.clone(op, known));
  }

  Value masked(Value exponent, BranchedMask mask, IRMapping &known) {
    for (Operation &op : *mask.branch.thenBlock()) {
      if (&op == mask.select)
        break;
      clone(op, known);
    }
    Value hidden = hiddenExponent(mask.hidden);
    bool keepsTrue = mask.select.getTrueValue() == mask.scores;
    return arith::SelectOp::create(
        builder, loc, cloned(mask.select.getCondition(), known),
        keepsTrue ? exponent : hidden, keepsTrue ? hidden : exponent);
  }

  /// The exponent of a hidden score. Minus infinity stays minus infinity.
  Value hiddenExponent(TypedAttr score) {
    auto number = cast<FloatAttr>(score).getValue();
    if (number.isInfinity() && number.isNegative() && match.isIncreasing)
      return arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(scoresType, score));
    return broadcast(
        add(splat(column, arith::ConstantOp::create(front, loc, score)),
            splat(column, unit), minusMaximum));
  }

  //===--------------------------------------------------------------------===//
  // Exponents
  //===--------------------------------------------------------------------===//

  /// S·c - m·d, term by term.
  Value exponentOf(Value scores) {
    SmallVector<LinearTerm> terms =
        linearForm(scores, {}, /*throughBroadcasts=*/false);
    if (!llvm::all_of(terms, [&](LinearTerm &term) { return isKnown(term); }))
      terms = {LinearTerm{scores, false, {}}};
    // Terms that are the same for a row come first, and the dot usually last.
    Value row = minusMaximum;
    for (LinearTerm &term : terms)
      if (Value common = rowOf(term.tile))
        row = add(common, splat(column, factorOf(term)), row);
    Value exponent = broadcast(row);
    for (LinearTerm &term : llvm::reverse(terms))
      if (!rowOf(term.tile))
        exponent = add(term.tile, splat(scoresType, factorOf(term)), exponent);
    return exponent;
  }

  bool isKnown(const LinearTerm &term) {
    return term.tile.getType() == scoresType &&
           llvm::all_of(term.factors, [&](OpFoldResult factor) {
             auto value = dyn_cast<Value>(factor);
             return !value || loop.isDefinedOutsideOfLoop(value);
           });
  }

  /// The column that a tile broadcasts; null for others.
  Value rowOf(Value tile) {
    auto repeated = tile.getDefiningOp<tile::BroadcastOp>();
    return repeated && repeated.getSource().getType() == column
               ? repeated.getSource()
               : Value();
  }

  /// The factor of a term in exponents, computed before the loop.
  Value factorOf(LinearTerm term) {
    term.factors.push_back(unit);
    return scalarFactor(front, loop, term, 1.0);
  }

  Value add(Value tile, Value factor, Value sum) {
    return math::FmaOp::create(builder, loc, tile, factor, sum,
                               arith::FastMathFlags::contract);
  }
  Value splat(RankedTensorType type, Value scalar) {
    return tile::SplatOp::create(builder, loc, type, scalar,
                                 builder.getI64ArrayAttr(type.getShape()));
  }
  Value broadcast(Value row) {
    return tile::BroadcastOp::create(
        builder, loc, scoresType, row,
        builder.getI64ArrayAttr(scoresType.getShape()));
  }

  OpBuilder &builder;
  const OnlineSoftmax &match;
  MainloopOp loop;
  Location loc;
  /// Inserts before the loop.
  OpBuilder front;
  RankedTensorType scoresType, column;
  /// Ops that only the scores depend on.
  llvm::SetVector<Operation *> slice;
  /// Ops that depend on the exponentials, or that only these need.
  SmallVector<Operation *> behind;
  /// c, and -m·d.
  Value unit, minusMaximum;
  /// Ops cloned for this version.
  SmallVector<Operation *> copies;
};
} // namespace

KeptMaximum cloneWithMaximum(OpBuilder &builder, const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  IRMapping known;
  known.map(match.newMaximum, loop.getRegionIterArgs()[match.maximum]);
  for (Operation *op :
       opsBetween(match, match.newMaximum, {match.lhs, match.total}))
    builder.clone(*op, known);
  return {known.lookup(match.total), known.lookup(match.lhs)};
}

KeptMaximum writeKeptMaximum(OpBuilder &builder, const OnlineSoftmax &match) {
  return Writer(builder, match).write();
}

} // namespace tilegpt::tilegpu
