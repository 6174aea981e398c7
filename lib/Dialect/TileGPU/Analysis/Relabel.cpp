// Shape changes that need no code.
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {
/// A tile's registers by their coordinate offsets.
using OffsetMap = std::map<SmallVector<int64_t>, int64_t>;
using Offset = SmallVector<int64_t>;

OffsetMap registersByOffset(LayoutAttr layout, int64_t rank) {
  OffsetMap registers;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
    registers.try_emplace(layout.getRegisterOffset(reg, rank), reg);
  return registers;
}

/// The registers of `from` in the order of those of `to`, whose offsets
/// `rename` maps to offsets of `from`; -1 if there is none.
RegisterMap renameRegisters(LayoutAttr from, int64_t fromRank, LayoutAttr to,
                            int64_t toRank,
                            function_ref<Offset(const Offset &)> rename) {
  OffsetMap registers = registersByOffset(from, fromRank);
  RegisterMap map;
  for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg) {
    auto found = registers.find(rename(to.getRegisterOffset(reg, toRank)));
    map.push_back(found == registers.end() ? -1 : found->second);
  }
  return map;
}

/// First `outer`, then `inner`.
std::optional<RegisterMap> compose(const RegisterMap &outer,
                                   const std::optional<RegisterMap> &inner) {
  if (!inner)
    return std::nullopt;
  return llvm::map_to_vector(
      outer, [&](int64_t reg) { return reg < 0 ? reg : (*inner)[reg]; });
}

struct Tile {
  explicit Tile(Value value)
      : shape(cast<RankedTensorType>(value.getType()).getShape()),
        layout(LayoutAttr::of(value.getType())) {}
  Tile(ArrayRef<int64_t> shape, LayoutAttr layout)
      : shape(shape), layout(layout) {}

  int64_t getRank() const { return shape.size(); }
  std::optional<RegisterMap> findRegisters(const Tile &wanted) const {
    return layout.findRegisters(wanted.layout, shape);
  }

  SmallVector<int64_t> shape;
  LayoutAttr layout;
};

/// The tile without its unit axes, and the map back to its registers. Nothing
/// if some threads hold only padding because of such an axis.
std::optional<std::pair<Tile, RegisterMap>> dropUnitAxes(const Tile &tile) {
  Tile squeezed = tile;
  for (int64_t axis = tile.getRank(); axis-- > 0;) {
    if (tile.shape[axis] != 1)
      continue;
    for (ArrayRef<LayoutMode> modes :
         {squeezed.layout.getLanes(), squeezed.layout.getWarps()})
      if (llvm::any_of(modes,
                       [&](LayoutMode mode) { return mode.axis == axis; }))
        return std::nullopt;
    squeezed.layout = squeezed.layout.dropAxis(axis);
    squeezed.shape.erase(squeezed.shape.begin() + axis);
  }
  auto unsqueeze = [&](const Offset &offset) {
    Offset full;
    ArrayRef<int64_t> left = offset;
    for (int64_t size : tile.shape) {
      full.push_back(size == 1 ? 0 : left.front());
      if (size != 1)
        left = left.drop_front();
    }
    return full;
  };
  RegisterMap registers =
      renameRegisters(tile.layout, tile.getRank(), squeezed.layout,
                      squeezed.getRank(), unsqueeze);
  return std::pair(squeezed, registers);
}

/// The result splits axes of the source. None of its threads may hold padding
/// of a split axis, which would alias elements of the next part. Padding after
/// the last part is that of the source.
std::optional<RegisterMap> relabelCut(const Tile &source, const Tile &result) {
  if (source.getRank() >= result.getRank())
    return std::nullopt;
  Type any = IntegerType::get(source.layout.getContext(), 8);
  auto groups = getReassociationIndicesForReshape(
      RankedTensorType::get(source.shape, any),
      RankedTensorType::get(result.shape, any));
  if (!groups)
    return std::nullopt;
  for (ArrayRef<int64_t> group : *groups)
    for (int64_t axis : group.drop_front())
      if (result.layout.getCoveredSize(axis) > result.shape[axis])
        return std::nullopt;
  return source.findRegisters(
      Tile(source.shape, result.layout.mergeAxes(*groups, result.shape)));
}

/// Both must be the same tile without unit axes.
std::optional<RegisterMap> relabelReshape(const Tile &source,
                                          const Tile &result) {
  auto from = dropUnitAxes(source), to = dropUnitAxes(result);
  if (!from || !to || from->first.shape != to->first.shape)
    return std::nullopt;
  std::optional<RegisterMap> moved = from->first.findRegisters(to->first);
  if (!moved)
    return std::nullopt;
  // `to` maps registers of the squeezed tile to the result's; the inverse is
  // needed here.
  RegisterMap map(result.layout.getNumRegisters(), -1);
  for (auto [reg, held] : llvm::zip_equal(to->second, *moved))
    if (held >= 0)
      map[reg] = from->second[held];
  return map;
}

/// Both enumerate the same elements. No thread of either may hold padding.
std::optional<RegisterMap> relabelRegrouped(const Tile &source,
                                            const Tile &result) {
  auto flatten = [](const Tile &tile) -> std::optional<Tile> {
    ReassociationIndices all(
        llvm::to_vector<2>(llvm::seq<int64_t>(0, tile.getRank())));
    int64_t elements = 1;
    for (auto [axis, size] : llvm::enumerate(tile.shape)) {
      if (tile.layout.getCoveredSize(axis) > size)
        return std::nullopt;
      elements *= size;
    }
    return Tile({elements}, tile.layout.mergeAxes({all}, tile.shape));
  };
  std::optional<Tile> from = flatten(source), to = flatten(result);
  return from && to ? from->findRegisters(*to) : std::nullopt;
}

