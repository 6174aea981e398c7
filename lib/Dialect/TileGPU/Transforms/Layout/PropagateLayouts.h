// Propagates assigned layouts through the ops of a kernel.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_PROPAGATELAYOUTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_PROPAGATELAYOUTS_H

#include "Layout/AssignedLayouts.h"
#include "Layout/MemoryAnchors.h"

namespace tilegpt::tilegpu {

/// Propagates layouts to undecided classes until nothing changes.
void propagateLayouts(tile::KernelOp kernel, AssignedLayouts &layouts,
                      const MemoryAnchors &anchors);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_PROPAGATELAYOUTS_H
