// Sizes of tiles of unaligned matrices whose columns are summed.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_RESIZECOLUMNS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_RESIZECOLUMNS_H

#include "Columns/ColumnSums.h"

namespace tilegpt::tilegpu {

/// Gives a loop over unaligned rows tiles that `--tile-gpu-cover-columns` reads
/// in whole units. Does nothing if the rows are aligned or the loop does not
/// suit.
void resizeColumns(tile::KernelOp kernel, const ColumnSums &sums,
                   int64_t multiprocessors);

} // namespace tilegpt::tilegpu

#endif
