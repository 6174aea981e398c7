// The engine of an NVIDIA GPU: everything a step touches lies in its memory;
// only token ids, positions and logits cross the bus.
#ifndef TILEGPT_RUNTIME_CUDA_CUDAENGINE_H
#define TILEGPT_RUNTIME_CUDA_CUDAENGINE_H

#include "TileGPT/Runtime/Cuda/Executor.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Engine/MemoryNeeds.h"

namespace tilegpt::cuda {

class CudaEngine final : public runtime::Engine {
public:
  /// Loads the kernels of a bundle for Cuda, which must outlive the engine.
  /// \returns errors of Executor::create.
  static runtime::Result<std::unique_ptr<CudaEngine>>
  create(const bundle::Bundle &bundle, std::shared_ptr<Device> device,
         LaunchMode mode = LaunchMode::Graphs);
  ~CudaEngine() override;

  runtime::Result<void> load(int64_t sequences,
                             const FindWeight &find) override;
  std::span<int32_t> ids() override;
  std::span<int32_t> positions() override;
  runtime::Result<std::span<const float>>
  run(const runtime::Step &step) override;
  runtime::Result<std::vector<runtime::StepTime>>
  measure(const runtime::Step &step, unsigned times) override;
  void setObserver(runtime::LaunchObserver *observer) override {
    executor.setObserver(observer);
  }
  int64_t weightBytes() const override { return needs.weightBytes; }
  int64_t stateBytes() const override { return needs.stateBytes; }
  std::string describe() const override;

private:
  CudaEngine(const bundle::Bundle &bundle, std::shared_ptr<Device> device,
             Executor executor)
      : bundle(bundle), device(std::move(device)),
        executor(std::move(executor)), addresses(bundle.buffers().size()) {}

  runtime::Result<void> loadWeights(const FindWeight &find);
  runtime::Result<void> allocate();
  runtime::Result<void> makeHostResults(size_t outputBytes);
  void placeBuffers();
  void placeStates(const runtime::Step &step);
  size_t inputBytes(const runtime::Step &step) const;

  const bundle::Bundle &bundle;
  std::shared_ptr<Device> device;
  Executor executor;
  runtime::MemoryNeeds needs;
  std::vector<CUdeviceptr> addresses; // of every buffer of the bundle
  DeviceMemory weights, cache, arena, inputs, results;
  PinnedMemory hostInputs, hostResults;
  size_t idOffset = 0; ///< of the ids in the inputs; positions come first
  StepMemory memory;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_CUDAENGINE_H
