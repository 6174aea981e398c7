// Takes launches out of their functions: what they read and write becomes the
// arguments of a function of one launch.
#include "LaunchTuning/LaunchTexts.h"
#include "Diagnostics.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Compiler/TuneLaunches.h"
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Pipelines/Registration.h"
#include "Tuning/TunableLaunches.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

/// Parses a file on a large stack and does something with it.
static Result<void>
withModule(const std::string &path,
           llvm::function_ref<Result<void>(ModuleOp)> work) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> source = readSource(path);
  if (!source)
    return tl::unexpected(source.error());
  Result<void> result;
  Result<void> started = runOnLargeStack([&] {
    DialectRegistry registry;
    registerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    FirstError diagnostics(context);
    OwningOpRef<ModuleOp> module = parseSource(**source, context);
    result = module ? work(*module)
                    : makeError(ErrorCode::BadInput, diagnostics.firstError());
    if (!result && result.error().message.empty())
      result = makeError(result.error().code, diagnostics.firstError());
  });
  return started ? result : started;
}

template <typename Op>
static bool has(ModuleOp module) {
  return module->walk([](Op) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

Result<bool> isFileOfLaunches(const std::string &path) {
  bool found = false;
  Result<void> read = withModule(path, [&](ModuleOp module) -> Result<void> {
    found = !has<gpt::ModelOp>(module) && has<tile::LaunchOp>(module);
    return {};
  });
  if (!read)
    return tl::unexpected(read.error());
  return found;
}

/// Whether what an operand holds may still be being written by the launch in
/// front.
static bool isTransient(Value operand, func::FuncOp function) {
  auto argument = dyn_cast<BlockArgument>(operand);
  return !argument ||
         function.getArgAttr(argument.getArgNumber(), tile::transientAttr);
}

static std::string textOf(tile::LaunchOp launch, tile::KernelOp kernel) {
  auto from = launch->getParentOfType<func::FuncOp>();
  Location loc = launch.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  auto builder = OpBuilder::atBlockEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "launch",
      builder.getFunctionType(launch->getOperandTypes(), {}));
  Block *body = function.addEntryBlock();
  IRMapping arguments;
  for (auto [number, operand] : llvm::enumerate(launch->getOperands())) {
    if (isTransient(operand, from))
      function.setArgAttr(unsigned(number), tile::transientAttr,
                          builder.getUnitAttr());
    arguments.map(operand, body->getArgument(unsigned(number)));
  }
  builder.setInsertionPointToStart(body);
  Operation *copy = builder.clone(*launch, arguments);
  // An operand that is there twice is two arguments.
  copy->setOperands(body->getArguments());
  func::ReturnOp::create(builder, loc);
  module->push_back(kernel.clone());
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().printGenericOpForm());
  return text;
}

/// Why a launch cannot be run by itself; empty if it can.
static std::string problemOf(tile::LaunchOp launch) {
  for (Type type : launch->getOperandTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && !tensor.hasStaticShape())
      return runtime::concat("tune: the launch of @", launch.getKernel().str(),
                             " leaves sizes open; expected static ones, such "
                             "as tensor<1024x768xbf16>");
  return "";
}

Result<std::vector<LaunchText>> readLaunches(const std::string &path,
                                             const PhaseOptions &phases) {
  std::vector<LaunchText> texts;
  Result<void> read = withModule(path, [&](ModuleOp module) -> Result<void> {
    if (failed(
            runPhases(module, Phase::Tile, Phase::Launches, phases, nullptr)))
      return makeError(ErrorCode::BadInput, "");
    SmallVector<tile::LaunchOp> launches;
    module.walk([&](tile::LaunchOp launch) { launches.push_back(launch); });
    for (tile::LaunchOp launch : launches) {
      if (std::string problem = problemOf(launch); !problem.empty())
        return makeError(ErrorCode::BadInput, problem);
      tile::KernelOp kernel =
          tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
      if (!kernel || !launch->getParentOfType<func::FuncOp>())
        continue;
      runtime::TunableLaunch tunable = findTunable(launch, kernel, phases);
      if (llvm::none_of(texts, [&](const LaunchText &known) {
            return known.tunable.key == tunable.key;
          }))
        texts.push_back({textOf(launch, kernel), std::move(tunable)});
    }
    return {};
  });
  if (!read)
    return tl::unexpected(read.error());
  if (texts.empty())
    return makeError(ErrorCode::BadInput, "tune: '", path,
                     "' launches no kernel; expected functions with "
                     "tile.launch");
  return texts;
}

} // namespace tilegpt::compiler
