// Memory for weights that are not used where a file has them.
#ifndef TILEGPT_RUNTIME_WEIGHTS_WEIGHTMEMORY_H
#define TILEGPT_RUNTIME_WEIGHTS_WEIGHTMEMORY_H

#include "TileGPT/Runtime/Cpu/Memory.h"
#include <vector>

namespace tilegpt::runtime {

/// Small tensors lie in large pieces together, so that they have huge pages as
/// large ones do: a matrix of 1 to 3 MB in small pages is read at 0.6 of the
/// speed (docs/Cpu.md).
class WeightMemory {
public:
  /// \returns `bytes` zero bytes, aligned for kernels, that live as long as
  /// this; Device if memory runs out.
  Result<std::byte *> allocate(size_t bytes);

  /// Of the start of a tensor, in bytes.
  static constexpr size_t alignment = 64;

private:
  std::vector<cpu::Memory> pieces;
  size_t used = 0; ///< of the last piece
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_WEIGHTS_WEIGHTMEMORY_H
