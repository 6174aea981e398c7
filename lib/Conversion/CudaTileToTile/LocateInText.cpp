// Locates ops of bytecode without debug information in the text of the module.
#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "mlir/Transforms/LocationSnapshot.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

void locateInText(mlir::ModuleOp module) {
  auto file = dyn_cast<FileLineColLoc>(module.getLoc());
  SmallVector<Operation *> missing;
  SmallVector<std::pair<Operation *, Location>> located;
  for (Operation &root : *module.getBody())
    if (isa_and_present<CudaTileDialect>(root.getDialect()))
      root.walk([&](Operation *op) {
        if (isa<UnknownLoc>(op->getLoc()))
          missing.push_back(op);
        else
          located.emplace_back(op, op->getLoc());
      });
  if (missing.empty() || !file)
    return;
  llvm::raw_null_ostream nowhere;
  generateLocationsFromIR(nowhere, file.getFilename(), module,
                          OpPrintingFlags());
  for (Operation *op : missing) {
    // Its columns begin at 0.
    auto place = cast<FileLineColLoc>(op->getLoc());
    op->setLoc(FileLineColLoc::get(place.getFilename(), place.getLine(),
                                   place.getColumn() + 1));
  }
  for (auto [op, loc] : located)
    op->setLoc(loc);
}

} // namespace tilegpt::cuda_tile
