//===- TileTypes.td - Views and element type variables ------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILETYPES_TD
#define TILEGPT_DIALECT_TILE_IR_TILETYPES_TD

include "TileGPT/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "a typed, strided view of global memory";
  let description = [{
    `!tile.view<128x?xf32>` has rank 2, 128 rows and a dynamic number of columns. Without `strides` it is row-major
    and dense: the stride of an axis is the product of the sizes of the axes after it. `strides=[?, 1]` states the
    stride of each axis, in elements; `?` is dynamic. Strides are positive.

    Example: a view that takes a third of the columns of a packed matrix as well as a dense one.
    ```mlir
    func.func @types(%packed: !tile.view<?x?xbf16, strides=[?, 1]>) {
      return
    }
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "size of each axis, kDynamic where unknown">:$shape,
    "::mlir::Type":$elementType,
    OptionalArrayRefParameter<"int64_t", "distance along each axis, empty when dense row-major">:$strides);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 0;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    bool isDynamicDim(int64_t axis) const { return ::mlir::ShapedType::isDynamic(getShape()[axis]); }
    /// True when strides follow from the sizes (dense, row-major).
    bool isDense() const { return getStrides().empty(); }
    /// The stride of every axis in elements; kDynamic where it is not known from the type.
    ::llvm::SmallVector<int64_t> getKnownStrides() const;
  }];
}

def Tile_EltType : Tile_Type<"Elt", "elt"> {
  let summary = "an element type variable";
  let description = [{
    `!tile.elt<W>` is a placeholder for the float type that a launch binds to the type parameter `W` of the kernel.
    Tiles of such a type are loaded, stored, gathered, combined by `tile.dot` and shape ops, and converted by
    `tile.cast`.
  }];
  let parameters = (ins StringRefParameter<"name of the type parameter">:$name);
  let hasCustomAssemblyFormat = 1;
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "a pointer to an element in global memory";
  let description = [{
    `!tile.ptr<bf16>` points to a `bf16` element and its neighbors within the allocation. Offsets count elements of
    this type; from `!tile.ptr<i8>`, which points to the bytes of elements of any type, they count bytes.

    Example:
    ```mlir
    func.func @types(%p: !tile.ptr<bf16>, %bytes: !tile.ptr<i8>) {
      return
    }
    ```
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
}

defvar Tile_Integers = [I8, I16, I32, I64];
defvar Tile_F8s = [F8E4M3FN, F8E5M2];
defvar Tile_Floats = [F16, BF16, F32, F64];
def Tile_AnyFloat : AnyTypeOf<!listconcat(Tile_F8s, Tile_Floats, [Tile_EltType]),
                              "f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or a type variable">;
def Tile_Element : AnyTypeOf<!listconcat([I1], Tile_Integers, Tile_F8s, Tile_Floats, [Tile_EltType]),
                             "i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or a type variable">;
def Tile_Tile : RankedTensorOf<[Tile_Element]>;
/// What reductions combine. f8E4M3FN has no infinity to begin a maximum with.
def Tile_ReducibleTile : RankedTensorOf<[
    AnyTypeOf<!listconcat([I1], Tile_Integers, Tile_Floats, [Tile_EltType]),
              "i1, i8, i16, i32, i64, f16, bf16, f32, f64 or a type variable">]>;
def Tile_IndexTile : RankedTensorOf<[AnyTypeOf<Tile_Integers, "i8, i16, i32 or i64">]>;
def Tile_MaskTile : RankedTensorOf<[I1]>;
/// Floats that every target computes in, one or a tile of them; vectors are tiles on their way to a host.
def Tile_RoundedNumber : AnyTypeOf<[F16, BF16, F32, F64, RankedTensorOf<Tile_Floats>, VectorOfAnyRankOf<Tile_Floats>],
                                   "f16, bf16, f32 or f64, or a tile of it">;
/// What a print has a conversion for.
def Tile_PrintedNumber : AnyTypeOf<
    [I1, I8, I16, I32, I64, Index, F8E4M3FN, F8E5M2, F16, BF16, F32, F64,
     RankedTensorOf<!listconcat([I1], Tile_Integers, Tile_F8s, Tile_Floats)>],
    "an integer or a float, or a tile of them">;
def Tile_Scalar : AnyTypeOf<[AnySignlessInteger, Index, AnyFloat], "scalar">;

#endif
