// Threads are switched by hand (ucontext), so a run is the same every time.
#include "Block.h"
#include <cstring>

namespace tilegpt::emulator {

static constexpr size_t stackBytes = 256 * 1024;
static constexpr size_t sharedAlignment = 1024;

void Thread::commitCopies() {
  groups.push_back(std::move(open));
  open.clear();
}

void Thread::waitForCopies(size_t groupsLeft) {
  for (; groups.size() > groupsLeft; groups.pop_front())
    for (const Copy &copy : groups.front()) {
      std::memset(copy.to, 0, copy.bytes);
      std::memcpy(copy.to, copy.from, copy.bytesRead);
    }
}

Block::Block(int count, size_t sharedBytes, std::array<int32_t, 3> number,
             std::array<int32_t, 3> grid)
    : number(number), grid(grid), threads(count),
      memory(sharedBytes + sharedAlignment, std::byte(0xFF)),
      warps((count + warpSize - 1) / warpSize) {
  const auto address = reinterpret_cast<uintptr_t>(memory.data());
  sharedMemory = memory.data() + (sharedAlignment - address % sharedAlignment);
  for (int id = 0; id < count; ++id) {
    threads[id].id = id;
    threads[id].block = this;
  }
}

/// A pointer in two halves, as makecontext hands on integers only.
void Block::enter(unsigned high, unsigned low) {
  auto *thread = reinterpret_cast<Thread *>(uintptr_t(high) << 32 | low);
  (*thread->block->code)(*thread);
  thread->isDone = true;
  ::swapcontext(&thread->context, &thread->block->scheduler);
}

bool Block::canRun(const Thread &thread) const {
  return !thread.isDone && (!thread.watched || *thread.watched != thread.seen);
}

void Block::wait(Thread &thread, const unsigned &generation) {
  thread.watched = &generation;
  thread.seen = generation;
  ::swapcontext(&thread.context, &scheduler);
  thread.watched = nullptr;
}

std::string Block::run(const Code &toRun, Schedule schedule) {
  code = &toRun;
  for (Thread &thread : threads) {
    thread.stack = std::make_unique_for_overwrite<char[]>(stackBytes);
    ::getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = stackBytes;
    const auto address = reinterpret_cast<uintptr_t>(&thread);
    ::makecontext(&thread.context, reinterpret_cast<void (*)()>(enter), 2,
                  unsigned(address >> 32), unsigned(address));
  }
  for (size_t done = 0, moved = 1; done < threads.size();) {
    if (moved == 0)
      return std::to_string(threads.size() - done) + " of " +
             std::to_string(threads.size()) +
             " threads wait for others that never come";
    moved = 0;
    for (size_t turn = 0; turn < threads.size(); ++turn) {
      Thread &thread =
          threads[schedule == Schedule::Ascending ? turn
                                                  : threads.size() - 1 - turn];
      if (!canRun(thread))
        continue;
      ::swapcontext(&scheduler, &thread.context);
      ++moved;
      done += thread.isDone;
    }
  }
  return "";
}

void Block::barrier(Thread &thread, int which, int count) {
  Meeting &meeting = barriers.at(which);
  if (++meeting.arrived < count)
    return wait(thread, meeting.generation);
  meeting.arrived = 0;
  ++meeting.generation;
}

void Block::together(Thread &thread, Slots slots,
                     const std::function<void(const Lanes &)> &work) {
  Warp &warp = warps[thread.id / warpSize];
  warp.slots[thread.lane()] = slots;
  if (++warp.arrived < warpSize)
    return wait(thread, warp.generation);
  work(warp.slots);
  warp.arrived = 0;
  ++warp.generation;
}

} // namespace tilegpt::emulator
