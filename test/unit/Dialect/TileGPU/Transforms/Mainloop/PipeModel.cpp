// Depth-first search over the states of a pipe.
#include "PipeModel.h"
#include <deque>
#include <set>
#include <sstream>
#include <tuple>

using namespace tilegpt::tilegpu;

namespace {
/// An mbarrier: a phase completes when all arrivals and all bytes are in.
struct Barrier {
  int64_t expected = 1;
  int64_t phase = 0;
  int64_t arrivals = 0;
  int64_t bytes = 0;

  /// A wait for a parity passes unless the phase in progress has it.
  bool passes(int64_t parity) const { return (phase & 1) != parity; }
  void settle() {
    if (arrivals != expected || bytes != 0)
      return;
    ++phase;
    arrivals = 0;
  }
  /// \returns false when a phase gets more arrivals than it takes.
  bool arrive(int64_t count) {
    arrivals += count;
    if (arrivals > expected)
      return false;
    settle();
    return true;
  }
  auto key() const { return std::tuple(phase, arrivals, bytes); }
};

struct Flight {
  int64_t copy, bytes;
  auto operator<=>(const Flight &) const = default;
};

struct State {
  std::vector<Barrier> full, empty, turns;
  std::vector<int64_t> content; ///< copy whose loads have landed; -1: garbage
  std::vector<int64_t> missing; ///< bytes of the copy that have not
  std::multiset<Flight> flights;
  size_t producer = 0;
  std::vector<size_t> consumers;
  std::vector<std::deque<int64_t>> dots; ///< copies read by dots in flight

  std::string key() const {
    std::ostringstream text;
    for (const auto *barriers : {&full, &empty, &turns})
      for (const Barrier &barrier : *barriers)
        text << barrier.phase << ',' << barrier.arrivals << ',' << barrier.bytes
             << ';';
    for (int64_t copy : content)
      text << copy << ' ';
    for (const Flight &flight : flights)
      text << flight.copy << ':' << flight.bytes << ' ';
    text << '|' << producer;
    for (size_t place : consumers)
      text << ' ' << place;
    for (const std::deque<int64_t> &queue : dots) {
      text << '|';
      for (int64_t copy : queue)
        text << copy << ' ';
    }
    return text.str();
  }
};

class Search {
public:
  explicit Search(const PipeSystem &system) : system(system) {}

  std::string run() {
    State start;
    start.full.resize(system.stages);
    start.empty.resize(system.stages);
    for (Barrier &barrier : start.empty)
      barrier.expected = system.emptyArrivals;
    start.turns.resize(system.consumers.size());
    start.content.assign(system.stages, -1);
    start.missing.assign(system.stages, 0);
    start.consumers.assign(system.consumers.size(), 0);
    start.dots.resize(system.consumers.size());
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
  bool isDone(const State &state) const {
    if (state.producer != system.producer.size())
      return false;
    for (size_t group = 0; group < system.consumers.size(); ++group)
      if (state.consumers[group] != system.consumers[group].size())
        return false;
    return true;
  }

  int64_t stageOf(int64_t copy) const { return copy % system.stages; }
  int64_t parityOf(int64_t copy) const { return copy / system.stages & 1; }

  std::vector<State> successors(const State &state) {
    std::vector<State> next;
    for (auto it = state.flights.begin(); it != state.flights.end(); ++it) {
      State after = state;
      after.flights.erase(after.flights.find(*it));
      land(after, *it);
      next.push_back(std::move(after));
    }
    for (size_t group = 0; group < state.dots.size(); ++group)
      if (!state.dots[group].empty()) {
        State after = state;
        after.dots[group].pop_front();
        next.push_back(std::move(after));
      }
    if (state.producer < system.producer.size()) {
      State after = state;
      if (produce(after, system.producer[state.producer])) {
        ++after.producer;
        next.push_back(std::move(after));
      }
    }
    for (size_t group = 0; group < system.consumers.size(); ++group) {
      size_t place = state.consumers[group];
      if (place == system.consumers[group].size())
        continue;
      State after = state;
      if (consume(after, group, system.consumers[group][place])) {
        ++after.consumers[group];
        next.push_back(std::move(after));
      }
    }
    return next;
  }

  void land(State &state, const Flight &flight) {
    int64_t stage = stageOf(flight.copy);
    state.missing[stage] -= flight.bytes;
    if (state.missing[stage] == 0)
      state.content[stage] = flight.copy;
    state.full[stage].bytes -= flight.bytes;
    state.full[stage].settle();
  }

  /// \returns false when the step must wait.
  bool produce(State &state, const PipeStep &step) {
    int64_t stage = stageOf(step.copy);
    if (step.kind == PipeStep::Acquire) {
      if (!state.empty[stage].passes(parityOf(step.copy) ^ 1 ^
                                     system.acquireFlip))
        return false;
      state.full[stage].bytes += step.amount;
      state.missing[stage] = step.amount;
      if (!state.full[stage].arrive(1))
        fault = "a full barrier gets an arrival too many";
      return true;
    }
    for (const std::deque<int64_t> &queue : state.dots)
      for (int64_t copy : queue)
        if (stageOf(copy) == stage)
          fault = "a stage is overwritten while a dot reads it";
    state.content[stage] = -1;
    state.flights.insert({step.copy, step.amount});
    return true;
  }

  bool consume(State &state, size_t group, const PipeStep &step) {
    int64_t stage = stageOf(step.copy);
    std::deque<int64_t> &queue = state.dots[group];
    switch (step.kind) {
    case PipeStep::Await:
      return state.full[stage].passes(parityOf(step.copy) ^ system.awaitFlip);
    case PipeStep::Dot:
      if (state.content[stage] != step.copy)
        fault = "a dot reads a stage that does not hold its copy";
      queue.push_back(step.copy);
      return true;
    case PipeStep::Limit:
      return int64_t(queue.size()) <= step.amount;
    case PipeStep::TakeTurn:
      return !system.hasTurns ||
             state.turns[group].passes(((step.amount >> 1) + group + 1) & 1);
    case PipeStep::PassTurn:
      if (system.hasTurns && !state.turns[group ^ 1].arrive(1))
        fault = "a turn is passed twice";
      return true;
    default:
      if (!state.empty[stage].arrive(step.amount))
        fault = "an empty barrier gets an arrival too many";
      return true;
    }
  }

  const PipeSystem &system;
  std::set<std::string> seen;
  std::string fault;
};
} // namespace

std::string tilegpt::tilegpu::findFault(const PipeSystem &system) {
  return Search(system).run();
}
