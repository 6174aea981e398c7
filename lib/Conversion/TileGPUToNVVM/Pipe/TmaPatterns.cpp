// TMA copies. Descriptors become function arguments, passed by value as the
// hardware requires.
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct LowerTensorMap : OpConversionPattern<TensorMapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TensorMapOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto number = op->getAttrOfType<IntegerAttr>(tensorMapNumberName);
    Value map = tensorMapArgument(op, number.getInt());
    prefetch(rewriter, op, map);
    rewriter.replaceOp(op, map);
    return success();
  }

private:
  /// One thread prefetches a descriptor while others initialize mbarriers, to
  /// hide its latency from the first copy. LLVM lowers the intrinsic to two
  /// prefetches, one of a generic address.
  static void prefetch(OpBuilder &builder, TensorMapOp op, Value map) {
    Location loc = op.getLoc();
    PlanAttr plan = PlanAttr::of(op);
    auto leader = scf::IfOp::create(
        builder, loc,
        isThread(builder, loc,
                 plan.getProducer() ? plan.getConsumerThreads() : 0));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(leader.thenBlock());
    inlinePtx(builder, loc, TypeRange(), map, "prefetch.tensormap [$0];", "l");
  }
};

/// A box to copy: its offset in the buffer in bytes, and its row and column
/// offsets.
struct Box {
  int64_t bytes, row, column;
};
} // namespace

/// The boxes that fill a buffer, panel by panel; for a multicast those of the
/// first block.
static SmallVector<Box> boxesOf(TensorMapType map, SharedType buffer,
                                bool isMulticast) {
  ArrayRef<int64_t> shape = buffer.getShape(), box = map.getBox();
  int64_t elementBytes = map.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  int64_t boxRows = map.getRows();
  SmallVector<Box> boxes;
  for (int64_t column = 0; column < shape.back(); column += box.back())
    for (int64_t row = 0; row < (isMulticast ? boxRows : rows); row += boxRows)
      boxes.push_back(
          {(column * rows + row * box.back()) * elementBytes, row, column});
  return boxes;
}

/// A bit mask of the blocks of this cluster that are adjacent along an axis of
/// the grid, including this one.
static Value blocksAlong(OpBuilder &builder, Location loc, PlanAttr plan,
                         int64_t axis) {
  int64_t along = plan.getMulticastAlong(axis),
          apart = distanceAlong(plan, axis);
  int16_t mask = 0;
  for (int64_t block = 0; block < along; ++block)
    mask |= 1 << (block * apart);
  Value bits =
      LLVM::ConstantOp::create(builder, loc, builder.getI16IntegerAttr(mask));
  if (along == plan.getMulticast())
    return bits;
  // The first of them.
  Arithmetic math(builder, loc);
  Value first = math.mul(rankAlong(builder, loc, plan, 1 - axis),
                         distanceAlong(plan, 1 - axis));
  first = arith::TruncIOp::create(builder, loc, builder.getI16Type(), first);
  return arith::ShLIOp::create(builder, loc, bits, first);
}

namespace {
struct LowerTmaLoad : OpConversionPattern<TmaLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TmaLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ProducerLeader leader(rewriter, op);
    // Fastest axis first.
    SmallVector<Value> start;
    for (ValueRange index : llvm::reverse(adaptor.getIndices()))
      start.push_back(arith::IndexCastOp::create(
          rewriter, loc, rewriter.getI32Type(), index.front()));
    Value barrier = fullBarrier(rewriter, loc, adaptor.getPipe().front(),
                                adaptor.getCursor().front());
    auto cluster =
        LLVM::LLVMPointerType::get(rewriter.getContext(), clusterSharedSpace);
    // In a multicast each block copies the box of its rank.
    PlanAttr plan = PlanAttr::of(op);
    TensorMapType map = op.getMap().getType();
    size_t rowCoordinate = start.size() - 1 - map.getRowAxis();
    Value buffer = adaptor.getBuffer().front(), everybody;
    if (std::optional<uint64_t> axis = op.getMulticast()) {
      Arithmetic math(rewriter, loc);
      Value rank = rankAlong(rewriter, loc, plan, int64_t(*axis));
      int64_t boxRows = map.getRows(),
              rowBytes = map.getBox().back() *
                         map.getElementType().getIntOrFloatBitWidth() / 8;
      start[rowCoordinate] =
          math.add(start[rowCoordinate], math.mul(rank, boxRows));
      buffer = bytesBehind(rewriter, loc, buffer,
                           math.mul(rank, boxRows * rowBytes));
      everybody = blocksAlong(rewriter, loc, plan, int64_t(*axis));
    }
    for (const Box &box : boxesOf(map, op.getBuffer().getType(),
                                  op.getMulticast().has_value())) {
      SmallVector<Value> coordinates = start;
      auto move = [&](size_t axis, int64_t by) {
        if (by)
          coordinates[axis] = arith::AddIOp::create(
              rewriter, loc, coordinates[axis], i32Constant(rewriter, loc, by));
      };
      move(0, box.column);
      move(rowCoordinate, box.row);
      Value to = bytesBehind(rewriter, loc, buffer, box.bytes);
      to = LLVM::AddrSpaceCastOp::create(rewriter, loc, cluster, to);
      NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
          rewriter, loc, to, adaptor.getMap().front(), coordinates, barrier,
          /*im2colOffsets=*/ValueRange(), /*multicastMask=*/everybody,
          /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE,
          /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateTmaPatterns(const ThreadTypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<LowerTensorMap, LowerTmaLoad>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
