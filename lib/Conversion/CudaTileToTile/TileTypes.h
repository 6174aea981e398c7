// What the types of CUDA Tile IR become, and the values that conversions make
// most often.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_TILETYPES_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_TILETYPES_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilegpt::cuda_tile {

/// Tiles of numbers become tensors, those of rank 0 scalars; tiles of pointers
/// a pointer and i64 distances in elements; views `!tile.view`; tokens nothing.
class TileTypes : public mlir::TypeConverter {
public:
  TileTypes();
};

/// The element type in the tile dialect: itself, f32 for tf32, i8 for i4,
/// f4E2M1FN and f8E8M0FNU; null where the dialect has none.
mlir::Type convertElement(mlir::Type element);

/// The elements of a constant of rank 1 in memory, in their type of the tile
/// dialect; half bytes two by two.
mlir::DenseElementsAttr convertElements(mlir::DenseElementsAttr elements);

/// One number of a constant in the element type of the tile dialect.
mlir::TypedAttr convertNumber(mlir::TypedAttr number);

/// The type of a tile of numbers: a tensor or a scalar. Null where the element
/// type has no counterpart.
mlir::Type convertTile(TileType tile);

/// The view of a tensor, dense where its type says so. A tensor of rank 0 is a
/// view of one element. Null where the type has no counterpart.
tile::ViewType convertView(TensorViewType tensor);

/// The shape of a converted tile; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);

/// A converted type with another element type.
mlir::Type withElement(mlir::Type type, mlir::Type element);

/// `[8, 16]` as tile ops spell it.
mlir::ArrayAttr sizesAttr(mlir::Builder &builder,
                          llvm::ArrayRef<int64_t> sizes);

/// A constant scalar, or a tile of it, of a converted type.
mlir::Value constantOf(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                       mlir::TypedAttr element);
mlir::Value integerOf(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                      const llvm::APInt &value);
mlir::Value integerOf(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                      int64_t value);
mlir::Value zeroOf(mlir::ImplicitLocOpBuilder &builder, mlir::Type type);

/// A scalar as a tile of any shape; a tile as it is.
mlir::Value splat(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                  llvm::ArrayRef<int64_t> shape);

/// A tile in another shape of as many elements; as it is where it has it.
mlir::Value reshapeTo(mlir::ImplicitLocOpBuilder &builder, mlir::Value tile,
                      llvm::ArrayRef<int64_t> shape);

/// A scalar as the tile of rank 0 that accesses by offset take; a tile as it
/// is. And a tile of rank 0 as a scalar.
mlir::Value asTile(mlir::ImplicitLocOpBuilder &builder, mlir::Value value);
mlir::Value fromTile(mlir::ImplicitLocOpBuilder &builder, mlir::Value value);

/// The mask of an access by offset, null where `mask` is empty.
mlir::Value maskOf(mlir::ImplicitLocOpBuilder &builder, mlir::ValueRange mask);

/// An unsigned integer as an index: a number of tiles, a size, a stride.
mlir::Value toIndex(mlir::ImplicitLocOpBuilder &builder, mlir::Value integer);

/// An index as an integer type.
mlir::Value fromIndex(mlir::ImplicitLocOpBuilder &builder, mlir::Value index,
                      mlir::Type type);

} // namespace tilegpt::cuda_tile

#endif
