// Moves f8 and bf16 values as integers: LLVM has no f8 types, and its bf16
// lowering may call functions that no C library has.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_CARRYFLOATSASBITS
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

namespace {
struct CarryFloatsAsBits
    : tilegpt::cpu::impl::CarryFloatsAsBitsBase<CarryFloatsAsBits> {
  using CarryFloatsAsBitsBase::CarryFloatsAsBitsBase;

  void runOnOperation() override {
    // The verifier rejects a bitcast between equal types.
    SmallVector<arith::BitcastOp> casts;
    WalkResult result = getOperation().walk([&](Operation *op) {
      Type computed = computedIn(op);
      if (computed) {
        op->emitOpError("still computes in ")
            << computed << "; run --cpu-expand-floats first";
        return WalkResult::interrupt();
      }
      if (auto cast = dyn_cast<arith::BitcastOp>(op))
        casts.push_back(cast);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    makeReplacer().recursivelyReplaceElementsIn(getOperation(),
                                                /*replaceAttrs=*/true,
                                                /*replaceLocs=*/false,
                                                /*replaceTypes=*/true);
    for (arith::BitcastOp cast : casts)
      if (cast.getType() == cast.getIn().getType()) {
        cast.replaceAllUsesWith(cast.getIn());
        cast.erase();
      }
  }

private:
  bool isCarried(Type type) {
    return tilegpt::tile::isF8(type) || (!onlyF8 && type.isBF16());
  }

  static Type bitsOf(Type type) {
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  }

  /// Whether an op does more with its values than move them.
  static bool computes(Operation *op) {
    Dialect *dialect = op->getDialect(); // null for an op of none
    if (isa_and_present<arith::ArithDialect, math::MathDialect>(dialect))
      return !isa<arith::BitcastOp, arith::ConstantOp, arith::SelectOp>(op);
    return isa_and_present<tilegpt::tile::TileDialect>(dialect) ||
           isa<LLVM::FPTruncOp, LLVM::FPExtOp>(op);
  }

  /// The converted type if an op computes in it; null otherwise.
  Type computedIn(Operation *op) {
    if (!computes(op))
      return {};
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (isCarried(getElementTypeOrSelf(type)))
          return getElementTypeOrSelf(type);
    return {};
  }

  AttrTypeReplacer makeReplacer() {
    AttrTypeReplacer replacer;
    replacer.addReplacement([this](FloatType type) -> std::optional<Type> {
      return isCarried(type) ? std::optional(bitsOf(type)) : std::nullopt;
    });
    using Replacement = std::optional<std::pair<Attribute, WalkResult>>;
    // A type in an attribute is not that of a value.
    replacer.addReplacement([](TypeAttr attribute) -> Replacement {
      if (!isa<FloatType>(attribute.getValue()))
        return std::nullopt;
      return std::pair<Attribute, WalkResult>(attribute, WalkResult::skip());
    });
    replacer.addReplacement([this](FloatAttr attribute) -> Replacement {
      Type type = attribute.getType();
      if (!isCarried(type))
        return std::nullopt;
      return std::pair<Attribute, WalkResult>(
          IntegerAttr::get(bitsOf(type), attribute.getValue().bitcastToAPInt()),
          WalkResult::skip());
    });
    replacer.addReplacement([this](DenseElementsAttr attribute) -> Replacement {
      Type type = attribute.getElementType();
      if (!isCarried(type))
        return std::nullopt;
      return std::pair<Attribute, WalkResult>(attribute.bitcast(bitsOf(type)),
                                              WalkResult::skip());
    });
    return replacer;
  }
};
} // namespace
