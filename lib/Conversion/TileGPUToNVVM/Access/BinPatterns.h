// Updates of few integers, which a block brings together before memory gets
// them.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_BINPATTERNS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_BINPATTERNS_H

#include "Thread/ThreadPatterns.h"

namespace tilegpt::tilegpu {

/// tile.atomic_rmw that has bins (`binsName`), ahead of the patterns for
/// all others.
void populateBinPatterns(const ThreadTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
