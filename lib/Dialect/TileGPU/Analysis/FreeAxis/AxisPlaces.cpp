// Follows induction variables to the indices of elements.
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis/AxisPlaces.h"
#include "FreeAxis/PaddingValues.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class PlacesSearch {
public:
  explicit PlacesSearch(const StreamedAxis &axis) : axis(axis) {}

  std::optional<AxisPlaces> run(ArrayRef<scf::ForOp> loops,
                                FreeAxisRefusal *why) {
    auto no = [&](Operation *op, StringRef reason) {
      if (why)
        *why = {op, reason};
      return std::nullopt;
    };
    for (scf::ForOp loop : loops)
      if (!checkNumber(loop.getInductionVar(), /*isStart=*/false))
        return no(
            loop,
            "the tile index is used other than to compute element indices");
    for (auto [tile, along] : axis.axes)
      if (tile.getDefiningOp<tile::IotaOp>() && !checkPlaces(tile))
        return no(tile.getDefiningOp(),
                  "indices within a tile are used directly; add the start "
                  "of the tile to them");
    return std::move(found);
  }

private:
  bool isTile(Value value) const { return axis.axes.contains(value); }

  /// \param isStart  the index has been multiplied by the tile size.
  bool checkNumber(Value number, bool isStart) {
    return llvm::all_of(number.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<tile::LoadOp, tile::StoreOp>(user)) {
        Value value = AccessOperands(user).value;
        return !isStart && isTile(value);
      }
      if (isa<tile::ExtractOp>(user))
        return !isStart && isTile(user->getResult(0));
      if (isa<arith::IndexCastOp, arith::ExtSIOp>(user))
        return checkNumber(user->getResult(0), isStart);
      if (auto product = dyn_cast<arith::MulIOp>(user)) {
        Value other = product.getOperand(1 - use.getOperandNumber());
        if (isStart || !isConstantIntValue(other, axis.size))
          return false;
        found.starts.push_back(product);
        return checkNumber(product, /*isStart=*/true);
      }
      if (isStart && (isa<tile::SplatOp>(user) || changesShape(user)))
        return checkNumber(user->getResult(0), isStart);
      auto sum = dyn_cast<arith::AddIOp>(user);
      if (!isStart || !sum || !isTile(sum) ||
          !isIota(sum.getOperand(1 - use.getOperandNumber())))
        return false;
      found.places.push_back(sum);
      return true;
    });
  }

  static bool isIota(Value tile) {
    while (changesShape(tile.getDefiningOp()))
      tile = tile.getDefiningOp()->getOperand(0);
    return bool(tile.getDefiningOp<tile::IotaOp>());
  }

  bool checkPlaces(Value places) {
    return llvm::all_of(places.getUsers(), [&](Operation *user) {
      if (changesShape(user))
        return checkPlaces(user->getResult(0));
      auto sum = dyn_cast<arith::AddIOp>(user);
      return sum && llvm::is_contained(found.places, sum);
    });
  }

  const StreamedAxis &axis;
  AxisPlaces found;
};
} // namespace

std::optional<AxisPlaces> findAxisPlaces(const StreamedAxis &axis,
                                         ArrayRef<scf::ForOp> loops,
                                         FreeAxisRefusal *refusal) {
  return PlacesSearch(axis).run(loops, refusal);
}

} // namespace tilegpt::tilegpu
