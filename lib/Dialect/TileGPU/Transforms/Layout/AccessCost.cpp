// Counts the instructions of accesses and the lines of the cache that they
// touch.
#include "Layout/AccessCost.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// How often an op is executed. Loops of unknown length count as eight
/// iterations.
static int64_t timesOf(Operation *op) {
  constexpr int64_t unknown = 8, most = 1 << 20;
  int64_t times = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    times *= trips ? std::min(trips->getSExtValue(), most) : unknown;
    times = std::min(times, most);
  }
  return times;
}

void AccessCost::add(Operation *op, int64_t axis, int64_t vector, int64_t bytes,
                     bool isOffset) {
  accesses.push_back({axis, vector, bytes, timesOf(op), isOffset});
}

void AccessCost::add(const AccessCost &other,
                     function_ref<int64_t(int64_t)> axisOf) {
  for (Access access : other.accesses) {
    access.axis = axisOf(access.axis);
    accesses.push_back(access);
  }
}

int64_t AccessCost::widestOffset(int64_t axis) const {
  int64_t widest = 1;
  for (const Access &access : accesses)
    if (access.isOffset && access.axis == axis)
      widest = std::max(widest, access.vector);
  return widest;
}

int64_t AccessCost::bestVector(int64_t axis, int64_t most) const {
  constexpr int64_t lineBytes = 128;
  auto isAlong = [&](const Access &access) { return access.axis == axis; };
  if (llvm::none_of(accesses, [&](const Access &access) {
        return access.isOffset && isAlong(access);
      }))
    return most;
  auto costOf = [&](int64_t vector) {
    int64_t cost = 0;
    for (const Access &access : llvm::make_filter_range(accesses, isAlong)) {
      const int64_t instructions = most / std::min(access.vector, vector),
                    lines = std::max<int64_t>(1, vector * access.bytes *
                                                     warpLanes / lineBytes);
      cost += access.times * instructions * (1 + lines);
    }
    return cost;
  };
  int64_t best = most;
  for (int64_t vector = most / 2; vector >= 1; vector /= 2)
    if (costOf(vector) < costOf(best))
      best = vector;
  return best;
}

} // namespace tilegpt::tilegpu
