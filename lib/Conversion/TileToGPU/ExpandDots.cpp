// Products with few rows as multiplications and sums, a piece of the depth at a
// time where both operands are loads; products of many rows whose operands are
// loaded whole as loops over pieces of the depth.
#include "FewRows.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_EXPANDDOTS
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

static RankedTensorType typeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType());
}

/// The axis of an operand along which a dot sums.
static int64_t depthAxis(bool isLhs, tile::DotOp dot) {
  return isLhs ? (dot.getTransposeA() ? 0 : 1) : (dot.getTransposeB() ? 1 : 0);
}

/// The load of a whole axis that an operand is, when it can be loaded in pieces
/// instead: all of a static axis of the view, nobody else reads the tile.
static tile::LoadOp wholeLoad(Value operand, int64_t axis) {
  auto load = operand.getDefiningOp<tile::LoadOp>();
  if (!load || !operand.hasOneUse() || load.getMask() || load.getOrder())
    return {};
  if (load.getView().getType().getShape()[axis] !=
          typeOf(operand).getDimSize(axis) ||
      !isConstantIntValue(load.getIndices()[axis], 0))
    return {};
  return load;
}

namespace {
class Expansion {
public:
  Expansion(tile::DotOp dot, PlanAttr plan)
      : dot(dot), plan(plan), builder(dot), loc(dot.getLoc()) {}

  void run() {
    bool isWhole = wholeLoad(dot.getLhs(), depthAxis(true, dot)) &&
                   wholeLoad(dot.getRhs(), depthAxis(false, dot));
    Value result;
    if (hasFewRows(dot)) {
      int64_t piece = pieceOfFewRows();
      result = isWhole && piece < depthOf(dot) && !isSmall()
                   ? sumInPieces(piece)
                   : sumAtOnce();
    } else if (isWhole && depthOf(dot) > maxDepth) {
      result = multiplyInPieces();
    } else {
      return;
    }
    SmallVector<Operation *> unused = {dot.getLhs().getDefiningOp(),
                                       dot.getRhs().getDefiningOp()};
    dot.replaceAllUsesWith(result);
    dot.erase();
    for (Operation *op : unused)
      if (op && isOpTriviallyDead(op))
        op->erase();
  }

private:
  /// Depth of a piece of a matrix product, in elements: 128 bytes of 16 bits.
  static constexpr int64_t productDepth = 64;
  static constexpr int64_t maxDepth = 4 * productDepth;

  /// Depth of a piece so that the partial sums and the operands of a thread are
  /// some 64 values.
  int64_t pieceOfFewRows() {
    constexpr int64_t values = 64, smallest = 64;
    RankedTensorType type = typeOf(dot.getResult());
    int64_t m = type.getDimSize(0), n = type.getDimSize(1);
    int64_t held = m * n + m + n;
    return std::max<int64_t>(
        smallest,
        llvm::bit_floor(uint64_t(values * plan.getComputeThreads() / held)));
  }

  /// Whether a thread has only some 64 products to sum up: then all its loads
  /// are under way at once.
  bool isSmall() {
    constexpr int64_t products = 64;
    return typeOf(dot.getResult()).getNumElements() * depthOf(dot) <=
           products * plan.getComputeThreads();
  }

  /// A piece of a load along one axis.
  Value loadPiece(tile::LoadOp load, int64_t axis, int64_t piece,
                  Value number) {
    SmallVector<Value> indices(load.getIndices());
    indices[axis] = number;
    RankedTensorType whole = typeOf(load.getResult());
    SmallVector<int64_t> shape(whole.getShape());
    shape[axis] = piece;
    return tile::LoadOp::create(
        builder, loc, RankedTensorType::get(shape, whole.getElementType()),
        load.getView(), indices, /*mask=*/Value(),
        builder.getI64ArrayAttr(shape), load.getPad(),
        /*order=*/DenseI64ArrayAttr());
  }

  /// A loop over pieces of the depth that carries one tile.
  Value forEachPiece(int64_t piece, Value init,
                     function_ref<Value(Value number, Value carried)> body) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
          one = arith::ConstantIndexOp::create(builder, loc, 1),
          count = arith::ConstantIndexOp::create(
              builder, loc, llvm::divideCeil(depthOf(dot), piece));
    auto loop = scf::ForOp::create(builder, loc, zero, count, one, init);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value next = body(loop.getInductionVar(), loop.getRegionIterArgs().front());
    scf::YieldOp::create(builder, loc, next);
    return loop.getResult(0);
  }

  Value multiplyInPieces() {
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>();
    auto rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    return forEachPiece(productDepth, dot.getAcc(), [&](Value k, Value acc) {
      IRMapping mapping;
      mapping.map(dot.getLhs(),
                  loadPiece(lhs, depthAxis(true, dot), productDepth, k));
      mapping.map(dot.getRhs(),
                  loadPiece(rhs, depthAxis(false, dot), productDepth, k));
      mapping.map(dot.getAcc(), acc);
      return builder.clone(*dot, mapping)->getResult(0);
    });
  }

