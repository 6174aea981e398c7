// Takes the settings out of a config.json one by one. A setting that would
// change what the model computes is understood or refused, never skipped.
#include "TileGPT/Runtime/Weights/ModelConfig.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include <algorithm>
#include <span>
#include <string>
#include <utility>

using namespace tilegpt::runtime;

namespace {

// Far above any model of this kind, and far below where the size of a tensor
// could overflow.
constexpr int64_t maxLayers = 4096;
constexpr int64_t maxWidth = int64_t(1) << 17;
constexpr int64_t maxInnerWidth = int64_t(1) << 20;
constexpr int64_t maxContext = int64_t(1) << 24;
constexpr int64_t maxVocabulary = int64_t(1) << 24;

constexpr int32_t gpt2EndOfText = 50256;

/// A value as messages show it.
std::string show(JsonValue value) {
  switch (value.kind()) {
  case JsonKind::Integer:
    return std::to_string(value.integer());
  case JsonKind::Number:
    return concat(value.number());
  case JsonKind::String:
    return concat("'", value.string(), "'");
  case JsonKind::Boolean:
    return value.boolean() ? "true" : "false";
  default:
    return std::string(describe(value.kind()));
  }
}

/// Functions return false once `problem` says what is wrong; a value that is
/// null counts as absent.
class ConfigReader {
public:
  ConfigReader(JsonValue object, ModelConfig &config)
      : object(object), config(config) {}

  std::string problem;

  bool read() {
    const bool minGpt = find("block_size").has_value();
    return architecture(minGpt) && sizes(minGpt) && mlp() && epsilon() &&
           tying() && token("bos_token_id", minGpt, config.bosToken) &&
           token("eos_token_id", minGpt, config.eosToken);
  }

private:
  template <typename... Parts>
  bool fail(const Parts &...parts) {
    problem = concat(parts...);
    return false;
  }

  std::optional<JsonValue> find(std::string_view key) const {
    const auto value = object.find(key);
    return value && !value->is(JsonKind::Null) ? value : std::nullopt;
  }

  bool boolean(std::string_view key, std::optional<bool> &result) {
    const auto value = find(key);
    if (!value)
      return true;
    if (!value->is(JsonKind::Boolean))
      return fail("expected '", key, "' to be true or false, got ",
                  show(*value));
    result = value->boolean();
    return true;
  }

  bool integer(std::string_view key, int64_t low, int64_t high,
               std::optional<int64_t> &result) {
    const auto value = find(key);
    if (!value)
      return true;
    if (!value->is(JsonKind::Integer) || value->integer() < low ||
        value->integer() > high)
      return fail("expected '", key, "' to be an integer from ", low, " to ",
                  high, ", got ", show(*value));
    result = value->integer();
    return true;
  }

  /// A size that must be there.
  bool size(std::string_view key, int64_t high, int64_t &result) {
    std::optional<int64_t> value;
    if (!integer(key, 1, high, value))
      return false;
    if (!value)
      return fail("has no '", key, "'");
    result = *value;
    return true;
  }

  bool architecture(bool minGpt) {
    const auto type = find("model_type");
    // minGPT names a preset here, such as "gpt-mini".
    if (type && !minGpt &&
        !(type->is(JsonKind::String) && type->string() == "gpt2"))
      return fail("expected 'model_type' to be 'gpt2', got ", show(*type));
    constexpr std::pair<std::string_view, bool> fixed[] = {
        {"scale_attn_weights", true},
        {"scale_attn_by_inverse_layer_idx", false},
        {"add_cross_attention", false}};
    for (const auto &[key, expected] : fixed) {
      std::optional<bool> value;
      if (!boolean(key, value))
        return false;
      if (value && *value != expected)
        return fail("sets '", key, "' to ", *value ? "true" : "false",
                    ", which is not supported");
    }
    return true;
  }

  bool sizes(bool minGpt) {
    const std::string_view contextKey = minGpt ? "block_size"
                                        : find("n_positions") || !find("n_ctx")
                                            ? "n_positions"
                                            : "n_ctx";
    if (!size("n_layer", maxLayers, config.layers) ||
        !size("n_head", maxWidth, config.heads) ||
        !size("n_embd", maxWidth, config.width) ||
        !size(contextKey, maxContext, config.context) ||
        !size("vocab_size", maxVocabulary, config.vocabulary))
      return false;
    if (config.width % config.heads != 0)
      return fail("expected 'n_embd' (", config.width,
                  ") to be a multiple of 'n_head' (", config.heads, ")");
    return true;
  }

  bool mlp() {
    std::optional<int64_t> inner;
    if (!integer("n_inner", 1, maxInnerWidth, inner))
      return false;
    config.innerWidth = inner.value_or(4 * config.width);
    const auto name = find("activation_function");
    if (!name)
      return true;
    constexpr std::pair<std::string_view, Activation> known[] = {
        {"gelu_new", Activation::GeluTanh},
        {"gelu_pytorch_tanh", Activation::GeluTanh},
        {"gelu", Activation::Gelu}};
    for (const auto &[text, activation] : known)
      if (name->is(JsonKind::String) && name->string() == text) {
        config.activation = activation;
        return true;
      }
    return fail("expected 'activation_function' to be 'gelu_new', "
                "'gelu_pytorch_tanh' or 'gelu', got ",
                show(*name));
  }

  bool epsilon() {
    const auto value = find("layer_norm_epsilon");
    if (!value)
      return true;
    const bool isNumber =
        value->is(JsonKind::Integer) || value->is(JsonKind::Number);
    // Written so that NaN would fail, too.
    if (!isNumber || !(value->number() > 0 && value->number() < 1))
      return fail("expected 'layer_norm_epsilon' to be a number between 0 and "
                  "1, got ",
                  show(*value));
    config.epsilon = value->number();
    return true;
  }

  bool tying() { return boolean("tie_word_embeddings", config.tied); }

  bool token(std::string_view key, bool minGpt,
             std::optional<int32_t> &result) {
    std::optional<int64_t> value;
    if (!integer(key, 0, config.vocabulary - 1, value))
      return false;
    const bool hasDefault =
        !minGpt && !object.find(key) && config.vocabulary > gpt2EndOfText;
    if (value || hasDefault)
      result = int32_t(value.value_or(gpt2EndOfText));
    return true;
  }

  JsonValue object;
  ModelConfig &config;
};

} // namespace

Result<ModelConfig> ModelConfig::parse(std::string_view text,
                                       std::string_view where) {
  const auto document = JsonDocument::parse(text, where);
  if (!document)
    return tl::unexpected(document.error());
  JsonValue object = document->root();
  if (!object.is(JsonKind::Object))
    return makeError(ErrorCode::BadInput, where,
                     " expected an object of settings, got ",
                     describe(object.kind()));
  // minGPT's trainer writes all its settings, the model's among them.
  if (const auto model = object.find("model");
      model && model->is(JsonKind::Object) && !object.find("n_embd"))
    object = *model;
  ModelConfig config;
  ConfigReader reader(object, config);
  if (!reader.read())
    return makeError(ErrorCode::BadInput, where, " ", reader.problem);
  return config;
}

Result<ModelConfig> ModelConfig::read(const std::filesystem::path &path) {
  const auto file = MappedFile::open(path, "config");
  if (!file)
    return tl::unexpected(file.error());
  return parse(file->text(), concat("config: '", path.string(), "'"));
}
