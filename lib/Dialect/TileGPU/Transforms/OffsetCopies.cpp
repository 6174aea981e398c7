// Evaluates the offsets of a tile at the units that asynchronous copies bring.
#include "OffsetCopies.h"
#include "MoveAhead.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Layouts.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a value is the same in all iterations of a loop, or computed from
/// such values and the induction variable by ops that access no memory; tiles
/// only by ops that can be evaluated at single elements.
static bool isEvaluable(scf::ForOp loop, Value value,
                        llvm::SmallDenseSet<Value> &known) {
  const bool isTile = bool(tileOf(value));
  if (known.contains(value) || value == loop.getInductionVar() ||
      (!isTile && loop.isDefinedOutsideOfLoop(value)))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op) || (!isTile && op->getBlock() != loop.getBody()))
    return false;
  SplatElementsAttr elements;
  const bool isConstant = matchPattern(op, m_Constant(&elements));
  if (isTile && !isConstant && !tile::isElementwise(op) &&
      !isa<tile::SplatOp, tile::IotaOp, tile::ExpandDimsOp, tile::BroadcastOp,
           tile::PermuteOp, ConvertLayoutOp>(op))
    return false;
  if (isa<arith::ConstantOp>(op) && isTile && !isConstant)
    return false;
  if (!llvm::all_of(op->getOperands(), [&](Value operand) {
        return isEvaluable(loop, operand, known);
      }))
    return false;
  known.insert(value);
  return true;
}

CopyUnit unitOfCopy(scf::ForOp loop, tile::LoadAtOp load, SharedType buffer,
                    IndexFacts &facts) {
  constexpr int64_t leastBytes = 4;
  RankedTensorType type = load.getType();
  const int64_t rank = type.getRank(),
                bytes = memoryBytes(type.getElementType());
  if (rank == 0 || load.getOrder() != tile::MemoryOrder::Weak ||
      load.getPad() != tile::PadKind::Zero ||
      getSharedVector(buffer) * bytes != sharedUnitBytes ||
      type.getShape().back() * bytes % sharedUnitBytes != 0)
    return {};
  OffsetFacts access = analyzeOffsets(load, facts, withoutConversions);
  const int64_t unit = access.vectorSize * bytes;
  if (access.vectorAxis != rank - 1 || unit < leastBytes ||
      !llvm::isPowerOf2_64(type.getNumElements()))
    return {};
  llvm::SmallDenseSet<Value> known;
  for (Value value : load->getOperands())
    if (!isEvaluable(loop, value, known))
      return {};
  return {unit, /*isClipped=*/false};
}

UnitOffsets::UnitOffsets(tile::LoadAtOp load, int64_t unitBytes,
                         Operation *place)
    : load(load), unitBytes(unitBytes), before(place) {
  RankedTensorType type = load.getType();
  const int64_t count =
      type.getNumElements() * memoryBytes(type.getElementType()) / unitBytes;
  PlanAttr plan = PlanAttr::of(load);
  units = RankedTensorType::get({count}, before.getI32Type(),
                                LayoutAttr::getBlocked(load.getContext(),
                                                       {count}, /*vector=*/1,
                                                       plan.getWarps()));
  points = makePoints();
}

RankedTensorType UnitOffsets::typeOf(Type element) const {
  return RankedTensorType::get(units.getShape(), element, units.getEncoding());
}

Value UnitOffsets::numberAll(OpBuilder &builder, int64_t number) {
  return arith::ConstantOp::create(
      builder, load.getLoc(),
      DenseElementsAttr::get(units, builder.getI32IntegerAttr(number)));
}

/// The coordinates of the first element of each unit.
UnitOffsets::Points UnitOffsets::makePoints() {
  Location loc = load.getLoc();
  RankedTensorType type = load.getType();
  const int64_t unit = unitBytes / memoryBytes(type.getElementType());
  Value number = tile::IotaOp::create(before, loc, units,
                                      before.getI64ArrayAttr(units.getShape()));
  Points result(type.getRank());
  for (int64_t axis = type.getRank(); axis-- > 0;) {
    int64_t size = type.getDimSize(axis);
    if (axis == type.getRank() - 1)
      size /= unit;
    Value divisor = numberAll(before, size);
    result[axis] =
        axis == 0
            ? number
            : arith::RemUIOp::create(before, loc, number, divisor).getResult();
    if (axis != 0)
      number = arith::DivUIOp::create(before, loc, number, divisor);
  }
  result.back() = arith::MulIOp::create(before, loc, result.back(),
                                        numberAll(before, unit));
  return result;
}

