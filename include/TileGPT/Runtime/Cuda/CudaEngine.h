// The engine of an NVIDIA GPU: all data of a step is in device memory; only
// token ids, positions and logits are transferred.
#ifndef TILEGPT_RUNTIME_CUDA_CUDAENGINE_H
#define TILEGPT_RUNTIME_CUDA_CUDAENGINE_H

#include "TileGPT/Runtime/Cuda/Executor.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Engine/MemoryNeeds.h"
#include "TileGPT/Runtime/Engine/WideLogits.h"
#include <array>

namespace tilegpt::cuda {

class CudaEngine final : public runtime::Engine {
public:
  /// Loads the kernels of a bundle for Cuda, which must outlive the engine.
  /// \param ranks        null for a single rank; must outlive the engine.
  /// \param collectives  the transport, with several ranks.
  /// \param overlapFrom  as for Executor::create.
  /// \returns errors of Executor::create.
  static runtime::Result<std::unique_ptr<CudaEngine>>
  create(const bundle::Bundle &bundle, std::shared_ptr<Device> device,
         LaunchMode mode = LaunchMode::Graphs,
         const runtime::Communicator *ranks = nullptr,
         std::unique_ptr<Collectives> collectives = nullptr,
         int64_t overlapFrom = 0);
  ~CudaEngine() override;

  runtime::Result<void> load(int64_t sequences,
                             const FindWeight &find) override;
  std::span<int32_t> ids() override;
  std::span<int32_t> positions() override;
  std::span<float> draws() override;
  runtime::Result<std::span<const float>>
  run(const runtime::Step &step) override;
  runtime::Result<std::vector<runtime::StepTime>>
  measure(const runtime::Step &step, unsigned times) override;
  runtime::Result<void> start(const runtime::Step &step, bool follows) override;
  runtime::Result<std::span<const int32_t>> finish() override;
  void setObserver(runtime::LaunchObserver *observer) override {
    executor.setObserver(observer);
  }
  int64_t weightBytes() const override { return needs.weightBytes; }
  int64_t stateBytes() const override { return needs.stateBytes; }
  std::string describe() const override;

private:
  /// A step in flight.
  struct Flight {
    runtime::Step step;
    PinnedMemory image; ///< of the memory of a step, except for the logits
    Event done;
  };

  CudaEngine(const bundle::Bundle &bundle, std::shared_ptr<Device> device,
             Executor executor, bool mayHalve)
      : bundle(bundle), device(std::move(device)),
        executor(std::move(executor)), mayHalve(mayHalve),
        addresses(bundle.buffers().size()) {}

  runtime::Result<void> loadWeights(const FindWeight &find);
  runtime::Result<void> allocate();
  runtime::Result<void> makeFlights();
  runtime::Result<void> makeHostResults(size_t outputBytes);
  void placeBuffers();
  size_t offsetOf(const bundle::Buffer &buffer) const;
  void placeStates(const runtime::Step &step,
                   std::vector<CUdeviceptr> &places) const;
  const bundle::Plan *planOfHalf(const runtime::Step &step) const;
  size_t arenaBytes() const;
  const StepHalves *halvesOf(const runtime::Step &step);
  StepCopies copiesOf(const runtime::Step &step, size_t logitBytes) const;
  StepCopies copiesOf(const Flight &flight, bool follows) const;
  void abandon();

  const bundle::Bundle &bundle;
  std::shared_ptr<Device> device;
  Executor executor;
  bool mayHalve; ///< whether a step may be split in two halves whose
                 ///< communication and computation overlap
  runtime::MemoryNeeds needs;
  std::vector<CUdeviceptr> addresses; // of every buffer of the bundle
  StepHalves halves;                  ///< scratch of halvesOf()
  std::array<std::vector<CUdeviceptr>, 2> halfAddresses;
  DeviceMemory weights, cache, arena, exchange;
  PinnedMemory hostInputs, hostResults; ///< images of the exchange
  StepMemory memory;                    ///< the exchange
  runtime::WideLogits wideLogits;
  std::array<Flight, mostStarted> flights;
  size_t started = 0, finished = 0; ///< steps; the next use flights in turn
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_CUDAENGINE_H
