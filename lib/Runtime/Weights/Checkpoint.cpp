// Locates the files of a checkpoint and collects their tensors. An index is
// only a list of names, which is checked against the shards.
#include "TileGPT/Runtime/Weights/Checkpoint.h"
#include "Convert.h"
#include "MultimodalNames.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "WeightsError.h"
#include <fstream>
#include <set>
#include <utility>

using namespace tilegpt::runtime;
namespace fs = std::filesystem;

namespace {

/// A name in the folder of the index. Symbolic links are allowed: download
/// caches consist of them.
bool isPlainFileName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) ==
             std::string_view::npos;
}

} // namespace

std::string_view Checkpoint::canonicalName(std::string_view name) const {
  size_t longest = 0;
  for (const std::string &prefix : prefixes)
    if (name.starts_with(prefix))
      longest = std::max(longest, prefix.size());
  return name.substr(longest);
}

Result<void> Checkpoint::add(const fs::path &path) {
  auto file = Safetensors::open(path, weightsRoom);
  if (!file)
    return tl::unexpected(std::move(file.error()));
  shards.push_back(std::make_unique<Shard>(path, std::move(*file)));
  const Shard &shard = *shards.back();
  for (const StoredTensor &tensor : shard.file.tensors()) {
    if (isOfOtherModality(tensor.name))
      continue;
    const std::string name = textName(tensor.name);
    const auto [entry, isNew] =
        entries.try_emplace(std::string(canonicalName(name)),
                            Entry{&tensor, &shard.file, &shard.path});
    if (isNew)
      continue;
    const Entry &other = entry->second;
    if (other.file == &shard.file)
      return badWeights("'", path.string(), "' has both '", other.tensor->name,
                        "' and '", tensor.name, "'");
    return badWeights("tensor '", tensor.name, "' is in two shards, '",
                      other.path->string(), "' and '", path.string(), "'");
  }
  return {};
}

Result<void> Checkpoint::openShards(const fs::path &index) {
  const auto document = JsonDocument::read(index, weightsRoom);
  if (!document)
    return tl::unexpected(document.error());
  const auto indexFailed = [&](const auto &...problem) {
    return badWeights("'", index.string(), "' ", problem...);
  };
  const JsonValue root = document->root();
  const auto map =
      root.is(JsonKind::Object) ? root.find("weight_map") : std::nullopt;
  if (!map || !map->is(JsonKind::Object))
    return indexFailed("expected an object with a 'weight_map', an object");
  std::set<std::string, std::less<>> names;
  for (JsonValue member : *map) {
    if (!member.is(JsonKind::String))
      return indexFailed("expected the shard of '", member.key(),
                         "' to be a file name, got ", describe(member.kind()));
    if (!isPlainFileName(member.string()))
      return indexFailed("puts '", member.key(), "' into '", member.string(),
                         "', expected the name of a file in the same folder");
    names.emplace(member.string());
  }
  for (const std::string &name : names) {
    const fs::path shard = index.parent_path() / name;
    if (!mayExist(shard))
      return indexFailed("names the shard '", name,
                         "', which is missing; download it again");
    if (auto good = add(shard); !good)
      return good;
  }
  for (JsonValue member : *map) {
    const Entry *entry = find(canonicalName(member.key()));
    if (!entry || entry->path->filename() != member.string())
      return indexFailed("puts '", member.key(), "' into '", member.string(),
                         "', which does not have it");
  }
  return {};
}

/// Why a PyTorch file is not supported, and what to do.
static tl::unexpected<Error> isPyTorch(const fs::path &path) {
  return badWeights(
      "'", path.string(),
      "' is a PyTorch file, which may contain code and is not supported; "
      "convert it to safetensors: python3 -c 'import torch, "
      "safetensors.torch as s; t = torch.load(\"",
      path.filename().string(),
      "\", weights_only=True); s.save_file({k: v.clone().contiguous() for k, v "
      "in t.items()}, \"model.safetensors\")'");
}

/// The first bytes of a regular file; none for other files, reads of which may
/// block.
static std::string magicOf(const fs::path &path) {
  std::error_code ignored;
  std::string magic(4, '\0');
  if (is_regular_file(path, ignored))
    std::ifstream(path, std::ios::binary).read(magic.data(), 4);
  return magic;
}

/// Detects an archive or a pickle by its first bytes, otherwise by its name.
static bool looksLikePyTorch(const fs::path &path) {
  const fs::path kind = path.extension();
  return kind == ".pt" || kind == ".pth" || kind == ".bin" ||
         (kind != ".safetensors" && magicOf(path) == "PK\x03\x04");
}

static bool isNamedGguf(const fs::path &path) {
  return path.extension() == ".gguf";
}

static tl::unexpected<Error> isGguf(const fs::path &path) {
  return badWeights("'", path.string(),
                    "' is a GGUF file, which is not read; take the safetensors "
                    "that it was made from");
}

