// The steps of Ptx.h and Ptxas.h in order, for one module.
#include "TileGPT/Target/NVVM/CompileKernel.h"
#include "Rematerialize.h"
#include "TileGPT/Target/NVVM/LaunchAttributes.h"
#include "TileGPT/Target/NVVM/Ptx.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace tilegpt;
using namespace tilegpt::target;

static llvm::Expected<mlir::LLVM::LLVMFuncOp>
findKernel(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::LLVM::LLVMFuncOp> kernels;
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>())
    if (function->hasAttr(mlir::NVVM::NVVMDialect::getKernelFuncAttrName()))
      kernels.push_back(function);
  if (kernels.size() != 1)
    return llvm::createStringError(
        "gpu: expected one function with 'nvvm.kernel' in a device module, "
        "found " +
        llvm::Twine(kernels.size()));
  return kernels.front();
}

static unsigned spilledBytes(const PtxasReport &report) {
  return report.spillStoreBytes + report.spillLoadBytes;
}

/// The PTX of a kernel with its minimum blocks per multiprocessor reduced by
/// one, or set to one if ptxas chooses it; empty if it is one already, or if
/// roles of a block divide the registers of that number.
static std::string leaveRoom(llvm::StringRef ptx) {
  if (ptx.contains("setmaxnreg"))
    return {};
  constexpr llvm::StringLiteral least = "\n.minnctapersm ",
                                threads = "\n.reqntid ";
  auto [front, rest] = ptx.split(least);
  unsigned blocks;
  if (!rest.consumeInteger(10, blocks))
    return blocks > 1 ? (front + least + llvm::Twine(blocks - 1) + rest).str()
                      : std::string();
  size_t at = ptx.find(threads);
  return at == ptx.npos
             ? std::string()
             : (ptx.take_front(at) + least + "1" + ptx.drop_front(at)).str();
}

/// The PTX of a kernel whose roles divide the registers, with eight registers
/// per thread of every consumer given to the producer; empty if there are no
/// roles. Values are recomputed before, if that helps: gradients of grouped
/// keys and values whose consumers then spill 4 bytes take 207 us on an H200,
/// and 252 with none but fewer registers.
static std::string growProducer(llvm::StringRef ptx) {
  constexpr llvm::StringLiteral few = "setmaxnreg.dec.sync.aligned.u32 \t",
                                many = "setmaxnreg.inc.sync.aligned.u32 \t",
                                reqntid = "\n.reqntid ";
  constexpr unsigned step = 8, groupThreads = 128;
  unsigned producer, consumer, threads;
  auto [front, second] = ptx.split(few);
  auto [middle, end] = second.split(many);
  llvm::StringRef head = front.split(reqntid).second;
  if (middle.consumeInteger(10, producer) || end.consumeInteger(10, consumer) ||
      head.consumeInteger(10, threads) || threads < 2 * groupThreads)
    return {};
  unsigned given = step * (threads / groupThreads - 1);
  return consumer < producer + given + step
             ? std::string()
             : (front + few + llvm::Twine(producer + given) + middle + many +
                llvm::Twine(consumer - step) + end)
                   .str();
}

/// Assembles a kernel that spills again as long as another division of the
/// registers helps, and updates `ptx` and `output`.
/// \param divide  the PTX with another division; empty if there is none
static void
divideOtherwise(const Ptxas &ptxas, const GpuTarget &target,
                llvm::function_ref<std::string(llvm::StringRef)> divide,
                std::string &ptx, Ptxas::Output &output) {
  while (spilledBytes(output.report) != 0) {
    std::string other = divide(ptx);
    if (other.empty())
      return;
    llvm::Expected<Ptxas::Output> next = ptxas.assemble(other, target.name);
    if (!next)
      return llvm::consumeError(next.takeError());
    if (spilledBytes(next->report) >= spilledBytes(output.report))
      return;
    ptx = std::move(other);
    output = std::move(*next);
  }
}

