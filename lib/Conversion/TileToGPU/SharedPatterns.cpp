// tile_gpu.write and tile_gpu.read: each thread moves the registers it holds,
// as many neighbours at a time as 16 bytes take.
#include "SharedTile.h"
#include "ThreadPatterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// A tile in registers beside a buffer of its shape.
struct Transfer {
  Transfer(OpBuilder &builder, Location loc, RankedTensorType type,
           SharedType bufferType, Value buffer)
      : tile(builder, loc, type),
        shared(builder, loc, bufferType, buffer, basesOf(tile)), vector(1) {
    if (type.getRank() == 0)
      return;
    int64_t last = type.getRank() - 1;
    // What divides the row as well lies inside the tile or outside as a whole.
    vector = std::gcd(
        std::gcd(tile.getLayout().getVectorSize(last), type.getDimSize(last)),
        SharedTile::getVectorSize(bufferType));
  }

  static SmallVector<Value> basesOf(ThreadTile &tile) {
    SmallVector<Value> bases;
    for (int64_t axis = 0; axis < tile.getRank(); ++axis)
      bases.push_back(tile.getBase(axis));
    return bases;
  }

  ThreadTile tile;
  SharedTile shared;
  int64_t vector; ///< registers moved at a time
};

struct LowerWrite : OpConversionPattern<WriteOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WriteOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Transfer transfer(rewriter, loc,
                      cast<RankedTensorType>(op.getValue().getType()),
                      op.getBuffer().getType(), adaptor.getBuffer().front());
    SmallVector<Value> registers(adaptor.getValue());
    for (int64_t reg = 0; reg < transfer.tile.getNumRegisters();
         reg += transfer.vector) {
      if (transfer.tile.isPhantom(reg))
        continue;
      OpBuilder::InsertionGuard guard(rewriter);
      if (Value inside = transfer.tile.isInside(reg)) {
        auto then = scf::IfOp::create(rewriter, loc, inside);
        rewriter.setInsertionPointToStart(&then.getThenRegion().front());
      }
      transfer.shared.store(transfer.tile.getOffset(reg),
                            ArrayRef(registers).slice(reg, transfer.vector));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerRead : OpConversionPattern<ReadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getBuffer().getType().getElementType();
    Transfer transfer(rewriter, loc,
                      cast<RankedTensorType>(op.getResult().getType()),
                      op.getBuffer().getType(), adaptor.getBuffer().front());
    SmallVector<Value> registers;
    for (int64_t reg = 0; reg < transfer.tile.getNumRegisters();
         reg += transfer.vector) {
      Value inside =
          transfer.tile.isPhantom(reg) ? Value() : transfer.tile.isInside(reg);
      SmallVector<Value> values(transfer.vector);
      if (transfer.tile.isPhantom(reg)) {
        Value nothing = LLVM::PoisonOp::create(rewriter, loc, element);
        values.assign(transfer.vector, nothing);
      } else if (!inside) {
        values =
            transfer.shared.load(transfer.tile.getOffset(reg), transfer.vector);
      } else {
        // The place of a phantom may lie outside the block's memory.
        SmallVector<Type> types(transfer.vector, element);
        auto choice = scf::IfOp::create(rewriter, loc, types, inside,
                                        /*withElseRegion=*/true);
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(&choice.getThenRegion().front());
        scf::YieldOp::create(rewriter, loc,
                             transfer.shared.load(transfer.tile.getOffset(reg),
                                                  transfer.vector));
        rewriter.setInsertionPointToStart(&choice.getElseRegion().front());
        Value nothing = LLVM::PoisonOp::create(rewriter, loc, element);
        scf::YieldOp::create(rewriter, loc,
                             SmallVector<Value>(transfer.vector, nothing));
        values.assign(choice.getResults().begin(), choice.getResults().end());
      }
      registers.append(values);
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void populateSharedPatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns) {
  patterns.add<LowerWrite, LowerRead>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
