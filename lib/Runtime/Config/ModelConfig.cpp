// Reads the settings of a config.json according to the tables of a model. A key
// that affects what the model computes is handled or rejected, never ignored.
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "CommonKeys.h"
#include "ConfigKeys.h"
#include "ReadSetting.h"
#include "TextSection.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TokenIds.h"
#include <algorithm>

using namespace tilegpt::runtime;

namespace {

/// Limits far above any model of this kind and far below an overflow of tensor
/// sizes.
struct SizeRange {
  std::string_view setting;
  int64_t high;
  bool isRequired;
};
constexpr int64_t maxWidth = int64_t(1) << 17;
constexpr SizeRange sizeRanges[] = {{"layers", 4096, true},
                                    {"heads", maxWidth, true},
                                    {"width", maxWidth, true},
                                    {"context", int64_t(1) << 24, true},
                                    {"vocab", int64_t(1) << 24, true},
                                    {"inner", int64_t(1) << 20, false},
                                    {"kv_heads", maxWidth, false},
                                    {"head_dim", maxWidth, false}};

/// Functions return false once `problem` is set.
class ConfigReader {
public:
  ConfigReader(JsonValue file, const ModelTables &tables,
               std::span<const std::string> ignored, ModelConfig &config)
      : tables(tables), table(tables.config), ignored(ignored), file(file),
        object(sectionOf(file)), keys(object), config(config) {}

  std::string problem;

  bool read() {
    return modelType() && required() && sizes() && settings() && shapes() &&
           unknownKeys() && tokens();
  }

private:
  /// A setting and the key it was read from.
  struct Origin {
    std::string_view setting, key;
    int64_t value;
  };

  template <typename... Parts>
  bool fail(const Parts &...parts) {
    problem = concat(parts...);
    return false;
  }

  JsonValue sectionOf(JsonValue file) const {
    if (table.section.empty())
      return findTextSection(file).value_or(file);
    const auto section = file.find(table.section);
    return section && section->is(JsonKind::Object) ? *section : file;
  }

  bool modelType() {
    auto type = keys.find("model_type");
    if (!type)
      type = file.find("model_type");
    if (!type || isAbsent(*type) || table.modelTypes.empty())
      return true;
    if (type->is(JsonKind::String) &&
        std::ranges::find(table.modelTypes, type->string()) !=
            table.modelTypes.end())
      return true;
    return fail("expected 'model_type' to be ", choice(table.modelTypes),
                ", got ", show(*type));
  }

  static bool isEqual(JsonValue value, const SettingScalar &expected) {
    if (const auto *flag = std::get_if<bool>(&expected))
      return value.is(JsonKind::Boolean) && value.boolean() == *flag;
    if (const auto *word = std::get_if<std::string>(&expected))
      return value.is(JsonKind::String) && value.string() == *word;
    if (!value.is(JsonKind::Integer) && !value.is(JsonKind::Number))
      return false;
    const auto *integer = std::get_if<int64_t>(&expected);
    return value.number() ==
           (integer ? double(*integer) : std::get<double>(expected));
  }

  bool required() {
    for (const auto &[key, first] : table.required) {
      const auto value = keys.findScalar(key);
      if (!value)
        continue;
      std::string known;
      bool isKnown = false;
      for (const auto &[name, expected] : table.required)
        if (name == key) {
          known += (known.empty() ? "" : " or ") + show(expected);
          isKnown |= isEqual(*value, expected);
        }
      if (!isKnown)
        return fail("sets '", key, "' to ", show(*value),
                    ", which is not supported; the model computes with ",
                    known);
    }
    for (const std::string_view key : falseKeys)
      if (const auto value = keys.findScalar(key);
          value && !isEqual(*value, false))
        return fail("sets '", key, "' to ", show(*value),
                    ", which is not supported; expected false");
    return true;
  }

  const ConfigRule *ruleOf(std::string_view setting) const {
    const auto rule =
        std::ranges::find(table.rules, setting, &ConfigRule::setting);
    return rule == table.rules.end() ? nullptr : &*rule;
  }

