// What kinds of elements there are.
#ifndef TILEGPT_DIALECT_CUDATILE_IR_TYPECHECKS_H
#define TILEGPT_DIALECT_CUDATILE_IR_TYPECHECKS_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"

namespace tilegpt::cuda_tile {

bool isBool(mlir::Type type);        ///< i1
bool isByte(mlir::Type type);        ///< i8
bool isInt32(mlir::Type type);       ///< i32
bool isAddress(mlir::Type type);     ///< i64
bool isInteger(mlir::Type type);     ///< i1, i8, i16, i32, i64
bool isCastInteger(mlir::Type type); ///< an integer or i4
bool isPower(mlir::Type type);       ///< i1, i8, i16, i32
bool isBaseFloat(mlir::Type type);   ///< f16, bf16, f32, f64
bool isFloat(mlir::Type type);       ///< any floating-point type there is
bool isNumber(mlir::Type type);      ///< an integer or a floating-point type
bool isPackable(mlir::Type type);    ///< a number or i4
bool isLiteral(mlir::Type type);     ///< a number that constants may hold
/// The bits of a number.
unsigned widthOf(mlir::Type number);
bool isPointer(mlir::Type type);
bool isElement(mlir::Type type); ///< what tiles may hold
/// A number, or a type of this dialect.
bool isValue(mlir::Type type);
/// A view, of a tensor or as tiles: no value of control flow.
bool isView(mlir::Type type);

/// Whether a type is a tile whose elements are of some kind.
bool isTileOf(mlir::Type type, llvm::function_ref<bool(mlir::Type)> holds);
/// The same, and of rank 0.
bool isScalarOf(mlir::Type type, llvm::function_ref<bool(mlir::Type)> holds);

/// Whether a tile may have a shape: sizes are powers of two, their product at
/// most 2^24, that of f4E2M1FN even. Else an error.
llvm::LogicalResult
verifyTile(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
           llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

} // namespace tilegpt::cuda_tile

#endif
