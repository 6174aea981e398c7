// The shared memory through which warps store rows of 32-bit elements
// (`tile_gpu.row_store`): what is planned for it and what becomes of the plan.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_ROWSTORES_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_ROWSTORES_H

#include <cstdint>

namespace tilegpt::tilegpu {

/// A warp brings eight rows at a time to shared memory, each padded by a unit
/// of 16 bytes.
inline constexpr int64_t storedRows = 8, rowUnit = 4;

/// The most columns, a multiple of 8 and at most `most`, that a tile can be cut
/// into; 0 where that is less than a line, which threads better store for
/// themselves.
inline int64_t columnsOfRowStore(int64_t columns, int64_t most = 192) {
  constexpr int64_t step = 8, least = 32;
  for (int64_t width = most / step * step; width >= least; width -= step)
    if (columns % width == 0)
      return width;
  return 0;
}

} // namespace tilegpt::tilegpu

#endif
