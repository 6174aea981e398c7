// The fake's implementation of the driver API. Handles are pointers to the
// structs below; device memory is host memory; a stream is a queue that is
// drained when somebody waits for it.
#include "FakeCuda.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace tilegpt::cuda;
using namespace tilegpt::test;

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

namespace {

// Without it no test could run.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
FakeCuda state;
CUctx_st context;
thread_local CUcontext current = nullptr;
std::set<CUstream> streams;
std::map<uintptr_t, size_t> deviceMemory, hostMemory;
CUresult fault = CUDA_SUCCESS; // what every call returns once a kernel failed

/// Converts a driver address to a pointer: device memory is host memory here.
void *pointerAt(uintptr_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's are integers
  return reinterpret_cast<void *>(address);
}

/// The JIT compiler's error log for rejected PTX.
constexpr char compilerLog[] = "ptxas fatal : line 1\nptxas fatal : aborted\n";

constexpr CUresult invalidContext = CUresult(201), captureError = CUresult(900);

/// Counts a call.
/// \returns the status it must fail with, or success.
CUresult enter(const char *function) {
  auto counter = state.calls.find(std::string_view(function));
  if (counter == state.calls.end())
    counter = state.calls.emplace(function, 0).first;
  const int call = ++counter->second;
  const auto failure = state.failures.find(std::string_view(function));
  if (failure != state.failures.end() && failure->second.first == call)
    return failure->second.second;
  return fault;
}

CUresult enterContext(const char *function) {
  const CUresult status = enter(function);
  return status != CUDA_SUCCESS ? status
         : current              ? CUDA_SUCCESS
                                : invalidContext;
}

/// Whether a range of bytes lies within one allocation.
bool contains(const std::map<uintptr_t, size_t> &memory, uintptr_t address,
              size_t bytes) {
  auto after = memory.upper_bound(address);
  if (after == memory.begin())
    return false;
  const auto &[start, size] = *std::prev(after);
  return address - start <= size && bytes <= size - (address - start);
}

uintptr_t addressOf(const void *data) {
  return reinterpret_cast<uintptr_t>(data);
}

/// Executes the work queued on a stream until `isEnough`.
template <typename IsEnough>
void drain(CUstream stream, IsEnough isEnough) {
  while (!stream->queue.empty() && !isEnough()) {
    const Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (!state.stuck) // else it is aborted
      work();
  }
}

void drain(CUstream stream) {
  drain(stream, [] { return false; });
}

void drainAll() {
  for (const CUstream stream : streams)
    drain(stream);
}

template <typename Function>
void enqueue(CUstream stream, Function work) {
  if (stream->recording)
    stream->recording->push_back(std::move(work));
  else if (state.eager)
    work();
  else
    stream->queue.push_back(std::move(work));
}

/// Files behind memory that other processes may map, by start address.
std::map<uintptr_t, int> sharedFiles;
/// Allocations of multiples of this size share no memory with others.
constexpr size_t pieceBytes = size_t(2) << 20;

/// Memory mapped from other processes.
std::map<uintptr_t, size_t> mappedBytes;

void *mapFile(int file, size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

/// Memory that can be shared with other processes.
void *sharedMemory(size_t bytes) {
  const int file = ::memfd_create("fake-memory", MFD_CLOEXEC);
  if (::ftruncate(file, off_t(bytes)) != 0)
    std::abort();
  void *const memory = mapFile(file, bytes);
  std::memset(memory, 0xcd, bytes);
  sharedFiles[addressOf(memory)] = file;
  return memory;
}

void *alignedMemory(size_t bytes) {
  const size_t rounded = (bytes + 255) / 256 * 256;
  void *const memory = std::aligned_alloc(256, rounded);
  // Memory must not be assumed to be zero.
  std::memset(memory, 0xcd, rounded);
  return memory;
}

void *newDeviceMemory(size_t bytes) {
  return bytes % pieceBytes == 0 ? sharedMemory(bytes) : alignedMemory(bytes);
}

/// Runs a kernel over its whole logical grid.
void execute(const CUfunc_st &function, const uint64_t *buffer, size_t count) {
  if (fault != CUDA_SUCCESS)
    return;
  if (function.name == state.faultIn) {
    fault = CUDA_ERROR_ILLEGAL_ADDRESS;
    return;
  }
  if (!function.run)
    return;
  int64_t grid[3];
  std::memcpy(grid, buffer + count - 4, sizeof(grid));
  const int32_t failed =
      function.run(buffer, grid, 0, grid[0] * grid[1] * grid[2]);
  if (failed != 0)
    *static_cast<int32_t *>(pointerAt(buffer[count - 1])) = failed;
}

/// Sizes of the parameters that PTX declares for an entry.
std::vector<size_t> parametersInPtx(const std::string &ptx, const char *name) {
  std::vector<size_t> bytes;
  const size_t begin = ptx.find(std::string(".entry ") + name + "(");
  if (begin == std::string::npos)
    return bytes;
  const size_t end = ptx.find(')', begin);
  for (size_t at = begin; (at = ptx.find(".param", at)) < end; ++at) {
    const std::string one = ptx.substr(at, ptx.find_first_of(",)", at) - at);
    // ".param .u64 name" or ".param .align 64 .b8 name[128]"
    const size_t count = one.find('[');
    bytes.push_back(count == std::string::npos
                        ? sizeof(uint64_t)
                        : std::stoul(one.substr(count + 1)));
  }
  return bytes;
}

FakeLaunch describe(const CUlaunchConfig &config, const CUfunc_st &function) {
  FakeLaunch launch;
  launch.symbol = function.name;
  launch.grid[0] = config.gridDimX;
  launch.grid[1] = config.gridDimY;
  launch.grid[2] = config.gridDimZ;
  launch.threads = config.blockDimX;
  launch.sharedBytes = config.sharedMemBytes;
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      launch.cluster = config.attrs[i].value.clusterDim.x;
    else if (config.attrs[i].id ==
             CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      launch.overlap =
          config.attrs[i].value.programmaticStreamSerializationAllowed;
  return launch;
}

template <typename T>
CUresult destroy(const char *function, T *object) {
  ++state.calls[function];
  --state.liveObjects;
  delete object;
  return CUDA_SUCCESS;
}

} // namespace

extern "C" {

FakeCuda *fakeCudaState() { return &state; }

/// Lets fakes of other libraries enqueue work on a stream.
void fakeCudaEnqueue(CUstream stream, const Work &work) {
  enqueue(stream, work);
}

void fakeCudaReset() {
  state = FakeCuda();
  fault = CUDA_SUCCESS;
}

CUresult cuInit(unsigned) {
  const CUresult status = enter("cuInit");
  if (status != CUDA_SUCCESS)
    return status;
  return state.gpus.empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
  *version = state.version;
  return enter("cuDriverGetVersion");
}

CUresult cuGetErrorName(CUresult status, const char **text) {
  *text = status == CUDA_ERROR_OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : status == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : status == CUDA_ERROR_INVALID_VALUE   ? "CUDA_ERROR_INVALID_VALUE"
          : status == CUDA_ERROR_INVALID_PTX     ? "CUDA_ERROR_INVALID_PTX"
                                                 : "CUDA_ERROR_UNKNOWN";
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult status, const char **text) {
  *text = status == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory"
          : status == CUDA_ERROR_ILLEGAL_ADDRESS
              ? "an illegal memory access was encountered"
          : status == CUDA_ERROR_INVALID_VALUE ? "invalid argument"
          : status == CUDA_ERROR_INVALID_PTX   ? "a PTX JIT compilation failed"
                                               : "unknown error";
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  *count = int(state.gpus.size());
  return enter("cuDeviceGetCount");
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return enter("cuDeviceGet");
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  std::strncpy(name, state.gpus[size_t(device)].name.c_str(), size_t(length));
  return enter("cuDeviceGetName");
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  *bytes = state.gpus[size_t(device)].memoryBytes;
  return enter("cuDeviceTotalMem_v2");
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) {
  const FakeGpu &gpu = state.gpus[size_t(device)];
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *value = gpu.multiprocessors;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = gpu.major;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = gpu.minor;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = gpu.sharedBytes;
    break;
  case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
    *value = 1'980'000;
    break;
  case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
    *value = 3'201'000;
    break;
  case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
    *value = 6144;
    break;
  case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
    *value = int(device) + 1;
    break;
  case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID:
  case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID:
    *value = 0;
    break;
  }
  return enter("cuDeviceGetAttribute");
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *result, CUdevice) {
  const CUresult status = enter("cuDevicePrimaryCtxRetain");
  if (status == CUDA_SUCCESS) {
    *result = &context;
    ++state.liveObjects;
  }
  return status;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  --state.liveObjects;
  return enter("cuDevicePrimaryCtxRelease_v2");
}

CUresult cuCtxSetCurrent(CUcontext newCurrent) {
  current = newCurrent;
  return enter("cuCtxSetCurrent");
}

CUresult cuMemGetInfo_v2(size_t *freeBytes, size_t *totalBytes) {
  *totalBytes = state.gpus.front().memoryBytes;
  *freeBytes = *totalBytes - state.usedBytes;
  return enterContext("cuMemGetInfo_v2");
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  const CUresult status = enterContext("cuMemAlloc_v2");
  if (status != CUDA_SUCCESS)
    return status;
  if (bytes > state.gpus.front().memoryBytes - state.usedBytes)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *address = addressOf(newDeviceMemory(bytes));
  deviceMemory[*address] = bytes;
  state.usedBytes += bytes;
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  const CUresult status = enterContext("cuMemFree_v2");
  drainAll();
  const auto found = deviceMemory.find(address);
  if (found == deviceMemory.end())
    return CUDA_ERROR_INVALID_VALUE;
  const size_t bytes = found->second;
  state.usedBytes -= bytes;
  --state.liveObjects;
  deviceMemory.erase(found);
  if (const auto file = sharedFiles.find(address); file != sharedFiles.end()) {
    ::close(file->second);
    sharedFiles.erase(file);
    ::munmap(pointerAt(address), bytes);
  } else {
    std::free(pointerAt(address));
  }
  return status;
}

CUresult cuMemHostAlloc(void **data, size_t bytes, unsigned) {
  const CUresult status = enterContext("cuMemHostAlloc");
  if (status != CUDA_SUCCESS)
    return status;
  *data = alignedMemory(bytes);
  hostMemory[addressOf(*data)] = bytes;
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *data) {
  const CUresult status = enterContext("cuMemFreeHost");
  drainAll();
  if (hostMemory.erase(addressOf(data)) == 0)
    return CUDA_ERROR_INVALID_VALUE;
  --state.liveObjects;
  std::free(data);
  return status;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                              CUstream stream) {
  const CUresult status = enterContext("cuMemcpyHtoDAsync_v2");
  if (status != CUDA_SUCCESS)
    return status;
  if (!contains(deviceMemory, to, bytes) ||
      !contains(hostMemory, addressOf(from), bytes))
    return CUDA_ERROR_INVALID_VALUE;
  enqueue(stream, [=] { std::memcpy(pointerAt(to), from, bytes); });
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                              CUstream stream) {
  const CUresult status = enterContext("cuMemcpyDtoHAsync_v2");
  if (status != CUDA_SUCCESS)
    return status;
  if (!contains(deviceMemory, from, bytes) ||
      !contains(hostMemory, addressOf(to), bytes))
    return CUDA_ERROR_INVALID_VALUE;
  enqueue(stream, [=] { std::memcpy(to, pointerAt(from), bytes); });
  return CUDA_SUCCESS;
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
  const CUresult status = enterContext("cuMemcpy2DAsync_v2");
  if (status != CUDA_SUCCESS)
    return status;
  const CUDA_MEMCPY2D c = *copy;
  const auto isInside = [&](CUdeviceptr address, size_t pitch) {
    return c.WidthInBytes <= pitch &&
           contains(deviceMemory, address,
                    (c.Height - 1) * pitch + c.WidthInBytes);
  };
  if (c.srcMemoryType != CU_MEMORYTYPE_DEVICE ||
      c.dstMemoryType != CU_MEMORYTYPE_DEVICE || c.Height == 0 ||
      !isInside(c.srcDevice, c.srcPitch) || !isInside(c.dstDevice, c.dstPitch))
    return CUDA_ERROR_INVALID_VALUE;
  enqueue(stream, [c] {
    for (size_t row = 0; row < c.Height; ++row)
      std::memcpy(pointerAt(c.dstDevice + row * c.dstPitch),
                  pointerAt(c.srcDevice + row * c.srcPitch), c.WidthInBytes);
  });
  return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t bytes,
                         CUstream stream) {
  const CUresult status = enterContext("cuMemsetD8Async");
  if (status != CUDA_SUCCESS)
    return status;
  if (!contains(deviceMemory, address, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  enqueue(stream, [=] { std::memset(pointerAt(address), value, bytes); });
  return CUDA_SUCCESS;
}

/// The contents of an IPC handle: the memory's file, and its size.
struct SharedFile {
  pid_t process;
  int file;
  size_t bytes;
};

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
  const CUresult status = enterContext("cuIpcGetMemHandle");
  const auto file = sharedFiles.find(address);
  if (status != CUDA_SUCCESS || file == sharedFiles.end())
    return status != CUDA_SUCCESS ? status : CUDA_ERROR_INVALID_VALUE;
  const SharedFile shared{::getpid(), file->second, deviceMemory[address]};
  std::memcpy(handle->reserved, &shared, sizeof(shared));
  return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle,
                               unsigned) {
  const CUresult status = enterContext("cuIpcOpenMemHandle_v2");
  if (status != CUDA_SUCCESS)
    return status;
  SharedFile shared;
  std::memcpy(&shared, handle.reserved, sizeof(shared));
  const std::string path = "/proc/" + std::to_string(shared.process) + "/fd/" +
                           std::to_string(shared.file);
  const int file = ::open(path.c_str(), O_RDWR);
  if (file < 0 || shared.process == ::getpid())
    return CUDA_ERROR_INVALID_VALUE;
  *address = addressOf(mapFile(file, shared.bytes));
  ::close(file);
  mappedBytes[*address] = shared.bytes;
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  const CUresult status = enterContext("cuIpcCloseMemHandle");
  const auto found = mappedBytes.find(address);
  if (found == mappedBytes.end())
    return CUDA_ERROR_INVALID_VALUE;
  ::munmap(pointerAt(address), found->second);
  mappedBytes.erase(found);
  --state.liveObjects;
  return status;
}

CUresult cuStreamCreate(CUstream *stream, unsigned) {
  const CUresult status = enterContext("cuStreamCreate");
  if (status != CUDA_SUCCESS)
    return status;
  *stream = new CUstream_st();
  streams.insert(*stream);
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  drain(stream);
  streams.erase(stream);
  return destroy("cuStreamDestroy_v2", stream);
}

CUresult cuStreamSynchronize(CUstream stream) {
  const CUresult status = enterContext("cuStreamSynchronize");
  if (status != CUDA_SUCCESS)
    return status;
  if (stream->recording)
    return captureError;
  drain(stream);
  return fault;
}

CUresult cuStreamQuery(CUstream stream) {
  const CUresult status = enterContext("cuStreamQuery");
  if (status != CUDA_SUCCESS)
    return status;
  if (state.stuck)
    return CUDA_ERROR_NOT_READY;
  drain(stream);
  return fault;
}

/// Also checks the driver's rule that streams which join a capture must rejoin
/// its origin stream before it ends.
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  const CUresult status = enterContext("cuStreamWaitEvent");
  if (status != CUDA_SUCCESS || !event->stream)
    return status;
  if (!event->isInRecording) {
    enqueue(stream, [event, time = event->recorded] {
      drain(event->stream, [&] { return event->reached >= time; });
    });
    return CUDA_SUCCESS;
  }
  CUstream other = event->stream;
  if (!other->recording)
    return captureError;
  if (!stream->recording) {
    stream->recording.emplace();
    stream->origin = other;
    stream->moved = 0;
  } else if (other->origin == stream) {
    // Moves the work as late as possible: when it is waited for.
    auto &from = *other->recording;
    const auto end = from.begin() + std::ptrdiff_t(event->mark - other->moved);
    std::move(from.begin(), end, std::back_inserter(*stream->recording));
    from.erase(from.begin(), end);
    other->moved = event->mark;
  }
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
  const CUresult status = enterContext("cuStreamBeginCapture_v2");
  if (status == CUDA_SUCCESS)
    stream->recording.emplace();
  stream->moved = 0;
  return status;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  const CUresult status = enterContext("cuStreamEndCapture");
  if (!stream->recording)
    return captureError;
  std::vector<Work> work = std::move(*stream->recording);
  stream->recording.reset();
  for (const CUstream other : streams)
    if (std::exchange(other->origin, nullptr) == stream) {
      const bool isJoined = other->recording->empty();
      other->recording.reset();
      if (!isJoined)
        return CUresult(904); // unjoined
    }
  if (status != CUDA_SUCCESS)
    return status;
  *graph = new CUgraph_st{std::move(work)};
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long) {
  const CUresult status = enterContext("cuGraphInstantiateWithFlags");
  if (status != CUDA_SUCCESS)
    return status;
  *executable = new CUgraphExec_st{graph->work};
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  const CUresult status = enterContext("cuGraphLaunch");
  if (status != CUDA_SUCCESS)
    return status;
  ++state.graphLaunches;
  for (const Work &work : executable->work)
    if (state.eager)
      work();
    else
      enqueue(stream, work);
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return destroy("cuGraphExecDestroy", executable);
}
CUresult cuGraphDestroy(CUgraph graph) {
  return destroy("cuGraphDestroy", graph);
}

CUresult cuEventCreate(CUevent *event, unsigned) {
  const CUresult status = enterContext("cuEventCreate");
  if (status != CUDA_SUCCESS)
    return status;
  *event = new CUevent_st();
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  if (event->stream)
    drain(event->stream);
  return destroy("cuEventDestroy_v2", event);
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  const CUresult status = enterContext("cuEventRecord");
  if (status != CUDA_SUCCESS)
    return status;
  event->stream = stream;
  event->isInRecording = stream->recording.has_value();
  const int time = ++event->recorded;
  enqueue(stream, [event, time] { event->reached = time; });
  event->mark =
      event->isInRecording ? stream->moved + stream->recording->size() : 0;
  return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event) {
  const CUresult status = enterContext("cuEventSynchronize");
  if (status == CUDA_SUCCESS && !event->hasPassed())
    drain(event->stream);
  return status;
}

CUresult cuEventQuery(CUevent event) {
  const CUresult status = enterContext("cuEventQuery");
  if (status == CUDA_SUCCESS && state.stuck)
    return CUDA_ERROR_NOT_READY;
  if (status == CUDA_SUCCESS && !event->hasPassed())
    drain(event->stream);
  return status;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  *milliseconds = begin == end ? 0 : 0.5f;
  const CUresult status = enterContext("cuEventElapsedTime");
  if (!begin->hasPassed() || !end->hasPassed())
    return CUDA_ERROR_INVALID_VALUE;
  return status;
}

CUresult cuModuleLoadDataEx(CUmodule *result, const void *image,
                            unsigned optionCount, CUjit_option *options,
                            void **values) {
  const CUresult status = enterContext("cuModuleLoadDataEx");
  if (status != CUDA_SUCCESS)
    return status;
  auto module = std::make_unique<CUmod_st>();
  if (std::memcmp(image,
                  "\x7f"
                  "ELF",
                  4) != 0) {
    module->ptx = static_cast<const char *>(image);
    if (module->ptx.find("syntax error") != std::string::npos) {
      for (unsigned i = 0; i < optionCount; ++i)
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
          std::memcpy(values[i], compilerLog, sizeof(compilerLog));
      return CUDA_ERROR_INVALID_PTX;
    }
  } else {
    // The size of the image follows from its header: section headers come last.
    uint64_t headers;
    uint16_t size, count;
    const char *bytes = static_cast<const char *>(image);
    std::memcpy(&headers, bytes + 0x28, sizeof(headers));
    std::memcpy(&size, bytes + 0x3a, sizeof(size));
    std::memcpy(&count, bytes + 0x3c, sizeof(count));
    const size_t total = headers + size_t(size) * count;
    module->file = ::memfd_create("fake-cubin", MFD_CLOEXEC);
    if (::write(module->file, bytes, total) != ssize_t(total))
      return CUDA_ERROR_INVALID_IMAGE;
    const std::string path = "/proc/self/fd/" + std::to_string(module->file);
    module->library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module->library)
      return CUDA_ERROR_INVALID_IMAGE;
  }
  ++state.liveObjects;
  *result = module.release();
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
  drainAll();
  if (module->library)
    ::dlclose(module->library);
  if (module->file >= 0)
    ::close(module->file);
  return destroy("cuModuleUnload", module);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  const CUresult status = enterContext("cuModuleGetFunction");
  if (status != CUDA_SUCCESS)
    return status;
  void *const address =
      module->library ? ::dlsym(module->library, name) : nullptr;
  if (!address && module->ptx.find(name) == std::string::npos)
    return CUDA_ERROR_NOT_FOUND;
  auto &entry = module->functions[name];
  entry = std::make_unique<CUfunc_st>();
  entry->name = name;
  entry->module = module;
  entry->run = reinterpret_cast<decltype(entry->run)>(address);
  entry->parameters = state.parameters[name];
  if (!address && entry->parameters.empty())
    entry->parameters = parametersInPtx(module->ptx, name);
  if (address) {
    // Argument words, then grid and status.
    const void *const words =
        ::dlsym(module->library, (entry->name + "_words").c_str());
    if (!words && entry->parameters.empty())
      return CUDA_ERROR_NOT_FOUND;
    if (words)
      entry->parameters.assign(*static_cast<const uint32_t *>(words) + 4,
                               sizeof(uint64_t));
  }
  *function = entry.get();
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute, CUfunction) {
  *value = 512;
  return enterContext("cuFuncGetAttribute");
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute,
                            int value) {
  function->sharedBytes = value;
  return enterContext("cuFuncSetAttribute");
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction,
                                                     int, size_t) {
  *blocks = state.gpus.front().blocksOfMultiprocessor;
  return enterContext("cuOccupancyMaxActiveBlocksPerMultiprocessor");
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset,
                            size_t *bytes) {
  const CUresult status = enterContext("cuFuncGetParamInfo");
  if (status != CUDA_SUCCESS || state.version < 12040 ||
      index >= function->parameters.size())
    return CUDA_ERROR_INVALID_VALUE;
  const auto here = function->parameters.begin() + std::ptrdiff_t(index);
  *offset = std::accumulate(function->parameters.begin(), here, size_t(0));
  *bytes = *here;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **parameters, void **extra) {
  const CUresult status = enterContext("cuLaunchKernelEx");
  if (status != CUDA_SUCCESS)
    return status;
  if (!parameters || extra || function->parameters.empty())
    return CUDA_ERROR_INVALID_VALUE;
  const FakeLaunch launch = describe(*config, *function);
  // More than 48 KB must have been requested explicitly.
  if (int64_t(launch.sharedBytes) >
          std::max(48 * 1024, function->sharedBytes) ||
      launch.grid[0] == 0 || launch.grid[0] % launch.cluster != 0)
    return CUDA_ERROR_INVALID_VALUE;
  constexpr size_t wordBytes = 8;
  uint64_t buffer[512];
  uint64_t *end = buffer;
  for (size_t i = 0; i < function->parameters.size(); ++i) {
    *end = 0;
    std::memcpy(end, parameters[i], function->parameters[i]);
    end += (function->parameters[i] + wordBytes - 1) / wordBytes;
  }
  if (state.eager && !config->hStream->recording) {
    execute(*function, buffer, size_t(end - buffer));
    return CUDA_SUCCESS;
  }
  std::vector<uint64_t> copy(buffer, end);
  state.launches.push_back(launch);
  state.launches.back().parameters = copy;
  enqueue(config->hStream, [function, copy = std::move(copy)] {
    execute(*function, copy.data(), copy.size());
  });
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, CUtensorMapDataType type, uint32_t rank, void *address,
    const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
    const uint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill) {
  const CUresult status = enterContext("cuTensorMapEncodeTiled");
  FakeTensorMap encoded;
  encoded.type = type;
  encoded.rank = rank;
  encoded.address = addressOf(address);
  encoded.sizes.assign(sizes, sizes + rank);
  encoded.strides.assign(strides, strides + rank - 1);
  encoded.box.assign(box, box + rank);
  encoded.swizzle = swizzle;
  encoded.l2Promotion = l2Promotion;
  state.tensorMaps.push_back(encoded);
  // Stores a recognizable number.
  std::memset(map, 0, sizeof(*map));
  map->opaque[0] = state.tensorMaps.size();
  return status;
}
}
