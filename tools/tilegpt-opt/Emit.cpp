// Prints the output of the GPU branch.
#include "Emit.h"
#include "Report.h"
#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/AssumeArguments.h"
#include "TileGPT/Pipelines/DeviceModules.h"
#include "TileGPT/Target/NVVM/JoinPtx.h"
#include "TileGPT/Target/NVVM/Ptx.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
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
      .Case("launch", EmitKind::Launch)
      .Default(std::nullopt);
}

static tl::unexpected<Error> failed(const Twine &message) {
  return tl::unexpected(Error{ErrorCode::Failure, message.str()});
}

using AfterPhase = llvm::function_ref<LogicalResult(ModuleOp, Phase)>;

static Result<void> emitLlvmIr(ModuleOp module, const target::GpuTarget &target,
                               bool exact, AfterPhase dump,
                               llvm::raw_ostream &output) {
  PhaseOptions phases;
  phases.gpu = target.name.str();
  phases.exact = exact;
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

/// ptxas, which cubins and reports require.
static Result<target::Ptxas> requirePtxas() {
  llvm::Expected<std::optional<target::Ptxas>> ptxas = target::Ptxas::find();
  if (!ptxas)
    return failed(llvm::toString(ptxas.takeError()));
  if (!*ptxas)
    return failed("--emit: cubins and reports need ptxas, which is neither in "
                  "PATH nor in /usr/local/cuda/bin; set $TILEGPT_PTXAS");
  return std::move(**ptxas);
}

static void warn(const Twine &problem) {
  llvm::errs() << "tilegpt-opt: warning: " << problem << '\n';
}

/// ptxas, if present, which limits the registers of PTX as it does those of
/// cubins. Warns if it cannot.
static std::optional<target::Ptxas> findPtxas(const target::GpuTarget &target) {
  constexpr StringLiteral effect = "; register limits of PTX are estimates";
  llvm::Expected<std::optional<target::Ptxas>> ptxas = target::Ptxas::find();
  if (!ptxas) {
    warn(llvm::toString(ptxas.takeError()) + effect);
    return std::nullopt;
  }
  if (!*ptxas)
    return std::nullopt;
  const std::string empty = llvm::formatv(
      ".version {0}.{1}\n.target {2}\n.address_size 64\n",
      target.ptxVersion / 10, target.ptxVersion % 10, target.name);
  if (auto assembled = (*ptxas)->assemble(empty, target.name); !assembled) {
    llvm::consumeError(assembled.takeError());
    warn("ptxas: " + (*ptxas)->getPath() + " " + (*ptxas)->getVersion() +
         " does not support " + target.name + effect);
    return std::nullopt;
  }
  return std::move(*ptxas);
}

namespace {
/// A version of a kernel, and when a launch may take it.
struct Version {
  std::string name;
  llvm::json::Array conditions;
};
/// Versions by the name of the kernel.
using Versions = std::map<std::string, std::vector<Version>>;
} // namespace

/// What must hold of an argument, as JSON.
static void describeFacts(const tile::ArgumentFacts &known,
                          llvm::json::Object &argument) {
  if (known.value)
    argument["value"] = *known.value;
  else
    argument["div_by"] = known.divisor;
}

static Versions findVersions(ModuleOp module) {
  Versions versions;
  module.walk([&](tile::KernelOp kernel) {
    auto original = kernel->getAttrOfType<StringAttr>(tile::versionOfAttr);
    if (!original)
      return;
    Version version{kernel.getSymName().str(), {}};
    for (auto [number, known] : tile::assumedFacts(kernel)) {
      llvm::json::Object condition{{"argument", number}};
      describeFacts(known, condition);
      version.conditions.push_back(std::move(condition));
    }
    versions[original.str()].push_back(std::move(version));
  });
  return versions;
}

/// The kernels that are no versions of others.
static std::vector<std::string> originals(const GpuKernels &kernels,
                                          const Versions &versions) {
  llvm::StringSet<> derived;
  for (const auto &[name, list] : versions)
    for (const Version &version : list)
      derived.insert(version.name);
  std::vector<std::string> names;
  for (const auto &[name, kernel] : kernels)
    if (!derived.contains(name))
      names.push_back(name);
  return names;
}

/// The name of the only kernel of a file.
static Result<std::string> requireOne(const GpuKernels &kernels,
                                      const Versions &versions,
                                      const Twine &flag) {
  const std::vector<std::string> names = originals(kernels, versions);
  if (names.size() != 1)
    return tl::unexpected(Error{
        ErrorCode::Usage, (flag + ": expected one kernel, found " +
                           llvm::join(names, ", ") + "; --function names one")
                              .str()});
  return names.front();
}

/// The PTX of a kernel and its versions as one module.
static std::string ptxOf(const std::string &name, const GpuKernels &kernels,
                         const Versions &versions) {
  SmallVector<StringRef> modules = {kernels.find(name)->second.ptx};
  if (auto found = versions.find(name); found != versions.end())
    for (const Version &version : found->second)
      modules.push_back(kernels.find(version.name)->second.ptx);
  return target::joinPtx(modules);
}

/// Drops versions that have the code of their kernel.
static void dropShared(GpuKernels &kernels, Versions &versions) {
  for (auto &[name, list] : versions)
    llvm::erase_if(list, [&](const Version &version) {
      const auto found = kernels.find(version.name);
      const bool isShared =
          found->second.symbol == kernels.find(name)->second.symbol;
      if (isShared)
        kernels.erase(found);
      return isShared;
    });
  std::erase_if(versions,
                [](const auto &entry) { return entry.second.empty(); });
}

static void write(const target::Cubin &cubin, llvm::raw_ostream &output) {
  output.write(reinterpret_cast<const char *>(cubin.data()), cubin.size());
}

static Result<void> printCubin(const GpuKernels &kernels,
                               const Versions &versions,
                               const target::Ptxas &ptxas,
                               StringRef architecture,
                               llvm::raw_ostream &output) {
  Result<std::string> name = requireOne(kernels, versions, "--emit=cubin");
  if (!name)
    return tl::unexpected(name.error());
  target::Cubin cubin = kernels.find(*name)->second.cubin;
  if (versions.contains(*name)) {
    auto joined = ptxas.assemble(ptxOf(*name, kernels, versions), architecture);
    if (!joined)
      return failed(llvm::toString(joined.takeError()));
    cubin = std::move(joined->cubin);
  }
  write(cubin, output);
  return {};
}

/// Compiles a kernel and its versions and assembles them once, together.
/// \returns nothing if that fails, or if ptxas reports problems, which other
/// plans may solve: that takes a report for each.
static std::optional<target::Cubin>
assembleOnce(ModuleOp module, compiler::GpuCompilation options,
             Versions versions) {
  const target::Ptxas &ptxas = *options.ptxas;
  options.ptxas = nullptr;
  OwningOpRef<ModuleOp> copy = module.clone();
  FailureOr<GpuKernels> kernels = compiler::compileGpuKernels(*copy, options);
  if (mlir::failed(kernels))
    return std::nullopt;
  dropShared(*kernels, versions);
  const std::vector<std::string> names = originals(*kernels, versions);
  if (names.size() != 1)
    return std::nullopt;
  auto assembled = ptxas.assemble(ptxOf(names.front(), *kernels, versions),
                                  options.target.name);
  if (!assembled) {
    llvm::consumeError(assembled.takeError());
    return std::nullopt;
  }
  if (!target::performanceProblems(assembled->report).empty())
    return std::nullopt;
  return std::move(assembled->cubin);
}

static StringRef nameOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return "add";
  case AffineExprKind::Mul:
    return "mul";
  case AffineExprKind::CeilDiv:
    return "ceildiv";
  case AffineExprKind::FloorDiv:
    return "floordiv";
  case AffineExprKind::Mod:
    return "mod";
  default:
    llvm_unreachable("not an operation");
  }
}

