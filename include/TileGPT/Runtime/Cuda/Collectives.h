// Collectives between the GPUs of the ranks that run a model together, ordered
// by a stream.
#ifndef TILEGPT_RUNTIME_CUDA_COLLECTIVES_H
#define TILEGPT_RUNTIME_CUDA_COLLECTIVES_H

#include "TileGPT/Runtime/Cuda/Stream.h"
#include "TileGPT/Runtime/Engine/Communicator.h"
#include <string>

namespace tilegpt::cuda {

/// The transport.
enum class CollectiveLibrary {
  Auto, ///< Peer up to the size where it is faster, else Nccl
  Nccl, ///< libnccl.so.2, from GPU to GPU
  Peer, ///< kernels that write to the memory of other ranks, on one host
  Host, ///< host memory and the ranks' sockets: slow, but has no requirements,
        ///< and ranks may share a GPU
};

/// The collectives of one rank. All ranks make the same calls in the same
/// order.
class Collectives {
public:
  virtual ~Collectives() = default;

  /// Whether calls can be captured in a graph; otherwise they wait for the
  /// stream.
  virtual bool canBeCaptured() const = 0;

  /// Enqueues an all-reduce: `out` becomes the sum of all ranks' `in`, with
  /// identical bits on all ranks.
  /// \param type   f32, bf16 or f16.
  /// \param count  elements.
  /// \param out    may be `in`.
  virtual runtime::Result<void> allReduce(bundle::ElementType type,
                                          CUdeviceptr in, CUdeviceptr out,
                                          int64_t count,
                                          const Stream &stream) = 0;

  /// Enqueues an all-gather: `out` becomes all ranks' `in`, in rank order.
  /// \param type   f32, bf16 or f16.
  /// \param count  elements of each rank's part.
  virtual runtime::Result<void> allGather(bundle::ElementType type,
                                          CUdeviceptr in, CUdeviceptr out,
                                          int64_t count,
                                          const Stream &stream) = 0;

  /// Called while waiting for a step: checks whether the other ranks are alive;
  /// if not, aborts what waits for them on the device.
  /// \returns Device with the reason.
  virtual runtime::Result<void> check() { return {}; }

  /// The name of the transport: "NCCL 2.28.3".
  virtual std::string describe() const = 0;
};

/// Collectives through NCCL. All ranks call it together.
/// \param ranks    to exchange NCCL's unique id; must outlive the result.
/// \param library  a name the dynamic linker searches for, or a path.
/// \returns Device if the library is missing, too old or differs between ranks,
/// or if two ranks have the same GPU.
runtime::Result<std::unique_ptr<Collectives>>
makeNcclCollectives(std::shared_ptr<Device> device,
                    runtime::Communicator &ranks,
                    const std::string &library = "libnccl.so.2");

/// Collectives through memory of the other ranks' GPUs, or of a GPU that they
/// share, with kernels of the bundle. All ranks call it together.
/// \param ranks  to exchange memory handles; must outlive the result.
/// \returns Device, on all ranks, if one cannot access the memory of another,
/// naming both and the reason; BadInput for a bundle without those kernels.
runtime::Result<std::unique_ptr<Collectives>>
makePeerCollectives(std::shared_ptr<Device> device,
                    runtime::Communicator &ranks, const bundle::Bundle &bundle);

/// Measures two implementations and uses, for each collective, `small` up to
/// the size where it was faster and `large` beyond. All ranks call it together,
/// and use the measurements of rank 0.
/// \param type  of the elements, f32, bf16 or f16.
runtime::Result<std::unique_ptr<Collectives>>
makeMeasuredCollectives(std::shared_ptr<Device> device,
                        runtime::Communicator &ranks, bundle::ElementType type,
                        std::unique_ptr<Collectives> small,
                        std::unique_ptr<Collectives> large);

/// Collectives through `ranks`, which must outlive the result.
runtime::Result<std::unique_ptr<Collectives>>
makeHostCollectives(std::shared_ptr<Device> device,
                    runtime::Communicator &ranks);

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_COLLECTIVES_H
