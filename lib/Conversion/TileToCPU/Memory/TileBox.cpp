// Clips tiles to their views, and writes the in-bounds part.
#include "Memory/TileBox.h"
#include "TileGPT/Conversion/TileToArith/PadValue.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

SmallVector<OpFoldResult> cpu::ones(OpBuilder &builder, size_t rank) {
  return SmallVector<OpFoldResult>(rank, builder.getIndexAttr(1));
}

SmallVector<OpFoldResult> cpu::zeros(OpBuilder &builder, size_t rank) {
  return SmallVector<OpFoldResult>(rank, builder.getIndexAttr(0));
}

static Value truth(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

ClippedAxis cpu::clippedLength(OpBuilder &builder, Location loc, Value view,
                               int64_t axis, Value index, int64_t size) {
  Value zero = indexConstant(builder, loc, 0);
  Value tile = indexConstant(builder, loc, size);
  Value start = builder.createOrFold<arith::MulIOp>(loc, index, tile);
  Value dim = memrefDim(builder, loc, view, axis);
  Value left = builder.createOrFold<arith::SubIOp>(loc, dim, start);
  // A tile before the view is as empty as one after it: tile indices are
  // integers, so it is fully out of bounds.
  Value behind = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sge, start, zero);
  Value capped = builder.createOrFold<arith::MinSIOp>(loc, left, tile);
  Value length = builder.createOrFold<arith::MaxSIOp>(loc, capped, zero);
  length = builder.createOrFold<arith::SelectOp>(loc, behind, length, zero);
  return {start, length};
}

TileBox::TileBox(OpBuilder &builder, Location loc, Value view,
                 ArrayRef<Value> indices, ArrayRef<int64_t> sizes) {
  Value zero = indexConstant(builder, loc, 0);
  for (auto [axis, index, size] : llvm::enumerate(indices, sizes)) {
    whole.push_back(builder.getIndexAttr(index ? size : 1));
    if (!index) {
      offsets.push_back(builder.getIndexAttr(0));
      starts.push_back(builder.getIndexAttr(0));
      clipped.push_back(builder.getIndexAttr(1));
      continue;
    }
    const auto [start, length] =
        clippedLength(builder, loc, view, int64_t(axis), index, size);
    Value tile = indexConstant(builder, loc, size);
    Value fits = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, length, tile);
    inside =
        inside ? builder.createOrFold<arith::AndIOp>(loc, inside, fits) : fits;
    // The branch that is not taken must be valid too once indices are
    // constants: it starts at 0.
    Value some = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ne, length, zero);
    auto startIf = [&](Value condition) {
      return getAsOpFoldResult(
          builder.createOrFold<arith::SelectOp>(loc, condition, start, zero));
    };
    offsets.push_back(startIf(fits));
    starts.push_back(startIf(some));
    clipped.push_back(getAsOpFoldResult(length));
    auto type = cast<MemRefType>(view.getType());
    mayBeInside &= type.isDynamicDim(axis) || type.getDimSize(axis) >= size;
  }
  if (!inside)
    inside = truth(builder, loc, true);
}

Value cpu::window(OpBuilder &builder, Location loc, Value memref,
                  ArrayRef<OpFoldResult> offsets,
                  ArrayRef<OpFoldResult> sizes) {
  return memref::SubViewOp::create(builder, loc, memref, offsets, sizes,
                                   ones(builder, sizes.size()));
}

void TileBox::eitherWay(OpBuilder &builder, Location loc, Value isWhole,
                        function_ref<void(OpBuilder &)> emitWhole,
                        function_ref<void(OpBuilder &)> emitClipped) const {
  if (!mayBeInside)
    return emitClipped(builder);
  auto choose = scf::IfOp::create(builder, loc, isWhole,
                                  /*withElseRegion=*/true);
  OpBuilder then = choose.getThenBodyBuilder();
  emitWhole(then);
  OpBuilder other = choose.getElseBodyBuilder();
  emitClipped(other);
}

Value cpu::padConstant(OpBuilder &builder, Location loc, tile::PadKind pad,
                       Type type) {
  return arith::ConstantOp::create(builder, loc, tile::padValue(pad, type));
}

void cpu::applyOrder(OpBuilder &builder, Location loc, Value &view,
                     SmallVectorImpl<Value> &indices,
                     std::optional<ArrayRef<int64_t>> order) {
  if (!order)
    return;
  view = memref::TransposeOp::create(
      builder, loc, view,
      AffineMapAttr::get(
          AffineMap::getPermutationMap(*order, builder.getContext())));
  SmallVector<Value> permuted;
  for (int64_t axis : *order)
    permuted.push_back(indices[axis]);
  indices = permuted;
}

Value cpu::applyMask(OpBuilder &builder, Location loc, Value mask, Value tile,
                     Value pad) {
  if (!mask)
    return tile;
  Value pads = tensor::SplatOp::create(builder, loc, pad, tile.getType());
  return arith::SelectOp::create(builder, loc, mask, tile, pads);
}

void cpu::storeBox(OpBuilder &builder, Location loc, Value value,
                   ArrayRef<OpFoldResult> from, Value view,
                   ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(value.getType());
  bool isWhole = llvm::all_of_zip(sizes, type.getShape(),
                                  [](OpFoldResult size, int64_t dim) {
                                    return getConstantIntValue(size) == dim;
                                  });
  if (!isWhole)
    value = tensor::ExtractSliceOp::create(builder, loc, value, from, sizes,
                                           ones(builder, sizes.size()));
  bufferization::MaterializeInDestinationOp::create(
      builder, loc, /*result=*/Type(), value,
      window(builder, loc, view, offsets, sizes), /*restrict=*/true,
      /*writable=*/true);
}

void cpu::storeMasked(OpBuilder &builder, Location loc, Value value, Value mask,
                      ArrayRef<OpFoldResult> from, Value view,
                      ArrayRef<OpFoldResult> offsets,
                      ArrayRef<OpFoldResult> sizes) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = indexConstant(builder, loc, 0),
        one = indexConstant(builder, loc, 1);
  Value target = window(builder, loc, view, offsets, sizes);
  SmallVector<Value> at, element;
  for (auto [size, first] : llvm::zip_equal(sizes, from)) {
    auto loop = scf::ForOp::create(
        builder, loc, zero, getValueOrCreateConstantIndexOp(builder, loc, size),
        one);
    builder.setInsertionPointToStart(loop.getBody());
    at.push_back(loop.getInductionVar());
    element.push_back(builder.createOrFold<arith::AddIOp>(
        loc, loop.getInductionVar(),
        getValueOrCreateConstantIndexOp(builder, loc, first)));
  }
  Value shown = tensor::ExtractOp::create(builder, loc, mask, element);
  auto choose = scf::IfOp::create(builder, loc, shown);
  OpBuilder then = choose.getThenBodyBuilder();
  Value scalar = tensor::ExtractOp::create(then, loc, value, element);
  memref::StoreOp::create(then, loc, scalar, target, at);
}
