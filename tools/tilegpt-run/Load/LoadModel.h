// Obtains the bundle to run: opens a `.tgb` file, or compiles a model text.
#ifndef TILEGPT_TOOLS_RUN_LOAD_LOADMODEL_H
#define TILEGPT_TOOLS_RUN_LOAD_LOADMODEL_H

#include "Flags/Options.h"
#include "Measure/ProfileFacts.h"
#include "Terminal/Console.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Compiler/ModelSource.h"
#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Tuning/Candidates.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include <optional>
#include <span>

namespace tilegpt::run {

/// A model's source or a compiled model, with its declarations about
/// checkpoints.
struct OpenedModel {
  std::optional<bundle::Bundle> compiled;
  compiler::ModelSource source; ///< unless it is compiled
  runtime::ModelTables tables;
};

/// Opens the file given by the options, or selects the built-in model for the
/// checkpoint's config.json.
/// \returns Usage if a flag conflicts with how a compiled model was compiled;
/// errors of the compiler and of Bundle::open.
runtime::Result<OpenedModel> openModel(const Options &options);

/// The purpose of loading a model.
struct LoadRequest {
  /// Settings of the checkpoint, which a text takes on and which a compiled
  /// model must have.
  const runtime::Settings &settings;
  /// The device it will run on, if that is a GPU; else null.
  const cuda::DeviceInfo *gpu = nullptr;
  /// The checkpoint, if there is one; else null.
  runtime::WeightStore *store = nullptr;
  /// Tokens of the prompt it will run on; empty when it is measured, or only
  /// compiled.
  std::span<const int32_t> prompt;
  /// Receives facts about the kernels if they are profiled; otherwise null.
  ProfileFacts *facts = nullptr;
  /// Receives what tuning may change if the model is tuned; otherwise null.
  std::function<void(const runtime::TunableModel &)> tunable = nullptr;
  /// Receives performance and capacity warnings; null prints them.
  std::function<void(std::string_view)> warn = nullptr;
  /// Whether the tuning records that ship with TileGPT are applied.
  bool shippedRecords = true;
};

/// The bundle, compiled if necessary and saved if requested.
/// \returns BadInput naming a setting that differs in a compiled model.
runtime::Result<bundle::Bundle> loadModel(const Options &options,
                                          OpenedModel model,
                                          const LoadRequest &request,
                                          Progress &progress);

/// The source to compile, and its tables. A runtime-only build reports that it
/// has no compiler.
runtime::Result<OpenedModel> openSource(const Options &options);

/// A line for each model_type of config.json that has a built-in model: the
/// type and its text. A runtime-only build reports that it has none.
runtime::Result<std::string> listModels();

/// Compiles a text to the bytes of a bundle: all plans for --save, else those
/// that the run needs.
runtime::Result<std::vector<std::byte>>
compileSource(const Options &options, const compiler::ModelSource &source,
              const LoadRequest &request, Progress &progress);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_LOAD_LOADMODEL_H
