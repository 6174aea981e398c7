// Evaluates the sizes and grids of a launch for the N and B of a step, with
// overflow checks.
#ifndef TILEGPT_RUNTIME_ENGINE_EVALUATE_H
#define TILEGPT_RUNTIME_ENGINE_EVALUATE_H

#include "TileGPT/Bundle/Format.h"
#include <optional>
#include <span>

namespace tilegpt::runtime {

/// The launch data available to grid expressions: the words of argument i start
/// at words[firstWord[i]].
struct LaunchWords {
  std::span<const bundle::Argument> arguments;
  std::span<const uint32_t> firstWord;
  std::span<const uint64_t> words;
};

/// \returns nothing on overflow.
std::optional<int64_t> evaluate(const bundle::Extent &extent, int64_t rows,
                                int64_t sequences);

/// \param postfix checked by Bundle.
/// \returns nothing on overflow or division by zero.
std::optional<int64_t> evaluate(std::span<const bundle::Expression> postfix,
                                const LaunchWords &launch);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_EVALUATE_H
