//===- TileShapeOps.td - Making tiles and changing their shape ----*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILESHAPEOPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILESHAPEOPS_TD

include "TileGPT/Dialect/Tile/IR/TileOpBase.td"

def Tile_SplatOp : Tile_TileOp<"splat", [Pure]> {
  let summary = "a tile filled with one scalar";
  let description = [{
    `result[e] = value` for every `e` in `sizes`.

    Example:
    ```mlir
    %z = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$value, Tile_SizesAttr:$sizes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value custom<TileSizes>($sizes) attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_IotaOp : Tile_TileOp<"iota", [Pure]> {
  let summary = "the integers 0, 1, 2, … as a 1-D tile";
  let description = [{
    `result[i] = i` for 0 ≤ `i` < size. The last value must be representable in the element type as a signed
    integer.

    Example:
    ```mlir
    %i = tile.iota [BN] : tensor<?xi32>
    ```
  }];
  let arguments = (ins Tile_SizesAttr:$sizes);
  let results = (outs Tile_IndexTile:$result);
  let assemblyFormat = "custom<TileSizes>($sizes) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_TileOp<"reshape", [Pure]> {
  let summary = "changes the shape, preserving row-major order";
  let description = [{
    Element `i` of the result, in row-major order, is element `i` of `source`. The product of `sizes` is the number
    of elements of the source.

    Example:
    ```mlir
    %r = tile.reshape %t [BM, 64] : tensor<?xf32> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, Tile_SizesAttr:$sizes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source custom<TileSizes>($sizes) attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_TileOp<"broadcast", [Pure]> {
  let summary = "repeats a tile along axes of size 1 and along new leading axes";
  let description = [{
    Axes are aligned at the last one; an axis of `source` has size 1 or the requested size. `result[…, i, j] =
    source[i or 0, j or 0]`.

    Example:
    ```mlir
    %b = tile.broadcast %bias [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, Tile_SizesAttr:$sizes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source custom<TileSizes>($sizes) attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ExpandDimsOp : Tile_TileOp<"expand_dims", [Pure]> {
  let summary = "inserts an axis of size 1";
  let description = [{
    The new axis is axis `axis` of the result, 0 ≤ `axis` ≤ rank of `source`; the others keep their order.

    Example:
    ```mlir
    %c = tile.expand_dims %m, 1 : tensor<?xf32> -> tensor<?x1xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` type($source) `->` type($result)";
}

def Tile_PermuteOp : Tile_TileOp<"permute", [Pure]> {
  let summary = "permutes the axes of a tile";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of `source`.

    Example:
    ```mlir
    %t = tile.permute %a [1, 0] : tensor<?x64xf32> -> tensor<64x?xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
}

def Tile_CatOp : Tile_TileOp<"cat", [Pure]> {
  let summary = "concatenates two tiles along an axis";
  let description = [{
    Along `axis` the elements of `lhs` precede those of `rhs`; all other axes must agree.

    Example:
    ```mlir
    %c = tile.cat %a, %b axis 1 : tensor<8x4xf32>, tensor<8x12xf32> -> tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$lhs, Tile_Tile:$rhs, I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$lhs `,` $rhs `axis` $axis attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def Tile_ExtractOp : Tile_TileOp<"extract", [Pure]> {
  let summary = "extracts a subtile";
  let description = [{
    `result[e] = source[indices·sizes + e]`: `indices` count subtiles, one for each axis. The subtile must be in
    bounds; a constant index out of bounds is rejected, any other is undefined behavior.

    Example:
    ```mlir
    %lo = tile.extract %t[%i, %j] [8, 16] : tensor<8x32xf32> -> tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<Index>:$indices, Tile_SizesAttr:$sizes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` custom<TileSizes>($sizes) attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_InsertOp : Tile_TileOp<"insert", [Pure]> {
  let summary = "replaces a subtile";
  let description = [{
    The result is `dest`, except that `result[indices·sizes + e] = source[e]` for the sizes of `source`. The subtile
    must be in bounds, as in `tile.extract`.

    Example:
    ```mlir
    %t = tile.insert %lo into %acc[%i, %j] : tensor<8x16xf32> into tensor<8x32xf32> -> tensor<8x32xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, Tile_Tile:$dest, Variadic<Index>:$indices);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `into` $dest `[` $indices `]` attr-dict `:` type($source) `into` type($dest) `->` type($result)
  }];
}

def Tile_BytesOp : Tile_TileOp<"bytes", [Pure]> {
  let summary = "numbers as bytes, or bytes as numbers";
  let description = [{
    Of a 1-D tile of numbers the i8 tile of their bytes, low byte first; of an i8 tile the numbers of the result's type
    that have these bytes. One side is i8, the other has 16, 32 or 64 bits.

    Example:
    ```mlir
    %b = tile.bytes %x : tensor<64xf32> -> tensor<256xi8>
    %h = tile.bytes %b : tensor<256xi8> -> tensor<128xf16>
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
}

#endif
