// Each digit of a layout moves to one of the axes that its axis becomes, or is
// split into digits that do.
#include "Layout/CutLayout.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Appends the digits that a digit becomes.
/// \param group  the axes that its axis becomes, of `shape`.
/// \returns false if it crosses a split that does not divide it.
static bool cutMode(LayoutMode mode, ArrayRef<int64_t> group,
                    ArrayRef<int64_t> shape, SmallVector<LayoutMode> &modes) {
  int64_t behind = 1; // elements of the inner axes
  for (int64_t axis : llvm::reverse(group)) {
    int64_t size = behind * shape[axis];
    bool isFirst = axis == group.front();
    if (mode.stride < size || isFirst) {
      int64_t room = isFirst ? mode.extent : size / mode.stride;
      int64_t part = std::min(mode.extent, room);
      bool isWhole = part == mode.extent || size % mode.stride == 0;
      if (mode.stride % behind != 0 || mode.extent % part != 0 || !isWhole)
        return false;
      modes.push_back({part, axis, mode.stride / behind});
      mode.stride *= part;
      mode.extent /= part;
    }
    if (mode.extent == 1)
      return true;
    behind = size;
  }
  return true;
}

LayoutAttr cutLayout(LayoutAttr layout, ArrayRef<ReassociationIndices> groups,
                     ArrayRef<int64_t> shape) {
  bool isCut = true;
  auto cut = [&](ArrayRef<LayoutMode> modes) {
    SmallVector<LayoutMode> parts;
    for (const LayoutMode &mode : modes)
      if (mode.isReplicated())
        parts.push_back(mode);
      else
        isCut &= cutMode(mode, groups[mode.axis], shape, parts);
    return parts;
  };
  SmallVector<LayoutMode> registers = cut(layout.getRegisters()),
                          lanes = cut(layout.getLanes()),
                          warps = cut(layout.getWarps());
  return isCut ? LayoutAttr::getCanonical(layout.getContext(), registers, lanes,
                                          warps)
               : LayoutAttr();
}

LayoutAttr regroupAxes(LayoutAttr layout, ArrayRef<int64_t> from,
                       ArrayRef<int64_t> to) {
  auto all = [](ArrayRef<int64_t> shape) {
    return ReassociationIndices(
        llvm::to_vector<2>(llvm::seq<int64_t>(0, shape.size())));
  };
  for (auto [axis, size] : llvm::enumerate(from))
    if (layout.getCoveredSize(axis) > size)
      return {};
  return cutLayout(layout.mergeAxes({all(from)}, from), {all(to)}, to);
}

LayoutAttr joinAxes(LayoutAttr layout, ArrayRef<ReassociationIndices> groups,
                    ArrayRef<int64_t> shape) {
  for (ArrayRef<int64_t> group : groups)
    for (int64_t axis : group.drop_front())
      if (layout.getCoveredSize(axis) > shape[axis])
        return {};
  LayoutAttr joined = layout.mergeAxes(groups, shape);
  SmallVector<LayoutMode> registers(joined.getRegisters());
  llvm::sort(registers, [](const LayoutMode &a, const LayoutMode &b) {
    return std::tuple(a.isReplicated(), a.stride, a.axis) <
           std::tuple(b.isReplicated(), b.stride, b.axis);
  });
  return LayoutAttr::getCanonical(layout.getContext(), registers,
                                  joined.getLanes(), joined.getWarps());
}

LayoutAttr pieceLayout(LayoutAttr layout, int64_t axis, int64_t size) {
  auto isInside = [&](const LayoutMode &mode) {
    return mode.axis != axis || mode.stride * mode.extent <= size;
  };
  if (!llvm::all_of(layout.getLanes(), isInside) ||
      !llvm::all_of(layout.getWarps(), isInside))
    return {};
  SmallVector<LayoutMode> registers;
  for (LayoutMode mode : layout.getRegisters()) {
    if (!isInside(mode)) {
      if (mode.stride >= size)
        continue;
      if (size % mode.stride != 0)
        return {};
      mode.extent = size / mode.stride;
    }
    registers.push_back(mode);
  }
  LayoutAttr piece = LayoutAttr::getCanonical(
      layout.getContext(), registers, layout.getLanes(), layout.getWarps());
  return piece.getCoveredSize(axis) == size ? piece : LayoutAttr();
}

LayoutAttr joinedLayout(LayoutAttr piece, int64_t axis, int64_t size,
                        int64_t count) {
  if (piece.getCoveredSize(axis) != size)
    return {};
  SmallVector<LayoutMode> registers(piece.getRegisters());
  registers.push_back({count, axis, size});
  return LayoutAttr::getCanonical(piece.getContext(), registers,
                                  piece.getLanes(), piece.getWarps());
}

} // namespace tilegpt::tilegpu
