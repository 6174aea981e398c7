// Depth-first search over the states of a pipe.
#include "PipeModel.h"
#include "llvm/ADT/STLExtras.h"
#include <compare>
#include <unordered_set>

using namespace tilegpt::tilegpu;

namespace {
/// An mbarrier: a phase completes when all arrivals and all bytes are in.
struct Barrier {
  int64_t expected = 1;
  int64_t phase = 0;
  int64_t arrivals = 0;
  int64_t bytes = 0;

  /// Waiting for a parity passes unless the current phase has it.
  bool passes(int64_t parity) const { return (phase & 1) != parity; }
  void settle() {
    if (arrivals != expected || bytes != 0)
      return;
    ++phase;
    arrivals = 0;
  }
  /// \returns false if a phase gets more arrivals than it expects.
  bool arrive(int64_t count) {
    arrivals += count;
    if (arrivals > expected)
      return false;
    settle();
    return true;
  }
};

/// The numbers that tell states apart, each in as few bytes as it takes.
struct StateKey {
  std::string bytes;

  void add(int64_t number) {
    uint64_t rest = (uint64_t(number) << 1) ^ uint64_t(number >> 63);
    for (; rest > 127; rest >>= 7)
      bytes.push_back(char(rest | 128));
    bytes.push_back(char(rest));
  }
};

/// Bytes of a copy in flight to a block.
struct Flight {
  int64_t block, copy, bytes;
  auto operator<=>(const Flight &) const = default;
};

struct Block {
  std::vector<Barrier> full, empty, turns;
  std::vector<int64_t> content; ///< copy that has landed; -1: garbage
  /// Bytes of the copy that are missing; negative if other blocks have sent
  /// theirs before this block announces them.
  std::vector<int64_t> missing;
  size_t producer = 0;
  std::vector<size_t> consumers;
  std::vector<std::vector<int64_t>> dots; ///< copies that dots in flight read

  void describe(StateKey &key) const {
    for (const auto *barriers : {&full, &empty, &turns})
      for (const Barrier &barrier : *barriers) {
        key.add(barrier.phase);
        key.add(barrier.arrivals);
        key.add(barrier.bytes);
      }
    for (int64_t copy : content)
      key.add(copy);
    key.add(int64_t(producer));
    for (size_t place : consumers)
      key.add(int64_t(place));
    for (const std::vector<int64_t> &queue : dots) {
      key.add(int64_t(queue.size()));
      for (int64_t copy : queue)
        key.add(copy);
    }
  }
};

struct State {
  std::vector<Block> blocks;
  std::vector<Flight> flights; ///< sorted

  std::string key() const {
    StateKey key;
    for (const Block &block : blocks)
      block.describe(key);
    for (const Flight &flight : flights) {
      key.add(flight.block);
      key.add(flight.copy);
      key.add(flight.bytes);
    }
    return std::move(key.bytes);
  }
};

class Search {
public:
  explicit Search(const PipeSystem &system) : system(system) {}

  std::string run() {
    Block block;
    block.full.resize(system.stages);
    block.empty.resize(system.stages);
    for (Barrier &barrier : block.empty)
      barrier.expected = system.emptyArrivals;
    block.turns.resize(system.consumers.size());
    block.content.assign(system.stages, -1);
    block.missing.assign(system.stages, 0);
    block.consumers.assign(system.consumers.size(), 0);
    block.dots.resize(system.consumers.size());
    State start;
    start.blocks.assign(system.blocks, block);
    std::vector<State> open = {start};
    seen.insert(start.key());
    while (!open.empty() && fault.empty()) {
      State state = std::move(open.back());
      open.pop_back();
      std::vector<State> next = successors(state);
      if (!fault.empty())
        break;
      if (next.empty() && !isDone(state)) {
        fault = "deadlock";
        break;
      }
      for (State &successor : next)
        if (seen.insert(successor.key()).second)
          open.push_back(std::move(successor));
    }
    return fault;
  }

private:
  bool isDone(const Block &block) const {
    if (block.producer != system.producer.size())
      return false;
    for (size_t group = 0; group < system.consumers.size(); ++group)
      if (block.consumers[group] != system.consumers[group].size())
        return false;
    return true;
  }
  bool isDone(const State &state) const {
    for (const Block &block : state.blocks)
      if (!isDone(block))
        return false;
    return true;
  }

  int64_t stageOf(int64_t copy) const { return copy % system.stages; }
  int64_t parityOf(int64_t copy) const { return copy / system.stages & 1; }

