// Bytecode of CUDA Tile IR, taken apart without a look at its meaning.
#ifndef TILEGPT_TEST_FUZZ_CUDATILEFILE_H
#define TILEGPT_TEST_FUZZ_CUDATILEFILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::fuzz {

/// A section as a list of items; what precedes the list is kept as it is.
struct CudaTileSection {
  enum class Form {
    Raw,       ///< a single item
    Table,     ///< a count, offsets of `width` bytes, the items
    Functions, ///< a count; the head and the body of each function in turn
  };

  uint8_t id;
  uint64_t alignment; ///< 1: none in the file
  Form form = Form::Raw;
  unsigned width = 0;
  std::string before;
  std::vector<std::string> items;
};

/// A file whose lengths, counts and offsets are those of its parts.
struct CudaTileFile {
  /// Nothing if the sections of `bytes` do not add up. Every section has items;
  /// one that cannot be divided is raw.
  static std::optional<CudaTileFile> split(std::string_view bytes);
  std::string join() const;

  std::string header; ///< magic, version, tag
  std::vector<CudaTileSection> sections;
};

} // namespace tilegpt::fuzz

#endif // TILEGPT_TEST_FUZZ_CUDATILEFILE_H
