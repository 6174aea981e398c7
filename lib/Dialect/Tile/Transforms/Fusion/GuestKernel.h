// Kernels whose work can be done tile by tile inside another: which of their
// axes follow the tiles of one argument, and their text on other tiles.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_GUESTKERNEL_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_GUESTKERNEL_H

#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tile {

/// What a guest does along an axis of the argument it shares with its host.
struct GuestAxis {
  mlir::Attribute size;  ///< of the guest's own tiles
  int64_t gridAxis = -1; ///< of the block id that numbers them; -1 for one tile
  /// Why a tile must have all of the axis: "reduces"; empty where it may have
  /// a part.
  llvm::StringRef wholeFor;
};

/// A kernel seen from the tiles of one of its arguments, which it either loads
/// or stores. What it does to other arguments follows: the same block ids
/// number their tiles.
struct GuestRoles {
  llvm::SmallVector<GuestAxis> axes; ///< by axis of the argument
  /// The axis of the argument that a class of axes of tiles follows.
  llvm::DenseMap<unsigned, int64_t> axisOfClass;

  std::optional<int64_t> find(const AxisClasses &classes, mlir::Value tile,
                              int64_t axis) const {
    auto it = axisOfClass.find(classes.classOf(tile, axis));
    return it == axisOfClass.end() ? std::nullopt
                                   : std::optional<int64_t>(it->second);
  }
};

/// The roles of the axes of a guest.
/// \param argument  what it shares with the host
/// \param stores    whether the guest stores it; it loads it otherwise
/// \returns an error that says why the kernel cannot work on other tiles,
///          as the end of a sentence: "@softmax …".
llvm::Expected<GuestRoles> findGuestRoles(const TileFootprint &guest,
                                          unsigned argument, bool stores);

/// An axis of the host's tile that a guest is to work on.
struct HostAxis {
  mlir::Value index;
  mlir::Attribute size;
  int64_t dim; ///< of the type of the tile
};

/// Whether a value is converted to the type it came from without a rounding
/// in between: the type of the intermediate tensor leaves no trace.
enum class Rounding { Drop, Keep };

/// `tile`, of the element type `element`. Where it was converted from that
/// type the conversion is undone, unless rounding is kept.
mlir::Value convertTile(mlir::OpBuilder &builder, mlir::Value tile,
                        mlir::Type element, Rounding rounding);

/// Clones the body of a guest in front of the builder's place.
/// \param arguments  what stands for the guest's arguments
/// \param tiles      the host's tiles of arguments that the guest loads; empty
///                   where it stores the shared one
/// \returns the tile of the shared argument that the guest stores, of the
///          element type of its view; null where it loads it
mlir::Value cloneGuest(mlir::OpBuilder &builder, const TileFootprint &guest,
                       const GuestRoles &roles, unsigned argument,
                       llvm::ArrayRef<HostAxis> host,
                       mlir::IRMapping &arguments,
                       const llvm::SmallDenseMap<unsigned, mlir::Value> &tiles,
                       Rounding rounding);

} // namespace tilegpt::tile

#endif
