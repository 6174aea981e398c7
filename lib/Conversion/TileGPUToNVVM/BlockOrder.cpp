// Order maintenance by list labels: n moves renumber O(n log² n) ops (Bender et
// al., "Two Simplified Algorithms for Maintaining Order in a List", 2002).
#include "BlockOrder.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Numbers are below 2^62.
static constexpr unsigned numberBits = 62;

BlockOrder::BlockOrder(Block &block) {
  const uint64_t count = block.getOperations().size();
  const uint64_t step = (uint64_t(1) << numberBits) / (count + 1);
  uint64_t number = 0;
  numbers.reserve(unsigned(count));
  for (Operation &op : block)
    numbers[&op] = number += step;
}

void BlockOrder::moveBefore(Operation *op, Operation *place) {
  op->moveBefore(place);
  renumber(op);
}

void BlockOrder::moveAfter(Operation *op, Operation *place) {
  op->moveAfter(place);
  renumber(op);
}

void BlockOrder::renumber(Operation *op) {
  Operation *before = op->getPrevNode(), *after = op->getNextNode();
  uint64_t low = before ? numbers.at(before) : 0,
           high = after ? numbers.at(after) : uint64_t(1) << numberBits;
  numbers[op] = low + (high - low) / 2;
  if (high - low < 2)
    spread(op);
}

void BlockOrder::spread(Operation *op) {
  const uint64_t number = numbers.at(op);
  Operation *first = op, *last = op;
  uint64_t count = 1;
  // The allowed density of a range of 2^bits numbers is (2/3)^bits.
  double most = 1;
  for (unsigned bits = 1;; ++bits) {
    most *= 4.0 / 3;
    const uint64_t base = number >> bits << bits,
                   end = base + (uint64_t(1) << bits);
    while (Operation *previous = first->getPrevNode()) {
      if (numbers.at(previous) < base)
        break;
      first = previous;
      ++count;
    }
    while (Operation *next = last->getNextNode()) {
      if (numbers.at(next) >= end)
        break;
      last = next;
      ++count;
    }
    if (double(count) > most && bits < numberBits)
      continue;
    const uint64_t step = (end - base) / (count + 1);
    uint64_t next = base;
    for (Operation *each = first; each != last->getNextNode();
         each = each->getNextNode())
      numbers[each] = next += step;
    return;
  }
}

} // namespace tilegpt::tilegpu
