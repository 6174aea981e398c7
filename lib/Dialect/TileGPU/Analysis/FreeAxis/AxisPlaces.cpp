// Follows numbers of tiles to the indices of elements.
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis/AxisPlaces.h"
#include "FreeAxis/PaddingValues.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class PlacesSearch {
public:
  explicit PlacesSearch(const FreeAxis &axis) : axis(axis) {}

  std::optional<AxisPlaces> run(ArrayRef<Value> numbers, FreeAxisRefusal *why) {
    this->numbers = numbers;
    auto no = [&](Operation *op, StringRef reason) {
      if (why)
        *why = {op, reason};
      return std::nullopt;
    };
    for (Value number : numbers)
      if (!checkNumber(number, /*isStart=*/false)) {
        Operation *op = number.getDefiningOp();
        return no(
            op ? op : number.getParentBlock()->getParentOp(),
            "the tile index is used other than to compute element indices");
      }
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
      return checkUse(use, isStart) || isOfBounds(use);
    });
  }

  bool checkUse(OpOperand &use, bool isStart) {
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
    if (!isStart)
      return false;
    if (isa<tile::SplatOp>(user) || changesShape(user))
      return checkNumber(user->getResult(0), isStart);
    auto sum = dyn_cast<arith::AddIOp>(user);
    if (!sum)
      return false;
    Value other = sum.getOperand(1 - use.getOperandNumber());
    if (!isa<RankedTensorType>(sum.getType()))
      return !isOfNumber(other) && checkNumber(sum, isStart);
    if (!isTile(sum) || !isIota(other))
      return false;
    found.places.push_back(sum);
    return true;
  }

  /// Whether a use only serves to compute bounds of loops.
  bool isOfBounds(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(user)) {
      bool isBound = &use == &loop.getLowerBoundMutable() ||
                     &use == &loop.getUpperBoundMutable();
      if (isBound)
        found.bounded.insert(loop);
      return isBound;
    }
    return isa<arith::ArithDialect>(user->getDialect()) &&
           user->getNumResults() == 1 &&
           user->getResult(0).getType().isIntOrIndex() &&
           llvm::all_of(user->getResult(0).getUses(),
                        [&](OpOperand &next) { return isOfBounds(next); });
  }

  /// Whether a scalar depends on one of the numbers.
  bool isOfNumber(Value scalar) const {
    if (llvm::is_contained(numbers, scalar))
      return true;
    Operation *op = scalar.getDefiningOp();
    return op && llvm::any_of(op->getOperands(),
                              [&](Value each) { return isOfNumber(each); });
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

  const FreeAxis &axis;
  ArrayRef<Value> numbers;
  AxisPlaces found;
};
} // namespace

std::optional<AxisPlaces> findAxisPlaces(const FreeAxis &axis,
                                         ArrayRef<Value> numbers,
                                         FreeAxisRefusal *refusal) {
  return PlacesSearch(axis).run(numbers, refusal);
}

std::optional<AxisPlaces> findAxisPlaces(const StreamedAxis &axis,
                                         ArrayRef<scf::ForOp> loops,
                                         FreeAxisRefusal *refusal) {
  auto numbers = llvm::map_to_vector(
      loops, [](scf::ForOp loop) -> Value { return loop.getInductionVar(); });
  std::optional<AxisPlaces> places = findAxisPlaces(axis, numbers, refusal);
  if (!places || places->bounded.empty())
    return places;
  if (refusal)
    *refusal = {places->bounded.front(),
                "a bound of the loop depends on the tile index"};
  return std::nullopt;
}

} // namespace tilegpt::tilegpu