/// Kind, type and rank of each argument of each kernel, as JSON.
static std::map<std::string, llvm::json::Array>
describeArguments(ModuleOp module) {
  std::map<std::string, llvm::json::Array> arguments;
  module.walk([&](tile::KernelOp kernel) {
    llvm::json::Array &list = arguments[kernel.getSymName().str()];
    for (BlockArgument argument : kernel.getArguments()) {
      auto view = dyn_cast<tile::ViewType>(argument.getType());
      std::string type;
      llvm::raw_string_ostream(type)
          << (view ? view.getElementType() : argument.getType());
      list.push_back(llvm::json::Object{{"kind", view ? "view" : "scalar"},
                                        {"type", type},
                                        {"rank", view ? view.getRank() : 0}});
    }
    for (auto [number, known] : tile::assumedFacts(kernel))
      describeFacts(known, *list[number].getAsObject());
  });
  return arguments;
}

/// The blocks along each axis of the grid of each kernel that determines them,
/// as lists in postfix order: numbers, parameters (`"p3"`), sizes of their axes
/// (`"p0[1]"`) and operations.
static std::map<std::string, llvm::json::Array> describeGrids(ModuleOp module) {
  std::map<std::string, llvm::json::Array> grids;
  module.walk([&](tile::KernelOp kernel) {
    llvm::json::Array &axes = grids[kernel.getSymName().str()];
    for (auto expr : kernel.getGrid().getAsRange<tile::ExprAttr>()) {
      llvm::json::Array word;
      auto add = [&](AffineExpr node) {
        if (auto constant = dyn_cast<AffineConstantExpr>(node))
          return word.push_back(constant.getValue());
        if (auto symbol = dyn_cast<AffineSymbolExpr>(node)) {
          ArrayRef<int64_t> source =
              cast<DenseI64ArrayAttr>(expr.getSources()[symbol.getPosition()]);
          std::string name = "p" + std::to_string(source[0]);
          return word.push_back(source.size() == 1
                                    ? name
                                    : name + "[" + std::to_string(source[1]) +
                                          "]");
        }
        word.push_back(nameOf(node.getKind()));
      };
      // Operands before operations.
      expr.getMap().getResult(0).walk(add);
      axes.push_back(std::move(word));
    }
  });
  return grids;
}

