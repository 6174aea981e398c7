// The rule for expressions over the arguments of a launch.
#ifndef TILEGPT_LIB_BUNDLE_VALIDATEEXPRESSION_H
#define TILEGPT_LIB_BUNDLE_VALIDATEEXPRESSION_H

#include "TileGPT/Bundle/Bundle.h"
#include <string>

namespace tilegpt::bundle {

/// Checks that an expression leaves exactly one value and refers only to
/// existing sizes and scalars of the arguments.
/// \returns an error text whose subject is the expression; empty if valid.
std::string expressionProblem(std::span<const Expression> expression,
                              std::span<const Argument> actuals);

} // namespace tilegpt::bundle

#endif // TILEGPT_LIB_BUNDLE_VALIDATEEXPRESSION_H
