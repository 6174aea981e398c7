// Names of attributes by which passes tell each other about plans, launches,
// kernels and loads.
#ifndef TILEGPT_DIALECT_TILE_IR_KERNELATTRIBUTES_H
#define TILEGPT_DIALECT_TILE_IR_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilegpt::tile {

/// Attribute of a function that is a plan: array<i64: lo, hi>, the range of N.
/// No size in it that is not static is greater than hi.
inline constexpr llvm::StringLiteral rowsAttr = "tile.rows";

/// Unit attribute of an argument of a function whose tensor is written while
/// the function may already run: by a launch outside of it.
inline constexpr llvm::StringLiteral transientAttr = "tile.transient";

/// Attribute of a kernel: the numbers of the arguments in which every launch
/// finds what was there when its step began.
inline constexpr llvm::StringLiteral launchInvariantAttr =
    "tile.launch_invariant";

/// Attribute of a kernel: no size of its launches that is not static is
/// greater.
inline constexpr llvm::StringLiteral mostRowsAttr = "tile.most_rows";

/// Word attribute of a kernel, "all_reduce" or "all_gather": where several
/// ranks run a model, the runtime does what the word says to the kernel's
/// argument in its place. The kernel itself is what one rank alone does. Or
/// "peer_all_reduce" or "peer_all_gather": with the kernel the runtime may do
/// so.
inline constexpr llvm::StringLiteral collectiveAttr = "tile.collective";

/// Attribute of a raw kernel: the views that its launch makes, which are the
/// last arguments (LaunchView.h).
inline constexpr llvm::StringLiteral launchViewsAttr = "tile.launch_views";

/// String attribute of a raw kernel: the kernel of which it is a version, for
/// launches on which `tile.assumed_arguments` holds.
inline constexpr llvm::StringLiteral versionOfAttr = "tile.version_of";

/// Attribute of a raw kernel, array<i64>: a class for each argument. Pointers
/// of different classes never lead to the same memory where the order of their
/// accesses counts. Where there is none, that holds for pointers of which no
/// more than one is written.
inline constexpr llvm::StringLiteral aliasClassesAttr = "tile.alias_classes";

/// Unit attribute of a load: nothing that the kernel writes or waits for comes
/// before it, so that it may be issued as early as its place is known.
inline constexpr llvm::StringLiteral settledAttr = "tile.settled";

/// Attribute of a kernel with debug information, an `#llvm.di_subprogram`: the
/// code for a GPU has a line table then.
inline constexpr llvm::StringLiteral debugScopeAttr = "tile.debug_scope";

/// Integer attribute of a launch: launches that differ in it have instances of
/// their own, though their sizes and types agree.
inline constexpr llvm::StringLiteral apartAttr = "tile.apart";

/// Attribute of a launch, and of the instance that is made for it: a dictionary
/// of integers that replace those of the same name in the plan that a GPU would
/// make for the kernel ("parts", "raster", …), where they fit.
inline constexpr llvm::StringLiteral wantedPlanAttr = "tile.wanted_plan";

/// Unit attribute of a launch: it stays a launch of its own, whatever could be
/// fused with it.
inline constexpr llvm::StringLiteral keepAttr = "tile.keep";

/// Attribute of a launch: where in the model it stands, e.g. "h.3.attn.c_attn";
/// for traces and errors.
inline constexpr llvm::StringLiteral labelAttr = "tile.label";

} // namespace tilegpt::tile

#endif
