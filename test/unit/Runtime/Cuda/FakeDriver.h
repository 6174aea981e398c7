// What the parts of the fake driver share: its handles, which are pointers to
// the structs below, its state, and the queues of its streams, which are
// drained when somebody waits for them.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H
#define TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H

#include "FakeCuda.h"
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>

namespace tilegpt::cuda {

using Work = std::function<void()>;

struct CUctx_st {};
struct CUstream_st {
  std::deque<Work> queue;
  std::optional<std::vector<Work>> recording;
  /// The stream whose capture this one has joined, and how much of this one's
  /// recording has been moved there.
  CUstream origin = nullptr;
  size_t moved = 0;
};
struct CUevent_st {
  CUstream stream = nullptr;
  int recorded = 0, reached = 0; ///< counters; only the last record matters
  /// Position in the recording.
  size_t mark = 0;
  bool isInRecording = false;

  bool hasPassed() const { return reached == recorded; }
};
struct CUgraph_st {
  std::vector<Work> work;
};
struct CUgraphExec_st {
  std::vector<Work> work;
};
struct CUmod_st;
struct CUfunc_st {
  std::string name;
  CUmodule module;
  /// Null in PTX modules, whose kernels do nothing.
  int32_t (*run)(const uint64_t *words, const int64_t grid[3], int64_t begin,
                 int64_t end);
  /// Size of each parameter, in bytes.
  std::vector<size_t> parameters;
  int sharedBytes = 0;
};
struct CUmod_st {
  std::string ptx;
  int file = -1;
  void *library = nullptr;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
};

} // namespace tilegpt::cuda

namespace tilegpt::test {

extern FakeCuda state;
extern std::set<cuda::CUstream> streams;
/// Bytes of each allocation, by start address.
extern std::map<uintptr_t, size_t> deviceMemory;
/// What every call returns once a kernel has failed.
extern cuda::CUresult fault;

/// Counts a call.
/// \returns the status it must fail with, or success.
cuda::CUresult enter(const char *function);
/// The same for functions that need a current context.
cuda::CUresult enterContext(const char *function);

/// Converts a driver address to a pointer: device memory is host memory here.
inline void *pointerAt(uintptr_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's are integers
  return reinterpret_cast<void *>(address);
}

inline uintptr_t addressOf(const void *data) {
  return reinterpret_cast<uintptr_t>(data);
}

/// Executes the work queued on a stream until `isEnough`.
template <typename IsEnough>
void drain(cuda::CUstream stream, IsEnough isEnough) {
  while (!stream->queue.empty() && !isEnough()) {
    const cuda::Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (!state.stuck) // else it is aborted
      work();
  }
}

/// Executes all work queued on a stream.
void drain(cuda::CUstream stream);
/// Executes all work queued on all streams.
void drainAll();

/// Queues or records work, or executes it immediately if the fake is eager.
template <typename Function>
void enqueue(cuda::CUstream stream, Function work) {
  if (stream->recording)
    stream->recording->push_back(std::move(work));
  else if (state.eager)
    work();
  else
    stream->queue.push_back(std::move(work));
}

/// Counts a call and deletes an object.
template <typename T>
cuda::CUresult destroy(const char *function, T *object) {
  ++state.calls[function];
  --state.liveObjects;
  delete object;
  return cuda::CUDA_SUCCESS;
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H
