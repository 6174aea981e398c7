// Memory for weights that cannot be used in place from a file.
#ifndef TILEGPT_RUNTIME_WEIGHTS_WEIGHTMEMORY_H
#define TILEGPT_RUNTIME_WEIGHTS_WEIGHTMEMORY_H

#include "TileGPT/Runtime/Cpu/Memory.h"
#include <vector>

namespace tilegpt::runtime {

/// Small tensors share large chunks, so that they are backed by huge pages too:
/// a matrix of 1 to 3 MB in small pages is read at 0.6 of the speed
/// (docs/Cpu.md).
class WeightMemory {
public:
  /// \returns `bytes` zeroed bytes, aligned for kernels, valid as long as this
  /// object; Device if memory runs out.
  Result<std::byte *> allocate(size_t bytes);

  /// Of the start of a tensor, in bytes.
  static constexpr size_t alignment = 64;

private:
  std::vector<cpu::Memory> pieces;
  size_t used = 0; ///< of the last piece
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_WEIGHTS_WEIGHTMEMORY_H