  std::vector<State> successors(const State &state) {
    std::vector<State> next;
    for (auto [number, flight] : llvm::enumerate(state.flights)) {
      State after = state;
      after.flights.erase(after.flights.begin() + number);
      land(after.blocks[flight.block], flight);
      next.push_back(std::move(after));
    }
    for (size_t number = 0; number < state.blocks.size(); ++number)
      addSteps(state, number, next);
    return next;
  }

  /// The possible next steps of a block.
  void addSteps(const State &state, size_t number, std::vector<State> &next) {
    const Block &block = state.blocks[number];
    for (size_t group = 0; group < block.dots.size(); ++group)
      if (!block.dots[group].empty()) {
        State after = state;
        auto &queue = after.blocks[number].dots[group];
        queue.erase(queue.begin());
        next.push_back(std::move(after));
      }
    if (block.producer < system.producer.size()) {
      State after = state;
      if (produce(after, number, system.producer[block.producer])) {
        ++after.blocks[number].producer;
        next.push_back(std::move(after));
      }
    }
    for (size_t group = 0; group < system.consumers.size(); ++group) {
      size_t place = block.consumers[group];
      if (place == system.consumers[group].size())
        continue;
      State after = state;
      if (consume(after, number, group, system.consumers[group][place])) {
        ++after.blocks[number].consumers[group];
        next.push_back(std::move(after));
      }
    }
  }

  void land(Block &block, const Flight &flight) {
    int64_t stage = stageOf(flight.copy);
    block.missing[stage] -= flight.bytes;
    if (block.missing[stage] == 0)
      block.content[stage] = flight.copy;
    block.full[stage].bytes -= flight.bytes;
    block.full[stage].settle();
  }

  /// The blocks affected by a step of a block.
  std::vector<size_t> reach(const State &state, size_t number,
                            const PipeStep &step) {
    std::vector<size_t> reached;
    for (size_t other = 0; other < state.blocks.size(); ++other)
      if (other == number || step.isEverywhere)
        reached.push_back(other);
    for (size_t other : reached)
      if (other != number && !system.meetsAtEnd && isDone(state.blocks[other]))
        fault = "a block ends while another one still uses its memory";
    return reached;
  }

  /// \returns false if the step has to wait.
  bool produce(State &state, size_t number, const PipeStep &step) {
    int64_t stage = stageOf(step.copy);
    if (step.kind == PipeStep::Acquire) {
      Block &block = state.blocks[number];
      if (!block.empty[stage].passes(parityOf(step.copy) ^ 1 ^
                                     system.acquireFlip))
        return false;
      block.full[stage].bytes += step.amount;
      block.missing[stage] += step.amount;
      if (!block.full[stage].arrive(1))
        fault = "a full barrier gets an arrival too many";
      return true;
    }
    for (size_t other : reach(state, number, step)) {
      for (const std::vector<int64_t> &queue : state.blocks[other].dots)
        for (int64_t copy : queue)
          if (stageOf(copy) == stage)
            fault = "a stage is overwritten while a dot reads it";
      state.blocks[other].content[stage] = -1;
      const Flight flight = {int64_t(other), step.copy, step.amount};
      state.flights.insert(llvm::upper_bound(state.flights, flight), flight);
    }
    return true;
  }

  bool consume(State &state, size_t number, size_t group,
               const PipeStep &step) {
    Block &block = state.blocks[number];
    int64_t stage = stageOf(step.copy);
    std::vector<int64_t> &queue = block.dots[group];
    switch (step.kind) {
    case PipeStep::Await:
      return block.full[stage].passes(parityOf(step.copy) ^ system.awaitFlip);
    case PipeStep::Dot:
      if (block.content[stage] != step.copy)
        fault = "a dot reads a stage that does not hold its copy";
      queue.push_back(step.copy);
      return true;
    case PipeStep::Limit:
      return int64_t(queue.size()) <= step.amount;
    case PipeStep::TakeTurn:
      return !system.hasTurns ||
             block.turns[group].passes(((step.amount >> 1) + group + 1) & 1);
    case PipeStep::PassTurn:
      if (system.hasTurns && !block.turns[group ^ 1].arrive(1))
        fault = "a turn is passed twice";
      return true;
    default:
      for (size_t other : reach(state, number, step))
        if (!state.blocks[other].empty[stage].arrive(step.amount))
          fault = "an empty barrier gets an arrival too many";
      return true;
    }
  }

  const PipeSystem &system;
  std::unordered_set<std::string> seen;
  std::string fault;
};
} // namespace

std::string tilegpt::tilegpu::findFault(const PipeSystem &system) {
  return Search(system).run();
}