  bool sizes() {
    for (const auto &[name, high, isRequired] : sizeRanges) {
      const ConfigRule *rule = ruleOf(name);
      if (!rule)
        continue;
      const SettingValue *like = tilegpt::runtime::find(tables.settings, name);
      if (like->isList ||
          !std::holds_alternative<int64_t>(like->elements.front()))
        return fail("is read by a model whose setting '", name,
                    "' is no integer");
      if (rule->isSum) {
        if (!sum(*rule, name, high))
          return false;
        continue;
      }
      if (rule->isUnder) {
        if (!under(*rule, name, high))
          return false;
        continue;
      }
      std::optional<JsonValue> value;
      for (const std::string &key : rule->keys) {
        value = keys.findScalar(key);
        if (!value)
          continue;
        origins.push_back({name, key, 0});
        break;
      }
      if (!value) {
        const std::optional<int64_t> usual = defaultOf(rule->keys);
        if (!usual && isRequired)
          return fail("has no ", choice(rule->keys));
        if (usual)
          addSize(name, *usual);
        else if (name == "head_dim")
          addHeadSize();
        continue;
      }
      if (!value->is(JsonKind::Integer) || value->integer() < 1 ||
          value->integer() > high)
        return fail("expected '", origins.back().key,
                    "' to be an integer from 1 to ", high, ", got ",
                    show(*value));
      origins.back().value = value->integer();
      config.sizes.emplace_back(origins.back().key, value->integer());
      addSize(name, value->integer());
    }
    return true;
  }

  /// The features of a head if the file does not say: the width divided by
  /// the number of heads, which shapes() checks.
  void addHeadSize() {
    const Origin *heads = originOf("heads"), *width = originOf("width");
    if (heads && width && width->value % heads->value == 0)
      addSize("head_dim", width->value / heads->value);
  }

  /// A size that is the sum of several keys, all of which must be present.
  bool sum(const ConfigRule &rule, std::string_view setting, int64_t high) {
    int64_t total = 0;
    for (const std::string &key : rule.keys) {
      const auto value = keys.findScalar(key);
      if (!value)
        return fail("has no '", key, "'");
      if (!value->is(JsonKind::Integer) || value->integer() < 1 ||
          value->integer() > high)
        return fail("expected '", key, "' to be an integer from 1 to ", high,
                    ", got ", show(*value));
      config.sizes.emplace_back(key, value->integer());
      total += value->integer();
    }
    origins.push_back({setting, rule.keys.front(), total});
    addSize(setting, total);
    return true;
  }

  /// A size that is one less than the least of several keys, or their defaults.
  bool under(const ConfigRule &rule, std::string_view setting, int64_t high) {
    int64_t least = high + 1;
    for (const std::string &key : rule.keys) {
      const auto value = keys.findScalar(key);
      if (value && (!value->is(JsonKind::Integer) || value->integer() < 2))
        return fail("expected '", key, "' to be an integer above 1, got ",
                    show(*value));
      if (const auto given =
              value ? std::optional(value->integer()) : defaultOf({&key, 1}))
        least = std::min(least, *given);
    }
    addSize(setting, least - 1);
    return true;
  }

  void addSize(std::string_view setting, int64_t size) {
    config.settings.emplace_back(setting, SettingValue(SettingScalar(size)));
    if (setting == "vocab")
      config.vocabulary = size;
  }

  /// The default that the table specifies if none of these keys is present.
  std::optional<int64_t> defaultOf(std::span<const std::string> names) const {
    for (const auto &[name, usual] : table.defaults)
      if (std::ranges::find(names, name) != names.end())
        return usual;
    return std::nullopt;
  }

  const Origin *originOf(std::string_view setting) const {
    const auto found = std::ranges::find(origins, setting, &Origin::setting);
    return found == origins.end() ? nullptr : &*found;
  }

  bool divides(const Origin *part, const Origin *whole) {
    return !part || !whole || whole->value % part->value == 0 ||
           fail("expected '", whole->key, "' (", whole->value,
                ") to be a multiple of '", part->key, "' (", part->value, ")");
  }

