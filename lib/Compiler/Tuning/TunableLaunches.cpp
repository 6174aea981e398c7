// Reads parameters, and the axes they tile, from kernels and their launches.
#include "Tuning/TunableLaunches.h"
#include "TileGPT/Dialect/Tile/Analysis/LaunchKey.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/TileGPU/Transforms/RankChoices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tilegpt::compiler {

/// Takes in an axis that a parameter cuts into tiles: its size, or the most
/// rows of the plan.
static void addAxis(runtime::TunableParameter &parameter, tile::LaunchOp launch,
                    tile::ArgumentAxis axis) {
  auto type =
      dyn_cast<RankedTensorType>(launch->getOperand(axis.argument).getType());
  if (!type)
    return;
  int64_t extent = 0;
  if (!type.isDynamicDim(axis.axis)) {
    extent = type.getDimSize(axis.axis);
  } else if (auto function = launch->getParentOfType<func::FuncOp>()) {
    if (auto rows = function->getAttrOfType<DenseI64ArrayAttr>(tile::rowsAttr))
      extent = rows[1];
    parameter.isOfRows = true;
  }
  parameter.extent = std::max(parameter.extent, extent);
}

/// Whether all tiles of a size are the first along their axis, so that no other
/// block has the remainder.
static bool isWhole(const tile::TileFootprint &footprint, Attribute size) {
  bool found = false;
  for (const tile::AccessFootprint &access : footprint.getAccesses())
    for (const tile::AxisFootprint &axis : access.axes) {
      if (axis.size != size)
        continue;
      if (axis.index != tile::TileIndex::Zero)
        return false;
      found = true;
    }
  return found;
}

static std::vector<runtime::TunableParameter>
tunableParameters(tile::LaunchOp launch, tile::KernelOp kernel) {
  std::vector<runtime::TunableParameter> parameters;
  const tile::TileFootprint footprint(kernel);
  const DictionaryAttr written = launch.getParamsAttr();
  for (auto param : kernel.getParams().getAsRange<tile::ParamAttr>()) {
    // Sizes of the data and types are no choices.
    if (!isa<IntegerAttr>(param.getDefaultValue()) ||
        param.getCandidates().size() < 2 ||
        (written && written.get(param.getName())))
      continue;
    runtime::TunableParameter parameter;
    parameter.name = param.getName().str();
    for (auto candidate : param.getCandidates().getAsRange<IntegerAttr>())
      parameter.candidates.push_back(candidate.getInt());
    if (auto axes = footprint.loadedAxesOf(param.getName()))
      for (tile::ArgumentAxis axis : *axes)
        addAxis(parameter, launch, axis);
    for (size_t axis = 0; axis < kernel.getGrid().size(); ++axis)
      if (auto tiled = footprint.tiledAxisOf(
              int64_t(axis),
              StringAttr::get(kernel.getContext(), parameter.name))) {
        parameter.isOfGrid = true;
        addAxis(parameter, launch, *tiled);
      }
    if (isWhole(footprint,
                StringAttr::get(kernel.getContext(), parameter.name)))
      std::erase_if(parameter.candidates, [&](int64_t candidate) {
        return candidate < parameter.extent;
      });
    if (parameter.candidates.size() < 2)
      continue;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

runtime::TunableLaunch findTunable(tile::LaunchOp launch, tile::KernelOp kernel,
                                   const PhaseOptions &phases) {
  constexpr size_t most = 512;
  runtime::TunableLaunch found;
  if (auto function = launch->getParentOfType<func::FuncOp>())
    found.plan = function.getSymName().str();
  found.kernel = kernel.getSymName().str();
  found.key = tile::keyOf(launch, kernel);
  found.parameters = tunableParameters(launch, kernel);
  if (phases.branch() == Branch::Gpu)
    found.ranked = tilegpu::rankChoices(
        launch, kernel,
        {phases.gpu, phases.multiprocessors, phases.tf32, phases.fastF8}, most);
  return found;
}

std::vector<runtime::TunableLaunch>
findTunableLaunches(ModuleOp module, const PhaseOptions &phases) {
  std::vector<runtime::TunableLaunch> launches;
  module.walk([&](tile::LaunchOp launch) {
    auto function = launch->getParentOfType<func::FuncOp>();
    tile::KernelOp kernel =
        tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
    if (function && kernel)
      launches.push_back(findTunable(launch, kernel, phases));
  });
  return launches;
}

std::vector<runtime::TunableFusion> takeTunableFusions(ModuleOp module) {
  std::vector<runtime::TunableFusion> found;
  module.walk([&](func::FuncOp function) {
    auto fusions = function->getAttrOfType<ArrayAttr>(tile::fusionsAttr);
    if (!fusions)
      return;
    for (auto each : fusions.getAsRange<DictionaryAttr>()) {
      runtime::TunableFusion &fusion = found.emplace_back();
      fusion.plan = function.getSymName().str();
      fusion.name = each.getAs<StringAttr>("name").str();
      fusion.key.digest = each.getAs<StringAttr>("digest").str();
      for (auto operand :
           each.getAs<ArrayAttr>("operands").getAsRange<StringAttr>())
        fusion.key.operands.push_back(operand.str());
      if (auto rows =
              function->getAttrOfType<DenseI64ArrayAttr>(tile::rowsAttr)) {
        fusion.key.firstRows = rows[0];
        fusion.key.lastRows = rows[1];
      }
      fusion.isFused = each.getAs<BoolAttr>("fused").getValue();
    }
    function->removeAttr(tile::fusionsAttr);
  });
  return found;
}

} // namespace tilegpt::compiler
