// Takes one kernel through the whole host compiler and calls it the way the
// runtime does, on copies of its arguments that lie between poisoned guards.
#include "TileGPT/Compiler/KernelRun.h"
#include "Diagnostics.h"
#include "KernelInstance.h"
#include "KernelMemory.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::compiler {

/// Compiles the only kernel of a module, whose entry point is `name`; `asserts`
/// receives the messages of its assertions.
static Expected<target::HostImage>
compile(ModuleOp module, StringRef name,
        SmallVectorImpl<std::string> &asserts) {
  Expected<target::HostTarget> target = target::HostTarget::create();
  if (!target)
    return target.takeError();
  PassManager pm(module.getContext());
  cpu::CpuPipelineOptions options;
  options.vectorBits = target->vectorBits();
  cpu::populateTileToCpuPipeline(pm, options);
  if (failed(pm.run(module)))
    return llvm::createStringError("the kernel does not compile");
  if (auto messages = module.lookupSymbol(name)->getAttrOfType<ArrayAttr>(
          "tilegpt.asserts"))
    for (Attribute message : messages)
      asserts.push_back(cast<StringAttr>(message).getValue().str());
  return target::compileImage(module, *target);
}

/// Runs the blocks in two parts, the later ones first: blocks may run in any
/// order and from any number.
static int32_t runBlocks(cpu::KernelFunction function,
                         const std::vector<uint64_t> &words,
                         const reference::Grid &grid) {
  int64_t count = grid[0] * grid[1] * grid[2], half = count / 2;
  if (int32_t status = function(words.data(), grid.data(), half, count))
    return status;
  return function(words.data(), grid.data(), 0, half);
}

static llvm::Error execute(const target::HostImage &code, StringRef name,
                           ArrayRef<std::string> asserts,
                           ArrayRef<reference::Value> arguments,
                           const reference::Grid &grid, int64_t guard) {
  runtime::Result<cpu::HostImage> image = cpu::HostImage::load(code);
  if (!image)
    return llvm::createStringError(image.error().message);
  runtime::Result<cpu::KernelFunction> function =
      image->find(bundle::entrySymbol(name));
  if (!function)
    return llvm::createStringError(function.error().message);

  KernelMemory memory(arguments, guard);
  if (int32_t status = runBlocks(*function, memory.words(), grid))
    return llvm::createStringError(
        formatv("'{0}' failed: {1}", name,
                size_t(status) <= asserts.size() ? asserts[status - 1] : "?"));
  return memory.readBack(name);
}

static llvm::Error compileAndRun(tile::KernelOp kernel,
                                 ArrayRef<reference::Value> arguments,
                                 const KernelRunOptions &options) {
  Expected<KernelInstance> instance = instantiate(
      kernel, arguments, options.parameters, options.openSizes, options.grid);
  if (!instance)
    return instance.takeError();
  SmallVector<std::string> asserts;
  Expected<target::HostImage> code = compile(
      *instance->module, bundle::entrySymbol(kernel.getSymName()), asserts);
  if (!code)
    return code.takeError();
  return execute(*code, kernel.getSymName(), asserts, arguments, instance->grid,
                 options.guard);
}

llvm::Error runKernelOnCpu(tile::KernelOp kernel,
                           ArrayRef<reference::Value> arguments,
                           const KernelRunOptions &options) {
  FirstError diagnostics(*kernel.getContext());
  return diagnostics.explain(compileAndRun(kernel, arguments, options));
}

} // namespace tilegpt::compiler
