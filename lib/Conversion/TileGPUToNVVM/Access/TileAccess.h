// A thread's access to the elements of a tile in global memory: its registers
// in vectors, their addresses, and bounds checks.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_TILEACCESS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_TILEACCESS_H

#include "Thread/ThreadPatterns.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include <map>

namespace tilegpt::tilegpu {

/// The entries of an axis selected by an index tile, for each register of the
/// accessed tile.
struct IndexedEntries {
  llvm::SmallVector<mlir::Value> index;  ///< as index
  llvm::SmallVector<mlir::Value> exists; ///< i1
};

class TileAccess {
public:
  /// Registers adjacent in memory, in address order.
  using Group = ThreadTile::Group;

  /// Emits the code shared by all vectors.
  /// \param view     parts of the view.
  /// \param indices  for each axis of the tile, in tiles; null for the indexed
  /// axis.
  /// \param entries  empty without an index tile.
  TileAccess(mlir::OpBuilder &builder, mlir::Location loc,
             const AccessOperands &operands, const AccessFacts &facts,
             const ViewParts &view, mlir::ArrayRef<mlir::Value> indices,
             IndexedEntries entries = {});

  /// All registers that are an element of the tile in some thread. Registers
  /// with different values in `mask` (by register; may be empty) are in
  /// different vectors.
  llvm::SmallVector<Group> makeGroups(mlir::ValueRange mask) const;

  /// Reads the elements of a vector, or `pad` if its predicate is false or not
  /// uniform: see complete().
  /// \param isFixed  the instruction must not be sunk: ptxas moves others to
  /// their use, across any wait.
  llvm::SmallVector<mlir::Value> load(const Group &group, tile::PadKind pad,
                                      bool isFixed);
  /// Reads the in-bounds elements of vectors that are partly out of bounds;
  /// `elements` contains the results of load() for each. Separate, so that all
  /// loads can be in flight before the single branch.
  void complete(llvm::ArrayRef<Group> groups, tile::PadKind pad,
                llvm::MutableArrayRef<llvm::SmallVector<mlir::Value>> elements);
  /// The registers in vectors of up to 16 bytes at any alignment, for
  /// startRealigned(); empty unless all vectors have the same size and consist
  /// of whole words.
  llvm::SmallVector<Group> makeUnalignedGroups() const;
  /// The aligned vector in which an unaligned one begins, and the offset of the
  /// latter in bytes, an i32.
  struct Covering {
    mlir::Value aligned, behind;
  };
  /// Unaligned vectors whose loads are in flight.
  struct Realigned {
    llvm::SmallVector<Group> groups;
    llvm::SmallVector<Covering> covering;
    /// By vector: the i32 words of the aligned vector in which it begins and of
    /// the next one.
    llvm::SmallVector<llvm::SmallVector<mlir::Value>> words;
    mlir::Value isSafe; ///< whether these are inside the view
  };
  /// Starts to read vectors that may begin at any element, padded with zeros,
  /// by loading the aligned vectors that contain them. Indices and strides of
  /// the view must not be negative.
  Realigned startRealigned(llvm::ArrayRef<Group> groups);
  /// Shifts the vectors into place, or loads their elements one by one if the
  /// aligned vectors may be outside the view. By vector, one value per
  /// register. Separate, so that other loads can be in flight meanwhile.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  finishRealigned(const Realigned &begun);
  /// Writes the elements of a vector, one value per register.
  /// \param mask  not written if false; may be null.
  void store(const Group &group, mlir::ValueRange elements, mlir::Value mask);

private:
  /// Whether the elements of a vector are in bounds of tile and view, as i1;
  /// null if they always are.
  /// \param more  conditions; null ones are true.
  mlir::Value makeGuard(const Group &group,
                        mlir::ArrayRef<mlir::Value> more = {});
  /// Whether a vector may be partly out of bounds.
  bool mayBeCut(const Group &group) const;
  /// Whether the first element of such a vector is in bounds and the last is
  /// not, as i1.
  mlir::Value isCut(const Group &group);
  /// For each element separately.
  llvm::SmallVector<mlir::Value> guardsOf(const Group &group);
  /// Whether the aligned vectors of `bytes` bytes that contain elements of the
  /// tile, and the vectors after them, are inside the view, as i1. Uniform
  /// across threads and conservative.
  mlir::Value readsOnlyView(int64_t bytes);
  /// The aligned vectors that contain vectors of one size, a power of two of
  /// bytes.
  llvm::SmallVector<Covering> findCovering(llvm::ArrayRef<Group> groups);
  /// Whether vectors of one size have the same offset from aligned ones.
  bool areEquallyAligned(llvm::ArrayRef<Group> groups) const;
  /// The i32 words of the aligned vector of `bytes` bytes at a pointer and of
  /// the next one; zeros if the guard, which may be null, is false.
  llvm::SmallVector<mlir::Value>
  loadCovering(mlir::Value guard, mlir::Value pointer, int64_t bytes);
  /// The i32 words of unaligned vectors, loaded element by element: in a loop,
  /// since few blocks need this.
  llvm::SmallVector<mlir::Value> loadElements(const Realigned &begun);
  /// Loads a value; zero if the guard, which may be null, is false.
  mlir::Value loadWhere(mlir::Value guard, mlir::Value pointer,
                        mlir::Type type);
  mlir::Value advanceBytes(mlir::Value pointer, mlir::Value count);
  /// The words of vectors with zeros past the end of the row.
  /// \param reach  of the axis of the vectors.
  llvm::SmallVector<mlir::Value> cutRows(llvm::ArrayRef<Group> groups,
                                         llvm::ArrayRef<mlir::Value> words,
                                         mlir::Value reach);
  /// The address of the first element of a vector is `pointer` plus `distance`
  /// elements.
  struct Address {
    mlir::Value pointer;
    int64_t distance;
  };
  Address makeAddress(const Group &group);
  /// An address that is valid for any size of the view: its first element.
  mlir::Value getSafePointer() const;
  /// One more than the last offset from this thread's base whose element
  /// exists.
  mlir::Value getReach(int64_t axis);
  /// Whether elements at this offset from a thread's base need a bounds check.
  bool mayBeOutside(int64_t axis, int64_t offset) const;
  /// Advances a pointer by `index` · the stride of an axis of the tile.
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
  /// For each axis: the first coordinate of the tile, and getReach if it was
  /// requested.
  llvm::SmallVector<mlir::Value> starts, reaches;
  /// Conditions by axis and offset.
  std::map<std::pair<int64_t, int64_t>, mlir::Value> conditions;
};

} // namespace tilegpt::tilegpu

#endif
