// The weights of a family's checkpoint in the form the interpreter takes.
#ifndef TILEGPT_TEST_UNIT_CONVERSION_GPTTOTILE_STOREDWEIGHTS_H
#define TILEGPT_TEST_UNIT_CONVERSION_GPTTOTILE_STOREDWEIGHTS_H

#include "Families.h"
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "TileGPT/Reference/Tensor.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "llvm/Support/ErrorHandling.h"
#include <bit>
#include <gtest/gtest.h>
#include <numeric>

namespace tilegpt {

/// Tensors of a checkpoint, looked up by the names in a text.
class StoredWeights {
public:
  /// \param model  configured for the family.
  StoredWeights(const test::Family &family, gpt::ModelOp model)
      : file(open(family.folder() / "model.safetensors")) {
    auto table = model->getAttrOfType<mlir::DictionaryAttr>(gpt::weightsTable);
    if (auto strip = table.getAs<mlir::ArrayAttr>("strip"))
      for (auto prefix : strip.getAsValueRange<mlir::StringAttr>())
        prefixes.push_back(prefix.str());
    if (auto tensors = table.getAs<mlir::ArrayAttr>("transposed_experts"))
      for (auto name : tensors.getAsValueRange<mlir::StringAttr>())
        transposed.push_back({name.str(), {}});
    if (auto tensors = table.getAs<mlir::ArrayAttr>("transposed"))
      for (auto name : tensors.getAsValueRange<mlir::StringAttr>())
        transposedMatrices.push_back({name.str(), {}});
    if (auto rows = table.getAs<mlir::DictionaryAttr>("interleaved"))
      for (mlir::NamedAttribute entry : rows)
        interleaved.push_back(
            {entry.getName().str(),
             sizesOf(model, mlir::cast<mlir::ArrayAttr>(entry.getValue()))});
    if (auto tensors = table.getAs<mlir::DictionaryAttr>("split"))
      for (mlir::NamedAttribute entry : tensors) {
        auto list = mlir::cast<mlir::ArrayAttr>(entry.getValue());
        Split &split = splits.emplace_back();
        split.whole = entry.getName().str();
        split.groups = mlir::cast<mlir::IntegerAttr>(list[0]).getInt();
        for (mlir::Attribute part : list.getValue().drop_front())
          split.parts.push_back(mlir::cast<mlir::StringAttr>(part).str());
      }
    if (auto tables = table.getAs<mlir::DictionaryAttr>("skipped"))
      for (mlir::NamedAttribute entry : tables)
        skipped[entry.getName()] =
            mlir::cast<mlir::IntegerAttr>(entry.getValue()).getInt();
  }

  /// The tensors joined by '+', concatenated; bf16 is converted to `type`.
  reference::Tensor
  find(llvm::StringRef joined, llvm::ArrayRef<int64_t> shape,
       bundle::ElementType type = bundle::ElementType::F32) const {
    reference::Tensor result =
        llvm::cantFail(reference::Tensor::zeros(type, shape));
    llvm::SmallVector<llvm::StringRef> names;
    joined.split(names, '+');
    int64_t at = 0;
    for (llvm::StringRef name : names)
      for (float value : sortRows(name, read(name)))
        result.store(at++, reference::Element::of(double(value)));
    EXPECT_EQ(at, result.size()) << joined.str();
    return result;
  }

private:
  /// Groups of rows [outer][parts][inner] to read as [parts][outer][inner],
  /// each with `rest` rows behind them.
  struct Sizes {
    int64_t groups, outer;
    llvm::SmallVector<int64_t> parts; ///< in runs of `inner` rows
    int64_t inner, rest;
  };
  struct Interleaved {
    std::string name; ///< {l} is any number
    Sizes sizes;

    bool names(llvm::StringRef weight) const {
      auto [before, after] = llvm::StringRef(name).split("{l}");
      return weight.consume_front(before) && weight.consume_back(after);
    }
  };

  /// A tensor of several parts, a piece of each in every group of rows.
  struct Split {
    std::string whole; ///< the last component of its name is that of the parts
    int64_t groups;
    std::vector<std::string> parts;
  };

  static int64_t sizeOf(gpt::ModelOp model, mlir::Attribute size) {
    if (auto text = mlir::dyn_cast<mlir::StringAttr>(size))
      size = gpt::ExprAttr::get(model->getContext(), text);
    auto value = gpt::getInteger(model, size, "a size");
    if (failed(value))
      llvm::reportFatalUsageError("a size of interleaved rows is unknown");
    return *value;
  }

  /// Three to five sizes: without the number of groups, or the rest. The parts
  /// are a number, or a list of their sizes.
  static Sizes sizesOf(gpt::ModelOp model, mlir::ArrayAttr attributes) {
    llvm::ArrayRef<mlir::Attribute> sizes = attributes.getValue();
    Sizes result = {1, 0, {}, 0, 0};
    if (sizes.size() > 3) {
      result.groups = sizeOf(model, sizes.front());
      sizes = sizes.drop_front();
    }
    result.outer = sizeOf(model, sizes[0]);
    if (auto list = mlir::dyn_cast<mlir::ArrayAttr>(sizes[1]))
      for (mlir::Attribute part : list)
        result.parts.push_back(sizeOf(model, part));
    else
      result.parts.assign(size_t(sizeOf(model, sizes[1])), 1);
    result.inner = sizeOf(model, sizes[2]);
    if (sizes.size() > 3)
      result.rest = sizeOf(model, sizes[3]);
    return result;
  }

