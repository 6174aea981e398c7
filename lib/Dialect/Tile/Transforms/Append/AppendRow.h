// Fuses a launch that appends a row to a tensor with one that reads its rows.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_APPENDROW_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_APPENDROW_H

#include "Append/MergeTexts.h"

namespace tilegpt::tile {

/// Merges two launches, the first of which appends a row, into one kernel: the
/// loop over the preceding rows, its body peeled for the new row, whose tile is
/// still in registers, and then the stores.
/// \returns an error that explains why the launches cannot be merged.
llvm::Expected<MergedText> mergeAppend(LaunchOp producer, LaunchOp consumer,
                                       KernelOp producerText,
                                       KernelOp consumerText);

} // namespace tilegpt::tile

#endif
