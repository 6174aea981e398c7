// Unwraps results that must be values, for use outside of test bodies.
#ifndef TILEGPT_TEST_UNIT_ENDTOEND_VALUEOF_H
#define TILEGPT_TEST_UNIT_ENDTOEND_VALUEOF_H

#include "TileGPT/Runtime/Error.h"
#include <stdexcept>

namespace tilegpt::test {

/// \throws std::runtime_error with the message of the error.
template <typename T>
T valueOf(runtime::Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

} // namespace tilegpt::test

#endif