  bool shapes() {
    const Origin *heads = originOf("heads");
    return (originOf("head_dim") || divides(heads, originOf("width"))) &&
           divides(originOf("kv_heads"), heads);
  }

  bool settings() {
    for (const ConfigRule &rule : table.rules) {
      // Of a multimodal model the checkpoint decides: versions disagree about
      // which section says so.
      if (rule.setting == "tied" && findTextSection(file) &&
          table.section.empty())
        continue;
      if (std::ranges::find(sizeRanges, rule.setting, &SizeRange::setting) !=
          std::end(sizeRanges))
        continue;
      if (const auto usual = defaultOf(rule.keys);
          usual && rule.first &&
          std::ranges::none_of(rule.keys, [&](const std::string &key) {
            return keys.find(key).has_value();
          }))
        config.settings.emplace_back(rule.setting,
                                     firstLayers(rule, *usual, layers()));
      for (const std::string &key : rule.keys) {
        const bool isList =
            tilegpt::runtime::find(tables.settings, rule.setting)->isList;
        if (const auto value = isList ? keys.find(key) : keys.findScalar(key)) {
          if (!setting(rule, key, *value))
            return false;
          break;
        }
        if (const auto value = keys.findAny(key);
            rule.null && value && value->is(JsonKind::Null)) {
          config.settings.emplace_back(rule.setting, SettingValue(*rule.null));
          break;
        }
      }
    }
    return true;
  }

  bool setting(const ConfigRule &rule, const std::string &key,
               JsonValue value) {
    const SettingValue &like =
        *tilegpt::runtime::find(tables.settings, rule.setting);
    auto read = readSetting({rule, key, like, layers()}, value);
    if (!read)
      return fail(read.error());
    if (!hasNeeds(rule, key, value))
      return false;
    if (!like.isList) {
      const SettingScalar &scalar = read->elements.front();
      if (rule.setting == "eps" && !checkEpsilon(key, value, scalar))
        return false;
      if (const auto *number = std::get_if<double>(&scalar);
          number && rule.above && !(*number > *rule.above))
        return fail("expected '", key, "' to be a number above ", *rule.above,
                    ", got ", show(value));
      if (const auto *flag = std::get_if<bool>(&scalar);
          flag && rule.setting == "tied")
        config.tied = *flag;
    }
    config.settings.emplace_back(rule.setting, std::move(*read));
    return true;
  }

  int64_t layers() const {
    return originOf("layers") ? originOf("layers")->value : 0;
  }

  /// Checks that the settings that a word needs are there too.
  bool hasNeeds(const ConfigRule &rule, const std::string &key,
                JsonValue value) {
    if (value.is(JsonKind::Array)) {
      for (const JsonValue element : value)
        if (!hasNeeds(rule, key, element))
          return false;
      return true;
    }
    for (const auto &[word, settings] : rule.needs) {
      if (!value.is(JsonKind::String) || value.string() != word)
        continue;
      for (const std::string &setting : settings)
        if (const ConfigRule *needed = ruleOf(setting);
            needed &&
            std::ranges::none_of(needed->keys, [&](const std::string &path) {
              return keys.find(path).has_value();
            }))
          return fail("sets '", key, "' to '", word, "', but has no ",
                      choice(needed->keys));
    }
    return true;
  }

  bool checkEpsilon(const std::string &key, JsonValue value,
                    const SettingScalar &epsilon) {
    const double number = std::get<double>(epsilon);
    return (number > 0 && number < 1) ||
           fail("expected '", key, "' to be a number between 0 and 1, got ",
                show(value));
  }

  // ---- unused keys

