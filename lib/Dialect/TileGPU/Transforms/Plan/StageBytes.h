// Shared memory of one stage of all rings of main loops.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_STAGEBYTES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_STAGEBYTES_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"

namespace tilegpt::tilegpu {

/// Bytes of one stage of all rings of a kernel. Loops that load the same tiles
/// share rings, others have their own.
/// \param copiesAll  whether tiles that only arithmetic reads are copied, too.
int64_t stageBytesOf(llvm::ArrayRef<Mainloop> matches, bool copiesAll);

} // namespace tilegpt::tilegpu

#endif
