// Matches reductions and weighted sums algebraically: by the powers they
// compute, not by how a kernel writes them.
#include "TileGPT/Dialect/Tile/Analysis/CarriedState.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedValues.h"
#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "TileGPT/Dialect/Tile/Analysis/SoftmaxTerms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {

class StateFinder : CarriedValues {
public:
  explicit StateFinder(scf::ForOp loop)
      : CarriedValues(loop), tiles(loop.getNumResults()) {}

  /// \returns why not; empty where all is found.
  StringRef run() {
    if (loop.getNumResults() == 0)
      return "the loop carries no values";
    if (!llvm::all_of(loop.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      return "the loop carries values that are not tiles";
    for (Operation &op : loop.getBody()->without_terminator())
      if (op.getNumRegions() != 0 && !isa<ReduceOp>(op))
        return "the loop has nested loops or branches";
      else if (!isMemoryEffectFree(&op) && !isa<LoadOp, GatherOp>(op))
        return "the loop does more than load and compute";
    SmallVector<unsigned> sums;
    for (unsigned number = 0; number < tiles.size(); ++number)
      if (!findReduction(number))
        sums.push_back(number);
    for (unsigned number : sums)
      if (!findWeightedSum(number))
        return "the loop carries a value that is neither a reduction nor a sum "
               "weighted by a maximum";
    for (Operation &op : loop.getBody()->without_terminator())
      if (!known.contains(&op) && dependsOnCarried(&op))
        return "an iteration depends on previous ones";
    return {};
  }

  SmallVector<CarriedTile> takeTiles() { return std::move(tiles); }

private:
  Value argumentOf(unsigned number) { return loop.getRegionIterArg(number); }
  Value yieldOf(unsigned number) { return loop.getYieldedValues()[number]; }

  /// Records the ops that a value depends on and that depend on loop-carried
  /// values: they are accounted for.
  void noteSlice(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isHere(op) || !isCarried(value) || !known.insert(op).second)
      return;
    for (Value operand : op->getOperands())
      noteSlice(operand);
  }

  /// x' = combine(x, u).
  bool findReduction(unsigned number) {
    Value argument = argumentOf(number);
    Operation *op = yieldOf(number).getDefiningOp();
    if (!isHere(op))
      return false;
    CarriedTile tile;
    if (auto dot = dyn_cast<DotOp>(op)) {
      if (dot.getAcc() != argument || isCarried(dot.getLhs()) ||
          isCarried(dot.getRhs()))
        return false;
    } else if (auto fma = dyn_cast<math::FmaOp>(op)) {
      if (fma.getC() != argument || isCarried(fma.getA()) ||
          isCarried(fma.getB()))
        return false;
    } else {
      auto reduction = tilegpu::reductionOf(op);
      if (!reduction || !llvm::is_contained(op->getOperands(), argument))
        return false;
      Value update = op->getOperand(op->getOperand(0) == argument);
      if (isCarried(update))
        return false;
      tile.combine = op;
      tile.kind = reduction->first;
      if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
        maxima.push_back(number);
    }
    known.insert(op);
    tiles[number] = tile;
    return true;
  }

  bool findWeightedSum(unsigned number) {
    for (unsigned candidate : maxima) {
      maximum = candidate;
      subtracted = tilegpu::guardedMaximum(yieldOf(maximum));
      sum = argumentOf(number);
      factor = {};
      shift.reset();
      trail.clear();
      if (!isUpdated(yieldOf(number)))
        continue;
      tiles[number].factor = factor;
      tiles[number].maximum = maximum;
      for (Operation *op : trail)
        known.insert(op);
      for (Value exponent : exponents)
        noteSlice(exponent);
      noteSlice(factor);
      return true;
    }
    return false;
  }

  /// Remembers an op that is accounted for if the whole sum is.
  bool note(Operation *op) {
    trail.push_back(op);
    return true;
  }

  /// Whether a value is x·b^(d·m - d·m') plus terms with b^(-d·m').
  bool isUpdated(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isHere(op))
      return false;
    if (auto product = dyn_cast<arith::MulFOp>(op))
      return (isShrunk(product.getLhs(), product.getRhs()) ||
              isShrunk(product.getRhs(), product.getLhs())) &&
             note(op);
    if (auto add = dyn_cast<arith::AddFOp>(op))
      return ((isUpdated(add.getLhs()) && isWeighted(add.getRhs())) ||
              (isUpdated(add.getRhs()) && isWeighted(add.getLhs()))) &&
             note(op);
    if (auto fma = dyn_cast<math::FmaOp>(op))
      return (((isShrunk(fma.getA(), fma.getB()) ||
                isShrunk(fma.getB(), fma.getA())) &&
               isWeighted(fma.getC())) ||
              (isUpdated(fma.getC()) &&
               isWeightedProduct(fma.getA(), fma.getB()))) &&
             note(op);
    auto dot = dyn_cast<DotOp>(op);
    return dot && isUpdated(dot.getAcc()) &&
           isWeightedProduct(dot.getLhs(), dot.getRhs()) && note(op);
  }

