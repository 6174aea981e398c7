// Rules that choose the tiles of a launch, one per kind of kernel. Each returns
// whether it applies to the kernel, and keeps sizes that the launch already
// sets.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_CHOOSETILES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_CHOOSETILES_H

#include "Tiling/OpenLaunch.h"

namespace tilegpt::tilegpu {

/// Dots of two loaded tiles, in a loop over the depth.
bool chooseProductTiles(OpenLaunch &launch);

/// Dots of a loaded tile and one computed from loaded tiles, in a loop over the
/// depth.
bool chooseComputedTiles(OpenLaunch &launch);

/// Dots of two loaded tiles over the full depth, with few rows.
bool chooseFewRows(OpenLaunch &launch);

/// Dots of an operand computed from loaded columns, over the full depth.
bool chooseColumns(OpenLaunch &launch);

/// Several dots that share a loaded lhs, in a loop over the depth.
bool chooseSharedLeft(OpenLaunch &launch);

/// Kernels with a loop that a producer can feed (see Mainloop.h), such as
/// attention, if target, types and depth suit a producer and the launch leaves
/// the tiles open.
bool chooseWindowTiles(OpenLaunch &launch);

/// Loops over the rows of a window that the blocks of a cluster can share (see
/// ShareRows.cpp), such as the keys in decode attention.
bool chooseParts(OpenLaunch &launch);

/// Dots whose lhs is a tile of a window, as in attention.
bool chooseWindowRows(OpenLaunch &launch);

/// Loops over the rows of windows whose dots have few rows, such as decode
/// attention with grouped queries.
bool chooseStreamRows(OpenLaunch &launch);

/// Kernels that load whole rows.
bool chooseWholeRows(OpenLaunch &launch);

/// Kernels without dots that load tiles with free sizes: picks the sizes of the
/// least estimated time, by bandwidth and latency.
bool chooseMemoryTiles(OpenLaunch &launch);

/// If the chosen tiles exceed a block's shared memory, picks the closest
/// candidates that fit.
void fitTiles(OpenLaunch &launch);

} // namespace tilegpt::tilegpu

#endif
