// Loops whose loads all feed dots, with arithmetic between the dots, as in
// attention: a structural question on tile kernels, asked by the plan, by the
// choice of instructions and by the pass that splits the roles.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_FEDLOOPS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_FEDLOOPS_H

#include "TileGPT/Dialect/TileGPU/Analysis/WindowLoads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// `s = dot(q, load)` from which the trip goes on: `q` is loaded in front of
/// the loop, for this dot alone.
struct LeadingDot {
  tile::DotOp dot;
  WindowLoad lhs, rhs;
};

/// `acc = dot(p, load, a)` with which the trip ends: only the next trip and
/// what follows the loop read the result. `p` is made in the trip.
struct TrailingDot {
  tile::DotOp dot;
  WindowLoad rhs;
  /// Of the loop's results.
  unsigned number;
};

struct FedLoop {
  mlir::scf::ForOp loop;
  llvm::SmallVector<LeadingDot> leading;
  llvm::SmallVector<TrailingDot> trailing;

  bool contains(tile::DotOp dot);
  /// Bytes of the tiles that a trip loads, and of those that stay.
  int64_t getTripBytes();
  int64_t getStayingBytes();
  /// Rows of every dot's result.
  int64_t getNumRows();
  /// Whether the loop surely runs at least once.
  bool runsAlways();
};

/// Buffers of a tile that stays for the whole loop: the next one comes while
/// the first is in use.
inline constexpr int64_t stagesOfStaying = 2;

/// Of a `tile_gpu.any` in a loop: known to hold in the first trip.
inline constexpr llvm::StringLiteral holdsAtFirstName =
    "tile_gpu.holds_at_first";

/// The fed loop that a loop is. Where it is none, says why in `reason`.
std::optional<FedLoop> matchFedLoop(mlir::scf::ForOp loop,
                                    std::string *reason = nullptr);

/// The only fed loop of a kernel.
std::optional<FedLoop> findFedLoop(tile::KernelOp kernel,
                                   std::string *reason = nullptr);

/// The fed loop of a kernel whose plan has a producer for it.
std::optional<FedLoop> findPlannedFedLoop(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
