// A fake CUDA driver on host memory, for machines without a GPU: a library with
// the driver's symbols that records calls, fails on request, and runs kernels
// whose "cubin" is a host ELF image. Work on a stream runs as late as the
// driver's rules allow, so that missing waits show up.
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

/// The properties and records of the fake; set them before opening the driver.
struct FakeCuda {
  int version = 12080;
  std::vector<FakeGpu> gpus = {FakeGpu()};
  /// Executes work immediately instead of as late as possible, and does not
  /// record launches: nothing is allocated then.
  bool eager = false;
  /// Streams always report unfinished work.
  bool stuck = false;
  /// The kernel with this name faults with an illegal address.
  std::string faultIn;
  /// Parameter sizes of kernels in PTX, and in host images that do not declare
  /// them.
  std::map<std::string, std::vector<size_t>> parameters;

  /// Makes call number `call` (from 1) of a function return `status`.
  void failAt(const std::string &function, int call, cuda::CUresult status) {
    failures[function] = {call, status};
  }

  // Records.
  std::map<std::string, int, std::less<>> calls; ///< by symbol name
  std::vector<FakeLaunch> launches;              ///< enqueued or captured
  std::vector<FakeTensorMap> tensorMaps;
  int graphLaunches = 0;
  int liveObjects = 0; ///< memory, modules, streams, events, graphs, contexts
  size_t usedBytes = 0;

  std::map<std::string, std::pair<int, cuda::CUresult>, std::less<>> failures;
};

/// Resets the loaded fake to its initial state and returns it.
FakeCuda &freshFake();
/// The current state.
FakeCuda &fake();

/// The path to pass to Driver::load.
inline constexpr const char *fakeLibrary = FAKE_CUDA;

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H
