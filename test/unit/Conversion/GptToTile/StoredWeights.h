// The weights of a family's checkpoint in the form the interpreter takes.
#ifndef TILEGPT_TEST_UNIT_CONVERSION_GPTTOTILE_STOREDWEIGHTS_H
#define TILEGPT_TEST_UNIT_CONVERSION_GPTTOTILE_STOREDWEIGHTS_H

#include "Families.h"
#include "TileGPT/Reference/Tensor.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "llvm/Support/ErrorHandling.h"
#include <bit>
#include <gtest/gtest.h>

namespace tilegpt {

/// Tensors of a checkpoint, looked up by the names in a text.
class StoredWeights {
public:
  explicit StoredWeights(const test::Family &family)
      : file(open(family.folder() / "model.safetensors")) {}

  /// The tensors joined by '+', concatenated; bf16 is converted to `type`.
  reference::Tensor
  find(llvm::StringRef joined, llvm::ArrayRef<int64_t> shape, int64_t heads,
       bundle::ElementType type = bundle::ElementType::F32) const {
    reference::Tensor result =
        llvm::cantFail(reference::Tensor::zeros(type, shape));
    llvm::SmallVector<llvm::StringRef> names;
    joined.split(names, '+');
    int64_t at = 0;
    for (llvm::StringRef name : names) {
      std::vector<float> values = read(name);
      if (name.contains("query_key_value"))
        values = sortParts(values, heads);
      for (float value : values)
        result.store(at++, reference::Element::of(double(value)));
    }
    EXPECT_EQ(at, result.size()) << joined.str();
    return result;
  }

private:
  static runtime::Safetensors open(const std::filesystem::path &path) {
    auto file = runtime::Safetensors::open(path, "test");
    if (!file)
      llvm::reportFatalUsageError(llvm::StringRef(file.error().message));
    return std::move(*file);
  }

  std::vector<float> read(llvm::StringRef name) const {
    const runtime::StoredTensor *tensor = nullptr;
    for (const char *prefix : {"", "model.", "gpt_neox."})
      if (!tensor)
        tensor = file.find(prefix + name.str());
    if (!tensor)
      llvm::reportFatalUsageError("no tensor " + name);
    std::span<const std::byte> bytes = file.bytes(*tensor);
    std::vector<float> values;
    for (size_t i = 0; i + 1 < bytes.size(); i += 2)
      values.push_back(std::bit_cast<float>(uint32_t(bytes[i]) << 16 |
                                            uint32_t(bytes[i + 1]) << 24));
    return values;
  }

  /// Permutes [heads, 3, rows of a part] to [3, heads, rows of a part].
  static std::vector<float> sortParts(const std::vector<float> &values,
                                      int64_t heads) {
    size_t part = values.size() / size_t(3 * heads);
    std::vector<float> sorted;
    for (size_t kind = 0; kind < 3; ++kind)
      for (size_t head = 0; head < size_t(heads); ++head)
        for (size_t i = 0; i < part; ++i)
          sorted.push_back(values[(head * 3 + kind) * part + i]);
    return sorted;
  }

  runtime::Safetensors file;
};

} // namespace tilegpt

#endif
