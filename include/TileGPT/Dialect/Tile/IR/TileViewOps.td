//===- TileViewOps.td - Sizes and windows of views ----------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEVIEWOPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILEVIEWOPS_TD

include "TileGPT/Dialect/Tile/IR/TileOpBase.td"

def Tile_DimOp : Tile_Op<"dim", [Pure]> {
  let summary = "size of an axis of a view, in elements";
  let description = [{
    The number of elements of `view` along `axis`. Folds to a constant if the size is static.

    Example:
    ```mlir
    %n = tile.dim %x, 0 : !tile.view<?x768xf32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, I64Attr:$axis);
  let results = (outs Index:$size);
  let assemblyFormat = "$view `,` $axis attr-dict `:` qualified(type($view))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_NumTilesOp : Tile_Op<"num_tiles", [Pure]> {
  let summary = "number of tiles that cover an axis of a view";
  let description = [{
    `count = ceildiv(dim(view, axis), size)`, the iterations of a loop over `view` along `axis`; the last tile may stick out.

    Example:
    ```mlir
    %kt = tile.num_tiles %x, 1 by [BK] : !tile.view<?x768xf32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, I64Attr:$axis, Tile_SizesAttr:$sizes);
  let results = (outs Index:$count);
  let assemblyFormat = "$view `,` $axis `by` custom<TileSizes>($sizes) attr-dict `:` qualified(type($view))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SubviewOp : Tile_TileOp<"subview", [Pure, AttrSizedOperandSegments]> {
  let summary = "a window of a view";
  let description = [{
    Element `i` of the result is element `offsets + i` of `source`; strides are the source's. `offsets` and `sizes` are
    in elements, one each an axis, SSA values or integers; the window must lie within the source (undefined otherwise,
    rejected where it is known). Loads and stores through the result are bounded by its own sizes. The result may be
    declared dense only where that follows from the source's type and the sizes.

    Example:
    ```mlir
    %q = tile.subview %qkv[%row, 0] [%t, 64] : !tile.view<?x192xf32> -> !tile.view<?x64xf32, strides=[192, 1]>
    ```
  }];
  let arguments = (ins Tile_ViewType:$source, Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $source custom<IndexList>($offsets, $static_offsets) custom<IndexList>($sizes, $static_sizes)
    attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
}

def Tile_SelectOp : Tile_TileOp<"select", [Pure]> {
  let summary = "one entry of the leading axes of a view";
  let description = [{
    Fixes the first axes of `source`, as many as there are `indices`, and drops them. An index outside its axis is
    undefined, and rejected where it is known. What is left of a dense view is dense.

    Example:
    ```mlir
    %kh = tile.select %k[%b, %h] : !tile.view<?x12x1024x64xf32> -> !tile.view<1024x64xf32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$source, Variadic<Index>:$indices);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
}

def Tile_TransposeOp : Tile_TileOp<"transpose", [Pure]> {
  let summary = "a view with its axes permuted";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of `source`. No data moves.

    Example:
    ```mlir
    %t = tile.transpose %w [1, 0] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[1, ?]>
    ```
  }];
  let arguments = (ins Tile_ViewType:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
}

#endif
