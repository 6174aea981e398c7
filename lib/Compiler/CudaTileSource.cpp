// Reads bytecode and disassembled entries of CUDA Tile IR.
#include "CudaTileSource.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Transforms/LocationSnapshot.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tilegpt::compiler {

/// Whether the first op is an entry or a global without the dialect's name.
static bool isBare(StringRef text) {
  text = text.ltrim();
  while (text.starts_with("//"))
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  return text.starts_with("entry @") || text.starts_with("global ");
}

std::optional<std::string> wrapBareEntries(StringRef text) {
  if (!isBare(text))
    return std::nullopt;
  // Locations may follow the last line that ends an entry.
  size_t end = text.rfind("\n}");
  if (end != StringRef::npos)
    end = text.find('\n', end + 1);
  return ("cuda_tile.module @kernels {" + text.take_front(end) + "\n}" +
          text.substr(std::min(end, text.size())))
      .str();
}

static OwningOpRef<ModuleOp> readModule(StringRef bytes, StringRef name,
                                        MLIRContext &context) {
  OwningOpRef<cuda_tile::ModuleOp> program =
      target::cudatile::readBytecode(bytes, name, &context);
  if (!program)
    return {};
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(FileLineColLoc::get(&context, name, 0, 0));
  module->push_back(program.release());
  return module;
}

namespace {
/// The errors of converting a file to the tile dialect, located in the text
/// that tools print for it.
class LocatedErrors {
public:
  LocatedErrors(StringRef bytes, StringRef name) : bytes(bytes), name(name) {}

  /// Reports an error without a location where the conversion finds it.
  LogicalResult report(Diagnostic &diagnostic, MLIRContext &context);

private:
  struct Place {
    unsigned line, column;
  };
  void convert();

  std::string bytes, name;
  /// By message, the last one first; nothing before the first error.
  std::optional<llvm::StringMap<std::vector<Place>>> places;
};
} // namespace

/// Converts the file again, from a module whose locations are those in its
/// text.
void LocatedErrors::convert() {
  places.emplace();
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
    if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      // Columns of locations from IR begin at 0.
      (*places)[diagnostic.str()].push_back(
          {place.getLine(), place.getColumn() + 1});
    return success();
  });
  OwningOpRef<ModuleOp> module = readModule(bytes, name, context);
  if (!module)
    return;
  llvm::raw_null_ostream nowhere;
  generateLocationsFromIR(nowhere, name, *module, OpPrintingFlags());
  if (succeeded(runPhase(*module, Phase::Tile, {})))
    return;
  for (auto &[message, found] : *places)
    std::reverse(found.begin(), found.end());
}

LogicalResult LocatedErrors::report(Diagnostic &diagnostic,
                                    MLIRContext &context) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
      !isa<UnknownLoc>(diagnostic.getLocation()))
    return failure();
  if (!places)
    convert();
  const auto found = places->find(diagnostic.str());
  if (found == places->end() || found->second.empty())
    return failure();
  const Place place = found->second.back();
  found->second.pop_back();
  InFlightDiagnostic located = mlir::emitError(FileLineColLoc::get(
                                   &context, name, place.line, place.column))
                               << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    located.attachNote(note.getLocation()) << note.str();
  return success();
}

OwningOpRef<ModuleOp> readCudaTileBytecode(const llvm::MemoryBuffer &source,
                                           MLIRContext &context) {
  const StringRef bytes = source.getBuffer(),
                  name = source.getBufferIdentifier();
  OwningOpRef<ModuleOp> module = readModule(bytes, name, context);
  if (module)
    context.getDiagEngine().registerHandler(
        [&context, errors = std::make_shared<LocatedErrors>(bytes, name)](
            Diagnostic &diagnostic) {
          return errors->report(diagnostic, context);
        });
  return module;
}

} // namespace tilegpt::compiler
