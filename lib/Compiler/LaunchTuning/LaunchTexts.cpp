// Extracts launches from their functions: their operands become the arguments
// of a function with one launch.
#include "LaunchTuning/LaunchTexts.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Compiler/TuneLaunches.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "Tuning/TunableLaunches.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

/// Does something with the launches of a file.
static Result<void>
withModule(const std::string &path,
           llvm::function_ref<Result<void>(ModuleOp)> work) {
  return withSource(path, parseSource, MLIRContext::Threading::DISABLED, work);
}

template <typename Op>
static bool has(ModuleOp module) {
  return module->walk([](Op) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

Result<bool> isFileOfLaunches(const std::string &path) {
  bool found = false;
  Result<void> read = withModule(path, [&](ModuleOp module) -> Result<void> {
    found = has<tile::LaunchOp>(module);
    return {};
  });
  if (!read)
    return tl::unexpected(read.error());
  return found;
}

/// Whether the preceding launch may still be writing an operand.
static bool isTransient(Value operand, func::FuncOp function) {
  if (auto get = operand.getDefiningOp<tile::GetGlobalOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<tile::GlobalOp>(
        get, get.getNameAttr());
    return !global || global.getKind() != tile::GlobalKind::Weight;
  }
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
  if (Attribute rows = from->getAttr(tile::rowsAttr))
    function->setAttr(tile::rowsAttr, rows);
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
  // A repeated operand becomes two arguments.
  copy->setOperands(body->getArguments());
  func::ReturnOp::create(builder, loc);
  module->push_back(kernel.clone());
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().printGenericOpForm());
  return text;
}

namespace {
enum class Openness { None, OfRows, OfOthers };
} // namespace

/// The operand sizes that a launch leaves dynamic: rows are the first size of
/// vectors and matrices.
static Openness opennessOf(tile::LaunchOp launch) {
  constexpr int64_t mostAxes = 2;
  Openness found = Openness::None;
  for (Type type : launch->getOperandTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && !tensor.hasStaticShape()) {
      if (tensor.getRank() > mostAxes ||
          llvm::any_of(tensor.getShape().drop_front(), ShapedType::isDynamic))
        return Openness::OfOthers;
      found = Openness::OfRows;
    }
  return found;
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
      auto function = launch->getParentOfType<func::FuncOp>();
      tile::KernelOp kernel =
          tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
      if (!kernel || !function)
        continue;
      const Openness openness = opennessOf(launch);
      const bool isOfPlan = function->hasAttr(tile::rowsAttr);
      if (openness != Openness::None && !isOfPlan)
        return makeError(ErrorCode::BadInput, "tune: the launch of @",
                         launch.getKernel().str(),
                         " leaves sizes open; expected static ones, such as "
                         "tensor<1024x768xbf16>");
      if (openness == Openness::OfOthers)
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
