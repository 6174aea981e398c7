// A fake NCCL between processes of one host, for machines without a GPU: ranks
// exchange data through files.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKENCCL_H
#define TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKENCCL_H

#include "TileGPT/Runtime/Cuda/Nccl.h"
#include <string>

namespace tilegpt::test {

/// The behaviour of the fake; set it before loading the library.
struct FakeNccl {
  int version = 22803;
  /// The function that fails.
  std::string failing;
  /// The result of commGetAsyncError.
  cuda::ncclResult_t asyncError = cuda::ncclSuccess;

  int liveComms = 0, aborted = 0;
};

/// Resets the fake to its initial state and returns it.
FakeNccl &freshNccl();

/// The path to pass to makeNcclCollectives.
inline constexpr const char *fakeNcclLibrary = FAKE_NCCL;

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKENCCL_H
