// Bytes that a kernel's loads read, for the sizes of a launch.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LOADBYTES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LOADBYTES_H

#include "Tiling/OpenLaunch.h"

namespace tilegpt::tilegpu {

/// Bytes of the tiles of loads, each from a window of an argument; nullopt if a
/// size is unknown.
/// \param sizes  values of parameters; the kernel computes the others.
std::optional<int64_t> bytesOfLoads(OpenLaunch &launch,
                                    llvm::ArrayRef<tile::LoadOp> loads,
                                    const llvm::StringMap<int64_t> &sizes);

} // namespace tilegpt::tilegpu

#endif
