// Collects the ops between the dots, then clones them transposed.
#include "TransposeScores.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static RankedTensorType matrixType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 2 ? type : RankedTensorType();
}

/// Whether a tile can be transposed without its source: all its rows, or all
/// its columns, are equal, or it has one.
static bool isTransposedFreely(Value value) {
  Operation *op = value.getDefiningOp();
  return llvm::is_contained(matrixType(value).getShape(), 1) ||
         isa_and_present<tile::SplatOp, tile::BroadcastOp>(op) ||
         matchPattern(value, m_Constant());
}

namespace {
class Transposition {
public:
  explicit Transposition(scf::ForOp loop) : loop(loop) {}

  /// Finds the dots that transpose what the loop computes of other dots.
  bool match() {
    for (auto dot : loop.getOps<tile::DotOp>())
      if (dot.getTransposeA() && matrixType(dot) && collect(dot.getLhs()))
        uses.push_back(dot);
    return !uses.empty() && hasScores && isClosed();
  }

  void apply() {
    for (tile::DotOp dot : uses) {
      OpBuilder builder(dot);
      Value left = transposed(dot.getLhs());
      dot.getLhsMutable().assign(left);
      dot.setTransposeA(false);
    }
    for (Operation *op : llvm::reverse(ops))
      if (op->use_empty())
        op->erase();
  }

private:
  /// Collects the ops that compute `value`, up to dots and cheap tiles.
  bool collect(Value value) {
    if (!matrixType(value))
      return !isa<ShapedType>(value.getType());
    if (isTransposedFreely(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody())
      return false;
    if (ops.contains(op))
      return true;
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      if (!matrixType(dot.getAcc()) || !isTransposedFreely(dot.getAcc()) ||
          dot.getTransposeA())
        return false;
      hasScores = true;
    } else if (!tile::isElementwise(op) ||
               !llvm::all_of(op->getOperands(),
                             [&](Value operand) { return collect(operand); })) {
      return false;
    }
    ops.insert(op);
    return true;
  }

  /// Whether nothing else uses what is transposed.
  bool isClosed() const {
    return llvm::all_of(ops, [&](Operation *op) {
      return llvm::all_of(op->getUses(), [&](OpOperand &use) {
        auto dot = dyn_cast<tile::DotOp>(use.getOwner());
        return dot ? llvm::is_contained(uses, dot) &&
                         use.getOperandNumber() == 0
                   : ops.contains(use.getOwner());
      });
    });
  }

  Value transposed(Value value) {
    RankedTensorType type = matrixType(value);
    if (!type)
      return value;
    if (Value known = done.lookup(value))
      return known;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    const auto to = RankedTensorType::get(
        {type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
    Value made = make(builder, value, to);
    done[value] = made;
    return made;
  }

  Value make(OpBuilder &builder, Value value, RankedTensorType to) {
    const Location loc = value.getLoc();
    Operation *op = value.getDefiningOp();
    if (auto dot = dyn_cast_or_null<tile::DotOp>(op); dot && ops.contains(op)) {
      Value acc = transposed(dot.getAcc());
      builder.setInsertionPointAfter(dot);
      return tile::DotOp::create(builder, loc, to, dot.getRhs(), dot.getLhs(),
                                 acc, /*transpose_a=*/!dot.getTransposeB(),
                                 /*transpose_b=*/true, dot.getUnsignedRhs(),
                                 dot.getUnsignedLhs(), dot.getPrecision())
          .getResult();
    }
    DenseElementsAttr constant;
    if (matchPattern(value, m_Constant(&constant)) && constant.isSplat())
      return arith::ConstantOp::create(builder, loc, constant.resizeSplat(to));
    if (auto splat = dyn_cast_or_null<tile::SplatOp>(op))
      return tile::SplatOp::create(builder, loc, to, splat.getValue(),
                                   builder.getI64ArrayAttr(to.getShape()));
    if (auto expand = dyn_cast_or_null<tile::ExpandDimsOp>(op))
      return tile::ExpandDimsOp::create(builder, loc, to, expand.getSource(),
                                        1 - expand.getAxis());
    if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op))
      return tile::BroadcastOp::create(builder, loc, to,
                                       transposedSource(builder, broadcast),
                                       builder.getI64ArrayAttr(to.getShape()));
    if (op && tile::isElementwise(op) && op->getNumOperands() > 0 &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return matrixType(operand) || !isa<ShapedType>(operand.getType());
        })) {
      IRMapping operands;
      for (Value operand : op->getOperands())
        operands.map(operand, transposed(operand));
      builder.setInsertionPointAfter(op);
      Operation *clone = builder.clone(*op, operands);
      clone->getResult(0).setType(to);
      return clone->getResult(0);
    }
    return tile::PermuteOp::create(builder, loc, to, value,
                                   ArrayRef<int64_t>{1, 0});
  }

  /// The source of a broadcast, which may be a row of rank 1, as a column.
  Value transposedSource(OpBuilder &builder, tile::BroadcastOp broadcast) {
    Value source = broadcast.getSource();
    if (matrixType(source))
      return transposed(source);
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getRank() == 0)
      return source;
    return tile::ExpandDimsOp::create(
        builder, broadcast.getLoc(),
        RankedTensorType::get({type.getDimSize(0), 1}, type.getElementType()),
        source, 1);
  }

  scf::ForOp loop;
  SmallVector<tile::DotOp> uses;
  llvm::SetVector<Operation *> ops; ///< operands first
  bool hasScores = false;
  llvm::DenseMap<Value, Value> done;
};
} // namespace

bool transposeScores(scf::ForOp loop) {
  Transposition transposition(loop);
  if (!transposition.match())
    return false;
  transposition.apply();
  return true;
}

} // namespace tilegpt::tilegpu
