// Collectives as kernels of the bundle: each rank writes its data to the memory
// of the others, tagged with the sequence number of the collective, and polls
// its own memory.
#include "Absence.h"
#include "PeerMemory.h"
#include "TileGPT/Runtime/Cuda/Collectives.h"
#include "TileGPT/Runtime/Cuda/Executor.h"
#include <algorithm>
#include <cstring>
#include <map>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::Collective;
using bundle::ElementType;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

namespace {

/// Elements per block: BN of kernels/collectives.mlir.
constexpr int64_t blockElements = 512;
/// Maximum blocks of a launch. Blocks wait for each other, so ranks that share
/// a GPU may use fewer (findPieceBlocks).
constexpr int64_t mostBlocks = 512;
/// Words per slot of a mailbox.
constexpr int64_t slotWords = mostBlocks * blockElements;
constexpr int64_t wordBytes = sizeof(uint64_t);

/// Mailboxes hold one slot per rank for each parity of the sequence number.
constexpr size_t mailboxBytes(int64_t ranks) {
  return size_t(2 * ranks * slotWords * wordBytes);
}

/// Per-rank device data: mailbox addresses, the sequence number of each block,
/// the abort flag and the status of a kernel.
struct OwnMemory {
  explicit OwnMemory(int64_t ranks)
      : epochs(size_t(ranks * wordBytes)),
        stop(epochs + size_t(mostBlocks * wordBytes)),
        status(stop + sizeof(int32_t)), bytes(status + sizeof(int32_t)) {}

  size_t boxes = 0, epochs, stop, status, bytes;
};

/// The words of a view of one axis.
void addView(std::vector<uint64_t> &words, CUdeviceptr address, int64_t size) {
  words.insert(words.end(), {address, uint64_t(size), 1});
}

using Kernels = std::map<std::pair<Collective, ElementType>, Kernel>;

class PeerCollectives final : public Collectives {
public:
  PeerCollectives(std::shared_ptr<Device> device, runtime::Communicator &ranks,
                  Kernels kernels, PeerMemory mailboxes, int64_t pieceBlocks)
      : device(std::move(device)), rank(ranks.rank()), absence(ranks),
        kernels(std::move(kernels)), mailboxes(std::move(mailboxes)),
        pieceWords(pieceBlocks * blockElements), layout(rank.count) {}
  ~PeerCollectives() override { (void)device->makeCurrent(); }

  Result<void> prepare();

  bool canBeCaptured() const override { return true; }

  Result<void> allReduce(ElementType type, CUdeviceptr in, CUdeviceptr out,
                         int64_t count, const Stream &stream) override {
    return exchange(Collective::PeerAllReduce, type, in, out, count, stream);
  }
  Result<void> allGather(ElementType type, CUdeviceptr in, CUdeviceptr out,
                         int64_t count, const Stream &stream) override {
    return exchange(Collective::PeerAllGather, type, in, out, count, stream);
  }

  Result<void> check() override {
    if (!isStopped && absence.isTooLong())
      stop();
    if (!isStopped)
      return {};
    return makeError(ErrorCode::Device, "ranks: another rank has ended before "
                                        "this step was over");
  }

  std::string describe() const override { return "memory of their GPUs"; }

private:
  Result<void> exchange(Collective kind, ElementType type, CUdeviceptr in,
                        CUdeviceptr out, int64_t count, const Stream &stream);
  CUdeviceptr at(size_t offset) const { return own.address() + offset; }

  /// Aborts the kernels that wait for another rank, from a different stream.
  void stop() {
    isStopped = true;
    constexpr int32_t yes = 1;
    std::memcpy(image.data() + layout.stop, &yes, sizeof(yes));
    (void)beside.copyToDevice(at(layout.stop), image.data() + layout.stop,
                              sizeof(yes));
    (void)beside.synchronize();
  }

