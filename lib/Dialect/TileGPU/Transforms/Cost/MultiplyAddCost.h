// Models the time of a product by fused multiply-adds, to choose its tiles and
// the number of resident blocks per multiprocessor.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COST_MULTIPLYADDCOST_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COST_MULTIPLYADDCOST_H

#include <cstdint>

namespace tilegpt::tilegpu {

struct MultiplyAddTime {
  int64_t cycles;    ///< estimate for all steps
  int64_t residents; ///< resident blocks that take them
};

/// \param blocks  the number of blocks, one tile each.
/// \param steps  steps along the depth, of 32 elements.
/// \param sharedBytes  shared memory of a multiprocessor.
MultiplyAddTime timeOfMultiplyAdd(int64_t tileRows, int64_t tileColumns,
                                  int64_t blocks, int64_t steps,
                                  int64_t multiprocessors, int64_t sharedBytes);

} // namespace tilegpt::tilegpu

#endif
