// Compiles a model in `.mlir` to a bundle in memory.
#ifndef TILEGPT_COMPILER_COMPILEMODEL_H
#define TILEGPT_COMPILER_COMPILEMODEL_H

#include "TileGPT/Compiler/CompileOptions.h"
#include "TileGPT/Compiler/ModelSource.h"
#include <cstddef>

namespace tilegpt::compiler {

/// Compiles a model.
/// \returns the image of a bundle; BadInput for a file that cannot be read or
/// parsed, Usage for an unknown processor or GPU, Failure for what does not
/// compile. The message holds the first
/// diagnostic, with file and line.
runtime::Result<std::vector<std::byte>>
compileModel(const ModelSource &source, const CompileOptions &options);

/// Compiles the model in the file `path` (or "-", standard input).
runtime::Result<std::vector<std::byte>>
compileModel(const std::string &path, const CompileOptions &options);

} // namespace tilegpt::compiler

#endif
