// NCCL between processes of one host, for tests where there is no GPU: a
// library with its symbols whose ranks hand each other files.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKENCCL_H
#define TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKENCCL_H

#include "TileGPT/Runtime/Cuda/Nccl.h"
#include <string>

namespace tilegpt::test {

/// What the fake does; tests change it before they load the library.
struct FakeNccl {
  int version = 22803;
  /// What the function of this name returns.
  std::string failing;
  /// What commGetAsyncError tells.
  cuda::ncclResult_t asyncError = cuda::ncclSuccess;

  int liveComms = 0, aborted = 0;
};

/// The state of the fake as it is when loaded.
FakeNccl &freshNccl();

/// What makeNcclCollectives takes.
inline constexpr const char *fakeNcclLibrary = FAKE_NCCL;

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKENCCL_H
