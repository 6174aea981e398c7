// The syntax of weight names.
#ifndef TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTNAMES_H
#define TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTNAMES_H

#include "TileGPT/Bundle/WeightShard.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "TileGPT/Runtime/Data/StoredType.h"
#include "TileGPT/Runtime/Weights/WeightMemory.h"
#include "WeightsError.h"
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// The tensors that a weight concatenates along rows: "a.weight+b.weight".
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

/// A weight of which a rank needs a part, treated as a whole.
struct WholeWeight {
  std::string_view name;
  std::optional<bundle::WeightShard> shard; ///< nothing: it needs the whole
  std::vector<int64_t> shape;

  /// Whether it is a row index rather than a stored weight.
  bool isBegin() const {
    return shard && shard->axis == bundle::WeightShard::Axis::Begin;
  }
};

/// \returns BadInput if part and whole are inconsistent.
inline Result<WholeWeight> wholeOf(std::string_view name,
                                   std::span<const int64_t> shape) {
  using Axis = bundle::WeightShard::Axis;
  auto parsed = bundle::parseShardedName(name);
  if (!parsed)
    return badWeights("'", name, "' does not name its part of a weight");
  WholeWeight whole{
      parsed->whole, std::move(parsed->shard), {shape.begin(), shape.end()}};
  if (!whole.shard || whole.shard->axis == Axis::First || whole.isBegin())
    return whole;
  const size_t axis = whole.shard->axis == Axis::Rows ? 0 : 1;
  if (axis >= shape.size() || shape[axis] != whole.shard->partSize())
    return badWeights("'", name, "' is asked for as ", formatShape(shape));
  whole.shape[axis] = whole.shard->wholeSize();
  return whole;
}

/// Memory with the index of the first row of the part of `rank`.
/// \returns BadInput unless the weight is a single i32; Device if memory is
/// exhausted.
inline Result<const void *> makeBegin(const WholeWeight &whole,
                                      bundle::ElementType type,
                                      bundle::Rank rank, WeightMemory &memory) {
  if (type != bundle::ElementType::I32 ||
      whole.shape != std::vector{int64_t(1)})
    return badWeights("the first row of '", whole.name,
                      "' is i32[1], but is asked for as ", bundle::name(type),
                      formatShape(whole.shape));
  const auto begin = int32_t(whole.shard->beginOf(rank));
  const auto place = memory.allocate(sizeof(begin));
  if (!place)
    return tl::unexpected(place.error());
  std::memcpy(*place, &begin, sizeof(begin));
  return *place;
}

/// The shape of a tensor as a weight of so many axes: packed matrices [E, O, K]
/// are the rows of one [E·O, K], and a vector [D] is a row [1, D], or a row
/// a vector.
inline std::vector<int64_t> shapeAs(const StoredTensor &tensor, size_t axes) {
  std::vector<int64_t> shape = tensor.shape;
  while (shape.size() > axes && (axes >= 2 || shape[0] == 1)) {
    if (shape.size() > 1)
      shape[1] *= shape[0];
    shape.erase(shape.begin());
  }
  while (shape.size() < axes)
    shape.insert(shape.begin(), 1);
  return shape;
}

/// A tensor as a matrix: all axes but the last are rows.
inline std::vector<int64_t> matrixShape(const StoredTensor &tensor) {
  return shapeAs(tensor, std::min<size_t>(tensor.shape.size(), 2));
}

/// Whether the first `rows` rows of a tensor whose order is known are all of
/// it: the product of some of its first axes.
inline bool hasRows(const StoredTensor &tensor, int64_t rows) {
  int64_t product = 1;
  for (const int64_t size : tensor.shape) {
    product *= size;
    if (product == rows)
      return true;
  }
  return false;
}

/// The layer part of a tensor name: "h.0.ln_1" of "h.0.ln_1.weight".
inline std::string_view moduleOf(std::string_view tensor) {
  for (const std::string_view end : {".weight", ".bias"})
    if (tensor.ends_with(end))
      return tensor.substr(0, tensor.size() - end.size());
  return tensor;
}

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTNAMES_H
