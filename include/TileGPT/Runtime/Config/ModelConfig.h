// Reads the settings in a config.json by the tables of a model.
#ifndef TILEGPT_RUNTIME_CONFIG_MODELCONFIG_H
#define TILEGPT_RUNTIME_CONFIG_MODELCONFIG_H

#include "TileGPT/Runtime/Config/ModelTables.h"
#include <filesystem>
#include <optional>
#include <span>

namespace tilegpt::runtime {

struct ModelConfig {
  /// The settings in the file; others keep the model's defaults.
  Settings settings;
  /// The sizes it sets, by their keys.
  std::vector<std::pair<std::string, int64_t>> sizes;
  /// V; vocab_size.
  int64_t vocabulary = 0;
  /// Whether the head is the table of the tokens; unset where the file leaves
  /// it to the weights.
  std::optional<bool> tied;
  /// Token a text begins with, tokens that end one.
  std::optional<int32_t> bosToken;
  std::vector<int32_t> eosTokens;

  /// Reads a config.json.
  /// \param ignored  keys that are let pass whatever they say.
  /// \returns BadInput for a size that is missing, no positive integer or
  /// implausibly large, for heads that do not divide the width, for a value
  /// that the tables refuse, and for keys they do not know.
  static Result<ModelConfig> read(const std::filesystem::path &path,
                                  const ModelTables &tables,
                                  std::span<const std::string> ignored = {});

  /// The same for the content of a file.
  /// \param where  starts the messages: "config: 'config.json'".
  static Result<ModelConfig> parse(std::string_view text,
                                   std::string_view where,
                                   const ModelTables &tables,
                                   std::span<const std::string> ignored = {});
};

/// The end-of-text tokens of a generation_config.json, which is more complete
/// than config.json for chat models; empty without the file. Ids outside the
/// vocabulary are ignored.
/// \returns BadInput for an eos_token_id that is neither an integer nor a list
/// of integers.
Result<std::vector<int32_t>>
readEndTokens(const std::filesystem::path &generationConfig,
              int64_t vocabulary);

/// The model_type of a config.json, for choosing a model.
/// \returns BadInput for a file that is no object of JSON or has none.
Result<std::string> readModelType(const std::filesystem::path &path);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_CONFIG_MODELCONFIG_H
