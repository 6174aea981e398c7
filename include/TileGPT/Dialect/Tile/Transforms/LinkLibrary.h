// Links kernels of the library into a module.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_LINKLIBRARY_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_LINKLIBRARY_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::tile {

/// Unit attribute of library kernels: user kernels that implement the same op
/// are preferred.
inline constexpr llvm::StringLiteral libraryAttr = "tile.library";

/// A file of kernels, as text.
struct KernelFile {
  std::string name; ///< without folder and extension: "linear"
  std::string path; ///< for messages; "" for a file built in
  std::string text;
  bool isBuiltIn = true;
};

/// The built-in library followed by the `.mlir` files of `dir`, which may be
/// empty.
/// \returns failure with an error at `loc` for a directory that cannot be read.
mlir::FailureOr<std::vector<KernelFile>> readKernelLibrary(llvm::StringRef dir,
                                                           mlir::Location loc);

/// Parses the files of a library into one module. A kernel of a file that is
/// not built in replaces the built-in one of the same name; built-in kernels
/// and their replacements are marked with libraryAttr. Parse errors go to the
/// context's diagnostics.
/// \returns null on a parse error, or if two built-in files or two other files
/// define a kernel of the same name.
mlir::OwningOpRef<mlir::ModuleOp>
parseKernelLibrary(llvm::ArrayRef<KernelFile> files,
                   mlir::MLIRContext *context);

/// Copies kernels of `library` to the end of `module`: those named by launches
/// and, if the module contains ops that kernels implement (a gpt.model), all
/// that implement something. A kernel of the module takes precedence over one
/// of the library of the same name.
/// \returns failure with an error on another symbol that has the name of such a
/// kernel.
mlir::LogicalResult linkLibrary(mlir::ModuleOp module, mlir::ModuleOp library);

} // namespace tilegpt::tile

#endif
