// Affine forms of tiles of integers, followed through arithmetic and changes of
// shape.
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

/// A thread moves at most so many bytes at once.
static constexpr int64_t maxAccessBytes = 16;
/// More neighbours than anybody asks for.
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

bool AffineTile::isUniform() const {
  return llvm::all_of(strides, [](int64_t stride) { return stride == 0; });
}

namespace {
using Form = std::optional<AffineTile>;

int64_t rankOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getRank();
}

Form uniform(int64_t divisor, int64_t rank) {
  return AffineTile{divisor, SmallVector<int64_t>(rank, 0)};
}

Form addForms(const Form &lhs, const Form &rhs, int64_t sign) {
  if (!lhs || !rhs)
    return std::nullopt;
  AffineTile sum = {std::gcd(lhs->divisor, rhs->divisor), lhs->strides};
  for (auto [stride, other] : llvm::zip_equal(sum.strides, rhs->strides))
    if (sign > 0 ? llvm::AddOverflow(stride, other, stride)
                 : llvm::SubOverflow(stride, other, stride))
      return std::nullopt;
  return sum;
}

/// The constant that all elements of a tile are.
std::optional<int64_t> constantOf(Value tile) {
  APInt value;
  if (matchPattern(tile, m_ConstantInt(&value)) &&
      value.getSignificantBits() <= 64)
    return value.getSExtValue();
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return constantOf(splat.getValue());
  if (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
    return constantOf(broadcast.getSource());
  return std::nullopt;
}

Form multiplyForms(const Form &lhs, const Form &rhs,
                   std::optional<int64_t> factor) {
  if (!lhs || !rhs)
    return std::nullopt;
  AffineTile product = {multiplyDivisors(lhs->divisor, rhs->divisor),
                        lhs->strides};
  if (lhs->isUniform() && rhs->isUniform())
    return product;
  if (!factor || !rhs->isUniform())
    return std::nullopt;
  for (int64_t &stride : product.strides)
    if (llvm::MulOverflow(stride, *factor, stride))
      return std::nullopt;
  return product;
}

Form formOfArithmetic(Operation *op, IndexFacts &facts) {
  auto form = [&](unsigned number) {
    return findAffineForm(op->getOperand(number), facts);
  };
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
  return std::nullopt;
}
} // namespace

Form findAffineForm(Value tile, IndexFacts &facts) {
  int64_t rank = rankOf(tile);
  if (APInt value; matchPattern(tile, m_ConstantInt(&value)) &&
                   value.getSignificantBits() <= 64)
    return uniform(std::abs(value.getSExtValue()), rank);
  Operation *op = tile.getDefiningOp();
  if (!op)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Form>(op)
      .Case([&](tile::IotaOp) { return AffineTile{0, {1}}; })
      .Case([&](tile::SplatOp splat) {
        return uniform(facts.of(splat.getValue()).divisor, rank);
      })
      .Case([&](tile::ExpandDimsOp expand) {
        Form form = findAffineForm(expand.getSource(), facts);
        if (form)
          form->strides.insert(form->strides.begin() + expand.getAxis(), 0);
        return form;
      })
      .Case([&](tile::BroadcastOp broadcast) {
        Form form = findAffineForm(broadcast.getSource(), facts);
        if (!form)
          return form;
        auto source =
            cast<RankedTensorType>(broadcast.getSource().getType()).getShape();
        for (auto [stride, size] : llvm::zip_equal(form->strides, source))
          stride = size == 1 ? 0 : stride;
        form->strides.insert(form->strides.begin(),
                             rank - int64_t(source.size()), 0);
        return form;
      })
      .Case([&](tile::PermuteOp permute) {
        Form form = findAffineForm(permute.getSource(), facts);
        if (!form)
          return form;
        AffineTile result = {form->divisor, {}};
        for (int64_t axis : permute.getPermutation())
          result.strides.push_back(form->strides[axis]);
        return Form(result);
      })
      .Default([&](Operation *op) {
        return isa<arith::ArithDialect>(op->getDialect())
                   ? formOfArithmetic(op, facts)
                   : std::nullopt;
      });
}

