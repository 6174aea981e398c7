// Tables of measured matmuls: times of tiles and plans by size, which outlive
// the kernels that were measured.
#ifndef TILEGPT_LIB_COMPILER_LAUNCHTUNING_PRODUCTTABLE_H
#define TILEGPT_LIB_COMPILER_LAUNCHTUNING_PRODUCTTABLE_H

#include "TileGPT/Runtime/Error.h"
#include "TileGPT/Runtime/Tuning/Records.h"
#include <string_view>

namespace tilegpt::compiler {

/// A time of `linear` on bf16 [m, k] and [n, k].
struct TimedProduct {
  int64_t m, n, k;
  runtime::Choice choice;
  double microseconds;
};

/// Parses comma-separated values. The first line names the columns: `m`, `n`,
/// `k`, `tile_rows`, `tile_columns` and `us`; and optionally `parts`, the
/// blocks of a cluster that split the depth; `multicast`, the operand of the
/// matrix instructions that blocks load for each other (none, left, right,
/// both), and `sharing`, their number (2); `shares`, the blocks that split the
/// depth through memory. Other columns are ignored.
/// \param where  starts every message: "tune: 'times.csv'".
/// \returns BadInput with line and column.
runtime::Result<std::vector<TimedProduct>>
parseProducts(std::string_view text, std::string_view where);

} // namespace tilegpt::compiler

#endif