/// The words of a view as lists in postfix order: numbers, names of parameters
/// (`"p3"`) and operations.
static llvm::json::Object describeView(const bundle::LaunchView &view,
                                       const target::GpuKernel &kernel) {
  static constexpr StringLiteral operations[] = {
      "",        "",         "",    "add", "sub", "mul",
      "ceildiv", "floordiv", "mod", "min", "max"};
  llvm::json::Array words;
  for (const bundle::Range &range :
       llvm::ArrayRef(view.words).take_front(2 * size_t(view.rank))) {
    llvm::json::Array word;
    for (const bundle::Expression &node :
         llvm::ArrayRef(kernel.launchWords).slice(range.first, range.count))
      if (node.op == bundle::ExpressionOp::Constant)
        word.push_back(node.value);
      else if (node.op == bundle::ExpressionOp::Scalar)
        word.push_back("p" + std::to_string(node.argument));
      else
        word.push_back(operations[size_t(node.op)]);
    words.push_back(std::move(word));
  }
  return llvm::json::Object{{"pointer", view.pointer},
                            {"words", std::move(words)}};
}

/// How an entry of an image is launched.
static llvm::json::Object describeEntry(const target::GpuKernel &kernel) {
  llvm::json::Array maps;
  for (const bundle::TensorMap &map : kernel.tensorMaps) {
    llvm::json::Array box;
    for (unsigned axis = 0; axis < map.rank; ++axis)
      box.push_back(map.box[axis]);
    // Both count 0, 32, 64, 128 and 0, 64, 128, 256 bytes.
    auto bytes = [](unsigned step, unsigned first) {
      return step == 0 ? 0 : int64_t(first) << (step - 1);
    };
    maps.push_back(llvm::json::Object{
        {"argument", map.argument},
        {"type", std::string(bundle::name(map.type))},
        {"box", std::move(box)},
        {"swizzle", bytes(unsigned(map.swizzle), 32)},
        {"l2_promotion", bytes(unsigned(map.l2Promotion), 64)}});
  }
  llvm::json::Array views;
  for (const bundle::LaunchView &view : kernel.launchViews)
    views.push_back(describeView(view, kernel));
  const bundle::DeviceKernel &launch = kernel.launch;
  return llvm::json::Object{
      {"symbol", kernel.symbol},
      {"threads", launch.threads},
      {"shared_bytes", launch.sharedBytes},
      {"registers", launch.registers},
      {"cluster", std::max<int64_t>(1, launch.clusterSize)},
      {"persistent", launch.has(bundle::DeviceFlag::Persistent)},
      {"blocks_per_multiprocessor", launch.blocksPerMultiprocessor},
      {"dependent_launch",
       launch.has(bundle::DeviceFlag::ProgrammaticDependentLaunch)},
      {"launch_views", std::move(views)},
      {"tensor_maps", std::move(maps)}};
}

