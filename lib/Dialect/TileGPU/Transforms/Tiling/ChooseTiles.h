// The rules by which tiles are chosen for a launch, one for each kind of
// kernel. Each returns whether the kernel is of its kind; what the launch says
// already is kept.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_CHOOSETILES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_CHOOSETILES_H

#include "Tiling/OpenLaunch.h"

namespace tilegpt::tilegpu {

/// Products of two loaded tiles, by steps along the depth.
bool chooseProductTiles(OpenLaunch &launch);

/// Products of a loaded tile and one that is computed of loaded tiles, by steps
/// along the depth.
bool chooseComputedTiles(OpenLaunch &launch);

/// Products of two loaded tiles of all of the depth: of few rows.
bool chooseFewRows(OpenLaunch &launch);

/// Products of what is computed with loaded columns, all of their depth.
bool chooseColumns(OpenLaunch &launch);

/// Products of one loaded left operand with several right ones, by steps along
/// the depth.
bool chooseSharedLeft(OpenLaunch &launch);

/// Kernels with a loop that a producer can feed (see Mainloop.h), as attention
/// has; where the target, the types and the depth suit a producer and the
/// launch leaves the tiles open.
bool chooseWindowTiles(OpenLaunch &launch);

/// Loops over the rows of a window, which the blocks of a cluster can share out
/// (see ShareRows.cpp), as decode attention's keys.
bool chooseParts(OpenLaunch &launch);

/// Products whose left operand is a tile of a window, as in attention.
bool chooseWindowRows(OpenLaunch &launch);

/// Loops over the rows of windows whose products have few rows by themselves,
/// as decode attention's where queries share keys.
bool chooseStreamRows(OpenLaunch &launch);

/// Kernels that work on whole rows.
bool chooseWholeRows(OpenLaunch &launch);

/// Kernels without a dot that load tiles of free sizes: the sizes of the least
/// time, of memory and of latency.
bool chooseMemoryTiles(OpenLaunch &launch);

/// Where the tiles that a launch has by now need more shared memory than a
/// block has, takes the candidates that are nearest to them and do not.
void fitTiles(OpenLaunch &launch);

} // namespace tilegpt::tilegpu

#endif
