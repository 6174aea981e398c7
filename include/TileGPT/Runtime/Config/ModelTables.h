// What a model declares about the files of its checkpoints: how config.json
// maps to settings, and how tensors are named and stored. A bundle includes
// these tables as JSON, for runtimes without the compiler.
#ifndef TILEGPT_RUNTIME_CONFIG_MODELTABLES_H
#define TILEGPT_RUNTIME_CONFIG_MODELTABLES_H

#include "TileGPT/Runtime/Config/Setting.h"
#include "TileGPT/Runtime/Error.h"
#include <array>
#include <numeric>
#include <optional>

namespace tilegpt::runtime {

/// Which keys of a config.json determine a setting.
struct ConfigRule {
  std::string setting;
  /// The first one that is present is used. A dot accesses a member of an
  /// object.
  std::vector<std::string> keys;
  /// The allowed words of a key and their values; if empty, the key's value is
  /// used directly.
  std::vector<std::pair<std::string, SettingScalar>> values;
  /// Settings that must be present too if the key has a certain word.
  std::vector<std::pair<std::string, std::vector<std::string>>> needs;
  /// An integer n means a pattern of n elements: n - 1 times the first value,
  /// then the second.
  std::optional<std::array<SettingScalar, 2>> every;
  /// An integer n means the first value for the first n layers, then the
  /// second.
  std::optional<std::array<SettingScalar, 2>> first;
  /// A list of layers means the first value for these, the second for others.
  std::optional<std::array<SettingScalar, 2>> at;
  /// Whether a list may have any length, rather than one element per layer.
  bool anyLength = false;
  /// The value of a null key; without one, null counts as absent.
  std::optional<SettingScalar> null;
  /// Whether a size is the sum of all keys.
  bool isSum = false;
  /// Whether a size is one less than the least of all keys.
  bool isUnder = false;
  /// What numbers must exceed.
  std::optional<double> above;
};

struct ConfigTable {
  std::vector<std::string> modelTypes;
  std::string section; ///< object that contains the keys, if present
  std::vector<ConfigRule> rules;
  /// The values that a key may have; a key with several has several entries.
  std::vector<std::pair<std::string, SettingScalar>> required;
  /// Defaults of absent keys: sizes, and ids of tokens that are in the
  /// vocabulary.
  std::vector<std::pair<std::string, int64_t>> defaults;
  std::vector<std::string> ignored;
  /// Values of quantization_config.quant_method that files may have.
  std::vector<std::string> quantized;
};

/// Groups of rows stored as [outer][parts][inner] that kernels expect as
/// [parts][outer][inner]; the last `rest` rows of each group stay in place.
struct Interleaving {
  std::string name; ///< without .weight and .bias; {l} matches any layer number
  int64_t outer = 0;
  std::vector<int64_t> parts; ///< their sizes, in runs of `inner` rows
  int64_t inner = 0;
  int64_t groups = 1, rest = 0;

  /// The runs of all parts in one of the outer rows.
  int64_t runs() const {
    return std::accumulate(parts.begin(), parts.end(), int64_t(0));
  }
  int64_t groupRows() const { return outer * runs() * inner + rest; }
  int64_t rows() const { return groups * groupRows(); }
};

/// A tensor whose rows are those of several: in groups, each of which has a
/// piece of every part.
struct SplitTensor {
  std::string name; ///< without .weight and .bias; {l} matches any layer number
  int64_t groups = 1;
  std::vector<std::string> parts; ///< names in the place of its last component
};

/// Names are those of the model's text; {l} matches any layer number.
struct WeightTable {
  std::vector<std::string> strip; ///< optional prefixes of names in files
  std::vector<std::pair<std::string, std::string>> tied; ///< head, token table
  std::vector<std::string> ignored; ///< full names of tensors that are not read
  /// Matrices that a file may store as [in, out].
  std::vector<std::string> transposed;
  std::string witness; ///< one of them, not square: its shape decides for all
  /// Tensors of all experts [E, in, out]: a tensor X is X.weight [E, out, in].
  std::vector<std::string> transposedExperts;
  std::vector<SplitTensor> split;
  std::vector<Interleaving> interleaved;
  /// Tensors of files, without .weight, and the rows at their start that the
  /// model's tables lack.
  std::vector<std::pair<std::string, int64_t>> skipped;
};

struct ModelTables {
  ConfigTable config;
  WeightTable weights;
  /// All settings, including sizes: the model's defaults, which determine the
  /// types, or the values that a bundle is compiled for.
  Settings settings;

  /// Reads {"config": {…}, "weights": {…}, "settings": {…}}; the first two may
  /// be absent.
  /// \param where  prefix of messages: "model: 'llama'".
  /// \returns BadInput for deviations from docs/Models.md.
  static Result<ModelTables> parse(std::string_view json,
                                   std::string_view where);
};

/// Whether `name` matches `pattern`, in which {l} stands for any number, or
/// starts with a pattern that ends with a dot.
bool matches(std::string_view name, std::string_view pattern);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_CONFIG_MODELTABLES_H