  /// An operand as [M, N, K] (or [M, K, N] when the rhs is not transposed), in
  /// the type of the accumulator.
  Value spread(Value operand, bool isLhs, int64_t depth) {
    RankedTensorType acc = typeOf(dot.getResult());
    bool isTransposed = isLhs ? dot.getTransposeA() : false;
    Value tile = operand;
    if (isTransposed)
      tile = tile::PermuteOp::create(builder, loc, permuted(typeOf(tile)), tile,
                                     ArrayRef<int64_t>{1, 0});
    tile = convert(tile, acc.getElementType(),
                   isLhs ? dot.getUnsignedLhs() : dot.getUnsignedRhs());
    int64_t newAxis = isLhs ? (dot.getTransposeB() ? 1 : 2) : 0;
    SmallVector<int64_t> shape(typeOf(tile).getShape());
    shape.insert(shape.begin() + newAxis, 1);
    tile = tile::ExpandDimsOp::create(
        builder, loc, RankedTensorType::get(shape, acc.getElementType()), tile,
        newAxis);
    SmallVector<int64_t> full = productShape(depth);
    if (shape == full)
      return tile;
    return tile::BroadcastOp::create(
        builder, loc, RankedTensorType::get(full, acc.getElementType()), tile,
        builder.getI64ArrayAttr(full));
  }

  static RankedTensorType permuted(RankedTensorType type) {
    return RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                                 type.getElementType());
  }

  Value convert(Value tile, Type element, bool isUnsigned) {
    RankedTensorType type = typeOf(tile);
    if (type.getElementType() == element)
      return tile;
    auto result = RankedTensorType::get(type.getShape(), element);
    if (isa<FloatType>(element))
      return arith::ExtFOp::create(builder, loc, result, tile);
    if (isUnsigned)
      return arith::ExtUIOp::create(builder, loc, result, tile);
    return arith::ExtSIOp::create(builder, loc, result, tile);
  }

  SmallVector<int64_t> productShape(int64_t depth) {
    RankedTensorType acc = typeOf(dot.getResult());
    int64_t m = acc.getDimSize(0), n = acc.getDimSize(1);
    return dot.getTransposeB() ? SmallVector<int64_t>{m, n, depth}
                               : SmallVector<int64_t>{m, depth, n};
  }

  /// lhs · rhs, not yet summed.
  Value multiply(Value lhs, Value rhs, int64_t depth) {
    Value left = spread(lhs, true, depth), right = spread(rhs, false, depth);
    if (isa<FloatType>(typeOf(left).getElementType()))
      return arith::MulFOp::create(builder, loc, left, right,
                                   arith::FastMathFlags::contract);
    return arith::MulIOp::create(builder, loc, left, right);
  }

  Value add(Value lhs, Value rhs) {
    if (isa<FloatType>(typeOf(lhs).getElementType()))
      return arith::AddFOp::create(builder, loc, lhs, rhs,
                                   arith::FastMathFlags::contract);
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  }

  /// acc + the sum of `products` over the depth.
  Value sum(Value products) {
    int64_t axis = dot.getTransposeB() ? 2 : 1;
    auto reduce = tile::ReduceOp::create(
        builder, loc, TypeRange{dot.getType()}, ValueRange{products}, axis,
        tile::ReduceKindAttr::get(builder.getContext(), tile::ReduceKind::Add),
        /*identities=*/ArrayAttr(), /*keepdims=*/false);
    return add(dot.getAcc(), reduce.getResult(0));
  }

  Value sumAtOnce() {
    return sum(multiply(dot.getLhs(), dot.getRhs(), depthOf(dot)));
  }

  Value sumInPieces(int64_t piece) {
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>();
    auto rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    auto type = RankedTensorType::get(productShape(piece),
                                      typeOf(dot.getResult()).getElementType());
    Value init = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
    return sum(forEachPiece(piece, init, [&](Value k, Value sums) {
      Value left = loadPiece(lhs, depthAxis(true, dot), piece, k);
      Value right = loadPiece(rhs, depthAxis(false, dot), piece, k);
      return add(sums, multiply(left, right, piece));
    }));
  }

  tile::DotOp dot;
  PlanAttr plan;
  OpBuilder builder;
  Location loc;
};

struct ExpandDots : tilegpu::impl::ExpandDotsBase<ExpandDots> {
  void runOnOperation() override {
    PlanAttr plan = PlanAttr::of(getOperation());
    if (!plan) {
      getOperation().emitOpError("has no plan; run --tile-gpu-plan first");
      return signalPassFailure();
    }
    SmallVector<tile::DotOp> dots;
    getOperation().walk([&](tile::DotOp dot) { dots.push_back(dot); });
    for (tile::DotOp dot : dots)
      Expansion(dot, plan).run();
  }
};
} // namespace
