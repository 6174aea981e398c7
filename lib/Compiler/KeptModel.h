// Compiled models in the cache of compiled code.
#ifndef TILEGPT_LIB_COMPILER_KEPTMODEL_H
#define TILEGPT_LIB_COMPILER_KEPTMODEL_H

#include "TileGPT/Compiler/CompileOptions.h"
#include "TileGPT/Compiler/ModelSource.h"
#include "TileGPT/Target/Cache/CodeCache.h"
#include <cstddef>
#include <optional>

namespace tilegpt::compiler {

/// The key of a compiled model: the texts it is made of, all that options say
/// of it, the compiler, and what the code is for. Nothing for a model that is
/// not to be kept.
/// \param code  identifies the processor, or the GPU and its assembler.
std::optional<target::CacheKey> modelKey(const ModelSource &source,
                                         const CompileOptions &options,
                                         const std::string &code);

/// The model under a key, if its steps fit into its cache: where they do not,
/// the key does not say which plans it has.
/// \returns what options.checkWeights has against its weights.
runtime::Result<std::optional<std::vector<std::byte>>>
loadModel(const target::CodeCache &cache, const target::CacheKey &key,
          const CompileOptions &options);

} // namespace tilegpt::compiler

#endif
