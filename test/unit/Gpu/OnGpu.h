// Runs a numeric case on a GPU; skipped, with the reason, if there is none.
#ifndef TILEGPT_TEST_UNIT_GPU_ONGPU_H
#define TILEGPT_TEST_UNIT_GPU_ONGPU_H

#include "../Numeric/NumericRun.h"
#include "GpuDevice.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {

class OnGpu : public testing::TestWithParam<NumericCase> {
protected:
  void SetUp() override {
    runtime::Result<compiler::GpuRunner *> found = test::gpu();
    if (!found)
      GTEST_SKIP() << found.error().message;
    runner = *found;
  }

  compiler::GpuRunner *runner = nullptr;
};

/// Poisoned elements around every view; none if $TILEGPT_TEST_GUARD is 0, so
/// that memory checkers see out-of-bounds accesses.
inline int64_t guardOf(int64_t elements) {
  const char *given = std::getenv("TILEGPT_TEST_GUARD");
  return given ? std::atoll(given) : elements;
}

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_GPU_ONGPU_H
