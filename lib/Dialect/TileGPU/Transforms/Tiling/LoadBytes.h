// What the loads of a kernel bring, as a launch gives its sizes values.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LOADBYTES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LOADBYTES_H

#include "Tiling/OpenLaunch.h"

namespace tilegpt::tilegpu {

/// Bytes of the tiles of some loads, each from a window of an argument; nothing
/// where a size is not known.
/// \param sizes  values of parameters; the others are what the kernel computes.
std::optional<int64_t> bytesOfLoads(OpenLaunch &launch,
                                    llvm::ArrayRef<tile::LoadOp> loads,
                                    const llvm::StringMap<int64_t> &sizes);

} // namespace tilegpt::tilegpu

#endif
