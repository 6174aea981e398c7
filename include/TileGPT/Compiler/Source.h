// Reads untrusted `.mlir` text: enforces limits that protect MLIR's recursive
// parser and printer.
#ifndef TILEGPT_COMPILER_SOURCE_H
#define TILEGPT_COMPILER_SOURCE_H

#include "TileGPT/Runtime/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <memory>

namespace tilegpt::compiler {

/// Bytes a source file may have.
inline constexpr size_t maxSourceBytes = size_t(64) << 20;
/// Levels of ( [ { < a source may nest.
inline constexpr unsigned maxSourceNesting = 512;
/// Axes of a shape in a source.
inline constexpr unsigned maxSourceRank = 64;
/// Digits of a decimal number in a source; reading one takes time quadratic in
/// them.
inline constexpr unsigned maxSourceDigits = 4096;
/// Bytes an object of a file's resources may be aligned to.
inline constexpr unsigned maxResourceAlignment = 4096;
/// Bytes of stack that runOnLargeStack() gives: the parser, the verifier and
/// the printers recurse once a level.
inline constexpr unsigned largeStackBytes = 256u << 20;

/// Aliases count as expanded: a few lines of them can spell a type that nothing
/// could print.
/// \returns BadInput if `text`, called `name` in the message, exceeds a limit.
runtime::Result<void> checkSource(llvm::StringRef text, llvm::StringRef name);

/// A copy of a program in memory, called `name`, after checkSource(). Bytecode
/// of CUDA Tile IR, recognized by its magic number, has only its size checked:
/// its reader has its own limits.
/// \returns BadInput naming the program and the reason.
runtime::Result<std::unique_ptr<llvm::MemoryBuffer>>
makeSource(llvm::StringRef bytes, llvm::StringRef name);

/// The same for a file, or standard input for "-".
runtime::Result<std::unique_ptr<llvm::MemoryBuffer>>
readSource(llvm::StringRef path);

/// A source that MLIR's own parser reads: bytecode of CUDA Tile IR becomes
/// bytecode of MLIR, others are unchanged.
/// \returns BadInput with the error in the bytecode.
runtime::Result<std::unique_ptr<llvm::MemoryBuffer>>
toMlirSource(std::unique_ptr<llvm::MemoryBuffer> source);

/// Calls `work` on a thread with a large stack and waits for it.
/// \returns Device when there is no room for the stack; `work` was not called.
runtime::Result<void> runOnLargeStack(llvm::function_ref<void()> work);

/// Parses and verifies a checked source; must run on a large stack. Diagnostics
/// go to the context's handlers; null on failure.
mlir::OwningOpRef<mlir::ModuleOp> parseSource(const llvm::MemoryBuffer &source,
                                              mlir::MLIRContext &context);

/// The same; entries of CUDA Tile IR become kernels of the tile dialect.
mlir::OwningOpRef<mlir::ModuleOp> parseKernels(const llvm::MemoryBuffer &source,
                                               mlir::MLIRContext &context);

/// parseSource() or parseKernels().
using ParseFunction = mlir::OwningOpRef<mlir::ModuleOp> (*)(
    const llvm::MemoryBuffer &source, mlir::MLIRContext &context);

/// Parses a checked source and does something with it, on a large stack, in a
/// context of its own.
/// \returns what `work` returns, with the first diagnostic as the message where
/// that has none; BadInput where the text cannot be parsed.
runtime::Result<void>
withText(const llvm::MemoryBuffer &source, ParseFunction parse,
         mlir::MLIRContext::Threading threading,
         llvm::function_ref<runtime::Result<void>(mlir::ModuleOp)> work);

/// The same for a file.
/// \returns also BadInput where the file cannot be read.
runtime::Result<void>
withSource(llvm::StringRef path, ParseFunction parse,
           mlir::MLIRContext::Threading threading,
           llvm::function_ref<runtime::Result<void>(mlir::ModuleOp)> work);

} // namespace tilegpt::compiler

#endif