/// The first file of the folder, by name, that satisfies `is`.
template <typename Is>
static std::optional<fs::path> findFile(const fs::path &folder, const Is &is) {
  std::error_code ignored;
  std::optional<fs::path> first;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end;
       entry.increment(ignored))
    if (const fs::path &path = entry->path(); is(path))
      if (!first || path < *first)
        first = path;
  return first;
}

static fs::path singleFile(const fs::path &folder) {
  return folder / "model.safetensors";
}

static fs::path indexFile(const fs::path &folder) {
  return folder / "model.safetensors.index.json";
}

/// No file of the expected names: which others there are, and what to do.
static tl::unexpected<Error> hasNoWeights(const fs::path &folder) {
  const std::string expected =
      concat("expected '", singleFile(folder).string(),
             "' or 'model.safetensors.index.json' there, found ");
  const auto other = findFile(folder, [](const fs::path &path) {
    return path.extension() == ".safetensors";
  });
  if (!other)
    return badWeights(expected, "neither");
  const std::string name = other->filename().string();
  if (name.find("-of-") != name.npos)
    return badWeights(expected, "the shard '", name,
                      "'; download the index too");
  return badWeights(expected, "'", name, "'; pass it as --weights '",
                    other->string(), "' if it is of the same format");
}

/// Whether a file of a checkpoint's folder is a PyTorch file.
static bool isNamedLikePyTorch(const fs::path &path) {
  const fs::path kind = path.extension();
  return kind == ".pt" || kind == ".pth" ||
         (kind == ".bin" &&
          path.filename().string().starts_with("pytorch_model"));
}

Result<void> Checkpoint::refuseOtherFormats(const fs::path &path) {
  std::error_code ignored;
  if (!is_directory(path, ignored)) {
    if (looksLikePyTorch(path))
      return isPyTorch(path);
    if (isNamedGguf(path) || magicOf(path) == "GGUF")
      return isGguf(path);
    return {};
  }
  if (mayExist(singleFile(path)) || mayExist(indexFile(path)))
    return {};
  if (const auto torch = findFile(path, isNamedLikePyTorch))
    return isPyTorch(*torch);
  if (const auto gguf = findFile(path, isNamedGguf))
    return isGguf(*gguf);
  if (const fs::path adapter = path / "adapter_config.json"; mayExist(adapter))
    return badWeights(
        "'", adapter.string(),
        "' belongs to an adapter without its base model; merge it "
        "into the base model first");
  return {};
}

void Checkpoint::split(const SplitTensor &rule) {
  const auto count = int64_t(rule.parts.size());
  std::vector<std::pair<std::string, Entry>> whole;
  for (const auto &[name, entry] : entries) {
    const std::vector<int64_t> &shape = entry.tensor->shape;
    const size_t suffix = name.rfind('.');
    if (suffix != name.npos && matches(name.substr(0, suffix), rule.name) &&
        !shape.empty() && shape[0] % (rule.groups * count) == 0)
      whole.emplace_back(name, entry);
  }
  for (auto &[name, entry] : whole) {
    entries.erase(name);
    const size_t suffix = name.rfind('.');
    const size_t module = name.rfind('.', suffix - 1) + 1;
    StoredTensor part = *entry.tensor;
    part.shape[0] /= count;
    for (int64_t i = 0; i < count; ++i)
      entries.try_emplace(concat(name.substr(0, module), rule.parts[size_t(i)],
                                 name.substr(suffix)),
                          Entry{&parts.emplace_back(part), entry.file,
                                entry.path, rule.groups, count, i});
  }
}

std::string Checkpoint::Entry::description() const {
  return scales && blockRows == 0 ? concat("mxfp4", formatShape(tensor->shape))
                                  : tensor->description();
}

/// Makes X.weight of tensors X_blocks [.., G, 16], two numbers of 4 bits in a
/// byte, and X_scales [.., G].
void Checkpoint::joinBlocks() {
  constexpr std::string_view ofBlocks = "_blocks", ofScales = "_scales";
  std::vector<std::string> modules;
  for (const auto &[name, entry] : entries)
    if (name.ends_with(ofBlocks))
      modules.push_back(name.substr(0, name.size() - ofBlocks.size()));
  for (const std::string &name : modules) {
    const auto blocks = entries.find(concat(name, ofBlocks));
    const auto scales = entries.find(concat(name, ofScales));
    if (scales == entries.end() || scales->second.file != blocks->second.file)
      continue;
    const StoredTensor &stored = *blocks->second.tensor;
    std::vector<int64_t> shape = scales->second.tensor->shape;
    shape.push_back(mxfp4Block / 2);
    if (stored.type != StoredType::U8 || stored.shape != shape ||
        scales->second.tensor->type != StoredType::U8 || shape.size() < 2)
      continue;
    StoredTensor &whole = parts.emplace_back(stored);
    shape.pop_back();
    shape.back() *= mxfp4Block;
    whole.shape = shape;
    Entry entry = blocks->second;
    entry.tensor = &whole;
    entry.scales = scales->second.tensor;
    entry.scalesFile = scales->second.file;
    entries.erase(blocks);
    entries.erase(scales);
    entries.try_emplace(name + ".weight", entry);
  }
}