/// How many neighbours compare alike: where the sides meet at a multiple of
/// that many.
static int64_t runOfComparison(arith::CmpIOp op, int64_t axis,
                               IndexFacts &facts) {
  Form lhs = findAffineForm(op.getLhs(), facts),
       rhs = findAffineForm(op.getRhs(), facts);
  if (!lhs || !rhs)
    return 1;
  if (lhs->strides[axis] == 0 && rhs->strides[axis] == 0)
    return anyRun;
  // Ascending by one against a bound, and the bound is not itself among those
  // below it.
  using arith::CmpIPredicate;
  bool isBelow = llvm::is_contained({CmpIPredicate::slt, CmpIPredicate::ult,
                                     CmpIPredicate::sge, CmpIPredicate::uge},
                                    op.getPredicate());
  if (!isBelow || lhs->strides[axis] != 1 || rhs->strides[axis] != 0)
    return 1;
  int64_t run = std::gcd(lhs->divisor, rhs->divisor);
  for (auto [other, stride] : llvm::enumerate(lhs->strides))
    if (int64_t(other) != axis)
      run = std::gcd(run, stride);
  for (int64_t stride : rhs->strides)
    run = std::gcd(run, stride);
  return run == 0 ? anyRun : run & -run;
}

int64_t findMaskRun(Value mask, int64_t axis, IndexFacts &facts) {
  if (constantOf(mask))
    return anyRun;
  Operation *op = mask.getDefiningOp();
  if (!op)
    return 1;
  if (isa<tile::SplatOp>(op))
    return anyRun;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return runOfComparison(compare, axis, facts);
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::min(findMaskRun(op->getOperand(0), axis, facts),
                    findMaskRun(op->getOperand(1), axis, facts));
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    int64_t added = expand.getAxis();
    return axis == added
               ? anyRun
               : findMaskRun(expand.getSource(), axis - (axis > added), facts);
  }
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    auto source = cast<RankedTensorType>(broadcast.getSource().getType());
    int64_t from = axis - (rankOf(mask) - source.getRank());
    bool isRepeated = from < 0 || source.getDimSize(from) == 1;
    return isRepeated ? anyRun
                      : findMaskRun(broadcast.getSource(), from, facts);
  }
  return 1;
}

OffsetFacts analyzeOffsets(Operation *op, IndexFacts &facts) {
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
  // In units of the pointer.
  int64_t bytes = memoryBytes(element),
          unit =
              memoryBytes(cast<tile::PtrType>(pointer.getType()).getPointee());
  std::optional<AffineTile> form = findAffineForm(offsets, facts);
  if (!form)
    return result;
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(offsets.getType()).getShape();
  for (auto [axis, stride] : llvm::enumerate(form->strides))
    if (stride * unit == bytes && shape[axis] > 1)
      result.vectorAxis = axis;
  if (result.vectorAxis < 0)
    return result;
  // In bytes: all of these must be multiples of a run.
  int64_t run = std::gcd(maxAccessBytes, facts.ofPointer(pointer).alignment);
  run = std::gcd(run, multiplyDivisors(form->divisor, unit));
  for (auto [axis, stride] : llvm::enumerate(form->strides))
    if (int64_t(axis) != result.vectorAxis)
      run = std::gcd(run, multiplyDivisors(std::abs(stride), unit));
  int64_t count = std::max<int64_t>(run / bytes, 1);
  count = std::gcd(count, shape[result.vectorAxis]);
  if (mask)
    count = std::gcd(count, findMaskRun(mask, result.vectorAxis, facts));
  result.vectorSize = count;
  return result;
}

void analyzeOffsets(Operation *root, OffsetTable &table) {
  IndexFacts facts;
  root->walk([&](Operation *op) {
    if (isOffsetAccess(op))
      table[op] = analyzeOffsets(op, facts);
  });
}

} // namespace tilegpt::tilegpu
