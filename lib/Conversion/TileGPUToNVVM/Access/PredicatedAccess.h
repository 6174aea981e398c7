// Loads and stores of one instruction that happen only where a condition holds,
// without a branch around them.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_PREDICATEDACCESS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_PREDICATEDACCESS_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// Stores to global memory.
/// \param guard    i1.
/// \param stored   an element as memory holds it, or a vector of them, of at
///                 most 16 bytes.
/// \param pointer  !llvm.ptr<1>.
/// \param offset   bytes behind it.
void storeIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value guard,
             mlir::Value stored, mlir::Value pointer, int64_t offset);

/// Loads from global memory, aligned to what it loads.
/// \param type   of an element as memory holds it, or a vector of them, of at
///               most 16 bytes.
/// \param pad    an element, which it gives where the guard does not hold.
mlir::Value loadIf(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value guard, mlir::Value pointer, mlir::Type type,
                   mlir::TypedAttr pad);

} // namespace tilegpt::tilegpu

#endif
