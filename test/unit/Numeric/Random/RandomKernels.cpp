// The random kernels selected for a test run.
#include "RandomKernels.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>

using llvm::StringRef;

namespace tilegpt::numeric {

std::vector<NumericCase> randomKernels() {
  const char *variable = std::getenv("TILEGPT_RANDOM_KERNELS");
  StringRef wanted = variable ? variable : "1:12";
  auto [firstText, countText] = wanted.split(':');
  uint64_t first, count;
  if (firstText.getAsInteger(10, first) || countText.getAsInteger(10, count))
    llvm::report_fatal_error("TILEGPT_RANDOM_KERNELS: expected FIRST:COUNT, "
                             "found '" +
                                 wanted + "'",
                             /*gen_crash_diag=*/false);
  std::vector<NumericCase> kernels;
  for (uint64_t seed = first; seed < first + count; ++seed)
    for (auto *family :
         {randomChain, randomProduct, randomAttention, randomRows})
      kernels.push_back(family(seed));
  return kernels;
}

} // namespace tilegpt::numeric
