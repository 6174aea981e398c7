// The kernel attribute that keeps ptxas from saving registers.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_LEASTRESIDENTS_H
#define TILEGPT_DIALECT_TILEGPU_IR_LEASTRESIDENTS_H

#include "llvm/ADT/StringRef.h"

namespace tilegpt::tilegpu {

/// Integer attribute of a kernel: blocks that a multiprocessor is to have room
/// for, so that each has the registers of its share and no fewer.
inline constexpr llvm::StringLiteral leastResidentsName =
    "tile_gpu.least_residents";

} // namespace tilegpt::tilegpu

#endif
