//===- CudaTileElementwiseOps.td - Arithmetic, functions and casts *- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEELEMENTWISEOPS_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEELEMENTWISEOPS_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileOpBase.td"

//===- Shapes of definitions ------------------------------------------------------===//

class CudaTile_Unary<string mnemonic, Type tile> :
    CudaTile_Op<mnemonic, [Pure, AllTypesMatch<["source", "result"]>]> {
  let arguments = (ins tile:$source);
  let results = (outs tile:$result);
  let assemblyFormat = !strconcat("$source", sameType);
}
class CudaTile_FloatFunction<string mnemonic, string text> : CudaTile_Unary<mnemonic, CudaTile_FloatTile> {
  let summary = text;
}

class CudaTile_Binary<string mnemonic, Type tile, list<Trait> traits = [Pure]> :
    CudaTile_Op<mnemonic, traits # [AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let results = (outs tile:$result);
}
class CudaTile_PlainBinary<string mnemonic, Type tile, string text> : CudaTile_Binary<mnemonic, tile> {
  let summary = text;
  let arguments = (ins tile:$lhs, tile:$rhs);
  let assemblyFormat = !strconcat("$lhs `,` $rhs", sameType);
}
class CudaTile_IntBinary<string mnemonic, string text> : CudaTile_PlainBinary<mnemonic, CudaTile_IntTile, text>;

defvar overflowText = " (`overflow` `` $overflow^)?";
defvar overflowAttr = (ins DefaultValuedAttr<CudaTile_OverflowAttr, "Overflow::None">:$overflow);
class CudaTile_OverflowBinary<string mnemonic, string text> : CudaTile_Binary<mnemonic, CudaTile_IntTile> {
  let summary = text;
  let arguments = !con((ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs), overflowAttr);
  let assemblyFormat = !strconcat("$lhs `,` $rhs", overflowText, sameType);
}

class CudaTile_SignedBinary<string mnemonic, string text> : CudaTile_Binary<mnemonic, CudaTile_IntTile> {
  let summary = text;
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs, CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = !strconcat("$lhs `,` $rhs custom<Signedness>($signedness)", sameType);
}

defvar roundedAttrs = (ins CudaTile_RoundingAttr:$rounding_mode, UnitAttr:$flush_to_zero);
defvar roundedText = !strconcat(" `` custom<Rounding>($rounding_mode) ", flushToZero, sameType);
class CudaTile_RoundedBinary<string mnemonic, string text> : CudaTile_Binary<mnemonic, CudaTile_FloatTile> {
  let summary = text;
  let arguments = !con((ins CudaTile_FloatTile:$lhs, CudaTile_FloatTile:$rhs), roundedAttrs);
  let assemblyFormat = !strconcat("$lhs `,` $rhs", roundedText);
  let hasVerifier = 1;
}

class CudaTile_FloatChoice<string mnemonic, string text> : CudaTile_Binary<mnemonic, CudaTile_FloatTile> {
  let summary = text;
  let description = "A number wins over NaN, unless `propagate_nan`; +0 is greater than -0.";
  let arguments = (ins CudaTile_FloatTile:$lhs, CudaTile_FloatTile:$rhs, UnitAttr:$propagate_nan,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = !strconcat("$lhs `,` $rhs oilist(`flush_to_zero` $flush_to_zero | `propagate_nan` $propagate_nan)", sameType);
  let hasVerifier = 1;
}

class CudaTile_FlushedFunction<string mnemonic, string text>
  : CudaTile_Op<mnemonic, [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = text;
  let arguments = (ins CudaTile_FloatTile:$source, UnitAttr:$flush_to_zero);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = !strconcat("$source ", flushToZero, sameType);
  let hasVerifier = 1;
}

class CudaTile_Cast<string mnemonic, string text> : CudaTile_Op<mnemonic, [Pure, AllShapesMatch<["from", "to"]>]> {
  let summary = text;
}

//===- Integers -------------------------------------------------------------------===//

def CudaTile_AbsIOp : CudaTile_Unary<"absi", CudaTile_IntTile> {
  let summary = "absolute value; the smallest signed integer stays itself";
}
def CudaTile_AddIOp : CudaTile_OverflowBinary<"addi", "lhs + rhs, wrapping">;
def CudaTile_SubIOp : CudaTile_OverflowBinary<"subi", "lhs - rhs, wrapping">;
def CudaTile_MulIOp : CudaTile_OverflowBinary<"muli", "lhs * rhs, wrapping">;
def CudaTile_ShLIOp : CudaTile_OverflowBinary<"shli", "lhs shifted left by rhs bits">;
def CudaTile_AndIOp : CudaTile_IntBinary<"andi", "bitwise and">;
def CudaTile_OrIOp : CudaTile_IntBinary<"ori", "bitwise or">;
def CudaTile_XOrIOp : CudaTile_IntBinary<"xori", "bitwise exclusive or">;
def CudaTile_MaxIOp : CudaTile_SignedBinary<"maxi", "the greater integer">;
def CudaTile_MinIOp : CudaTile_SignedBinary<"mini", "the smaller integer">;
def CudaTile_RemIOp : CudaTile_SignedBinary<"remi", "remainder, with the sign of lhs">;
def CudaTile_ShRIOp : CudaTile_SignedBinary<"shri", "lhs shifted right by rhs bits">;

def CudaTile_DivIOp : CudaTile_Binary<"divi", CudaTile_IntTile, [NoMemoryEffect]> {
  let summary = "quotient, rounded towards zero or as asked";
  let description = "Division by zero and of the smallest signed integer by -1 are undefined.";
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs, CudaTile_SignednessAttr:$signedness,
                       DefaultValuedAttr<CudaTile_RoundingAttr, "Rounding::Zero">:$rounding);
  let assemblyFormat = !strconcat("$lhs `,` $rhs custom<Signedness>($signedness) (`rounding` `` $rounding^)?", sameType);
  let hasVerifier = 1;
}

