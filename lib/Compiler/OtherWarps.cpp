// Requests the warps like a tuning record, and lowers a copy of the kernel.
#include "OtherWarps.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"

using namespace mlir;
using tilegpt::target::GpuKernel;
using tilegpt::tilegpu::PlanAttr;

namespace tilegpt::compiler {

static constexpr StringLiteral warpsName = "warps";

std::vector<int64_t> otherWarps(PlanAttr plan) {
  if (plan.getProducer() || plan.getTeams() != 1 || plan.getWarps() == 1)
    return {};
  return {2 * plan.getWarps(), plan.getWarps() / 2};
}

/// The kernel of a device module; null for one in the LLVM dialect.
static tile::KernelOp kernelOf(ModuleOp device) {
  auto kernels = device.getOps<tile::KernelOp>();
  return kernels.empty() ? tile::KernelOp() : *kernels.begin();
}

/// Adds a number of warps to the plan parameters that the kernel requests.
static void requestWarps(tile::KernelOp kernel, int64_t warps) {
  NamedAttrList wanted(
      kernel->getAttrOfType<DictionaryAttr>(tile::wantedPlanAttr));
  wanted.set(warpsName, Builder(kernel.getContext()).getI64IntegerAttr(warps));
  kernel->setAttr(tile::wantedPlanAttr,
                  wanted.getDictionary(kernel.getContext()));
}

/// Lowers a module with one device module; fails if the plan has other warps.
static LogicalResult lowerWithWarps(ModuleOp module, int64_t warps,
                                    const PhaseOptions &phases) {
  return runPhases(
      module, Phase::Planned, Phase::NVVM, phases, [&](Phase phase) {
        if (phase != Phase::Planned)
          return success();
        bool isHonored = true;
        module.walk([&](tile::KernelOp kernel) {
          auto plan = kernel->getAttrOfType<PlanAttr>(PlanAttr::attrName);
          isHonored &= plan && plan.getWarps() == warps;
        });
        return success(isHonored);
      });
}

/// The kernel with this number of warps; nothing if they do not fit or ptxas
/// reports problems.
static std::optional<GpuKernel>
compileWithWarps(ModuleOp device, int64_t warps, const PhaseOptions &phases,
                 const target::GpuTarget &target, const target::Ptxas &ptxas) {
  ScopedDiagnosticHandler silent(device.getContext(),
                                 [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = ModuleOp::create(device.getLoc());
  ModuleOp copy = device.clone();
  module->push_back(copy);
  requestWarps(kernelOf(copy), warps);
  if (failed(lowerWithWarps(*module, warps, phases)))
    return std::nullopt;
  llvm::Expected<GpuKernel> compiled =
      target::compileKernel(copy, target, &ptxas);
  if (!compiled) {
    llvm::consumeError(compiled.takeError());
    return std::nullopt;
  }
  if (!target::performanceProblems(*compiled).empty())
    return std::nullopt;
  return std::move(*compiled);
}

std::optional<GpuKernel> compileWithOtherWarps(ModuleOp device, PlanAttr plan,
                                               const PhaseOptions &phases,
                                               const target::GpuTarget &target,
                                               const target::Ptxas &ptxas) {
  tile::KernelOp kernel = kernelOf(device);
  if (!kernel)
    return std::nullopt;
  auto wanted = kernel->getAttrOfType<DictionaryAttr>(tile::wantedPlanAttr);
  if (wanted && wanted.contains(warpsName))
    return std::nullopt;
  for (int64_t warps : otherWarps(plan)) {
    std::optional<GpuKernel> compiled =
        compileWithWarps(device, warps, phases, target, ptxas);
    if (!compiled)
      continue;
    tilegpu::explainPassed(kernel, "tile") << remark::add(
        "{0} warps: with {1}, ptxas reports problems", warps, plan.getWarps());
    return compiled;
  }
  return std::nullopt;
}

} // namespace tilegpt::compiler
