// Locates and keeps a block's part of a row, and pads it.
#include "Shared/ClusterPart.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;

namespace tilegpt::tilegpu {

ClusterPart::ClusterPart(tile::KernelOp kernel, const LongRows &rows)
    : RowStaging(kernel, rows), loc(kernel.getLoc()),
      warps(PlanAttr::of(kernel).getWarps()), exchange(kernel, builder, rows) {
  pieces = rows.getPieces(warps);
  width = rows.getWidthOfPiece(warps);
  auto layoutOf = [&](int64_t vector) {
    return LayoutAttr::getBlocked(kernel.getContext(), {1, width}, vector,
                                  warps);
  };
  // Lanes of a warp read the widest vectors contiguously.
  adjacent = rows.getAdjacent();
  units = layout = layoutOf(adjacent);
  neighbours = layoutOf(1);
}

bool ClusterPart::isVector(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getShape() == ArrayRef<int64_t>{rows.columns};
}
RankedTensorType ClusterPart::widened(Type type) const {
  auto whole = cast<RankedTensorType>(type);
  if (whole.getRank() == 2)
    return RowStaging::widened(type);
  return RankedTensorType::get({width}, whole.getElementType(),
                               layout.undoBroadcast({width}, {1, width}));
}

Value ClusterPart::partOf(Value view, Value index) {
  auto source = cast<tile::ViewType>(view.getType());
  auto type = tile::ViewType::get(kernel.getContext(), {rows.columns},
                                  source.getElementType(), {});
  Value whole =
      source.getRank() == 1
          ? view
          : tile::SelectOp::create(builder, loc, type, view, ValueRange{index})
                .getResult();
  auto run = tile::ViewType::get(kernel.getContext(), {ShapedType::kDynamic},
                                 source.getElementType(), {});
  return RunOp::create(builder, loc, run, whole, exchange.getPart(),
                       rows.getColumnsOfPart());
}
Value ClusterPart::makeBuffer(Type element) {
  return AllocOp::create(builder, loc,
                         SharedType::get(kernel.getContext(), {pieces * width},
                                         element,
                                         /*swizzle=*/0, /*padding=*/0),
                         IntegerAttr());
}
Value ClusterPart::rowOf(Value buffer) {
  auto type = cast<SharedType>(buffer.getType());
  auto row = SharedType::get(kernel.getContext(), {1, width},
                             type.getElementType(), 0, 0);
  return RowsOp::create(builder, loc, row, buffer, offset);
}

void ClusterPart::findPlace() {
  row = rows.row;
  // As early as the number of the row and the views of rows are known.
  builder.setInsertionPointAfterValue(row);
  for (tile::LoadOp load : rows.loads)
    for (Value known : {Value(load.getView()), load.getIndices().front()})
      if (Operation *op = known.getDefiningOp();
          op && builder.getInsertionPoint() != op->getBlock()->end() &&
          !op->isBeforeInBlock(&*builder.getInsertionPoint()))
        builder.setInsertionPointAfter(op);
  Arithmetic math(builder, loc);
  first =
      rows.mostBefore
          ? math.rem(math.mul(math.rem(row, rows.unit), rows.pitch), rows.unit)
          : zero;
}

void ClusterPart::copyParts() {
  for (tile::LoadOp load : rows.loads) {
    Value run = partOf(load);
    Value buffer = makeBuffer(load.getType().getElementType());
    CopyRunOp::create(builder, loc, run, buffer, first, rows.getColumnsOfPart(),
                      /*whole=*/false);
    buffers[load] = buffer;
  }
  CommitCopiesOp::create(builder, loc);
}

void ClusterPart::loadParts() {
  piece = offset = zero;
  Value place =
      Arithmetic(builder, loc).mul(exchange.getPart(), rows.getColumnsOfPart());
  // Units before the row belong to the previous row.
  int64_t known[] = {0, rows.getColumnsOfLast()};
  for (tile::LoadOp load : rows.loads)
    buffers[load] =
        LoadUnitsOp::create(builder, loc, widened(load.getType()),
                            load.getView(), load.getIndices().front(), place,
                            first, builder.getDenseI64ArrayAttr(known));
}

Value ClusterPart::loadAgain(tile::LoadOp load) {
  RankedTensorType type = widened(load.getType());
  if (!isVector(load) && rows.inRegisters)
    return buffers.lookup(load);
  if (!isVector(load))
    return ReadOp::create(builder, loc, type, rowOf(buffers.lookup(load)));
  return rows.mostBefore == 0 ? loadUnits(load) : loadNeighbours(load);
}

/// Loads this piece of a vector in whole units.
Value ClusterPart::loadUnits(tile::LoadOp load) {
  RankedTensorType type = widened(load.getType());
  return tile::LoadOp::create(
      builder, loc, type, partOf(load), ValueRange{piece},
      /*mask=*/Value(), builder.getI64ArrayAttr(type.getShape()), load.getPad(),
      /*order=*/DenseI64ArrayAttr());
}

/// Loads it from the column on at which the block's row begins.
Value ClusterPart::loadNeighbours(tile::LoadOp load) {
  RankedTensorType type = widened(load.getType());
  auto gather = tile::GatherOp::create(
      builder, loc, type, load.getView(), ValueRange(), numbersAgain(),
      /*mask=*/Value(), /*axis=*/0, builder.getI64ArrayAttr(type.getShape()),
      load.getPad());
  if (rows.vectorsAreAligned)
    gather->setAttr(realignedName, columnsBefore(load));
  return gather;
}

int64_t ClusterPart::entriesOfShifted() const {
  if (rows.mostBefore == 0 || !rows.vectorsAreAligned || rows.vectors.empty())
    return 0;
  int64_t most = 0;
  for (tile::LoadOp vector : rows.vectors)
    most = std::max<int64_t>(
        most, maxAccessBytes / memoryBytes(vector.getType().getElementType()));
  return adjacent % most == 0 ? most : 0;
}

/// The columns of a piece for which every block can read the aligned vectors
/// that contain the elements of `load`, and by how much these are shifted if
/// that is known.
DenseI64ArrayAttr ClusterPart::columnsBefore(tile::LoadOp load) {
  const int64_t vector = maxAccessBytes /
                         memoryBytes(load.getType().getElementType()),
                end = rows.getColumnsOfLast() - vector;
  SmallVector<int64_t> columns = {0, 0};
  if (rows.inRegisters)
    columns = {rows.mostBefore, end};
  else if (!isAtEnd)
    columns = {0, std::min(width, end - (firstOfEnd() - 1) * width)};
  if (distance)
    columns.push_back(*distance % vector);
  return builder.getDenseI64ArrayAttr(columns);
}

/// The row column of each element of a piece. Columns before the first wrap to
/// large unsigned numbers.
Value ClusterPart::numbersAgain() {
  return numbersFrom(Arithmetic(builder, loc)
                         .mul(exchange.getPart(), rows.getColumnsOfPart()));
}
/// The columns of a piece if the part begins with column `start`.
Value ClusterPart::numbersFrom(Value start) {
  Type i32 = builder.getI32Type();
  auto sizes = builder.getI64ArrayAttr({width});
  auto type = RankedTensorType::get({width}, i32,
                                    layout.undoBroadcast({width}, {1, width}));
  Value from = arith::SubIOp::create(
      builder, loc, Arithmetic(builder, loc).add(start, offset), first);
  Value starts = tile::SplatOp::create(
      builder, loc, type, arith::IndexCastOp::create(builder, loc, i32, from),
      sizes);
  Value place = tile::IotaOp::create(builder, loc, type, sizes);
  return arith::AddIOp::create(builder, loc, place, starts);
}

Value ClusterPart::fillOutside(Value wide, TypedAttr pad) {
  if (rows.inRegisters)
    return fillEnds(wide, pad);
  Type i32 = builder.getI32Type();
  Value count = columnsOfThis(i32);
  Value places = numbersFrom(zero);
  Value counts = tile::SplatOp::create(builder, loc, places.getType(), count,
                                       builder.getI64ArrayAttr({width}));
  Value isInside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, places, counts);
  auto type = cast<RankedTensorType>(wide.getType());
  Value mask = tile::BroadcastOp::create(
      builder, loc, type.clone(builder.getI1Type()), isInside,
      builder.getI64ArrayAttr(type.getShape()));
  Value pads = arith::ConstantOp::create(builder, loc,
                                         SplatElementsAttr::get(type, pad));
  return arith::SelectOp::create(builder, loc, mask, wide, pads);
}

