// Pointers become memrefs of one element, whose buffer and offset give the
// address. Accesses by offset are scalar, through LLVM pointers, with the
// host's atomics.
#include "TileGPT/Conversion/TileToArith/AtomicUpdate.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Conversion/TileToArith/PadValue.h"
#include "TileToLinalg.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;
using tile::MemoryOrder;

namespace {
struct LowerBase : OpConversionPattern<tile::BaseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::BaseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto parts = memref::ExtractStridedMetadataOp::create(rewriter, loc,
                                                          adaptor.getView());
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, cast<MemRefType>(getTypeConverter()->convertType(op.getType())),
        parts.getBaseBuffer(), OpFoldResult(parts.getOffset()),
        ArrayRef<OpFoldResult>(), ArrayRef<OpFoldResult>());
    return success();
  }
};

/// The address of a memref of one element, in bytes, as an index.
Value addressOf(OpBuilder &builder, Location loc, Value pointer) {
  auto parts = memref::ExtractStridedMetadataOp::create(builder, loc, pointer);
  Value start =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, pointer);
  const int64_t bytes =
      memoryBytes(cast<MemRefType>(pointer.getType()).getElementType());
  Value behind = builder.createOrFold<arith::MulIOp>(
      loc, parts.getOffset(), indexConstant(builder, loc, bytes));
  return arith::AddIOp::create(builder, loc, start, behind);
}

struct LowerPtrToInt : OpConversionPattern<tile::PtrToIntOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::PtrToIntOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(
        op, op.getType(),
        addressOf(rewriter, op.getLoc(), adaptor.getPointer()));
    return success();
  }
};

/// A memref with the descriptor of a pointer argument.
struct LowerIntToPtr : OpConversionPattern<tile::IntToPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::IntToPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(getContext());
    auto i64 = rewriter.getI64Type();
    auto type =
        LLVM::LLVMStructType::getLiteral(getContext(), {pointer, pointer, i64});
    Value address =
        LLVM::IntToPtrOp::create(rewriter, loc, pointer, adaptor.getAddress());
    Value zero = LLVM::ConstantOp::create(rewriter, loc, i64, 0);
    Value descriptor = LLVM::PoisonOp::create(rewriter, loc, type);
    const Value parts[] = {address, address, zero};
    for (auto [place, part] : llvm::enumerate(parts))
      descriptor = LLVM::InsertValueOp::create(rewriter, loc, descriptor, part,
                                               int64_t(place));
    rewriter.replaceOpWithNewOp<UnrealizedConversionCastOp>(
        op, getTypeConverter()->convertType(op.getType()), descriptor);
    return success();
  }
};

/// Selects one of two pointers.
struct LowerChoice : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(),
                                                 adaptor.getTrueValue(),
                                                 adaptor.getFalseValue());
    return success();
  }
};

struct LowerViewAt : OpConversionPattern<tile::ViewAtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ViewAtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto parts = memref::ExtractStridedMetadataOp::create(rewriter, loc,
                                                          adaptor.getBase());
    SmallVector<OpFoldResult> sizes =
        getMixedValues(op.getStaticSizes(), adaptor.getSizes(), rewriter);
    SmallVector<OpFoldResult> strides;
    if (op.getStaticStrides()) {
      strides = getMixedValues(*op.getStaticStrides(), adaptor.getStrides(),
                               rewriter);
    } else {
      Value stride = indexConstant(rewriter, loc, 1);
      for (OpFoldResult size : llvm::reverse(sizes)) {
        strides.push_back(getAsOpFoldResult(stride));
        stride = rewriter.createOrFold<arith::MulIOp>(
            loc, stride, getValueOrCreateConstantIndexOp(rewriter, loc, size));
      }
      std::reverse(strides.begin(), strides.end());
    }
    // Static sizes and strides of the type are also used as constants.
    MemRefType type = memoryType(op.getType());
    for (auto [axis, stride] :
         llvm::enumerate(type.getStridesAndOffset().first)) {
      if (!ShapedType::isDynamic(stride))
        strides[axis] = rewriter.getIndexAttr(stride);
      else if (auto known = getConstantIntValue(strides[axis]))
        strides[axis] = indexConstant(rewriter, loc, *known);
      if (!type.isDynamicDim(axis))
        sizes[axis] = rewriter.getIndexAttr(type.getDimSize(axis));
      else if (auto known = getConstantIntValue(sizes[axis]))
        sizes[axis] = indexConstant(rewriter, loc, *known);
    }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, parts.getBaseBuffer(), OpFoldResult(parts.getOffset()), sizes,
        strides);
    return success();
  }
};

/// The addresses of an access's elements.
class Elements {
public:
  /// \param pointer  a memref of one element.
  Elements(OpBuilder &builder, Location loc, Value pointer, Value offsets,
           Value mask)
      : loc(loc), offsets(offsets), mask(mask),
        bytes(
            memoryBytes(cast<MemRefType>(pointer.getType()).getElementType())) {
    base = addressOf(builder, loc, pointer);
  }

