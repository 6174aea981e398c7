// Random kernels as numeric cases, to cover what handwritten tests miss. Family
// and seed determine a kernel.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMKERNELS_H
#define TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMKERNELS_H

#include "../NumericCase.h"

namespace tilegpt::numeric {

/// A chain of arbitrary ops on small tiles of any rank and type, with loops and
/// branches.
NumericCase randomChain(uint64_t seed);

/// A matrix product as users write it: operands transposed or computed, one or
/// two products, any epilogue.
NumericCase randomProduct(uint64_t seed);

/// Attention with an online softmax: masks, biases, caps and head sizes.
NumericCase randomAttention(uint64_t seed);

/// Whole rows or columns of any width: statistics, softmax, norms, losses.
NumericCase randomRows(uint64_t seed);

/// One kernel per family for every seed in TILEGPT_RANDOM_KERNELS
/// ("FIRST:COUNT", by default "1:12"). Ends the program with a message if the
/// variable cannot be parsed.
std::vector<NumericCase> randomKernels();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMKERNELS_H
