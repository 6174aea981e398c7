// Launches of a module, or synthetic ones of its kernels.
#include "TileGPT/Dialect/Tile/Transforms/EachLaunch.h"
#include "NarrowCandidates.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {

SmallVector<Type> declaredOperands(KernelOp kernel) {
  return llvm::map_to_vector(
      kernel.getBody().getArgumentTypes(), [&](Type type) -> Type {
        auto view = dyn_cast<ViewType>(type);
        if (!view)
          return type;
        Type element = view.getElementType();
        if (auto variable = dyn_cast<EltType>(element))
          element = kernel.getDefaultType(variable.getName());
        return RankedTensorType::get(view.getShape(), element);
      });
}

/// Makes the choices of a launch the defaults of its kernel, without
/// candidates: as in a launch, later choices keep them.
static void adoptChoices(KernelOp kernel, LaunchOp launch) {
  DictionaryAttr chosen = launch.getParamsAttr();
  if (!chosen)
    return;
  SmallVector<Attribute> params;
  for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>()) {
    Attribute value = chosen.get(param.getName());
    params.push_back(
        value ? ParamAttr::get(kernel.getContext(), param.getName(), value,
                               isa<IntegerAttr>(value)
                                   ? ArrayAttr::get(kernel.getContext(), value)
                                   : param.getCandidates())
              : param);
  }
  kernel.setParamsAttr(ArrayAttr::get(kernel.getContext(), params));
}

/// Chooses for a kernel without launches.
static void chooseForKernel(KernelOp kernel,
                            function_ref<void(LaunchOp, KernelOp)> choose) {
  Block block;
  const SmallVector<Type> types = declaredOperands(kernel);
  const Location loc = kernel.getLoc();
  block.addArguments(types, SmallVector<Location>(types.size(), loc));
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToEnd(&block);
  const ValueRange operands = block.getArguments();
  const ValueRange ins = operands.take_front(kernel.getNumIns()),
                   outs = operands.drop_front(kernel.getNumIns());
  auto launch = LaunchOp::create(builder, loc, outs.getTypes(),
                                 kernel.getSymName(), ins, outs,
                                 /*params=*/DictionaryAttr());
  narrowCandidates(kernel, launch);
  choose(launch, kernel);
  adoptChoices(kernel, launch);
}

void forEachLaunch(ModuleOp module,
                   function_ref<void(LaunchOp, KernelOp)> choose) {
  SmallVector<std::pair<LaunchOp, KernelOp>> launches;
  llvm::MapVector<KernelOp, SmallVector<LaunchOp>> ofKernel;
  bool hasLaunches = false;
  SymbolTableCollection tables;
  module.walk([&](LaunchOp launch) {
    hasLaunches = true;
    if (KernelOp kernel =
            lookupKernel(tables, launch, launch.getKernelAttr().getAttr())) {
      launches.emplace_back(launch, kernel);
      ofKernel[kernel].push_back(launch);
    }
  });
  for (auto &[kernel, itsLaunches] : ofKernel)
    narrowCandidates(kernel, itsLaunches);
  for (auto [launch, kernel] : launches)
    choose(launch, kernel);
  // Raw kernels are launched by external callers, without choices.
  if (!hasLaunches)
    module.walk([&](KernelOp kernel) {
      if (!kernel.isRaw())
        chooseForKernel(kernel, choose);
    });
}

} // namespace tilegpt::tile
