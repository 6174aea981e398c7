// Compiled models in the compilation cache.
#ifndef TILEGPT_LIB_COMPILER_MODEL_KEPTMODEL_H
#define TILEGPT_LIB_COMPILER_MODEL_KEPTMODEL_H

#include "TileGPT/Compiler/CompileOptions.h"
#include "TileGPT/Compiler/ModelSource.h"
#include "TileGPT/Target/Cache/CodeCache.h"
#include <cstddef>
#include <optional>

namespace tilegpt::compiler {

/// The key of a compiled model: its source texts, the options, the compiler and
/// the target. Nothing for a model that must not be cached.
/// \param code  identifies the processor, or the GPU and its assembler.
std::optional<target::CacheKey> modelKey(const ModelSource &source,
                                         const CompileOptions &options,
                                         const std::string &code);

/// The model under a key, if the steps fit its KV cache: otherwise the key does
/// not determine its plans.
/// \returns the error of options.checkWeights for its weights.
runtime::Result<std::optional<std::vector<std::byte>>>
loadModel(const target::CodeCache &cache, const target::CacheKey &key,
          const CompileOptions &options);

} // namespace tilegpt::compiler

#endif
