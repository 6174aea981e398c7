// Compares the weights that a session needs with a checkpoint, so that a
// mismatch is reported before any conversion, naming both sides.
#include "Convert.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "WeightNames.h"
#include "WeightsError.h"
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;

bool WeightStore::mayBeTransposed(std::string_view name) const {
  return name.ends_with(".weight") &&
         std::ranges::any_of(table.transposed, [&](const auto &pattern) {
           return matches(moduleOf(name), pattern);
         });
}

/// Whether the file stores [in, out] while [out, in] is required.
bool WeightStore::isTransposed(std::string_view name) const {
  return layout == WeightsLayout::Conv1d && mayBeTransposed(name);
}

const Interleaving *WeightStore::interleavingOf(std::string_view name) const {
  for (const Interleaving &rows : table.interleaved)
    if (matches(moduleOf(name), rows.name))
      return &rows;
  return nullptr;
}

int64_t WeightStore::rowsOf(std::string_view name,
                            const StoredTensor &tensor) const {
  const Interleaving *order = interleavingOf(name);
  return order ? order->rows() : matrixShape(tensor)[0];
}

int64_t WeightStore::skippedRows(std::string_view name) const {
  for (const auto &[pattern, rows] : table.skipped)
    if (matches(moduleOf(name), pattern))
      return rows;
  return 0;
}

/// One tensor determines the layout: it is never square.
Result<void> WeightStore::decideLayout(std::span<const WeightNeed> needs) {
  const std::string witness = table.witness + ".weight";
  const Checkpoint::Entry *entry = files.find(witness);
  if (layout != WeightsLayout::Auto || !entry)
    return {};
  const auto need = std::ranges::find(needs, witness, &WeightNeed::name);
  const std::vector<int64_t> &stored = entry->tensor->shape;
  if (need == needs.end() || need->shape.size() != 2)
    return {};
  const std::array turned = {need->shape[1], need->shape[0]};
  if (std::ranges::equal(stored, turned))
    layout = WeightsLayout::Conv1d;
  else if (std::ranges::equal(stored, need->shape))
    layout = WeightsLayout::Linear;
  else
    return badWeights("'", witness, "' expected ", formatShape(need->shape),
                      " or ", formatShape(turned), ", got ",
                      entry->tensor->description(),
                      sizeHint(need->shape, stored));
  return {};
}

/// The fix for a transposed matrix.
std::string WeightStore::layoutHint(std::string_view name,
                                    const StoredTensor &tensor,
                                    std::span<const int64_t> expected) const {
  if (!mayBeTransposed(name) || expected.size() != 2 ||
      !std::ranges::equal(tensor.shape, std::array{expected[1], expected[0]}))
    return "";
  if (asked == WeightsLayout::Auto)
    return concat(" (the other way round than '", table.witness,
                  ".weight'; all must have the same layout)");
  return asked == WeightsLayout::Conv1d
             ? " (PyTorch Linear layout; pass --weights-layout=linear)"
             : " (Conv1D layout; pass --weights-layout=conv1d)";
}

/// The keys of config.json with the size in question, or all of them: sizes may
/// be products.
/// \param found  empty for a missing tensor.
std::string WeightStore::sizeHint(std::span<const int64_t> expected,
                                  std::span<const int64_t> found) const {
  std::string guilty, all;
  for (const auto &[key, value] : sizes) {
    const std::string text = concat(key, " = ", value);
    bool isGuilty = false;
    for (size_t axis = 0; axis < std::min(expected.size(), found.size());
         ++axis)
      isGuilty |= expected[axis] == value && found[axis] != value;
    if (isGuilty)
      guilty += (guilty.empty() ? "" : ", ") + text;
    all += (all.empty() ? "" : ", ") + text;
  }
  if (all.empty())
    return "";
  return concat("; config.json says ", guilty.empty() ? all : guilty);
}

/// What the file has in the place of a missing tensor: the same name behind a
/// prefix, or other tensors of its module, as those of quantized weights are.
static std::string hintAtSimilar(const Checkpoint &files,
                                 std::string_view missing) {
  const std::string behindPrefix = concat(".", missing);
  const std::string module = concat(moduleOf(missing), ".");
  std::string_view sibling;
  for (const auto &[name, entry] : files.tensors()) {
    if (name.ends_with(behindPrefix))
      return concat("; it has '", entry.tensor->name,
                    "', whose prefix the model does not know");
    if (sibling.empty() && name.starts_with(module))
      sibling = entry.tensor->name;
  }
  if (sibling.empty())
    return "";
  return concat("; it has '", sibling,
                "', of weights in another form: quantized, or with an adapter "
                "that is not merged");
}

