// Programs of kernels that take pointers and scalars, compiled for the CPU or a
// GPU and launched with addresses.
#ifndef TILEGPT_COMPILER_CUDATILEMODULE_H
#define TILEGPT_COMPILER_CUDATILEMODULE_H

#include "TileGPT/Runtime/Error.h"
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::compiler {

struct CudaTileOptions {
  /// "cpu", or a GPU: "sm_90a".
  std::string target = "cpu";
  /// Of compiled code, as CompileOptions::cacheFolder.
  std::string cacheFolder;
  int device = 0;       ///< number of the GPU that launches go to
  unsigned threads = 0; ///< of a launch on the CPU; 0: every CPU
  /// Whether launches on a GPU may compile specialized kernels for properties
  /// of their arguments: pointers and integers that are multiples of 16 bytes,
  /// and strides of 1.
  bool specialize = true;
  std::string driver = "libcuda.so.1"; ///< the library of the driver
};

struct CudaTileArgument {
  enum class Kind { Pointer, Integer, Float };

  Kind kind = Kind::Pointer;
  unsigned bytes = 8;     ///< of the parameter
  std::string type;       ///< "f32"; the pointee type of a pointer
  bool isWritten = false; ///< a pointer through which the kernel writes
};

/// A kernel whose grid is given by the launch.
class CudaTileEntry {
public:
  virtual ~CudaTileEntry() = default;

  const std::string &name() const { return entryName; }
  std::span<const CudaTileArgument> arguments() const { return declared; }

  /// Enqueues a launch on a stream of the GPU's primary context; runs it on the
  /// CPU.
  /// \param params addresses of the arguments, in their natural size.
  /// \returns Failure for a failed assertion on the CPU or a grid that no
  /// device can launch, Device for an error of the driver.
  virtual runtime::Result<void> launch(const std::array<int64_t, 3> &grid,
                                       void *const *params,
                                       void *stream) const = 0;

  /// Waits for a stream.
  /// \returns Failure naming an assertion that has failed in a launch since the
  /// last call.
  virtual runtime::Result<void> wait(void *stream) const = 0;

protected:
  CudaTileEntry(std::string name, std::vector<CudaTileArgument> arguments)
      : entryName(std::move(name)), declared(std::move(arguments)) {}

  /// The error of an assertion, whose messages are numbered from 1.
  tl::unexpected<runtime::Error>
  assertFailed(int32_t number, std::span<const std::string> messages) const;

private:
  std::string entryName;
  std::vector<CudaTileArgument> declared;
};

class CudaTileModule {
public:
  /// Compiles every kernel with `grid launch` of a program; a GPU need not be
  /// there until the first launch.
  /// \param source text or bytecode.
  /// \returns BadInput for what cannot be read or has no such kernel, Usage for
  /// an unknown target, Failure for what does not compile.
  static runtime::Result<CudaTileModule>
  compile(std::span<const std::byte> source, const CudaTileOptions &options);

  /// The entry of this name, or null.
  const CudaTileEntry *find(std::string_view name) const;
  std::span<const std::unique_ptr<CudaTileEntry>> entries() const {
    return all;
  }

private:
  std::vector<std::unique_ptr<CudaTileEntry>> all;
};

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_CUDATILEMODULE_H
