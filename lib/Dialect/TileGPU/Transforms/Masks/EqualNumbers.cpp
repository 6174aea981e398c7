// Matches equality comparisons of one loaded id per row with one per key.
#include "Masks/EqualNumbers.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The 1-D load that a tile broadcasts, if its elements lie along `axis`.
static tile::LoadOp repeatedLoad(Value tile, int64_t axis) {
  while (Operation *op = tile.getDefiningOp()) {
    int64_t rank = cast<RankedTensorType>(tile.getType()).getRank();
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return rank == 1 && axis == 0 ? load : tile::LoadOp();
    if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
      if (int64_t(expand.getAxis()) == axis)
        return {};
      axis -= int64_t(expand.getAxis()) < axis;
      tile = expand.getSource();
    } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
      // Broadcasting aligns trailing axes.
      auto source = cast<RankedTensorType>(broadcast.getSource().getType());
      int64_t within = axis - (rank - source.getRank());
      if (within < 0 ||
          source.getDimSize(within) !=
              cast<RankedTensorType>(tile.getType()).getDimSize(axis))
        return {};
      axis = within;
      tile = broadcast.getSource();
    } else {
      return {};
    }
  }
  return {};
}

/// Whether a load reads what `match_range` does: unmasked i32 of a 1-D view,
/// padded with zeros.
static bool isPlain(tile::LoadOp load) {
  tile::ViewType view = load.getView().getType();
  return view.getRank() == 1 && view.getElementType().isInteger(32) &&
         !load.getMask() && load.getPad() == tile::PadKind::Zero;
}

static std::optional<EqualNumbers>
matchEqual(arith::CmpIOp compare, scf::ForOp loop, RankedTensorType scores) {
  for (auto [one, other] : {std::pair(compare.getLhs(), compare.getRhs()),
                            std::pair(compare.getRhs(), compare.getLhs())}) {
    tile::LoadOp rows = repeatedLoad(one, 0), keys = repeatedLoad(other, 1);
    if (rows && keys && isPlain(rows) && isPlain(keys) &&
        rows.getType().getDimSize(0) == scores.getDimSize(0) &&
        keys.getType().getDimSize(0) == scores.getDimSize(1) &&
        loop.isDefinedOutsideOfLoop(rows.getResult()) &&
        loop.isDefinedOutsideOfLoop(keys.getView()) &&
        keys.getIndices().front() == loop.getInductionVar())
      return EqualNumbers{rows, keys};
  }
  return std::nullopt;
}

std::optional<EqualNumbers> findEqualNumbers(const PositionCondition &condition,
                                             scf::ForOp loop,
                                             RankedTensorType scores) {
  if (condition.kind != PositionCondition::Kind::All || scores.getRank() != 2)
    return std::nullopt;
  auto compare = condition.tile ? condition.tile.getDefiningOp<arith::CmpIOp>()
                                : arith::CmpIOp();
  auto equal =
      condition.isTrue ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne;
  if (compare && compare.getPredicate() == equal)
    return matchEqual(compare, loop, scores);
  for (const PositionCondition &part : condition.parts)
    if (auto found = findEqualNumbers(part, loop, scores))
      return found;
  return std::nullopt;
}

} // namespace tilegpt::tilegpu
