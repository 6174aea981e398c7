// Lowers casts to arith ops, print to calls of printf, and assert and assume to
// what the host needs of them.
#include "TileGPT/Conversion/TileToArith/PrintedValue.h"
#include "TileGPT/Dialect/Tile/IR/PrintFormat.h"
#include "TileToLinalg.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

namespace {
struct LowerCast : OpConversionPattern<tile::CastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    Value source = adaptor.getSource();
    Type from = getElementTypeOrSelf(source), to = type.getElementType();
    if (from == to) {
      rewriter.replaceOp(op, source);
      return success();
    }
    unsigned fromBits = from.getIntOrFloatBitWidth(),
             toBits = to.getIntOrFloatBitWidth();
    // Types of equal width are converted through f32, which represents them
    // exactly.
    if (fromBits == toBits) {
      auto wide = type.clone(rewriter.getF32Type());
      source = arith::ExtFOp::create(rewriter, op.getLoc(), wide, source);
      fromBits = 32;
    }
    if (fromBits < toBits)
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, type, source);
    else
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, source);
    return success();
  }
};

struct LowerAssert : OpConversionPattern<tile::AssertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value condition = adaptor.getCondition();
    if (auto type = dyn_cast<RankedTensorType>(condition.getType())) {
      Type boolean = rewriter.getI1Type();
      auto all = RankedTensorType::get({}, boolean);
      Value init = arith::ConstantOp::create(
          rewriter, loc,
          DenseElementsAttr::get(all, rewriter.getBoolAttr(true)));
      AffineMap maps[] = {rewriter.getMultiDimIdentityMap(type.getRank()),
                          AffineMap::get(type.getRank(), 0, getContext())};
      SmallVector<utils::IteratorType> iterators(
          type.getRank(), utils::IteratorType::reduction);
      auto generic = linalg::GenericOp::create(
          rewriter, loc, all, condition, init, maps, iterators,
          [](OpBuilder &builder, Location loc, ValueRange arguments) {
            Value both =
                arith::AndIOp::create(builder, loc, arguments[1], arguments[0]);
            linalg::YieldOp::create(builder, loc, both);
          });
      condition = tensor::ExtractOp::create(rewriter, loc, generic.getResult(0),
                                            ValueRange());
    }
    rewriter.replaceOpWithNewOp<cf::AssertOp>(op, condition, op.getMessage());
    return success();
  }
};

struct LowerAssume : OpConversionPattern<tile::AssumeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::AssumeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

/// The C library declarations for print, created on first use.
class Output {
public:
  Output(OpBuilder &builder, Operation *op)
      : builder(builder), loc(op->getLoc()),
        module(op->getParentOfType<ModuleOp>()),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())) {
    stream = LLVM::LoadOp::create(
        builder, loc, pointer,
        addressOf("stdout", pointer, LLVM::Linkage::External, Attribute()));
  }

  /// Calls a stream function.
  void call(StringRef name, Type result) {
    LLVM::CallOp::create(builder, loc, declare(name, result, /*varies=*/false),
                         stream);
  }
  Value textAddress(StringRef text) {
    constexpr StringLiteral prefix = "tilegpt_format_";
    StringAttr value = builder.getStringAttr(text + Twine('\0'));
    int64_t number = 0;
    for (auto global : module.getOps<LLVM::GlobalOp>()) {
      if (!global.getSymName().starts_with(prefix))
        continue;
      if (global.getValueOrNull() == value)
        return LLVM::AddressOfOp::create(builder, loc, global);
      ++number;
    }
    return addressOf(
        (prefix + Twine(number)).str(),
        LLVM::LLVMArrayType::get(builder.getI8Type(), value.size()),
        LLVM::Linkage::Internal, value);
  }
  void print(OpBuilder &at, Value format, ArrayRef<Value> values) {
    SmallVector<Value> arguments = {format};
    llvm::append_range(arguments, values);
    LLVM::CallOp::create(
        at, loc, declare("printf", builder.getI32Type(), /*varies=*/true),
        arguments);
  }

private:
  LLVM::LLVMFuncOp declare(StringRef name, Type result, bool varies) {
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return function;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    return LLVM::LLVMFuncOp::create(
        builder, loc, name,
        LLVM::LLVMFunctionType::get(result, pointer, varies));
  }
  Value addressOf(StringRef name, Type type, LLVM::Linkage linkage,
                  Attribute value) {
    auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
    if (!global) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      global = LLVM::GlobalOp::create(builder, loc, type,
                                      /*isConstant=*/bool(value), linkage, name,
                                      value);
    }
    return LLVM::AddressOfOp::create(builder, loc, global);
  }

  OpBuilder &builder;
  Location loc;
  ModuleOp module;
  Type pointer;
  Value stream;
};

/// The lines of a print stay together: it locks the stream.
struct LowerPrint : OpConversionPattern<tile::PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Output output(rewriter, op);
    Type nothing = LLVM::LLVMVoidType::get(getContext());
    Value format = output.textAddress(llvm::join(tile::printfPieces(op), ""));
    output.call("flockfile", nothing);
    forEachElement(
        rewriter, loc, tile::printedShape(op),
        [&](OpBuilder &builder, ValueRange at) {
          SmallVector<Value> arguments;
          for (Value coordinate : at)
            arguments.push_back(arith::IndexCastOp::create(
                builder, loc, builder.getI32Type(), coordinate));
          for (auto [number, value] : llvm::enumerate(adaptor.getValues()))
            arguments.push_back(tile::printedValue(
                builder, op, number,
                isa<RankedTensorType>(value.getType())
                    ? tensor::ExtractOp::create(builder, loc, value, at)
                          .getResult()
                    : value));
          output.print(builder, format, arguments);
        });
    output.call("fflush", rewriter.getI32Type());
    output.call("funlockfile", nothing);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void cpu::populateMathPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<LowerCast, LowerAssert, LowerAssume, LowerPrint>(
      converter, patterns.getContext());
}