static Result<void>
printLaunch(const GpuKernels &kernels, Versions versions,
            std::map<std::string, llvm::json::Array> arguments,
            std::map<std::string, llvm::json::Array> grids,
            llvm::raw_ostream &output) {
  Result<std::string> name = requireOne(kernels, versions, "--emit=launch");
  if (!name)
    return tl::unexpected(name.error());
  llvm::json::Object launch = describeEntry(kernels.find(*name)->second);
  launch["parameters"] = std::move(arguments[*name]);
  if (llvm::json::Array &grid = grids[*name]; !grid.empty())
    launch["grid"] = std::move(grid);
  llvm::json::Array described;
  for (Version &version : versions[*name]) {
    llvm::json::Object entry =
        describeEntry(kernels.find(version.name)->second);
    entry["when"] = std::move(version.conditions);
    described.push_back(std::move(entry));
  }
  if (!described.empty())
    launch["versions"] = std::move(described);
  output << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(launch)));
  return {};
}

Result<void> emitCode(ModuleOp module, EmitKind kind,
                      const target::GpuTarget &target, bool exact,
                      AfterPhase dump, const RemarkCollector *remarks,
                      llvm::raw_ostream &output) {
  if (kind == EmitKind::LlvmIr)
    return emitLlvmIr(module, target, exact, dump, output);
  compiler::GpuCompilation options(target);
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.exact = exact;
  options.afterPhase = dump;
  // A report includes it.
  if (kind != EmitKind::Report)
    options.warn = [](const std::string &problem) { warn(problem); };
  std::optional<target::Ptxas> ptxas;
  if (kind == EmitKind::Ptx) {
    ptxas = findPtxas(target);
  } else {
    Result<target::Ptxas> found = requirePtxas();
    if (!found)
      return tl::unexpected(found.error());
    ptxas.emplace(std::move(*found));
  }
  options.ptxas = ptxas ? &*ptxas : nullptr;
  // Compilation replaces the kernels.
  std::map<std::string, llvm::json::Array> arguments, grids;
  if (kind == EmitKind::Launch) {
    arguments = describeArguments(module);
    grids = describeGrids(module);
  }
  Versions versions = findVersions(module);
  options.sharesVersions = true;
  if (kind == EmitKind::Cubin && !versions.empty())
    if (auto cubin = assembleOnce(module, options, versions)) {
      write(*cubin, output);
      return {};
    }
  FailureOr<GpuKernels> kernels = compiler::compileGpuKernels(module, options);
  if (mlir::failed(kernels))
    return failed("compilation failed");
  dropShared(*kernels, versions);
  if (kind == EmitKind::Cubin)
    return printCubin(*kernels, versions, *ptxas, target.name, output);
  if (kind == EmitKind::Launch)
    return printLaunch(*kernels, std::move(versions), std::move(arguments),
                       std::move(grids), output);
  if (kind == EmitKind::Ptx) {
    for (const std::string &name : originals(*kernels, versions))
      output << ptxOf(name, *kernels, versions);
    return {};
  }
  for (const auto &[name, kernel] : *kernels)
    printReport(kernel, remarks->of(name), output);
  return {};
}

} // namespace tilegpt::opt
