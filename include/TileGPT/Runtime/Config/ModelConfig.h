// Reads the settings of a config.json with the tables of a model.
#ifndef TILEGPT_RUNTIME_CONFIG_MODELCONFIG_H
#define TILEGPT_RUNTIME_CONFIG_MODELCONFIG_H

#include "TileGPT/Runtime/Config/ModelTables.h"
#include <filesystem>
#include <optional>
#include <span>

namespace tilegpt::runtime {

struct ModelConfig {
  /// The settings in the file; others have the model's defaults.
  Settings settings;
  /// The sizes in the file, by key.
  std::vector<std::pair<std::string, int64_t>> sizes;
  /// V; vocab_size.
  int64_t vocabulary = 0;
  /// Whether the head shares the token table; unset if that depends on the
  /// weights.
  std::optional<bool> tied;
  /// The token that starts a text, and tokens that end one.
  std::optional<int32_t> bosToken;
  std::vector<int32_t> eosTokens;

  /// Reads a config.json.
  /// \param ignored  keys that are accepted with any value.
  /// \returns BadInput for a size that is missing, not a positive integer or
  /// implausibly large, for a width that is not a multiple of the number of
  /// heads, for a value that the tables do not allow, and for unknown keys.
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

/// The model_type of a config.json, which selects a model.
/// \returns BadInput for a file that is no JSON object or has none.
Result<std::string> readModelType(const std::filesystem::path &path);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_CONFIG_MODELCONFIG_H
