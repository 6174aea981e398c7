// The error of a KV cache that does not fit into memory.
#ifndef TILEGPT_RUNTIME_ENGINE_CACHEERROR_H
#define TILEGPT_RUNTIME_ENGINE_CACHEERROR_H

#include "TileGPT/Runtime/Error.h"
#include <utility>

namespace tilegpt::runtime {

/// Adds to an allocation error what makes the cache smaller.
inline Error cacheError(Error allocation) {
  allocation.message += "; a smaller --ctx-size takes less";
  return allocation;
}

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_CACHEERROR_H
