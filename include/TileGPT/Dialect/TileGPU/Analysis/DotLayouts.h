// Which instruction computes a `tile.dot`, and how its accumulator is
// distributed over the threads. Layout assignment decides here once; later
// passes derive both from the accumulator's layout.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_DOTLAYOUTS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_DOTLAYOUTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

enum class DotKind {
  FusedMultiplyAdd, ///< each thread a block of elements, in their own type
  MmaSync,          ///< `mma.sync` of a warp on 16×8 elements
  Wgmma,            ///< `wgmma` of a warp group on 64 rows
};

/// Marks a dot in a loop without a producer that warp groups compute with
/// wgmma.
inline constexpr llvm::StringLiteral wgmmaName = "tile_gpu.wgmma";

/// K of a dot.
inline int64_t depthOf(tile::DotOp dot) {
  mlir::RankedTensorType lhs = dot.getLhs().getType();
  return lhs.getDimSize(lhs.getRank() - (dot.getTransposeA() ? 2 : 1));
}

/// Whether tensor cores support these operand types with the accumulation that
/// `precision` requires: f32 only if it may be rounded to tf32, f8 only if
/// reduced accumulation precision is allowed. i8 accumulates in i32.
bool suitTensorCores(mlir::Type lhs, mlir::Type rhs, tile::Precision precision);

/// The granularity of N in `wgmma`: 8, for integers 16 above 32.
int64_t columnStepOf(mlir::Type element, int64_t columns);

/// Maximum number of products that the f8 instructions accumulate before an
/// addition in f32, with `precision(fast)`.
inline constexpr int64_t mostFastTerms = 128;

/// Operands of `mma.sync`.
struct MmaOperands {
  mlir::Type lhs, rhs; ///< in shared memory
  int64_t depth;       ///< what K must be a multiple of
};

/// The types in which `mma.sync` multiplies the operands of a dot, or nothing
/// if it cannot: bf16·bf16 and f16·f16; with precision(tf32) f32; K-major 8-bit
/// integers and f8 types. Other f8 operands are widened, to the type of the
/// other operand or, if both are f8, to f16.
std::optional<MmaOperands> mmaOperands(tile::DotOp dot);

/// Whether `mma.sync` can compute a dot of static sizes: operands as in
/// `mmaOperands`, K and N multiples of the instruction's. Rows are padded up to
/// the 16 of an instruction.
bool suitsMmaSync(tile::DotOp dot);

/// The instruction that computes a dot of static sizes.
///
/// `mma.sync` computes what it supports. `wgmma` computes the dots of main
/// loops (`tile_gpu.mainloop`), and those that the plan marked with
/// `wgmmaName`. Every other dot uses FMA in the accumulator's type: f32 in
/// IEEE, f64, wider integers, and operands of different types, which no MMA
/// instruction multiplies exactly.
DotKind chooseDot(tile::DotOp dot, PlanAttr plan);

/// The layout in which an instruction leaves its result on `warps` warps.
///
/// Warps are distributed over rows and columns to minimize first the elements
/// per warp, then the operands it reads; the batch of a rank-3 tile comes
/// first. Remaining warps hold copies.
/// \param acc  [M, N] or [B, M, N], any sizes, padded to the instruction's.
LayoutAttr accumulatorLayout(DotKind kind, mlir::RankedTensorType acc,
                             int64_t warps);

/// The layout of a dot's accumulator. If its rows are reduced, or its lhs is
/// the result of another dot (both in attention), each warp gets whole rows, as
/// far as there are enough: then neither the reductions nor the second dot
/// cross warps.
LayoutAttr accumulatorLayout(tile::DotOp dot, PlanAttr plan);

/// The layout of a left operand [M, K] that `wgmma` reads from registers: for
/// 16-bit elements that of an accumulator; for f32 (tf32) a lane holds columns
/// c and c + 4 of each 8.
LayoutAttr leftOperandLayout(mlir::RankedTensorType lhs, int64_t warps);

/// Whether the registers and lanes of a layout are the accumulator fragments of
/// `mma.sync` m16n8: registers 0 to 3 of lane l are (l/4, 2(l mod 4) + {0, 1})
/// and the same eight rows below, all further registers other fragments.
bool isMmaFragment(LayoutAttr layout, int64_t rank);

/// The layout of a matrix in fragments of accumulators, four lanes per row and
/// two elements per lane, with `vector` adjacent elements per lane instead:
/// rows of 16-bit elements then consist of whole sectors. Elements stay in
/// their warps. Null if rows have no such columns.
/// \param vector  4 or 8.
LayoutAttr sectorLayout(LayoutAttr layout, int64_t vector);

/// Whether the registers of lhs are already what `mma.sync` takes: [M, K] of
/// 2-byte elements, K a multiple of 16, in accumulator fragments, with all of K
/// in each warp and the rows in the same warps as in the accumulator `acc`.
bool isMmaLhs(mlir::RankedTensorType lhs, LayoutAttr acc);

} // namespace tilegpt::tilegpu

#endif
