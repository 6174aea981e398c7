// Brings kernels of the library into a module.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_LINKLIBRARY_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_LINKLIBRARY_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::tile {

/// Unit attribute of kernels that came from the library: one of the user's own
/// that implements the same op is preferred to them.
inline constexpr llvm::StringLiteral libraryAttr = "tile.library";

/// A file of kernels, as text.
struct KernelFile {
  std::string name; ///< without folder and extension: "linear"
  std::string path; ///< for messages; "" for a file built in
  std::string text;
  bool isBuiltIn = true;
};

/// The built-in library and behind it the `.mlir` files of `dir`, which may be
/// empty.
/// \returns failure with an error at `loc` for a folder that cannot be read.
mlir::FailureOr<std::vector<KernelFile>> readKernelLibrary(llvm::StringRef dir,
                                                           mlir::Location loc);

/// Parses the files of a library into one module. A kernel of a file that is
/// not built in takes the place of the built-in one of the same name; built-in
/// kernels and those in their place are marked with libraryAttr. Parse errors
/// go to the context's diagnostics.
/// \returns null on a parse error, or when two files that are both built in or
/// both not define a kernel of one name.
mlir::OwningOpRef<mlir::ModuleOp>
parseKernelLibrary(llvm::ArrayRef<KernelFile> files,
                   mlir::MLIRContext *context);

/// Copies kernels of `library` to the end of `module`: those that launches name
/// and, when the module holds ops that kernels implement (it holds a
/// gpt.model), all that implement something. A kernel in the module wins over
/// one of the library of the same name.
/// \returns failure with an error on what else has the name of such a kernel.
mlir::LogicalResult linkLibrary(mlir::ModuleOp module, mlir::ModuleOp library);

} // namespace tilegpt::tile

#endif
