// How the names of weights are made up.
#ifndef TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTNAMES_H
#define TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTNAMES_H

#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// The tensors that are one weight, one below the other: "a.weight+b.weight".
inline std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t plus = name.find('+');
    parts.push_back(name.substr(0, plus));
    if (plus == name.npos)
      return parts;
    name.remove_prefix(plus + 1);
  }
}

/// The layer's part of a tensor: "h.0.ln_1" of "h.0.ln_1.weight".
inline std::string_view moduleOf(std::string_view tensor) {
  for (const std::string_view end : {".weight", ".bias"})
    if (tensor.ends_with(end))
      return tensor.substr(0, tensor.size() - end.size());
  return tensor;
}

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTNAMES_H
