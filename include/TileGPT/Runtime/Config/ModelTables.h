// A model's declarations about the files of its checkpoints: how config.json
// maps to settings, and how tensors are named and stored. A bundle includes
// them as JSON, for runtimes without the compiler.
#ifndef TILEGPT_RUNTIME_CONFIG_MODELTABLES_H
#define TILEGPT_RUNTIME_CONFIG_MODELTABLES_H

#include "TileGPT/Runtime/Config/Setting.h"
#include "TileGPT/Runtime/Error.h"
#include <array>
#include <optional>

namespace tilegpt::runtime {

/// Which keys of a config.json give one setting.
struct ConfigRule {
  std::string setting;
  /// The first one there counts. A dot leads into an object.
  std::vector<std::string> keys;
  /// The allowed words of a key and their values; if empty, the key's value is
  /// used directly.
  std::vector<std::pair<std::string, SettingScalar>> values;
  /// Settings that must be there too where the key holds a word.
  std::vector<std::pair<std::string, std::vector<std::string>>> needs;
  /// An integer n means n - 1 times the first, then once the second.
  std::optional<std::array<SettingScalar, 2>> every;
  /// An integer n means n times the first, then the second for other layers.
  std::optional<std::array<SettingScalar, 2>> first;
  /// A list is not over the layers and as long as the file has it.
  bool anyLength = false;
  /// The value of a null key; without one, null counts as absent.
  std::optional<SettingScalar> null;
};

struct ConfigTable {
  std::vector<std::string> modelTypes;
  std::string section; ///< object that holds the keys if it is there
  std::vector<ConfigRule> rules;
  /// The only values a key may have; one with several is there several times.
  std::vector<std::pair<std::string, SettingScalar>> required;
  /// What holds where a key is absent: sizes, and ids of tokens, if the
  /// vocabulary has them.
  std::vector<std::pair<std::string, int64_t>> defaults;
  std::vector<std::string> ignored;
};

/// Rows stored as [outer][parts][inner] that kernels want as [parts][outer]
/// [inner].
struct Interleaving {
  std::string name; ///< without .weight and .bias; {l} is any layer's number
  int64_t outer = 0, parts = 0, inner = 0;
};

/// Names are those of the model's text; {l} in one is any layer's number.
struct WeightTable {
  std::vector<std::string> strip; ///< prefixes the names in a file may have
  std::vector<std::pair<std::string, std::string>> tied; ///< head, its table
  std::vector<std::string> ignored; ///< whole names of tensors not to be read
  /// Matrices that a file may hold as [in, out].
  std::vector<std::string> transposed;
  std::string witness; ///< one of them, never square, that decides for all
  std::vector<Interleaving> interleaved;
};

struct ModelTables {
  ConfigTable config;
  WeightTable weights;
  /// All settings, sizes included: the model's defaults, which determine the
  /// types, or the values that a bundle is compiled for.
  Settings settings;

  /// Reads {"config": {…}, "weights": {…}, "settings": {…}}; the first two may
  /// be absent.
  /// \param where  prefix of messages: "model: 'llama'".
  /// \returns BadInput for deviations from docs/Models.md.
  static Result<ModelTables> parse(std::string_view json,
                                   std::string_view where);
};

/// Whether `name` is `pattern`, {l} in it being any number, or begins with a
/// pattern that ends with a dot.
bool matches(std::string_view name, std::string_view pattern);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_CONFIG_MODELTABLES_H