  std::shared_ptr<Device> device;
  bundle::Rank rank;
  Absence absence;
  Kernels kernels;
  PeerMemory mailboxes;
  int64_t pieceWords; ///< of one launch; larger exchanges are several
  OwnMemory layout;
  DeviceMemory own;
  PinnedMemory image; ///< of `own`
  Stream beside;
  bool isStopped = false;
};

/// Initializes the per-rank device data.
Result<void> PeerCollectives::prepare() {
  constexpr std::string_view what = "exchanges between ranks";
  auto memory = DeviceMemory::allocate(device, layout.bytes, what);
  if (!memory)
    return tl::unexpected(memory.error());
  auto pinned = PinnedMemory::allocate(device, layout.bytes, what);
  if (!pinned)
    return tl::unexpected(pinned.error());
  auto stream = Stream::create(device);
  if (!stream)
    return tl::unexpected(stream.error());
  own = std::move(*memory);
  image = std::move(*pinned);
  beside = std::move(*stream);
  const auto addresses = mailboxes.addresses();
  std::memcpy(image.data(), addresses.data(), addresses.size_bytes());
  if (auto copied =
          beside.copyToDevice(own.address(), image.data(), layout.bytes);
      !copied)
    return copied;
  return device->driver().check(beside.synchronize(), "cannot prepare ", what);
}

Result<void> PeerCollectives::exchange(Collective kind, ElementType type,
                                       CUdeviceptr in, CUdeviceptr out,
                                       int64_t count, const Stream &stream) {
  if (auto there = check(); !there)
    return there;
  const auto found = kernels.find({kind, type});
  if (found == kernels.end())
    return makeError(ErrorCode::BadInput,
                     "ranks: the model has no exchange of ", bundle::name(type),
                     " through memory of GPUs");
  const Kernel &kernel = found->second;
  const bool gathers = kind == Collective::PeerAllGather;
  for (int64_t first = 0; first < count; first += pieceWords) {
    const int64_t part = std::min(pieceWords, count - first);
    const auto offset =
        CUdeviceptr(first) * CUdeviceptr(bundle::byteWidth(type));
    std::vector<uint64_t> words;
    addView(words, in + offset, part);
    addView(words, at(layout.boxes), rank.count);
    addView(words, at(layout.stop), 1);
    words.insert(words.end(), {uint64_t(rank.number), uint64_t(slotWords)});
    if (gathers)
      words.push_back(uint64_t(count));
    addView(words, out + offset,
            gathers ? (rank.count - 1) * count + part : part);
    addView(words, at(layout.epochs), mostBlocks);
    const int64_t grid[] = {(part + blockElements - 1) / blockElements, 1, 1};
    const auto blocks = kernel.blocksFor(grid);
    if (!blocks)
      return tl::unexpected(blocks.error());
    const LaunchParameters parameters(kernel.parameters(), words.data(), grid,
                                      at(layout.status));
    if (auto done = device->driver().check(
            kernel.launch(stream, *blocks, parameters, /*overlap=*/false),
            "cannot exchange data between the ranks");
        !done)
      return done;
  }
  return {};
}

/// Finds the kernels of the bundle for collectives.
Result<Kernels> loadKernels(const std::shared_ptr<Device> &device,
                            const bundle::Bundle &bundle) {
  Kernels kernels;
  for (const bundle::Kernel &kernel : bundle.kernels()) {
    if (kernel.collective != Collective::PeerAllReduce &&
        kernel.collective != Collective::PeerAllGather)
      continue;
    auto loaded = loadKernel(device, bundle, kernel);
    if (!loaded)
      return tl::unexpected(loaded.error());
    kernels.emplace(
        std::pair(kernel.collective, bundle.parameters(kernel)[0].type),
        std::move(*loaded));
  }
  for (const bundle::Kernel &kernel : bundle.kernels()) {
    if (!bundle::isExchange(kernel.collective))
      continue;
    const auto kind = kernel.collective == Collective::AllReduce
                          ? Collective::PeerAllReduce
                          : Collective::PeerAllGather;
    if (!kernels.contains({kind, bundle.parameters(kernel)[0].type}))
      return makeError(ErrorCode::BadInput,
                       "ranks: the model has no kernels for exchanges through "
                       "memory of GPUs; compile it again, or pass "
                       "--collectives nccl");
  }
  return kernels;
}

/// Blocks of a launch. All blocks of ranks that share a GPU must be
/// co-resident: one that waits for a block that is not resident would deadlock.
/// All ranks use the same number, since block b exchanges data with block b of
/// the other ranks.
Result<int64_t> findPieceBlocks(const Kernels &kernels,
                                runtime::Communicator &ranks,
                                int64_t ranksOnGpu) {
  int64_t mine = mostBlocks;
  for (const auto &[key, kernel] : kernels) {
    const auto resident = kernel.residentBlocks();
    if (!resident)
      return tl::unexpected(resident.error());
    mine = std::min(mine, *resident / ranksOnGpu);
  }
  const auto all = runtime::gatherValues(ranks, mine);
  if (!all)
    return tl::unexpected(all.error());
  const int64_t least = *std::min_element(all->begin(), all->end());
  if (least == 0)
    return makeError(ErrorCode::Device, "ranks: ", ranksOnGpu,
                     " ranks share one GPU, which has no room for exchanges of "
                     "all of them at once; pass --collectives host");
  return least;
}

} // namespace

Result<std::unique_ptr<Collectives>>
cuda::makePeerCollectives(std::shared_ptr<Device> device,
                          runtime::Communicator &ranks,
                          const bundle::Bundle &bundle) {
  if (auto done = device->makeCurrent(); !done)
    return tl::unexpected(done.error());
  auto kernels = loadKernels(device, bundle);
  if (!kernels)
    return tl::unexpected(kernels.error());
  auto mailboxes = PeerMemory::share(
      device, ranks, mailboxBytes(ranks.rank().count), "mailboxes");
  if (!mailboxes)
    return tl::unexpected(mailboxes.error());
  const auto pieceBlocks =
      findPieceBlocks(*kernels, ranks, mailboxes->ranksOnGpu());
  if (!pieceBlocks)
    return tl::unexpected(pieceBlocks.error());
  auto made = std::make_unique<PeerCollectives>(
      std::move(device), ranks, std::move(*kernels), std::move(*mailboxes),
      *pieceBlocks);
  if (auto ready = made->prepare(); !ready)
    return tl::unexpected(ready.error());
  return made;
}
