// Where bf16 values are only moved, moves their bits: LLVM's own handling of
// the type may call functions that no C library has.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_CARRYBF16ASBITS
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

namespace {
struct CarryBF16AsBits
    : tilegpt::cpu::impl::CarryBF16AsBitsBase<CarryBF16AsBits> {
  void runOnOperation() override {
    Type bits = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](BFloat16Type) { return bits; });
    replacer.addReplacement(
        [&](FloatAttr attribute)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          if (!attribute.getType().isBF16())
            return std::nullopt;
          return std::pair<Attribute, WalkResult>(
              IntegerAttr::get(bits, attribute.getValue().bitcastToAPInt()),
              WalkResult::skip());
        });
    replacer.addReplacement(
        [&](DenseElementsAttr attribute)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          if (!attribute.getElementType().isBF16())
            return std::nullopt;
          return std::pair<Attribute, WalkResult>(attribute.bitcast(bits),
                                                  WalkResult::skip());
        });
    // Between equal types a bitcast is nothing, and the verifier would refuse
    // it.
    SmallVector<arith::BitcastOp> casts;
    WalkResult result = getOperation().walk([&](Operation *op) {
      auto isBF16 = [](Type type) {
        return getElementTypeOrSelf(type).isBF16();
      };
      if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
          !isa<arith::BitcastOp, arith::ConstantOp, arith::SelectOp>(op) &&
          (llvm::any_of(op->getOperandTypes(), isBF16) ||
           llvm::any_of(op->getResultTypes(), isBF16))) {
        op->emitOpError(
            "still computes in bf16; run --cpu-expand-floats first");
        return WalkResult::interrupt();
      }
      if (auto cast = dyn_cast<arith::BitcastOp>(op))
        casts.push_back(cast);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    for (arith::BitcastOp cast : casts)
      if (cast.getType() == cast.getIn().getType()) {
        cast.replaceAllUsesWith(cast.getIn());
        cast.erase();
      }
  }
};
} // namespace