/// Assembles a kernel. ptxas may limit registers to increase occupancy and
/// spill as a result; a kernel that spills is assembled again for fewer blocks
/// per multiprocessor, and `ptx` is updated if that helps.
static llvm::Expected<Ptxas::Output>
assemble(const Ptxas &ptxas, std::string &ptx, const GpuTarget &target) {
  llvm::Expected<Ptxas::Output> output = ptxas.assemble(ptx, target.name);
  if (output)
    divideOtherwise(ptxas, target, leaveRoom, ptx, *output);
  return output;
}

/// The PTX of a module.
/// \param isRecomputed  recompute values after loops instead of keeping them.
///   The text is empty if there are none.
static llvm::Expected<std::string>
generate(mlir::ModuleOp module, const GpuTarget &target, bool isRecomputed) {
  llvm::LLVMContext context;
  auto translated = translateToLLVM(module, context);
  if (!translated)
    return translated.takeError();
  optimize(**translated, target);
  if (isRecomputed && !rematerialize(**translated))
    return std::string();
  return emitPtx(**translated, target);
}

/// Assembles another form of a kernel that spills, and updates `ptx` and
/// `output` if that helps.
/// \param other  empty if the kernel has no such form
static void tryForm(llvm::Expected<std::string> other, const Ptxas &ptxas,
                    const GpuTarget &target, std::string &ptx,
                    Ptxas::Output &output) {
  if (!other)
    return llvm::consumeError(other.takeError());
  if (other->empty())
    return;
  llvm::Expected<Ptxas::Output> next = assemble(ptxas, *other, target);
  if (!next)
    return llvm::consumeError(next.takeError());
  if (spilledBytes(next->report) < spilledBytes(output.report)) {
    ptx = std::move(*other);
    output = std::move(*next);
  }
}

llvm::Expected<GpuKernel> target::compileKernel(mlir::ModuleOp module,
                                                const GpuTarget &target,
                                                const Ptxas *ptxas) {
  auto function = findKernel(module);
  if (!function)
    return function.takeError();
  mlir::FailureOr<LaunchAttributes> attributes =
      readLaunchAttributes(*function, target);
  if (failed(attributes))
    return llvm::createStringError("gpu: '" + function->getSymName() +
                                   "' does not say how to launch it");
  GpuKernel kernel;
  kernel.symbol = function->getSymName().str();
  kernel.launch = attributes->launch;
  kernel.tensorMaps = std::move(attributes->tensorMaps);
  kernel.launchViews = std::move(attributes->launchViews);
  kernel.launchWords = std::move(attributes->launchWords);

  llvm::Expected<std::string> ptx =
      generate(module, target, /*isRecomputed=*/false);
  if (!ptx)
    return ptx.takeError();
  kernel.ptx = std::move(*ptx);
  kernel.launch.imageKind = bundle::ImageKind::Ptx;
  if (!ptxas)
    return kernel;

  llvm::Expected<Ptxas::Output> assembled =
      assemble(*ptxas, kernel.ptx, target);
  if (!assembled)
    return llvm::createStringError(
        "gpu: cannot assemble '" + kernel.symbol +
        "': " + llvm::toString(assembled.takeError()));
  if (spilledBytes(assembled->report) != 0)
    tryForm(generate(module, target, /*isRecomputed=*/true), *ptxas, target,
            kernel.ptx, *assembled);
  divideOtherwise(*ptxas, target, growProducer, kernel.ptx, *assembled);
  kernel.cubin = std::move(assembled->cubin);
  kernel.report = std::move(assembled->report);
  kernel.launch.imageKind = bundle::ImageKind::Cubin;
  kernel.launch.registers = kernel.report.registers;
  return kernel;
}

std::vector<std::string> target::performanceProblems(const GpuKernel &kernel) {
  PtxasReport report = kernel.report;
  if (llvm::StringRef(kernel.ptx).contains(" vprintf"))
    report.stackBytes = 0;
  return performanceProblems(report);
}

llvm::Error target::checkPerformance(const GpuKernel &kernel) {
  const std::vector<std::string> problems = performanceProblems(kernel);
  if (problems.empty())
    return llvm::Error::success();
  return llvm::createStringError("gpu: kernel '" + kernel.symbol +
                                 "': " + llvm::join(problems, "; "));
}
