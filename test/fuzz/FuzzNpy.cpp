// Any bytes are either an array whose shape matches its data or an error.
#include "TileGPT/Runtime/Data/Npy.h"
#include <cstdlib>

using namespace tilegpt::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto array =
      parseNpy({reinterpret_cast<const std::byte *>(data), size}, "fuzz");
  if (array &&
      tensorBytes(array->type, array->shape) != int64_t(array->bytes.size()))
    std::abort();
  return 0;
}
