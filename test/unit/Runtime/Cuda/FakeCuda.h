// A CUDA driver over the memory of the host, for tests where there is no GPU: a
// library with the driver's symbols that records what it is asked for, fails
// when told to, and runs kernels whose "cubin" is a host ELF image. Work on a
// stream happens as late as the driver's rules allow, so a missing wait shows.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H
#define TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H

#include "TileGPT/Runtime/Cuda/DriverTypes.h"
#include <map>
#include <string>
#include <vector>

namespace tilegpt::test {

struct FakeGpu {
  std::string name = "Fake H200";
  int major = 9, minor = 0;
  int multiprocessors = 4;
  int blocksOfMultiprocessor = 16; ///< of any kernel
  size_t memoryBytes = size_t(1) << 30;
  int sharedBytes = 227 * 1024;
};

struct FakeLaunch {
  std::string symbol;
  unsigned grid[3] = {};
  unsigned threads = 0;
  unsigned sharedBytes = 0;
  unsigned cluster = 1;
  bool overlap = false;
  std::vector<uint64_t> parameters; ///< one behind the other
};

struct FakeTensorMap {
  int type = 0;
  uint32_t rank = 0;
  uint64_t address = 0;
  std::vector<uint64_t> sizes, strides;
  std::vector<uint32_t> box;
  int swizzle = 0, l2Promotion = 0;
};

/// What the fake has and does; tests change it before they open the driver.
struct FakeCuda {
  int version = 12080;
  std::vector<FakeGpu> gpus = {FakeGpu()};
  /// Work on a stream is done at once instead of as late as possible, and
  /// launches are not recorded: nothing is allocated then.
  bool eager = false;
  /// Whoever asks is told that a stream is not done.
  bool stuck = false;
  /// A kernel of this name reads an illegal address.
  std::string faultIn;
  /// Bytes of each parameter of kernels in PTX, and in host images that do not
  /// say it themselves.
  std::map<std::string, std::vector<size_t>> parameters;

  /// Lets call number `call` (from 1) of a function return `status`.
  void failAt(const std::string &function, int call, cuda::CUresult status) {
    failures[function] = {call, status};
  }

  // What has happened.
  std::map<std::string, int, std::less<>> calls; ///< by the name of the symbol
  std::vector<FakeLaunch> launches; ///< put on a stream or in a graph
  std::vector<FakeTensorMap> tensorMaps;
  int graphLaunches = 0;
  int liveObjects = 0; ///< memory, modules, streams, events, graphs, contexts
  size_t usedBytes = 0;

  std::map<std::string, std::pair<int, cuda::CUresult>, std::less<>> failures;
};

/// The state of the fake this process has loaded, as it is when loaded.
FakeCuda &freshFake();
/// The state as it is.
FakeCuda &fake();

/// What Driver::load takes.
inline constexpr const char *fakeLibrary = FAKE_CUDA;

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H
