// How long a product takes by fused multiply-adds: what its tiles are chosen
// by.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_MULTIPLYADDCOST_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_MULTIPLYADDCOST_H

#include <cstdint>

namespace tilegpt::tilegpu {

/// About how many cycles the steps of a product take.
/// \param blocks  of a tile each.
/// \param steps   along the depth, of 32 elements.
int64_t cyclesOfMultiplyAdd(int64_t tileRows, int64_t tileColumns,
                            int64_t blocks, int64_t steps,
                            int64_t multiprocessors);

} // namespace tilegpt::tilegpu

#endif
