// Layout computations: coordinates of registers, and layouts of operands and
// results of shape ops.
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

static int64_t extentOf(ArrayRef<LayoutMode> modes) {
  return std::accumulate(modes.begin(), modes.end(), int64_t(1),
                         [](int64_t count, const LayoutMode &mode) {
                           return count * mode.extent;
                         });
}

/// Drops modes of extent one and merges adjacent ones if the second continues
/// the first.
static SmallVector<LayoutMode> canonicalize(ArrayRef<LayoutMode> modes) {
  SmallVector<LayoutMode> result;
  for (const LayoutMode &mode : modes) {
    if (mode.extent == 1)
      continue;
    if (!result.empty()) {
      LayoutMode &last = result.back();
      if (last.axis == mode.axis &&
          (mode.isReplicated() || mode.stride == last.extent * last.stride)) {
        last.extent *= mode.extent;
        continue;
      }
    }
    result.push_back(mode);
  }
  return result;
}

LayoutAttr LayoutAttr::getCanonical(MLIRContext *context,
                                    ArrayRef<LayoutMode> registers,
                                    ArrayRef<LayoutMode> lanes,
                                    ArrayRef<LayoutMode> warps) {
  return get(context, canonicalize(registers), canonicalize(lanes),
             canonicalize(warps));
}

LayoutAttr LayoutAttr::of(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding())
                : LayoutAttr();
}

LayoutAttr LayoutAttr::getBlocked(MLIRContext *context, ArrayRef<int64_t> shape,
                                  int64_t vector, int64_t numWarps) {
  SmallVector<LayoutMode> registers, lanes, warps;
  int64_t rank = shape.size();
  // What one round of all threads covers along each axis.
  SmallVector<int64_t> covered(rank, 1);
  if (rank > 0) {
    covered.back() = vector;
    registers.push_back({vector, rank - 1, 1});
  }
  int64_t lanesLeft = warpLanes;
  for (int64_t axis = rank; axis-- > 0 && lanesLeft > 1;) {
    int64_t want = llvm::divideCeil(shape[axis], covered[axis]);
    int64_t extent =
        std::min<int64_t>(lanesLeft, llvm::PowerOf2Ceil(uint64_t(want)));
    lanes.push_back({extent, axis, covered[axis]});
    covered[axis] *= extent;
    lanesLeft /= extent;
  }
  if (lanesLeft > 1)
    lanes.push_back(LayoutMode::replicate(lanesLeft));
  int64_t warpsLeft = numWarps;
  for (int64_t axis = 0; axis < rank && warpsLeft > 1; ++axis) {
    int64_t want = llvm::divideCeil(shape[axis], covered[axis]);
    int64_t fewer = std::gcd(warpsLeft, int64_t(llvm::PowerOf2Ceil(want)));
    // Along the last axis idle warps are better than redundant ones.
    bool takesAll = want >= warpsLeft || (axis == rank - 1 && fewer < want);
    int64_t extent = takesAll ? warpsLeft : fewer;
    warps.push_back({extent, axis, covered[axis]});
    covered[axis] *= extent;
    warpsLeft /= extent;
  }
  if (warpsLeft > 1)
    warps.push_back(LayoutMode::replicate(warpsLeft));
  for (int64_t axis = rank; axis-- > 0;)
    registers.push_back({int64_t(llvm::divideCeil(shape[axis], covered[axis])),
                         axis, covered[axis]});
  return getCanonical(context, registers, lanes, warps);
}

int64_t LayoutAttr::getNumRegisters() const { return extentOf(getRegisters()); }

int64_t LayoutAttr::getNumWarps() const { return extentOf(getWarps()); }

/// Adds the offsets of the digits of `number`.
static void addDigits(ArrayRef<LayoutMode> modes, int64_t number,
                      MutableArrayRef<int64_t> offset) {
  for (const LayoutMode &mode : modes) {
    if (!mode.isReplicated())
      offset[mode.axis] += number % mode.extent * mode.stride;
    number /= mode.extent;
  }
}

SmallVector<int64_t> LayoutAttr::getRegisterOffset(int64_t reg,
                                                   int64_t rank) const {
  SmallVector<int64_t> offset(rank, 0);
  addDigits(getRegisters(), reg, offset);
  return offset;
}

SmallVector<int64_t> LayoutAttr::getThreadOffset(int64_t lane, int64_t warp,
                                                 int64_t rank) const {
  SmallVector<int64_t> offset(rank, 0);
  addDigits(getLanes(), lane, offset);
  addDigits(getWarps(), warp, offset);
  return offset;
}

int64_t LayoutAttr::getCoveredSize(int64_t axis) const {
  int64_t last = 0;
  for (ArrayRef<LayoutMode> modes : {getRegisters(), getLanes(), getWarps()})
    for (const LayoutMode &mode : modes)
      if (mode.axis == axis)
        last += (mode.extent - 1) * mode.stride;
  return last + 1;
}

int64_t LayoutAttr::getVectorSize(int64_t axis) const {
  if (getRegisters().empty())
    return 1;
  const LayoutMode &first = getRegisters().front();
  if (first.axis != axis || first.stride != 1)
    return 1;
  // Every other mode must step over whole vectors.
  int64_t size = first.extent;
  for (ArrayRef<LayoutMode> modes :
       {getRegisters().drop_front(), getLanes(), getWarps()})
    for (const LayoutMode &mode : modes)
      if (mode.axis == axis)
        size = std::gcd(size, mode.stride);
  return size;
}

