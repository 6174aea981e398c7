// Traces row counts through launches to the arguments of a function.
#include "Rows.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using tilegpt::tile::Interval;

namespace tilegpt::gpt {

enum Role : unsigned { rowsRole = 0, sequencesRole = 1 };

/// The range in an attribute, or all positive numbers.
static Interval readRange(func::FuncOp function, StringRef attribute) {
  auto range = function->getAttrOfType<DenseI64ArrayAttr>(attribute);
  if (!range || range.size() != 2)
    return {1, std::numeric_limits<int64_t>::max()};
  return {range[0], range[1]};
}

Rows::Rows(func::FuncOp function) : function(function) {
  ranges = {readRange(function, tile::rowsAttr),
            readRange(function, sequencesAttr)};
  auto kind = function->getAttrOfType<StringAttr>(planKindAttr);
  oneRowPerSequence = kind && hasOneRowPerSequence(kind);
  function.walk([&](Operation *op) {
    Value positions;
    if (auto embed = dyn_cast<EmbedOp>(op)) {
      roles.insert({embed.getIds(), rowsRole});
      positions = embed.getPos();
    } else if (auto table = dyn_cast<PositionsOp>(op)) {
      positions = table.getPos();
    } else if (auto sinusoids = dyn_cast<SinusoidsOp>(op)) {
      positions = sinusoids.getPos();
    } else if (auto attention = dyn_cast<AttentionOp>(op)) {
      positions = attention.getPos();
    } else if (auto convolution = dyn_cast<ShortConvOp>(op)) {
      positions = convolution.getPos();
    } else if (auto rotary = dyn_cast<RotaryOp>(op)) {
      positions = rotary.getPos();
    } else if (auto last = dyn_cast<LastRowsOp>(op)) {
      positions = last.getPos();
    } else if (auto sample = dyn_cast<SampleOp>(op)) {
      roles.insert({sample.getHow(), sequencesRole});
    }
    if (positions)
      roles.insert({positions, sequencesRole});
  });
}

/// The earliest value whose axis 0 has the size of axis 0 of `tensor`.
static Value originOf(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    Value next;
    if (auto launch = dyn_cast<tile::LaunchOp>(op)) {
      next = launch.getOuts()[cast<OpResult>(tensor).getResultNumber()];
    } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      next = cast.getSource();
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      if (!empty.getType().isDynamicDim(0))
        return tensor;
      auto size = empty.getDynamicSizes()[0].getDefiningOp<tensor::DimOp>();
      if (size && size.getConstantIndex() == 0)
        next = size.getSource();
    }
    if (!next)
      return tensor;
    tensor = next;
  }
  return tensor;
}

AffineExpr Rows::sizeOf(Value tensor, unsigned axis) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return getAffineConstantExpr(type.getDimSize(axis), tensor.getContext());
  if (axis != 0)
    return {};
  auto role = roles.find(originOf(tensor));
  if (role == roles.end())
    return {};
  unsigned unknown = oneRowPerSequence ? unsigned(rowsRole) : role->second;
  return getAffineSymbolExpr(unknown, tensor.getContext());
}

Value Rows::materialize(OpBuilder &builder, Value tensor) {
  Value origin = originOf(tensor);
  Value &size = sizes[origin];
  if (size)
    return size;
  OpBuilder::InsertionGuard guard(builder);
  if (isa<BlockArgument>(origin))
    builder.setInsertionPointToStart(&function.getBody().front());
  else
    builder.setInsertionPointAfterValue(origin);
  size = tensor::DimOp::create(builder, function.getLoc(), origin, 0);
  return size;
}

} // namespace tilegpt::gpt
