// Gives i1 elements in memory the type of the byte that they take, since
// vectors of i1 are packed bits.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_CARRYBITSASBYTES
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

static bool holdsBits(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.getElementType().isInteger(1);
}

static Value toByte(OpBuilder &builder, Value bit) {
  return arith::ExtUIOp::create(builder, bit.getLoc(), builder.getI8Type(),
                                bit);
}

/// Makes a value a byte, which its uses read as a bit.
static void becomeByte(OpBuilder &builder, Value value) {
  if (!value.use_empty()) {
    auto bit = arith::TruncIOp::create(builder, value.getLoc(),
                                       builder.getI1Type(), value);
    value.replaceAllUsesExcept(bit, bit);
  }
  value.setType(builder.getI8Type());
}

static void convertBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  for (OpOperand &operand : op->getOpOperands())
    if (holdsBits(operand.get()))
      becomeByte(builder, op.getMatchingBlockArgument(&operand));
  Operation *yield = body->getTerminator();
  builder.setInsertionPoint(yield);
  for (auto [result, out] :
       llvm::zip_equal(yield->getOpOperands(), op.getDpsInits()))
    if (holdsBits(out))
      result.set(toByte(builder, result.get()));
}

static void convertAccess(Operation *op) {
  OpBuilder builder(op);
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    store.getValueMutable().set(toByte(builder, store.getValue()));
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    builder.setInsertionPointAfter(op);
    becomeByte(builder, load.getResult());
  } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    convertBody(linalgOp);
  }
}

static void convertContents(memref::GlobalOp global) {
  auto bits = dyn_cast_or_null<DenseElementsAttr>(
      global.getInitialValue().value_or(Attribute()));
  if (!bits || !bits.getElementType().isInteger(1))
    return;
  Builder builder(global.getContext());
  global.setInitialValueAttr(bits.mapValues(
      builder.getI8Type(), [](const APInt &bit) { return bit.zext(8); }));
}

namespace {
struct CarryBitsAsBytes
    : tilegpt::cpu::impl::CarryBitsAsBytesBase<CarryBitsAsBytes> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp>(op) &&
          llvm::any_of(op->getOperands(), holdsBits))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::generalizeNamedOp(rewriter, op))) {
        op->emitOpError("has no general form");
        return signalPassFailure();
      }
    }
    SmallVector<Operation *> accesses;
    getOperation().walk([&](Operation *op) {
      if (llvm::any_of(op->getOperands(), holdsBits))
        accesses.push_back(op);
    });
    llvm::for_each(accesses, convertAccess);
    getOperation().walk(convertContents);

    AttrTypeReplacer replacer;
    replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
      if (!type.getElementType().isInteger(1))
        return std::nullopt;
      return MemRefType(MemRefType::Builder(type).setElementType(
          IntegerType::get(type.getContext(), 8)));
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }
};
} // namespace
