// Ops that move elements within a tile. If every thread already holds its
// elements, registers are renamed; otherwise the tile goes through shared
// memory.
#include "Access/TileTransfer.h"
#include "Shape/EmitWarpExchange.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

RankedTensorType typeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType());
}

/// Replaces an op by registers of its operand.
void replaceByRegisters(ConversionPatternRewriter &rewriter, Operation *op,
                        ValueRange source, const RegisterMap &map) {
  Type element = typeOf(op->getResult(0)).getElementType();
  Value padding;
  SmallVector<Value> registers;
  for (int64_t reg : map) {
    if (reg < 0 && !padding)
      padding = LLVM::PoisonOp::create(rewriter, op->getLoc(), element);
    registers.push_back(reg < 0 ? padding : source[reg]);
  }
  rewriter.replaceOpWithMultiple(op, {registers});
}

/// Runs `write` between two barriers: after previous reads of the scratch area,
/// and before anyone reads what was written.
void exchange(OpBuilder &builder, Operation *op, function_ref<void()> write) {
  emitScratchBarrier(builder, op);
  write();
  emitBarrier(builder, op->getLoc());
}

/// Slice indices as coordinates.
SmallVector<Value> originOf(OpBuilder &builder, Location loc,
                            ArrayRef<ValueRange> indices,
                            ArrayRef<int64_t> sizes) {
  SmallVector<Value> origin;
  for (auto [index, size] : llvm::zip_equal(indices, sizes))
    origin.push_back(arith::MulIOp::create(builder, loc, index.front(),
                                           indexConstant(builder, loc, size)));
  return origin;
}

/// expand_dims, permute and broadcast: register renaming, or an error.
template <typename Op>
struct LowerRenaming : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;
  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<RegisterMap> map = findRelabeling(op);
    if (!map)
      return op.emitOpError("expected every thread to hold what it needs for "
                            "the result ")
             << op.getType() << ", found the source "
             << op.getSource().getType()
             << "; convert the source with tile_gpu.convert_layout";
    replaceByRegisters(rewriter, op, adaptor.getSource(), *map);
    return success();
  }
};

/// convert_layout and reshape: register renaming, or through scratch in
/// row-major order, with padded rows. A convert_layout within warps goes piece
/// by piece.
template <typename Op>
struct LowerExchange : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;
  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (std::optional<RegisterMap> map = findRelabeling(op)) {
      replaceByRegisters(rewriter, op, adaptor.getSource(), *map);
      return success();
    }
    Location loc = op.getLoc();
    RankedTensorType source = typeOf(op.getSource()),
                     result = typeOf(op.getResult());
    if constexpr (std::is_same_v<Op, ConvertLayoutOp>)
      if (auto warps = WarpExchange::between(source, result)) {
        emitScratchBarrier(rewriter, op);
        rewriter.replaceOpWithMultiple(
            op, {emitWarpExchange(rewriter, loc, *warps,
                                  scratchPointer(rewriter, op),
                                  adaptor.getSource())});
        return success();
      }
    SharedType written = getExchangeBuffer(op), read = written;
    if constexpr (std::is_same_v<Op, tile::ReshapeOp>) {
      ReshapeExchange matrices(op);
      source = matrices.source;
      result = matrices.result;
      read = matrices.read;
    }
    Value pointer = scratchPointer(rewriter, op);
    exchange(rewriter, op, [&] {
      TileTransfer(rewriter, loc, source, written, pointer)
          .write(adaptor.getSource());
    });
    rewriter.replaceOpWithMultiple(
        op, {TileTransfer(rewriter, loc, result, read, pointer).read()});
    return success();
  }
};

struct LowerCat : OpConversionPattern<tile::CatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::CatOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (std::optional<RegisterMap> map = findRelabeling(op)) {
      SmallVector<Value> parts(adaptor.getLhs());
      llvm::append_range(parts, adaptor.getRhs());
      replaceByRegisters(rewriter, op, parts, *map);
      return success();
    }
    Location loc = op.getLoc();
    RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs());
    SharedType buffer = getExchangeBuffer(op);
    Value pointer = scratchPointer(rewriter, op);
    int64_t axis = op.getAxis(), size = lhs.getDimSize(axis);
    SmallVector<Value> origin(lhs.getRank(), indexConstant(rewriter, loc, 0));
    origin[axis] = indexConstant(rewriter, loc, size);
    int64_t alignment = axis == lhs.getRank() - 1 ? size : 0;
    exchange(rewriter, op, [&] {
      TileTransfer(rewriter, loc, lhs, buffer, pointer).write(adaptor.getLhs());
      TileTransfer(rewriter, loc, rhs, buffer, pointer, origin, alignment)
          .write(adaptor.getRhs());
    });
    TileTransfer reader(rewriter, loc, typeOf(op.getResult()), buffer, pointer);
    rewriter.replaceOpWithMultiple(op, {reader.read()});
    return success();
  }
};

struct LowerExtract : OpConversionPattern<tile::ExtractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ExtractOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (std::optional<RegisterMap> map = findRelabeling(op)) {
      replaceByRegisters(rewriter, op, adaptor.getSource(), *map);
      return success();
    }
    Location loc = op.getLoc();
    RankedTensorType piece = typeOf(op.getResult());
    SharedType buffer = getExchangeBuffer(op);
    Value pointer = scratchPointer(rewriter, op);
    exchange(rewriter, op, [&] {
      TileTransfer(rewriter, loc, typeOf(op.getSource()), buffer, pointer)
          .write(adaptor.getSource());
    });
    TileTransfer reader(
        rewriter, loc, piece, buffer, pointer,
        originOf(rewriter, loc, adaptor.getIndices(), piece.getShape()));
    rewriter.replaceOpWithMultiple(op, {reader.read()});
    return success();
  }
};

