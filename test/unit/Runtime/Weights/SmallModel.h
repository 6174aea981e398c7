// A small GPT-2 checkpoint: one layer, two heads, width four. Tests modify it
// before they write it.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_WEIGHTS_SMALLMODEL_H
#define TILEGPT_TEST_UNIT_RUNTIME_WEIGHTS_SMALLMODEL_H

#include "TileGPT/Runtime/Data/Safetensors.h"
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace tilegpt {

/// f32 tensors by name; element i of each is its tensor's number plus i / 1024.
class SmallModel {
public:
  struct Tensor {
    std::vector<int64_t> shape;
    std::vector<float> values;
    runtime::StoredType type = runtime::StoredType::F32;
  };

  static constexpr const char *config =
      R"({"n_layer": 1, "n_head": 2, "n_embd": 4, "n_positions": 8,)"
      R"( "vocab_size": 5})";

  /// Linear weights are [in, out] if conv1d, else [out, in].
  explicit SmallModel(bool conv1d = true) {
    const auto linear = [&](const std::string &name, int64_t out, int64_t in) {
      add(name + ".weight",
          conv1d ? std::vector{in, out} : std::vector{out, in});
      add(name + ".bias", {out});
    };
    add("wte.weight", {5, 4});
    add("wpe.weight", {8, 4});
    for (const std::string norm : {"h.0.ln_1", "h.0.ln_2", "ln_f"}) {
      add(norm + ".weight", {4});
      add(norm + ".bias", {4});
    }
    linear("h.0.attn.c_attn", 12, 4);
    linear("h.0.attn.c_proj", 4, 4);
    linear("h.0.mlp.c_fc", 16, 4);
    linear("h.0.mlp.c_proj", 4, 16);
  }

  void add(const std::string &name, std::vector<int64_t> shape) {
    int64_t count = 1;
    for (const int64_t size : shape)
      count *= size;
    std::vector<float> values(size_t(count), float(tensors.size()));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] += float(i) / 1024;
    tensors[name] = {std::move(shape), std::move(values)};
  }

  void write(const std::filesystem::path &path,
             const std::string &prefix = "") const {
    std::vector<std::string> names;
    for (const auto &[name, tensor] : tensors)
      names.push_back(prefix + name);
    std::vector<runtime::TensorToWrite> list;
    for (const auto &[name, tensor] : tensors)
      list.push_back({names[list.size()], tensor.type, tensor.shape,
                      std::as_bytes(std::span(tensor.values))});
    const auto written = runtime::writeSafetensors(path, list);
    ASSERT_TRUE(written) << written.error().message;
  }

  std::map<std::string, Tensor> tensors;
};

} // namespace tilegpt

#endif // TILEGPT_TEST_UNIT_RUNTIME_WEIGHTS_SMALLMODEL_H