/// How many of `count` rows or columns share one of `scales` scales: the usual
/// block, whose last one may be cut, or equal parts; 0 if neither.
static int64_t blockSize(int64_t count, int64_t scales) {
  constexpr int64_t usual = 128;
  if (scales > 1 && (count + usual - 1) / usual == scales)
    return usual;
  return scales > 0 && count % scales == 0 ? count / scales : 0;
}

/// Makes X.weight of f8 tensors X.weight [O, K] and their scales: a number, one
/// for each row, or one for each block. Scales of the rounding of activations,
/// which are not rounded here, are not read.
void Checkpoint::joinScales() {
  constexpr std::string_view suffix = ".weight";
  std::vector<std::string> names;
  for (const auto &[name, entry] : entries)
    if (name.ends_with(suffix) && entry.parts == 1 &&
        (entry.tensor->type == StoredType::F8E4M3 ||
         entry.tensor->type == StoredType::F8E5M2) &&
        entry.tensor->shape.size() == 2)
      names.push_back(name);
  for (const std::string &name : names) {
    Entry &entry = entries.find(name)->second;
    for (const std::string_view kind : {"_scale_inv", "_scale"}) {
      const auto scales = entries.find(concat(name, kind));
      if (scales == entries.end())
        continue;
      std::vector<int64_t> shape = scales->second.tensor->shape;
      shape.resize(2, 1);
      const int64_t rows = blockSize(entry.tensor->shape[0], shape[0]);
      const int64_t columns = blockSize(entry.tensor->shape[1], shape[1]);
      if (rows == 0 || columns == 0 || scales->second.tensor->shape.size() > 2)
        continue;
      entry.scales = scales->second.tensor;
      entry.scalesFile = scales->second.file;
      entry.blockRows = rows;
      entry.blockColumns = columns;
      entries.erase(scales);
      break;
    }
    for (const std::string_view kind : {".input_scale", ".input_scale_ub"})
      if (const auto rounding = entries.find(
              name.substr(0, name.size() - suffix.size()).append(kind));
          rounding != entries.end())
        entries.erase(rounding);
  }
}

void Checkpoint::transpose(const std::string &pattern) {
  std::vector<std::pair<std::string, Entry>> found;
  for (const auto &[name, entry] : entries)
    if (matches(name, pattern) && entry.tensor->shape.size() == 3)
      found.emplace_back(name, entry);
  for (auto &[name, entry] : found) {
    StoredTensor &turned = parts.emplace_back(*entry.tensor);
    std::swap(turned.shape[1], turned.shape[2]);
    entry.tensor = &turned;
    entry.isTransposed = true;
    entries.erase(name);
    entries.try_emplace(name + ".weight", entry);
  }
}

void Checkpoint::dropOtherModalities() {
  const auto isText = [](const auto &named) {
    return isOfTextModel(named.second.tensor->name);
  };
  if (std::ranges::any_of(entries, isText))
    std::erase_if(entries, [&](const auto &named) {
      return !isText(named) && !named.first.starts_with("lm_head.");
    });
}

Result<Checkpoint>
Checkpoint::open(const fs::path &path, std::span<const std::string> strip,
                 std::span<const SplitTensor> split,
                 std::span<const std::string> transposedExperts) {
  Result<void> good = refuseOtherFormats(path);
  if (!good)
    return tl::unexpected(std::move(good.error()));
  Checkpoint checkpoint(strip);
  const fs::path single = singleFile(path), index = indexFile(path);
  std::error_code ignored;
  if (!is_directory(path, ignored)) {
    checkpoint.opened = path;
    good = checkpoint.add(path);
  } else if (mayExist(single)) {
    checkpoint.opened = single;
    good = checkpoint.add(single);
  } else if (mayExist(index)) {
    checkpoint.opened = index;
    good = checkpoint.openShards(index);
  } else {
    return hasNoWeights(path);
  }
  if (!good)
    return tl::unexpected(std::move(good.error()));
  checkpoint.dropOtherModalities();
  for (const SplitTensor &rule : split)
    checkpoint.split(rule);
  checkpoint.joinBlocks();
  checkpoint.joinScales();
  for (const std::string &pattern : transposedExperts)
    checkpoint.transpose(pattern);
  return checkpoint;
}

std::string Checkpoint::identity() const {
  constexpr size_t sample = 64;
  std::string text;
  for (const auto &[name, entry] : entries) {
    text += concat(name, entry.tensor->description());
    const std::span<const std::byte> bytes = entry.bytes();
    const size_t few = std::min(sample, bytes.size());
    for (const size_t at :
         {size_t(0), (bytes.size() - few) / 2, bytes.size() - few})
      text.append(reinterpret_cast<const char *>(bytes.data() + at), few);
  }
  char digits[24];
  std::snprintf(digits, sizeof(digits), "%016zx",
                std::hash<std::string>()(text));
  return concat(entries.size(), " tensors with digest ", digits);
}

const Checkpoint::Entry *Checkpoint::find(std::string_view name) const {
  const auto found = entries.find(name);
  return found == entries.end() ? nullptr : &found->second;
}
