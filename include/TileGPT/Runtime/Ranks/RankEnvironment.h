// The contract of launchers: which rank a process is, and where rank 0 waits
// for the others.
#ifndef TILEGPT_RUNTIME_RANKS_RANKENVIRONMENT_H
#define TILEGPT_RUNTIME_RANKS_RANKENVIRONMENT_H

#include "TileGPT/Bundle/WeightShard.h"
#include "TileGPT/Runtime/Error.h"
#include <functional>
#include <optional>
#include <string>

namespace tilegpt::runtime {

struct RankEnvironment {
  bundle::Rank rank;
  int64_t localRank = 0;             ///< among those of this host: its GPU
  std::string address = "127.0.0.1"; ///< of rank 0
  uint16_t port = 29500;

  /// The value of an environment variable; null when it is not set.
  using GetVariable = std::function<const char *(const char *name)>;

  /// Reads RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT, as
  /// torchrun sets them, or what Open MPI and MPICH set for the first three.
  /// Where torchrun's agent itself listens at MASTER_PORT, rank 0 takes the
  /// port behind it.
  /// \returns nothing if no launcher has started this process; Usage naming the
  /// variable that makes no sense.
  static Result<std::optional<RankEnvironment>> read(const GetVariable &get);
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_RANKS_RANKENVIRONMENT_H