static bool isOutside(ArrayRef<int64_t> coordinates, ArrayRef<int64_t> shape) {
  return llvm::any_of(llvm::zip_equal(coordinates, shape), [](auto pair) {
    return std::get<0>(pair) >= std::get<1>(pair);
  });
}

std::optional<SmallVector<int64_t>>
LayoutAttr::findRegisters(LayoutAttr wanted, ArrayRef<int64_t> shape) const {
  // Registers of a thread differ by constants, so one thread suffices to match
  // them, and all threads must agree on the rest.
  int64_t rank = shape.size();
  if (getNumWarps() != wanted.getNumWarps())
    return std::nullopt;
  for (int64_t warp = 0; warp < getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < warpLanes; ++lane) {
      SmallVector<int64_t> base = wanted.getThreadOffset(lane, warp, rank);
      if (!isOutside(base, shape) && base != getThreadOffset(lane, warp, rank))
        return std::nullopt;
    }
  std::map<SmallVector<int64_t>, int64_t> held;
  for (int64_t reg = 0; reg < getNumRegisters(); ++reg)
    held.try_emplace(getRegisterOffset(reg, rank), reg);
  SmallVector<int64_t> found;
  for (int64_t reg = 0; reg < wanted.getNumRegisters(); ++reg) {
    SmallVector<int64_t> offset = wanted.getRegisterOffset(reg, rank);
    if (auto it = held.find(offset); it != held.end())
      found.push_back(it->second);
    else if (isOutside(offset, shape))
      found.push_back(-1);
    else
      return std::nullopt;
  }
  return found;
}

/// Applies `change` to every mode of the three hardware axes; registers of
/// modes that become replicated are dropped.
static LayoutAttr
mapModes(LayoutAttr layout,
         llvm::function_ref<LayoutMode(const LayoutMode &)> change) {
  SmallVector<LayoutMode> registers, lanes, warps;
  for (const LayoutMode &mode : layout.getRegisters())
    if (LayoutMode changed = change(mode); !changed.isReplicated())
      registers.push_back(changed);
  llvm::transform(layout.getLanes(), std::back_inserter(lanes), change);
  llvm::transform(layout.getWarps(), std::back_inserter(warps), change);
  return LayoutAttr::getCanonical(layout.getContext(), registers, lanes, warps);
}

LayoutAttr LayoutAttr::collapseAxis(int64_t axis) const {
  return mapModes(*this, [&](const LayoutMode &mode) {
    return mode.axis == axis ? LayoutMode::replicate(mode.extent) : mode;
  });
}

LayoutAttr LayoutAttr::dropAxis(int64_t axis) const {
  return mapModes(*this, [&](LayoutMode mode) {
    if (mode.axis == axis)
      return LayoutMode::replicate(mode.extent);
    if (mode.axis > axis)
      --mode.axis;
    return mode;
  });
}

LayoutAttr LayoutAttr::insertAxis(int64_t axis) const {
  return mapModes(*this, [&](LayoutMode mode) {
    if (mode.axis >= axis)
      ++mode.axis;
    return mode;
  });
}

LayoutAttr LayoutAttr::permute(ArrayRef<int64_t> permutation) const {
  return mapModes(*this, [&](LayoutMode mode) {
    if (!mode.isReplicated())
      mode.axis = llvm::find(permutation, mode.axis) - permutation.begin();
    return mode;
  });
}

LayoutAttr LayoutAttr::mergeAxes(ArrayRef<ReassociationIndices> groups,
                                 ArrayRef<int64_t> shape) const {
  return mapModes(*this, [&](LayoutMode mode) {
    if (mode.isReplicated())
      return mode;
    for (auto [number, group] : llvm::enumerate(groups)) {
      auto place = llvm::find(group, mode.axis);
      if (place == group.end())
        continue;
      for (int64_t behind : llvm::make_range(std::next(place), group.end()))
        mode.stride *= shape[behind];
      mode.axis = number;
      break;
    }
    return mode;
  });
}

LayoutAttr LayoutAttr::undoBroadcast(ArrayRef<int64_t> source,
                                     ArrayRef<int64_t> result) const {
  int64_t added = result.size() - source.size();
  return mapModes(*this, [&](LayoutMode mode) {
    if (mode.isReplicated())
      return mode;
    bool isRepeated = mode.axis < added || (source[mode.axis - added] == 1 &&
                                            result[mode.axis] != 1);
    if (isRepeated)
      return LayoutMode::replicate(mode.extent);
    mode.axis -= added;
    return mode;
  });
}

LayoutAttr LayoutAttr::broadcast(ArrayRef<int64_t> source,
                                 ArrayRef<int64_t> result) const {
  int64_t added = result.size() - source.size();
  LayoutAttr shifted = mapModes(*this, [&](LayoutMode mode) {
    if (!mode.isReplicated())
      mode.axis += added;
    return mode;
  });
  SmallVector<LayoutMode> registers(shifted.getRegisters());
  for (int64_t axis = result.size(); axis-- > 0;)
    if (axis < added || (source[axis - added] == 1 && result[axis] != 1))
      registers.push_back({result[axis], axis, 1});
  return getCanonical(getContext(), registers, shifted.getLanes(),
                      shifted.getWarps());
}

} // namespace tilegpt::tilegpu
