// How ranks whose parts of a model lie on GPUs hand numbers to each other, in
// the order of a stream.
#ifndef TILEGPT_RUNTIME_CUDA_COLLECTIVES_H
#define TILEGPT_RUNTIME_CUDA_COLLECTIVES_H

#include "TileGPT/Runtime/Cuda/Stream.h"
#include "TileGPT/Runtime/Engine/Communicator.h"
#include <string>

namespace tilegpt::cuda {

/// What carries the numbers.
enum class CollectiveLibrary {
  Auto, ///< Peer for sizes up to which it is faster, else Nccl
  Nccl, ///< libnccl.so.2, from GPU to GPU
  Peer, ///< kernels that write into the other ranks' memory, on one host
  Host, ///< memory of the host and the ranks' sockets: slow, but needs nothing,
        ///< and ranks may share a GPU
};

/// One rank's end of it. All ranks make the same calls in the same order.
class Collectives {
public:
  virtual ~Collectives() = default;

  /// Whether calls may be recorded into a graph; otherwise they wait for the
  /// stream.
  virtual bool canBeCaptured() const = 0;

  /// Puts on the stream: `out` becomes the sum of all ranks' `in`, with the
  /// same bits on all.
  /// \param type   f32, bf16 or f16.
  /// \param count  elements.
  /// \param out    may be `in`.
  virtual runtime::Result<void> allReduce(bundle::ElementType type,
                                          CUdeviceptr in, CUdeviceptr out,
                                          int64_t count,
                                          const Stream &stream) = 0;

  /// Puts on the stream: `out` becomes all ranks' `in`, in their order.
  /// \param type   f32, bf16 or f16.
  /// \param count  elements of each rank's part.
  virtual runtime::Result<void> allGather(bundle::ElementType type,
                                          CUdeviceptr in, CUdeviceptr out,
                                          int64_t count,
                                          const Stream &stream) = 0;

  /// Looks, while a step is waited for, whether the others still take part; if
  /// not, ends what waits for them on the device.
  /// \returns Device saying what went wrong.
  virtual runtime::Result<void> check() { return {}; }

  /// What carries the numbers: "NCCL 2.28.3".
  virtual std::string describe() const = 0;
};

/// Exchanges through NCCL. All ranks call it together.
/// \param ranks    brings the ranks' NCCL together; must outlive the result.
/// \param library  a name the dynamic linker searches for, or a path.
/// \returns Device if the library is missing, too old, another one on another
/// rank, or two ranks have the same GPU.
runtime::Result<std::unique_ptr<Collectives>>
makeNcclCollectives(std::shared_ptr<Device> device,
                    runtime::Communicator &ranks,
                    const std::string &library = "libnccl.so.2");

/// Exchanges through memory of the other ranks' GPUs, or of the one that they
/// share, with kernels of the bundle. All ranks call it together.
/// \param ranks  brings them together; must outlive the result.
/// \returns Device, on all ranks, if one cannot reach the memory of another,
/// saying which and why; BadInput for a bundle without those kernels.
runtime::Result<std::unique_ptr<Collectives>>
makePeerCollectives(std::shared_ptr<Device> device,
                    runtime::Communicator &ranks, const bundle::Bundle &bundle);

/// Measures two implementations and uses, for each collective, `small` up to
/// the size where it was faster and `large` beyond. All ranks call it together,
/// and use the measurements of rank 0.
/// \param type  of the summands, f32, bf16 or f16.
runtime::Result<std::unique_ptr<Collectives>>
makeMeasuredCollectives(std::shared_ptr<Device> device,
                        runtime::Communicator &ranks, bundle::ElementType type,
                        std::unique_ptr<Collectives> small,
                        std::unique_ptr<Collectives> large);

/// Exchanges through `ranks`, which must outlive the result.
runtime::Result<std::unique_ptr<Collectives>>
makeHostCollectives(std::shared_ptr<Device> device,
                    runtime::Communicator &ranks);

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_COLLECTIVES_H
