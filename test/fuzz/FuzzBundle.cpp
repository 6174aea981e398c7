// Any bytes are either a bundle whose tables can be traversed completely or an
// error. The checksum would stop a fuzzer before the tables, so each input is
// also tried with a corrected header.
#include "TileGPT/Bundle/Bundle.h"
#include <cstdlib>
#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace tilegpt::bundle;

/// Follows every index of an accepted bundle; sanitizers detect out-of-bounds
/// accesses.
static uint64_t walk(const Bundle &bundle) {
  uint64_t sum =
      bundle.string(bundle.model().name).size() + bundle.hostCode().size();
  const auto text = [&](Range range) {
    for (const char c : bundle.string(range))
      sum += uint64_t(c);
  };
  text(bundle.target().architecture);
  for (const Kernel &kernel : bundle.kernels()) {
    text(kernel.symbol);
    for (const Range &message : bundle.messages(kernel))
      text(message);
    for (const Parameter &parameter : bundle.parameters(kernel))
      sum += name(parameter.type).size();
    for (const std::byte byte : bundle.deviceImage(kernel))
      sum += uint64_t(byte);
    for (const TensorMap &map : bundle.tensorMaps(kernel))
      sum += bundle.parameters(kernel)[map.argument].rank;
  }
  for (const Plan &plan : bundle.plans()) {
    for (const Buffer &buffer : bundle.buffers(plan))
      text(buffer.name);
    for (const Launch &launch : bundle.launches(plan)) {
      text(bundle.kernel(launch).name);
      for (const Argument &argument : bundle.arguments(launch))
        if (argument.kind == ArgumentKind::View)
          text(bundle.buffers()[argument.buffer].name);
      for (const Range &axis : launch.grid)
        for (const Expression &node : bundle.expression(axis))
          sum += uint64_t(node.op);
    }
  }
  return sum;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<std::byte> image(size);
  if (size > 0)
    std::memcpy(image.data(), data, size);
  volatile uint64_t sink = 0;
  if (const auto bundle = Bundle::view(image))
    sink = walk(*bundle);

  if (size < sizeof(Header))
    return 0;
  Header header;
  std::memcpy(&header, image.data(), sizeof(header));
  std::memcpy(header.magic, magic, sizeof(magic));
  header.version = version;
  header.sectionCount = sectionCount;
  header.totalBytes = size;
  std::memcpy(image.data(), &header, sizeof(header));
  header.checksum =
      XXH3_64bits(image.data() + checksummedFrom, size - checksummedFrom);
  std::memcpy(image.data(), &header, sizeof(header));
  if (const auto bundle = Bundle::view(image))
    sink = walk(*bundle);
  (void)sink;
  return 0;
}
