// Creates the launch that a model would contain and runs the selection passes
// on it.
#include "ChosenParameters.h"
#include "KernelInstance.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilegpt::compiler {

/// Appends a function to the module that only launches `kernel`.
static tile::LaunchOp addLaunch(ModuleOp module, tile::KernelOp kernel,
                                TypeRange types, DictionaryAttr parameters) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  const Location loc = kernel.getLoc();
  auto function = func::FuncOp::create(builder, loc, "launch",
                                       builder.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  const ValueRange operands = body->getArguments();
  const ValueRange outs = operands.drop_front(kernel.getNumIns());
  auto launch = tile::LaunchOp::create(
      builder, loc, outs.getTypes(),
      FlatSymbolRefAttr::get(kernel.getSymNameAttr()),
      operands.take_front(kernel.getNumIns()), outs, parameters);
  func::ReturnOp::create(builder, loc);
  return launch;
}

/// \param addChoices  adds the passes that choose tile sizes.
static llvm::Expected<DictionaryAttr>
choose(tile::KernelOp kernel, ArrayRef<reference::Value> arguments,
       DictionaryAttr given,
       llvm::function_ref<void(PassManager &)> addChoices) {
  // Launches override sizes; types follow from their operands.
  SmallVector<NamedAttribute> sizes, all;
  if (given) {
    llvm::append_range(all, given.getValue());
    llvm::copy_if(given.getValue(), std::back_inserter(sizes),
                  [](NamedAttribute entry) {
                    return isa<IntegerAttr>(entry.getValue());
                  });
  }
  MLIRContext *context = kernel.getContext();
  context->loadDialect<func::FuncDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  tile::KernelOp copy = kernel.clone();
  module->push_back(copy);
  tile::LaunchOp launch = addLaunch(
      *module, copy, launchTypes(kernel, arguments, /*openSizes=*/false),
      DictionaryAttr::get(context, sizes));
  PassManager pm(context);
  addChoices(pm);
  pm.addPass(tile::createChooseParametersPass());
  if (failed(pm.run(*module)))
    return llvm::createStringError("no launch takes these arguments");
  NamedAttrList chosen(all);
  for (NamedAttribute entry : launch.getParamsAttr())
    chosen.set(entry.getName(), entry.getValue());
  return chosen.getDictionary(context);
}

llvm::Expected<DictionaryAttr>
chooseParameters(tile::KernelOp kernel, ArrayRef<reference::Value> arguments,
                 DictionaryAttr given, const GpuCompilation &compilation) {
  return choose(kernel, arguments, given, [&](PassManager &pm) {
    pm.addPass(tilegpu::createChooseTiles({compilation.multiprocessors,
                                           compilation.target.name.str(),
                                           /*tf32=*/false, /*fastF8=*/false}));
  });
}

llvm::Expected<DictionaryAttr>
chooseParameters(tile::KernelOp kernel, ArrayRef<reference::Value> arguments,
                 DictionaryAttr given, const target::HostTarget &target,
                 unsigned threads) {
  return choose(kernel, arguments, given, [&](PassManager &pm) {
    pm.addPass(tile::createBalanceProductsPass({target.vectorBits(),
                                                target.vectorRegisters(),
                                                target.l2Bytes(), threads}));
    pm.addPass(tile::createLengthenReadsPass());
  });
}

} // namespace tilegpt::compiler
