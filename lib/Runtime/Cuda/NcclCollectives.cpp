// NCCL collectives, captured into graphs with the adjacent kernels.
#include "Absence.h"
#include "TileGPT/Runtime/Cuda/Collectives.h"
#include "TileGPT/Runtime/Cuda/Nccl.h"
#include <vector>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::ElementType;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

namespace {

/// The data that ranks exchange before they start.
struct Introduction {
  int version = 0;
  int hasFailed = 0;
  ncclUniqueId id = {};
};

const void *pointerTo(CUdeviceptr address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's are integers
  return reinterpret_cast<const void *>(address);
}
void *mutablePointerTo(CUdeviceptr address) {
  return const_cast<void *>(pointerTo(address));
}

class NcclCollectives final : public Collectives {
public:
  NcclCollectives(std::shared_ptr<const Nccl> nccl,
                  std::shared_ptr<Device> device, runtime::Communicator &ranks,
                  ncclComm_t comm)
      : nccl(std::move(nccl)), device(std::move(device)), absence(ranks),
        comm(comm) {}
  ~NcclCollectives() override {
    (void)device->makeCurrent();
    if (comm)
      nccl->commDestroy(comm);
  }

  bool canBeCaptured() const override { return true; }

  Result<void> allReduce(ElementType type, CUdeviceptr in, CUdeviceptr out,
                         int64_t count, const Stream &stream) override {
    const ncclDataType_t as = type == ElementType::BF16  ? ncclBfloat16
                              : type == ElementType::F16 ? ncclFloat16
                                                         : ncclFloat32;
    if (auto there = checkThere(); !there)
      return there;
    return nccl->check(nccl->allReduce(pointerTo(in), mutablePointerTo(out),
                                       size_t(count), as, ncclSum, comm,
                                       stream.get()),
                       comm, "cannot sum over the ranks");
  }

  Result<void> allGather(ElementType type, CUdeviceptr in, CUdeviceptr out,
                         int64_t count, const Stream &stream) override {
    if (auto there = checkThere(); !there)
      return there;
    return nccl->check(nccl->allGather(pointerTo(in), mutablePointerTo(out),
                                       size_t(count * bundle::byteWidth(type)),
                                       ncclUint8, comm, stream.get()),
                       comm, "cannot gather from the ranks");
  }

  Result<void> check() override {
    if (auto there = checkThere(); !there)
      return there;
    ncclResult_t status = ncclSuccess;
    auto checked = nccl->check(nccl->commGetAsyncError(comm, &status), comm,
                               "cannot query errors");
    if (checked && status != ncclInProgress)
      checked = nccl->check(status, comm, "an exchange failed");
    if (checked && absence.isTooLong())
      checked = makeError(ErrorCode::Device,
                          "nccl: another rank has ended before this step was "
                          "over");
    if (!checked)
      abort();
    return checked;
  }

  std::string describe() const override {
    return concat("NCCL ", ncclVersionText(nccl->version));
  }

private:
  Result<void> checkThere() const {
    if (comm)
      return {};
    return makeError(ErrorCode::Device,
                     "nccl: the exchange between the ranks was ended");
  }

  /// Aborts the kernels that wait for another rank.
  void abort() {
    nccl->commAbort(comm);
    comm = nullptr;
  }

  std::shared_ptr<const Nccl> nccl;
  std::shared_ptr<Device> device;
  Absence absence;
  ncclComm_t comm;
};

/// Checks that all ranks use the same version of NCCL.
Result<void> compare(const std::vector<Introduction> &all) {
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].hasFailed)
      return makeError(ErrorCode::Device, "nccl: rank ", rank,
                       " cannot start it");
    if (all[rank].version != all.front().version)
      return makeError(ErrorCode::Device,
                       "nccl: expected the same NCCL on all ranks, but rank 0 "
                       "has ",
                       ncclVersionText(all.front().version), " and rank ", rank,
                       " has ", ncclVersionText(all[rank].version));
  }
  return {};
}

} // namespace

Result<std::unique_ptr<Collectives>>
cuda::makeNcclCollectives(std::shared_ptr<Device> device,
                          runtime::Communicator &ranks,
                          const std::string &library) {
  if (auto done = device->makeCurrent(); !done)
    return tl::unexpected(done.error());
  const bundle::Rank self = ranks.rank();
  auto nccl = Nccl::load(library);
  // Report a failure of this rank: the others would otherwise wait for it.
  Introduction mine;
  Result<void> ready;
  if (!nccl)
    ready = tl::unexpected(nccl.error());
  else
    mine.version = (*nccl)->version;
  if (ready && self.number == 0)
    ready =
        (*nccl)->check((*nccl)->getUniqueId(&mine.id), nullptr, "cannot start");
  mine.hasFailed = !ready;
  const auto all = runtime::gatherValues(ranks, mine);
  if (!all)
    return tl::unexpected(all.error());
  if (!ready)
    return tl::unexpected(ready.error());
  if (auto same = compare(*all); !same)
    return tl::unexpected(same.error());
  ncclComm_t comm = nullptr;
  if (auto met = (*nccl)->check(
          (*nccl)->commInitRank(&comm, int(self.count), all->front().id,
                                int(self.number)),
          nullptr, concat("cannot bring ", self.count, " ranks together"));
      !met)
    return tl::unexpected(met.error());
  return std::make_unique<NcclCollectives>(std::move(*nccl), std::move(device),
                                           ranks, comm);
}
