// Which instruction computes a `tile.dot`, and how its accumulator is spread
// over the threads for it. Layouts decide here once; everything behind reads
// them off the accumulator.
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

/// Of a dot in a loop without a producer that warp groups compute.
inline constexpr llvm::StringLiteral wgmmaName = "tile_gpu.wgmma";

/// Length of the sums of a dot.
inline int64_t depthOf(tile::DotOp dot) {
  mlir::RankedTensorType lhs = dot.getLhs().getType();
  return lhs.getDimSize(lhs.getRank() - (dot.getTransposeA() ? 2 : 1));
}

/// Whether tensor cores multiply numbers of these types as they are, and sum up
/// as `precision` asks: f32 only where it may be rounded to tf32, f8 types only
/// where sums may lose digits. Both i8 are summed up in i32.
bool suitTensorCores(mlir::Type lhs, mlir::Type rhs, tile::Precision precision);

/// What the columns of a `wgmma` are a multiple of, where there are so many:
/// 8, of integers 16 above 32.
int64_t columnStepOf(mlir::Type element, int64_t columns);

/// Products that the f8 instructions of tensor cores may sum up before an
/// addition in f32, `precision(fast)` allowing it.
inline constexpr int64_t mostFastTerms = 128;

/// Operands of `mma.sync`.
struct MmaOperands {
  mlir::Type lhs, rhs; ///< in shared memory
  int64_t depth;       ///< what K must be a multiple of
};

/// The types in which `mma.sync` multiplies the operands of a dot, or nothing
/// where it cannot: bf16·bf16 and f16·f16; with precision(tf32) f32; 8-bit
/// integers and f8 types that are contiguous along K. Other f8 operands are
/// widened, to the type of the other operand or, both being f8, to f16.
std::optional<MmaOperands> mmaOperands(tile::DotOp dot);

/// Whether `mma.sync` can compute a dot of known sizes: operands as
/// `mmaOperands` says, whole steps of the sum and eight columns. Rows up to the
/// 16 of an instruction are padding.
bool suitsMmaSync(tile::DotOp dot);

/// The instruction that computes a dot of known sizes.
///
/// `mma.sync` computes what suits it. `wgmma` computes the dots of main loops
/// (`tile_gpu.mainloop`), and those that the plan has marked with `wgmmaName`.
/// Every other dot multiplies and adds in the type of the accumulator: f32 in
/// IEEE, f64, wider integers, and operands of different types, which no matrix
/// instruction multiplies exactly.
DotKind chooseDot(tile::DotOp dot, PlanAttr plan);

/// The layout in which an instruction leaves its result on `warps` warps.
///
/// Warps are spread over rows and columns so that each has the fewest elements
/// to compute, then the fewest operands to read; the batch of a rank-3 tile
/// comes first. What warps are left over hold copies.
/// \param acc  [M, N] or [B, M, N], any sizes: padding fills up what the
///             instruction does not divide.
LayoutAttr accumulatorLayout(DotKind kind, mlir::RankedTensorType acc,
                             int64_t warps);

/// The layout of a dot's accumulator. A matrix product whose rows are reduced,
/// or whose lhs comes from another product (attention has both), gets whole
/// rows in a warp, as far as there are rows: then neither the reductions nor
/// the second product need other warps.
LayoutAttr accumulatorLayout(tile::DotOp dot, PlanAttr plan);

/// The layout of a left operand [M, K] that `wgmma` reads from registers: of
/// 16-bit elements as that of an accumulator, of f32 (tf32) a lane has columns
/// c and c + 4 of each 8.
LayoutAttr leftOperandLayout(mlir::RankedTensorType lhs, int64_t warps);

/// Whether the registers and lanes of a layout are the accumulator fragments of
/// `mma.sync` m16n8: registers 0 to 3 of lane l are (l/4, 2(l mod 4) + {0, 1})
/// and the same eight rows below, all further registers other fragments.
bool isMmaFragment(LayoutAttr layout, int64_t rank);

/// Whether lhs is, where its registers are, what `mma.sync` takes: [M, K] of
/// 2-byte elements, K a multiple of 16, in fragments of an accumulator, all of
/// K in each warp and the rows in the warps where the accumulator `acc` has
/// them.
bool isMmaLhs(mlir::RankedTensorType lhs, LayoutAttr acc);

} // namespace tilegpt::tilegpu

#endif
