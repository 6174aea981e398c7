// Turns dot operands that are read row by row through offsets into a gather of
// rows of a view, which later passes can copy asynchronously.
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_GATHERROWS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// The elements at `rows[i]·stride + columns[j]` from a pointer, where 0 <=
/// `rows[i]` < `height` and 0 <= `columns[j]` < `width`.
struct Rows {
  Value numbers; ///< 1-D
  Value column;  ///< index of the first tile of columns
  Value height, width, stride;
};
} // namespace

/// The vector that a matrix broadcasts along its other axis; null if it is no
/// such broadcast.
static Value alongAxis(Value matrix, int64_t axis) {
  Value value = matrix;
  while (Operation *op = value.getDefiningOp()) {
    if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
      if (tileOf(value).getRank() != 2 || int64_t(expand.getAxis()) == axis)
        return {};
    } else if (!isa<tile::BroadcastOp, arith::ExtSIOp>(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 1 &&
                 type.getDimSize(0) == tileOf(matrix).getDimSize(axis)
             ? value
             : Value();
}

/// The scalar that a tile splats; null if it is constant or no splat.
static Value everywhere(Value tile) {
  if (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
    tile = broadcast.getSource();
  auto splat = tile.getDefiningOp<tile::SplatOp>();
  return splat ? splat.getValue() : Value();
}

namespace {
class Matching {
public:
  explicit Matching(tile::LoadAtOp load) : load(load), type(load.getType()) {}

  std::optional<Rows> run() {
    if (type.getRank() != 2 || !load.getMask() ||
        load.getOrder() != tile::MemoryOrder::Weak ||
        load.getBase().getType().getPointee() != type.getElementType() ||
        !matchOffsets() || !matchMask())
      return std::nullopt;
    return rows;
  }

private:
  /// For a sum or product this implies that it has not wrapped.
  bool isNotNegative(Value value) { return facts.of(value).range.lo >= 0; }

  bool matchOffsets() {
    auto sum = load.getOffsets().getDefiningOp<arith::AddIOp>();
    for (bool swaps : {false, true})
      if (sum && matchRows(sum->getOperand(swaps)) &&
          matchColumns(sum->getOperand(!swaps)))
        return true;
    return false;
  }

  bool matchRows(Value distance) {
    if (auto repeat = distance.getDefiningOp<tile::BroadcastOp>())
      distance = repeat.getSource();
    auto product = distance.getDefiningOp<arith::MulIOp>();
    for (bool swaps : {false, true}) {
      if (!product)
        return false;
      rows.numbers = vectorOf(product->getOperand(swaps), 0);
      rows.stride = everywhere(product->getOperand(!swaps));
      if (rows.numbers && rows.stride && isNotNegative(rows.stride))
        return true;
    }
    return false;
  }

  /// Like `alongAxis`, but accepts a matrix without the other axis.
  Value vectorOf(Value matrix, int64_t axis) {
    Value vector = alongAxis(matrix, axis);
    return vector && tileOf(vector).getDimSize(0) == type.getDimSize(axis)
               ? vector
               : Value();
  }

  /// Matches whole tiles of columns: a tile index times the tile size.
  bool matchColumns(Value distance) {
    columns = vectorOf(distance, 1);
    auto sum = columns ? columns.getDefiningOp<arith::AddIOp>() : nullptr;
    if (!sum)
      return false;
    for (bool swaps : {false, true}) {
      Value start = everywhere(sum->getOperand(swaps));
      auto product = start ? start.getDefiningOp<arith::MulIOp>() : nullptr;
      APInt size;
      if (product && sum->getOperand(!swaps).getDefiningOp<tile::IotaOp>() &&
          matchPattern(product.getRhs(), m_ConstantInt(&size)) &&
          size == type.getDimSize(1) && isNotNegative(start)) {
        rows.column = product.getLhs();
        return true;
      }
    }
    return false;
  }

  bool matchMask() {
    auto both = load.getMask().getDefiningOp<arith::AndIOp>();
    for (bool swaps : {false, true})
      if (both && (rows.height = limitOf(both->getOperand(swaps), 0)) &&
          (rows.width = limitOf(both->getOperand(!swaps), 1)))
        return true;
    return false;
  }

  /// The bound that a mask compares indices along an axis with; null if there
  /// is none or it may be negative.
  Value limitOf(Value condition, int64_t axis) {
    if (auto repeat = condition.getDefiningOp<tile::BroadcastOp>())
      condition = repeat.getSource();
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    // Unsigned, a negative index is not below any bound.
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
        vectorOf(compare.getLhs(), axis) !=
            (axis == 0 ? rows.numbers : columns))
      return {};
    Value limit = everywhere(compare.getRhs());
    return limit && isNotNegative(limit) ? limit : Value();
  }

  tile::LoadAtOp load;
  RankedTensorType type;
  Rows rows;
  Value columns;
  IndexFacts facts;
};
} // namespace

/// The select between a masked load and zero, which the load yields anyway;
/// null if the tile is used as it is.
static arith::SelectOp findZeros(tile::LoadAtOp load) {
  if (!load->hasOneUse() || load.getPad() != tile::PadKind::Zero)
    return {};
  auto choice = dyn_cast<arith::SelectOp>(*load->getUsers().begin());
  bool isPadded = choice && choice.getCondition() == load.getMask() &&
                  choice.getTrueValue() == load.getResult() &&
                  (matchPattern(choice.getFalseValue(), m_PosZeroFloat()) ||
                   matchPattern(choice.getFalseValue(), m_Zero()));
  return isPadded ? choice : arith::SelectOp();
}

/// The outermost loop that defines none of the values, or the op itself.
static Operation *findPlace(Operation *op, ValueRange values) {
  while (auto loop = op->getParentOfType<scf::ForOp>()) {
    if (loop != op->getParentOp() || !llvm::all_of(values, [&](Value value) {
          return loop.isDefinedOutsideOfLoop(value);
        }))
      break;
    op = loop;
  }
  return op;
}

static Value gather(tile::LoadAtOp load, const Rows &rows) {
  OpBuilder builder(
      findPlace(load, {load.getBase(), rows.height, rows.width, rows.stride}));
  Location loc = load.getLoc();
  auto asIndex = [&](Value number) -> Value {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(),
                                                    number);
  };
  constexpr int64_t any = ShapedType::kDynamic;
  auto viewType =
      tile::ViewType::get(builder.getContext(), {any, any},
                          load.getType().getElementType(), {any, 1});
  Value view = tile::ViewAtOp::create(
      builder, loc, viewType, load.getBase(),
      ValueRange{asIndex(rows.height), asIndex(rows.width)},
      asIndex(rows.stride), builder.getDenseI64ArrayAttr({any, any}),
      builder.getDenseI64ArrayAttr({any, 1}));
  builder.setInsertionPoint(load);
  Value column =
      rows.column.getType().isIndex() ? rows.column : asIndex(rows.column);
  return tile::GatherOp::create(
      builder, loc, load.getType(), view, column, rows.numbers,
      /*mask=*/Value(), /*axis=*/0,
      builder.getI64ArrayAttr(load.getType().getShape()), load.getPad());
}

namespace {
struct GatherRows : tilegpu::impl::GatherRowsBase<GatherRows> {
  using GatherRowsBase::GatherRowsBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<tile::LoadAtOp> loads;
    getOperation().walk([&](tile::LoadAtOp load) { loads.push_back(load); });
    for (tile::LoadAtOp load : loads) {
      arith::SelectOp choice = findZeros(load);
      Value tile = choice ? choice.getResult() : load.getResult();
      if (!llvm::all_of(tile.getUsers(), llvm::IsaPred<tile::DotOp>))
        continue;
      std::optional<Rows> rows = Matching(load).run();
      if (!rows) {
        explainMissed(load, "gather")
            << "an operand is read by offset, but not recognized as whole rows "
               "of a matrix, rows·stride + columns with bounds checks";
        continue;
      }
      tile.replaceAllUsesWith(gather(load, *rows));
      if (choice)
        choice.erase();
      load.erase();
      ++numGathered;
    }
  }
};
} // namespace
