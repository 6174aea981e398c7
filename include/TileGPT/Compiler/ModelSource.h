// The text of a model: a file, or one of those that are built in.
#ifndef TILEGPT_COMPILER_MODELSOURCE_H
#define TILEGPT_COMPILER_MODELSOURCE_H

#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Error.h"
#include <string>
#include <string_view>

namespace tilegpt::compiler {

struct ModelSource {
  std::string name; ///< the path, for messages and to find its base
  std::string text; ///< checked by checkSource()
};

/// Reads a file, or standard input for "-".
/// \returns BadInput naming the file and the reason.
runtime::Result<ModelSource> readModel(const std::string &path);

/// The built-in model that a config.json of this `model_type` is for.
/// \returns BadInput that lists all types there are.
runtime::Result<ModelSource> builtinModel(std::string_view modelType);

/// A model's declarations about its checkpoints, and its settings. Empty for a
/// model without tables of its own.
/// \returns BadInput for a source that does not parse or has malformed tables.
runtime::Result<runtime::ModelTables> describeModel(const ModelSource &source);

} // namespace tilegpt::compiler

#endif