/// Whether a value is the same in all iterations.
bool UnitOffsets::lasts(Value value) {
  if (auto known = lasting.find(value); known != lasting.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  const bool result =
      loop.isDefinedOutsideOfLoop(value) ||
      (op && llvm::all_of(op->getOperands(),
                          [&](Value operand) { return lasts(operand); }));
  lasting[value] = result;
  return result;
}

OpBuilder &UnitOffsets::builderOf(Value tile) {
  return lasts(tile) ? before : *builder;
}

Value UnitOffsets::scalarOf(Value scalar) {
  IRMapping none;
  return lasts(scalar) ? formAhead(before, loop, scalar, none)
                       : formAhead(*builder, loop, scalar, *mapping);
}

Value UnitOffsets::evaluate(Value tile, const Points &points) {
  if (!lasts(tile))
    return derive(tile, points);
  for (auto &[where, value] : shared[tile])
    if (where == points)
      return value;
  Value value = derive(tile, points);
  shared[tile].emplace_back(points, value);
  return value;
}

/// The elements of an integer tile at some points.
Value UnitOffsets::derive(Value tile, const Points &points) {
  Operation *op = tile.getDefiningOp();
  OpBuilder &at = builderOf(tile);
  Location loc = load.getLoc();
  RankedTensorType type = typeOf(getElementTypeOrSelf(tile.getType()));
  SplatElementsAttr elements;
  if (matchPattern(op, m_Constant(&elements)))
    return arith::ConstantOp::create(at, loc, elements.resizeSplat(type));
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](tile::SplatOp splat) {
        return tile::SplatOp::create(at, loc, type, scalarOf(splat.getValue()),
                                     at.getI64ArrayAttr(units.getShape()));
      })
      .Case([&](tile::IotaOp) -> Value {
        const unsigned width = type.getElementTypeBitWidth();
        Value number = points.front();
        if (width == units.getElementTypeBitWidth())
          return number;
        if (width < units.getElementTypeBitWidth())
          return arith::TruncIOp::create(at, loc, type, number);
        return arith::ExtSIOp::create(at, loc, type, number);
      })
      .Case([&](tile::ExpandDimsOp expand) {
        Points source = points;
        source.erase(source.begin() + expand.getAxis());
        return evaluate(expand.getSource(), source);
      })
      .Case([&](tile::BroadcastOp broadcast) {
        ArrayRef<int64_t> shape = tileOf(broadcast.getSource()).getShape();
        Points source(points.end() - shape.size(), points.end());
        for (auto [point, size] : llvm::zip_equal(source, shape))
          if (size == 1)
            point = numberAll(before, 0);
        return evaluate(broadcast.getSource(), source);
      })
      .Case([&](tile::PermuteOp permute) {
        Points source(points.size());
        for (auto [axis, from] : llvm::enumerate(permute.getPermutation()))
          source[from] = points[axis];
        return evaluate(permute.getSource(), source);
      })
      .Case([&](ConvertLayoutOp convert) {
        return evaluate(convert.getSource(), points);
      })
      .Default([&](Operation *op) {
        IRMapping operands;
        for (Value operand : op->getOperands())
          operands.map(operand, tileOf(operand) ? evaluate(operand, points)
                                                : scalarOf(operand));
        Operation *clone = at.clone(*op, operands);
        clone->getResult(0).setType(type);
        return clone->getResult(0);
      });
}

void UnitOffsets::copyTo(OpBuilder &builder, scf::ForOp loop,
                         IRMapping &mapping, Value buffer) {
  this->builder = &builder;
  this->loop = loop;
  this->mapping = &mapping;
  Value offsets = evaluate(load.getOffsets(), points),
        mask = load.getMask() ? evaluate(load.getMask(), points) : Value();
  CopyAtOp::create(builder, load.getLoc(), scalarOf(load.getBase()), offsets,
                   mask, buffer, unitBytes);
}

} // namespace tilegpt::tilegpu
