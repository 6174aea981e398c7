// Replaces the sum of a row with only one unmasked element, as in a
// cross-entropy loss, by a load of that element.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PICKCOLUMNS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

static bool isZeroNumber(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// The source of broadcasts and added unit axes.
static Value unrepeated(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tile::BroadcastOp, tile::ExpandDimsOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The column of each row for which a comparison of indices holds, as a [rows,
/// 1] tile; null for other conditions.
static Value pickedColumn(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return {};
  RankedTensorType type = tileOf(condition);
  for (bool swaps : {false, true}) {
    Value numbers = compare->getOperand(swaps),
          column = compare->getOperand(!swaps);
    auto iota = unrepeated(numbers).getDefiningOp<tile::IotaOp>();
    auto repeat = column.getDefiningOp<tile::BroadcastOp>();
    if (!iota || iota.getType().getDimSize(0) != type.getDimSize(1) ||
        !repeat || !getElementTypeOrSelf(column.getType()).isInteger(32))
      continue;
    int64_t shape[] = {type.getDimSize(0), 1};
    if (tileOf(repeat.getSource()).getShape() == ArrayRef(shape))
      return repeat.getSource();
  }
  return {};
}

namespace {
class Picking {
public:
  explicit Picking(tile::ReduceOp reduce)
      : reduce(reduce), builder(reduce), loc(reduce.getLoc()) {}

  /// Whether the op sums rows in which a comparison selects one element.
  bool match() {
    if (reduce.getKind() != tile::ReduceKind::Add ||
        reduce.getSources().size() != 1 || reduce.getAxis() != 1 ||
        tileOf(reduce.getSources()[0]).getRank() != 2)
      return false;
    auto choice = reduce.getSources()[0].getDefiningOp<arith::SelectOp>();
    if (!choice || !isZeroNumber(choice.getFalseValue()))
      return false;
    picked = choice.getTrueValue();
    column = pickedColumn(choice.getCondition());
    return column && canPick(picked) && hasLoad;
  }

  void run() {
    Value own = pick(picked);
    // If no column is selected, the sum is zero; a negative zero sums to zero,
    // too.
    RankedTensorType type = tileOf(own);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    own = isa<FloatType>(type.getElementType())
              ? arith::AddFOp::create(builder, loc, own, zero).getResult()
              : own;
    Value sum = arith::SelectOp::create(builder, loc, isColumn(), own, zero);
    RankedTensorType result = tileOf(reduce.getResult(0));
    if (result != type)
      sum = tile::ReshapeOp::create(builder, loc, result, sum,
                                    builder.getI64ArrayAttr(result.getShape()));
    reduce.getResult(0).replaceAllUsesWith(sum);
    reduce.erase();
  }

private:
  int64_t getRows() const { return tileOf(picked).getDimSize(0); }
  int64_t getColumns() const { return tileOf(picked).getDimSize(1); }
  RankedTensorType narrow(Type type) const {
    return RankedTensorType::get({getRows(), 1}, getElementTypeOrSelf(type));
  }

  /// Whether an element can be computed alone: from loads, elementwise ops, or
  /// values that are the same in all columns.
  bool canPick(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast_or_null<tile::LoadOp>(op))
      return canPickLoaded(load);
    if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op)) {
      RankedTensorType source = tileOf(broadcast.getSource());
      return source.getRank() == 2 && source.getDimSize(1) == 1 &&
             source.getDimSize(0) == getRows();
    }
    if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue());
    return op && op->getNumResults() == 1 &&
           (isa<tile::SplatOp>(op) ||
            (tile::isElementwise(op) &&
             llvm::all_of(op->getOperands(),
                          [&](Value v) {
                            return isa<RankedTensorType>(v.getType());
                          }))) &&
           (isa<tile::SplatOp>(op) ||
            llvm::all_of(op->getOperands(),
                         [&](Value operand) { return canPick(operand); }));
  }

  bool canPickLoaded(tile::LoadOp load) {
    // Shorter rows are read in whole sectors anyway.
    constexpr int64_t fewestBytes = 256;
    AccessOperands access(load);
    auto view = cast<tile::ViewType>(access.view.getType());
    IndexFacts facts;
    hasLoad = true;
    return isa<BlockArgument>(access.view) && view.isDense() &&
           view.getRank() == 2 && !access.mask && !load.getOrder() &&
           view.getShape()[1] == getColumns() &&
           isConstantIntValue(access.indices[1], 0) &&
           readsWhatStays(load, facts) &&
           getColumns() * memoryBytes(view.getElementType()) >= fewestBytes;
  }

  Value pick(Value value) {
    if (Value again = made.lookupOrNull(value))
      return again;
    Operation *op = value.getDefiningOp();
    Value own;
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      own = pickLoaded(load);
    } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
      own = broadcast.getSource();
    } else {
      if (!isa<tile::SplatOp>(op))
        for (Value operand : op->getOperands())
          pick(operand);
      Operation *clone = builder.clone(*op, made);
      own = clone->getResult(0);
      retypeTile(own, narrow(value.getType()));
    }
    made.map(value, own);
    return own;
  }

  Value splat(Value number) {
    return tile::SplatOp::create(builder, loc, narrow(number.getType()), number,
                                 builder.getI64ArrayAttr({getRows(), 1}));
  }
  Value constant(Type element, int64_t number) {
    RankedTensorType type = narrow(element);
    return arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(type, builder.getIntegerAttr(element, number)));
  }

  /// Whether the column is in range. Unsigned, a negative index is out of
  /// range, too.
  Value isColumn() {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                 column,
                                 constant(builder.getI32Type(), getColumns()));
  }

  Value pickLoaded(tile::LoadOp load) {
    Type i64 = builder.getI64Type();
    Value size = arith::ConstantIndexOp::create(builder, loc, getRows()),
          start =
              arith::MulIOp::create(builder, loc, load.getIndices()[0], size),
          end = tile::DimOp::create(builder, loc, load.getView(), /*axis=*/0);
    auto wide = [&](Value index) {
      return splat(arith::IndexCastOp::create(builder, loc, i64, index));
    };
    Value numbers = tile::IotaOp::create(
        builder, loc, RankedTensorType::get({getRows()}, i64),
        builder.getI64ArrayAttr({getRows()}));
    numbers = tile::ExpandDimsOp::create(builder, loc, narrow(i64), numbers,
                                         /*axis=*/1);
    Value row = arith::AddIOp::create(builder, loc, wide(start), numbers);
    Value mask = arith::AndIOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, row,
                              wide(end)),
        isColumn());
    Value offset = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, row, constant(i64, getColumns())),
        arith::ExtSIOp::create(builder, loc, narrow(i64), column));
    Type element = load.getType().getElementType();
    Value base = tile::BaseOp::create(
        builder, loc, tile::PtrType::get(builder.getContext(), element),
        load.getView());
    return tile::LoadAtOp::create(builder, loc, narrow(element), base, offset,
                                  mask, load.getPad(), tile::MemoryOrder::Weak,
                                  tile::MemoryScope::Device);
  }

  tile::ReduceOp reduce;
  OpBuilder builder;
  Location loc;
  Value picked, column;
  IRMapping made;
  bool hasLoad = false;
};

struct PickColumns : tilegpu::impl::PickColumnsBase<PickColumns> {
  using PickColumnsBase::PickColumnsBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<tile::ReduceOp> reductions;
    getOperation().walk([&](tile::ReduceOp op) { reductions.push_back(op); });
    for (tile::ReduceOp reduce : reductions) {
      Picking picking(reduce);
      if (!picking.match())
        continue;
      explainPassed(reduce, "tile")
          << "only one element of each row is used: it is loaded at its column";
      picking.run();
      ++numPicked;
    }
  }
};
} // namespace
