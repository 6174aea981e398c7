// What a launch knows of an argument of a raw kernel before it runs. Plain C++:
// launches have no IR.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ARGUMENTFACTS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ARGUMENTFACTS_H

#include <cstdint>
#include <optional>

namespace tilegpt::tile {

struct ArgumentFacts {
  /// A power of two that divides the integer, or the address in bytes.
  int64_t divisor = 1;
  /// Of an integer.
  std::optional<int64_t> value = {};

  bool operator==(const ArgumentFacts &) const = default;
  auto operator<=>(const ArgumentFacts &) const = default;
};

/// Of which facts about an argument a kernel could make use.
struct WantedFacts {
  int64_t divisor = 1; ///< a power of two; 1: none
  bool isOne = false;  ///< whether it matters that the value is 1
  unsigned bits = 64;  ///< of the argument

  /// What holds of an argument that was given.
  /// \param word its bits, the lowest first; those beyond its type do not
  /// count.
  /// \returns the divisor that is wanted, a quarter of it, or 1: few kinds of
  /// launches, each of which is compiled by itself.
  ArgumentFacts of(uint64_t word) const {
    if (bits < 64)
      word &= (uint64_t(1) << bits) - 1;
    if (isOne && word == 1)
      return {1, 1};
    constexpr int64_t step = 4;
    for (int64_t known = divisor; known > 1; known /= step)
      if (word % uint64_t(known) == 0)
        return {known, {}};
    return {};
  }
};

} // namespace tilegpt::tile

#endif
