// Thread group sizes of NVIDIA GPUs and the tiles they process.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_THREADGROUPS_H
#define TILEGPT_DIALECT_TILEGPU_IR_THREADGROUPS_H

#include <cstdint>

namespace tilegpt::tilegpu {

/// Lanes of a warp.
inline constexpr int64_t warpLanes = 32;
/// Warps of a warp group, which issues `wgmma`.
inline constexpr int64_t groupWarps = 4;
/// Threads of a warp group.
inline constexpr int64_t groupThreads = groupWarps * warpLanes;
/// Rows of one `wgmma`.
inline constexpr int64_t groupRows = 64;

/// The accumulator fragment of `mma.sync` (PTX ISA, "Matrix Fragments for
/// mma.m16n8k16"), which `wgmma` uses too: two rows of two adjacent elements
/// per lane.
inline constexpr int64_t fragmentRows = 16, fragmentColumns = 8;
/// Bytes along K that both take of each operand: 16 elements of bf16, 8 of
/// tf32, 32 of i8 and of f8 types.
inline constexpr int64_t mmaStepBytes = 32;

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_IR_THREADGROUPS_H
