// The rule for kernels that exchange data between ranks.
#ifndef TILEGPT_LIB_BUNDLE_VALIDATECOLLECTIVE_H
#define TILEGPT_LIB_BUNDLE_VALIDATECOLLECTIVE_H

#include "TileGPT/Bundle/Bundle.h"
#include <string>

namespace tilegpt::bundle {

/// Checks that the operands of a collective are rows of numbers.
/// \param kernel whose parameter range is within its table.
/// \returns an error text; empty for valid collectives and other kernels.
std::string collectiveProblem(const Bundle &bundle, const Kernel &kernel);

} // namespace tilegpt::bundle

#endif // TILEGPT_LIB_BUNDLE_VALIDATECOLLECTIVE_H
