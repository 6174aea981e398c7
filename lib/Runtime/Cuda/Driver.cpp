// Loads the driver library and its functions, then checks its version and
// whether there is a GPU.
#include "TileGPT/Runtime/Cuda/Driver.h"
#include <dlfcn.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

std::string cuda::versionText(int version) {
  return concat(version / 1000, ".", version % 1000 / 10);
}

runtime::Error Driver::error(CUresult status, std::string_view what) const {
  const char *name = nullptr, *text = nullptr;
  getErrorName(status, &name);
  getErrorString(status, &text);
  return {ErrorCode::Device,
          concat("cuda: ", what, ": ", text ? text : "unknown error", " (",
                 name ? name : concat(int(status)), ")")};
}

/// \returns the name of a function missing in the library; null if none is.
static const char *findFunctions(Driver &driver, void *library) {
#define TILEGPT_CUDA_FUNCTION(name, symbol, ...)                               \
  driver.name =                                                                \
      reinterpret_cast<decltype(driver.name)>(::dlsym(library, symbol));       \
  if (!driver.name)                                                            \
    return symbol;
#define TILEGPT_CUDA_OPTIONAL(name, symbol, ...)                               \
  driver.name =                                                                \
      reinterpret_cast<decltype(driver.name)>(::dlsym(library, symbol));
#include "TileGPT/Runtime/Cuda/DriverFunctions.def"
  return nullptr;
}

Result<std::shared_ptr<const Driver>> Driver::load(const std::string &library) {
  void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return makeError(ErrorCode::Device, "cuda: cannot load the driver (",
                     ::dlerror(),
                     "); install the NVIDIA driver or run on the CPU");
  auto driver = std::make_shared<Driver>();
  // An old driver lacks functions too; its version is the better message.
  const char *const missing = findFunctions(*driver, handle);
  const CUresult asked = driver->driverGetVersion
                             ? driver->driverGetVersion(&driver->version)
                             : CUDA_ERROR_NOT_FOUND;
  if (asked == CUDA_SUCCESS && driver->version < minVersion)
    return makeError(ErrorCode::Device, "cuda: expected a driver for CUDA ",
                     versionText(minVersion), " or newer, found one for CUDA ",
                     versionText(driver->version),
                     "; update the NVIDIA driver or run on the CPU");
  if (missing)
    return makeError(ErrorCode::Device, "cuda: '", library,
                     "' is not a supported CUDA driver: it lacks ", missing);
  if (auto done = driver->check(asked, "cannot query the driver's version");
      !done)
    return tl::unexpected(done.error());
  const CUresult started = driver->init(0);
  if (started == CUDA_ERROR_NO_DEVICE)
    return makeError(ErrorCode::Device,
                     "cuda: the driver finds no GPU; run on the CPU");
  if (auto done = driver->check(started, "cannot start the driver"); !done)
    return tl::unexpected(done.error());
  return driver;
}
