// Coordinates of registers, from the digits of lane and warp.
#include "Thread/ThreadTile.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ExplainAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Value indexConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value threadNumber(OpBuilder &builder, Location loc) {
  Value id = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  Value number =
      arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), id);
  PlanAttr plan = PlanAttr::of(builder.getInsertionBlock()->getParentOp());
  if (!plan || plan.getTeams() == 1)
    return number;
  return arith::RemUIOp::create(
      builder, loc, number,
      indexConstant(builder, loc, plan.getComputeThreads()));
}

Value laneNumber(OpBuilder &builder, Location loc) {
  return arith::RemUIOp::create(builder, loc, threadNumber(builder, loc),
                                indexConstant(builder, loc, warpLanes));
}

Value warpNumber(OpBuilder &builder, Location loc) {
  return arith::DivUIOp::create(builder, loc, threadNumber(builder, loc),
                                indexConstant(builder, loc, warpLanes));
}

// The last mode takes the remaining digit.
SmallVector<Value> digitsOf(OpBuilder &builder, Location loc, Value number,
                            ArrayRef<LayoutMode> modes) {
  SmallVector<Value> digits;
  for (auto [position, mode] : llvm::enumerate(modes)) {
    Value extent = indexConstant(builder, loc, mode.extent);
    bool isLast = position + 1 == modes.size();
    digits.push_back(
        isLast
            ? number
            : arith::RemUIOp::create(builder, loc, number, extent).getResult());
    if (!isLast)
      number = arith::DivUIOp::create(builder, loc, number, extent);
  }
  return digits;
}

Value numberOf(OpBuilder &builder, Location loc, Value number,
               ArrayRef<LayoutMode> modes,
               function_ref<bool(const LayoutMode &)> kept) {
  Value result = indexConstant(builder, loc, 0);
  int64_t weight = 1;
  for (auto [mode, digit] :
       llvm::zip_equal(modes, digitsOf(builder, loc, number, modes))) {
    if (!kept(mode))
      continue;
    Value step = arith::MulIOp::create(builder, loc, digit,
                                       indexConstant(builder, loc, weight));
    result = arith::AddIOp::create(builder, loc, result, step);
    weight *= mode.extent;
  }
  return result;
}

ThreadTile::ThreadTile(OpBuilder &builder, Location loc, RankedTensorType type)
    : builder(builder), loc(loc), type(type), layout(LayoutAttr::of(type)),
      bases(type.getRank()), largestBase(type.getRank(), 0) {
  auto add = [&](Value number, ArrayRef<LayoutMode> modes) {
    for (auto [mode, digit] :
         llvm::zip_equal(modes, digitsOf(builder, loc, number, modes))) {
      if (mode.isReplicated())
        continue;
      Value step = arith::MulIOp::create(
          builder, loc, digit, indexConstant(builder, loc, mode.stride));
      Value &base = bases[mode.axis];
      base = base ? arith::AddIOp::create(builder, loc, base, step).getResult()
                  : step;
      largestBase[mode.axis] += (mode.extent - 1) * mode.stride;
    }
  };
  if (!layout.getLanes().empty())
    add(laneNumber(builder, loc), layout.getLanes());
  if (!layout.getWarps().empty())
    add(warpNumber(builder, loc), layout.getWarps());
  for (Value &base : bases)
    if (!base)
      base = indexConstant(builder, loc, 0);
}

Value ThreadTile::getCoordinate(int64_t reg, int64_t axis) {
  int64_t offset = getOffset(reg)[axis];
  if (offset == 0)
    return bases[axis];
  return arith::AddIOp::create(builder, loc, bases[axis],
                               indexConstant(builder, loc, offset));
}

SmallVector<Value> ThreadTile::getCoordinates(int64_t reg) {
  SmallVector<Value> coordinates;
  for (int64_t axis = 0; axis < getRank(); ++axis)
    coordinates.push_back(getCoordinate(reg, axis));
  return coordinates;
}

Value ThreadTile::isInside(int64_t reg) {
  Value inside;
  for (int64_t axis = 0; axis < getRank(); ++axis)
    if (Value within = isInside(reg, axis))
      inside =
          inside
              ? arith::AndIOp::create(builder, loc, inside, within).getResult()
              : within;
  return inside;
}

Value ThreadTile::isInside(int64_t reg, int64_t axis) {
  int64_t size = type.getDimSize(axis), offset = getOffset(reg)[axis];
  if (largestBase[axis] + offset < size)
    return {};
  // Compare only the base, so that registers share the subtraction.
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                               bases[axis],
                               indexConstant(builder, loc, size - offset));
}

bool ThreadTile::hasNoPadding() const {
  for (int64_t axis = 0; axis < getRank(); ++axis)
    if (layout.getCoveredSize(axis) > type.getDimSize(axis))
      return false;
  return true;
}

bool ThreadTile::isPadding(int64_t reg) const {
  SmallVector<int64_t> offset = getOffset(reg);
  for (int64_t axis = 0; axis < getRank(); ++axis)
    if (offset[axis] >= type.getDimSize(axis))
      return true;
  return false;
}

SmallVector<ThreadTile::Group>
ThreadTile::groupNeighbours(int64_t axis, int64_t largest) const {
  // The digit of the register index that enumerates adjacent elements.
  int64_t step = 1, extent = 1;
  for (const LayoutMode &mode : layout.getRegisters()) {
    if (mode.axis == axis && mode.stride == 1) {
      extent = mode.extent;
      break;
    }
    step *= mode.extent;
  }
  const int64_t count = countNeighbours(layout, axis, largest);

  SmallVector<Group> groups;
  for (int64_t first = 0; first < getNumRegisters(); ++first) {
    if (first / step % extent % count != 0 || isPadding(first))
      continue;
    Group &group = groups.emplace_back();
    for (int64_t neighbour = 0; neighbour < count; ++neighbour)
      group.push_back(first + neighbour * step);
  }
  return groups;
}

Value ThreadTile::isFirstCopy() {
  Value first;
  auto add = [&](ArrayRef<LayoutMode> modes,
                 function_ref<Value(OpBuilder &, Location)> numberOf) {
    if (llvm::none_of(
            modes, [](const LayoutMode &mode) { return mode.isReplicated(); }))
      return;
    for (auto [mode, digit] : llvm::zip_equal(
             modes, digitsOf(builder, loc, numberOf(builder, loc), modes))) {
      if (!mode.isReplicated())
        continue;
      Value isZero =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, digit,
                                indexConstant(builder, loc, 0));
      first =
          first ? arith::AndIOp::create(builder, loc, first, isZero).getResult()
                : isZero;
    }
  };
  add(layout.getLanes(), laneNumber);
  add(layout.getWarps(), warpNumber);
  return first;
}

} // namespace tilegpt::tilegpu
