// Gets the bundle to run: compiles a `.mlir` file or opens a `.tgb` file.
#ifndef TILEGPT_TOOLS_RUN_LOADMODEL_H
#define TILEGPT_TOOLS_RUN_LOADMODEL_H

#include "Flags/Options.h"
#include "Terminal/Console.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Weights/ModelConfig.h"
#include <optional>

namespace tilegpt::run {

/// \param config of the checkpoint, whose sizes a model in `.mlir` takes on.
/// \param gpu    the device it will run on, if that is a GPU.
/// \returns the bundle; Usage if a flag asks a compiled model for something it
/// was not compiled for; errors of the compiler and of Bundle::open.
runtime::Result<bundle::Bundle>
loadModel(const Options &options,
          const std::optional<runtime::ModelConfig> &config,
          const cuda::DeviceInfo *gpu, Progress &progress);

/// Compiles a `.mlir` file to the bytes of a bundle. A runtime-only build has
/// no compiler and says so.
runtime::Result<std::vector<std::byte>>
compileSource(const Options &options,
              const std::optional<runtime::ModelConfig> &config,
              const cuda::DeviceInfo *gpu, Progress &progress);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_LOADMODEL_H
