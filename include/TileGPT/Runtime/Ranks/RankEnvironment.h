// The environment variables of launchers: the rank of a process, and the
// address of rank 0.
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
  int64_t localRank = 0;             ///< on this host; selects its GPU
  std::string address = "127.0.0.1"; ///< of rank 0
  uint16_t port = 29500;

  /// The value of an environment variable; null when it is not set.
  using GetVariable = std::function<const char *(const char *name)>;

  /// Reads RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT, as set by
  /// torchrun, or Open MPI's and MPICH's equivalents of the first three. If
  /// torchrun's agent itself listens at MASTER_PORT, rank 0 uses the next port.
  /// \returns nullopt if no launcher has started this process; Usage naming an
  /// invalid variable.
  static Result<std::optional<RankEnvironment>> read(const GetVariable &get);
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_RANKS_RANKENVIRONMENT_H
