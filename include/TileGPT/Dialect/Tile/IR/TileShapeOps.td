//===- TileShapeOps.td - Making tiles and changing their shape ----*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILESHAPEOPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILESHAPEOPS_TD

include "TileGPT/Dialect/Tile/IR/TileOpBase.td"

def Tile_SplatOp : Tile_TileOp<"splat", [Pure]> {
  let summary = "a tile of one scalar";
  let description = "Example: `%z = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>`";
  let arguments = (ins AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$value, Tile_SizesAttr:$sizes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value custom<TileSizes>($sizes) attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_IotaOp : Tile_TileOp<"iota", [Pure]> {
  let summary = "the integers 0, 1, 2, … as a 1-D tile";
  let description = "Example: `%i = tile.iota [BN] : tensor<?xi32>`. The last value must fit the element type.";
  let arguments = (ins Tile_SizesAttr:$sizes);
  let results = (outs Tile_IndexTile:$result);
  let assemblyFormat = "custom<TileSizes>($sizes) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_TileOp<"reshape", [Pure]> {
  let summary = "the same elements, in row-major order, in another shape";
  let description = [{
    The sizes multiply to the number of elements of the source.

    Example: `%r = tile.reshape %t [BM, 64] : tensor<?xf32> -> tensor<?x64xf32>`
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
    Axes are aligned at the last one; an axis of the source is 1 or the size asked for.

    Example: `%b = tile.broadcast %bias [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>`
  }];
  let arguments = (ins Tile_Tile:$source, Tile_SizesAttr:$sizes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source custom<TileSizes>($sizes) attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ExpandDimsOp : Tile_TileOp<"expand_dims", [Pure]> {
  let summary = "inserts an axis of size 1";
  let description = "Example: `%c = tile.expand_dims %m, 1 : tensor<?xf32> -> tensor<?x1xf32>`";
  let arguments = (ins Tile_Tile:$source, I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` type($source) `->` type($result)";
}

def Tile_PermuteOp : Tile_TileOp<"permute", [Pure]> {
  let summary = "permutes the axes of a tile";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the source.

    Example: `%t = tile.permute %a [1, 0] : tensor<?x64xf32> -> tensor<64x?xf32>`
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
}

def Tile_CatOp : Tile_TileOp<"cat", [Pure]> {
  let summary = "joins two tiles along an axis";
  let description = [{
    Example: `%c = tile.cat %a, %b axis 1 : tensor<8x4xf32>, tensor<8x12xf32> -> tensor<8x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$lhs, Tile_Tile:$rhs, I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$lhs `,` $rhs `axis` $axis attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def Tile_ExtractOp : Tile_TileOp<"extract", [Pure]> {
  let summary = "a piece of a tile";
  let description = [{
    `result[e] = source[index·sizes + e]`: indices count pieces. The piece must lie within the source; a constant index
    outside is rejected, any other is undefined.

    Example: `%lo = tile.extract %t[%c0, %c1] [8, 16] : tensor<8x32xf32> -> tensor<8x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<Index>:$indices, Tile_SizesAttr:$sizes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` custom<TileSizes>($sizes) attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_InsertOp : Tile_TileOp<"insert", [Pure]> {
  let summary = "a tile with one piece replaced";
  let description = [{
    The result is `dest`, but `result[index·sizes + e] = source[e]` with the sizes of the source.

    Example: `%t = tile.insert %lo into %acc[%c0, %c1] : tensor<8x16xf32> into tensor<8x32xf32> -> tensor<8x32xf32>`
  }];
  let arguments = (ins Tile_Tile:$source, Tile_Tile:$dest, Variadic<Index>:$indices);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `into` $dest `[` $indices `]` attr-dict `:` type($source) `into` type($dest) `->` type($result)
  }];
}

#endif