def CudaTile_MulhiIOp : CudaTile_Op<"mulhii", [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "the upper half of the unsigned product";
  let arguments = (ins CudaTile_IntTile:$x, CudaTile_IntTile:$y);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = !strconcat("$x `,` $y", sameType);
}

def CudaTile_NegIOp : CudaTile_Op<"negi", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "0 - source, wrapping";
  let arguments = !con((ins CudaTile_IntTile:$source), overflowAttr);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = !strconcat("$source", overflowText, sameType);
  let hasVerifier = 1;
}

def CudaTile_CmpIOp : CudaTile_Op<"cmpi", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "comparison of integers";
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate, CudaTile_IntTile:$lhs,
                       CudaTile_IntTile:$rhs, CudaTile_SignednessAttr:$signedness);
  let results = (outs CudaTile_BoolTile:$result);
  let assemblyFormat = [{
    custom<Predicate>($comparison_predicate) $lhs `,` $rhs `,` custom<Signedness>($signedness) attr-dict
    `:` custom<CudaTileType>(type($lhs)) `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

//===- Floating-point numbers -----------------------------------------------------===//

def CudaTile_AddFOp : CudaTile_RoundedBinary<"addf", "lhs + rhs">;
def CudaTile_SubFOp : CudaTile_RoundedBinary<"subf", "lhs - rhs">;
def CudaTile_MulFOp : CudaTile_RoundedBinary<"mulf", "lhs * rhs">;
def CudaTile_DivFOp : CudaTile_RoundedBinary<"divf", "lhs / rhs"> {
  let description = "`approx` and `full` are for f32: within 2 units of the last place.";
}
def CudaTile_RemFOp : CudaTile_PlainBinary<"remf", CudaTile_FloatTile, "remainder, with the sign of lhs">;
def CudaTile_MaxFOp : CudaTile_FloatChoice<"maxf", "the greater number">;
def CudaTile_MinFOp : CudaTile_FloatChoice<"minf", "the smaller number">;

def CudaTile_FmaOp : CudaTile_Op<"fma", [Pure, AllTypesMatch<["lhs", "rhs", "acc", "result"]>]> {
  let summary = "lhs * rhs + acc, rounded once";
  let arguments = !con((ins CudaTile_FloatTile:$lhs, CudaTile_FloatTile:$rhs, CudaTile_FloatTile:$acc), roundedAttrs);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = !strconcat("$lhs `,` $rhs `,` $acc", roundedText);
  let hasVerifier = 1;
}

def CudaTile_SqrtOp : CudaTile_Op<"sqrt", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "square root";
  let arguments = !con((ins CudaTile_FloatTile:$source), roundedAttrs);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = !strconcat("$source", roundedText);
  let hasVerifier = 1;
}

class CudaTile_FullFunction<string mnemonic, string text>
  : CudaTile_Op<mnemonic, [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = text;
  let arguments = (ins CudaTile_FloatTile:$source,
                       DefaultValuedAttr<CudaTile_RoundingAttr, "Rounding::Full">:$rounding_mode);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = !strconcat("$source `` custom<FullRounding>($rounding_mode)", sameType);
  let hasVerifier = 1;
}
def CudaTile_ExpOp : CudaTile_FullFunction<"exp", "e to the power of source"> {
  let description = "`approx` (13.3) is for f32.";
}
def CudaTile_TanHOp : CudaTile_FullFunction<"tanh", "hyperbolic tangent"> {
  let description = "`approx` (13.2) is for f32.";
}
def CudaTile_Exp2Op : CudaTile_FlushedFunction<"exp2", "2 to the power of source">;
def CudaTile_RsqrtOp : CudaTile_FlushedFunction<"rsqrt", "reciprocal square root">;

def CudaTile_AbsFOp : CudaTile_FloatFunction<"absf", "absolute value">;
def CudaTile_NegFOp : CudaTile_FloatFunction<"negf", "the number with the other sign">;
def CudaTile_CeilOp : CudaTile_FloatFunction<"ceil", "the next integer above">;
def CudaTile_FloorOp : CudaTile_FloatFunction<"floor", "the next integer below">;
def CudaTile_CosOp : CudaTile_FloatFunction<"cos", "cosine">;
def CudaTile_CosHOp : CudaTile_FloatFunction<"cosh", "hyperbolic cosine">;
def CudaTile_SinOp : CudaTile_FloatFunction<"sin", "sine">;
def CudaTile_SinHOp : CudaTile_FloatFunction<"sinh", "hyperbolic sine">;
def CudaTile_TanOp : CudaTile_FloatFunction<"tan", "tangent">;
def CudaTile_LogOp : CudaTile_FloatFunction<"log", "natural logarithm">;
def CudaTile_Log2Op : CudaTile_FloatFunction<"log2", "logarithm of base 2">;

def CudaTile_Atan2Op : CudaTile_Op<"atan2", [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "the angle whose tangent is x / y";
  let description = "The first operand is the first of C's `atan2`. Since 13.2.";
  let arguments = (ins CudaTile_FloatTile:$x, CudaTile_FloatTile:$y);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = !strconcat("$x `,` $y", sameType);
}

def CudaTile_PowOp : CudaTile_Op<"pow", [Pure, AllTypesMatch<["source", "exponent", "result"]>]> {
  let summary = "source to the power of exponent";
  let description = "Texts of 13.4 call it `fpowf`, which is read as well.";
  let arguments = (ins CudaTile_FloatTile:$source, CudaTile_FloatTile:$exponent);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = !strconcat("$source `,` $exponent", sameType);
}

def CudaTile_FPowIOp : CudaTile_Op<"fpowi", [Pure, AllTypesMatch<["source", "result"]>,
                                             AllShapesMatch<["source", "exponent"]>]> {
  let summary = "source to the power of a signed integer";
  let description = "Since 13.4.";
  let arguments = (ins CudaTile_FloatTile:$source, CudaTile_PowerTile:$exponent);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = [{
    $source `,` $exponent attr-dict `:` custom<CudaTileType>(type($result)) `,` custom<CudaTileType>(type($exponent))
  }];
}

def CudaTile_CmpFOp : CudaTile_Op<"cmpf", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "comparison of floating-point numbers";
  let description = "With NaN, `ordered` is false and `unordered` true.";
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate,
                       CudaTile_ComparisonOrderingAttr:$comparison_ordering, CudaTile_FloatTile:$lhs,
                       CudaTile_FloatTile:$rhs);
  let results = (outs CudaTile_BoolTile:$result);
  let assemblyFormat = [{
    custom<Predicate>($comparison_predicate) custom<Ordering>($comparison_ordering) $lhs `,` $rhs attr-dict
    `:` custom<CudaTileType>(type($lhs)) `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_SelectOp : CudaTile_Op<"select", [
    Pure, AllTypesMatch<["val_if_true", "val_if_false", "result"]>, AllShapesMatch<["cond", "result"]>]> {
  let summary = "one of two elements";
  let arguments = (ins CudaTile_BoolTile:$cond, CudaTile_AnyTile:$val_if_true, CudaTile_AnyTile:$val_if_false);
  let results = (outs CudaTile_AnyTile:$result);
  let assemblyFormat = [{
    $cond `,` $val_if_true `,` $val_if_false attr-dict
    `:` custom<CudaTileType>(type($cond)) `,` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

//===- Casts ----------------------------------------------------------------------===//

def CudaTile_ExtIOp : CudaTile_Cast<"exti", "a wider integer"> {
  let arguments = (ins CudaTile_AnyIntTile:$from, CudaTile_SignednessAttr:$signedness);
  let results = (outs CudaTile_AnyIntTile:$to);
  let assemblyFormat = !strconcat("$from custom<Signedness>($signedness)", fromTo);
  let hasVerifier = 1;
}
def CudaTile_TruncIOp : CudaTile_Cast<"trunci", "a narrower integer"> {
  let arguments = !con((ins CudaTile_AnyIntTile:$from), overflowAttr);
  let results = (outs CudaTile_AnyIntTile:$to);
  let assemblyFormat = !strconcat("$from", overflowText, fromTo);
  let hasVerifier = 1;
}
def CudaTile_FToFOp : CudaTile_Cast<"ftof", "another floating-point type"> {
  let description = [{
    To nearest even; to f8E8M0FNU towards zero or up. Since 13.4 also `zero` to f16, bf16, tf32 and f32, `nearest_away`
    from f32 to tf32, `negative_inf` and `positive_inf` from f64 to f32, and all of these to a wider type, where they mean
    the same.
  }];
  let arguments = (ins CudaTile_AnyFloatTile:$from,
                       DefaultValuedAttr<CudaTile_RoundingAttr, "Rounding::NearestEven">:$rounding_mode);
  let results = (outs CudaTile_AnyFloatTile:$to);
  let assemblyFormat = !strconcat("$from `` custom<Rounding>($rounding_mode)", fromTo);
  let hasVerifier = 1;
}
def CudaTile_FToIOp : CudaTile_Cast<"ftoi", "an integer, rounded towards zero"> {
  let description = "NaN and numbers out of range are undefined, unless `saturating` (13.4).";
  let arguments = (ins CudaTile_AnyFloatTile:$from, CudaTile_SignednessAttr:$signedness,
                       CudaTile_RoundingAttr:$rounding_mode, UnitAttr:$saturating);
  let results = (outs CudaTile_IntTile:$to);
  let assemblyFormat = !strconcat("$from custom<Signedness>($signedness) `` custom<IntRounding>($rounding_mode) " "(`saturating` $saturating^)?", fromTo);
  let hasVerifier = 1;
}
def CudaTile_IToFOp : CudaTile_Cast<"itof", "a floating-point number, to nearest even"> {
  let arguments = (ins CudaTile_IntTile:$from, CudaTile_SignednessAttr:$signedness,
                       CudaTile_RoundingAttr:$rounding_mode);
  let results = (outs CudaTile_AnyFloatTile:$to);
  let assemblyFormat = !strconcat("$from custom<Signedness>($signedness) `` custom<Rounding>($rounding_mode)", fromTo);
  let hasVerifier = 1;
}
def CudaTile_BitcastOp : CudaTile_Op<"bitcast", [Pure, AllShapesMatch<["source", "result"]>]> {
  let summary = "the same bits as another type of the same width";
  let arguments = (ins CudaTile_NumberTile:$source);
  let results = (outs CudaTile_NumberTile:$result);
  let assemblyFormat = !strconcat("$source", arrowType);
  let hasVerifier = 1;
}

class CudaTile_PointerCast<string mnemonic, Type from, Type to, string text>
  : CudaTile_Op<mnemonic, [Pure, AllShapesMatch<["source", "result"]>]> {
  let summary = text;
  let arguments = (ins from:$source);
  let results = (outs to:$result);
  let assemblyFormat = !strconcat("$source", arrowType);
}
def CudaTile_IntToPtrOp
  : CudaTile_PointerCast<"int_to_ptr", CudaTile_WideIntTile, CudaTile_PointerTile, "addresses as pointers">;
def CudaTile_PtrToIntOp
  : CudaTile_PointerCast<"ptr_to_int", CudaTile_PointerTile, CudaTile_WideIntTile, "pointers as addresses">;
def CudaTile_PtrToPtrOp
  : CudaTile_PointerCast<"ptr_to_ptr", CudaTile_PointerTile, CudaTile_PointerTile, "pointers to another type">;

#endif