  /// Calls a function for every active element.
  void forEach(
      OpBuilder &builder,
      function_ref<void(OpBuilder &, Value address, ValueRange)> body) const {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(offsets.getType()).getShape();
    forEachElement(builder, loc, shape, [&](OpBuilder &nested, ValueRange at) {
      if (!mask)
        return body(nested, addressAt(nested, at), at);
      Value takesPart = tensor::ExtractOp::create(nested, loc, mask, at);
      auto choose = scf::IfOp::create(nested, loc, takesPart);
      OpBuilder then = choose.getThenBodyBuilder();
      body(then, addressAt(then, at), at);
    });
  }

private:
  Value addressAt(OpBuilder &builder, ValueRange at) const {
    Value offset = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(),
        tensor::ExtractOp::create(builder, loc, offsets, at));
    Value distance = arith::MulIOp::create(builder, loc, offset,
                                           indexConstant(builder, loc, bytes));
    Value address = arith::AddIOp::create(builder, loc, base, distance);
    Value word =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
    return LLVM::IntToPtrOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), word);
  }

  Location loc;
  Value offsets, mask, base;
  int64_t bytes;
};
} // namespace

/// The type in which an element moves: an integer of its size.
static IntegerType bitsOf(Builder &builder, Type element) {
  return builder.getIntegerType(8 * memoryBytes(element));
}

static Value toBits(OpBuilder &builder, Location loc, Value element) {
  Value held = tilegpu::toMemory(builder, loc, element);
  Type bits = bitsOf(builder, element.getType());
  return held.getType() == bits
             ? held
             : arith::BitcastOp::create(builder, loc, bits, held);
}

static Value fromBits(OpBuilder &builder, Location loc, Value bits,
                      Type element) {
  Type held = tilegpu::typeInMemory(element);
  if (bits.getType() != held)
    bits = arith::BitcastOp::create(builder, loc, held, bits);
  return tilegpu::fromMemory(builder, loc, bits, element);
}

/// Of one access; a weak one has none.
static LLVM::AtomicOrdering orderingOf(MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Weak:
    return LLVM::AtomicOrdering::not_atomic;
  case MemoryOrder::Relaxed:
    return LLVM::AtomicOrdering::monotonic;
  case MemoryOrder::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case MemoryOrder::Release:
    return LLVM::AtomicOrdering::release;
  case MemoryOrder::AcqRel:
    return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("all orders are handled");
}

/// The order of an update's initial load: store ordering is attached to the
/// update.
/// the update.
static LLVM::AtomicOrdering orderingOfFailure(MemoryOrder order) {
  bool acquires = order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel;
  return acquires ? LLVM::AtomicOrdering::acquire
                  : LLVM::AtomicOrdering::monotonic;
}

/// A buffer for the result of an access, filled with `pad` if there is a mask.
static Value makeScratch(OpBuilder &builder, Location loc,
                         RankedTensorType type, Value mask, TypedAttr pad) {
  Value scratch = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()));
  if (mask)
    linalg::FillOp::create(
        builder, loc, arith::ConstantOp::create(builder, loc, pad).getResult(),
        scratch);
  return scratch;
}

static Value tensorOf(OpBuilder &builder, Location loc, RankedTensorType type,
                      Value scratch) {
  return bufferization::ToTensorOp::create(
      builder, loc, type, scratch, /*restrict=*/true, /*writable=*/true);
}

namespace {
struct LowerLoadAt : OpConversionPattern<tile::LoadAtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::LoadAtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getResult().getType();
    Type element = type.getElementType();
    Elements elements(rewriter, loc, adaptor.getBase(), adaptor.getOffsets(),
                      adaptor.getMask());
    Value scratch = makeScratch(rewriter, loc, type, adaptor.getMask(),
                                tile::padValue(op.getPad(), element));
    elements.forEach(
        rewriter, [&](OpBuilder &builder, Value address, ValueRange at) {
          Value bits = LLVM::LoadOp::create(
              builder, loc, bitsOf(builder, element), address,
              memoryBytes(element), /*isVolatile=*/false,
              /*isNonTemporal=*/false, /*isInvariant=*/false,
              /*isInvariantGroup=*/false, orderingOf(op.getOrder()));
          memref::StoreOp::create(
              builder, loc, fromBits(builder, loc, bits, element), scratch, at);
        });
    rewriter.replaceOp(op, tensorOf(rewriter, loc, type, scratch));
    return success();
  }
};

