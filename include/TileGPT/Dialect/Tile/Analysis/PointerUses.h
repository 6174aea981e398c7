// How a kernel uses the memory behind a pointer.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_POINTERUSES_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_POINTERUSES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilegpt::tilegpu {

/// Calls `visit` with a pointer and every pointer and view derived from it.
void forEachAlias(mlir::Value pointer,
                  llvm::function_ref<void(mlir::Value)> visit);

/// Whether anything is stored or updated through a pointer.
bool isWritten(mlir::Value pointer);

/// Whether no other argument of a raw kernel aliases a pointer argument, or
/// only where the order of the accesses does not matter.
bool standsAlone(mlir::BlockArgument pointer);

/// Whether a kernel reads through a pointer argument only before it writes to
/// any memory or waits for writes of others: aliasing is then unobservable.
bool isReadBeforeWrites(mlir::BlockArgument pointer);

} // namespace tilegpt::tilegpu

#endif
