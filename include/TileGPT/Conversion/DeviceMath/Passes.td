//===- Passes.td - Functions of numbers by the instructions of a GPU -----------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_DEVICEMATH_PASSES_TD
#define TILEGPT_CONVERSION_DEVICEMATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandFunctions : Pass<"tile-gpu-expand-functions", "::mlir::func::FuncOp"> {
  let summary = "writes functions a GPU has no instruction for as arithmetic";
  let description = [{
    sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, expm1, log1p, log2, log10, powf, cbrt and erfc of f32 are computed
    in f64, to one unit of the last digit (sin, cos and tan up to 2²⁵). Those, exp, exp2, log, tanh and erf of f64 are
    computed with numbers of two parts where it takes them: to one unit of the last digit, expm1, cosh, tan, atan and
    erf to 2, sinh, tanh, asin, acos and atan2 to 3, erfc to 5 (sin, cos and tan up to 2³⁰). fpowi is powf with a sign.

    `arith.remf` becomes a loop that is exact: `frem` would be right for small quotients only. `tile.rounded` of f32 and
    f64 becomes the instruction with that rounding.

    What neither this pass nor `tile-gpu-expand-math` and `cpu-expand-math` behind it can write is an error: a device has
    no libraries.

    Example: `math.sin %x : f32` becomes a reduction to a quadrant and two series in f64.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"];
}

def ExpandMath : Pass<"tile-gpu-expand-math", "::mlir::func::FuncOp"> {
  let summary = "writes f32 exponentials with the instruction a GPU has for them";
  let description = [{
    exp2 becomes `ex2.approx` (2 ulp), exp the same with the rounding error of x·log₂e put right, tanh a polynomial near
    0 and an exponential elsewhere, 1 + tanh one exponential and one reciprocal. NaN, infinities
    and subnormals come out as they should. Those with the fast math flag `afn` are an instruction each: exp and exp2
    `ex2.approx.ftz`, tanh `tanh.approx` (2⁻¹¹ of the result).

    What is only rounded to 16 bits or fewer is computed with fewer digits, unless `exact` says otherwise: a quotient, also
    one that a factor is multiplied with first, as a product with the reciprocal (2 ulp), the exponential of 1 + tanh without the rounding error of its exponent (2⁻¹⁸ of the
    result). Products `(x + c)·s` of an integer and a constant, which may be contracted, become multiply-adds `c·s + x·s`:
    x·s is the same for all elements of a row (2⁻²³ of the larger part). With a number added, `(x + c)·s + t`, it is
    x·s + t that they have in common.

    A float becomes an i1 by way of i32, whose lowest bit it is.

    Where two bf16 numbers are loaded as a word, each half of it becomes an f32 by one instruction on integers.

    Example: `math.exp2 %x : f32` becomes a call of the intrinsic `llvm.nvvm.ex2.approx`.
  }];
  let options = [Option<"exact", "exact", "bool", "false", "relax nothing that is rounded afterwards">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect"];
}

def ConvertF8 : Pass<"tile-gpu-convert-f8", "::mlir::func::FuncOp"> {
  let summary = "converts to and from f8 with the instructions a GPU has for it";
  let description = [{
    From sm_89 on `arith.extf` from an f8 type becomes `cvt.rn.f16x2`, `arith.truncf` of f32, f16 and bf16 `cvt.rn.satfinite`,
    behind which what is too large becomes infinity or, in f8E4M3FN, NaN, as everywhere else. Other conversions, and all
    of them before sm_89, are left to `cpu-expand-floats`.

    Example: `arith.extf %x : f8E4M3FN to f32` becomes `nvvm.convert.f8x2.to.f16x2` and an `arith.extf` of its first half.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif
