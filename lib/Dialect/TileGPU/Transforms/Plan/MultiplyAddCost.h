// How long a product takes by fused multiply-adds: what its tiles are chosen
// by, and how many of them a multiprocessor works on at a time.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_MULTIPLYADDCOST_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_MULTIPLYADDCOST_H

#include <cstdint>

namespace tilegpt::tilegpu {

struct MultiplyAddTime {
  int64_t cycles;    ///< about so many, for all steps
  int64_t residents; ///< blocks of a multiprocessor at a time that take them
};

/// \param blocks       of a tile each.
/// \param steps        along the depth, of 32 elements.
/// \param sharedBytes  of a multiprocessor.
MultiplyAddTime timeOfMultiplyAdd(int64_t tileRows, int64_t tileColumns,
                                  int64_t blocks, int64_t steps,
                                  int64_t multiprocessors, int64_t sharedBytes);

} // namespace tilegpt::tilegpu

#endif
