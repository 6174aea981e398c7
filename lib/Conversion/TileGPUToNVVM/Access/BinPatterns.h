// Atomic updates of few integers, accumulated per block in shared memory.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_BINPATTERNS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_BINPATTERNS_H

#include "Thread/ThreadPatterns.h"

namespace tilegpt::tilegpu {

/// Lowers tile.atomic_rmw with bins (`binsName`), before the patterns for all
/// others.
void populateBinPatterns(const ThreadTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