/// The slice goes through scratch; a thread reads it where it holds a replaced
/// element.
struct LowerInsert : OpConversionPattern<tile::InsertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::InsertOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType piece = typeOf(op.getSource()),
                     result = typeOf(op.getResult());
    if (op.getDest().getType() != result)
      return op.emitOpError("expected dest and result of one layout, found ")
             << op.getDest().getType() << " and " << result
             << "; convert dest with tile_gpu.convert_layout";
    SharedType buffer = getExchangeBuffer(op);
    Value pointer = scratchPointer(rewriter, op);
    exchange(rewriter, op, [&] {
      TileTransfer(rewriter, loc, piece, buffer, pointer)
          .write(adaptor.getSource());
    });

    ThreadTile tile(rewriter, loc, result);
    int64_t rank = result.getRank();
    SmallVector<Value> bases;
    for (auto [axis, start] : llvm::enumerate(
             originOf(rewriter, loc, adaptor.getIndices(), piece.getShape())))
      bases.push_back(
          arith::SubIOp::create(rewriter, loc, tile.getBase(axis), start));
    SharedTile shared(rewriter, loc, buffer, pointer, bases);
    // A slice starts at a multiple of its size.
    int64_t vector = rank == 0 ? 1
                               : getAccessVector(tile.getLayout(), buffer,
                                                 piece.getShape().back());
    SmallVector<Value> registers(adaptor.getDest());
    for (int64_t reg = 0; reg < tile.getNumRegisters(); reg += vector) {
      if (tile.isPadding(reg))
        continue;
      SmallVector<int64_t> offset = tile.getOffset(reg);
      auto choice = scf::IfOp::create(
          rewriter, loc, SmallVector<Type>(vector, result.getElementType()),
          isWithin(rewriter, loc, bases, offset, piece.getShape()),
          /*withElseRegion=*/true);
      MutableArrayRef<Value> group =
          MutableArrayRef(registers).slice(reg, vector);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&choice.getThenRegion().front());
      scf::YieldOp::create(rewriter, loc, shared.load(offset, vector));
      rewriter.setInsertionPointToStart(&choice.getElseRegion().front());
      scf::YieldOp::create(rewriter, loc, group);
      llvm::copy(choice.getResults(), group.begin());
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

private:
  /// Whether 0 <= base + offset < size along every axis.
  static Value isWithin(OpBuilder &builder, Location loc, ValueRange bases,
                        ArrayRef<int64_t> offset, ArrayRef<int64_t> shape) {
    Value within = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
    for (auto [base, distance, size] : llvm::zip_equal(bases, offset, shape)) {
      Value coordinate = arith::AddIOp::create(
          builder, loc, base, indexConstant(builder, loc, distance));
      // As unsigned, a negative number is a large one.
      Value isLess =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                coordinate, indexConstant(builder, loc, size));
      within = arith::AndIOp::create(builder, loc, within, isLess);
    }
    return within;
  }
};

/// One element for all threads: the register at the indices, broadcast by the
/// thread that holds it.
struct LowerExtractElement : OpConversionPattern<tensor::ExtractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tensor::ExtractOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = typeOf(op.getTensor());
    ThreadTile tile(rewriter, loc, type);
    SmallVector<Value> indices;
    for (ValueRange index : adaptor.getIndices())
      indices.push_back(index.front());
    ValueRange registers = adaptor.getTensor();

    Value element, isHere;
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      if (tile.isPadding(reg))
        continue;
      Value matches = isAt(rewriter, loc, tile, reg, indices);
      element = element ? rewriter.createOrFold<arith::SelectOp>(
                              loc, matches, registers[reg], element)
                        : registers[reg];
      isHere = isHere
                   ? rewriter.createOrFold<arith::OrIOp>(loc, isHere, matches)
                   : matches;
    }
    SharedType buffer = getExchangeBuffer(op);
    if (!buffer) {
      rewriter.replaceOp(op, element);
      return success();
    }
    SharedTile shared(rewriter, loc, buffer, scratchPointer(rewriter, op), {});
    exchange(rewriter, op, [&] {
      if (Value isFirst = tile.isFirstCopy())
        isHere = arith::AndIOp::create(rewriter, loc, isHere, isFirst);
      auto then = scf::IfOp::create(rewriter, loc, isHere);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&then.getThenRegion().front());
      shared.store({}, element);
    });
    rewriter.replaceOp(op, shared.load({}, 1).front());
    return success();
  }

private:
  static Value isAt(OpBuilder &builder, Location loc, ThreadTile &tile,
                    int64_t reg, ValueRange indices) {
    Value matches = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
    for (auto [axis, index] : llvm::enumerate(indices)) {
      Value isEqual = builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, tile.getCoordinate(reg, axis), index);
      matches = builder.createOrFold<arith::AndIOp>(loc, matches, isEqual);
    }
    return matches;
  }
};
} // namespace

void populateShapePatterns(const ThreadTypeConverter &converter,
                           RewritePatternSet &patterns) {
  patterns.add<LowerRenaming<tile::ExpandDimsOp>,
               LowerRenaming<tile::PermuteOp>, LowerRenaming<tile::BroadcastOp>,
               LowerExchange<tile::ReshapeOp>, LowerExchange<ConvertLayoutOp>,
               LowerCat, LowerExtract, LowerInsert, LowerExtractElement>(
      converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
