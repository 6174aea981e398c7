// Any bytes are either a file whose tensors can all be read or an error. The
// leading length would stop a fuzzer before the header, so each input is also
// tried as a header.
#include "TileGPT/Runtime/Data/Safetensors.h"
#include <cstdlib>

using namespace tilegpt::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::span image(reinterpret_cast<const std::byte *>(data), size);
  if (const auto file = Safetensors::view(image, "fuzz")) {
    // Sanitizers detect out-of-bounds reads.
    volatile uint64_t sum = 0;
    for (const StoredTensor &tensor : file->tensors()) {
      for (const std::byte byte : file->bytes(tensor))
        sum = sum + uint64_t(byte);
      if (file->find(tensor.name) != &tensor)
        std::abort();
    }
  }
  constexpr uint64_t dataBytes = 64;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  if (const auto header = SafetensorsHeader::parse(text, dataBytes)) {
    uint64_t covered = 0;
    for (const StoredTensor &tensor : header->tensors)
      covered += tensor.end - tensor.begin;
    if (covered != dataBytes)
      std::abort();
  }
  return 0;
}