/// \param expected  sizes as the kernels expect them, [out, in]; -1 as the
/// first size matches any.
Result<const Checkpoint::Entry *>
WeightStore::checkPart(std::string_view name,
                       std::span<const int64_t> expected) const {
  std::vector<int64_t> stored(expected.begin(), expected.end());
  if (isTransposed(name) && stored.size() == 2)
    std::swap(stored[0], stored[1]);
  if (!stored.empty() && stored[0] >= 0)
    stored[0] += skippedRows(name);
  const auto format = [&] {
    std::string text = formatShape(stored);
    if (const size_t any = text.find("-1"); any != text.npos)
      text.replace(any, 2, "?");
    return text;
  };
  const Checkpoint::Entry *entry = files.find(name);
  if (!entry) {
    const std::string similar = hintAtSimilar(files, name);
    return badWeights("'", files.path().string(), "' has no tensor '", name,
                      "', expected ", format(),
                      similar.empty() ? sizeHint(stored, {}) : similar);
  }
  const StoredTensor &tensor = *entry->tensor;
  if (!entry->scales && !canConvert(tensor.type, ElementType::F32))
    return badWeights("'", name, "' expected f32, f16, bf16, f64 or f8",
                      format(), ", got ", entry->description());
  if (entry->scales && (!canConvert(entry->scales->type, ElementType::F32) &&
                        entry->blockRows != 0))
    return badWeights("'", name,
                      "' expected scales in f32, f16, bf16 or f64, "
                      "got ",
                      entry->scales->description());
  if (entry->scales && isTransposed(name))
    return badWeights("'", name,
                      "' is quantized and stored as [in, out], "
                      "which is not supported");
  const Interleaving *order = interleavingOf(name);
  std::vector<int64_t> found = shapeAs(tensor, stored.size());
  // A vector named in full, such as the biases of all experts, may be stored as
  // a matrix.
  if (stored.size() == 1 && tensor.shape.size() == 2 && moduleOf(name) == name)
    found = {std::accumulate(tensor.shape.begin(), tensor.shape.end(),
                             int64_t(1), std::multiplies<>())};
  const bool fits =
      std::ranges::equal(found, stored, [](int64_t size, int64_t wanted) {
        return wanted < 0 || size == wanted;
      });
  if (!fits)
    return badWeights(
        "'", name, "' expected ",
        entry->scales && entry->blockRows == 0 ? "mxfp4"
                                               : runtime::name(tensor.type),
        format(), ", got ", entry->description(),
        layoutHint(name, tensor, stored), sizeHint(stored, tensor.shape));
  if (order && !hasRows(tensor, order->rows()))
    return badWeights("'", name, "' expected ", order->rows(), " rows, got ",
                      entry->description());
  return entry;
}

Result<WeightStore::Parts> WeightStore::check(const WeightNeed &need) const {
  if (!canConvert(StoredType::F32, need.type))
    return badWeights("'", need.name, "' is asked for in ",
                      bundle::name(need.type),
                      ", but weights come in f32, f16, bf16 or f64");
  Parts parts;
  const std::vector<std::string_view> names = partsOf(need.name);
  std::vector<int64_t> expected(need.shape.begin(), need.shape.end());
  if (names.size() > 1 && !expected.empty())
    expected[0] = -1;
  int64_t rows = 0;
  for (const std::string_view name : names) {
    const auto entry = checkPart(name, expected);
    if (!entry)
      return tl::unexpected(entry.error());
    parts.push_back(*entry);
    const std::vector<int64_t> shape =
        shapeAs(*(*entry)->tensor, need.shape.size());
    if (names.size() > 1)
      rows += shape.empty()
                  ? 1
                  : shape[isTransposed(name) ? 1 : 0] - skippedRows(name);
  }
  if (names.size() > 1 && (need.shape.empty() || rows != need.shape[0]))
    return badWeights("'", need.name, "' expected ", formatShape(need.shape),
                      ", got ", rows, " rows together",
                      sizeHint(need.shape, std::array{rows}));
  return parts;
}

/// An unused tensor, such as a bias, may distinguish two models.
Result<void>
WeightStore::refuseUnused(std::span<const WeightNeed> needs) const {
  std::set<std::string_view> known;
  for (const WeightNeed &need : needs)
    for (const std::string_view part : partsOf(need.name))
      known.insert(part);
  std::vector<std::string> heads;
  for (const auto &[head, tied] : table.tied)
    heads.push_back(head + ".weight");
  for (const auto &[name, entry] : files.tensors()) {
    const auto isName = [&](const std::string &pattern) {
      return matches(name, pattern);
    };
    if (!known.contains(name) && std::ranges::none_of(heads, isName) &&
        std::ranges::none_of(table.ignored, isName))
      return badWeights(
          "'", entry.path->string(), "' has the tensor '", entry.tensor->name,
          "' (", entry.description(),
          "), which the model does not use; it is of another model, "
          "or its sizes are wrong");
  }
  return {};
}

Result<void> WeightStore::prepare(std::span<const WeightNeed> asked) {
  std::vector<WholeWeight> wholes;
  std::vector<WeightNeed> needs;
  for (const WeightNeed &need : asked) {
    auto whole = wholeOf(need.name, need.shape);
    if (!whole)
      return tl::unexpected(whole.error());
    wholes.push_back(std::move(*whole));
  }
  for (size_t i = 0; i < asked.size(); ++i)
    if (!wholes[i].isBegin())
      needs.push_back({wholes[i].name, asked[i].type, wholes[i].shape});
  if (auto decided = decideLayout(needs); !decided)
    return decided;
  for (const WeightNeed &need : needs)
    if (const auto parts = check(need); !parts)
      return tl::unexpected(parts.error());
  return refuseUnused(needs);
}
