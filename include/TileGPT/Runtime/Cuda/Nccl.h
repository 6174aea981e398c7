// NCCL, found when the program runs: a table of functions from libnccl.so.2 and
// the part of its binary interface we use, declared by ourselves. Types and
// constants keep the names its documentation gives them.
#ifndef TILEGPT_RUNTIME_CUDA_NCCL_H
#define TILEGPT_RUNTIME_CUDA_NCCL_H

#include "TileGPT/Runtime/Cuda/DriverTypes.h"
#include "TileGPT/Runtime/Error.h"
#include <memory>
#include <string>

namespace tilegpt::cuda {

using ncclComm_t = struct ncclComm *;

/// Only values with special handling; the library has texts for all.
enum ncclResult_t : int { ncclSuccess = 0, ncclInProgress = 7 };

enum ncclDataType_t : int {
  ncclUint8 = 1,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclBfloat16 = 9,
};

enum ncclRedOp_t : int { ncclSum = 0 };

/// What brings the ranks of a communicator together.
struct ncclUniqueId {
  char internal[128];
};

/// Functions are called as the library documents them; all of ours go through
/// check().
struct Nccl {
  /// The first version that puts bf16 sums into graphs: 2.10.
  static constexpr int minVersion = 21000;

  /// Loads the library, which stays loaded until the process ends.
  /// \param library a name the dynamic linker searches for, or a path.
  /// \returns Device, naming what is missing: the library, a function, or a
  /// newer version.
  static runtime::Result<std::shared_ptr<const Nccl>>
  load(const std::string &library);

  /// \param comm  null where there is none yet.
  /// \param what  what failed, as the rest of a sentence: "cannot …".
  /// \returns the error of a status that is none: "nccl: WHAT: text".
  runtime::Result<void> check(ncclResult_t status, ncclComm_t comm,
                              std::string_view what) const;

  int version = 0; ///< 10000·major + 100·minor + patch

  ncclResult_t (*getVersion)(int *version) = nullptr;
  ncclResult_t (*getUniqueId)(ncclUniqueId *id) = nullptr;
  ncclResult_t (*commInitRank)(ncclComm_t *comm, int ranks, ncclUniqueId id,
                               int rank) = nullptr;
  ncclResult_t (*commDestroy)(ncclComm_t comm) = nullptr;
  ncclResult_t (*commAbort)(ncclComm_t comm) = nullptr;
  ncclResult_t (*commGetAsyncError)(ncclComm_t comm,
                                    ncclResult_t *status) = nullptr;
  ncclResult_t (*allReduce)(const void *in, void *out, size_t count,
                            ncclDataType_t type, ncclRedOp_t op,
                            ncclComm_t comm, CUstream stream) = nullptr;
  ncclResult_t (*allGather)(const void *in, void *out, size_t count,
                            ncclDataType_t type, ncclComm_t comm,
                            CUstream stream) = nullptr;
  const char *(*getErrorString)(ncclResult_t status) = nullptr;
  const char *(*getLastError)(ncclComm_t comm) = nullptr; ///< null before 2.13
};

/// "2.28.3" of 22803.
std::string ncclVersionText(int version);

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_NCCL_H
