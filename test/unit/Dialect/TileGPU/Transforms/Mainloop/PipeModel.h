// A model of what mbarriers, the copy engine and the tensor cores do with a
// pipe: explores every order of events and finds the faulty ones.
#ifndef TILEGPT_TEST_UNIT_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_PIPEMODEL_H
#define TILEGPT_TEST_UNIT_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_PIPEMODEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilegpt::tilegpu {

/// One step of a role. `copy` numbers the copies into the ring from 0.
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
  /// For Load and Release: whether it goes to all blocks of the cluster.
  bool isEverywhere = false;
};

using PipeTrace = std::vector<PipeStep>;

struct PipeSystem {
  int64_t stages = 1;
  /// Arrivals that complete a phase of an empty barrier.
  int64_t emptyArrivals = 1;
  /// Blocks of the cluster; all run the same steps.
  int64_t blocks = 1;
  /// Whether blocks wait for each other before they exit.
  bool meetsAtEnd = false;
  PipeTrace producer;
  /// One trace per warp group; with turns, one per team.
  std::vector<PipeTrace> consumers;
  /// Parities to wait for are those of the thread code xored with these;
  /// nonzero only in tests of the model itself.
  int64_t acquireFlip = 0, awaitFlip = 0;
  /// Whether turns are respected.
  bool hasTurns = true;
};

/// Explores every interleaving of the roles' steps, of copies that land and of
/// dots that complete.
/// \returns a fault found in one of them, or an empty string.
std::string findFault(const PipeSystem &system);

} // namespace tilegpt::tilegpu

#endif
