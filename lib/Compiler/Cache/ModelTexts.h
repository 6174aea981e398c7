// The texts a compiled model is made of, found without parsing one.
#ifndef TILEGPT_LIB_COMPILER_CACHE_MODELTEXTS_H
#define TILEGPT_LIB_COMPILER_CACHE_MODELTEXTS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilegpt::compiler {

/// The model's own text, the files beside it that it may be `like`, and the
/// kernels of a folder, each behind its name and size: equal for two models
/// only if all of these are. What is built in is not among them.
/// \param name    of the model's file; empty where there is none.
/// \param kernels folder of kernels; empty for none.
/// \returns nothing if a file cannot be read, or where it takes a parser to say
/// what the model is like.
std::optional<std::string> textsOf(llvm::StringRef name, llvm::StringRef text,
                                   const std::string &kernels);

} // namespace tilegpt::compiler

#endif
