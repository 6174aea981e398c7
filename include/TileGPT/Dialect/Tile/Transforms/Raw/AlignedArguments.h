// Which arguments of a raw kernel decide how wide its accesses can be.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ALIGNEDARGUMENTS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ALIGNEDARGUMENTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/ArgumentFacts.h"

namespace tilegpt::tile {

/// The facts under which every tile of a raw kernel can be accessed `unit`
/// bytes at a time, one per argument:
/// - pointers through which tiles are loaded or stored are multiples of `unit`;
/// - row strides are multiples of `unit` bytes: strides of views but the last
///   axis's, sizes that are strides of dense views, and factors and terms of
///   the offsets of `load_at` and `store_at`;
/// - strides of the last axis of views are 1;
/// - row lengths are multiples of `unit` bytes: sizes of the last axis of
///   views, and bounds in masks of `load_at` and `store_at`.
/// Facts that the text promises, or that elements of `unit` bytes imply, are
/// left out: those of a kernel that promises everything, or accesses single
/// elements, are all empty.
/// \param unit a power of two up to 16.
/// \param clipsRows whether the target cuts rows of views off at any length.
std::vector<ArgumentFacts> alignedFacts(KernelOp kernel, int64_t unit,
                                        bool clipsRows);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ALIGNEDARGUMENTS_H
