// Constant tiles: a splat is a value; other constants are in global memory, and
// each thread loads its own elements. Also globals that pointers address.
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The constant's elements in row-major order, in their memory type.
static DenseElementsAttr flatten(DenseElementsAttr value) {
  value = inMemory(value);
  return value.reshape(
      RankedTensorType::get({value.getNumElements()}, value.getElementType()));
}

static LLVM::GlobalOp makeGlobal(OpBuilder &builder, Operation *op,
                                 ModuleOp module, DenseElementsAttr elements,
                                 const Twine &name, bool isConstant,
                                 int64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(elements.getElementType(),
                                       elements.getNumElements());
  return LLVM::GlobalOp::create(builder, op->getLoc(), type, isConstant,
                                LLVM::Linkage::Internal, name.str(), elements,
                                uint64_t(alignment), globalSpace);
}

/// A global with these elements; equal constants are shared.
static LLVM::GlobalOp getGlobal(OpBuilder &builder, Operation *op,
                                DenseElementsAttr elements,
                                int64_t alignment = 16) {
  constexpr StringLiteral prefix = "tilegpt_constant_";
  auto module = op->getParentOfType<ModuleOp>();
  int64_t number = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (!global.getSymName().starts_with(prefix))
      continue;
    if (global.getValueOrNull() == elements &&
        global.getAlignment().value_or(1) >= uint64_t(alignment))
      return global;
    ++number;
  }
  return makeGlobal(builder, op, module, elements, prefix + Twine(number),
                    /*isConstant=*/true, alignment);
}

/// The global of this name that all blocks of the kernel, or of all kernels of
/// the program, may write.
static LLVM::GlobalOp getShared(OpBuilder &builder, tile::DataOp op,
                                DenseElementsAttr elements) {
  auto module = op->getParentOfType<ModuleOp>();
  const StringRef prefix =
      op->hasAttr(tile::programAttr) ? "tilegpt_program_" : "tilegpt_shared_";
  const std::string name = (prefix + *op.getShared()).str();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(name))
    return global;
  return makeGlobal(builder, op, module, elements, name, /*isConstant=*/false,
                    op.getAlignment());
}

namespace {
struct LowerConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LayoutAttr layout = LayoutAttr::of(op.getType());
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!layout || !value)
      return rewriter.notifyMatchFailure(op, "is not a tile");
    if (auto splat = dyn_cast<SplatElementsAttr>(value)) {
      Value scalar = arith::ConstantOp::create(
          rewriter, op.getLoc(), splat.getSplatValue<TypedAttr>());
      rewriter.replaceOpWithMultiple(
          op, {SmallVector<Value>(layout.getNumRegisters(), scalar)});
      return success();
    }
    rewriter.replaceOpWithMultiple(op, {readElements(rewriter, op, value)});
    return success();
  }

private:
  static SmallVector<Value> readElements(OpBuilder &builder,
                                         arith::ConstantOp op,
                                         DenseElementsAttr value) {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    DenseElementsAttr elements = flatten(value);
    auto pointer =
        LLVM::LLVMPointerType::get(builder.getContext(), globalSpace);
    Value start = LLVM::AddressOfOp::create(
        builder, loc, pointer,
        getGlobal(builder, op, elements).getSymNameAttr());
    ThreadTile tile(builder, loc, type);
    SmallVector<Value> registers;
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      Value index = indexConstant(builder, loc, 0);
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        index = arith::AddIOp::create(
            builder, loc,
            arith::MulIOp::create(
                builder, loc, index,
                indexConstant(builder, loc, type.getDimSize(axis))),
            tile.getCoordinate(reg, axis));
      // Padding reads the last element.
      if (tile.isPadding(reg) || tile.isInside(reg))
        index = arith::MinUIOp::create(
            builder, loc, index,
            indexConstant(builder, loc, type.getNumElements() - 1));
      Value offset =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
      Value address =
          LLVM::GEPOp::create(builder, loc, pointer, elements.getElementType(),
                              start, ArrayRef<LLVM::GEPArg>(offset));
      Value element = LLVM::LoadOp::create(builder, loc,
                                           elements.getElementType(), address);
      registers.push_back(
          fromMemory(builder, loc, element, type.getElementType()));
    }
    return registers;
  }
};

struct LowerData : OpConversionPattern<tile::DataOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DataOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto elements = flatten(cast<DenseElementsAttr>(op.getValue()));
    LLVM::GlobalOp global =
        op.getShared() ? getShared(rewriter, op, elements)
                       : getGlobal(rewriter, op, elements, op.getAlignment());
    rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(
        op, LLVM::LLVMPointerType::get(getContext(), globalSpace),
        global.getSymNameAttr());
    return success();
  }
};
} // namespace

void populateConstantPatterns(const ThreadTypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<LowerConstant, LowerData>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
