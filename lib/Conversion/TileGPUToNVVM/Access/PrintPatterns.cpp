// tile.print: calls the driver's vprintf once per element, from the thread with
// the primary copy. Arguments are on the thread's stack, eight bytes each.
#include "Access/OrderedAccess.h"
#include "TileGPT/Conversion/TileToArith/PrintedValue.h"
#include "TileGPT/Dialect/Tile/IR/PrintFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t argumentBytes = 8;

/// The driver's function: `i32 vprintf(ptr format, ptr arguments)`.
static LLVM::LLVMFuncOp getVprintf(OpBuilder &builder, ModuleOp module) {
  constexpr StringLiteral name = "vprintf";
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), name,
      LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointer, pointer}));
}

/// The address of a zero-terminated string; equal ones are shared.
static Value getText(OpBuilder &builder, Location loc, ModuleOp module,
                     StringRef text) {
  constexpr StringLiteral prefix = "tilegpt_format_";
  StringAttr value = builder.getStringAttr(text + Twine('\0'));
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()),
       inGlobal = LLVM::LLVMPointerType::get(builder.getContext(), globalSpace);
  int64_t number = 0;
  LLVM::GlobalOp found;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (!global.getSymName().starts_with(prefix))
      continue;
    if (global.getValueOrNull() == value)
      found = global;
    ++number;
  }
  if (!found) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    found = LLVM::GlobalOp::create(
        builder, loc,
        LLVM::LLVMArrayType::get(builder.getI8Type(), value.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal,
        (prefix + Twine(number)).str(), value, /*alignment=*/1, globalSpace);
  }
  Value address =
      LLVM::AddressOfOp::create(builder, loc, inGlobal, found.getSymNameAttr());
  return LLVM::AddrSpaceCastOp::create(builder, loc, pointer, address);
}

namespace {
struct LowerPrint : OpConversionPattern<tile::PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::PrintOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<ModuleOp>();
    LLVM::LLVMFuncOp vprintf = getVprintf(rewriter, module);
    Value format =
        getText(rewriter, loc, module, llvm::join(tile::printfPieces(op), ""));
    auto isTile = [](Value value) {
      return isa<RankedTensorType>(value.getType());
    };
    auto values = op.getValues();
    auto shaped = llvm::find_if(values, isTile);
    auto print = [&](Value guard, ArrayRef<Value> coordinates, int64_t reg) {
      OpBuilder::InsertionGuard insertion(rewriter);
      if (guard) {
        auto branch = scf::IfOp::create(rewriter, loc, guard);
        rewriter.setInsertionPointToStart(branch.thenBlock());
      }
      SmallVector<Value> arguments;
      for (Value coordinate : coordinates)
        arguments.push_back(arith::IndexCastOp::create(
            rewriter, loc, rewriter.getI32Type(), coordinate));
      for (auto [number, parts] : llvm::enumerate(adaptor.getValues()))
        arguments.push_back(tile::printedValue(
            rewriter, op, number,
            isTile(values[number]) ? parts[reg] : parts.front()));
      call(rewriter, loc, vprintf, format, arguments);
    };
    if (shaped == values.end()) {
      Value zero = indexConstant(rewriter, loc, 0);
      print(arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                  threadNumber(rewriter, loc), zero),
            {}, 0);
    } else {
      ThreadTile tile(rewriter, loc,
                      cast<RankedTensorType>((*shaped).getType()));
      Value isFirstCopy = tile.isFirstCopy();
      for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg)
        if (!tile.isPadding(reg))
          print(allOf(rewriter, loc, {tile.isInside(reg), isFirstCopy}),
                tile.getCoordinates(reg), reg);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void call(OpBuilder &builder, Location loc, LLVM::LLVMFuncOp vprintf,
                   Value format, ArrayRef<Value> arguments) {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value place = LLVM::ZeroOp::create(builder, loc, pointer);
    if (!arguments.empty()) {
      Value count = LLVM::ConstantOp::create(
          builder, loc, builder.getI64IntegerAttr(int64_t(arguments.size())));
      place = LLVM::AllocaOp::create(
          builder, loc, pointer, builder.getI64Type(), count, argumentBytes);
    }
    for (auto [number, argument] : llvm::enumerate(arguments)) {
      Value slot =
          LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(),
                              place, ArrayRef<LLVM::GEPArg>(int32_t(number)));
      LLVM::StoreOp::create(builder, loc, argument, slot);
    }
    LLVM::CallOp::create(builder, loc, vprintf, ValueRange{format, place});
  }
};
} // namespace

void populatePrintPatterns(const ThreadTypeConverter &converter,
                           RewritePatternSet &patterns) {
  patterns.add<LowerPrint>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
