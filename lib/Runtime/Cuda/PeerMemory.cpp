// Ranks exchange memory handles as bytes, and then whether the handles could be
// opened.
#include "PeerMemory.h"
#include "TileGPT/Runtime/Cuda/Stream.h"
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::concat;
using runtime::Error;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

namespace {

/// An error text in exchanged data; empty: none.
using ShortText = std::array<char, 256>;

ShortText shorten(const std::string &text) {
  ShortText result = {};
  std::copy_n(text.begin(), std::min(text.size(), result.size() - 1),
              result.begin());
  return result;
}

/// Identifies a host; containers on the same host have the same id.
ShortText hostName() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  return shorten({std::istreambuf_iterator<char>(file), {}});
}

/// The first error of all ranks.
Result<void> agree(runtime::Communicator &ranks, const Result<void> &mine) {
  const auto all =
      gatherValues(ranks, mine ? ShortText() : shorten(mine.error().message));
  if (!all)
    return tl::unexpected(all.error());
  for (const ShortText &text : *all)
    if (text[0] != '\0')
      return makeError(ErrorCode::Device, text.data());
  return {};
}

} // namespace

struct PeerMemory::Offer {
  int64_t rank = 0;
  ShortText host = {};
  int64_t process = 0;
  int64_t ordinal = 0;         ///< of the GPU, within the process
  std::array<int, 3> gpu = {}; ///< the PCI address, within the host
  CUdeviceptr address = 0;
  CUipcMemHandle handle = {};
};

Result<void> PeerMemory::map(const Offer &mine, std::span<const Offer> offers) {
  for (const Offer &offer : offers) {
    const auto fail = [&](const auto &...why) {
      return makeError(ErrorCode::Device, "ranks: rank ", mine.rank,
                       " cannot reach the memory of rank ", offer.rank, ": ",
                       why...);
    };
    sharers += offer.host == mine.host && offer.gpu == mine.gpu;
    CUdeviceptr start = offer.address;
    if (offer.host != mine.host)
      return fail("they are on two hosts");
    if (offer.process != mine.process) {
      const Driver &driver = device->driver();
      if (auto opened = driver.check(
              driver.ipcOpenMemHandle(&start, offer.handle,
                                      CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
              "cannot map it");
          !opened)
        return fail(opened.error().message);
      mapped.push_back(start);
    } else if (offer.ordinal != mine.ordinal) {
      return fail("one process has two GPUs");
    }
    starts.push_back(start);
  }
  return {};
}

Result<PeerMemory> PeerMemory::share(std::shared_ptr<Device> device,
                                     runtime::Communicator &ranks, size_t bytes,
                                     std::string_view what) {
  // IPC handles refer to an entire allocation of the driver.
  constexpr size_t pieceBytes = size_t(2) << 20;
  PeerMemory memory;
  memory.device = device;
  const Driver &driver = device->driver();
  const DeviceInfo &info = device->info();
  Offer mine{ranks.rank().number,
             hostName(),
             ::getpid(),
             info.ordinal,
             {info.pciDomain, info.pciBus, info.pciDevice}};
  const auto prepare = [&]() -> Result<void> {
    auto stream = Stream::create(device);
    if (!stream)
      return tl::unexpected(stream.error());
    auto own = DeviceMemory::allocate(
        device, (bytes + pieceBytes - 1) / pieceBytes * pieceBytes, what);
    if (!own)
      return tl::unexpected(own.error());
    memory.own = std::move(*own);
    mine.address = memory.own.address();
    auto done = stream->fillZero(mine.address, memory.own.size());
    if (done)
      done = driver.check(stream->synchronize(), "cannot clear ", what);
    if (done)
      done = driver.check(driver.ipcGetMemHandle(&mine.handle, mine.address),
                          "cannot show ", what, " to other processes");
    return done;
  };
  if (auto ready = agree(ranks, prepare()); !ready)
    return tl::unexpected(ready.error());
  const auto offers = gatherValues(ranks, mine);
  if (!offers)
    return tl::unexpected(offers.error());
  if (auto reached = agree(ranks, memory.map(mine, *offers)); !reached)
    return tl::unexpected(reached.error());
  return memory;
}

PeerMemory::~PeerMemory() {
  for (const CUdeviceptr start : mapped)
    device->driver().ipcCloseMemHandle(start);
}
