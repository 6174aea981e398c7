// The CUDA driver, loaded at run time: a table of functions from libcuda.so.1.
// Building needs no CUDA toolkit, and a machine without the driver just has no
// devices.
#ifndef TILEGPT_RUNTIME_CUDA_DRIVER_H
#define TILEGPT_RUNTIME_CUDA_DRIVER_H

#include "TileGPT/Runtime/Cuda/DriverTypes.h"
#include "TileGPT/Runtime/Error.h"
#include <memory>
#include <string>

namespace tilegpt::cuda {

/// Shared by everything that was made with it. Functions are called as the
/// driver documents them; all of ours go through check().
struct Driver {
  /// The library an installed driver provides.
  static constexpr const char *defaultLibrary = "libcuda.so.1";
  /// The first driver with cluster launches and TMA: 12.0.
  static constexpr int minVersion = 12000;

  /// Loads and initializes a driver. The library stays loaded until the process
  /// ends, as the driver expects.
  /// \param library a name the dynamic linker searches for, or a path.
  /// \returns Device, naming what is missing: the library, a function, a newer
  /// driver, or a GPU.
  static runtime::Result<std::shared_ptr<const Driver>>
  load(const std::string &library = defaultLibrary);

  /// \param what what failed, as the rest of a sentence: "cannot create …".
  /// \returns an error of kind Device: "cuda: WHAT: text of the driver (NAME)".
  runtime::Error error(CUresult status, std::string_view what) const;

  /// \param what parts of the message, which is only built for an error: a step
  /// allocates no unused messages.
  /// \returns the error() of a failed status.
  template <typename... Parts>
  runtime::Result<void> check(CUresult status, const Parts &...what) const {
    if (status == CUDA_SUCCESS)
      return {};
    return tl::unexpected(error(status, runtime::concat(what...)));
  }

  int version = 0; ///< 1000·major + 10·minor of the CUDA it implements

#define TILEGPT_CUDA_FUNCTION(name, symbol, ...)                               \
  CUresult (*name)(__VA_ARGS__) = nullptr;
#include "TileGPT/Runtime/Cuda/DriverFunctions.def"
};

/// "12.4" of 12040.
std::string versionText(int version);

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_DRIVER_H
