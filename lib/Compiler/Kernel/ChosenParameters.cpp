// Creates the launch that a model would contain and runs the selection passes
// on it.
#include "ChosenParameters.h"
#include "KernelInstance.h"
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
      builder, loc, outs.getTypes(), kernel.getSymName(),
      operands.take_front(kernel.getNumIns()), outs, parameters);
  func::ReturnOp::create(builder, loc);
  return launch;
}

llvm::Expected<DictionaryAttr>
chooseParameters(tile::KernelOp kernel, ArrayRef<reference::Value> arguments,
                 DictionaryAttr given, const PhaseOptions &phases) {
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
  populateParameterChoices(pm, phases);
  if (failed(pm.run(*module)))
    return llvm::createStringError("no launch takes these arguments");
  NamedAttrList chosen(all);
  for (NamedAttribute entry : launch.getParamsAttr())
    chosen.set(entry.getName(), entry.getValue());
  return chosen.getDictionary(context);
}

} // namespace tilegpt::compiler
