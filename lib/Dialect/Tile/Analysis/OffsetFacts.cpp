// Affine forms of integer tiles, propagated through arithmetic and shape
// changes.
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>
#include <optional>
#include <utility>

using namespace mlir;

namespace tilegpt::tilegpu {

/// An upper bound of all vector lengths.
static constexpr int64_t anyRun = int64_t(1) << 32;

bool isOffsetAccess(Operation *op) {
  return isa<tile::LoadAtOp, tile::StoreAtOp, tile::AtomicRMWOp,
             tile::AtomicCASOp>(op);
}

Value pointerOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tile::LoadAtOp, tile::StoreAtOp, tile::AtomicRMWOp,
            tile::AtomicCASOp>([](auto access) { return access.getBase(); });
}

bool isOffsetWrite(Operation *op) {
  return isOffsetAccess(op) && !isa<tile::LoadAtOp>(op);
}

namespace {
/// An integer tile of the form `start + Σ strides[axis]·(e[axis] mod
/// runs[axis])`, where `start` may differ for each index along the free axes
/// and each run. Holds modulo 2^width: wrapping occurs at a multiple of any
/// power-of-two vector length.
struct AffineTile {
  int64_t divisor = 1;          ///< of all starts; 0 for the integer 0
  SmallVector<int64_t> strides; ///< 0 along free axes
  SmallVector<bool> isFree;
  SmallVector<int64_t> runs; ///< powers of two; anyRun along free axes

  /// Of how many adjacent elements along an axis, starting at a multiple of
  /// that number, all are equal.
  int64_t uniformRun(int64_t axis) const {
    return strides[axis] == 0 && !isFree[axis] ? runs[axis] : 1;
  }
  /// Whether all elements along an axis are equal.
  bool isUniformAlong(int64_t axis) const { return uniformRun(axis) == anyRun; }
};

int64_t rankOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getRank();
}

AffineTile uniform(int64_t divisor, int64_t rank) {
  return {divisor, SmallVector<int64_t>(rank, 0), SmallVector<bool>(rank),
          SmallVector<int64_t>(rank, anyRun)};
}

AffineTile unknown(int64_t rank) {
  return {1, SmallVector<int64_t>(rank, 0), SmallVector<bool>(rank, true),
          SmallVector<int64_t>(rank, anyRun)};
}

/// Shortens the runs of two forms to those that both have.
void matchRuns(AffineTile &lhs, AffineTile &rhs) {
  for (size_t axis = 0; axis < lhs.runs.size(); ++axis) {
    const int64_t run = std::min(lhs.runs[axis], rhs.runs[axis]);
    for (AffineTile *form : {&lhs, &rhs})
      if (std::exchange(form->runs[axis], run) != run)
        form->divisor =
            std::gcd(form->divisor,
                     multiplyDivisors(std::abs(form->strides[axis]), run));
  }
}

/// Makes a form free along some axes: their strides become part of the starts.
void makeFree(AffineTile &form, ArrayRef<bool> axes) {
  for (auto [isFree, stride, run, isWanted] :
       llvm::zip_equal(form.isFree, form.strides, form.runs, axes)) {
    if (!isWanted)
      continue;
    form.divisor = std::gcd(form.divisor, std::exchange(stride, 0));
    isFree = true;
    run = anyRun;
  }
}

AffineTile addForms(AffineTile lhs, AffineTile rhs, int64_t sign) {
  matchRuns(lhs, rhs);
  AffineTile sum = {std::gcd(lhs.divisor, rhs.divisor), lhs.strides, lhs.isFree,
                    lhs.runs};
  for (auto [stride, other] : llvm::zip_equal(sum.strides, rhs.strides))
    if (sign > 0 ? llvm::AddOverflow(stride, other, stride)
                 : llvm::SubOverflow(stride, other, stride))
      return unknown(int64_t(sum.strides.size()));
  makeFree(sum, lhs.isFree);
  makeFree(sum, rhs.isFree);
  return sum;
}

/// Propagates the forms of tiles.
class TileForms {
public:
  TileForms(IndexFacts &facts, TileSource source)
      : facts(facts), source(source) {}

  /// The form of an integer tile; free along all axes if nothing is known.
  AffineTile formOf(Value tile);
  /// A power-of-two number of adjacent elements along an axis for which a mask
  /// is uniform if they start at a multiple of it.
  int64_t runOf(Value mask, int64_t axis);
  /// Whether adjacent integers along an axis differ by at most one, and not all
  /// are known to be equal.
  bool isDenseAlong(Value tile, int64_t axis);

private:
  AffineTile deriveForm(Value tile);
  AffineTile formOfArithmetic(Operation *op);
  AffineTile formOfDivision(Operation *op);
  AffineTile formOfEqualOperands(Operation *op);
  IntegerFacts factsOf(Value tile);
  IntegerFacts deriveFacts(Value tile);
  int64_t runOfComparison(arith::CmpIOp op, int64_t axis);
  std::optional<int64_t> constantOf(Value tile);
  Operation *definingOp(Value tile) {
    return (source ? source(tile) : tile).getDefiningOp();
  }