  /// Whether the factors of a product are x and b^(d·m - d·m').
  bool isShrunk(Value carried, Value by) {
    if (carried != sum)
      return false;
    auto power = tilegpu::exponentialOf(by);
    if (!power || !isMadeOfMaximum(by))
      return false;
    Value older = argumentOf(maximum), atoms[] = {older, subtracted};
    auto terms = tilegpu::linearForm(power->exponent, atoms);
    if (terms.size() != 2)
      return false;
    if (terms[0].tile != older)
      std::swap(terms[0], terms[1]);
    if (terms[0].tile != older || terms[1].tile != subtracted ||
        terms[0].isNegative == terms[1].isNegative ||
        !terms[0].hasFactorOf(terms[1]))
      return false;
    factor = by;
    shift = terms[1];
    isBinary = power->isBinary;
    exponents.clear();
    return true;
  }

  /// Whether a factor is computed from m, m' and loop-invariant values, so that
  /// it can also be computed after the loop.
  bool isMadeOfMaximum(Value value) {
    if (value == argumentOf(maximum) || value == yieldOf(maximum) ||
        loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    return isHere(op) && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return isMadeOfMaximum(operand);
           });
  }

  bool isWeightedProduct(Value lhs, Value rhs) {
    return (isWeighted(lhs) && !isCarried(rhs)) ||
           (isWeighted(rhs) && !isCarried(lhs));
  }

  static bool isZero(Value value) {
    if (auto splat = value.getDefiningOp<SplatOp>())
      value = splat.getValue();
    return matchPattern(value, m_AnyZeroFloat());
  }

  /// Whether every term of a value has b^(-d·m') as a factor, and depends on
  /// nothing else that is carried.
  bool isWeighted(Value value) {
    if (isZero(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!isHere(op) || !isCarried(value))
      return false;
    if (isa<math::ExpOp, math::Exp2Op>(op))
      return isRaised(op) && note(op);
    if (auto reduce = dyn_cast<ReduceOp>(op))
      return reduce.getKind() == ReduceKind::Add &&
             isWeighted(reduce.getSources().front()) && note(op);
    if (isa<CastOp, ReshapeOp, ExpandDimsOp, BroadcastOp, PermuteOp,
            arith::NegFOp, arith::ExtFOp, arith::TruncFOp>(op))
      return isWeighted(op->getOperand(0)) && note(op);
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      return isWeighted(op->getOperand(0)) && isWeighted(op->getOperand(1)) &&
             note(op);
    if (isa<arith::MulFOp>(op))
      return isWeightedProduct(op->getOperand(0), op->getOperand(1)) &&
             note(op);
    if (isa<arith::DivFOp>(op))
      return isWeighted(op->getOperand(0)) && !isCarried(op->getOperand(1)) &&
             note(op);
    if (auto choice = dyn_cast<arith::SelectOp>(op))
      return !isCarried(choice.getCondition()) &&
             isWeighted(choice.getTrueValue()) &&
             isWeighted(choice.getFalseValue()) && note(op);
    if (auto fma = dyn_cast<math::FmaOp>(op))
      return isWeightedProduct(fma.getA(), fma.getB()) &&
             isWeighted(fma.getC()) && note(op);
    auto dot = dyn_cast<DotOp>(op);
    return dot && isWeightedProduct(dot.getLhs(), dot.getRhs()) &&
           isWeighted(dot.getAcc()) && note(op);
  }

  /// Whether a power is b^(x - d·m'), x being made of nothing that is carried.
  bool isRaised(Operation *op) {
    if (!shift || isa<math::Exp2Op>(op) != isBinary)
      return false;
    Value exponent = op->getOperand(0);
    unsigned shifts = 0;
    for (const tilegpu::LinearTerm &term :
         tilegpu::linearForm(exponent, subtracted)) {
      if (llvm::any_of(term.factors, [&](OpFoldResult scalar) {
            auto value = dyn_cast<Value>(scalar);
            return value && isCarried(value);
          }))
        return false;
      if (term.tile == subtracted) {
        if (term.isNegative != shift->isNegative || !term.hasFactorOf(*shift))
          return false;
        ++shifts;
      } else if (isCarried(term.tile)) {
        return false;
      }
    }
    exponents.push_back(exponent);
    return shifts == 1;
  }

  SmallVector<CarriedTile> tiles;
  SmallVector<unsigned> maxima; ///< numbers of them
  /// Ops that may depend on loop-carried values.
  llvm::DenseSet<Operation *> known;

  // Of the sum that is looked at.
  unsigned maximum = 0;
  Value sum, subtracted; ///< x; m' as exponents have it
  Value factor;
  std::optional<tilegpu::LinearTerm> shift; ///< -d·m' of the factor
  bool isBinary = false;
  SmallVector<Operation *> trail;
  SmallVector<Value> exponents; ///< of the terms
};

} // namespace

std::optional<SmallVector<CarriedTile>> findCarriedState(scf::ForOp loop,
                                                         StringRef &reason) {
  StateFinder finder(loop);
  reason = finder.run();
  if (!reason.empty())
    return std::nullopt;
  return finder.takeTiles();
}

} // namespace tilegpt::tile
