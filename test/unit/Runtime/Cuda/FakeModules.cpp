// The fake's modules and launches. Kernels are functions of a host ELF image.
#include "FakeDriver.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilegpt::cuda;
using namespace tilegpt::test;

namespace {

/// The JIT compiler's error log for rejected PTX.
constexpr char compilerLog[] = "ptxas fatal : line 1\nptxas fatal : aborted\n";

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

} // namespace

extern "C" {

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
