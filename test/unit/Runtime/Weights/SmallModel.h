// A small GPT-2 checkpoint: one layer, two heads, width four. Tests modify it
// before they write it.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_WEIGHTS_SMALLMODEL_H
#define TILEGPT_TEST_UNIT_RUNTIME_WEIGHTS_SMALLMODEL_H

#include "TileGPT/Runtime/Data/StoredType.h"
#include "TileGPT/Runtime/Error.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <span>
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

  /// Writes a safetensors file whose data starts at a multiple of 64 bytes, so
  /// that weights can be used in place.
  void write(const std::filesystem::path &path,
             const std::string &prefix = "") const {
    std::string header = "{", data;
    for (const auto &[name, tensor] : tensors) {
      const size_t begin = data.size();
      const auto bytes = std::as_bytes(std::span(tensor.values));
      data.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
      header +=
          runtime::concat(header.size() > 1 ? ",\"" : "\"", prefix, name,
                          "\":{\"dtype\":\"", safetensorsName(tensor.type),
                          "\",\"shape\":", runtime::formatShape(tensor.shape),
                          ",\"data_offsets\":[", begin, ",", data.size(), "]}");
    }
    header += "}";
    constexpr size_t alignment = 64;
    header.append(-(sizeof(uint64_t) + header.size()) % alignment, ' ');
    const uint64_t headerBytes = header.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(&headerBytes),
               sizeof(headerBytes));
    file << header << data;
    ASSERT_TRUE(file.flush()) << path;
  }

  std::map<std::string, Tensor> tensors;
};

} // namespace tilegpt

#endif // TILEGPT_TEST_UNIT_RUNTIME_WEIGHTS_SMALLMODEL_H
