//===- CudaTileTypes.td - Tiles, pointers and views ---------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILETYPES_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILETYPES_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileAttributes.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class CudaTile_Type<string name, string text, list<Trait> traits = []> : TypeDef<CudaTile_Dialect, name, traits> {
  let mnemonic = text;
}

def CudaTile_TileView : TypeInterface<"TileView"> {
  let description = "A tiled view of a tensor, from which tiles are loaded and to which they are stored.";
  let cppNamespace = "::tilegpt::cuda_tile";
  let methods = [
    InterfaceMethod<"The shape of one tile.", "::llvm::ArrayRef<int32_t>", "getTile", (ins), [{
      return $_type.getTileShape().asArrayRef();
    }]>,
    InterfaceMethod<"The type of the underlying tensor.", "::mlir::Type", "getTensorType", (ins), [{
      return $_type.getTensorView();
    }]>,
    InterfaceMethod<"The padding value of out-of-bounds elements, or null.", "::mlir::Attribute", "getPadding", (ins), [{
      return $_type.getPaddingValue();
    }]>,
    InterfaceMethod<"The axis whose index is a tile of row indices, if any.", "std::optional<unsigned>",
      "getSparseAxis", (ins), [{}], [{ return std::nullopt; }]>];
  let extraClassDeclaration = [{
    ::tilegpt::cuda_tile::TensorViewType getTensor() const;
    /// The type of one tile.
    ::tilegpt::cuda_tile::TileType getTileType() const;
    /// Succeeds if indices of these types select a tile; otherwise emits an error.
    ::llvm::LogicalResult verifyIndices(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, ::mlir::TypeRange indices) const;
  }];
}

def CudaTile_PointerType : CudaTile_Type<"Pointer", "ptr"> {
  let summary = "a pointer to a number in global memory";
  let description = [{
    Example: `ptr<f32>`, `ptr<f32, <multicast>>`. The pointee is any number type except `i4`. The class is `none` (13.4),
    `unicast` for memory of one other GPU or `multicast` for a multicast object (13.5).
  }];
  let parameters = (ins "::mlir::Type":$pointeeType,
                        OptionalParameter<"::tilegpt::cuda_tile::PointerClassAttr">:$pointer_class);
  let assemblyFormat = "`<` custom<CudaTileType>($pointeeType) (`,` $pointer_class^)? `>`";
  let genVerifyDecl = 1;
}

