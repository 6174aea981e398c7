// A safetensors file: a JSON header, then tensors. Everything but the numbers
// is validated when a file is opened.
#ifndef TILEGPT_RUNTIME_DATA_SAFETENSORS_H
#define TILEGPT_RUNTIME_DATA_SAFETENSORS_H

#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Data/StoredType.h"
#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilegpt::runtime {

/// A tensor as described by the header.
struct StoredTensor {
  std::string name;
  StoredType type = StoredType::U8;
  std::vector<int64_t> shape;  ///< empty for a scalar; at most 8 sizes
  uint64_t begin = 0, end = 0; ///< bytes after the header

  /// "bf16[768,2304]".
  std::string description() const {
    return std::string(runtime::name(type)) + formatShape(shape);
  }
};

/// The validated contents of a header: tensors in the order of their data.
struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;
  std::vector<std::pair<std::string, std::string>> metadata;

  /// \param json       the header's text.
  /// \param dataBytes  size of the data after it.
  /// \returns BadInput, whose message is a predicate without a subject ("has
  /// the tensor 'x' twice"), unless the header is an object of tensors with
  /// known types, whose shapes agree with their offsets and whose offsets cover
  /// the data without overlap or gap.
  static Result<SafetensorsHeader> parse(std::string_view json,
                                         uint64_t dataBytes);
};

/// Move-only; tensors and bytes are valid as long as the file, also after a
/// move.
class Safetensors {
public:
  /// Maps and checks a file.
  /// \param room  starts the messages, before the path: "weights".
  static Result<Safetensors> open(const std::filesystem::path &path,
                                  std::string_view room);

  /// Validates an image that the caller keeps alive.
  /// \param where  starts the messages: "weights: 'model.safetensors'".
  static Result<Safetensors> view(std::span<const std::byte> image,
                                  std::string_view where);

  std::span<const StoredTensor> tensors() const { return header.tensors; }
  std::span<const std::pair<std::string, std::string>> metadata() const {
    return header.metadata;
  }
  const StoredTensor *find(std::string_view name) const;

  /// Row-major, little-endian elements; may be unaligned.
  std::span<const std::byte> bytes(const StoredTensor &tensor) const {
    return data.subspan(tensor.begin, tensor.end - tensor.begin);
  }

  /// \returns BadInput if the file has been truncated since it was opened.
  Result<void> checkIntact() const {
    return file ? file->checkIntact() : Result<void>();
  }

private:
  Safetensors() = default;

  std::optional<MappedFile> file;
  std::span<const std::byte> data;
  SafetensorsHeader header;
  std::unordered_map<std::string_view, size_t> indices;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_SAFETENSORS_H
