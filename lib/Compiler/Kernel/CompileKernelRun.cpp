// Compiles a kernel for a standalone run on a GPU.
#include "ChosenParameters.h"
#include "Diagnostics.h"
#include "KernelInstance.h"
#include "KernelMemory.h"
#include "RawParameters.h"
#include "TileGPT/Compiler/GpuKernelRun.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/AssumeArguments.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using llvm::Expected;

namespace tilegpt::compiler {

/// The end of the specialized phase of a model: plans are made for kernels
/// without single-iteration loops.
static LogicalResult simplify(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(module);
}

/// A copy of a raw kernel that assumes the properties of the arguments of its
/// launch. Addresses on the device equal those on the host modulo the alignment
/// of TensorImage.
static OwningOpRef<ModuleOp> specialize(tile::KernelOp kernel,
                                        ArrayRef<reference::Value> arguments) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  tile::KernelOp copy = kernel.clone();
  module->push_back(copy);
  KernelMemory memory(arguments, /*guard=*/0);
  SmallVector<tile::ArgumentFacts> facts;
  for (auto [wanted, word] :
       llvm::zip_equal(tile::wantedFacts(copy), memory.words()))
    facts.push_back(wanted.of(word));
  tile::assumeArguments(copy, facts);
  return module;
}

Expected<GpuKernelRun> compileKernelRun(tile::KernelOp kernel,
                                        ArrayRef<reference::Value> arguments,
                                        const GpuRunOptions &options,
                                        const GpuCompilation &compilation) {
  FirstError diagnostics(*kernel.getContext());
  OwningOpRef<ModuleOp> specialized;
  if (kernel.isRaw() && options.specialize) {
    specialized = specialize(kernel, arguments);
    if (failed(simplify(*specialized)))
      return diagnostics.explain(
          llvm::createStringError("the kernel cannot be simplified"));
    kernel = *specialized->getOps<tile::KernelOp>().begin();
  }
  PhaseOptions phases;
  phases.compileForGpu(compilation.target.name.str());
  phases.multiprocessors = compilation.multiprocessors;
  // Models do not launch raw kernels.
  Expected<DictionaryAttr> parameters =
      kernel.isRaw()
          ? options.parameters
          : chooseParameters(kernel, arguments, options.parameters, phases);
  if (!parameters)
    return diagnostics.explain(parameters.takeError());
  Expected<KernelInstance> instance = instantiate(
      kernel, arguments, *parameters, options.openSizes, options.grid);
  if (!instance)
    return diagnostics.explain(instance.takeError());
  if (failed(simplify(*instance->module)))
    return diagnostics.explain(
        llvm::createStringError("the kernel cannot be simplified"));
  tile::KernelOp bound = instance->kernel();
  if (options.plan)
    bound->setAttr(tilegpu::PlanAttr::attrName, options.plan);
  GpuKernelRun run;
  run.grid = instance->grid;
  if (kernel.isRaw())
    run.wordBytes = parameterBytes(kernel);
  bound.walk<WalkOrder::PreOrder>([&](tile::AssertOp check) {
    run.asserts.push_back(check.getMessage().str());
  });
  GpuCompilation warning = compilation;
  if (options.warn)
    warning.warn = options.warn;
  FailureOr<target::GpuKernel> compiled = compileGpuKernel(bound, warning);
  if (failed(compiled))
    return diagnostics.explain(
        llvm::createStringError("the kernel does not compile"));
  run.kernel = std::move(*compiled);
  return run;
}

} // namespace tilegpt::compiler
