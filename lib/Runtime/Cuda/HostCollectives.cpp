// Collectives through host memory: device to host, between ranks, host to
// device.
#include "TileGPT/Runtime/Cuda/Collectives.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::ElementType;
using runtime::Result;

namespace {

class HostCollectives final : public Collectives {
public:
  HostCollectives(std::shared_ptr<Device> device, runtime::Communicator &ranks)
      : device(std::move(device)), ranks(ranks) {}

  bool canBeCaptured() const override { return false; }

  Result<void> allReduce(ElementType type, CUdeviceptr in, CUdeviceptr out,
                         int64_t count, const Stream &stream) override {
    const auto bytes = size_t(count * bundle::byteWidth(type));
    if (auto fetched = fetch(in, bytes, bytes, stream); !fetched)
      return fetched;
    if (auto summed =
            ranks.allReduce(type, memory.data(), memory.data(), count);
        !summed)
      return summed;
    return stream.copyToDevice(out, memory.data(), bytes);
  }

  Result<void> allGather(ElementType type, CUdeviceptr in, CUdeviceptr out,
                         int64_t count, const Stream &stream) override {
    const auto part = size_t(count * bundle::byteWidth(type));
    const size_t all = part * size_t(ranks.rank().count);
    if (auto fetched = fetch(in, part, part + all, stream); !fetched)
      return fetched;
    std::byte *const gathered = memory.data() + part;
    if (auto done = ranks.allGather(memory.data(), gathered, int64_t(part));
        !done)
      return done;
    return stream.copyToDevice(out, gathered, all);
  }

  std::string describe() const override { return "memory of the host"; }

private:
  /// Copies `bytes` from the device to a host buffer of `room` bytes, after all
  /// preceding work of the stream.
  Result<void> fetch(CUdeviceptr from, size_t bytes, size_t room,
                     const Stream &stream) {
    const Driver &driver = device->driver();
    if (room > memory.size()) {
      // Copies from the old memory must be complete.
      if (auto done =
              driver.check(stream.synchronize(), "cannot wait for an exchange");
          !done)
        return done;
      auto larger = PinnedMemory::allocate(device, room, "an exchange");
      if (!larger)
        return tl::unexpected(larger.error());
      memory = std::move(*larger);
    }
    if (auto copied = stream.copyToHost(memory.data(), from, bytes); !copied)
      return copied;
    return driver.check(stream.synchronize(), "cannot wait for an exchange");
  }

  std::shared_ptr<Device> device;
  runtime::Communicator &ranks;
  PinnedMemory memory;
};

} // namespace

Result<std::unique_ptr<Collectives>>
cuda::makeHostCollectives(std::shared_ptr<Device> device,
                          runtime::Communicator &ranks) {
  return std::make_unique<HostCollectives>(std::move(device), ranks);
}
