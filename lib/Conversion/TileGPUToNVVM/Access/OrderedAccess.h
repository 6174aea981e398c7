// Orders accesses across blocks: a fence of the acting thread, and a barrier
// that extends it to the block.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_ORDEREDACCESS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_ORDEREDACCESS_H

#include "Thread/ThreadPatterns.h"

namespace tilegpt::tilegpu {

/// LLVM's name of the scope.
llvm::StringRef syncScope(tile::MemoryScope scope);

/// Before an access of this order: completes earlier accesses of the block.
void emitRelease(mlir::OpBuilder &builder, mlir::Location loc,
                 tile::MemoryOrder order, tile::MemoryScope scope);
/// After an access of this order: prevents later accesses of the block from
/// being reordered before it.
void emitAcquire(mlir::OpBuilder &builder, mlir::Location loc,
                 tile::MemoryOrder order, tile::MemoryScope scope);

/// Broadcasts the values that threads with primary copies have of a tile, the
/// result of `op`, to those with replicas: memory that others may modify must
/// be read only once.
void shareCopies(mlir::OpBuilder &builder, mlir::Operation *op,
                 ThreadTile &tile,
                 llvm::MutableArrayRef<mlir::Value> registers);

/// The address of an element.
/// \param offset  i32 or i64, in elements of the pointee type.
mlir::Value offsetPointer(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value pointer, tile::PtrType type,
                          mlir::Value offset);

/// The conjunction of these conditions, i1; null ones are true. Null if all
/// are.
mlir::Value allOf(mlir::OpBuilder &builder, mlir::Location loc,
                  llvm::ArrayRef<mlir::Value> conditions);

} // namespace tilegpt::tilegpu

#endif
