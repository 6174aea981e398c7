// Finds a weight, checks it, and converts it the first time it is asked for.
// CheckWeights.cpp compares all of them with the checkpoint beforehand.
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "Convert.h"
#include "WeightNames.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;
namespace fs = std::filesystem;

namespace {

int64_t countOf(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (const int64_t size : shape)
    count *= size;
  return count;
}

} // namespace

std::optional<WeightsLayout>
tilegpt::runtime::parseWeightsLayout(std::string_view text) {
  constexpr std::pair<std::string_view, WeightsLayout> names[] = {
      {"auto", WeightsLayout::Auto},
      {"conv1d", WeightsLayout::Conv1d},
      {"linear", WeightsLayout::Linear}};
  for (const auto &[name, layout] : names)
    if (name == text)
      return layout;
  return std::nullopt;
}

WeightStore::WeightStore(Checkpoint files, const WeightTable &table,
                         const Options &options)
    : files(std::move(files)), table(table), asked(options.layout),
      layout(options.layout), pool(options.threads) {}

Result<std::unique_ptr<WeightStore>> WeightStore::open(const fs::path &path,
                                                       const WeightTable &table,
                                                       const Options &options) {
  auto files = Checkpoint::open(path, table.strip);
  if (!files)
    return tl::unexpected(std::move(files.error()));
  return std::unique_ptr<WeightStore>(
      new WeightStore(std::move(*files), table, options));
}

bool WeightStore::isHeadTied() const {
  return std::ranges::none_of(table.tied, [&](const auto &pair) {
    return files.find(pair.first + ".weight");
  });
}

void WeightStore::bring(std::string_view name, const Checkpoint::Entry &entry,
                        ElementType type, std::byte *to) {
  const StoredTensor &tensor = *entry.tensor;
  const std::byte *from = entry.bytes().data();
  const int64_t count = countOf(tensor.shape);
  if (isTransposed(name) && tensor.shape.size() == 2)
    return convertTransposed(tensor.type, from, type, to, tensor.shape[0],
                             tensor.shape[1], pool);
  const Interleaving *rows = interleavingOf(name);
  if (!rows)
    return convert(tensor.type, from, type, to, count, pool);
  // Blocks of `inner` rows: [outer][parts] becomes [parts][outer].
  const int64_t block = count / (rows->outer * rows->parts);
  for (int64_t outer = 0; outer < rows->outer; ++outer)
    for (int64_t part = 0; part < rows->parts; ++part)
      convert(
          tensor.type,
          from + (outer * rows->parts + part) * block * byteWidth(tensor.type),
          type,
          to + (part * rows->outer + outer) * block * bundle::byteWidth(type),
          block, pool);
}

Result<const void *> WeightStore::find(std::string_view name, ElementType type,
                                       std::span<const int64_t> shape) {
  // Without a session, the first weight asked for may decide the layout.
  const WeightNeed need{name, type, shape};
  if (auto decided = decideLayout({&need, 1}); !decided)
    return tl::unexpected(std::move(decided.error()));
  const auto parts = check(need);
  if (!parts)
    return tl::unexpected(parts.error());
  for (const Checkpoint::Entry *part : *parts)
    if (auto intact = part->file->checkIntact(); !intact)
      return tl::unexpected(std::move(intact.error()));

  const StoredTensor &first = *parts->front()->tensor;
  const std::byte *stored = parts->front()->bytes().data();
  if (parts->size() == 1 && !isTransposed(name) && !interleavingOf(name) &&
      isSameType(first.type, type) &&
      reinterpret_cast<uintptr_t>(stored) % WeightMemory::alignment == 0)
    return stored;
  const auto [known, isNew] =
      converted.try_emplace({std::string(name), type}, nullptr);
  if (!isNew)
    return known->second;
  const auto target =
      memory.allocate(size_t(countOf(shape) * bundle::byteWidth(type)));
  if (!target) {
    converted.erase(known);
    return tl::unexpected(target.error());
  }
  std::byte *to = *target;
  const std::vector<std::string_view> names = partsOf(name);
  for (size_t i = 0; i < names.size(); ++i) {
    bring(names[i], *(*parts)[i], type, to);
    to += countOf((*parts)[i]->tensor->shape) * bundle::byteWidth(type);
  }
  known->second = *target;
  return *target;
}
