// The work of the launches of a compiled model, for profiles. Plain C++, so
// that the tool needs no MLIR header.
#ifndef TILEGPT_COMPILER_MODELWORK_H
#define TILEGPT_COMPILER_MODELWORK_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Cuda/Device.h"
#include "TileGPT/Runtime/Engine/ResolvedPlan.h"
#include "TileGPT/Runtime/Profile/StepProfile.h"
#include <memory>

namespace tilegpt::compiler {

/// The kernels of a model with the known sizes of their tiles.
class ModelWork {
public:
  /// \param kernels  as received by CompileOptions::specialized.
  /// \returns BadInput for text that does not parse.
  static runtime::Result<ModelWork> parse(std::string_view kernels);

  ModelWork(ModelWork &&) noexcept;
  ModelWork &operator=(ModelWork &&) noexcept;
  ~ModelWork();

  /// The work of a launch of a plan that was resolved for its sizes.
  /// \param position  tokens that every sequence holds before the step.
  /// \returns nothing for a kernel that is not among those of the text.
  std::optional<runtime::LaunchWork> of(const bundle::Bundle &bundle,
                                        const runtime::ResolvedPlan &plan,
                                        const runtime::ResolvedLaunch &launch,
                                        int64_t position) const;

private:
  struct Kernels;
  explicit ModelWork(std::unique_ptr<Kernels> kernels);

  std::unique_ptr<Kernels> kernels;
};

/// The bounds of a GPU: bandwidth and clock as the driver gives them,
/// operations a cycle from the model of its architecture.
runtime::Result<runtime::MachineRates> ratesOfGpu(const cuda::DeviceInfo &gpu);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_MODELWORK_H
