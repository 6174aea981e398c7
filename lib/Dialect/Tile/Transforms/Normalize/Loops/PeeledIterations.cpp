// Finds copies of a loop's body for the iterations next to its range.
#include "Normalize/Loops/PeeledIterations.h"
#include "Normalize/IndexSums.h"
#include "Normalize/Loops/CarriedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {
/// The ops next to a loop that only load and compute.
using Neighbours = llvm::SetVector<Operation *>;

/// A copy of a loop's body among the ops next to it, for one more iteration.
class Copy {
public:
  /// \param counter  the induction variable of the iteration
  Copy(KernelOp kernel, scf::ForOp loop, const Neighbours &neighbours,
       const IndexSum &counter)
      : loop(loop), neighbours(neighbours),
        sums(kernel, kernel.getArguments(), IndexSums::Sizes::Launch),
        carried(loop.getNumResults()) {
    sums.replace(loop.getInductionVar(), counter);
  }

  /// Sets what the copy reads for a value that the loop carries.
  void carry(unsigned number, Value value) { carried[number] = value; }
  /// What the copy reads for it; null if that is not known.
  Value getCarried(unsigned number) const { return carried[number]; }

  /// Whether a value next to the loop is computed as a value of its body is.
  /// The ops that do so then belong to the copy.
  bool includes(Value inside, Value outside) {
    SmallVector<Value> carriedBefore = carried;
    size_t size = ops.size();
    if (isAlike(inside, outside))
      return true;
    carried = carriedBefore;
    while (ops.size() > size)
      ops.pop_back();
    return false;
  }

  /// Whether nothing but the copy reads the loop's results, and nothing else
  /// what it computes from them, except for its last values.
  bool isClosed(ArrayRef<Value> last) const {
    auto isReadInside = [&](Value value) {
      return llvm::is_contained(last, value) ||
             llvm::all_of(value.getUsers(),
                          [&](Operation *user) { return ops.contains(user); });
    };
    llvm::SmallDenseSet<Operation *> reading = {loop};
    for (Operation *op : ops)
      if (llvm::any_of(op->getOperands(), [&](Value operand) {
            return reading.contains(operand.getDefiningOp());
          }))
        reading.insert(op);
    return llvm::all_of(reading, [&](Operation *op) {
      return llvm::all_of(op->getResults(), isReadInside);
    });
  }

  /// Erases its ops that nothing uses.
  void erase() {
    for (Operation *op : llvm::reverse(ops))
      if (op->use_empty())
        op->erase();
  }

private:
  bool isAlike(Value inside, Value outside) {
    if (inside.getType() != outside.getType())
      return false;
    auto argument = dyn_cast<BlockArgument>(inside);
    if (argument && argument.getOwner() == loop.getBody() &&
        argument != loop.getInductionVar()) {
      Value &read = carried[argument.getArgNumber() - 1];
      if (!read)
        read = outside;
      return read == outside;
    }
    if (inside.getType().isIntOrIndex())
      return sums.of(inside) == sums.of(outside);
    return inside == outside ||
           isAlike(inside.getDefiningOp(), inside, outside);
  }

  bool isAlike(Operation *op, Value inside, Value outside) {
    Operation *other = outside.getDefiningOp();
    if (!op || !other || op->getNumRegions() != 0 ||
        op->getName() != other->getName() ||
        op->getAttrDictionary() != other->getAttrDictionary() ||
        op->getNumOperands() != other->getNumOperands() ||
        cast<OpResult>(inside).getResultNumber() !=
            cast<OpResult>(outside).getResultNumber())
      return false;
    if (op->hasTrait<OpTrait::ConstantLike>())
      return true;
    if (op->getBlock() != loop.getBody() || !neighbours.contains(other))
      return false;
    for (auto [each, copied] :
         llvm::zip_equal(op->getOperands(), other->getOperands()))
      if (!isAlike(each, copied))
        return false;
    ops.insert(other);
    return true;
  }

  scf::ForOp loop;
  const Neighbours &neighbours;
  IndexSums sums;
  SmallVector<Value> carried;
  llvm::SetVector<Operation *> ops; ///< operands first
};

