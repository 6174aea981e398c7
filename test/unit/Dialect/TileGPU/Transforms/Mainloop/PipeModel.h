// A model of what mbarriers, the copy engine and the tensor cores do with a
// pipe: it tries every order of events and finds the ones that go wrong.
#ifndef TILEGPT_TEST_UNIT_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_PIPEMODEL_H
#define TILEGPT_TEST_UNIT_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_PIPEMODEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilegpt::tilegpu {

/// One step of a role. `copy` counts the copies to the ring from 0 on.
struct PipeStep {
  enum Kind {
    Acquire,  ///< wait for the empty barrier, announce `amount` bytes
    Load,     ///< start a copy of `amount` bytes
    Await,    ///< wait for the full barrier
    Dot,      ///< start a dot that reads the stage
    Limit,    ///< wait until at most `amount` dots are in flight
    Release,  ///< `amount` warps arrive at the empty barrier
    TakeTurn, ///< wait for the turn of tile number `amount`
    PassTurn, ///< arrive at the other team's barrier
  };
  Kind kind;
  int64_t copy = 0;
  int64_t amount = 0;
  /// Of a Load and a Release: whether it goes to all blocks of the cluster.
  bool isEverywhere = false;
};

using PipeTrace = std::vector<PipeStep>;

struct PipeSystem {
  int64_t stages = 1;
  /// Arrivals that complete a phase of an empty barrier.
  int64_t emptyArrivals = 1;
  /// Blocks of a cluster, all of which do the same.
  int64_t blocks = 1;
  /// Whether no block ends before all others have come to their end.
  bool meetsAtEnd = false;
  PipeTrace producer;
  /// One trace a warp group; with turns, one a team.
  std::vector<PipeTrace> consumers;
  /// Parities to wait for, as the thread code computes them, xored with these:
  /// 0 but in tests of the model.
  int64_t acquireFlip = 0, awaitFlip = 0;
  /// Whether turns are heeded.
  bool hasTurns = true;
};

/// Runs every interleaving of the roles' steps, of copies that land and of dots
/// that end.
/// \returns what goes wrong in one of them; empty when nothing does.
std::string findFault(const PipeSystem &system);

} // namespace tilegpt::tilegpu

#endif
