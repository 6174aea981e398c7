// What keeps accesses in order across blocks: an acting thread's fence, and a
// barrier that makes it hold for the block.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_ORDEREDACCESS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_ORDEREDACCESS_H

#include "Thread/ThreadPatterns.h"

namespace tilegpt::tilegpu {

/// The scope as LLVM names it.
llvm::StringRef syncScope(tile::MemoryScope scope);

/// In front of an access of this order: what the block did before it, done.
void emitRelease(mlir::OpBuilder &builder, mlir::Location loc,
                 tile::MemoryOrder order, tile::MemoryScope scope);
/// Behind an access of this order: nothing of the block runs ahead of it.
void emitAcquire(mlir::OpBuilder &builder, mlir::Location loc,
                 tile::MemoryOrder order, tile::MemoryScope scope);

/// Gives what the thread whose copy counts has got of a tile, the result of
/// `op`, to those that hold copies: what others may change in between must be
/// read once.
void shareCopies(mlir::OpBuilder &builder, mlir::Operation *op,
                 ThreadTile &tile,
                 llvm::MutableArrayRef<mlir::Value> registers);

/// The address of an element.
/// \param offset  i32 or i64, in elements of what the pointer points to.
mlir::Value offsetPointer(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value pointer, tile::PtrType type,
                          mlir::Value offset);

/// All of these conditions, i1; null ones hold always. Null if all do.
mlir::Value allOf(mlir::OpBuilder &builder, mlir::Location loc,
                  llvm::ArrayRef<mlir::Value> conditions);

} // namespace tilegpt::tilegpu

#endif
