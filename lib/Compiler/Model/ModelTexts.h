// The source texts of a compiled model, determined without parsing it.
#ifndef TILEGPT_LIB_COMPILER_MODEL_MODELTEXTS_H
#define TILEGPT_LIB_COMPILER_MODEL_MODELTEXTS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilegpt::compiler {

/// The text of the model, the files beside it that it may refer to with `like`,
/// and the kernels of a folder, each preceded by its name and size: equal for
/// two models only if all of these are. Built-in kernels are not included.
/// \param name    of the model's file; empty if there is none.
/// \param kernels folder of kernels; empty for none.
/// \returns nothing if a file cannot be read, or if determining the base of the
/// model requires a parser.
std::optional<std::string> textsOf(llvm::StringRef name, llvm::StringRef text,
                                   const std::string &kernels);

} // namespace tilegpt::compiler

#endif
