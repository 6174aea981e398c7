// Opens a device of the fake driver as programs open a real one.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_CUDA_OPENFAKE_H
#define TILEGPT_TEST_UNIT_RUNTIME_CUDA_OPENFAKE_H

#include "Cuda/FakeCuda.h"
#include "TileGPT/Runtime/Cuda/Device.h"

namespace tilegpt::test {

inline runtime::Result<std::shared_ptr<cuda::Device>>
tryOpenFake(int ordinal = 0) {
  auto driver = cuda::Driver::load(fakeLibrary);
  if (!driver)
    return tl::unexpected(driver.error());
  return cuda::Device::open(std::move(*driver), ordinal);
}

inline std::shared_ptr<cuda::Device> openFake() {
  return tryOpenFake().value();
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_CUDA_OPENFAKE_H
