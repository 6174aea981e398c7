// Lowers dots to linalg.contract. Of a partial tile only the in-bounds part is
// multiplied, if that is not observable.
#include "MicroKernel/MicroKernel.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileToLinalg.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

namespace {
/// The stores that a tile ends up in.
class StoresOf {
public:
  /// Follows a tile through elementwise ops, loops, branches and further dots
  /// that accumulate into it. \returns false if an element is used for anything
  /// other than the same element of a stored tile.
  bool follow(Value tile) {
    llvm::SetVector<Value> reached;
    reached.insert(tile);
    for (size_t i = 0; i < reached.size(); ++i)
      for (OpOperand &use : reached[i].getUses())
        if (!pass(use, reached))
          return false;
    return true;
  }

  llvm::SmallSetVector<tile::StoreOp, 2> stores;

private:
  bool pass(OpOperand &use, llvm::SetVector<Value> &reached) {
    Operation *op = use.getOwner();
    const unsigned number = use.getOperandNumber();
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      stores.insert(store);
      return !store.getOrder();
    }
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      reached.insert(dot.getResult());
      return use.get() == dot.getAcc() && dot.getLhs() != use.get() &&
             dot.getRhs() != use.get();
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      reached.insert(loop.getTiedLoopRegionIterArg(&use));
      reached.insert(loop.getTiedLoopResult(&use));
      return true;
    }
    if (isa<scf::YieldOp>(op)) {
      Operation *parent = op->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        reached.insert(loop.getRegionIterArg(number));
      else if (!isa<scf::IfOp>(parent))
        return false;
      reached.insert(parent->getResult(number));
      return true;
    }
    if (!tile::isElementwise(op))
      return false;
    reached.insert_range(op->getResults());
    return true;
  }
};
} // namespace

/// The extent of an access along an axis of its tile; nothing if its tiles are
/// all full.
static std::optional<TileEdge> edgeOf(Value view, ValueRange indices,
                                      RankedTensorType tile, int64_t axis) {
  const int64_t size = tile.getDimSize(axis),
                dim = cast<tile::ViewType>(view.getType()).getShape()[axis];
  if (!ShapedType::isDynamic(dim) && dim % size == 0)
    return std::nullopt;
  return TileEdge{view, indices[axis], axis, size};
}

/// Whether the in-bounds part of a tile is known.
static bool isKnown(const TileEdge &edge) {
  const auto view = cast<tile::ViewType>(edge.view.getType());
  return !view.isDynamicDim(edge.axis) && getConstantIntValue(edge.index);
}

/// Where both operands are zero-padded along K, or nothing.
static TileEdges depthEdges(tile::DotOp dot) {
  TileEdges edges;
  const auto add = [&](Value operand, int64_t axis) {
    auto load = operand.getDefiningOp<tile::LoadOp>();
    if (!load || load.getPad() != tile::PadKind::Zero || load.getOrder())
      return false;
    auto edge = edgeOf(load.getView(), load.getIndices(),
                       cast<RankedTensorType>(operand.getType()), axis);
    if (edge)
      edges.push_back(*edge);
    return edge.has_value();
  };
  if (!add(dot.getLhs(), dot.getTransposeA() ? 0 : 1) ||
      !add(dot.getRhs(), dot.getTransposeB() ? 1 : 0))
    return {};
  return edges;
}

/// The bounds of the stores along an axis, or none.
static TileEdges storedEdges(tile::DotOp dot, ArrayRef<tile::StoreOp> stores,
                             int64_t axis, const DominanceInfo &dominance) {
  TileEdges edges;
  for (tile::StoreOp store : stores) {
    auto edge = edgeOf(store.getView(), store.getIndices(),
                       cast<RankedTensorType>(dot.getResult().getType()), axis);
    if (!edge || !dominance.properlyDominates(edge->view, dot) ||
        !dominance.properlyDominates(edge->index, dot))
      return {};
    edges.push_back(*edge);
  }
  return edges;
}

