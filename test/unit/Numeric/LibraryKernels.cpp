#include "LibraryKernels.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "TileGPT/Pipelines/Registration.h"
#include "llvm/Support/ErrorHandling.h"

namespace tilegpt::numeric {

LibraryKernels &LibraryKernels::get() {
  static LibraryKernels library;
  return library;
}

LibraryKernels::LibraryKernels()
    : owned(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  owned.appendDialectRegistry(registry);
  auto files = tile::readKernelLibrary("", mlir::UnknownLoc::get(&owned));
  if (succeeded(files))
    kernels = tile::parseKernelLibrary(*files, &owned);
  if (!kernels)
    llvm::report_fatal_error("the library does not parse");
}

} // namespace tilegpt::numeric
