// Names of attributes of plans, launches, kernels and loads, for later passes.
#ifndef TILEGPT_DIALECT_TILE_IR_KERNELATTRIBUTES_H
#define TILEGPT_DIALECT_TILE_IR_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilegpt::tile {

/// Attribute of a function that is a plan: array<i64: lo, hi>, the range of N.
/// No dynamic size in it is greater than hi.
inline constexpr llvm::StringLiteral rowsAttr = "tile.rows";

/// Unit attribute of a function argument whose tensor may be written while the
/// function runs: by a launch outside of it.
inline constexpr llvm::StringLiteral transientAttr = "tile.transient";

/// Attribute of a kernel: the indices of the arguments that do not change
/// during a step, in all launches.
inline constexpr llvm::StringLiteral launchInvariantAttr =
    "tile.launch_invariant";

/// Attribute of a kernel: upper bound of all dynamic sizes of its launches.
inline constexpr llvm::StringLiteral mostRowsAttr = "tile.most_rows";

/// Word attribute of a kernel, "all_reduce" or "all_gather": if several ranks
/// run a model, the runtime performs this collective on the kernel's argument
/// instead. The kernel itself is the single-rank version. Or "peer_all_reduce"
/// or "peer_all_gather": the runtime may use the kernel to perform the
/// collective.
inline constexpr llvm::StringLiteral collectiveAttr = "tile.collective";

/// Attribute of a raw kernel: the views that its launch computes, which are its
/// last arguments (LaunchView.h).
inline constexpr llvm::StringLiteral launchViewsAttr = "tile.launch_views";

/// String attribute of a raw kernel: the kernel of which it is a version, for
/// launches on which `tile.assumed_arguments` holds.
inline constexpr llvm::StringLiteral versionOfAttr = "tile.version_of";

/// Attribute of a raw kernel, array<i64>: a class for each argument. Pointers
/// of different classes never alias where the order of their accesses matters.
/// Without it, that holds for pointers of which at most one is written.
inline constexpr llvm::StringLiteral aliasClassesAttr = "tile.alias_classes";

/// Unit attribute of a `tile.data shared`: the memory exists once for all
/// kernels of a program that name it, instead of once for each kernel.
inline constexpr llvm::StringLiteral programAttr = "tile.program";

/// Unit attribute of a load: the kernel neither writes nor waits before it, so
/// it may be issued as soon as its address is known.
inline constexpr llvm::StringLiteral settledAttr = "tile.settled";

/// Attribute of a kernel with debug information, an `#llvm.di_subprogram`: GPU
/// code then has a line table.
inline constexpr llvm::StringLiteral debugScopeAttr = "tile.debug_scope";

/// Integer attribute of a launch: launches that differ in it get separate
/// instances, even if their sizes and types are equal.
inline constexpr llvm::StringLiteral apartAttr = "tile.apart";

/// Attribute of a launch, and of its instance: a dictionary of integers that
/// replace those of the same name in the kernel's default GPU plan ("parts",
/// "raster", …), if valid.
inline constexpr llvm::StringLiteral wantedPlanAttr = "tile.wanted_plan";

/// Unit attribute of a launch: prevents fusion.
inline constexpr llvm::StringLiteral keepAttr = "tile.keep";

/// Attribute of a launch: its position in the model, e.g. "h.3.attn.c_attn",
/// for traces and errors.
inline constexpr llvm::StringLiteral labelAttr = "tile.label";

} // namespace tilegpt::tile

#endif
