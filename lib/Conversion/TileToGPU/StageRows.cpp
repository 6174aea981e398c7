// Keeps rows that are too long for registers in shared memory: whoever needs
// them reads them there, and computes again what it needs of them.
#include "AccessFacts.h"
#include "Arithmetic.h"
#include "LongRows.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_STAGEROWS
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class Staging {
public:
  Staging(tile::KernelOp kernel, LongRows rows)
      : kernel(kernel), rows(std::move(rows)), builder(kernel),
        layout(LayoutAttr::getBlocked(
            kernel.getContext(), {1, this->rows.getWidth()}, this->rows.unit,
            PlanAttr::of(kernel).getWarps())) {}

  void run() {
    // What reads rows, in order; all of it reads them anew.
    SmallVector<Operation *> readers, old;
    for (Operation &op : kernel.getEntryBlock()->without_terminator()) {
      if (isa<tile::ReduceOp, tile::StoreOp>(op) &&
          llvm::any_of(op.getOperands(),
                       [&](Value value) { return isRow(value); }))
        readers.push_back(&op);
      if (llvm::any_of(op.getOperands(),
                       [&](Value value) { return isRow(value); }) ||
          llvm::any_of(op.getResults(),
                       [&](Value value) { return isRow(value); }))
        old.push_back(&op);
    }
    copyRows();
    builder.setInsertionPoint(readers.front());
    WaitCopiesOp::create(builder, kernel.getLoc(), 0);
    BarrierOp::create(builder, kernel.getLoc());
    for (Operation *reader : readers) {
      builder.setInsertionPoint(reader);
      IRMapping made;
      if (auto reduce = dyn_cast<tile::ReduceOp>(reader))
        reduceRow(reduce, made);
      else
        storeRow(cast<tile::StoreOp>(reader), made);
    }
    for (Operation *op : llvm::reverse(old))
      if (op->use_empty())
        op->erase();
  }

private:
  bool isRow(Value value) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getShape() == ArrayRef<int64_t>{1, rows.columns};
  }
  RankedTensorType widened(Type type) const {
    return RankedTensorType::get({1, rows.getWidth()},
                                 cast<RankedTensorType>(type).getElementType(),
                                 layout);
  }
  bool isShifted() const { return rows.mostBefore != 0; }

  /// Starts the copies where the first row is loaded; rows of one number begin
  /// in the same column.
  void copyRows() {
    tile::LoadOp last = rows.loads.back();
    Location loc = last.getLoc();
    IndexFacts facts;
    SmallVector<SmallVector<bool>> inside;
    for (tile::LoadOp load : rows.loads)
      inside.push_back(analyzeAccess(load, facts).isInside);
    SmallVector<bool> storesInside;
    for (tile::StoreOp store : rows.stores)
      storeIsInside[store] = analyzeAccess(store, facts).isInside[0];

    builder.setInsertionPoint(rows.loads.front());
    Arithmetic math(builder, loc);
    first = arith::ConstantIndexOp::create(builder, loc, 0);
    if (isShifted())
      first = math.rem(math.mul(rows.row, rows.pitch), rows.unit);
    for (auto [load, isInside] : llvm::zip_equal(rows.loads, inside)) {
      builder.setInsertionPoint(load);
      auto type = SharedType::get(kernel.getContext(), {1, rows.getWidth()},
                                  load.getType().getElementType(),
                                  /*swizzle=*/0, /*padding=*/0);
      Value buffer = AllocOp::create(builder, loc, type, IntegerAttr());
      CopyOp::create(builder, loc, load.getView(), load.getIndices(), buffer,
                     first, isInside);
      buffers[load] = buffer;
    }
    CommitCopiesOp::create(builder, loc);
  }

  /// A row, or what the kernel makes of it, again and wider.
  Value remake(Value row, IRMapping &made) {
    if (Value again = made.lookupOrNull(row))
      return again;
    Operation *op = row.getDefiningOp();
    Value again;
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      again = ReadOp::create(builder, op->getLoc(), widened(row.getType()),
                             buffers.lookup(load));
    } else {
      for (Value operand : op->getOperands())
        if (isRow(operand))
          remake(operand, made);
      Operation *clone = builder.clone(*op, made);
      again = clone->getResult(0);
      again.setType(widened(row.getType()));
      if (isa<tile::BroadcastOp, tile::SplatOp>(clone))
        clone->setAttr("sizes", builder.getI64ArrayAttr({1, rows.getWidth()}));
      if (auto constant = dyn_cast<arith::ConstantOp>(clone))
        constant.setValueAttr(
            cast<SplatElementsAttr>(constant.getValue())
                .resizeSplat(cast<ShapedType>(again.getType())));
      if (auto broadcast = dyn_cast<tile::BroadcastOp>(clone))
        takeFrom(broadcast);
    }
    made.map(row, again);
    return again;
  }

  /// The value that is broadcast, in the layout that suits the wider row.
  void takeFrom(tile::BroadcastOp broadcast) {
    auto source = cast<RankedTensorType>(broadcast.getSource().getType());
    LayoutAttr wanted =
        layout.undoBroadcast(source.getShape(), {1, rows.getWidth()});
    if (LayoutAttr::of(source) == wanted)
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(broadcast);
    broadcast.getSourceMutable().assign(ConvertLayoutOp::create(
        builder, broadcast.getLoc(), source.cloneWithEncoding(wanted),
        broadcast.getSource()));
  }

  void reduceRow(tile::ReduceOp op, IRMapping &made) {
    Location loc = op.getLoc();
    Value row = op.getSources().front(), wide = remake(row, made);
    Type element = getElementTypeOrSelf(row.getType());
    if (rows.getWidth() != rows.columns) {
      Value pad = arith::ConstantOp::create(
          builder, loc,
          tile::identityOf(*op.getKind(), op.getNanPolicy(), element));
      wide = FillOutsideOp::create(builder, loc, wide, pad, first,
                                   uint64_t(rows.columns));
    }
    IRMapping mapping;
    mapping.map(row, wide);
    auto again = cast<tile::ReduceOp>(builder.clone(*op, mapping));
    Value result = again.getResults().front();
    auto promised = cast<RankedTensorType>(result.getType());
    LayoutAttr left = op.getKeepdims() ? layout.collapseAxis(op.getAxis())
                                       : layout.dropAxis(op.getAxis());
    if (LayoutAttr::of(promised) != left) {
      result.setType(promised.cloneWithEncoding(left));
      result = ConvertLayoutOp::create(builder, loc, promised, result);
    }
    op.getResults().front().replaceAllUsesWith(result);
  }

  void storeRow(tile::StoreOp op, IRMapping &made) {
    Value wide = remake(op.getValue(), made);
    StoreCoveringOp::create(builder, op.getLoc(), wide, first, op.getView(),
                            op.getIndices().front(), storeIsInside.lookup(op));
  }

  tile::KernelOp kernel;
  LongRows rows;
  OpBuilder builder;
  LayoutAttr layout; ///< of a row
  Value first;       ///< the column that a row begins in
  DenseMap<Operation *, Value> buffers;
  DenseMap<Operation *, bool> storeIsInside;
};

struct StageRows : tilegpu::impl::StageRowsBase<StageRows> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || plan.getBlocks() == 0)
      return;
    auto target = target::GpuTarget::find(plan.getTarget());
    if (!target) {
      kernel.emitOpError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    std::optional<LongRows> rows = findLongRows(kernel, *target);
    if (!rows)
      return;
    if (rows->parts > 1 || !rows->vectors.empty())
      stageRowsInCluster(kernel, *rows);
    else
      Staging(kernel, std::move(*rows)).run();
    kernel->setAttr(stagedRowsName, UnitAttr::get(&getContext()));
  }
};
} // namespace
