// Verifiers and folders of the tile_gpu ops.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/Tile/IR/EnumText.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tilegpu;
using tilegpt::tile::parseWord;
using tilegpt::tile::printWord;

void TileGPUDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.cpp.inc"

LogicalResult ConvertLayoutOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (source.getShape() != result.getShape() ||
      source.getElementType() != result.getElementType())
    return emitOpError("expected source and result to differ in layout only, "
                       "found ")
           << source << " and " << result;
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return splat.resizeSplat(getType());
  if (auto before = getSource().getDefiningOp<ConvertLayoutOp>()) {
    getSourceMutable().assign(before.getSource());
    return getResult();
  }
  return {};
}

/// A tile is written to, or read from, a buffer of the same shape and element
/// type. Panels of a swizzled buffer may have additional columns.
static LogicalResult verifyTransfer(Operation *op, Type tile,
                                    SharedType buffer) {
  auto tensor = cast<RankedTensorType>(tile);
  bool isPadded = buffer.getSwizzle() && tensor.getRank() == 2 &&
                  buffer.getRank() == 2 &&
                  tensor.getDimSize(0) == buffer.getShape()[0] &&
                  tensor.getDimSize(1) <= buffer.getShape()[1];
  if ((tensor.getShape() == buffer.getShape() || isPadded) &&
      tensor.getElementType() == buffer.getElementType())
    return success();
  return op->emitOpError("expected tile and buffer of one shape and element "
                         "type, found ")
         << tensor << " and " << buffer;
}

LogicalResult WriteOp::verify() {
  return verifyTransfer(*this, getValue().getType(), getBuffer().getType());
}

LogicalResult ReadOp::verify() {
  return verifyTransfer(*this, getResult().getType(), getBuffer().getType());
}

LogicalResult tilegpt::tilegpu::DotOp::verify() {
  auto shapeOf = [](Type type) {
    if (auto shared = dyn_cast<SharedType>(type))
      return shared.getShape();
    return cast<RankedTensorType>(type).getShape();
  };
  ArrayRef<int64_t> lhs = shapeOf(getLhs().getType()),
                    rhs = getRhs().getType().getShape(),
                    acc = shapeOf(getAcc().getType());
  if (getResult().getType() != getAcc().getType())
    return emitOpError("expected the result to be like the accumulator ")
           << getAcc().getType() << ", found " << getResult().getType();
  size_t rank = acc.size();
  if ((rank != 2 && rank != 3) || lhs.size() != rank || rhs.size() != rank)
    return emitOpError("expected operands of rank 2, or 3 with a batch axis");
  size_t m = rank - 2, n = rank - 1;
  int64_t rows = lhs[getTransposeA() ? n : m],
          left = lhs[getTransposeA() ? m : n];
  int64_t columns = rhs[getTransposeB() ? m : n],
          right = rhs[getTransposeB() ? n : m];
  if (rows != acc[m] || columns != acc[n] || left != right)
    return emitOpError("expected ")
           << acc[m] << "xK times Kx" << acc[n] << ", found " << rows << "x"
           << left << " times " << right << "x" << columns;
  return success();
}

LogicalResult SliceOp::verify() {
  SharedType source = getSource().getType(), result = getResult().getType();
  if (source.getRank() > 1 &&
      result.getShape() == source.getShape().drop_front() &&
      result.getElementType() == source.getElementType() &&
      result.getSwizzle() == source.getSwizzle() &&
      result.getPadding() == source.getPadding())
    return success();
  return emitOpError("expected the result to be ")
         << source << " without its first axis, found " << result;
}

LogicalResult CopyOp::verify() {
  tile::ViewType view = getView().getType();
  SharedType buffer = getBuffer().getType();
  size_t rank = buffer.getRank(), numIndices = getRows() ? rank - 1 : rank;
  if (view.getElementType() != buffer.getElementType() ||
      size_t(view.getRank()) != rank || getIndices().size() != numIndices ||
      getInside().size() != rank)
    return emitOpError("expected a view, indices and 'inside' to suit ")
           << buffer << ", found " << view << ", " << getIndices().size()
           << " indices and " << getInside().size() << " entries";
  if (getRows()) {
    SharedType rows = getRows().getType();
    if (rank != 2 || getFirst() || rows.getRank() != 1 ||
        rows.getShape()[0] != buffer.getShape()[0] ||
        !rows.getElementType().isSignlessInteger())
      return emitOpError("expected an integer for each row of ")
             << buffer << ", found " << rows;
  }
  if (getFirst() &&
      (rank != 2 || buffer.getShape()[0] != 1 || view.isDynamicDim(1) ||
       view.getShape()[1] > buffer.getShape()[1]))
    return emitOpError("expected one row that has room in ")
           << buffer << ", found " << view;
  if (getClipped() && (getFirst() || rank == 0 || getInside().back()))
    return emitOpError("expected 'clipped' only where columns may be out of "
                       "bounds, and not with 'covering'");
  constexpr int64_t unitBytes = 16;
  int64_t bytes = memoryBytes(buffer.getElementType()), unit = getUnit();
  if ((unit != 16 && unit != 8 && unit != 4) || unit % bytes ||
      (getFirst() && unit != unitBytes))
    return emitOpError(
               "expected units of 16 bytes, or of 8 or 4 that hold "
               "whole elements of a row that begins with a unit, found ")
           << unit << " for " << buffer;
  if (rank > 0 && buffer.getShape().back() * bytes % unitBytes == 0 &&
      (rank < 2 || buffer.getSwizzle() ||
       buffer.getStride(rank - 2) * bytes % unitBytes == 0))
    return success();
  return emitOpError("expected rows of whole units of 16 bytes, found ")
         << buffer;
}

LogicalResult CopyAtOp::verify() {
  SharedType buffer = getBuffer().getType();
  constexpr int64_t mostBytes = 16;
  const int64_t bytes = memoryBytes(buffer.getElementType()), unit = getUnit();
  if ((unit != 16 && unit != 8 && unit != 4) || unit % bytes ||
      buffer.getRank() == 0 ||
      buffer.getShape().back() * bytes % mostBytes != 0)
    return emitOpError("expected rows of whole units of 16, 8 or 4 bytes, "
                       "found units of ")
           << unit << " for " << buffer;
  int64_t units = bytes;
  for (int64_t size : buffer.getShape())
    units *= size;
  units /= unit;
  for (Value tile : {Value(getOffsets()), Value(getMask())})
    if (tile && cast<RankedTensorType>(tile.getType()).getDimSize(0) != units)
      return emitOpError("expected an offset and a mask for each of ")
             << units << " units, found " << tile.getType();
  return success();
}