struct LowerStoreAt : OpConversionPattern<tile::StoreAtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::StoreAtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getValue().getType().getElementType();
    Elements elements(rewriter, loc, adaptor.getBase(), adaptor.getOffsets(),
                      adaptor.getMask());
    elements.forEach(
        rewriter, [&](OpBuilder &builder, Value address, ValueRange at) {
          Value value =
              tensor::ExtractOp::create(builder, loc, adaptor.getValue(), at);
          LLVM::StoreOp::create(builder, loc, toBits(builder, loc, value),
                                address, memoryBytes(element),
                                /*isVolatile=*/false, /*isNonTemporal=*/false,
                                /*isInvariantGroup=*/false,
                                orderingOf(op.getOrder()));
        });
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

/// Replaces the value at an address if it has the bits of `expected`.
/// \returns the old value, and whether it was replaced.
static std::pair<Value, Value> exchange(OpBuilder &builder, Location loc,
                                        Value address, Value expected,
                                        Value value, MemoryOrder order) {
  Value pair = LLVM::AtomicCmpXchgOp::create(builder, loc, address, expected,
                                             value, orderingOf(order),
                                             orderingOfFailure(order));
  return {LLVM::ExtractValueOp::create(builder, loc, pair, 0),
          LLVM::ExtractValueOp::create(builder, loc, pair, 1)};
}

/// An addition of f16 or bf16, for which the host has no atomic: a
/// compare-exchange loop.
static Value addNarrow(OpBuilder &builder, Location loc, Value address,
                       Value value, MemoryOrder order) {
  Type element = value.getType(), bits = bitsOf(builder, element);
  Value first = LLVM::LoadOp::create(
      builder, loc, bits, address, memoryBytes(element), /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange(bits), ValueRange(first),
      [&](OpBuilder &nested, Location loc, ValueRange seen) {
        Value old = arith::BitcastOp::create(nested, loc, element, seen[0]);
        Value sum = arith::AddFOp::create(nested, loc, old, value);
        auto [held, isDone] =
            exchange(nested, loc, address, seen[0],
                     arith::BitcastOp::create(nested, loc, bits, sum), order);
        Value yes = arith::ConstantIntOp::create(nested, loc, 1, /*width=*/1);
        Value again = arith::XOrIOp::create(nested, loc, isDone, yes);
        scf::ConditionOp::create(nested, loc, again, held);
      },
      [&](OpBuilder &nested, Location loc, ValueRange held) {
        scf::YieldOp::create(nested, loc, held);
      });
  return arith::BitcastOp::create(builder, loc, element, loop.getResult(0));
}

static Value emitStep(OpBuilder &builder, tile::AtomicRMWOp op,
                      tile::AtomicRMWOp::Adaptor adaptor, Value address,
                      ValueRange at) {
  Location loc = op.getLoc();
  Value value = tensor::ExtractOp::create(builder, loc, adaptor.getValue(), at);
  if (isa<FloatType>(value.getType()) &&
      value.getType().getIntOrFloatBitWidth() < 32)
    return addNarrow(builder, loc, address, value, op.getOrder());
  return LLVM::AtomicRMWOp::create(builder, loc,
                                   tile::binOpOf(op.getKind(), value.getType()),
                                   address, value, orderingOf(op.getOrder()));
}

static Value emitStep(OpBuilder &builder, tile::AtomicCASOp op,
                      tile::AtomicCASOp::Adaptor adaptor, Value address,
                      ValueRange at) {
  Location loc = op.getLoc();
  auto elementOf = [&](Value tile) {
    return toBits(builder, loc,
                  tensor::ExtractOp::create(builder, loc, tile, at));
  };
  Value held = exchange(builder, loc, address, elementOf(adaptor.getExpected()),
                        elementOf(adaptor.getValue()), op.getOrder())
                   .first;
  return fromBits(builder, loc, held,
                  op.getResult().getType().getElementType());
}

namespace {
template <typename OpT>
struct LowerAtomic : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<OpT>::OpAdaptor;
  LogicalResult
  matchAndRewrite(OpT op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getResult().getType();
    Elements elements(rewriter, loc, adaptor.getBase(), adaptor.getOffsets(),
                      adaptor.getMask());
    Value scratch = makeScratch(rewriter, loc, type, adaptor.getMask(),
                                rewriter.getZeroAttr(type.getElementType()));
    elements.forEach(rewriter,
                     [&](OpBuilder &builder, Value address, ValueRange at) {
                       Value old = emitStep(builder, op, adaptor, address, at);
                       memref::StoreOp::create(builder, loc, old, scratch, at);
                     });
    rewriter.replaceOp(op, tensorOf(rewriter, loc, type, scratch));
    return success();
  }
};
} // namespace

void cpu::populatePointerPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<LowerBase, LowerPtrToInt, LowerIntToPtr, LowerChoice,
               LowerViewAt, LowerLoadAt, LowerStoreAt,
               LowerAtomic<tile::AtomicRMWOp>, LowerAtomic<tile::AtomicCASOp>>(
      converter, patterns.getContext());
}
