// Several kernels in one image.
#ifndef TILEGPT_TARGET_NVVM_JOINPTX_H
#define TILEGPT_TARGET_NVVM_JOINPTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilegpt::target {

/// Joins PTX modules of one version and target, as emitPtx() writes them, into
/// one. Entries keep their names, which must differ, and so do functions that
/// no module defines and equal memory of a name (`tile.data shared`); other
/// symbols of all modules but the first get a suffix, and their source files
/// other numbers.
/// \param modules at least one.
std::string joinPtx(llvm::ArrayRef<llvm::StringRef> modules);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_JOINPTX_H