  IndexFacts &facts;
  TileSource source;
  llvm::DenseMap<Value, AffineTile> forms;
  llvm::DenseMap<Value, IntegerFacts> elements;
};
} // namespace

/// The constant that all elements of a tile are.
std::optional<int64_t> TileForms::constantOf(Value tile) {
  APInt value;
  if (matchPattern(tile, m_ConstantInt(&value)) &&
      value.getSignificantBits() <= 64)
    return value.getSExtValue();
  Operation *op = definingOp(tile);
  if (auto splat = dyn_cast_or_null<tile::SplatOp>(op))
    return constantOf(splat.getValue());
  if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op))
    return constantOf(broadcast.getSource());
  return std::nullopt;
}

/// \param factor  the value of rhs, if it is a constant.
static AffineTile multiplyForms(AffineTile lhs, AffineTile rhs,
                                std::optional<int64_t> factor) {
  if (!factor)
    for (AffineTile *form : {&lhs, &rhs})
      makeFree(*form,
               SmallVector<bool>(llvm::map_range(
                   form->strides, [](int64_t stride) { return stride != 0; })));
  for (int64_t &stride : lhs.strides)
    if (stride != 0 && llvm::MulOverflow(stride, *factor, stride))
      return unknown(int64_t(lhs.strides.size()));
  matchRuns(lhs, rhs);
  lhs.divisor = multiplyDivisors(lhs.divisor, rhs.divisor);
  makeFree(lhs, rhs.isFree);
  return lhs;
}

/// A divisor and the range of all elements of an integer tile.
IntegerFacts TileForms::factsOf(Value tile) {
  if (auto known = elements.find(tile); known != elements.end())
    return known->second;
  IntegerFacts result = deriveFacts(tile);
  elements.try_emplace(tile, result);
  return result;
}

IntegerFacts TileForms::deriveFacts(Value tile) {
  if (APInt value; matchPattern(tile, m_ConstantInt(&value)) &&
                   value.getSignificantBits() <= 64)
    return IntegerFacts::constant(value.getSExtValue());
  Operation *op = definingOp(tile);
  if (!op)
    return {};
  if (isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::PermuteOp>(op))
    return factsOf(op->getOperand(0));
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return facts.of(splat.getValue());
  if (auto iota = dyn_cast<tile::IotaOp>(op))
    return {1, {0, iota.getType().getNumElements() - 1}};
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumOperands() == 0)
    return {};
  SmallVector<IntegerFacts> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<RankedTensorType>(operand.getType())
                           ? factsOf(operand)
                           : IntegerFacts());
  return wrapTo(factsOfArithmetic(op, operands), getElementTypeOrSelf(tile));
}

/// An elementwise op has equal results where its operands are equal.
AffineTile TileForms::formOfEqualOperands(Operation *op) {
  const int64_t rank = rankOf(op->getResult(0));
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumOperands() == 0)
    return unknown(rank);
  AffineTile result = uniform(1, rank);
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    AffineTile form = formOf(operand);
    for (int64_t axis = 0; axis < rank; ++axis)
      result.runs[axis] = std::min(result.runs[axis], form.uniformRun(axis));
  }
  makeFree(result, SmallVector<bool>(llvm::map_range(
                       result.runs, [](int64_t run) { return run == 1; })));
  return result;
}

/// Adjacent numbers from a multiple of `run` on, which divides the divisor,
/// have the same quotient, and adjacent remainders: column indices of flattened
/// positions, for example. Negative numbers do not, as -128 and -127 divided by
/// 128 with a sign.
AffineTile TileForms::formOfDivision(Operation *op) {
  AffineTile result = formOfEqualOperands(op);
  const bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
  const bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(op);
  if (isSigned && factsOf(op->getOperand(0)).range.lo < 0)
    return result;
  const AffineTile dividend = formOf(op->getOperand(0)),
                   by = formOf(op->getOperand(1));
  for (int64_t axis = 0; axis < int64_t(result.runs.size()); ++axis) {
    if (dividend.strides[axis] != 1)
      continue;
    int64_t run = std::gcd(dividend.divisor, by.divisor);
    for (const AffineTile *form : {&dividend, &by})
      for (auto [other, stride] : llvm::enumerate(form->strides))
        if (int64_t(other) != axis)
          run = std::gcd(run, stride);
    run = std::min({run & -run, dividend.runs[axis], by.uniformRun(axis)});
    if (run <= 1)
      continue;
    result.isFree[axis] = false;
    result.strides[axis] = isRemainder ? 1 : 0;
    result.runs[axis] = run;
    result.divisor = isRemainder ? run : 1;
  }
  return result;
}

