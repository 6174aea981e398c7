// Finds a weight, checks it, and converts it the first time it is asked for.
// ConfigCheck.cpp compares all tensors with the config beforehand.
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "Convert.h"
#include <algorithm>
#include <array>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;
namespace fs = std::filesystem;

namespace {

constexpr size_t alignment = 64;
/// Large enough for huge pages, small enough not to matter when mostly unused.
constexpr size_t pieceBytes = size_t(64) << 20;
constexpr std::string_view head = "lm_head.weight";
constexpr std::string_view embedding = "wte.weight";
constexpr std::string_view layoutWitness = "h.0.attn.c_attn.weight";

template <typename... Parts>
tl::unexpected<Error> failed(const Parts &...problem) {
  return makeError(ErrorCode::BadInput, "weights: ", problem...);
}

/// The weights nn.Linear and Conv1D hold differently.
bool isLinear(std::string_view name) {
  constexpr std::string_view suffixes[] = {
      ".attn.c_attn.weight", ".attn.c_proj.weight", ".mlp.c_fc.weight",
      ".mlp.c_proj.weight"};
  return std::ranges::any_of(
      suffixes, [&](std::string_view end) { return name.ends_with(end); });
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

WeightStore::WeightStore(Checkpoint files, const Options &options)
    : files(std::move(files)), asked(options.layout), layout(options.layout),
      pool(options.threads) {}

Result<std::unique_ptr<WeightStore>> WeightStore::open(const fs::path &path,
                                                       const Options &options) {
  auto files = Checkpoint::open(path);
  if (!files)
    return tl::unexpected(std::move(files.error()));
  std::unique_ptr<WeightStore> store(
      new WeightStore(std::move(*files), options));
  if (auto good = store->decideLayout(); !good)
    return tl::unexpected(std::move(good.error()));
  const fs::path configPath = store->files.path().parent_path() / "config.json";
  if (exists(configPath)) {
    auto config = ModelConfig::read(configPath);
    if (!config)
      return tl::unexpected(std::move(config.error()));
    if (!config->tied)
      config->tied = !store->files.find(head);
    store->modelConfig = *config;
    if (auto good = store->checkConfig(configPath); !good)
      return tl::unexpected(std::move(good.error()));
  }
  return store;
}

/// One tensor decides for all: it is never square, unlike attn.c_proj.
Result<void> WeightStore::decideLayout() {
  const Checkpoint::Entry *witness = files.find(layoutWitness);
  if (layout != WeightsLayout::Auto || !witness)
    return {};
  const std::vector<int64_t> &shape = witness->tensor->shape;
  if (shape.size() == 2 && shape[0] > 0 && shape[1] / 3 == shape[0] &&
      shape[1] % 3 == 0)
    layout = WeightsLayout::Conv1d;
  else if (shape.size() == 2 && shape[1] > 0 && shape[0] / 3 == shape[1] &&
           shape[0] % 3 == 0)
    layout = WeightsLayout::Linear;
  else
    return failed("'", layoutWitness, "' expected [C,3C] or [3C,C], got ",
                  witness->tensor->description());
  return {};
}

/// Whether the file holds [in, out] where [out, in] is asked for.
bool WeightStore::isTransposed(std::string_view name) const {
  return layout == WeightsLayout::Conv1d && isLinear(name);
}

/// What to do about a linear weight that lies the other way round.
std::string WeightStore::layoutHint(std::string_view name,
                                    const StoredTensor &tensor,
                                    std::span<const int64_t> expected) const {
  if (!isLinear(name) || expected.size() != 2 ||
      !std::ranges::equal(tensor.shape, std::array{expected[1], expected[0]}))
    return "";
  if (asked == WeightsLayout::Auto)
    return concat(" (the other way round than '", layoutWitness,
                  "'; all must have the same layout)");
  return asked == WeightsLayout::Conv1d
             ? " (PyTorch Linear layout; pass --weights-layout=linear)"
             : " (Conv1D layout; pass --weights-layout=conv1d)";
}

/// \param expected  sizes as the kernels see them: [out, in].
Result<const Checkpoint::Entry *>
WeightStore::check(std::string_view name,
                   std::span<const int64_t> expected) const {
  std::vector<int64_t> stored(expected.begin(), expected.end());
  if (isTransposed(name) && stored.size() == 2)
    std::swap(stored[0], stored[1]);
  const Checkpoint::Entry *entry = files.find(name);
  if (!entry)
    return failed("'", files.path().string(), "' has no tensor '", name,
                  "', expected ", formatShape(stored));
  const StoredTensor &tensor = *entry->tensor;
  if (!canConvert(tensor.type, ElementType::F32))
    return failed("'", name, "' expected f32, f16, bf16 or f64",
                  formatShape(stored), ", got ", tensor.description());
  if (tensor.shape != stored)
    return failed("'", name, "' expected ", runtime::name(tensor.type),
                  formatShape(stored), ", got ", tensor.description(),
                  layoutHint(name, tensor, stored));
  return entry;
}

Result<std::byte *> WeightStore::allocate(size_t bytes) {
  bytes = (bytes + alignment - 1) / alignment * alignment;
  if (memory.empty() || memory.back().size() - used < bytes) {
    auto piece =
        cpu::Memory::allocate(std::max(bytes, pieceBytes), "the weights");
    if (!piece)
      return tl::unexpected(std::move(piece.error()));
    memory.push_back(std::move(*piece));
    used = 0;
  }
  return memory.back().data() + std::exchange(used, used + bytes);
}

Result<const void *> WeightStore::find(std::string_view name, ElementType type,
                                       std::span<const int64_t> shape) {
  const bool untied = modelConfig && modelConfig->tied == false;
  const bool tied = modelConfig && modelConfig->tied == true;
  if (name == head && (tied || (!untied && !files.find(head))))
    name = embedding;
  const auto entry = check(name, shape);
  if (!entry)
    return tl::unexpected(entry.error());
  const StoredTensor &tensor = *(*entry)->tensor;
  if (!canConvert(tensor.type, type))
    return failed("'", name, "' is asked for in ", bundle::name(type),
                  ", but weights come in f32, f16, bf16 or f64");
  if (auto intact = (*entry)->file->checkIntact(); !intact)
    return tl::unexpected(std::move(intact.error()));

  const std::byte *stored = (*entry)->bytes().data();
  const bool transposed = isTransposed(name) && shape.size() == 2;
  if (!transposed && isSameType(tensor.type, type) &&
      reinterpret_cast<uintptr_t>(stored) % alignment == 0)
    return stored;
  const auto [known, isNew] = converted.try_emplace({&tensor, type}, nullptr);
  if (!isNew)
    return known->second;
  int64_t count = 1;
  for (const int64_t size : shape)
    count *= size;
  const auto target = allocate(size_t(count * bundle::byteWidth(type)));
  if (!target) {
    converted.erase(known);
    return tl::unexpected(target.error());
  }
  if (transposed)
    convertTransposed(tensor.type, stored, type, *target, shape[1], shape[0],
                      pool);
  else
    convert(tensor.type, stored, type, *target, count, pool);
  known->second = *target;
  return *target;
}
