// Loads code with a memfd and dlopen: no temporary file, no LLVM, and debuggers
// and profilers see an ordinary library.
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace tilegpt;
using namespace tilegpt::cpu;
using runtime::ErrorCode;
using runtime::makeError;

runtime::Result<HostImage> HostImage::load(std::span<const std::byte> image) {
  HostImage result(::memfd_create("tilegpt-kernels", MFD_CLOEXEC), nullptr);
  if (result.file < 0)
    return makeError(ErrorCode::Device,
                     "cpu: cannot create a memory file for the kernels: ",
                     std::strerror(errno));
  while (!image.empty()) {
    const ssize_t written = ::write(result.file, image.data(), image.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return makeError(ErrorCode::Device,
                       "cpu: cannot write the kernels to a memory file: ",
                       std::strerror(errno));
    image = image.subspan(size_t(written));
  }
  // Keep the file open as long as the library: the dynamic linker identifies
  // libraries by path, and this path must not be reused for another image while
  // the first is loaded.
  const std::string path = "/proc/self/fd/" + std::to_string(result.file);
  result.library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!result.library)
    return makeError(ErrorCode::BadInput,
                     "cpu: cannot load the kernels: ", ::dlerror());
  return result;
}

runtime::Result<KernelFunction>
HostImage::find(const std::string &symbol) const {
  void *address = ::dlsym(library, symbol.c_str());
  if (!address)
    return makeError(ErrorCode::BadInput, "cpu: the kernels do not export '",
                     symbol, "'");
  return reinterpret_cast<KernelFunction>(address);
}

HostImage::HostImage(HostImage &&other) noexcept
    : file(std::exchange(other.file, -1)),
      library(std::exchange(other.library, nullptr)) {}

HostImage &HostImage::operator=(HostImage &&other) noexcept {
  std::swap(file, other.file);
  std::swap(library, other.library);
  return *this;
}

HostImage::~HostImage() {
  if (library)
    ::dlclose(library);
  if (file >= 0)
    ::close(file);
}
