// Zeroed, aligned memory that costs nothing until it is touched: the arena, the
// KV cache, inputs and outputs.
#ifndef TILEGPT_RUNTIME_CPU_MEMORY_H
#define TILEGPT_RUNTIME_CPU_MEMORY_H

#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <memory>
#include <string_view>

namespace tilegpt::cpu {

struct Unmapper {
  size_t bytes = 0;
  void operator()(std::byte *data) const;
};

/// What backs memory that is touched.
enum class Pages {
  Huge, ///< if available: for memory that is used as a whole
  Small ///< for memory that is used sparsely
};

class Memory {
public:
  Memory() = default;

  /// \param what for the error message, e.g. "the KV cache".
  /// \returns `bytes` zero bytes, aligned to a page; Device if the system has
  /// not enough.
  static runtime::Result<Memory> allocate(size_t bytes, std::string_view what,
                                          Pages pages = Pages::Huge);

  std::byte *data() const { return mapping.get(); }
  size_t size() const { return mapping.get_deleter().bytes; }

private:
  std::unique_ptr<std::byte, Unmapper> mapping;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_RUNTIME_CPU_MEMORY_H
