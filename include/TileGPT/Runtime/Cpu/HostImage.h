// The compiled host kernels of a bundle, loaded into this process without LLVM:
// an ELF shared object, opened by the dynamic linker.
#ifndef TILEGPT_RUNTIME_CPU_HOSTIMAGE_H
#define TILEGPT_RUNTIME_CPU_HOSTIMAGE_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <string>

namespace tilegpt::cpu {

/// Runs blocks [begin, end) of a grid, x = grid[0] fastest. `words` holds the
/// arguments one after the other: a view as pointer, sizes and strides
/// (elements), a scalar as one word.
/// \returns 0, or 1 + the number of the assert that failed.
using KernelFunction = int32_t (*)(const uint64_t *words, const int64_t grid[3],
                                   int64_t begin, int64_t end);

/// Checks that code for `target` can run here.
/// \returns Device naming the architecture or the missing CPU features.
runtime::Result<void> checkTarget(const bundle::Bundle &bundle);

class HostImage {
public:
  /// Loads an image; functions are valid as long as the HostImage.
  /// \returns BadInput if the dynamic linker rejects it, Device if no memory
  /// file can be created.
  static runtime::Result<HostImage> load(std::span<const std::byte> image);

  HostImage(HostImage &&other) noexcept;
  HostImage &operator=(HostImage &&other) noexcept;
  ~HostImage();

  /// \returns BadInput if the image does not export `symbol`.
  runtime::Result<KernelFunction> find(const std::string &symbol) const;

private:
  HostImage(int file, void *library) : file(file), library(library) {}

  int file = -1;
  void *library = nullptr;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_RUNTIME_CPU_HOSTIMAGE_H
