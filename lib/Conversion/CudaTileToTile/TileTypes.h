// Type conversion from CUDA Tile IR, and helpers to create common values.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_TILETYPES_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_TILETYPES_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilegpt::cuda_tile {

/// Tiles of numbers become tensors, or scalars for rank 0; tiles of pointers a
/// pointer and i64 element offsets; views `!tile.view`; tokens nothing.
class TileTypes : public mlir::TypeConverter {
public:
  TileTypes();
};

/// The element type in the tile dialect: f32 for tf32, i8 for i4, f4E2M1FN and
/// f8E8M0FNU, otherwise the type itself; null if unsupported.
mlir::Type convertElement(mlir::Type element);

/// The elements of a rank-1 constant as in memory, in their type of the tile
/// dialect; half bytes are packed.
mlir::DenseElementsAttr convertElements(mlir::DenseElementsAttr elements);

/// One number of a constant in the element type of the tile dialect.
mlir::TypedAttr convertNumber(mlir::TypedAttr number);

/// The type of a tile of numbers: a tensor or scalar. Null if the element type
/// has no counterpart.
mlir::Type convertTile(TileType tile);

/// The view of a tensor, dense if its type says so. A rank-0 tensor is a view
/// of one element. Null if the type has no counterpart.
tile::ViewType convertView(TensorViewType tensor);

/// The shape of a converted tile; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);

/// A converted type with another element type.
mlir::Type withElement(mlir::Type type, mlir::Type element);

/// `[8, 16]` in the form that tile ops use.
mlir::ArrayAttr sizesAttr(mlir::Builder &builder,
                          llvm::ArrayRef<int64_t> sizes);

/// A constant scalar or splat of a converted type.
mlir::Value constantOf(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                       mlir::TypedAttr element);
mlir::Value integerOf(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                      const llvm::APInt &value);
mlir::Value integerOf(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                      int64_t value);
mlir::Value zeroOf(mlir::ImplicitLocOpBuilder &builder, mlir::Type type);

/// Splats a scalar; returns a tile unchanged.
mlir::Value splat(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                  llvm::ArrayRef<int64_t> shape);

/// Reshapes a tile unless it has the shape already.
mlir::Value reshapeTo(mlir::ImplicitLocOpBuilder &builder, mlir::Value tile,
                      llvm::ArrayRef<int64_t> shape);

/// Converts a scalar to the rank-0 tile that accesses by offset take, and back;
/// asTile returns a tile unchanged.
mlir::Value asTile(mlir::ImplicitLocOpBuilder &builder, mlir::Value value);
mlir::Value fromTile(mlir::ImplicitLocOpBuilder &builder, mlir::Value value);

/// The mask of an access by offset; null if `mask` is empty.
mlir::Value maskOf(mlir::ImplicitLocOpBuilder &builder, mlir::ValueRange mask);

/// Converts an unsigned integer (a tile count, size or stride) to index.
mlir::Value toIndex(mlir::ImplicitLocOpBuilder &builder, mlir::Value integer);

/// Converts an index to an integer type.
mlir::Value fromIndex(mlir::ImplicitLocOpBuilder &builder, mlir::Value index,
                      mlir::Type type);

} // namespace tilegpt::cuda_tile

#endif
