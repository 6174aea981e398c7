// Facts that a launch knows about an argument of a raw kernel at run time.
// Plain C++: launches have no IR.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ARGUMENTFACTS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ARGUMENTFACTS_H

#include <cstdint>
#include <optional>

namespace tilegpt::tile {

struct ArgumentFacts {
  /// A power of two that divides the integer, or the address in bytes.
  int64_t divisor = 1;
  /// Value of an integer.
  std::optional<int64_t> value = {};

  bool operator==(const ArgumentFacts &) const = default;
  auto operator<=>(const ArgumentFacts &) const = default;
};

/// Which facts about an argument a kernel could use.
struct WantedFacts {
  int64_t divisor = 1; ///< a power of two; 1: none
  bool isOne = false;  ///< whether it matters that the value is 1
  unsigned bits = 64;  ///< of the argument

  /// The facts that hold for a given argument.
  /// \param word its bits, lowest first; those beyond its type are ignored.
  /// \returns the wanted divisor, a quarter of it, or 1, which limits the
  /// number of specializations.
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
