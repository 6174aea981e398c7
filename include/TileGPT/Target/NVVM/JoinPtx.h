// Several kernels in one image.
#ifndef TILEGPT_TARGET_NVVM_JOINPTX_H
#define TILEGPT_TARGET_NVVM_JOINPTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilegpt::target {

/// Joins PTX modules of the same version and target, as written by emitPtx(),
/// into one. Entries, whose names must differ, functions that no module
/// defines, and identical shared memory (`tile.data shared`) keep their names;
/// other symbols of all modules but the first get a suffix, and their source
/// files new numbers.
/// \param modules at least one.
std::string joinPtx(llvm::ArrayRef<llvm::StringRef> modules);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_JOINPTX_H
