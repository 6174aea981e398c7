// Each compilation has its own context, so that compilations run in parallel.
#include "LaunchTuning/CompiledLaunch.h"
#include "Diagnostics.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/ApplyChoice.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "mlir/Pass/PassManager.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::compiler {

size_t LaunchOperand::bytes() const {
  return size_t(std::accumulate(shape.begin(), shape.end(),
                                bundle::byteWidth(type),
                                std::multiplies<int64_t>()));
}

void addWords(std::vector<uint64_t> &words, const LaunchOperand &operand,
              uint64_t address) {
  words.push_back(address);
  for (int64_t size : operand.shape)
    words.push_back(uint64_t(size));
  for (size_t axis = 0; axis < operand.shape.size(); ++axis)
    words.push_back(uint64_t(std::accumulate(
        operand.shape.begin() + int64_t(axis) + 1, operand.shape.end(),
        int64_t(1), std::multiplies<int64_t>())));
}

/// Whether a kernel reads the contents of an argument.
static bool readsArgument(tile::KernelOp kernel, unsigned number) {
  return kernel
      .walk([&](tile::LoadOp load) {
        return tilegpu::rootOf(load.getView()) ==
                       Value(kernel.getArguments()[number])
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult fillOperands(CompiledLaunch &compiled,
                                  tile::LaunchOp launch,
                                  tile::KernelOp kernel) {
  // For a plan, the maximum.
  auto range =
      launch->getParentOp()->getAttrOfType<DenseI64ArrayAttr>(tile::rowsAttr);
  const int64_t rows = range ? range[1] : 0;
  for (auto [number, type] : llvm::enumerate(launch->getOperandTypes())) {
    std::string name;
    llvm::raw_string_ostream(name) << getElementTypeOrSelf(type);
    std::optional<bundle::ElementType> element =
        isa<IndexType>(type) ? bundle::ElementType::I64
                             : bundle::parseElementType(name);
    if (!element)
      return launch.emitOpError("has an operand of ")
             << type << ", for which no test data can be generated";
    LaunchOperand &operand = compiled.operands.emplace_back();
    operand.type = *element;
    operand.isTensor = isa<RankedTensorType>(type);
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        operand.shape.push_back(ShapedType::isDynamic(size) ? rows : size);
    operand.isWritten = number >= kernel.getNumIns();
    operand.isRead =
        !operand.isWritten || readsArgument(kernel, unsigned(number));
  }
  return success();
}

/// The blocks of the launch: sizes are static, and parameters bound.
static LogicalResult fillGrid(CompiledLaunch &compiled, tile::LaunchOp launch,
                              tile::KernelOp kernel) {
  auto unknown = [](auto...) -> llvm::Expected<int64_t> {
    return llvm::createStringError("the grid depends on data");
  };
  auto dim = [&](unsigned argument, unsigned axis) -> llvm::Expected<int64_t> {
    return compiled.operands[argument].shape[axis];
  };
  auto scalar = [&](unsigned) { return unknown(); };
  auto param = [&](StringRef) { return unknown(); };
  for (auto [axis, expr] :
       llvm::enumerate(kernel.getGrid().getAsRange<tile::ExprAttr>())) {
    llvm::Expected<int64_t> size = tile::evaluate(expr, {dim, scalar, param});
    if (!size)
      return launch.emitOpError() << llvm::toString(size.takeError());
    compiled.grid[axis] = *size;
  }
  return success();
}

/// Compiles the only kernel of a launch for the host.
static LogicalResult compileForHost(CompiledLaunch &compiled,
                                    tile::KernelOp kernel,
                                    const PhaseOptions &phases) {
  llvm::Expected<target::HostTarget> target = target::HostTarget::create();
  if (!target)
    return kernel.emitOpError() << llvm::toString(target.takeError());
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  module->push_back(kernel.clone());
  PassManager pm(kernel.getContext());
  cpu::CpuPipelineOptions options;
  options.vectorBits = phases.vectorBits;
  options.vectorRegisters = phases.vectorRegisters;
  options.rowStreams = phases.rowStreams;
  cpu::populateTileToCpuPipeline(pm, options);
  if (failed(pm.run(*module)))
    return failure();
  llvm::Expected<target::HostImage> image =
      target::compileImage(*module, *target);
  if (!image)
    return kernel.emitOpError() << llvm::toString(image.takeError());
  compiled.host = std::move(*image);
  compiled.entry = bundle::entrySymbol(kernel.getSymName());
  return success();
}

namespace {
/// One compilation.
class Work {
public:
  Work(const LaunchCompiler &compiler, const runtime::Choice *choice)
      : compiler(compiler), choice(choice) {}

  LogicalResult run(ModuleOp module);

  CompiledLaunch compiled;
  Refusal why = Refusal::DoesNotCompile;
  std::string what;

private:
  LogicalResult refuse(Refusal reason, std::string text) {
    why = reason;
    what = std::move(text);
    return failure();
  }

  const LaunchCompiler &compiler;
  const runtime::Choice *choice;
};
} // namespace

LogicalResult Work::run(ModuleOp module) {
  tile::LaunchOp launch;
  module.walk([&](tile::LaunchOp op) { launch = op; });
  tile::KernelOp kernel =
      tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
  compiled.kernel = kernel.getSymName().str();
  if (choice && failed(tile::applyChoice(launch, kernel, *choice)))
    return refuse(Refusal::DoesNotFit, "a size is no candidate");
  // Only single kernels are measured.
  PhaseOptions phases = compiler.phases;
  phases.splitLoops = false;
  if (failed(runPhases(module, Phase::Specialized, Phase::Specialized, phases,
                       nullptr)))
    return failure();
  kernel = tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
  if (failed(fillOperands(compiled, launch, kernel)) ||
      failed(fillGrid(compiled, launch, kernel)))
    return failure();
  if (!compiler.gpu)
    return compileForHost(compiled, kernel, compiler.phases);
  GpuCompilation compilation(*compiler.gpu);
  compilation.multiprocessors = compiler.phases.multiprocessors;
  compilation.ptxas = compiler.ptxas;
  compilation.cache = compiler.cache;
  compilation.exact = compiler.phases.exact;
  std::string warning;
  compilation.warn = [&](const std::string &text) { warning = text; };
  FailureOr<target::GpuKernel> made = compileGpuKernel(kernel, compilation);
  if (failed(made))
    return failure();
  if (choice)
    if (llvm::Error slow = target::checkPerformance(*made))
      return refuse(Refusal::IsSlow, llvm::toString(std::move(slow)));
  if (choice && !warning.empty())
    return refuse(Refusal::DoesNotFit, warning);
  compiled.gpu = std::move(*made);
  return success();
}

tl::expected<CompiledLaunch, LaunchCompiler::Refused>
LaunchCompiler::compile(const LaunchText &text,
                        const runtime::Choice *choice) const {
  Work work(*this, choice);
  bool isCompiled = false;
  runtime::Result<void> started = runOnLargeStack([&] {
    DialectRegistry registry;
    registerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    FirstError diagnostics(context);
    OwningOpRef<ModuleOp> module = parseSource(
        *llvm::MemoryBuffer::getMemBuffer(text.module, "launch"), context);
    isCompiled = module && succeeded(work.run(*module));
    if (!isCompiled && work.what.empty())
      work.what = diagnostics.firstError();
  });
  if (!started)
    work.what = started.error().message;
  if (!started || !isCompiled)
    return tl::unexpected(Refused{work.why, work.what});
  return std::move(work.compiled);
}

} // namespace tilegpt::compiler
