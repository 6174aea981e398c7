// Compares every tensor a config implies with what the checkpoint holds, so a
// disagreement is reported before anything is converted, naming both sides.
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include <charconv>

using namespace tilegpt::runtime;
namespace fs = std::filesystem;

namespace {

/// A size of a tensor: a setting of the config, times a factor.
struct Size {
  std::string_view key;
  int64_t factor;
  int64_t value;

  std::string describe() const {
    return factor == 1 ? concat(key, " ", value)
                       : concat(factor, " x ", key, " ", value / factor);
  }
};

/// One tensor, or with a leading dot one of every layer.
struct Rule {
  std::string_view name;
  std::vector<Size> shape;
};

/// Linear weights as [out, in].
std::vector<Rule> rulesOf(const ModelConfig &config) {
  const Size C = {"n_embd", 1, config.width},
             C3 = {"n_embd", 3, 3 * config.width},
             inner = config.innerWidth == 4 * config.width
                         ? Size{"n_embd", 4, config.innerWidth}
                         : Size{"n_inner", 1, config.innerWidth},
             V = {"vocab_size", 1, config.vocabulary},
             S = {"context", 1, config.context};
  std::vector<Rule> rules = {
      {"wte.weight", {V, C}},
      {"wpe.weight", {S, C}},
      {".ln_1.weight", {C}},
      {".ln_1.bias", {C}},
      {".attn.c_attn.weight", {C3, C}},
      {".attn.c_attn.bias", {C3}},
      {".attn.c_proj.weight", {C, C}},
      {".attn.c_proj.bias", {C}},
      {".ln_2.weight", {C}},
      {".ln_2.bias", {C}},
      {".mlp.c_fc.weight", {inner, C}},
      {".mlp.c_fc.bias", {inner}},
      {".mlp.c_proj.weight", {C, inner}},
      {".mlp.c_proj.bias", {C}},
      {"ln_f.weight", {C}},
      {"ln_f.bias", {C}},
  };
  if (config.tied == false)
    rules.push_back({"lm_head.weight", {V, C}});
  return rules;
}

/// The layer a tensor belongs to: 3 for "h.3.ln_1.bias".
std::optional<int64_t> layerOf(std::string_view name) {
  if (!name.starts_with("h."))
    return std::nullopt;
  int64_t layer;
  const char *end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + 2, end, layer);
  return error == std::errc() && rest != end && *rest == '.'
             ? std::optional(layer)
             : std::nullopt;
}

} // namespace

Result<void> WeightStore::checkConfig(const fs::path &configPath) const {
  const ModelConfig &config = *modelConfig;
  const auto checkOne = [&](const std::string &name,
                            const Rule &rule) -> Result<void> {
    std::vector<int64_t> shape;
    std::string origin;
    for (const Size &size : rule.shape) {
      shape.push_back(size.value);
      origin += (origin.empty() ? "" : ", ") + size.describe();
    }
    const auto entry = check(name, shape);
    if (entry)
      return {};
    return makeError(ErrorCode::BadInput, entry.error().message, "; '",
                     configPath.string(), "' says ", origin);
  };
  for (const Rule &rule : rulesOf(config)) {
    if (!rule.name.starts_with('.')) {
      if (auto good = checkOne(std::string(rule.name), rule); !good)
        return good;
      continue;
    }
    for (int64_t layer = 0; layer < config.layers; ++layer)
      if (auto good = checkOne(concat("h.", layer, rule.name), rule); !good)
        return good;
  }
  for (const auto &[name, entry] : files.tensors())
    if (const auto layer = layerOf(name); layer && *layer >= config.layers)
      return makeError(ErrorCode::BadInput, "weights: '", entry.path->string(),
                       "' has the tensor '", entry.tensor->name, "', but '",
                       configPath.string(), "' says n_layer ", config.layers);
  return {};
}
