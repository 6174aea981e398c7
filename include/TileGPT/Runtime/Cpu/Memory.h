// Zeroed, aligned memory whose pages are allocated on first access: the arena,
// the KV cache, inputs and outputs.
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

/// The pages that back the memory.
enum class Pages {
  Huge, ///< if available: for memory that is used entirely
  Small ///< for memory that is used sparsely
};

class Memory {
public:
  Memory() = default;

  /// \param what for the error message, e.g. "the KV cache".
  /// \returns `bytes` zeroed bytes, aligned to a page; Device if the system has
  /// not enough memory.
  static runtime::Result<Memory> allocate(size_t bytes, std::string_view what,
                                          Pages pages = Pages::Huge);

  std::byte *data() const { return mapping.get(); }
  size_t size() const { return mapping.get_deleter().bytes; }

private:
  std::unique_ptr<std::byte, Unmapper> mapping;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_RUNTIME_CPU_MEMORY_H
