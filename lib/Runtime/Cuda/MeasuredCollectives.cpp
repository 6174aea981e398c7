// Selects the faster of two implementations of collectives by size.
#include "TileGPT/Runtime/Cuda/Collectives.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include <thread>
#include <vector>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::ElementType;
using runtime::concat;
using runtime::Result;

namespace {

/// Sizes in bytes of the measured collectives, in ascending order.
constexpr int64_t leastBytes = 4 << 10, mostBytes = 1 << 20, step = 4;

class MeasuredCollectives final : public Collectives {
public:
  MeasuredCollectives(std::shared_ptr<Device> device,
                      std::unique_ptr<Collectives> small,
                      std::unique_ptr<Collectives> large)
      : device(std::move(device)), small(std::move(small)),
        large(std::move(large)) {}

  /// Finds the largest size for which, as for all smaller sizes, `small` is
  /// faster.
  Result<void> measure(runtime::Communicator &ranks, ElementType type);

  bool canBeCaptured() const override {
    return small->canBeCaptured() && large->canBeCaptured();
  }

  Result<void> allReduce(ElementType type, CUdeviceptr in, CUdeviceptr out,
                         int64_t count, const Stream &stream) override {
    return of(count * bundle::byteWidth(type))
        .allReduce(type, in, out, count, stream);
  }
  Result<void> allGather(ElementType type, CUdeviceptr in, CUdeviceptr out,
                         int64_t count, const Stream &stream) override {
    return of(count * bundle::byteWidth(type))
        .allGather(type, in, out, count, stream);
  }

  Result<void> check() override {
    auto checked = small->check();
    // Both release kernels that wait on the device.
    auto other = large->check();
    return checked ? other : checked;
  }

  std::string describe() const override {
    if (limit < leastBytes)
      return large->describe();
    return concat(small->describe(), " up to ", limit >> 10, " KiB, beyond ",
                  large->describe());
  }

private:
  Collectives &of(int64_t bytes) { return bytes <= limit ? *small : *large; }

  std::shared_ptr<Device> device;
  std::unique_ptr<Collectives> small, large;
  int64_t limit = 0; ///< bytes
};

/// Milliseconds of consecutive sums of this many bytes.
Result<float> timeOf(Collectives &way, ElementType type,
                     const DeviceMemory &memory, int64_t bytes,
                     const std::shared_ptr<Device> &device,
                     const Stream &stream) {
  constexpr int warmUps = 2, times = 16;
  auto begin = Event::create(device, /*timing=*/true);
  auto end = Event::create(device, /*timing=*/true);
  if (!begin || !end)
    return tl::unexpected((begin ? end : begin).error());
  Result<void> done;
  for (int i = 0; i < warmUps + times && done; ++i) {
    if (i == warmUps)
      done = stream.record(*begin);
    if (done)
      done = way.allReduce(type, memory.address(), memory.address(),
                           bytes / bundle::byteWidth(type), stream);
  }
  if (done)
    done = stream.record(*end);
  if (!done)
    return tl::unexpected(done.error());
  CUresult status = CUDA_ERROR_NOT_READY;
  while ((status = end->query()) == CUDA_ERROR_NOT_READY) {
    if (auto there = way.check(); !there)
      return tl::unexpected(there.error());
    std::this_thread::yield();
  }
  if (auto over = device->driver().check(status, "cannot measure an exchange");
      !over)
    return tl::unexpected(over.error());
  return end->since(*begin);
}

Result<void> MeasuredCollectives::measure(runtime::Communicator &ranks,
                                          ElementType type) {
  auto memory =
      DeviceMemory::allocate(device, size_t(mostBytes), "measured exchanges");
  if (!memory)
    return tl::unexpected(memory.error());
  auto stream = Stream::create(device);
  if (!stream)
    return tl::unexpected(stream.error());
  if (auto cleared = stream->fillZero(memory->address(), memory->size());
      !cleared)
    return cleared;
  // All ranks measure all sizes, regardless of the results.
  bool isFaster = true;
  int64_t mine = 0;
  for (int64_t bytes = leastBytes; bytes <= mostBytes; bytes *= step) {
    const auto one = timeOf(*small, type, *memory, bytes, device, *stream);
    if (!one)
      return tl::unexpected(one.error());
    const auto other = timeOf(*large, type, *memory, bytes, device, *stream);
    if (!other)
      return tl::unexpected(other.error());
    isFaster = isFaster && *one <= *other;
    if (isFaster)
      mine = bytes;
  }
  const auto all = runtime::gatherValues(ranks, mine);
  if (!all)
    return tl::unexpected(all.error());
  limit = all->front();
  return {};
}

} // namespace

Result<std::unique_ptr<Collectives>>
cuda::makeMeasuredCollectives(std::shared_ptr<Device> device,
                              runtime::Communicator &ranks, ElementType type,
                              std::unique_ptr<Collectives> small,
                              std::unique_ptr<Collectives> large) {
  auto made = std::make_unique<MeasuredCollectives>(
      std::move(device), std::move(small), std::move(large));
  if (auto measured = made->measure(ranks, type); !measured)
    return tl::unexpected(measured.error());
  return made;
}
