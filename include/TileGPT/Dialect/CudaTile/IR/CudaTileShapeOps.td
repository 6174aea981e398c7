//===- CudaTileShapeOps.td - Making, shaping and folding of tiles -*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILESHAPEOPS_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILESHAPEOPS_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileOpBase.td"

def CudaTile_ConstantOp : CudaTile_BuiltOp<"constant", [ConstantLike, Pure]> {
  let summary = "a constant tile";
  let description = [{
    Integers may be written in the signed or the unsigned range of their width, floating-point numbers as bits in hex.
    A single number is a splat.

    Example: `constant <i32: [[0, 1], [2, 3]]> : tile<2x2xi32>`
  }];
  let arguments = (ins Builtin_DenseIntOrFPElementsAttr:$value);
  let results = (outs CudaTile_NumberTile:$result);
  let assemblyFormat = "custom<Dense>($value, type($result)) attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def CudaTile_IotaOp : CudaTile_Op<"iota", [Pure]> {
  let summary = "0, 1, 2, …";
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

class CudaTile_Reshaping<string mnemonic, string text> : CudaTile_Op<mnemonic, [Pure]> {
  let summary = text;
  let arguments = (ins CudaTile_AnyTile:$source);
  let results = (outs CudaTile_AnyTile:$result);
  let assemblyFormat = !strconcat("$source", arrowType);
  let hasVerifier = 1;
}
def CudaTile_ReshapeOp : CudaTile_Reshaping<"reshape", "changes the shape, preserving row-major order">;
def CudaTile_BroadcastOp : CudaTile_Reshaping<"broadcast", "repeats a tile along axes of size 1">;

def CudaTile_PermuteOp : CudaTile_Op<"permute", [Pure]> {
  let summary = "permutes axes: axis i of the result is axis permutation[i] of the source";
  let arguments = (ins CudaTile_AnyTile:$source, DenseI32ArrayAttr:$permutation);
  let results = (outs CudaTile_AnyTile:$result);
  let assemblyFormat = !strconcat("$source $permutation", arrowType);
  let hasVerifier = 1;
}

def CudaTile_CatOp : CudaTile_Op<"cat", [Pure]> {
  let summary = "concatenates lhs and rhs along an axis";
  let arguments = (ins CudaTile_AnyTile:$lhs, CudaTile_AnyTile:$rhs, I64Attr:$dim);
  let results = (outs CudaTile_AnyTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `dim` `=` $dim attr-dict `:` custom<CudaTileType>(type($lhs)) `,` custom<CudaTileType>(type($rhs))
    `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_ExtractOp : CudaTile_Op<"extract", [Pure]> {
  let summary = "extracts a subtile; indices count subtiles";
  let arguments = (ins CudaTile_AnyTile:$source, Variadic<CudaTile_ScalarInt32>:$indices);
  let results = (outs CudaTile_AnyTile:$result);
  let assemblyFormat = !strconcat("$source `[` $indices `]`", arrowType);
  let hasVerifier = 1;
}

def CudaTile_InsertOp : CudaTile_Op<"insert", [Pure, AllTypesMatch<["destination", "result"]>]> {
  let summary = "replaces a subtile of the destination; indices count subtiles";
  let description = "Since 13.4.";
  let arguments = (ins CudaTile_AnyTile:$source, CudaTile_AnyTile:$destination,
                       Variadic<CudaTile_ScalarInt32>:$indices);
  let results = (outs CudaTile_AnyTile:$result);
  let assemblyFormat = [{
    $source `,` $destination `[` $indices `]` attr-dict
    `:` custom<CudaTileType>(type($source)) `,` custom<CudaTileType>(type($destination))
  }];
  let hasVerifier = 1;
}

def CudaTile_PackOp : CudaTile_Op<"pack", [Pure]> {
  let summary = "reinterprets a tile as bytes";
  let description = "Little-endian, the low nibble first. Since 13.3.";
  let arguments = (ins CudaTile_PackedTile:$source);
  let results = (outs CudaTile_ByteTile:$result);
  let assemblyFormat = !strconcat("$source", arrowType);
  let hasVerifier = 1;
}
def CudaTile_UnpackOp : CudaTile_Op<"unpack", [Pure]> {
  let summary = "reinterprets bytes as a tile";
  let description = "Since 13.3.";
  let arguments = (ins CudaTile_ByteTile:$source);
  let results = (outs CudaTile_PackedTile:$result);
  let assemblyFormat = !strconcat("$source", arrowType);
  let hasVerifier = 1;
}

//===- Products -------------------------------------------------------------------===//

class CudaTile_Product<string mnemonic, string text> : CudaTile_Op<mnemonic, [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = text;
  let results = (outs CudaTile_AnyTile:$result);
  let hasVerifier = 1;
}
defvar productTypes = " attr-dict `:` custom<CudaTileType>(type($lhs)) `,` custom<CudaTileType>(type($rhs)) `,` "
                      "custom<CudaTileType>(type($acc))";

def CudaTile_MmaFOp : CudaTile_Product<"mmaf", "acc + lhs * rhs, of floating-point matrices"> {
  let description = [{
    `[M,K]` times `[K,N]`, or a batch of them. f8 and f16 accumulate in f16 or f32, bf16, tf32 and f32 in f32, f64 in f64.
    `fast_acc` (13.3) allows reduced-precision accumulation of f8.
  }];
  let arguments = (ins CudaTile_AnyFloatTile:$lhs, CudaTile_AnyFloatTile:$rhs, CudaTile_FloatTile:$acc,
                       UnitAttr:$fast_acc);
  let assemblyFormat = !strconcat("$lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)?", productTypes);
}
def CudaTile_MmaIOp : CudaTile_Product<"mmai", "acc + lhs * rhs, of i8 matrices summed in i32"> {
  let arguments = (ins CudaTile_ByteTile:$lhs, CudaTile_ByteTile:$rhs, CudaTile_IntAccumulatorTile:$acc,
                       CudaTile_SignednessAttr:$signedness_lhs, CudaTile_SignednessAttr:$signedness_rhs);
  let assemblyFormat = !strconcat("$lhs `,` $rhs `,` $acc custom<Signedness>($signedness_lhs) " "custom<Signedness>($signedness_rhs)", productTypes);
}
def CudaTile_MmaFScaledOp : CudaTile_Product<"mmaf_scaled", "acc + (lhs * scales) * (rhs * scales)"> {
  let description = [{
    Blocks of V elements along K share a scale: V is 32 for f8 and 16 or 32 for f4E2M1FN with f8E8M0FNU scales, 16 for
    f4E2M1FN with f8E4M3FN scales. Sums are f32. Since 13.3.
  }];
  let arguments = (ins CudaTile_AnyFloatTile:$lhs, CudaTile_AnyFloatTile:$rhs, CudaTile_FloatTile:$acc,
                       CudaTile_AnyFloatTile:$lhs_scale, CudaTile_AnyFloatTile:$rhs_scale);
  let assemblyFormat = !strconcat("$lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale", productTypes, " `,` custom<CudaTileType>(type($lhs_scale)) `,` custom<CudaTileType>(type($rhs_scale))");
}

//===- Reductions -----------------------------------------------------------------===//

class CudaTile_Aggregate<string mnemonic, string text, dag attributes, string words> : CudaTile_Op<mnemonic, [
    OpAsmOpInterface, RecursiveMemoryEffects, SingleBlock]> {
  let summary = text;
  let description = [{
    The arguments of the region are the accumulator and the next element, for each operand in turn.
  }];
  let arguments = !con((ins Variadic<CudaTile_AnyTile>:$operands), attributes);
  let results = (outs Variadic<CudaTile_AnyTile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = inDialect;
  let assemblyFormat = !strconcat("$operands attr-dict ` ` ", words, " `identities` `` `=` `` $identities `:` " "custom<CudaTileType>(type($operands)) `->` custom<CudaTileType>(type($results)) custom<ArgumentRegion>($body)");
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
def CudaTile_ReduceOp : CudaTile_Aggregate<"reduce", "reduces tiles along an axis",
  (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$dim, ArrayAttr:$identities), "`dim` `` `=` `` $dim">;
def CudaTile_ScanOp : CudaTile_Aggregate<"scan", "prefix reduction along an axis",
  (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$dim, BoolAttr:$reverse, ArrayAttr:$identities),
  "`dim` `` `=` `` $dim `reverse` `` `=` `` $reverse">;

#endif
