// Decides whether a kernel can work on tiles of another, and how its axes
// follow theirs.
#include "Fusion/GuestKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace tilegpt::tile {

namespace {

/// Collects the roles of one guest.
class RoleFinder {
public:
  RoleFinder(const TileFootprint &guest, unsigned argument, bool stores)
      : guest(guest), kernel(guest.getKernel()), argument(argument),
        stores(stores) {}

  Expected<GuestRoles> find() {
    for (auto check : {&RoleFinder::readAnchors, &RoleFinder::checkOps,
                       &RoleFinder::followAccesses, &RoleFinder::checkIds,
                       &RoleFinder::checkSizes})
      if (Error error = (this->*check)())
        return error;
    for (auto [axisClass, axis] : roles.axisOfClass)
      if (guest.getAxes().isMixed(axisClass))
        roles.axes[axis].wholeFor = "reduces or reorders";
    return std::move(roles);
  }

private:
  Error refuse(const Twine &reason) {
    return createStringError("@" + kernel.getSymName() + " " + reason);
  }

  /// Finds the axis whose tiles each block id counts, by the accesses of the
  /// shared argument.
  Error readAnchors() {
    BlockArgument shared = kernel.getArguments()[argument];
    for (Operation *user : shared.getUsers())
      if (!isa<LoadOp, StoreOp, DimOp, NumTilesOp>(user))
        return refuse("uses it other than by loads and stores");
    auto anchors = guest.accessesOf(argument, stores);
    if (!guest.accessesOf(argument, !stores).empty())
      return refuse(stores ? "reads what it writes" : "writes what it reads");
    if (anchors.empty())
      return refuse(stores ? "does not store it" : "does not load it");
    if (stores && anchors.size() > 1)
      return refuse("stores it in several places");
    for (const AccessFootprint *anchor : anchors)
      if (Error error = readAnchor(*anchor))
        return error;
    return Error::success();
  }

  Error readAnchor(const AccessFootprint &anchor) {
    StringRef does = stores ? "stores" : "loads";
    if (anchor.isMasked)
      return refuse(does + " it with a mask");
    if (anchor.isPermuted)
      return refuse(does + " it with a permuted axis order");
    if (!anchor.isUnconditional)
      return refuse(does + " it in a loop or a branch");
    bool isFirst = roles.axes.empty();
    if (isFirst)
      roles.axes.resize(anchor.axes.size());
    for (auto [axis, part] : llvm::enumerate(anchor.axes)) {
      if (part.index != TileIndex::BlockId && part.index != TileIndex::Zero)
        return refuse(does + " it at an index that is neither 0 nor a block "
                             "id");
      if (!part.size)
        return refuse(does + " tiles of it whose size is not known");
      GuestAxis here{part.size, part.gridAxis, ""};
      if (!isFirst && (roles.axes[axis].size != here.size ||
                       roles.axes[axis].gridAxis != here.gridAxis))
        return refuse("loads it in two ways");
      roles.axes[axis] = here;
      if (part.gridAxis >= 0 &&
          !axisOfGrid.insert({part.gridAxis, axis}).second &&
          axisOfGrid[part.gridAxis] != int64_t(axis))
        return refuse("indexes two of its axes with one block id");
      if (Error error = follow(anchor.tile, axis, axis))
        return error;
    }
    return Error::success();
  }

  /// Records that an axis of a tile follows an axis of the shared argument.
  Error follow(Value tile, int64_t tileAxis, int64_t axis) {
    auto [it, isNew] = roles.axisOfClass.insert(
        {guest.getAxes().classOf(tile, tileAxis), axis});
    if (!isNew && it->second != axis)
      return refuse("combines two of its axes");
    return Error::success();
  }

