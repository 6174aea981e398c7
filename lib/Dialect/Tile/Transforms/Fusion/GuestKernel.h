// Kernels that can run tile by tile inside another: how their axes follow the
// tiles of one argument, and their bodies on other tiles.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_GUESTKERNEL_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_GUESTKERNEL_H

#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tile {

/// How a guest uses an axis of the argument it shares with its host.
struct GuestAxis {
  mlir::Attribute size;  ///< of the guest's own tiles
  int64_t gridAxis = -1; ///< of the block id that counts them; -1: one tile
  /// Why a tile must span the axis: "reduces"; empty if it may have a part.
  llvm::StringRef wholeFor;
};

/// A kernel seen from the tiles of an argument that it either loads or stores.
/// Its accesses to other arguments follow: the same block ids count their
/// tiles.
struct GuestRoles {
  llvm::SmallVector<GuestAxis> axes; ///< by axis of the argument
  /// The axis of the argument that a class of tile axes follows.
  llvm::DenseMap<unsigned, int64_t> axisOfClass;

  std::optional<int64_t> find(const AxisClasses &classes, mlir::Value tile,
                              int64_t axis) const {
    auto it = axisOfClass.find(classes.classOf(tile, axis));
    return it == axisOfClass.end() ? std::nullopt
                                   : std::optional<int64_t>(it->second);
  }
};

/// The roles of the axes of a guest.
/// \param argument  the argument shared with the host
/// \param stores    whether the guest stores it; otherwise it loads it
/// \returns an error that explains why the kernel cannot work on other tiles,
///         as the end of a sentence: "@softmax …".
llvm::Expected<GuestRoles> findGuestRoles(const TileFootprint &guest,
                                          unsigned argument, bool stores);

/// An axis of the host's tile for a guest to work on.
struct HostAxis {
  mlir::Value index;
  mlir::Attribute size;
  int64_t dim; ///< of the type of the tile
};

/// Whether to fold the conversion of a value to the type it was converted from,
/// which drops the rounding of the intermediate tensor.
enum class Rounding { Drop, Keep };

/// Converts `tile` to the element type `element`. Undoes a conversion from that
/// type, unless rounding is kept.
mlir::Value convertTile(mlir::OpBuilder &builder, mlir::Value tile,
                        mlir::Type element, Rounding rounding);

/// Clones the body of a guest at the builder's insertion point.
/// \param arguments  maps the guest's arguments
/// \param tiles      the host's tiles of arguments that the guest loads; empty
///                  if it stores the shared one
/// \returns the tile of the shared argument that the guest stores, with the
///         element type of its view; null if it loads it
mlir::Value cloneGuest(mlir::OpBuilder &builder, const TileFootprint &guest,
                       const GuestRoles &roles, unsigned argument,
                       llvm::ArrayRef<HostAxis> host,
                       mlir::IRMapping &arguments,
                       const llvm::SmallDenseMap<unsigned, mlir::Value> &tiles,
                       Rounding rounding);

} // namespace tilegpt::tile

#endif
