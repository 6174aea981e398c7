// Every value of the f8 types and every way of rounding to them; products of f8
// tiles of sizes that matrix instructions take.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_F8CASES_H
#define TILEGPT_TEST_UNIT_NUMERIC_F8CASES_H

#include "NumericCase.h"

namespace tilegpt::numeric {

/// Conversions, whose inputs the kernels generate themselves, and products.
std::vector<NumericCase> f8Cases();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_F8CASES_H