  /// Checks that results for out-of-bounds elements do not matter, and that the
  /// guest's body is straight-line code.
  Error checkOps() {
    for (Operation &op : kernel.getEntryBlock()->without_terminator()) {
      if (isa<AssertOp>(op))
        return refuse("asserts a property of its tiles");
      if (isa<NumBlocksOp>(op))
        return refuse("uses the number of blocks");
      if (isa<LoopLikeOpInterface>(op))
        return refuse("has a loop");
      if (isa<LoadOp, StoreOp, GatherOp, ReduceOp, ScanOp>(op))
        continue;
      if (!isMemoryEffectFree(&op))
        return refuse("accesses memory by '" + op.getName().getStringRef() +
                      "'");
      if (!isSpeculatable(&op))
        return refuse("computes '" + op.getName().getStringRef() +
                      "', which may be undefined outside of the data");
    }
    return Error::success();
  }

  /// Follows tiles of other arguments that the same block ids count.
  Error followAccesses() {
    for (const AccessFootprint &access : guest.getAccesses()) {
      for (auto [axis, part] : llvm::enumerate(access.axes)) {
        if (part.index != TileIndex::BlockId)
          continue;
        auto it = axisOfGrid.find(part.gridAxis);
        if (it == axisOfGrid.end())
          return refuse("has an axis of its grid, " + Twine(part.gridAxis) +
                        ", that numbers no tiles of it");
        if (part.size != roles.axes[it->second].size)
          return refuse("indexes tiles of different sizes with one block id");
        if (access.isPermuted)
          return refuse("accesses another argument with a permuted axis order");
        if (Error error = follow(access.tile, axis, it->second))
          return error;
      }
    }
    // Axes that follow each other must have the same tile indices.
    for (const AccessFootprint &access : guest.getAccesses())
      for (auto [axis, part] : llvm::enumerate(access.axes)) {
        if (access.isPermuted)
          continue;
        auto followed = roles.find(guest.getAxes(), access.tile, axis);
        if (!followed)
          continue;
        const GuestAxis &shared = roles.axes[*followed];
        bool isSame = shared.gridAxis < 0 ? part.index == TileIndex::Zero
                                          : part.gridAxis == shared.gridAxis;
        if (!isSame)
          return refuse("combines tiles of it with tiles from elsewhere");
      }
    return Error::success();
  }

  /// A block id with other uses than as tile index would change its meaning
  /// with the tile size.
  Error checkIds() {
    Error error = Error::success();
    kernel.getBody().walk([&](BlockIdOp id) {
      for (Operation *user : id->getUsers())
        if (!isa<LoadOp, StoreOp>(user)) {
          llvm::consumeError(std::move(error));
          error = refuse("computes on its block id " + Twine(id.getAxis()));
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    return error;
  }

  /// If the size of a shared axis has other uses, tiles must span the axis, so
  /// that the size does not change.
  Error checkSizes() {
    auto axisOf = [&](Attribute size) -> std::optional<int64_t> {
      for (auto [axis, shared] : llvm::enumerate(roles.axes))
        if (isa<StringAttr>(size) && shared.size == size)
          return axis;
      return std::nullopt;
    };
    for (Operation &op : *kernel.getEntryBlock()) {
      if (auto param = dyn_cast<ParamOp>(op)) {
        if (auto axis = axisOf(param.getNameAttr()))
          roles.axes[*axis].wholeFor = "computes on the size of";
        continue;
      }
      auto sizes = op.getAttrOfType<ArrayAttr>("sizes");
      if (!sizes || !isa<TileDialect>(op.getDialect()))
        continue;
      bool isTile = op.getNumResults() == 1 &&
                    isa<RankedTensorType>(op.getResult(0).getType());
      for (auto [axis, size] : llvm::enumerate(sizes)) {
        if (!axisOf(size))
          continue;
        if (!isTile || !roles.find(guest.getAxes(), op.getResult(0), axis))
          return refuse("also uses its tile size " +
                        cast<StringAttr>(size).getValue() +
                        " for something else");
      }
    }
    return Error::success();
  }

  const TileFootprint &guest;
  KernelOp kernel;
  unsigned argument;
  bool stores;
  GuestRoles roles;
  llvm::DenseMap<int64_t, int64_t> axisOfGrid;
};

} // namespace

Expected<GuestRoles> findGuestRoles(const TileFootprint &guest,
                                    unsigned argument, bool stores) {
  return RoleFinder(guest, argument, stores).find();
}

} // namespace tilegpt::tile