std::optional<RegisterMap> relabelBroadcast(const Tile &source,
                                            const Tile &result) {
  int64_t added = result.getRank() - source.getRank();
  LayoutAttr wanted = result.layout.undoBroadcast(source.shape, result.shape);
  auto undo = [&](const Offset &offset) {
    Offset narrow(ArrayRef(offset).drop_front(added));
    for (int64_t axis = 0; axis < source.getRank(); ++axis)
      if (source.shape[axis] == 1 && result.shape[added + axis] != 1)
        narrow[axis] = 0;
    return narrow;
  };
  RegisterMap narrowed = renameRegisters(wanted, source.getRank(),
                                         result.layout, result.getRank(), undo);
  return compose(narrowed, source.findRegisters(Tile(source.shape, wanted)));
}

/// The result merges axes of the source: the inverse of a split.
std::optional<RegisterMap> relabelJoined(const Tile &source,
                                         const Tile &result) {
  std::optional<RegisterMap> cut = relabelCut(result, source);
  if (!cut)
    return std::nullopt;
  // `cut` maps registers of the source to the result's.
  RegisterMap map(result.layout.getNumRegisters(), -1);
  for (auto [reg, held] : llvm::enumerate(*cut))
    if (held >= 0)
      map[held] = reg;
  return llvm::is_contained(map, -1) ? std::nullopt : std::optional(map);
}

/// Whether the threads of two layouts hold elements of the same lanes and
/// warps.
bool areInStep(LayoutAttr a, LayoutAttr b) {
  return a.getLanes() == b.getLanes() && a.getWarps() == b.getWarps();
}

/// Whether no thread holds padding along an axis.
bool isExact(const Tile &tile, int64_t axis) {
  return tile.layout.getCoveredSize(axis) == tile.shape[axis];
}

/// Registers of the two parts, concatenated.
std::optional<RegisterMap> relabelCat(const Tile &lhs, const Tile &rhs,
                                      const Tile &result, int64_t axis) {
  if (!areInStep(lhs.layout, result.layout) ||
      !areInStep(rhs.layout, result.layout) || !isExact(lhs, axis) ||
      !isExact(rhs, axis) || !isExact(result, axis))
    return std::nullopt;
  int64_t rank = result.getRank(), first = lhs.layout.getNumRegisters();
  OffsetMap left = registersByOffset(lhs.layout, rank),
            right = registersByOffset(rhs.layout, rank);
  RegisterMap map;
  for (int64_t reg = 0; reg < result.layout.getNumRegisters(); ++reg) {
    Offset offset = result.layout.getRegisterOffset(reg, rank);
    bool isRight = offset[axis] >= lhs.shape[axis];
    if (isRight)
      offset[axis] -= lhs.shape[axis];
    auto &registers = isRight ? right : left;
    auto found = registers.find(offset);
    if (found == registers.end())
      return std::nullopt;
    map.push_back(isRight ? first + found->second : found->second);
  }
  return map;
}

/// A slice at constant indices.
std::optional<RegisterMap> relabelPiece(const Tile &whole, const Tile &piece,
                                        ValueRange indices) {
  if (!areInStep(whole.layout, piece.layout))
    return std::nullopt;
  SmallVector<int64_t> start;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    std::optional<int64_t> number = getConstantIntValue(index);
    bool isCut = whole.shape[axis] != piece.shape[axis];
    if (isCut && (!number || !isExact(piece, axis) || !isExact(whole, axis)))
      return std::nullopt;
    start.push_back(isCut ? *number * piece.shape[axis] : 0);
  }
  OffsetMap registers = registersByOffset(whole.layout, whole.getRank());
  RegisterMap map;
  for (int64_t reg = 0; reg < piece.layout.getNumRegisters(); ++reg) {
    Offset offset = piece.layout.getRegisterOffset(reg, piece.getRank());
    for (auto [place, from] : llvm::zip_equal(offset, start))
      place += from;
    auto found = registers.find(offset);
    if (found == registers.end())
      return std::nullopt;
    map.push_back(found->second);
  }
  return map;
}

std::optional<RegisterMap> relabelRenamed(LayoutAttr moved,
                                          const Tile &result) {
  return Tile(result.shape, moved).findRegisters(result);
}
} // namespace

std::optional<RegisterMap> findRelabeling(Operation *op) {
  Tile source(op->getOperand(0)), result(op->getResult(0));
  return llvm::TypeSwitch<Operation *, std::optional<RegisterMap>>(op)
      .Case([&](tile::ExpandDimsOp op) {
        return relabelRenamed(source.layout.insertAxis(op.getAxis()), result);
      })
      .Case([&](tile::PermuteOp op) {
        return relabelRenamed(source.layout.permute(op.getPermutation()),
                              result);
      })
      .Case([&](tile::BroadcastOp) { return relabelBroadcast(source, result); })
      .Case([&](tile::ReshapeOp) {
        if (auto cut = relabelCut(source, result))
          return cut;
        auto joined = relabelJoined(source, result);
        if (joined)
          return joined;
        auto moved = relabelReshape(source, result);
        return moved ? moved : relabelRegrouped(source, result);
      })
      .Case([&](tile::CatOp op) {
        return relabelCat(source, Tile(op.getRhs()), result, op.getAxis());
      })
      .Case([&](tile::ExtractOp op) {
        return relabelPiece(source, result, op.getIndices());
      })
      .Case([&](ConvertLayoutOp) { return source.findRegisters(result); })
      .Default([](Operation *) { return std::nullopt; });
}

LayoutAttr layoutOfIndices(LayoutAttr layout, int64_t rank, int64_t axis) {
  for (int64_t other = rank; other-- > 0;)
    if (other != axis)
      layout = layout.dropAxis(other);
  return layout;
}

} // namespace tilegpt::tilegpu