AffineTile TileForms::formOfArithmetic(Operation *op) {
  auto form = [&](unsigned number) { return formOf(op->getOperand(number)); };
  if (isa<arith::AddIOp>(op))
    return addForms(form(0), form(1), 1);
  if (isa<arith::SubIOp>(op))
    return addForms(form(0), form(1), -1);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op))
    return form(0);
  if (isa<arith::MulIOp>(op)) {
    if (auto factor = constantOf(op->getOperand(1)))
      return multiplyForms(form(0), form(1), factor);
    return multiplyForms(form(1), form(0), constantOf(op->getOperand(0)));
  }
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return formOfDivision(op);
  return formOfEqualOperands(op);
}

AffineTile TileForms::formOf(Value tile) {
  if (auto known = forms.find(tile); known != forms.end())
    return known->second;
  AffineTile result = deriveForm(tile);
  forms.try_emplace(tile, result);
  return result;
}

AffineTile TileForms::deriveForm(Value tile) {
  int64_t rank = rankOf(tile);
  if (APInt value; matchPattern(tile, m_ConstantInt(&value)) &&
                   value.getSignificantBits() <= 64)
    return uniform(std::abs(value.getSExtValue()), rank);
  Operation *op = definingOp(tile);
  if (!op)
    return unknown(rank);
  return llvm::TypeSwitch<Operation *, AffineTile>(op)
      .Case([&](tile::IotaOp) { return AffineTile{0, {1}, {false}, {anyRun}}; })
      .Case([&](tile::SplatOp splat) {
        return uniform(facts.of(splat.getValue()).divisor, rank);
      })
      .Case([&](tile::ExpandDimsOp expand) {
        AffineTile form = formOf(expand.getSource());
        form.strides.insert(form.strides.begin() + expand.getAxis(), 0);
        form.isFree.insert(form.isFree.begin() + expand.getAxis(), false);
        form.runs.insert(form.runs.begin() + expand.getAxis(), anyRun);
        return form;
      })
      .Case([&](tile::BroadcastOp broadcast) {
        AffineTile form = formOf(broadcast.getSource());
        auto source =
            cast<RankedTensorType>(broadcast.getSource().getType()).getShape();
        for (auto [axis, size] : llvm::enumerate(source))
          if (size == 1) {
            form.strides[axis] = 0;
            form.isFree[axis] = false;
            form.runs[axis] = anyRun;
          }
        int64_t added = rank - int64_t(source.size());
        form.strides.insert(form.strides.begin(), added, 0);
        form.isFree.insert(form.isFree.begin(), added, false);
        form.runs.insert(form.runs.begin(), added, anyRun);
        return form;
      })
      .Case([&](tile::PermuteOp permute) {
        AffineTile form = formOf(permute.getSource());
        AffineTile result = {form.divisor, {}, {}, {}};
        for (int64_t axis : permute.getPermutation()) {
          result.strides.push_back(form.strides[axis]);
          result.isFree.push_back(form.isFree[axis]);
          result.runs.push_back(form.runs[axis]);
        }
        return result;
      })
      .Default([&](Operation *op) {
        return isa<arith::ArithDialect>(op->getDialect()) ? formOfArithmetic(op)
                                                          : unknown(rank);
      });
}

/// For how many adjacent elements a comparison is uniform: the sides must meet
/// at a multiple of that number.
int64_t TileForms::runOfComparison(arith::CmpIOp op, int64_t axis) {
  AffineTile lhs = formOf(op.getLhs()), rhs = formOf(op.getRhs());
  const int64_t uniformRun =
      std::min(lhs.uniformRun(axis), rhs.uniformRun(axis));
  if (uniformRun > 1)
    return uniformRun;
  // Ascending by one, compared with a strict upper bound.
  using arith::CmpIPredicate;
  bool isBelow = llvm::is_contained({CmpIPredicate::slt, CmpIPredicate::ult,
                                     CmpIPredicate::sge, CmpIPredicate::uge},
                                    op.getPredicate());
  if (!isBelow || lhs.strides[axis] != 1)
    return 1;
  int64_t run = std::gcd(lhs.divisor, rhs.divisor);
  for (auto [other, stride] : llvm::enumerate(lhs.strides))
    if (int64_t(other) != axis)
      run = std::gcd(run, stride);
  for (int64_t stride : rhs.strides)
    run = std::gcd(run, stride);
  run = run == 0 ? anyRun : run & -run;
  return std::min({run, lhs.runs[axis], rhs.uniformRun(axis)});
}