def CudaTile_TileType : CudaTile_Type<"Tile", "tile", [ShapedTypeInterface]> {
  let summary = "an array of numbers or pointers";
  let description = [{
    Example: `tile<8x16xf32>`, `tile<ptr<f32>>`. Every size is a power of two, their product at most 2^24. Elements are
    `i1`, `i4` (13.3), `i8`, `i16`, `i32`, `i64`, `f16`, `bf16`, `f32`, `tf32`, `f64`, `f8E4M3FN`, `f8E5M2`,
    `f8E8M0FNU` (13.2), `f4E2M1FN` (13.3, an even number of them), `f8E5M3FNU` (13.4) or pointers.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let builders = [TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                                      "::mlir::Type":$elementType), [{
    return $_get(elementType.getContext(), shape, elementType);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    TileType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const {
      return get(shape ? *shape : getShape(), elementType);
    }
  }];
}

def CudaTile_TensorViewType : CudaTile_Type<"TensorView", "tensor_view"> {
  let summary = "a tensor in global memory";
  let description = [{
    Example: `tensor_view<?x8xf32, strides=[?,1]>`. Sizes and strides, both in elements, are positive or dynamic
    (`?`). A tensor of rank 0 has no `strides`. A tensor at a pointer with a class has that class:
    `tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>`.
  }];
  let parameters = (ins "::mlir::Type":$elementType, ArrayRefParameter<"int64_t">:$shape,
                        ArrayRefParameter<"int64_t">:$strides,
                        OptionalParameter<"::tilegpt::cuda_tile::PointerClassAttr">:$pointer_class);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

defvar tileShape = (ins "::mlir::DenseI32ArrayAttr":$tile_shape);
defvar tensorView = (ins "::tilegpt::cuda_tile::TensorViewType":$tensor_view);
defvar padding = (ins OptionalParameter<"::tilegpt::cuda_tile::PaddingValueAttr">:$padding_value);
defvar dimMap = (ins ArrayRefParameter<"int32_t">:$dim_map);

class CudaTile_View<string name, string text, list<string> methods = []>
  : CudaTile_Type<name, text, [DeclareTypeInterfaceMethods<CudaTile_TileView, methods>]> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def CudaTile_PartitionViewType : CudaTile_View<"PartitionView", "partition_view"> {
  let summary = "a tensor partitioned into tiles";
  let description = [{
    Example: `partition_view<tile=(8x16), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1,0]>`.
    Axis i of a tile runs along axis `dim_map[i]` of the tensor; indices count tiles, in the order of the axes of the tile.
    Out-of-bounds elements read the padding value, or an unspecified value without one; stores drop them.
  }];
  let parameters = !con(tileShape, tensorView, dimMap, padding);
}

def CudaTile_StridedViewType : CudaTile_View<"StridedView", "strided_view"> {
  let summary = "tiles at a fixed stride";
  let description = [{
    Like `partition_view`, but tile i begins at element `i * traversal_strides`. Since 13.3.

    Example: `strided_view<tile=(8), traversal_strides=[4], tensor_view<64xf32, strides=[1]>>`
  }];
  let parameters = !con(tileShape, (ins "::mlir::DenseI32ArrayAttr":$traversal_strides), tensorView, dimMap, padding);
}

def CudaTile_GatherScatterViewType : CudaTile_View<"GatherScatterView", "gather_scatter_view", ["getSparseAxis"]> {
  let summary = "tiles of arbitrary rows";
  let description = [{
    The index of axis `sparse_dim` is a tile of row indices; the indices of the other axes are element offsets. Since 13.3.

    Example: `gather_scatter_view<tile=(4x8), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>`
  }];
  let parameters = !con(tileShape, tensorView, (ins "uint32_t":$sparse_dim), padding);
}

def CudaTile_Float8E5M3FNUType : CudaTile_Type<"Float8E5M3FNU", "f8E5M3FNU"> {
  let summary = "an unsigned 8-bit float, a scale of f4E2M1FN";
  let description = [{
    Five exponent bits of bias 15 and three mantissa bits, with subnormal numbers and zero. All ones are NaN; there is no
    infinity and no sign. Since 13.4. It has no literals.
  }];
}

def CudaTile_TokenType : CudaTile_Type<"Token", "token"> {
  let summary = "a token that orders memory accesses";
}

//===- Constraints of operands ----------------------------------------------------===//

/// Tiles whose element type `holds`, a predicate of TypeChecks.h.
class CudaTile_Tiles<string holds, string text>
  : Type<CPred<"::tilegpt::cuda_tile::isTileOf($_self, ::tilegpt::cuda_tile::" # holds # ")">, text,
         "::tilegpt::cuda_tile::TileType">;
class CudaTile_Scalars<string holds, string text>
  : Type<CPred<"::tilegpt::cuda_tile::isScalarOf($_self, ::tilegpt::cuda_tile::" # holds # ")">, text,
         "::tilegpt::cuda_tile::TileType">;

def CudaTile_AnyTile : CudaTile_Tiles<"isElement", "tile">;
def CudaTile_NumberTile : CudaTile_Tiles<"isNumber", "tile of numbers">;
def CudaTile_IntTile : CudaTile_Tiles<"isInteger", "tile of i1, i8, i16, i32 or i64">;
def CudaTile_WideIntTile : CudaTile_Tiles<"isAddress", "tile of i64">;
def CudaTile_AnyIntTile : CudaTile_Tiles<"isCastInteger", "tile of i1, i4, i8, i16, i32 or i64">;
def CudaTile_PowerTile : CudaTile_Tiles<"isPower", "tile of i1, i8, i16 or i32">;
def CudaTile_BoolTile : CudaTile_Tiles<"isBool", "tile of i1">;
def CudaTile_ByteTile : CudaTile_Tiles<"isByte", "tile of i8">;
def CudaTile_FloatTile : CudaTile_Tiles<"isBaseFloat", "tile of f16, bf16, f32 or f64">;
def CudaTile_AnyFloatTile : CudaTile_Tiles<"isFloat", "tile of floating-point numbers">;
def CudaTile_PackedTile : CudaTile_Tiles<"isPackable", "tile of numbers that are not 8 bits wide">;
def CudaTile_PointerTile : CudaTile_Tiles<"isPointer", "tile of pointers">;
def CudaTile_IntAccumulatorTile : CudaTile_Tiles<"isInt32", "tile of i32">;

def CudaTile_ScalarInt : CudaTile_Scalars<"isInteger", "rank-0 tile of i1, i8, i16, i32 or i64">;
def CudaTile_ScalarInt32 : CudaTile_Scalars<"isInt32", "rank-0 tile of i32">,
  BuildableType<"::tilegpt::cuda_tile::TileType::get({}, $_builder.getI32Type())">;
def CudaTile_ScalarBool : CudaTile_Scalars<"isBool", "rank-0 tile of i1">,
  BuildableType<"::tilegpt::cuda_tile::TileType::get({}, $_builder.getI1Type())">;
def CudaTile_ScalarPointer : CudaTile_Scalars<"isPointer", "rank-0 tile of a pointer">;

def CudaTile_Token : Type<CPred<"::llvm::isa<::tilegpt::cuda_tile::TokenType>($_self)">, "token",
                          "::tilegpt::cuda_tile::TokenType">,
  BuildableType<"::tilegpt::cuda_tile::TokenType::get($_builder.getContext())">;
def CudaTile_TensorView : Type<CPred<"::llvm::isa<::tilegpt::cuda_tile::TensorViewType>($_self)">, "tensor_view",
                               "::tilegpt::cuda_tile::TensorViewType">;
def CudaTile_Value : Type<CPred<"::tilegpt::cuda_tile::isValue($_self)">, "a number or a type of cuda_tile">;

#endif
