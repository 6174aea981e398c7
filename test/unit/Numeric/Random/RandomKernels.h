// Kernels drawn at random, as numeric cases: what nobody thought of writing
// down. A kernel follows from its family and seed alone.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMKERNELS_H
#define TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMKERNELS_H

#include "../NumericCase.h"

namespace tilegpt::numeric {

/// A chain of any ops on small tiles of any rank and type, with loops and
/// branches.
NumericCase randomChain(uint64_t seed);

/// A matrix product as users write it: either operand transposed or computed,
/// one or two products, any epilogue.
NumericCase randomProduct(uint64_t seed);

/// Attention with an online softmax: masks, biases, caps and head sizes.
NumericCase randomAttention(uint64_t seed);

/// Whole rows or columns of any width: statistics, softmax, norms, losses.
NumericCase randomRows(uint64_t seed);

/// One kernel of each family for every seed that TILEGPT_RANDOM_KERNELS asks
/// for ("FIRST:COUNT", "1:12" where it is not set). Ends the program with a
/// message if the variable cannot be read.
std::vector<NumericCase> randomKernels();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMKERNELS_H
