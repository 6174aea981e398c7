//===- Passes.td - Math functions on GPUs ------------------------------------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_DEVICEMATH_PASSES_TD
#define TILEGPT_CONVERSION_DEVICEMATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandFunctions : Pass<"tile-gpu-expand-functions", "::mlir::func::FuncOp"> {
  let summary = "Expand math functions without a GPU instruction to arithmetic";
  let description = [{
    sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, expm1, log2, log10, powf, cbrt and erfc of f32 are computed in f64,
    log1p in f32, to 1 ulp (sin, cos and tan up to 2⁴⁸). Those, exp, exp2, log, tanh and erf of f64 use double-double
    arithmetic where needed: to 1 ulp; expm1, cosh, tan, atan and erf to 2; sinh, tanh, asin, acos and atan2 to 3; erfc to 5
    (sin, cos and tan up to 2³⁰). fpowi is powf with a sign.

    `arith.remf` becomes an exact loop: `frem` is only correct for small quotients. `tile.rounded` of f32 and f64 becomes the
    instruction with that rounding mode.

    Functions that neither this pass nor the following `tile-gpu-expand-math` and `cpu-expand-math` expand are an error: there
    are no device libraries.

    Example: `math.sin %x : f32` becomes a reduction to a quadrant and two series in f64.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"];
}

def ExpandMath : Pass<"tile-gpu-expand-math", "::mlir::func::FuncOp"> {
  let summary = "Expand f32 exponentials to GPU instructions";
  let description = [{
    exp2 becomes `ex2.approx` (2 ulp), exp the same with a correction for the rounding error of x·log₂e, tanh a polynomial near
    0 and an exponential elsewhere, 1 + tanh one exponential and one reciprocal. NaN, infinities and subnormals are handled
    correctly. With the fast math flag `afn` each is one instruction: exp and exp2 `ex2.approx.ftz`, tanh `tanh.approx` (2⁻¹¹
    of the result), log, log2 and log10 `lg2.approx` (2⁻²² of 1 or of the result). log1p is that or, near 0, a polynomial
    (2⁻¹⁴ of the result).

    Results that are only rounded to 16 bits or fewer are computed with reduced precision, unless `exact` is set: a quotient,
    also one that is first multiplied by a factor, as a product with the reciprocal (2 ulp; by 1 + eˣ, 0 if the reciprocal is
    subnormal), the exponential of 1 + tanh without the correction (2⁻¹⁸ of the result). Products `(x + c)·s` of an integer and
    a constant that may be contracted become FMAs `c·s + x·s`, where x·s is shared by all elements of a row (2⁻²³ of the larger
    part). With an added value, `(x + c)·s + t`, the shared part is x·s + t. Quotients by 1 + eˣ that keep more bits, and
    those that are rounded to 16 bits after sums, are corrected by their remainder instead of divided with a branch, and so
    are four or more quotients by the same divisor (`Quotients.h`). 1 + erf that is rounded to 16 bits is one reciprocal, a polynomial and one exponential (2⁻¹⁷ of the result).

    A float is converted to i32, and i1 is its lowest bit.

    If two bf16 values are loaded as one word, each half is converted to f32 by one integer instruction. i8 values that are
    loaded in pairs become f16 or f32 by a byte permutation and a difference, those of f16 both at once.

    Sums, differences and products of f16 or bf16 values, and of constants that are exact in them, which are computed in f32 and
    rounded back, are computed in the narrow type: f32 has more than twice its digits, so the result is the same.

    Example: `math.exp2 %x : f32` becomes a call of the intrinsic `llvm.nvvm.ex2.approx`.
  }];
  let options = [Option<"exact", "exact", "bool", "false", "do not reduce the precision of values that are rounded later">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect"];
}

def ConvertF8 : Pass<"tile-gpu-convert-f8", "::mlir::func::FuncOp"> {
  let summary = "Convert to and from f8 with GPU instructions";
  let description = [{
    From sm_89 on `arith.extf` from an f8 type becomes `cvt.rn.f16x2`, and `arith.truncf` of f32, f16 and bf16
    `cvt.rn.satfinite`, followed by a select that makes overflow infinity or, in f8E4M3FN, NaN, as on other targets. Other
    conversions, and all before sm_89, are left to `cpu-expand-floats`.

    Example: `arith.extf %x : f8E4M3FN to f32` becomes `nvvm.convert.f8x2.to.f16x2` and an `arith.extf` of its first half.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif
