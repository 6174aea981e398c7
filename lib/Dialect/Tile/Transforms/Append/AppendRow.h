// A launch that appends a row to a tensor, and one that reads its rows, as one.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_APPENDROW_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_APPENDROW_H

#include "Append/MergeTexts.h"

namespace tilegpt::tile {

/// Writes one text for two launches, the first of which appends a row: the loop
/// over the rows in front of the new one, its body once more on the new row's
/// tile, which is still there, and then the stores.
/// \returns an error that says why the launches cannot be one.
llvm::Expected<MergedText> mergeAppend(LaunchOp producer, LaunchOp consumer,
                                       KernelOp producerText,
                                       KernelOp consumerText);

} // namespace tilegpt::tile

#endif