DotEdges cpu::findDotEdges(tile::KernelOp kernel) {
  DotEdges all;
  const DominanceInfo dominance(kernel);
  kernel.walk([&](tile::DotOp dot) {
    auto type = cast<RankedTensorType>(dot.getResult().getType());
    if (type.getRank() != 2 || !isa<FloatType>(type.getElementType()))
      return;
    std::array<TileEdges, 3> edges;
    StoresOf result;
    if (result.follow(dot.getResult()))
      for (int64_t axis : {0, 1})
        edges[axis] =
            storedEdges(dot, result.stores.getArrayRef(), axis, dominance);
    edges[2] = depthEdges(dot);
    // Matmuls with few rows are memory-bound: a row count known only at run
    // time costs more than it saves.
    if (type.getDimSize(0) <= maxInnerRows) {
      edges[1].clear();
      edges[2].clear();
      if (!llvm::all_of(edges[0], isKnown))
        edges[0].clear();
    }
    if (llvm::any_of(edges,
                     [](const TileEdges &axis) { return !axis.empty(); }))
      all.try_emplace(dot, std::move(edges));
  });
  return all;
}

LoadEdges cpu::findLoadEdges(const DotEdges &dots) {
  LoadEdges all;
  for (const auto &[op, edges] : dots) {
    auto dot = cast<tile::DotOp>(op);
    // Other precisions round whole operands.
    if (dot.getPrecision() == tile::Precision::TF32)
      continue;
    const DominanceInfo dominance(dot->getParentOfType<tile::KernelOp>());
    const auto add = [&](Value operand, const TileEdges &first,
                         const TileEdges &second) {
      auto load = operand.getDefiningOp<tile::LoadOp>();
      if (!load || !operand.hasOneUse() || load.getOrder() || load.getMask())
        return;
      std::array<TileEdges, 2> both = {first, second};
      for (TileEdges &axis : both)
        if (!llvm::all_of(axis, [&](const TileEdge &edge) {
              return dominance.properlyDominates(edge.view, load) &&
                     dominance.properlyDominates(edge.index, load);
            }))
          axis.clear();
      if (!both[0].empty() || !both[1].empty())
        all.try_emplace(load, std::move(both));
    };
    const auto &[rows, columns, depth] = edges;
    // A left operand that must be widened is copied as a whole.
    if (getElementTypeOrSelf(dot.getLhs()) ==
        getElementTypeOrSelf(dot.getResult())) {
      if (dot.getTransposeA())
        add(dot.getLhs(), depth, rows);
      else
        add(dot.getLhs(), rows, depth);
    }
    if (dot.getTransposeB())
      add(dot.getRhs(), columns, depth);
    else
      add(dot.getRhs(), depth, columns);
  }
  return all;
}

OpFoldResult cpu::extentOf(ConversionPatternRewriter &rewriter, Location loc,
                           const TileEdges &edges, int64_t size) {
  Value extent;
  for (const TileEdge &edge : edges) {
    Value view = rewriter.getRemappedValue(edge.view);
    Value index = rewriter.getRemappedValue(edge.index);
    if (!view || !index)
      return rewriter.getIndexAttr(size);
    Value inside =
        clippedLength(rewriter, loc, view, edge.axis, index, edge.size).length;
    extent = extent ? rewriter.createOrFold<arith::MaxSIOp>(loc, extent, inside)
                    : inside;
  }
  return extent ? getAsOpFoldResult(extent)
                : OpFoldResult(rewriter.getIndexAttr(size));
}

/// Rounds f32 elements to the 10 mantissa bits of tf32, to nearest even;
/// infinities and NaN stay.
static Value roundToTF32(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (!type.getElementType().isF32())
    return tile; // narrower types are exact in tf32
  auto bitsType = type.clone(builder.getI32Type());
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(bitsType, builder.getI32IntegerAttr(value)));
  };
  Value bits = arith::BitcastOp::create(builder, loc, bitsType, tile);
  Value shifted = arith::ShRUIOp::create(builder, loc, bits, constant(13));
  Value odd = arith::AndIOp::create(builder, loc, shifted, constant(1));
  Value half = arith::AddIOp::create(builder, loc, odd, constant(0xFFF));
  Value sum = arith::AddIOp::create(builder, loc, bits, half);
  Value rounded = arith::AndIOp::create(builder, loc, sum, constant(~0x1FFF));
  Value magnitude =
      arith::AndIOp::create(builder, loc, bits, constant(0x7FFFFFFF));
  Value finite = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       magnitude, constant(0x7F800000));
  Value kept = arith::SelectOp::create(builder, loc, finite, rounded, bits);
  return arith::BitcastOp::create(builder, loc, type, kept);
}

