// The fake's state, and its part of the driver API on devices and contexts.
#include "FakeDriver.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt::cuda;
using namespace tilegpt::test;

// Without it no test could run.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
FakeCuda tilegpt::test::state;
std::set<CUstream> tilegpt::test::streams;
std::map<uintptr_t, size_t> tilegpt::test::deviceMemory;
CUresult tilegpt::test::fault = CUDA_SUCCESS;

static CUctx_st context;
static thread_local CUcontext current = nullptr;

CUresult tilegpt::test::enter(const char *function) {
  auto counter = state.calls.find(std::string_view(function));
  if (counter == state.calls.end())
    counter = state.calls.emplace(function, 0).first;
  const int call = ++counter->second;
  const auto failure = state.failures.find(std::string_view(function));
  if (failure != state.failures.end() && failure->second.first == call)
    return failure->second.second;
  return fault;
}

CUresult tilegpt::test::enterContext(const char *function) {
  const CUresult status = enter(function);
  constexpr CUresult invalidContext = CUresult(201);
  return status != CUDA_SUCCESS ? status
         : current              ? CUDA_SUCCESS
                                : invalidContext;
}

void tilegpt::test::drain(CUstream stream) {
  drain(stream, [] { return false; });
}

void tilegpt::test::drainAll() {
  for (const CUstream stream : streams)
    drain(stream);
}

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
}
