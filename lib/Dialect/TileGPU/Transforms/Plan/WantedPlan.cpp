// Looks up requested and actual plan parameters by name.
#include "Plan/WantedPlan.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilegpt::tilegpu {

WantedPlan::WantedPlan(tile::KernelOp kernel)
    : numbers(kernel->getAttrOfType<DictionaryAttr>(tile::wantedPlanAttr)) {}

std::optional<int64_t> WantedPlan::get(StringRef name) const {
  auto number = numbers ? numbers.getAs<IntegerAttr>(name) : IntegerAttr();
  return number ? std::optional(number.getInt()) : std::nullopt;
}

PlanAttr WantedPlan::adjust(PlanAttr plan) const {
  constexpr int64_t leastStages = 3;
  int64_t stages = plan.getStages(), raster = plan.getRaster();
  if (std::optional<int64_t> wanted = get("stages");
      wanted && plan.getProducer() && *wanted >= leastStages)
    stages = std::min(stages, *wanted);
  if (std::optional<int64_t> wanted = get("raster"); wanted && *wanted >= 1)
    raster = *wanted;
  bool overlap = get("overlap").value_or(plan.getOverlap()) != 0;
  return PlanAttr::get(plan.getContext(), plan.getTarget(), plan.getWarps(),
                       stages, plan.getProducer(), plan.getPersistent(), raster,
                       plan.getTeams(), plan.getParts(), plan.getBlocks(),
                       plan.getResidentStages(), plan.getMulticast(),
                       plan.getMulticastAxis(), overlap, plan.getInRegisters(),
                       plan.getThroughMemory());
}

/// A plan parameter by name; nullopt for an unknown name.
static std::optional<int64_t> planNumber(PlanAttr plan, StringRef name) {
  return llvm::StringSwitch<std::optional<int64_t>>(name)
      .Case("warps", plan.getWarps())
      .Case("stages", plan.getStages())
      .Case("producer", plan.getProducer())
      .Case("raster", plan.getRaster())
      .Case("teams", plan.getTeams())
      .Case("parts", plan.getParts())
      .Case("blocks", plan.getBlocks())
      .Case("residentStages", plan.getResidentStages())
      .Case("multicast", plan.getMulticast())
      .Case("multicastAxis", plan.getMulticastAxis())
      .Case("overlap", plan.getOverlap())
      .Case("inRegisters", plan.getInRegisters())
      .Case("throughMemory", plan.getThroughMemory())
      .Default(std::nullopt);
}

std::string WantedPlan::findMissing(PlanAttr plan) const {
  if (!numbers)
    return "";
  for (NamedAttribute wanted : numbers) {
    StringRef name = wanted.getName();
    if (std::optional<int64_t> number = get(name);
        number && number == planNumber(plan, name))
      continue;
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << name << " = ";
    wanted.getValue().print(stream, /*elideType=*/true);
    return text;
  }
  return "";
}

} // namespace tilegpt::tilegpu