int64_t TileForms::runOf(Value mask, int64_t axis) {
  if (constantOf(mask))
    return anyRun;
  Operation *op = definingOp(mask);
  if (!op)
    return 1;
  if (isa<tile::SplatOp>(op))
    return anyRun;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return runOfComparison(compare, axis);
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::min(runOf(op->getOperand(0), axis),
                    runOf(op->getOperand(1), axis));
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    int64_t added = expand.getAxis();
    return axis == added ? anyRun
                         : runOf(expand.getSource(), axis - (axis > added));
  }
  if (auto permute = dyn_cast<tile::PermuteOp>(op))
    return runOf(permute.getSource(), permute.getPermutation()[axis]);
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    auto source = cast<RankedTensorType>(broadcast.getSource().getType());
    int64_t from = axis - (rankOf(mask) - source.getRank());
    bool isRepeated = from < 0 || source.getDimSize(from) == 1;
    return isRepeated ? anyRun : runOf(broadcast.getSource(), from);
  }
  return 1;
}

bool TileForms::isDenseAlong(Value tile, int64_t axis) {
  AffineTile form = formOf(tile);
  if (!form.isFree[axis] && form.runs[axis] == anyRun)
    return std::abs(form.strides[axis]) == 1;
  Operation *op = definingOp(tile);
  if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
                      arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return isDenseAlong(op->getOperand(0), axis);
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    return (isDenseAlong(lhs, axis) && formOf(rhs).isUniformAlong(axis)) ||
           (formOf(lhs).isUniformAlong(axis) && isDenseAlong(rhs, axis));
  }
  if (!isa_and_nonnull<arith::ShRSIOp, arith::ShRUIOp, arith::DivSIOp,
                       arith::DivUIOp>(op))
    return false;
  AffineTile dividend = formOf(op->getOperand(0));
  std::optional<int64_t> by = constantOf(op->getOperand(1));
  if (dividend.runs[axis] != anyRun || dividend.strides[axis] == 0 || !by ||
      *by <= 0)
    return false;
  const bool isShift = isa<arith::ShRSIOp, arith::ShRUIOp>(op);
  constexpr int64_t mostBits = 62;
  const int64_t divisor = isShift ? int64_t(1) << std::min(*by, mostBits) : *by;
  return std::abs(dividend.strides[axis]) <= divisor;
}

OffsetFacts analyzeOffsets(Operation *op, IndexFacts &facts,
                           TileSource source) {
  OffsetFacts result;
  Value offsets, mask;
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::LoadAtOp, tile::StoreAtOp, tile::AtomicRMWOp,
            tile::AtomicCASOp>([&](auto access) {
        offsets = access.getOffsets();
        mask = access.getMask();
      });
  Type element = isa<tile::StoreAtOp>(op)
                     ? getElementTypeOrSelf(op->getOperand(0).getType())
                     : getElementTypeOrSelf(op->getResult(0).getType());
  Value pointer = pointerOf(op);
  // In units of the pointer's element.
  int64_t bytes = memoryBytes(element),
          unit =
              memoryBytes(cast<tile::PtrType>(pointer.getType()).getPointee());
  TileForms forms(facts, source);
  AffineTile form = forms.formOf(offsets);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(offsets.getType()).getShape();
  for (auto [axis, stride] : llvm::enumerate(form.strides))
    if (stride * unit == bytes && shape[axis] > 1)
      result.vectorAxis = axis;
  for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis)
    if (unit == bytes && shape[axis] > 1 && forms.isDenseAlong(offsets, axis))
      result.denseAxis = axis;
  if (result.vectorAxis < 0)
    return result;
  // In bytes: all of these must be multiples of a vector's size.
  int64_t run = std::gcd(maxAccessBytes, facts.ofPointer(pointer).alignment);
  run = std::gcd(run, multiplyDivisors(form.divisor, unit));
  for (auto [axis, stride] : llvm::enumerate(form.strides))
    if (int64_t(axis) != result.vectorAxis)
      run = std::gcd(run, multiplyDivisors(std::abs(stride), unit));
  int64_t count = std::max<int64_t>(run / bytes, 1);
  count = std::gcd(count, shape[result.vectorAxis]);
  count = std::min(count, form.runs[result.vectorAxis]);
  if (mask)
    count = std::gcd(count, forms.runOf(mask, result.vectorAxis));
  result.vectorSize = count;
  return result;
}

void analyzeOffsets(Operation *root, OffsetTable &table, TileSource source) {
  IndexFacts facts;
  root->walk([&](Operation *op) {
    if (isOffsetAccess(op))
      table[op] = analyzeOffsets(op, facts, source);
  });
}

} // namespace tilegpt::tilegpu