/// An operand whose integers are unsigned, as signed ones of twice as many
/// bits; in 32 bits products are the same.
static Value asSigned(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!element || element.getWidth() >= 32)
    return tile;
  return arith::ExtUIOp::create(
      builder, loc, type.clone(builder.getIntegerType(2 * element.getWidth())),
      tile);
}

namespace {
struct LowerDot : OpConversionPattern<tile::DotOp> {
  LowerDot(const TypeConverter &converter, MLIRContext *context,
           const DotEdges &edges)
      : OpConversionPattern(converter, context), edges(edges) {}

  LogicalResult
  matchAndRewrite(tile::DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getResult().getType());
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    if (op.getPrecision() == tile::Precision::TF32) {
      lhs = roundToTF32(rewriter, loc, lhs);
      rhs = roundToTF32(rewriter, loc, rhs);
    }

    // Axes of the iteration space: (batch,) m, n, k.
    int64_t batches = type.getRank() - 2, rank = batches + 3;
    AffineExpr m = rewriter.getAffineDimExpr(batches),
               n = rewriter.getAffineDimExpr(batches + 1),
               k = rewriter.getAffineDimExpr(batches + 2);
    auto map = [&](AffineExpr first, AffineExpr second) {
      SmallVector<AffineExpr> exprs;
      for (int64_t axis = 0; axis < batches; ++axis)
        exprs.push_back(rewriter.getAffineDimExpr(axis));
      exprs.append({first, second});
      return AffineMap::get(rank, 0, exprs, getContext());
    };
    SmallVector<AffineMap> maps = {op.getTransposeA() ? map(k, m) : map(m, k),
                                   op.getTransposeB() ? map(n, k) : map(k, n),
                                   map(m, n)};

    // linalg.contract extends both operands in the same way.
    if (op.getUnsignedLhs())
      lhs = asSigned(rewriter, loc, lhs);
    if (op.getUnsignedRhs())
      rhs = asSigned(rewriter, loc, rhs);
    rewriter.replaceOp(op, contract(rewriter, op, lhs, rhs, adaptor.getAcc(),
                                    rewriter.getAffineMapArrayAttr(maps)));
    return success();
  }

private:
  /// The product, restricted to the in-bounds part if the dot has bounds.
  Value contract(ConversionPatternRewriter &rewriter, tile::DotOp op, Value lhs,
                 Value rhs, Value acc, ArrayAttr maps) const {
    Location loc = op.getLoc();
    const auto create = [&](Value lhs, Value rhs, Value acc) {
      return linalg::ContractOp::create(rewriter, loc, TypeRange(acc.getType()),
                                        ValueRange{lhs, rhs}, acc, maps)
          .getResult(0);
    };
    const auto found = edges.find(op);
    if (found == edges.end())
      return create(lhs, rhs, acc);
    auto type = cast<RankedTensorType>(acc.getType());
    const int64_t depth = cast<RankedTensorType>(lhs.getType())
                              .getDimSize(op.getTransposeA() ? 0 : 1);
    const auto &[rows, columns, depths] = found->second;
    OpFoldResult m = extentOf(rewriter, loc, rows, type.getDimSize(0)),
                 n = extentOf(rewriter, loc, columns, type.getDimSize(1)),
                 k = extentOf(rewriter, loc, depths, depth);
    OpFoldResult zero = rewriter.getIndexAttr(0),
                 one = rewriter.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets(2, zero), strides(2, one);
    const auto part = [&](Value tile, OpFoldResult first, OpFoldResult second) {
      return tensor::ExtractSliceOp::create(rewriter, loc, tile, offsets,
                                            {first, second}, strides);
    };
    Value sums = create(op.getTransposeA() ? part(lhs, k, m) : part(lhs, m, k),
                        op.getTransposeB() ? part(rhs, n, k) : part(rhs, k, n),
                        part(acc, m, n));
    SmallVector<OpFoldResult> sizes = {m, n};
    return tensor::InsertSliceOp::create(rewriter, loc, sums, acc, offsets,
                                         sizes, strides);
  }

  const DotEdges &edges;
};
} // namespace

void cpu::populateDotPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns,
                              const DotEdges &edges) {
  patterns.add<LowerDot>(converter, patterns.getContext(), edges);
}
