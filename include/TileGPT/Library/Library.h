// The files that come with TileGPT, inside the binary: the kernel library, the
// models, and records of tuning. Plain text, no MLIR.
#ifndef TILEGPT_LIBRARY_LIBRARY_H
#define TILEGPT_LIBRARY_LIBRARY_H

#include <span>
#include <string_view>
#include <vector>

namespace tilegpt::library {

/// A file as it was when the binary was built.
struct File {
  std::string_view name; ///< without folder and extension: "linear"
  std::string_view text; ///< the whole file, followed by a zero byte
};

/// `kernels/*.mlir`, by name.
std::span<const File> kernels();

/// `models/*.mlir`, by name.
std::span<const File> models();

/// `tuning/*.json`, by name: records of tuning, a file for each device they
/// were measured on.
std::span<const File> tuning();

/// The values of config.json's model_type that a model's text supports, from
/// the line `model_type = ["llama"],` of its table; none for a preset.
std::vector<std::string_view> modelTypes(const File &model);

/// The file called `name`, or null.
const File *find(std::span<const File> files, std::string_view name);

} // namespace tilegpt::library

#endif
