// Blocks that share a multiprocessor by their plan.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_RESIDENTS_H
#define TILEGPT_DIALECT_TILEGPU_IR_RESIDENTS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include <algorithm>

namespace tilegpt::tilegpu {

/// Whether blocks stage long rows, in shared memory or registers. Other blocks
/// without a producer have no number of residents.
inline bool stagesRows(PlanAttr plan) {
  return !plan.getProducer() && plan.getBlocks() != 0;
}

/// Blocks with a producer that a multiprocessor holds at a time.
inline int64_t residentsWithProducer(PlanAttr plan) {
  return plan.getProducer() ? std::max<int64_t>(plan.getBlocks(), 1) : 1;
}

} // namespace tilegpt::tilegpu

#endif
