// Device memory of the ranks of one host, on separate or shared GPUs, that all
// of them can write.
#ifndef TILEGPT_LIB_RUNTIME_CUDA_PEERMEMORY_H
#define TILEGPT_LIB_RUNTIME_CUDA_PEERMEMORY_H

#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Engine/Communicator.h"
#include <span>
#include <vector>

namespace tilegpt::cuda {

class PeerMemory {
public:
  /// Allocates zero-initialized memory and exports it to the other ranks.
  /// Collective: all ranks call it and get the same result.
  /// \param bytes  per rank, the same for all.
  /// \param what   for the error message: "mailboxes".
  /// \returns Device, naming the ranks without peer access to each other.
  static runtime::Result<PeerMemory> share(std::shared_ptr<Device> device,
                                           runtime::Communicator &ranks,
                                           size_t bytes, std::string_view what);

  PeerMemory(PeerMemory &&) = default;
  PeerMemory &operator=(PeerMemory &&) = default;
  ~PeerMemory();

  /// The base address of each rank's memory in this process.
  std::span<const CUdeviceptr> addresses() const { return starts; }

  /// Ranks whose memory is on the GPU of this rank, including itself.
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
