// Links kernels of the library into a module: those it launches, and candidates
// for its ops.
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Library/Library.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_LINKLIBRARYPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"

/// Reads the `.mlir` files of a folder, by name.
static FailureOr<std::vector<KernelFile>> readFolder(StringRef dir,
                                                     Location loc) {
  std::vector<KernelFile> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(dir, error), end;
       entry != end && !error; entry.increment(error)) {
    StringRef path = entry->path();
    if (llvm::sys::path::extension(path) != ".mlir")
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
    if (!buffer)
      return emitError(loc)
             << "cannot read '" << path << "': " << buffer.getError().message();
    files.push_back({llvm::sys::path::stem(path).str(), path.str(),
                     (*buffer)->getBuffer().str(), /*isBuiltIn=*/false});
  }
  if (error)
    return emitError(loc) << "cannot read the kernel directory '" << dir
                          << "': " << error.message();
  if (files.empty())
    return emitError(loc) << "the kernel directory '" << dir
                          << "' has no .mlir file";
  llvm::sort(files, [](const KernelFile &lhs, const KernelFile &rhs) {
    return lhs.name < rhs.name;
  });
  return files;
}

FailureOr<std::vector<KernelFile>> readKernelLibrary(StringRef dir,
                                                     Location loc) {
  std::vector<KernelFile> files;
  for (const library::File &file : library::kernels())
    files.push_back({std::string(file.name), "", std::string(file.text)});
  if (dir.empty())
    return files;
  FailureOr<std::vector<KernelFile>> more = readFolder(dir, loc);
  if (failed(more))
    return failure();
  llvm::append_range(files, std::move(*more));
  return files;
}

OwningOpRef<ModuleOp> parseKernelLibrary(ArrayRef<KernelFile> files,
                                         MLIRContext *context) {
  OwningOpRef<ModuleOp> library(ModuleOp::create(UnknownLoc::get(context)));
  SymbolTable names(*library);
  llvm::SmallPtrSet<Operation *, 32> replaceable; // built in
  for (const KernelFile &file : files) {
    std::string path =
        file.path.empty() ? "kernels/" + file.name + ".mlir" : file.path;
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(file.text, path), llvm::SMLoc());
    auto parsed = parseSourceFile<ModuleOp>(sources, ParserConfig(context));
    if (!parsed)
      return {};
    for (KernelOp kernel :
         llvm::make_early_inc_range(parsed->getOps<KernelOp>())) {
      Operation *other = names.lookup(kernel.getSymName());
      const bool replaces = replaceable.erase(other);
      if (other && !replaces) {
        kernel.emitError("a kernel called '")
            << kernel.getSymName()
            << "' is also in another file of the library";
        return {};
      }
      kernel->remove();
      if (file.isBuiltIn || replaces)
        kernel->setAttr(libraryAttr, UnitAttr::get(context));
      Block::iterator place =
          other ? std::next(other->getIterator()) : library->getBody()->end();
      if (other)
        names.erase(other);
      names.insert(kernel, place);
      if (file.isBuiltIn)
        replaceable.insert(kernel);
    }
  }
  return library;
}

/// The symbols of `module` and of the symbol tables directly in it, such as a
/// gpt.model: launches and ops in these can refer to them.
static llvm::StringMap<Operation *> collectSymbols(ModuleOp module) {
  llvm::StringMap<Operation *> symbols;
  auto add = [&](Operation *table) {
    for (Operation &op : table->getRegion(0).getOps())
      if (auto name =
              op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
        symbols[name.getValue()] = &op;
  };
  for (Operation &op : module.getOps())
    if (op.hasTrait<OpTrait::SymbolTable>())
      add(&op);
  add(module);
  return symbols;
}

namespace {
/// What a module can take from a library.
struct NeededKernels {
  llvm::StringSet<> launched;
  bool holdsModel = false; ///< whose ops choose among the kernels

  explicit NeededKernels(ModuleOp module) {
    module.walk([&](Operation *op) {
      if (auto launch = dyn_cast<LaunchOp>(op))
        launched.insert(launch.getKernel());
      holdsModel |= op->hasTrait<OpTrait::SymbolTable>() && op != module;
    });
  }
  bool contains(KernelOp kernel) const {
    return launched.contains(kernel.getSymName()) ||
           (holdsModel && kernel.getImplementsAttr());
  }
};
} // namespace

/// Whether a module needs any kernel that it does not define.
static bool needsLibrary(ModuleOp module) {
  const NeededKernels needed(module);
  if (needed.holdsModel)
    return true;
  return llvm::any_of(needed.launched.keys(), [&](StringRef name) {
    return !module.lookupSymbol<KernelOp>(name);
  });
}

LogicalResult linkLibrary(ModuleOp module, ModuleOp library) {
  llvm::StringMap<Operation *> symbols = collectSymbols(module);
  const NeededKernels needed(module);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  for (KernelOp kernel : library.getOps<KernelOp>()) {
    Operation *other = symbols.lookup(kernel.getSymName());
    if (!needed.contains(kernel) || isa_and_nonnull<KernelOp>(other))
      continue;
    if (other && other->getParentOp() == module)
      return other->emitOpError("has the name of the library's kernel '")
             << kernel.getSymName() << "', which the module needs; rename it";
    builder.clone(*kernel);
  }
  return success();
}

} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

class LinkLibrary
    : public tilegpt::tile::impl::LinkLibraryPassBase<LinkLibrary> {
public:
  using LinkLibraryPassBase::LinkLibraryPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // A folder that was given is checked in any case.
    if (dir.empty() && !needsLibrary(module))
      return;
    FailureOr<std::vector<KernelFile>> files =
        readKernelLibrary(dir, module.getLoc());
    if (failed(files))
      return signalPassFailure();
    OwningOpRef<ModuleOp> library = parseKernelLibrary(*files, &getContext());
    if (!library || failed(linkLibrary(module, *library)))
      signalPassFailure();
  }
};

} // namespace
