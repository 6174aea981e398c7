// NumPy's .npy format: one array in a file. Reads and writes what NumPy accepts
// on a little-endian machine, in C order.
#ifndef TILEGPT_RUNTIME_DATA_NPY_H
#define TILEGPT_RUNTIME_DATA_NPY_H

#include "TileGPT/Runtime/Data/StoredType.h"
#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// An array in memory.
struct NpyArray {
  StoredType type = StoredType::F32;
  std::vector<int64_t> shape;   ///< empty for a scalar
  std::vector<std::byte> bytes; ///< row-major elements
};

/// Reads a file of format version 1, 2 or 3.
/// \returns BadInput unless the file is exactly one little-endian array in C
/// order, of a type that StoredType has. Elements of two opaque bytes are bf16,
/// as the package ml_dtypes saves them.
Result<NpyArray> readNpy(const std::filesystem::path &path);

/// The same for the content of a file.
/// \param where  starts the messages: "npy: 'x.npy'".
Result<NpyArray> parseNpy(std::span<const std::byte> image,
                          std::string_view where);

/// Writes an array; a file of the same name is replaced.
/// \returns Usage if NumPy does not have the type or the bytes do not match the
/// shape, Failure if the file cannot be written; no partial file is left then.
Result<void> writeNpy(const std::filesystem::path &path, StoredType type,
                      std::span<const int64_t> shape,
                      std::span<const std::byte> bytes);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_NPY_H
