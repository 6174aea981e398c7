// A plan resolved for concrete sizes: the argument words and the grid of every
// launch, independent of the device. Only addresses are left open.
#ifndef TILEGPT_RUNTIME_ENGINE_RESOLVEDPLAN_H
#define TILEGPT_RUNTIME_ENGINE_RESOLVEDPLAN_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Engine/Engine.h"
#include <vector>

namespace tilegpt::runtime {

/// A word that holds an address: the start of a buffer plus an offset.
struct AddressWord {
  uint32_t word = 0; ///< in ResolvedPlan::words
  uint32_t buffer = 0;
  int64_t byteOffset = 0;
};

struct ResolvedLaunch {
  const bundle::Launch *launch = nullptr;
  size_t firstWord = 0; ///< argument after argument: a view as address, sizes,
                        ///< strides; a scalar as one word
  size_t wordCount = 0;
  int64_t grid[3] = {};
  int64_t blocks = 0; ///< product of grid; > 0
};

/// The launches of a plan at (rows, sequences), without those whose grid is
/// empty.
struct ResolvedPlan {
  int64_t rows = 0; ///< 0: not resolved
  int64_t sequences = 0;
  std::vector<uint64_t> words;
  std::vector<AddressWord> addresses;
  std::vector<ResolvedLaunch> launches;
};

/// The number of words of an argument.
constexpr size_t wordCount(const bundle::Argument &argument) {
  return argument.kind == bundle::ArgumentKind::View
             ? 1 + 2 * size_t(argument.rank)
             : 1;
}

/// \param subject the start of messages: "cpu".
/// \returns OutOfRange unless the plan can be run with these sizes.
Result<void> checkSizes(const bundle::Bundle &bundle, const bundle::Plan &plan,
                        int64_t rows, int64_t sequences,
                        std::string_view subject);

/// Resolves a plan for sizes that have been checked into `resolved`, reusing
/// its memory.
/// \returns Failure if a view exceeds its buffer or a size cannot be computed;
/// `resolved` is then not resolved.
Result<void> resolve(const bundle::Bundle &bundle, const bundle::Plan &plan,
                     int64_t rows, int64_t sequences, std::string_view subject,
                     ResolvedPlan &resolved);

/// "cpu: plan 'decode' at 1 rows of 1 sequences: launch of 'linear' (head): …"
/// \param problem the rest of the sentence.
Error cannotLaunch(const bundle::Bundle &bundle, const Step &step,
                   const bundle::Launch &launch, std::string_view subject,
                   std::string_view problem);

/// "cpu: kernel 'attention' (h.3.attn) failed: …" with the message of the
/// assertion.
/// \param status returned or stored by the kernel: 1 + the assertion's number.
Error assertFailed(const bundle::Bundle &bundle, const bundle::Launch &launch,
                   int32_t status, std::string_view subject);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_RESOLVEDPLAN_H
