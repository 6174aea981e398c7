// The threads of a block on one thread of the host: each has a stack of its own
// and runs until it must wait for others. Shared memory starts as NaN and
// copies arrive as late as they may, so what is read too early shows.
#ifndef TILEGPT_TEST_UNIT_GPU_EMULATOR_BLOCK_H
#define TILEGPT_TEST_UNIT_GPU_EMULATOR_BLOCK_H

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <ucontext.h>
#include <vector>

namespace tilegpt::emulator {

inline constexpr int warpSize = 32;

class Block;

/// Operands and results of an operation, eight bytes each.
using Slots = uint64_t *;
/// What an instruction of the device does, for one thread.
class Thread;
using Operation = std::function<void(Thread &, Slots)>;

struct Copy {
  std::byte *to;
  const std::byte *from;
  size_t bytes, bytesRead; ///< the rest is zero
};

class Thread {
public:
  int id = 0;
  Block *block = nullptr;
  bool isDone = false;

  int lane() const { return id % warpSize; }

  void addCopy(const Copy &copy) { open.push_back(copy); }
  void commitCopies();
  /// Waits for all but the youngest groups.
  void waitForCopies(size_t groupsLeft);

private:
  friend class Block;
  std::vector<Copy> open;
  std::deque<std::vector<Copy>> groups;
  // Runs on while *watched is not what it was.
  const unsigned *watched = nullptr;
  unsigned seen = 0;
  ucontext_t context;
  std::unique_ptr<char[]> stack;
};

/// In which order threads that could run get their turn; results must not
/// depend on it.
enum class Schedule { Ascending, Descending };

class Block {
public:
  using Code = std::function<void(Thread &)>;

  Block(int threads, size_t sharedBytes, std::array<int32_t, 3> number,
        std::array<int32_t, 3> grid);

  /// Runs all threads to their end.
  /// \returns an error when threads wait that nobody will wake.
  std::string run(const Code &code, Schedule schedule);

  /// Waits until `count` threads have come to barrier `number`.
  void barrier(Thread &thread, int number, int count);
  /// Waits for all lanes of the warp, whose slots are then worked on at once.
  using Lanes = std::array<Slots, warpSize>;
  void together(Thread &thread, Slots slots,
                const std::function<void(const Lanes &)> &work);

  std::byte *shared() { return sharedMemory; }
  const std::array<int32_t, 3> number, grid;
  int size() const { return int(threads.size()); }

private:
  struct Meeting {
    int arrived = 0;
    unsigned generation = 0;
  };
  struct Warp : Meeting {
    Lanes slots{};
  };
  static void enter(unsigned high, unsigned low);
  bool canRun(const Thread &thread) const;
  void wait(Thread &thread, const unsigned &generation);

  std::vector<Thread> threads;
  std::vector<std::byte> memory;
  std::byte *sharedMemory;
  std::array<Meeting, 16> barriers;
  std::vector<Warp> warps;
  const Code *code = nullptr;
  ucontext_t scheduler;
};

} // namespace tilegpt::emulator

#endif