  bool unknownKeys() {
    constexpr std::string_view quantization = "quantization_config";
    std::vector<std::string> known(ignored.begin(), ignored.end());
    if (const auto how = keys.find(quantization);
        how && std::ranges::find(ignored, quantization) == ignored.end()) {
      const auto method =
          how->is(JsonKind::Object) ? how->find("quant_method") : std::nullopt;
      // Weights of 8 bits with scales, which the tensors say.
      constexpr std::string_view eightBits[] = {
          "compressed-tensors", "fbgemm_fp8", "fp8", "modelopt"};
      const auto isOf = [&](const auto &methods) {
        return std::ranges::find(methods, method->string()) !=
               std::end(methods);
      };
      if (method && method->is(JsonKind::String) &&
          (isOf(table.quantized) || isOf(eightBits)))
        known.emplace_back(quantization);
      else
        return fail("says that the weights are quantized",
                    method ? concat(" (", show(*method), ")") : std::string(),
                    ", which is not supported; expected those of the model in "
                    "f32, bf16, f16 or f8");
    }
    const std::string unknown = keys.unknownTo(table, known);
    return unknown.empty() ||
           fail("sets ", unknown,
                ", which the model does not know; pass --ignore-config KEY for "
                "a key that does not change what is computed");
  }

  // ---- tokens

  bool tokens() {
    std::vector<int32_t> begin;
    if (!token("bos_token_id", begin) ||
        !token("eos_token_id", config.eosTokens))
      return false;
    if (!begin.empty())
      config.bosToken = begin.front();
    return true;
  }

  bool token(std::string_view key, std::vector<int32_t> &ids) {
    auto value = object.find(key);
    if (!value)
      value = file.find(key);
    if (!value) {
      for (const auto &[name, id] : table.defaults)
        if (name == key && id < config.vocabulary)
          ids.push_back(int32_t(id));
      return true;
    }
    if (isAbsent(*value))
      return true;
    const auto wrong = addTokenIds(*value, config.vocabulary, ids);
    return !wrong || fail("expected '", key, "' to be an integer or a list of ",
                          "integers, got ", show(*wrong));
  }

  const ModelTables &tables;
  const ConfigTable &table;
  std::span<const std::string> ignored;
  JsonValue file, object;
  const ConfigKeys keys;
  ModelConfig &config;
  std::vector<Origin> origins;
};

Result<JsonDocument> parseObject(std::string_view text,
                                 std::string_view where) {
  auto document = JsonDocument::parse(text, where);
  if (document && !document->root().is(JsonKind::Object))
    return makeError(ErrorCode::BadInput, where,
                     " expected an object of settings, got ",
                     describe(document->root().kind()));
  return document;
}

std::string whereOf(const std::filesystem::path &path) {
  return concat("config: '", path.string(), "'");
}

} // namespace

Result<ModelConfig> ModelConfig::parse(std::string_view text,
                                       std::string_view where,
                                       const ModelTables &tables,
                                       std::span<const std::string> ignored) {
  const auto document = parseObject(text, where);
  if (!document)
    return tl::unexpected(document.error());
  ModelConfig config;
  ConfigReader reader(document->root(), tables, ignored, config);
  if (!reader.read())
    return makeError(ErrorCode::BadInput, where, " ", reader.problem);
  return config;
}

Result<ModelConfig> ModelConfig::read(const std::filesystem::path &path,
                                      const ModelTables &tables,
                                      std::span<const std::string> ignored) {
  const auto file = MappedFile::open(path, "config");
  if (!file)
    return tl::unexpected(file.error());
  return parse(file->text(), whereOf(path), tables, ignored);
}

Result<std::string>
tilegpt::runtime::readModelType(const std::filesystem::path &path) {
  const auto file = MappedFile::open(path, "config");
  if (!file)
    return tl::unexpected(file.error());
  const auto document = parseObject(file->text(), whereOf(path));
  if (!document)
    return tl::unexpected(document.error());
  const auto type = findTextSection(document->root())
                        .value_or(document->root())
                        .find("model_type");
  if (!type || !type->is(JsonKind::String))
    return makeError(
        ErrorCode::BadInput, whereOf(path),
        type
            ? concat(" expected 'model_type' to be a string, got ", show(*type))
            : std::string(" has no 'model_type'"),
        ", which chooses the model; pass a model (.mlir) that "
        "computes what the checkpoint is for");
  return std::string(type->string());
}
