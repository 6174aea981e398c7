// Memory that the ranks of one host have on their GPUs, or on one that they
// share, and can all write.
#ifndef TILEGPT_LIB_RUNTIME_CUDA_PEERMEMORY_H
#define TILEGPT_LIB_RUNTIME_CUDA_PEERMEMORY_H

#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Engine/Communicator.h"
#include <span>
#include <vector>

namespace tilegpt::cuda {

class PeerMemory {
public:
  /// Allocates zeros and shows them to the others. All ranks call it together
  /// and are told the same.
  /// \param bytes  of each rank, the same for all.
  /// \param what   for the error message: "mailboxes".
  /// \returns Device, naming the ranks that do not reach each other's memory.
  static runtime::Result<PeerMemory> share(std::shared_ptr<Device> device,
                                           runtime::Communicator &ranks,
                                           size_t bytes, std::string_view what);

  PeerMemory(PeerMemory &&) = default;
  PeerMemory &operator=(PeerMemory &&) = default;
  ~PeerMemory();

  /// Where each rank's memory begins, for this one.
  std::span<const CUdeviceptr> addresses() const { return starts; }

  /// Ranks whose memory is on this rank's GPU, this one among them.
  int64_t ranksOnGpu() const { return sharers; }

private:
  struct Offer;

  PeerMemory() = default;

  runtime::Result<void> map(const Offer &mine, std::span<const Offer> offers);

  std::shared_ptr<Device> device;
  DeviceMemory own;
  std::vector<CUdeviceptr> starts;
  std::vector<CUdeviceptr> mapped; ///< those of other processes
  int64_t sharers = 0;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_LIB_RUNTIME_CUDA_PEERMEMORY_H
