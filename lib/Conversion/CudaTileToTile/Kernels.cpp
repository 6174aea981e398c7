// Converts the ops around the computation: the grid, assumptions, assertions
// and tokens.
#include "Patterns.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

/// Replaces an op with three results by one op per grid axis.
template <typename Op, typename Target>
static void addGrid(const TileTypes &types, RewritePatternSet &patterns) {
  addPattern<Op>(
      types, patterns,
      [](Op op, OperandsOf<Op>, ConversionPatternRewriter &rewriter) {
        Build b(op.getLoc(), rewriter);
        SmallVector<Value> values;
        for (int64_t axis = 0; axis < 3; ++axis)
          values.push_back(
              fromIndex(b, Target::create(b, axis), b.getI32Type()));
        rewriter.replaceOp(op, values);
        return success();
      });
}

/// The same assumption about a scalar, or null if the tile dialect has none.
static Value assume(Build &b, Value value, Attribute predicate) {
  IntegerAttr divisor;
  DenseI64ArrayAttr range;
  if (auto divides = dyn_cast<DivByAttr>(predicate)) {
    divisor = b.getI64IntegerAttr(int64_t(divides.getDivisor()));
  } else if (auto bounds = dyn_cast<BoundedAttr>(predicate)) {
    const unsigned width = value.getType().getIntOrFloatBitWidth();
    range = b.getDenseI64ArrayAttr(
        {bounds.getLb().value_or(
             APInt::getSignedMinValue(width).getSExtValue()),
         bounds.getUb().value_or(
             APInt::getSignedMaxValue(width).getSExtValue())});
  } else {
    return value;
  }
  return tile::AssumeOp::create(b, value, divisor, range);
}

static LogicalResult convertAssume(AssumeOp op, OperandsOf<AssumeOp> operands,
                                   ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  SmallVector<Value> parts(operands.getValue());
  auto tile = dyn_cast<TileType>(op.getValue().getType());
  // An assumption about a pointer applies to its base if the offset is zero.
  const bool isScalar = tile && tile.getRank() == 0;
  if (isScalar && (parts.size() == 1 || isZeroInteger(parts[1])))
    parts[0] = assume(b, parts[0], op.getPredicate());
  rewriter.replaceOpWithMultiple(op, {parts});
  return success();
}

/// An op on memory order: program order is stronger.
template <typename Op>
static void addToken(const TileTypes &types, RewritePatternSet &patterns) {
  addPattern<Op>(
      types, patterns,
      [](Op op, OperandsOf<Op>, ConversionPatternRewriter &rewriter) {
        rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{}});
        return success();
      });
}

void populateKernelPatterns(const TileTypes &types,
                            RewritePatternSet &patterns) {
  addGrid<GetTileBlockIdOp, tile::BlockIdOp>(types, patterns);
  addGrid<GetNumTileBlocksOp, tile::NumBlocksOp>(types, patterns);
  addPattern<AssumeOp>(types, patterns, convertAssume);
  addPattern<AssertOp>(types, patterns,
                       [](AssertOp op, OperandsOf<AssertOp> operands,
                          ConversionPatternRewriter &rewriter) {
                         rewriter.replaceOpWithNewOp<tile::AssertOp>(
                             op, operands.getCondition().front(),
                             op.getMessage());
                         return success();
                       });
  addToken<MakeTokenOp>(types, patterns);
  addToken<JoinTokensOp>(types, patterns);
  // Launches do not overlap unless the compiler makes them.
  addToken<GdcWaitTkoOp>(types, patterns);
  addToken<GdcLaunchDependentsTkoOp>(types, patterns);
  // Casts of numbers where loops and branches became ops that only accept
  // builtin types (Control.cpp).
  addPattern<UnrealizedConversionCastOp>(
      types, patterns,
      [](UnrealizedConversionCastOp op,
         OperandsOf<UnrealizedConversionCastOp> operands,
         ConversionPatternRewriter &rewriter) {
        SmallVector<Value> values;
        for (ValueRange range : operands.getOperands())
          llvm::append_range(values, range);
        if (op.getNumResults() == 1)
          rewriter.replaceOpWithMultiple(op, {values});
        else
          return failure();
        return success();
      });
}

} // namespace tilegpt::cuda_tile
