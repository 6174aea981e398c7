// Simulates threads that share the blocks of a launch.
#include "Host/PoolTime.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace mlir;

namespace {

/// A thread: its remaining work, and when it finishes its current item.
struct Thread {
  size_t begin, end;
  double done = 0;

  size_t left() const { return end - begin; }
};

/// \returns whether another thread had a block left to take.
bool steal(MutableArrayRef<Thread> threads, size_t thief) {
  for (size_t i = 1; i < threads.size(); ++i) {
    Thread &other = threads[(thief + i) % threads.size()];
    if (other.left() == 0)
      continue;
    const size_t middle = other.begin + other.left() / 2;
    threads[thief].begin = middle;
    threads[thief].end = other.end;
    other.end = middle;
    return true;
  }
  return false;
}

} // namespace

double tilegpt::tile::timeInPool(ArrayRef<double> costs, unsigned count) {
  SmallVector<Thread> threads;
  for (size_t i = 0; i < count; ++i)
    threads.push_back(
        {costs.size() * i / count, costs.size() * (i + 1) / count});
  const auto isEarlier = [](const Thread &a, const Thread &b) {
    return a.done < b.done;
  };
  for (;;) {
    const size_t next =
        size_t(llvm::min_element(threads, isEarlier) - threads.begin());
    Thread &thread = threads[next];
    if (thread.left() == 0 && !steal(threads, next))
      break;
    const size_t taken = std::max<size_t>(1, thread.left() / 4);
    for (double cost : costs.slice(thread.begin, taken))
      thread.done += cost;
    thread.begin += taken;
  }
  return llvm::max_element(threads, isEarlier)->done;
}
