// Converts the debug information of CUDA Tile IR to LLVM's, from which the line
// table of GPU code is generated.
#include "Entry/EntryFacts.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// File, line and column of a location; those of the callee for inlined code.
static LocationAttr sourceOf(LocationAttr loc) {
  return llvm::TypeSwitch<LocationAttr, LocationAttr>(loc)
      .Case([](DILocAttr scoped) { return scoped.getSourceLoc(); })
      .Case([](CallSiteLoc site) { return sourceOf(site.getCallee()); })
      .Case([](NameLoc name) { return sourceOf(name.getChildLoc()); })
      .Case(
          [](FusedLoc fused) { return sourceOf(fused.getLocations().front()); })
      .Default(loc);
}

/// Whether a line table can hold a file: LLVM requires a name, and ptxas
/// crashes on directories.
static bool isFileName(StringRef name) {
  return !name.empty() && !name.ends_with('/');
}

/// A function's scope for LLVM, with line directives only.
static LLVM::DISubprogramAttr convertSubprogram(DISubprogramAttr scope) {
  MLIRContext *context = scope.getContext();
  auto fileOf = [&](DIFileAttr file) {
    return LLVM::DIFileAttr::get(context, file.getName(), file.getDirectory());
  };
  auto unit = LLVM::DICompileUnitAttr::get(
      DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C,
      fileOf(scope.getCompileUnit().getFile()),
      StringAttr::get(context, "TileGPT"), /*isOptimized=*/true,
      LLVM::DIEmissionKind::DebugDirectivesOnly);
  LLVM::DIFileAttr file = fileOf(scope.getFile());
  return LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)), unit, file,
      scope.getName(), scope.getLinkageName(), file, scope.getLine(),
      scope.getScopeLine() ? scope.getScopeLine() : scope.getLine(),
      LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized,
      LLVM::DISubroutineTypeAttr::get(context, {}), /*retainedNodes=*/{},
      /*annotations=*/{});
}

/// Adds the file to a location in another file than its function.
static LocationAttr withFile(LocationAttr loc, LLVM::DISubprogramAttr scope) {
  auto source = dyn_cast<FileLineColLoc>(loc);
  LLVM::DIFileAttr file = scope.getFile();
  if (!source || source.getFilename() == file.getName())
    return loc;
  MLIRContext *context = loc.getContext();
  if (!isFileName(source.getFilename()))
    return UnknownLoc::get(context);
  return FusedLoc::get({source},
                       LLVM::DILexicalBlockFileAttr::get(
                           context, scope,
                           LLVM::DIFileAttr::get(context, source.getFilename(),
                                                 file.getDirectory()),
                           /*discriminator=*/0),
                       context);
}

void convertLocations(EntryOp entry, tile::KernelOp kernel) {
  auto scoped = dyn_cast<DILocAttr>(LocationAttr(entry.getLoc()));
  auto scope = scoped ? dyn_cast<DISubprogramAttr>(Attribute(scoped.getScope()))
                      : DISubprogramAttr();
  if (!scope)
    return;
  LLVM::DISubprogramAttr converted;
  if (isFileName(scope.getCompileUnit().getFile().getName()) &&
      isFileName(scope.getFile().getName()))
    converted = convertSubprogram(scope);
  auto convert = [&](LocationAttr loc) -> Location {
    LocationAttr source = sourceOf(loc);
    return converted ? withFile(source, converted) : source;
  };
  kernel.walk([&](Operation *op) {
    op->setLoc(convert(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(convert(argument.getLoc()));
  });
  if (converted)
    kernel->setAttr(tile::debugScopeAttr, converted);
}

} // namespace tilegpt::cuda_tile
