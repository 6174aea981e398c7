// The text of a model: a file, or one of those that are built in.
#ifndef TILEGPT_COMPILER_MODELSOURCE_H
#define TILEGPT_COMPILER_MODELSOURCE_H

#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Error.h"
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::compiler {

struct ModelSource {
  std::string name; ///< the path, for messages and to find its base
  std::string text; ///< checked by checkSource()
};

/// Reads a file, or standard input for "-".
/// \returns BadInput naming the file and the reason.
runtime::Result<ModelSource> readModel(const std::string &path);

/// The built-in models that a config.json of this `model_type` may be for: at
/// least one. The values that their tables require tell them apart.
/// \returns BadInput that lists all types there are.
runtime::Result<std::vector<ModelSource>>
builtinModels(std::string_view modelType);

/// A model's declarations about its checkpoints, and its settings. Empty for a
/// model without tables of its own.
/// \returns BadInput for a source that does not parse or has malformed tables.
runtime::Result<runtime::ModelTables> describeModel(const ModelSource &source);

} // namespace tilegpt::compiler

#endif
