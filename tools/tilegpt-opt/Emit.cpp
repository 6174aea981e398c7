// Prints what the GPU branch makes of kernels.
#include "Emit.h"
#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Pipelines/DeviceModules.h"
#include "TileGPT/Target/NVVM/Ptx.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <thread>

using namespace mlir;
using tilegpt::compiler::GpuKernels;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::opt {

std::optional<EmitKind> parseEmitKind(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<EmitKind>>(word)
      .Case("llvm-ir", EmitKind::LlvmIr)
      .Case("ptx", EmitKind::Ptx)
      .Case("cubin", EmitKind::Cubin)
      .Case("report", EmitKind::Report)
      .Default(std::nullopt);
}

static tl::unexpected<Error> failed(const Twine &message) {
  return tl::unexpected(Error{ErrorCode::Failure, message.str()});
}

using AfterPhase = llvm::function_ref<LogicalResult(ModuleOp, Phase)>;

static Result<void> emitLlvmIr(ModuleOp module, const target::GpuTarget &target,
                               AfterPhase dump, llvm::raw_ostream &output) {
  PhaseOptions phases;
  phases.gpu = target.name.str();
  if (mlir::failed(runPhases(module, Phase::Planned, Phase::NVVM, phases,
                             [&](Phase phase) { return dump(module, phase); })))
    return failed("compilation failed");
  for (auto device : module.getOps<ModuleOp>()) {
    llvm::LLVMContext context;
    auto translated = target::translateToLLVM(device, context);
    if (!translated)
      return failed(llvm::toString(translated.takeError()));
    target::optimize(**translated, target);
    (*translated)->print(output, nullptr);
  }
  return {};
}

/// ptxas, which cubins and reports cannot do without.
static Result<target::Ptxas> requirePtxas() {
  llvm::Expected<std::optional<target::Ptxas>> ptxas = target::Ptxas::find();
  if (!ptxas)
    return failed(llvm::toString(ptxas.takeError()));
  if (!*ptxas)
    return failed("--emit: cubins and reports need ptxas, which is neither in "
                  "PATH nor in /usr/local/cuda/bin; name it in $TILEGPT_PTXAS");
  return std::move(**ptxas);
}

static Result<void> printCubin(const GpuKernels &kernels,
                               llvm::raw_ostream &output) {
  if (kernels.size() != 1)
    return tl::unexpected(
        Error{ErrorCode::Usage,
              "--emit=cubin: expected one kernel, found " +
                  llvm::join(llvm::make_first_range(kernels), ", ")});
  const target::Cubin &cubin = kernels.begin()->second.cubin;
  output.write(reinterpret_cast<const char *>(cubin.data()), cubin.size());
  return {};
}

static void printReport(const target::GpuKernel &kernel,
                        llvm::raw_ostream &output) {
  output << kernel.symbol << ": " << kernel.launch.threads << " threads, "
         << kernel.launch.sharedBytes << " bytes of dynamic shared memory, "
         << kernel.cubin.size() << " bytes of code\n"
         << kernel.report.text;
  for (const std::string &problem : target::performanceProblems(kernel.report))
    output << "problem: " << problem << '\n';
}

Result<void> emitCode(ModuleOp module, EmitKind kind,
                      const target::GpuTarget &target, AfterPhase dump,
                      llvm::raw_ostream &output) {
  if (kind == EmitKind::LlvmIr)
    return emitLlvmIr(module, target, dump, output);
  compiler::GpuCompilation options(target);
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.afterPhase = dump;
  std::optional<target::Ptxas> ptxas;
  if (kind != EmitKind::Ptx) {
    Result<target::Ptxas> found = requirePtxas();
    if (!found)
      return tl::unexpected(found.error());
    options.ptxas = &ptxas.emplace(std::move(*found));
  }
  FailureOr<GpuKernels> kernels = compiler::compileGpuKernels(module, options);
  if (mlir::failed(kernels))
    return failed("compilation failed");
  if (kind == EmitKind::Cubin)
    return printCubin(*kernels, output);
  for (const auto &[name, kernel] : *kernels) {
    if (kind == EmitKind::Ptx)
      output << kernel.ptx;
    else
      printReport(kernel, output);
  }
  return {};
}

} // namespace tilegpt::opt
