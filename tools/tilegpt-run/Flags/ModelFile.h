// The file of the model to run.
#ifndef TILEGPT_TOOLS_RUN_FLAGS_MODELFILE_H
#define TILEGPT_TOOLS_RUN_FLAGS_MODELFILE_H

#include "TileGPT/Runtime/Error.h"
#include <filesystem>

namespace tilegpt::run {

/// That the file exists, if one is given that is not standard input.
/// \returns BadInput with the name that was probably meant, or the models that
/// its folder has.
runtime::Result<void> checkModelFile(const std::filesystem::path &model);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_FLAGS_MODELFILE_H