/// The range of a loop with a known number of iterations.
struct Range {
  IndexSum begin;
  int64_t step, count;

  /// The induction variable of an iteration.
  IndexSum at(int64_t iteration) const {
    return begin + IndexSum::constant(iteration * step);
  }
};
} // namespace

static std::optional<Range> rangeOf(KernelOp kernel, scf::ForOp loop) {
  IndexSums sums(kernel, kernel.getArguments(), IndexSums::Sizes::Launch);
  IndexSum begin = sums.of(loop.getLowerBound());
  std::optional<int64_t> step = sums.of(loop.getStep()).getConstant(),
                         length = (sums.of(loop.getUpperBound()) - begin)
                                      .getConstant();
  if (!step || !length || *step <= 0)
    return std::nullopt;
  return Range{begin, *step,
               llvm::divideCeilSigned(std::max<int64_t>(*length, 0), *step)};
}

/// Starts a loop some steps earlier and sets its number of iterations.
static void setRange(scf::ForOp loop, const Range &range, int64_t earlier,
                     int64_t count) {
  OpBuilder builder(loop);
  auto add = [&](Value bound, int64_t number) {
    Value steps =
        arith::ConstantIndexOp::create(builder, loop.getLoc(), number);
    return builder.createOrFold<arith::AddIOp>(loop.getLoc(), bound, steps);
  };
  if (earlier != 0)
    loop.setLowerBound(add(loop.getLowerBound(), -earlier * range.step));
  loop.setUpperBound(add(loop.getLowerBound(), count * range.step));
}

/// Runs the iteration behind a loop in it.
static bool rollLast(KernelOp kernel, scf::ForOp loop) {
  std::optional<Range> range = rangeOf(kernel, loop);
  if (!range)
    return false;
  Neighbours behind;
  for (Operation *op = loop->getNextNode(); op && onlyReads(op);
       op = op->getNextNode())
    behind.insert(op);
  Copy copy(kernel, loop, behind, range->at(range->count));
  for (auto [number, result] : llvm::enumerate(loop.getResults()))
    copy.carry(number, result);
  SmallVector<Value> last;
  for (Value yielded : loop.getYieldedValues()) {
    auto inside = dyn_cast<OpResult>(yielded);
    auto *found = llvm::find_if(behind, [&](Operation *op) {
      return inside && op->getName() == inside.getOwner()->getName() &&
             copy.includes(inside, op->getResult(inside.getResultNumber()));
    });
    if (found == behind.end())
      return false;
    last.push_back((*found)->getResult(inside.getResultNumber()));
  }
  if (last.empty() || !copy.isClosed(last))
    return false;
  for (auto [value, result] : llvm::zip_equal(last, loop.getResults()))
    value.replaceAllUsesWith(result);
  setRange(loop, *range, /*earlier=*/0, range->count + 1);
  copy.erase();
  return true;
}

/// Runs the iteration in front of a loop in it.
static bool rollFirst(KernelOp kernel, scf::ForOp loop) {
  std::optional<Range> range = rangeOf(kernel, loop);
  if (!range)
    return false;
  Neighbours before;
  for (Operation *op = loop->getPrevNode(); op && onlyReads(op);
       op = op->getPrevNode())
    before.insert(op);
  Copy copy(kernel, loop, before, range->at(-1));
  for (auto [yielded, init] :
       llvm::zip_equal(loop.getYieldedValues(), loop.getInitArgs()))
    if (!isa<OpResult>(yielded) || !isa<OpResult>(init) ||
        yielded.getParentBlock() != loop.getBody() ||
        !copy.includes(yielded, init))
      return false;
  SmallVector<Value> inits;
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (Value read = copy.getCarried(number))
      inits.push_back(read);
  if (inits.empty() || inits.size() != loop.getNumResults())
    return false;
  loop.getInitArgsMutable().assign(inits);
  setRange(loop, *range, /*earlier=*/1, range->count + 1);
  copy.erase();
  return true;
}

void rollPeeled(KernelOp kernel) {
  changeReadingLoops(kernel.getBody(), [&](scf::ForOp &loop) {
    return rollLast(kernel, loop) || rollFirst(kernel, loop);
  });
}

} // namespace tilegpt::tile
