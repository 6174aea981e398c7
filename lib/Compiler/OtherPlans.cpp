// Makes requests like a tuning record, and lowers a copy of the kernel.
#include "OtherPlans.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/Residents.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"

using namespace mlir;
using tilegpt::target::GpuKernel;
using tilegpt::tilegpu::PlanAttr;

namespace tilegpt::compiler {

/// Requests a number of blocks in a multiprocessor.
static constexpr llvm::StringLiteral residents = "blocks";

std::vector<OtherPlan> otherPlans(PlanAttr plan, unsigned spilled,
                                  bool isSerialized) {
  constexpr llvm::StringLiteral warps = "warps", pieces = "pieces",
                                producer = "producer";
  constexpr unsigned mostOfGroup = 256;
  if (plan.getTeams() != 1 || plan.getWarps() == 1)
    return {};
  const PlanRequests shorter = {{pieces, 2}},
                     more = {{warps, 2 * plan.getWarps()}},
                     fewer = {{warps, plan.getWarps() / 2}};
  if (!plan.getProducer())
    return {{more}, {fewer}};
  std::vector<OtherPlan> others;
  if (tilegpu::residentsWithProducer(plan) > 1)
    others.push_back({PlanRequests{{residents, 1}}});
  if (isSerialized)
    others.push_back({.requests = {}, .keepsDotsInPlace = true});
  const bool isOnlyGroup = plan.getWarps() == tilegpu::groupWarps;
  if (!isOnlyGroup || spilled > mostOfGroup)
    others.push_back({shorter});
  if (isOnlyGroup && spilled > mostOfGroup)
    others.push_back({{{producer, 0}, more.front()}});
  return others;
}

bool needsOtherPlan(const GpuKernel &kernel, PlanAttr plan) {
  constexpr unsigned mostSpilled = 32;
  size_t problems = target::performanceProblems(kernel).size();
  unsigned spilled = kernel.report.spillStoreBytes;
  bool isSlight = problems == 1 && spilled > 0 && spilled <= mostSpilled;
  return problems > 0 && !(plan.getProducer() && isSlight);
}

bool areRegistersExhausted(const GpuKernel &kernel, PlanAttr plan) {
  // Of a multiprocessor, less those that allocation rounds off; and of a thread
  // for all but its elements of tiles, such as addresses.
  constexpr int64_t registers = 61440, others = 32, bytes = 4;
  return plan.getComputeThreads() * kernel.report.registers >= registers &&
         kernel.report.spillStoreBytes > others * bytes;
}

/// The kernel of a device module; null for one in the LLVM dialect.
static tile::KernelOp kernelOf(ModuleOp device) {
  auto kernels = device.getOps<tile::KernelOp>();
  return kernels.empty() ? tile::KernelOp() : *kernels.begin();
}

/// Adds to what the kernel requests.
static void request(tile::KernelOp kernel, const OtherPlan &wanted) {
  NamedAttrList all(
      kernel->getAttrOfType<DictionaryAttr>(tile::wantedPlanAttr));
  Builder builder(kernel.getContext());
  for (const PlanRequest &each : wanted.requests)
    all.set(each.name, builder.getI64IntegerAttr(each.value));
  kernel->setAttr(tile::wantedPlanAttr, all.getDictionary(kernel.getContext()));
  if (wanted.keepsDotsInPlace)
    kernel->setAttr(tilegpu::keptInPlaceName, builder.getUnitAttr());
}

/// The kernel with these requests; nothing if they do not fit.
static std::optional<GpuKernel> compileWith(const OtherPlan &wanted,
                                            ModuleOp device,
                                            const PhaseOptions &phases,
                                            const target::GpuTarget &target,
                                            const target::Ptxas &ptxas) {
  // Warnings are those about requests that do not fit.
  bool isHonored = true;
  ScopedDiagnosticHandler silent(
      device.getContext(), [&](Diagnostic &diagnostic) {
        isHonored &= diagnostic.getSeverity() != DiagnosticSeverity::Warning;
        return success();
      });
  OwningOpRef<ModuleOp> module = ModuleOp::create(device.getLoc());
  ModuleOp copy = device.clone();
  module->push_back(copy);
  request(kernelOf(copy), wanted);
  if (failed(runPhases(*module, Phase::Planned, Phase::NVVM, phases,
                       [&](Phase) { return success(isHonored); })))
    return std::nullopt;
  llvm::Expected<GpuKernel> compiled =
      target::compileKernel(copy, target, &ptxas);
  if (!compiled) {
    llvm::consumeError(compiled.takeError());
    return std::nullopt;
  }
  return std::move(*compiled);
}

static size_t countProblems(const GpuKernel &kernel) {
  return target::performanceProblems(kernel).size();
}

/// Whether ptxas serializes wgmma instructions.
static bool isSerialized(const GpuKernel &kernel) {
  return countProblems(kernel) > (kernel.report.stackBytes != 0 ? 1 : 0);
}

static unsigned spilledBytes(const GpuKernel &kernel) {
  return kernel.report.spillStoreBytes + kernel.report.spillLoadBytes;
}

static void explain(const OtherPlan &made, tile::KernelOp kernel,
                    PlanAttr plan) {
  if (made.keepsDotsInPlace) {
    tilegpu::explainPassed(kernel, "dot")
        << "dots complete in their iteration: beside those of the next one, "
           "ptxas serializes them";
    return;
  }
  const int64_t value = made.requests.back().value;
  if (!plan.getProducer())
    tilegpu::explainPassed(kernel, "tile") << remark::add(
        "{0} warps: with {1}, ptxas reports problems", value, plan.getWarps());
  else if (made.requests.front().name == residents)
    tilegpu::explainPassed(kernel, "tile") << remark::add(
        "{0} block in a multiprocessor: with {1}, ptxas reports problems",
        value, plan.getBlocks());
  else if (made.requests.size() == 1)
    tilegpu::explainPassed(kernel, "tile") << remark::add(
        "{0} iterations for each: with one, ptxas reports problems", value);
  else
    tilegpu::explainPassed(kernel, "tile") << remark::add(
        "{0} warps without a producer: with {1} and a producer, ptxas reports "
        "problems",
        value, plan.getWarps());
}

std::optional<GpuKernel> compileWithOtherPlan(const GpuKernel &first,
                                              ModuleOp device, PlanAttr plan,
                                              const PhaseOptions &phases,
                                              const target::GpuTarget &target,
                                              const target::Ptxas &ptxas) {
  constexpr unsigned least = 2;
  tile::KernelOp kernel = kernelOf(device);
  if (!kernel)
    return std::nullopt;
  auto wanted = kernel->getAttrOfType<DictionaryAttr>(tile::wantedPlanAttr);
  std::optional<GpuKernel> best;
  OtherPlan made;
  unsigned most = spilledBytes(first) / least;
  if (!plan.getProducer() && areRegistersExhausted(first, plan))
    return std::nullopt;
  for (const OtherPlan &other :
       otherPlans(plan, first.report.spillStoreBytes, isSerialized(first))) {
    if (wanted && llvm::any_of(other.requests, [&](const PlanRequest &each) {
          return wanted.contains(each.name);
        }))
      break;
    std::optional<GpuKernel> compiled =
        compileWith(other, device, phases, target, ptxas);
    if (!compiled)
      continue;
    bool isLast = !needsOtherPlan(*compiled, plan);
    if (isLast || (countProblems(*compiled) <= countProblems(first) &&
                   spilledBytes(*compiled) < most)) {
      most = spilledBytes(*compiled);
      made = other;
      best = std::move(compiled);
    }
    if (isLast)
      break;
  }
  if (best)
    explain(made, kernel, plan);
  return best;
}

} // namespace tilegpt::compiler
