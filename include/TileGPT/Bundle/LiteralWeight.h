// Weights whose names are their values, "[1,0.5]", and that are in no
// checkpoint: tables from a model's config.json, which kernels read like any
// weight.
#ifndef TILEGPT_BUNDLE_LITERALWEIGHT_H
#define TILEGPT_BUNDLE_LITERALWEIGHT_H

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::bundle {

/// The name of the vector of these values, each rounded to f32.
std::string literalWeight(std::span<const double> values);

/// Whether `name` is that of a literal weight, or a broken one.
inline bool isLiteralWeight(std::string_view name) {
  return name.starts_with('[');
}

/// The values that `name` has; nothing where it is not a list of numbers.
std::optional<std::vector<float>> parseLiteralWeight(std::string_view name);

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_LITERALWEIGHT_H
