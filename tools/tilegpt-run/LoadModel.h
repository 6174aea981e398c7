// Gets the bundle to run: compiles a `.mlir` file or opens a `.tgb` file.
#ifndef TILEGPT_TOOLS_RUN_LOADMODEL_H
#define TILEGPT_TOOLS_RUN_LOADMODEL_H

#include "Flags/Options.h"
#include "Terminal/Console.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Weights/ModelConfig.h"
#include <optional>
#include <span>

namespace tilegpt::run {

/// What a model is loaded for.
struct LoadRequest {
  /// Of the checkpoint, whose sizes a model in `.mlir` takes on.
  const std::optional<runtime::ModelConfig> &config;
  /// The device it will run on, if that is a GPU; else null.
  const cuda::DeviceInfo *gpu = nullptr;
  /// Tokens of the prompt it will run on; empty when it is measured, or only
  /// compiled.
  std::span<const int32_t> prompt;
};

/// \returns the bundle; Usage if a flag asks a compiled model for something it
/// was not compiled for; errors of the compiler and of Bundle::open.
runtime::Result<bundle::Bundle> loadModel(const Options &options,
                                          const LoadRequest &request,
                                          Progress &progress);

/// Compiles a `.mlir` file to the bytes of a bundle: all plans for --save, else
/// those that the run needs. A runtime-only build has no compiler and says so.
runtime::Result<std::vector<std::byte>>
compileSource(const Options &options, const LoadRequest &request,
              Progress &progress);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_LOADMODEL_H
