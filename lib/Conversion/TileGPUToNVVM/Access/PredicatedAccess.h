// Single-instruction predicated loads and stores, without branches.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_PREDICATEDACCESS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_PREDICATEDACCESS_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// Stores to global memory.
/// \param guard    i1.
/// \param stored   an element in its memory type, or a vector of them, at most
/// 16 bytes.
/// \param pointer  !llvm.ptr<1>.
/// \param offset   in bytes.
void storeIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value guard,
             mlir::Value stored, mlir::Value pointer, int64_t offset);

/// Loads from global memory, with natural alignment.
/// \param type   an element in its memory type, or a vector of them, at most 16
/// bytes.
/// \param pad    the element returned if the guard is false.
mlir::Value loadIf(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value guard, mlir::Value pointer, mlir::Type type,
                   mlir::TypedAttr pad);

} // namespace tilegpt::tilegpu

#endif
