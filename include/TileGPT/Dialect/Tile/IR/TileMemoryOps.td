//===- TileMemoryOps.td - Loads, stores, gathers, scatters --------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEMEMORYOPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILEMEMORYOPS_TD

include "TileGPT/Dialect/Tile/IR/TileOpBase.td"

def Tile_LoadOp : Tile_TileOp<"load", [MemoryEffects<[MemRead]>, AttrSizedOperandSegments]> {
  let summary = "reads a tile of a view";
  let description = [{
    `result[e] = view[indices·sizes + e]`: `indices` count tiles, not elements, one for each axis of `view`.
    Out-of-bounds elements and elements whose `mask` is false read the `pad` value: `zero` (the default); for floats
    `neg_zero`, `neg_inf`, `pos_inf` or `nan`; for integers `minus_one`, an index that is out of bounds on every
    axis. With `order [1, 0]`, axis `i` of the tile runs along axis `order[i]` of the view; indices stay in the
    order of the axes of the view, `sizes` in that of the tile.

    Example:
    ```mlir
    %a = tile.load %x[%m, %k] [BM, BK] pad(neg_inf) : !tile.view<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins
    Arg<Tile_ViewType, "memory to read">:$view, Variadic<Index>:$indices, Optional<Tile_MaskTile>:$mask,
    Tile_SizesAttr:$sizes, DefaultValuedAttr<Tile_PadAttr, "::tilegpt::tile::PadKind::Zero">:$pad,
    OptionalAttr<DenseI64ArrayAttr>:$order);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` custom<TileSizes>($sizes) (`order` $order^)? (`pad` `(` custom<Word>($pad)^ `)`)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "writes a tile of a view";
  let description = [{
    `view[indices·sizes + e] = value[e]` for elements in bounds whose `mask`, if any, is true; other elements are
    dropped. The sizes are those of `value`, whose elements have the element type of the view; `indices` and `order`
    are as in `tile.load`. The view must not be a window of a read-only argument of the kernel.

    Example:
    ```mlir
    tile.store %r, %y[%m, %n] : tensor<?x?xf32>, !tile.view<?x?xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Arg<Tile_ViewType, "memory to write">:$view, Variadic<Index>:$indices,
    Optional<Tile_MaskTile>:$mask, OptionalAttr<DenseI64ArrayAttr>:$order);
  let assemblyFormat = [{
    $value `,` $view `[` $indices `]` (`order` $order^)? (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_TileOp<"gather", [MemoryEffects<[MemRead]>, AttrSizedOperandSegments]> {
  let summary = "reads the entries of one axis of a view that an index tile selects";
  let description = [{
    Along `axis`, element `e` of the result reads entry `index[e]` of `view`; along the other axes the op is a
    `tile.load`, whose tile `indices` are given in order. `index` is 1-D and as long as the tile along `axis`. An
    out-of-bounds entry (negative or too large) and an element whose `mask` is false read the `pad` value.

    Example:
    ```mlir
    %e = tile.gather %wte[%c] at %ids axis 0 [BM, BC] : !tile.view<?x?xf32>, tensor<?xi32> -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins
    Arg<Tile_ViewType, "memory to read">:$view, Variadic<Index>:$indices, Tile_IndexTile:$index,
    Optional<Tile_MaskTile>:$mask, I64Attr:$axis,
    Tile_SizesAttr:$sizes, DefaultValuedAttr<Tile_PadAttr, "::tilegpt::tile::PadKind::Zero">:$pad);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` `at` $index `axis` $axis custom<TileSizes>($sizes) (`pad` `(` custom<Word>($pad)^ `)`)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` qualified(type($view)) `,` type($index) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ScatterOp : Tile_Op<"scatter", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "writes the entries of one axis of a view that an index tile selects";
  let description = [{
    The inverse of `tile.gather`: along `axis`, element `e` of `value` is written to entry `index[e]` of `view`.
    Out-of-bounds entries and elements whose `mask` is false are dropped. If two indices are equal, it is
    unspecified which element is written last.

    Example:
    ```mlir
    tile.scatter %v, %cache[%c] at %slots axis 0 : tensor<?x?xf32>, !tile.view<?x?xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Arg<Tile_ViewType, "memory to write">:$view, Variadic<Index>:$indices,
    Tile_IndexTile:$index, Optional<Tile_MaskTile>:$mask, I64Attr:$axis);
  let assemblyFormat = [{
    $value `,` $view `[` $indices `]` `at` $index `axis` $axis (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($value) `,` qualified(type($view)) `,` type($index)
  }];
  let hasVerifier = 1;
}

#endif
