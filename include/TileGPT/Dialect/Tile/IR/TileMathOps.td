//===- TileMathOps.td - Dot, reduce, cast, assert, assume ---------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEMATHOPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILEMATHOPS_TD

include "TileGPT/Dialect/Tile/IR/TileOpBase.td"

def Tile_CastOp : Tile_TileOp<"cast", [Pure]> {
  let summary = "converts a float tile to another float type";
  let description = [{
    Converts every element of `source`: exactly when widening, round-to-nearest-even when narrowing. Overflow yields
    infinity, or NaN in f8E4M3FN, which has no infinity. Equivalent to `arith.extf`/`arith.truncf` for element types
    that may be variables; folds if both types are the same.

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
  let summary = "float arithmetic with a rounding mode";
  let description = [{
    The exact `add`, `sub`, `mul`, `div`, `fma` (`a·b + c`) or `sqrt` of the `operands`, elementwise, rounded once
    to their type: to the nearest with ties to `even`, towards `zero`, `down` or `up`. An exact zero sum is -0 when
    rounding `down` and one of the terms is negative, otherwise +0; the sum of two zeros of the same sign keeps that
    sign. With `ftz`, for f32, subnormal operands are flushed to zeros of the same sign, and so is a result whose
    magnitude, rounded to 24 bits, is below the smallest normal number.

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
    `result[m, n] = acc[m, n] + Σ_k lhs[m, k]·rhs[k, n]`, with one leading batch axis if all three are 3-D. With
    `transpose_a`, `lhs` is [K, M]; with `transpose_b`, `rhs` is [N, K]. Operands are converted exactly to the type
    of `acc`, in which products and sums are formed: float operands require f32, or f64 if they are f32 or f64; i8,
    i16 and i32 operands require i32, with wraparound. Operands may differ in type. `precision(tf32)` rounds f32
    operands to tf32 first (one of them must be f32 or a type variable, the accumulator f32). `precision(fast)`
    permits the reduced-precision accumulation of the f8 tensor core instructions for sums of up to 128 products of
    two f8 operands: about 13 bits below the leading bit of the largest term are kept and the rest is truncated.
    These sums are added in f32 (each operand must be f8 or a type variable, the accumulator f32).
    `unsigned_lhs`/`unsigned_rhs` zero-extend integer operands instead of sign-extending them. The order of the
    summation is unspecified.

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
  let summary = "reduces a tile along an axis";
  let description = [{
    With a name, one source is reduced along `axis`: `add mul max min` on floats and (signed) integers, `umax umin`
    on integers, `and or xor` on integers and i1; `argmax argmin` yield the i32 index of the first extremum.
    `nan(propagate)` (the default) makes max, min, argmax and argmin yield NaN (its index) if there is one,
    `nan(ignore)` skips NaN unless all elements are NaN. `keepdims` keeps the axis with size 1.

    With a region: any number of tiles of the same shape, with one of `identities` each; the region takes the
    accumulators, then the elements, and yields new accumulators with `tile.yield`. It must be pure, associative and
    commutative, and combining with the identities must change nothing: the order is unspecified, and identities may
    take part any number of times.

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
  let summary = "prefix reduction along an axis";
  let description = [{
    `result[…, i, …]` is the `tile.reduce` of the elements 0 … i along `axis`; with `exclusive`, of the elements
    before `i`, and the identity for the first; with `reverse`, of the elements i … n-1 (after `i` if exclusive).
    Names, `nan` and regions are those of `tile.reduce`, except argmax and argmin. A region must be associative but
    need not be commutative: accumulators come from earlier elements. Sums and products of f16 and bf16 are
    accumulated in f32, and each element is rounded once.

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
    Yields `values`, one for each source of the enclosing `tile.reduce` or `tile.scan`, of its element type.

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
  let summary = "aborts the launch with a message if a condition is false";
  let description = [{
    `condition` is an i1, or a tile of i1 all of which must be true. The launch reports the `message`; the contents
    of memory that other blocks store to are undefined.

    Example:
    ```mlir
    tile.assert %ok, "id outside the vocabulary" : i1
    ```
  }];
  let arguments = (ins AnyTypeOf<[I1, Tile_MaskTile]>:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "prints numbers to standard output";
  let description = [{
    Prints `values` according to `format`, with the numeric conversions of C's `printf`, one per value: `d i u x X
    o` for integers, `e E f F g G a A` for floats, with flags, width and precision; `%%` is a percent sign. Length
    modifiers are omitted: the type of the value determines the length. Integers are sign-extended for `d` and `i`,
    zero-extended for the others. Scalars alone are printed once. With tiles, which must have the same shape, the
    format is printed for each element, preceded by its coordinates: `[2, 5] x = 0.25`.

    Prints of a block appear in program order. On the host and in the interpreter the elements of one print appear
    in row-major order, not interleaved with other blocks; on a GPU the order of elements is unspecified, and the
    output appears when the launch is synchronized.

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
  let summary = "states a fact about a scalar that the compiler may rely on";
  let description = [{
    The result is `value`. `div_by 16` states that it is a multiple of a power of two (for a pointer, its address in
    bytes); `bounded [0, 4095]` states the range of an integer, both ends included. If the fact does not hold, the
    behavior is undefined; the interpreter reports it, except for addresses.

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
