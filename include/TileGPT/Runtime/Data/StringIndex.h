// Maps strings to numbers in the order in which they were added. Designed for
// loading: strings are not copied, nothing is removed, and the size is known in
// advance, so a lookup is usually one probe of a flat table.
#ifndef TILEGPT_RUNTIME_DATA_STRINGINDEX_H
#define TILEGPT_RUNTIME_DATA_STRINGINDEX_H

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tilegpt::runtime {

class StringIndex {
public:
  /// \param capacity  the maximum number of strings.
  explicit StringIndex(size_t capacity)
      : slots(std::bit_ceil(2 * capacity + 1)) {
    texts.reserve(capacity);
  }

  /// Adds a string, which must stay alive, as number size().
  /// \returns the number of the string and whether it is new.
  std::pair<uint32_t, bool> add(std::string_view text) {
    const auto hash = uint32_t(std::hash<std::string_view>()(text));
    Slot &slot = slots[locate(text, hash)];
    if (slot.number != empty)
      return {slot.number, false};
    slot = {hash, uint32_t(texts.size())};
    texts.push_back(text);
    return {slot.number, true};
  }

  std::optional<uint32_t> find(std::string_view text) const {
    const auto hash = uint32_t(std::hash<std::string_view>()(text));
    const Slot &slot = slots[locate(text, hash)];
    return slot.number == empty ? std::nullopt : std::optional(slot.number);
  }

  size_t size() const { return texts.size(); }

private:
  static constexpr uint32_t empty = ~uint32_t(0);
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = empty;
  };

  /// The slot of the string: linear probing, at most half full.
  size_t locate(std::string_view text, uint32_t hash) const {
    const size_t mask = slots.size() - 1;
    size_t i = hash & mask;
    while (slots[i].number != empty &&
           (slots[i].hash != hash || texts[slots[i].number] != text))
      i = (i + 1) & mask;
    return i;
  }

  std::vector<Slot> slots;
  std::vector<std::string_view> texts;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_STRINGINDEX_H
