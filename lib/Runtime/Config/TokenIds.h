// The token ids of a key such as eos_token_id.
#pragma once
#include "TileGPT/Runtime/Data/Json.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace tilegpt::runtime {

/// Appends the ids that `value`, an integer or an array of integers, lists.
/// Ids outside of the vocabulary are dropped: the default configurations of
/// Hugging Face name the special tokens of the original tokenizer, which a
/// model with a smaller vocabulary never produces. Returns the first value that
/// is not an integer, or nothing.
inline std::optional<JsonValue> addTokenIds(JsonValue value, int64_t vocabulary,
                                            std::vector<int32_t> &ids) {
  const auto add = [&](JsonValue id) {
    if (!id.is(JsonKind::Integer))
      return false;
    if (id.integer() >= 0 && id.integer() < vocabulary)
      ids.push_back(int32_t(id.integer()));
    return true;
  };
  if (!value.is(JsonKind::Array))
    return add(value) ? std::nullopt : std::optional(value);
  for (const JsonValue id : value)
    if (!add(id))
      return id;
  return std::nullopt;
}

} // namespace tilegpt::runtime
