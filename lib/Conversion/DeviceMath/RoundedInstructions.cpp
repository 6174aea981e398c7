// PTX has a suffix for each rounding mode: one intrinsic per op.
#include "RoundedInstructions.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using tilegpt::tile::RoundedKind;
using tilegpt::tile::RoundedOp;
using tilegpt::tile::RoundingMode;

namespace tilegpt::tilegpu {

/// The suffix of LLVM's intrinsics, which is that of PTX.
static StringRef suffixOf(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::Even:
    return "rn";
  case RoundingMode::Zero:
    return "rz";
  case RoundingMode::Down:
    return "rm";
  case RoundingMode::Up:
    return "rp";
  }
  llvm_unreachable("all modes are handled");
}

namespace {
struct ToInstruction : OpRewritePattern<RoundedOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RoundedOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return rewriter.notifyMatchFailure(op, "is neither f32 nor f64");
    SmallVector<Value> operands(op.getOperands());
    StringRef name = stringifyEnum(op.getKind());
    if (op.getKind() == RoundedKind::Sub) {
      // a − b is a + −b, also for zeros.
      name = "add";
      operands[1] = arith::NegFOp::create(rewriter, op.getLoc(), operands[1]);
    }
    std::string intrinsic =
        ("llvm.nvvm." + name + "." + suffixOf(op.getMode()) +
         (op.getFtz() ? ".ftz" : "") + (type.isF32() ? ".f" : ".d"))
            .str();
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, type, rewriter.getStringAttr(intrinsic), operands);
    return success();
  }
};
} // namespace

void populateRoundedInstructions(RewritePatternSet &patterns) {
  patterns.add<ToInstruction>(patterns.getContext());
}

} // namespace tilegpt::tilegpu
