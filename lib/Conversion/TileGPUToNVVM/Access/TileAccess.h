// One access of a thread to the elements of a tile in global memory: its
// registers in groups that move at once, their addresses, and what must hold
// for them to exist.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_TILEACCESS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_TILEACCESS_H

#include "Thread/ThreadPatterns.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include <map>

namespace tilegpt::tilegpu {

/// The entries of an axis that an index tile names, register by register of the
/// tile that is accessed.
struct IndexedEntries {
  llvm::SmallVector<mlir::Value> index;  ///< as index
  llvm::SmallVector<mlir::Value> exists; ///< i1
};

class TileAccess {
public:
  /// Registers that hold neighbours in memory, in the order of their addresses.
  using Group = ThreadTile::Group;

  /// Emits what all groups share.
  /// \param view     parts of the view.
  /// \param indices  by axis of the tile, in tiles; null for the indexed axis.
  /// \param entries  empty without an index tile.
  TileAccess(mlir::OpBuilder &builder, mlir::Location loc,
             const AccessOperands &operands, const AccessFacts &facts,
             const ViewParts &view, mlir::ArrayRef<mlir::Value> indices,
             IndexedEntries entries = {});

  /// All registers that are an element of the tile in some thread. Registers
  /// whose values in `mask` (by register; may be empty) differ stay apart.
  llvm::SmallVector<Group> makeGroups(mlir::ValueRange mask) const;

  /// Reads the elements of a group, or `pad` where its guard does not hold or
  /// not for all of them: see complete().
  /// \param isFixed  the instruction stays where it is: ptxas moves others to
  ///                 their use, across any wait.
  llvm::SmallVector<mlir::Value> load(const Group &group, tile::PadKind pad,
                                      bool isFixed);
  /// Reads those elements of a group that exist where others do not; what
  /// load() has read of it is in `elements`. Apart, so that all loads can be on
  /// their way before the first branch.
  void complete(const Group &group, tile::PadKind pad,
                llvm::SmallVectorImpl<mlir::Value> &elements);
  /// Writes the elements of a group, one value a register.
  /// \param mask  not written where false; may be null.
  void store(const Group &group, mlir::ValueRange elements, mlir::Value mask);

private:
  /// Whether the elements of a group exist in tile and view, as i1; null when
  /// they always do.
  /// \param more  conditions; null ones hold always.
  mlir::Value makeGuard(const Group &group,
                        mlir::ArrayRef<mlir::Value> more = {});
  /// Whether some elements of a group may exist while others do not.
  bool mayBeCut(const Group &group) const;
  /// Whether the first element of a group that may be cut exists and the last
  /// does not, as i1.
  mlir::Value isCut(const Group &group);
  /// Of each element by itself.
  llvm::SmallVector<mlir::Value> guardsOf(const Group &group);
  /// The address of the first element of a group is `pointer` and `distance`
  /// elements.
  struct Address {
    mlir::Value pointer;
    int64_t distance;
  };
  Address makeAddress(const Group &group);
  /// An address that may be read whatever the sizes of the view are: its first
  /// element.
  mlir::Value getSafePointer() const;
  /// One more than the last offset from this thread's base whose element
  /// exists.
  mlir::Value getReach(int64_t axis);
  /// Whether elements at this offset from a thread's base need a condition.
  bool mayBeOutside(int64_t axis, int64_t offset) const;
  /// Moves a pointer by `index` · the stride of an axis of the tile.
  void advance(mlir::Value &pointer, mlir::Value index, int64_t axis);
  mlir::Value makePointer(Address address);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const AccessOperands &operands;
  const AccessFacts &facts;
  const ViewParts &view;
  IndexedEntries entries;
  ThreadTile tile;
  mlir::Type memoryType; ///< of an element in memory
  mlir::Value threadPointer;
  mlir::Value isFirstCopy; ///< for stores; null when nothing is replicated
  /// By axis: the first coordinate of the tile, and getReach where it was asked
  /// for.
  llvm::SmallVector<mlir::Value> starts, reaches;
  /// Conditions by axis and offset.
  std::map<std::pair<int64_t, int64_t>, mlir::Value> conditions;
};

} // namespace tilegpt::tilegpu

#endif
