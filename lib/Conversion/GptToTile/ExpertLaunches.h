// Launches of mixture-of-experts blocks.
#ifndef TILEGPT_LIB_CONVERSION_GPTTOTILE_EXPERTLAUNCHES_H
#define TILEGPT_LIB_CONVERSION_GPTTOTILE_EXPERTLAUNCHES_H

#include "LaunchBuilder.h"

namespace tilegpt::gpt {

/// Lowers gpt.route and gpt.experts of one function.
class ExpertLaunches {
public:
  explicit ExpertLaunches(LaunchBuilder &builder) : builder(builder) {}

  mlir::FailureOr<mlir::ValueRange> lower(RouteOp op);
  mlir::FailureOr<mlir::ValueRange> lower(ExpertsOp op);

private:
  LaunchBuilder &builder;
};

} // namespace tilegpt::gpt

#endif