/// Does the same for a whole part, which only needs padding at its ends.
Value ClusterPart::fillEnds(Value wide, TypedAttr pad) {
  if (hasAllColumns())
    return wide;
  Value length;
  if (rows.getColumnsOfLast() != rows.getColumnsOfPart())
    length = columnsOfThis(builder.getIndexType());
  return FillOutsideOp::create(
      builder, loc, wide, arith::ConstantOp::create(builder, loc, pad), first,
      length, uint64_t(rows.getColumnsOfLast()));
}

/// The number of columns of this part. The last may be shorter than the others.
Value ClusterPart::columnsOfThis(Type type) {
  int64_t columns = rows.getColumnsOfPart(), least = rows.getColumnsOfLast();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, number));
  };
  if (least == columns)
    return constant(columns);
  return arith::SelectOp::create(
      builder, loc,
      Arithmetic(builder, loc).isEqual(exchange.getPart(), rows.parts - 1),
      constant(least), constant(columns));
}

int64_t ClusterPart::firstOfEnd() const {
  return std::max<int64_t>(
      1, std::min(pieces - 1, rows.getColumnsOfLast() / width));
}

DenseI64ArrayAttr ClusterPart::knownColumns() {
  int64_t least = rows.getColumnsOfLast();
  return builder.getDenseI64ArrayAttr(
      {std::min(rows.mostBefore, least), least});
}

} // namespace tilegpt::tilegpu
