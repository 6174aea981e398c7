//===- TileMathOps.td - Dot, reduce, cast, assert, assume ---------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEMATHOPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILEMATHOPS_TD

include "TileGPT/Dialect/Tile/IR/TileOpBase.td"

def Tile_CastOp : Tile_TileOp<"cast", [Pure]> {
  let summary = "converts a float tile to another float type";
  let description = [{
    Converts every element of `source`: exactly when widening, to nearest, ties to even, when narrowing. What is too
    large for the type becomes infinity, or NaN in f8E4M3FN, which has none. This is `arith.extf`/`arith.truncf` for
    element types that may be variables; it vanishes when both sides are the same.

    Example:
    ```mlir
    %f = tile.cast %x : tensor<?x!tile.elt<X>> to tensor<?xf32>
    ```
  }];
  let arguments = (ins RankedTensorOf<[Tile_AnyFloat]>:$source);
  let results = (outs RankedTensorOf<[Tile_AnyFloat]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_RoundedOp : Tile_Op<"rounded", [
    Pure, SameOperandsAndResultType, Elementwise, Scalarizable, Vectorizable, Tensorizable]> {
  let summary = "float arithmetic rounded in a direction";
  let description = [{
    The exact `add`, `sub`, `mul`, `div`, `fma` (`a·b + c`) or `sqrt` of the `operands`, element by element, rounded once
    to their type: to the nearest with ties to `even`, towards `zero`, `down` or `up`. An exact sum of zero is -0 where
    `down` rounds and one of the terms is negative, +0 elsewhere, but that of two zeros with one sign, which keeps it.
    With `ftz`, of f32, subnormal operands read as zeros of their sign, and so does a result that has less than the
    smallest normal magnitude once it is rounded to 24 bits.

    Example:
    ```mlir
    %lo = tile.rounded mul %x, %x mode(down) : tensor<?x?xf32>
    %q = tile.rounded div %lo, %d mode(zero) ftz : tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Variadic<Tile_RoundedNumber>:$operands, Tile_RoundedKindAttr:$kind, Tile_RoundingModeAttr:$mode,
                       UnitAttr:$ftz);
  let results = (outs Tile_RoundedNumber:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_DotOp : Tile_TileOp<"dot", [Pure]> {
  let summary = "matrix product added to an accumulator";
  let description = [{
    `result[m, n] = acc[m, n] + Σ_k lhs[m, k]·rhs[k, n]`, with one leading batch axis when all three are 3-D. With
    `transpose_a` the `lhs` is given as [K, M], with `transpose_b` the `rhs` as [N, K]. Operands are converted to the
    type of `acc` exactly, then multiplied and added in it: float operands need f32, or f64 when they are f32 or f64;
    i8, i16 and i32 operands need i32, and wrap. Operands may differ in type. `precision(tf32)` rounds f32 operands to
    tf32 first (one of them must be f32 or a type variable, the accumulator f32). `precision(fast)` lets sums of up to 128
    products of two f8 operands be formed as the f8 instructions of tensor cores form them: of what is added some 13 bits
    below the leading one of the largest are kept and the rest cut off. These sums are added in f32 (each operand must be
    f8 or a type variable, the accumulator f32).
    `unsigned_lhs`/`unsigned_rhs` extend integers with zeros instead of the sign. The order of the sum is free.

    Example:
    ```mlir
    %d = tile.dot %a, %b, %c transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$lhs, Tile_Tile:$rhs, Tile_Tile:$acc,
    UnitAttr:$transpose_a, UnitAttr:$transpose_b, UnitAttr:$unsigned_lhs, UnitAttr:$unsigned_rhs,
    DefaultValuedAttr<Tile_PrecisionAttr, "::tilegpt::tile::Precision::IEEE">:$precision);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)?
    (`unsigned_lhs` $unsigned_lhs^)? (`unsigned_rhs` $unsigned_rhs^)? (`precision` `(` custom<Word>($precision)^ `)`)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_TileOp<"reduce", [
    Tile_CombinerOpInterface, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "combines the elements along an axis";
  let description = [{
    Named, of one of `sources` along `axis`: `add mul max min` on floats and (signed) integers, `umax umin` on integers,
    `and or xor` on integers and i1; `argmax argmin` give the i32 index of the first extreme element. `nan(propagate)`
    (the default) makes max, min, argmax and argmin yield NaN (its index) if there is one, `nan(ignore)` skips NaN
    unless all are. `keepdims` leaves an axis of size 1.

    By region: any number of tiles of one shape, one of `identities` each; the region takes the accumulators, then the
    elements, and yields new accumulators with `tile.yield`. It must be pure and associative. The order is free.

    Example:
    ```mlir
    %m = tile.reduce max %x axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %s, %q = tile.reduce %y, %z axis 0 identities [0.0 : f32, 1.0 : f32] {
      ^bb0(%a: f32, %b: f32, %u: f32, %v: f32):
        %0 = arith.addf %a, %u : f32
        %1 = arith.mulf %b, %v : f32
        tile.yield %0, %1 : f32, f32
      } : tensor<8xf32>, tensor<8xf32> -> (tensor<f32>, tensor<f32>)
    ```
  }];
  let arguments = (ins Variadic<Tile_ReducibleTile>:$sources, I64Attr:$axis,
    OptionalAttr<Tile_ReduceKindAttr>:$kind, OptionalAttr<ArrayAttr>:$identities, UnitAttr:$keepdims,
    DefaultValuedAttr<Tile_NaNPolicyAttr, "::tilegpt::tile::NaNPolicy::Propagate">:$nan_policy);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region MaxSizedRegion<1>:$combiner);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_ScanOp : Tile_TileOp<"scan", [
    Tile_CombinerOpInterface, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "combines each element with all before it along an axis";
  let description = [{
    `result[…, i, …]` is what `tile.reduce` makes of the elements 0 … i along `axis`; with `exclusive` of those before
    `i`, and the identity for the first; with `reverse` "before" means behind: elements i … n-1. Names, `nan` and regions
    are those of `tile.reduce`, but for argmax and argmin. A region must be associative; it need not be commutative:
    accumulators come from earlier elements. Sums and products of f16 and bf16 are formed in f32, each element rounded once.

    Example:
    ```mlir
    %c = tile.scan add %x axis 1 : tensor<?x?xf32>
    %o = tile.scan add %n axis 0 exclusive reverse : tensor<8xi32>
    %g, %v = tile.scan %a, %b axis 0 identities [1.0 : f32, 0.0 : f32] {
      ^bb0(%g0: f32, %v0: f32, %g1: f32, %v1: f32):
        %0 = arith.mulf %g0, %g1 : f32
        %1 = arith.mulf %v0, %g1 : f32
        %2 = arith.addf %1, %v1 : f32
        tile.yield %0, %2 : f32, f32
      } : tensor<8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<Tile_ReducibleTile>:$sources, I64Attr:$axis,
    OptionalAttr<Tile_ReduceKindAttr>:$kind, OptionalAttr<ArrayAttr>:$identities, UnitAttr:$exclusive, UnitAttr:$reverse,
    DefaultValuedAttr<Tile_NaNPolicyAttr, "::tilegpt::tile::NaNPolicy::Propagate">:$nan_policy);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region MaxSizedRegion<1>:$combiner);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasFolder = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "the new accumulators of a reduction or scan by region";
  let description = [{
    Gives `values`, one for each source of the enclosing `tile.reduce` or `tile.scan` and of its element type.

    Example:
    ```mlir
    %s = tile.reduce %x axis 0 identities [0.0 : f32] {
      ^bb0(%sum: f32, %element: f32):
        %0 = arith.addf %sum, %element : f32
        tile.yield %0 : f32
    } : tensor<8xf32> -> tensor<f32>
    ```
  }];
  let arguments = (ins Variadic<Tile_Scalar>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Tile_AssertOp : Tile_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "stops the launch with a message when a condition is false";
  let description = [{
    The `condition` is one i1, or a tile of them of which all must be true. The launch reports the `message`; what the
    other blocks stored is undefined.

    Example:
    ```mlir
    tile.assert %ok, "id outside the vocabulary" : i1
    ```
  }];
  let arguments = (ins AnyTypeOf<[I1, Tile_MaskTile]>:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes numbers to standard output";
  let description = [{
    Prints `values` by `format`, whose conversions are those of C's `printf` for numbers, one for each value: `d i u x X o`
    of integers, `e E f F g G a A` of floats, with flags, width and precision; `%%` is a percent sign. Length modifiers are
    left out: the value's type says it. Integers are extended with their sign for `d` and `i`, with zeros for the others.
    Scalars alone are printed once. With tiles, which must have one shape, the format is printed for each of their
    elements, behind its coordinates: `[2, 5] x = 0.25`.

    Prints of a block come in the order of the text. On the host and in the interpreter the elements of one print come
    in row-major order, with nothing of other blocks between them; on a GPU elements come in any order, and what is printed
    shows when the launch is waited for.

    Example:
    ```mlir
    tile.print "x = %f of %d\0A", %x, %n : tensor<8x16xf32>, index
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<Tile_PrintedNumber>:$values);
  let assemblyFormat = "$format (`,` $values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def Tile_AssumeOp : Tile_Op<"assume", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "promises a fact about a scalar to the compiler";
  let description = [{
    The result is `value`. `div_by 16` promises a multiple of a power of two, of a pointer its address in bytes;
    `bounded [0, 4095]` promises a range of an integer, both ends included. A broken promise is undefined; the
    interpreter reports it, but for addresses.

    Example:
    ```mlir
    %n2 = tile.assume %n div_by 16 bounded [0, 4096] : index
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnySignlessInteger, Index, Tile_PtrType]>:$value, OptionalAttr<I64Attr>:$div_by,
                       OptionalAttr<DenseI64ArrayAttr>:$bounded);
  let results = (outs AnyTypeOf<[AnySignlessInteger, Index, Tile_PtrType]>:$result);
  let assemblyFormat = "$value (`div_by` $div_by^)? (`bounded` $bounded^)? attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif
