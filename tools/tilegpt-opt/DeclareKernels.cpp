// Finds arguments by their names in the source, which the IR does not keep.
#include "DeclareKernels.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "TileGPT/Dialect/Tile/Transforms/EachLaunch.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::opt {

/// The name after the `%` at the source location of an argument; otherwise its
/// index.
static std::string nameOf(BlockArgument argument,
                          const llvm::MemoryBuffer &source) {
  std::string number = std::to_string(argument.getArgNumber());
  auto place = argument.getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place || place.getLine() == 0 ||
      place.getFilename() != source.getBufferIdentifier())
    return number;
  StringRef text = source.getBuffer();
  for (unsigned line = 1; line < place.getLine(); ++line)
    text = text.split('\n').second;
  text = text.substr(place.getColumn() - 1);
  if (!text.consume_front("%"))
    return number;
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
      .str();
}

static SmallVector<std::string> namesOf(tile::KernelOp kernel,
                                        const llvm::MemoryBuffer &source) {
  return llvm::map_to_vector(kernel.getArguments(), [&](BlockArgument one) {
    return nameOf(one, source);
  });
}

static Result<void> declareArgument(tile::KernelOp kernel, unsigned number,
                                    StringRef entry, StringRef shape) {
  MLIRContext *context = kernel.getContext();
  std::string complaint;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (complaint.empty())
      complaint = diagnostic.str();
  });
  auto wrong = [&](const Twine &message) {
    return makeError(ErrorCode::Usage,
                     ("--arg=" + entry + ": " + message).str());
  };
  auto type = dyn_cast_or_null<RankedTensorType>(
      parseType(("tensor<" + shape + ">").str(), context));
  if (!type)
    return wrong("expected sizes and an element type such as 1024x768xbf16, "
                 "found '" +
                 shape + "'");
  complaint.clear();
  if (!isa<tile::ViewType>(kernel.getArguments()[number].getType()))
    return wrong("argument is not a view in '" + kernel.getSymName() +
                 "'; scalars have no shape");
  if (failed(tile::bindArgument(kernel, number, type,
                                [&] { return kernel.emitError(); })))
    return wrong(complaint);
  return {};
}

static Result<void> declareArguments(ArrayRef<tile::KernelOp> kernels,
                                     StringRef entry,
                                     const llvm::MemoryBuffer &source) {
  auto [name, shape] = entry.split('=');
  std::string declared;
  bool isDeclared = false;
  for (tile::KernelOp kernel : kernels) {
    const SmallVector<std::string> names = namesOf(kernel, source);
    const auto *found = llvm::find(names, name.str());
    if (found == names.end()) {
      declared += formatv("{0}@{1} has {2}", declared.empty() ? "" : "; ",
                          kernel.getSymName(), llvm::join(names, ", "));
      continue;
    }
    if (Result<void> done = declareArgument(
            kernel, unsigned(found - names.begin()), entry, shape);
        !done)
      return done;
    isDeclared = true;
  }
  if (isDeclared)
    return {};
  return makeError(ErrorCode::Usage,
                   formatv("--arg={0}: no kernel has an argument '{1}'; {2}",
                           entry, name, declared));
}

/// Whether something in the module launches kernels.
static bool hasLaunches(ModuleOp module) {
  return module->walk([](tile::LaunchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Keeps only the kernel or entry with this name.
static Result<void> keepOne(ArrayRef<Operation *> functions, StringRef name,
                            StringRef file) {
  Operation *kept = nullptr;
  std::string names;
  for (Operation *function : functions) {
    const StringRef found = SymbolTable::getSymbolName(function).getValue();
    if (found == name)
      kept = function;
    names += formatv("{0}@{1}", names.empty() ? "" : ", ", found);
  }
  if (!kept)
    return makeError(ErrorCode::Usage,
                     formatv("--function={0}: '{1}' has no such kernel; it has "
                             "{2}",
                             name, file, names));
  for (Operation *function : functions)
    if (function != kept)
      function->erase();
  return {};
}

Result<void> declareKernels(ModuleOp module, const llvm::MemoryBuffer &source,
                            const Flags &flags) {
  if (flags.bind.empty() && flags.arguments.empty() && flags.function.empty())
    return {};
  // Entries of CUDA Tile IR have neither parameters nor views as arguments.
  const bool binds = !flags.bind.empty() || !flags.arguments.empty();
  SmallVector<Operation *> functions;
  module->walk([&](Operation *op) {
    if (isa<tile::KernelOp>(op) || (!binds && isa<cuda_tile::EntryOp>(op)))
      functions.push_back(op);
  });
  if (functions.empty() || hasLaunches(module))
    return makeError(
        ErrorCode::Usage,
        formatv("--arg, --bind and --function are for kernels that nothing "
                "launches; '{0}' {1}",
                source.getBufferIdentifier(),
                functions.empty() ? "has no kernel" : "launches its kernels"));
  if (!flags.function.empty()) {
    // Lines count all entries.
    cuda_tile::locateInText(module);
    if (Result<void> kept =
            keepOne(functions, flags.function, source.getBufferIdentifier());
        !kept)
      return kept;
  }
  SmallVector<tile::KernelOp> kernels;
  module->walk([&](tile::KernelOp kernel) { kernels.push_back(kernel); });
  // Values are parsed as IR.
  const std::pair<StringRef, ArrayRef<std::string>> values[] = {
      {"--bind", flags.bind}, {"--arg", flags.arguments}};
  for (const auto &[flag, entries] : values)
    for (StringRef entry : entries)
      if (Result<void> checked = compiler::checkSource(entry, flag); !checked)
        return checked;
  for (StringRef entry : flags.bind)
    if (llvm::Error error = tile::bindParameter(module, entry))
      return makeError(ErrorCode::Usage,
                       "--bind=" + llvm::toString(std::move(error)));
  for (StringRef entry : flags.arguments)
    if (Result<void> done = declareArguments(kernels, entry, source); !done)
      return done;
  return {};
}

/// The argument whose size determines a parameter, in the syntax of --arg:
/// "k=?x?x?x64xf32"; empty if there is none.
static std::string exampleOf(tile::KernelOp kernel, tile::ParamAttr param,
                             const llvm::MemoryBuffer &source) {
  auto expr = cast<tile::ExprAttr>(param.getDefaultValue());
  if (!isa<AffineSymbolExpr>(expr.getMap().getResult(0)))
    return "";
  if (auto at = dyn_cast<DenseI64ArrayAttr>(expr.getSources()[0]);
      at && at.size() == 2) {
    auto type = cast<RankedTensorType>(tile::declaredOperands(kernel)[at[0]]);
    std::string shape;
    llvm::raw_string_ostream stream(shape);
    for (auto [axis, size] : llvm::enumerate(type.getShape()))
      if (ShapedType::isStatic(size))
        stream << size << 'x';
      else
        stream << (int64_t(axis) == at[1] ? "64x" : "?x");
    stream << type.getElementType();
    return nameOf(kernel.getArguments()[at[0]], source) + "=" + shape;
  }
  return "";
}

/// Whether a parameter depends on sizes and not only on other parameters.
static bool readsSizes(tile::ParamAttr param) {
  return llvm::any_of(
      cast<tile::ExprAttr>(param.getDefaultValue()).getSources(),
      llvm::IsaPred<DenseI64ArrayAttr>);
}

Result<void> checkSizes(ModuleOp module, const llvm::MemoryBuffer &source) {
  if (hasLaunches(module))
    return {};
  std::vector<std::string> names, binds, shapes;
  bool takesOthers = false; // a size that follows from several
  auto add = [](std::vector<std::string> &list, std::string text) {
    if (!text.empty() && !llvm::is_contained(list, text))
      list.push_back(std::move(text));
  };
  module->walk([&](tile::KernelOp kernel) {
    std::vector<std::string> open;
    for (tile::ParamAttr param : tile::openParameters(kernel)) {
      open.push_back(param.getName().str());
      add(binds, open.back() + "=64");
      std::string example = exampleOf(kernel, param, source);
      takesOthers |= example.empty() && readsSizes(param);
      add(shapes, std::move(example));
    }
    if (!open.empty())
      names.push_back(llvm::join(open, ", ") + " of @" +
                      kernel.getSymName().str());
  });
  if (names.empty())
    return {};
  const std::string alternative = shapes.empty() || takesOthers
                                      ? ""
                                      : " or --arg=" + llvm::join(shapes, ",");
  return makeError(
      ErrorCode::Usage,
      formatv(
          "{0}: expected the size{1} {2}; add --bind={3}{4} with your sizes",
          source.getBufferIdentifier(), binds.size() == 1 ? "" : "s",
          llvm::join(names, " and "), llvm::join(binds, ","), alternative));
}

} // namespace tilegpt::opt
