// f32 quotients without the branch of a correctly rounded division, which
// handles divisors and results near the ends of the range of f32. With a branch
// for each of its elements, a thread divides one after the other.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_QUOTIENTS_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_QUOTIENTS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// True if a value is only rounded to 16 bits or fewer, possibly after
/// products, selects or branches.
/// \param depth  the most products and selects on the way.
bool isOnlyRounded(mlir::Value value, int depth = 2);

/// The same, possibly after sums and quotients, too.
/// \param depth  the most ops on the way.
bool isRoundedInTheEnd(mlir::Value value, int depth = 6);

/// Marks quotients that are only rounded to 16 bits, directly or as the factor
/// of a product, as approximate: they need not be exact in the last of 24 bits.
void markRoundedQuotients(mlir::Operation *function);

/// Quotients by 1 + eˣ, and quotients that are rounded to 16 bits after sums,
/// become the product with the reciprocal and a correction by the remainder:
/// off by half an ulp and 2⁻²² of one; by 2 ulp if the divisor or the result is
/// within 2²⁴ of the ends of the range of f32; 0 if the divisor is above 2¹²⁶.
/// Approximate quotients by 1 + eˣ become the product with the reciprocal.
void populateQuotients(mlir::RewritePatternSet &patterns);

/// Gives quotients by the same divisor, such as those of a row by its sum, one
/// reciprocal, by which they are multiplied and corrected as above: off by half
/// an ulp and 2⁻²² of one; by 2 ulp if the dividend or the result is within 2²⁴
/// of the lower end of the range of f32. To be run after the patterns.
void shareReciprocals(mlir::Operation *function);

/// Expands erf of f32. The divisor of its rational approximation is neither
/// small nor large.
mlir::LogicalResult expandErf(mlir::Operation *function);

} // namespace tilegpt::tilegpu

#endif
