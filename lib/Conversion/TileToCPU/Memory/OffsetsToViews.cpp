// Rewrites accesses by offset from a pointer whose elements are evenly spaced
// as loads and stores of views, which move whole runs.
#include "Memory/StridedOffsets.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_OFFSETSTOVIEWS
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

namespace {
/// The memory of an access as a view whose first tile it is.
struct AccessedView {
  Value view;
  SmallVector<int64_t> tile; ///< sizes: 1 along axes of equal elements
  SmallVector<Value> indices;
};

struct OffsetsToViews : tilegpt::cpu::impl::OffsetsToViewsBase<OffsetsToViews> {
  void runOnOperation() override {
    SmallVector<Operation *> accesses;
    getOperation().walk([&](Operation *op) {
      if (isa<tile::LoadAtOp, tile::StoreAtOp>(op))
        accesses.push_back(op);
    });
    for (Operation *op : accesses) {
      OpBuilder builder(op);
      if (auto load = dyn_cast<tile::LoadAtOp>(op))
        rewrite(builder, load);
      else
        rewrite(builder, cast<tile::StoreAtOp>(op));
    }
  }

private:
  /// A pointer `distance` elements further.
  static Value advance(OpBuilder &builder, Location loc, Value pointer,
                       Value distance) {
    if (isConstantIntValue(distance, 0))
      return pointer;
    const int64_t bytes =
        memoryBytes(cast<tile::PtrType>(pointer.getType()).getPointee());
    Value address = tile::PtrToIntOp::create(builder, loc, pointer);
    Value bytesAhead = builder.createOrFold<arith::MulIOp>(
        loc, distance, arith::ConstantIndexOp::create(builder, loc, bytes));
    Value ahead =
        arith::IndexCastOp::create(builder, loc, address.getType(), bytesAhead);
    return tile::IntToPtrOp::create(
        builder, loc, pointer.getType(),
        arith::AddIOp::create(builder, loc, address, ahead));
  }

  /// \param repeats  whether axes along which the offsets are equal are allowed
  template <typename Op>
  static std::optional<AccessedView>
  viewOf(OpBuilder &builder, Op access, RankedTensorType type, bool repeats) {
    Type element = type.getElementType();
    if (!type.hasStaticShape() ||
        access.getOrder() != tile::MemoryOrder::Weak ||
        access.getBase().getType().getPointee() != element ||
        element.isInteger(1))
      return std::nullopt;
    Location loc = access.getLoc();
    StridedForms forms(builder, loc);
    const auto offsets = forms.formOf(access.getOffsets());
    if (!offsets)
      return std::nullopt;
    SmallVector<Value> bounds(type.getRank());
    if (access.getMask()) {
      auto found = forms.boundsOf(access.getMask());
      if (!found)
        return std::nullopt;
      bounds = *found;
    }

    AccessedView result;
    SmallVector<OpFoldResult> sizes, strides;
    bool hasRuns = false;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    for (auto [size, stride, bound] :
         llvm::zip_equal(type.getShape(), offsets->strides, bounds)) {
      std::optional<int64_t> known = getConstantIntValue(stride);
      const bool isRepeated = known == 0 && size > 1;
      if ((isRepeated && (!repeats || bound)) || (known && *known < 0))
        return std::nullopt;
      hasRuns |= known == 1 && size > 1;
      result.tile.push_back(isRepeated ? 1 : size);
      result.indices.push_back(zero);
      // Along an axis of one element any stride will do.
      strides.push_back(known == 0 ? OpFoldResult(builder.getIndexAttr(1))
                                   : getAsOpFoldResult(stride));
      sizes.push_back(builder.getIndexAttr(result.tile.back()));
      if (!bound)
        continue;
      Value most = arith::ConstantIndexOp::create(builder, loc, size);
      Value part = builder.createOrFold<arith::MinSIOp>(loc, bound, most);
      sizes.back() = getAsOpFoldResult(
          builder.createOrFold<arith::MaxSIOp>(loc, part, zero));
    }
    if (!hasRuns)
      return std::nullopt;
    SmallVector<int64_t> staticSizes, staticStrides;
    SmallVector<Value> dynamicSizes, dynamicStrides;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
    result.view = tile::ViewAtOp::create(
        builder, loc,
        tile::ViewType::get(builder.getContext(), staticSizes, element,
                            staticStrides),
        advance(builder, loc, access.getBase(), offsets->start), dynamicSizes,
        dynamicStrides, staticSizes,
        builder.getDenseI64ArrayAttr(staticStrides));
    return result;
  }

  void rewrite(OpBuilder &builder, tile::LoadAtOp load) {
    RankedTensorType type = load.getResult().getType();
    const auto found = viewOf(builder, load, type, /*repeats=*/true);
    if (!found)
      return;
    Location loc = load.getLoc();
    Value tile = tile::LoadOp::create(
        builder, loc, type.clone(found->tile), found->view, found->indices,
        /*mask=*/Value(), builder.getI64ArrayAttr(found->tile), load.getPad(),
        /*order=*/DenseI64ArrayAttr());
    if (tile.getType() != type)
      tile = tile::BroadcastOp::create(
          builder, loc, type, tile, builder.getI64ArrayAttr(type.getShape()));
    load.getResult().replaceAllUsesWith(tile);
    load.erase();
    ++numViews;
  }

  void rewrite(OpBuilder &builder, tile::StoreAtOp store) {
    const auto found = viewOf(builder, store, store.getValue().getType(),
                              /*repeats=*/false);
    if (!found)
      return;
    tile::StoreOp::create(builder, store.getLoc(), store.getValue(),
                          found->view, found->indices, /*mask=*/Value(),
                          /*order=*/DenseI64ArrayAttr());
    store.erase();
    ++numViews;
  }
};
} // namespace