  static runtime::Safetensors open(const std::filesystem::path &path) {
    auto file = runtime::Safetensors::open(path, "test");
    if (!file)
      llvm::reportFatalUsageError(llvm::StringRef(file.error().message));
    return std::move(*file);
  }

  /// `name`, or those values of a tensor that holds it and others.
  std::vector<float> read(llvm::StringRef name) const {
    auto [module, suffix] = name.rsplit('.');
    auto [parent, last] = module.rsplit('.');
    for (const Split &split : splits) {
      const auto part = llvm::find(split.parts, last);
      if (part == split.parts.end())
        continue;
      std::vector<float> all = readWhole(
          (parent + "." + llvm::StringRef(split.whole).rsplit('.').second +
           "." + suffix)
              .str());
      const size_t count = split.parts.size(),
                   index = part - split.parts.begin();
      const size_t piece = all.size() / (split.groups * count);
      std::vector<float> values;
      for (size_t at = index * piece; at < all.size(); at += count * piece)
        values.insert(values.end(), all.begin() + at, all.begin() + at + piece);
      return values;
    }
    return readWhole(name);
  }

  std::vector<float> readWhole(llvm::StringRef name) const {
    const bool isTransposed =
        llvm::any_of(transposed, [&](const Interleaved &tensors) {
          return tensors.names(name.rsplit('.').first);
        });
    if (isTransposed)
      name = name.rsplit('.').first;
    const runtime::StoredTensor *tensor = file.find(name.str());
    for (const std::string &prefix : prefixes)
      if (!tensor)
        tensor = file.find(prefix + name.str());
    if (!tensor)
      llvm::reportFatalUsageError("no tensor " + name);
    std::span<const std::byte> bytes = file.bytes(*tensor);
    if (int64_t rows = skipped.lookup(name.rsplit('.').first))
      bytes = bytes.subspan(bytes.size() / tensor->shape[0] * rows);
    std::vector<float> values;
    for (size_t i = 0; i + 1 < bytes.size(); i += 2)
      values.push_back(std::bit_cast<float>(uint32_t(bytes[i]) << 16 |
                                            uint32_t(bytes[i + 1]) << 24));
    // The archives have no family that stores them either way.
    const bool isTransposedMatrix =
        tensor->shape.size() == 2 &&
        llvm::any_of(transposedMatrices, [&](const Interleaved &tensors) {
          return tensors.names(name.rsplit('.').first);
        });
    return isTransposed || isTransposedMatrix ? transpose(values, tensor->shape)
                                              : values;
  }

  /// [in, out] as [out, in], or [E, in, out] as [E, out, in].
  static std::vector<float> transpose(const std::vector<float> &values,
                                      llvm::ArrayRef<int64_t> shape) {
    const int64_t ins = shape[shape.size() - 2], outs = shape.back();
    std::vector<float> turned;
    for (int64_t e = 0; e < int64_t(values.size()) / (ins * outs); ++e)
      for (int64_t out = 0; out < outs; ++out)
        for (int64_t in = 0; in < ins; ++in)
          turned.push_back(values[(e * ins + in) * outs + out]);
    return turned;
  }

  /// The rows of a tensor in the order of the text.
  std::vector<float> sortRows(llvm::StringRef name,
                              std::vector<float> values) const {
    llvm::StringRef weight =
        name.ends_with(".weight") || name.ends_with(".bias")
            ? name.rsplit('.').first
            : name;
    const auto *entry =
        llvm::find_if(interleaved, [&](const Interleaved &rows) {
          return rows.names(weight);
        });
    if (entry == interleaved.end())
      return values;
    const auto &[groups, outer, parts, inner, rest] = entry->sizes;
    const int64_t runs =
        std::accumulate(parts.begin(), parts.end(), int64_t(0));
    const int64_t groupRows = outer * runs * inner + rest;
    const int64_t width = int64_t(values.size()) / (groups * groupRows);
    std::vector<float> sorted;
    auto append = [&](int64_t row, int64_t rows) {
      auto first = values.begin() + row * width;
      sorted.insert(sorted.end(), first, first + rows * width);
    };
    for (int64_t group = 0; group < groups; ++group) {
      int64_t before = 0;
      for (const int64_t part : parts) {
        for (int64_t i = 0; i < outer; ++i)
          append(group * groupRows + (i * runs + before) * inner, part * inner);
        before += part;
      }
      append((group + 1) * groupRows - rest, rest);
    }
    return sorted;
  }

  runtime::Safetensors file;
  llvm::SmallVector<std::string> prefixes;
  llvm::SmallVector<Interleaved> interleaved;
  /// Matrices of all experts stored as [E, in, out]: only their names count.
  llvm::SmallVector<Interleaved> transposed;
  /// Matrices stored as [in, out].
  llvm::SmallVector<Interleaved> transposedMatrices;
  llvm::SmallVector<Split> splits;
  /// Rows at the start of a tensor that the text lacks.
  llvm::StringMap<int64_t> skipped;
};

} // namespace tilegpt

#endif
