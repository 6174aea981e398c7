// The fake's memory, which is host memory, and its copies.
#include "FakeDriver.h"
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilegpt::cuda;
using namespace tilegpt::test;

namespace {

std::map<uintptr_t, size_t> hostMemory;

/// Whether a range of bytes lies within one allocation.
bool contains(const std::map<uintptr_t, size_t> &memory, uintptr_t address,
              size_t bytes) {
  auto after = memory.upper_bound(address);
  if (after == memory.begin())
    return false;
  const auto &[start, size] = *std::prev(after);
  return address - start <= size && bytes <= size - (address - start);
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

} // namespace

extern "C" {

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
}
