// Keeps rows that exceed the registers in shared memory: each reader loads them
// from there, and recomputes what it needs of them.
#include "Shared/ClusterRows.h"
#include "Shared/RowStaging.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/Residents.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_STAGEROWS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class LongRowStaging : RowStaging {
public:
  LongRowStaging(tile::KernelOp kernel, const LongRows &rows)
      : RowStaging(kernel, rows) {}

  void run() {
    // Ops that read rows, in order; each recomputes what it needs of them.
    SmallVector<Operation *> readers, old;
    for (Operation &op : kernel.getEntryBlock()->without_terminator()) {
      auto isOne = [&](Value value) { return isRow(value); };
      bool reads = llvm::any_of(op.getOperands(), isOne);
      if (isa<tile::ReduceOp, tile::StoreOp>(op) && reads)
        readers.push_back(&op);
      if (reads || llvm::any_of(op.getResults(), isOne))
        old.push_back(&op);
    }
    // Issue the copies of rows that are read later as well.
    for (tile::LoadOp load : rows.loads)
      moveAhead(load, readers.front());
    moveOtherLoadsAhead(readers.front());
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
    eraseUnused(old);
  }

private:
  bool isShifted() const { return rows.mostBefore != 0; }

  /// Issues the copies at the first load of a row; rows of the same index begin
  /// in the same column.
  void copyRows() {
    tile::LoadOp last = rows.loads.back();
    Location loc = last.getLoc();
    IndexFacts facts;
    SmallVector<SmallVector<bool>> inside;
    for (tile::LoadOp load : rows.loads)
      inside.push_back(analyzeAccess(load, facts).isInside);
    for (tile::StoreOp store : rows.stores)
      storeIsInside[store] = analyzeAccess(store, facts).isInside[0];

    builder.setInsertionPoint(rows.loads.front());
    Arithmetic math(builder, loc);
    first = arith::ConstantIndexOp::create(builder, loc, 0);
    if (isShifted())
      first = math.rem(math.mul(rows.row, rows.pitch), rows.unit);
    for (auto [number, isInside] : llvm::enumerate(inside)) {
      tile::LoadOp load = rows.loads[number];
      builder.setInsertionPoint(load);
      auto type = SharedType::get(kernel.getContext(), {1, rows.getWidth()},
                                  load.getType().getElementType(),
                                  /*swizzle=*/0, /*padding=*/0);
      Value buffer = AllocOp::create(builder, loc, type, IntegerAttr());
      CopyOp::create(builder, loc, load.getView(), load.getIndices(),
                     /*rows=*/Value(), buffer, first, isInside);
      buffers[load] = buffer;
    }
    CommitCopiesOp::create(builder, loc);
  }

  Value loadAgain(tile::LoadOp load) override {
    return ReadOp::create(builder, load.getLoc(), widened(load.getType()),
                          buffers.lookup(load));
  }

  void reduceRow(tile::ReduceOp op, IRMapping &made) {
    Location loc = op.getLoc();
    SmallVector<Type> elements;
    for (Value row : op.getSources())
      elements.push_back(getElementTypeOrSelf(row.getType()));
    IRMapping mapping;
    for (auto [row, identity] :
         llvm::zip_equal(op.getSources(), tile::identitiesOf(op, elements))) {
      Value wide = remake(row, made);
      if (rows.getWidth() != rows.columns && isFilled(op, row))
        wide = FillOutsideOp::create(
            builder, loc, wide,
            arith::ConstantOp::create(builder, loc, identity), first,
            /*length=*/Value(), uint64_t(rows.columns));
      mapping.map(row, wide);
    }
    auto again = cast<tile::ReduceOp>(builder.clone(*op, mapping));
    LayoutAttr left = op.getKeepdims() ? layout.collapseAxis(op.getAxis())
                                       : layout.dropAxis(op.getAxis());
    for (auto [before, after] :
         llvm::zip_equal(op.getResults(), again.getResults())) {
      Value result = after;
      auto promised = cast<RankedTensorType>(result.getType());
      if (LayoutAttr::of(promised) != left) {
        result.setType(promised.cloneWithEncoding(left));
        result = ConvertLayoutOp::create(builder, loc, promised, result);
      }
      before.replaceAllUsesWith(result);
    }
  }

  void storeRow(tile::StoreOp op, IRMapping &made) {
    Value wide = remake(op.getValue(), made);
    StoreCoveringOp::create(builder, op.getLoc(), wide, first, op.getView(),
                            op.getIndices().front(), storeIsInside.lookup(op));
  }

  Value first; ///< the column at which a row begins
  DenseMap<Operation *, bool> storeIsInside;
};

struct StageRows : tilegpu::impl::StageRowsBase<StageRows> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || !stagesRows(plan))
      return;
    std::optional<LongRows> rows = findLongRows(kernel);
    if (!rows)
      return;
    rows->parts = plan.getParts();
    rows->inRegisters = plan.getInRegisters();
    rows->throughMemory = plan.getThroughMemory();
    if (rows->isInCluster())
      stageRowsInCluster(kernel, *rows);
    else
      LongRowStaging(kernel, *rows).run();
    if (!rows->inRegisters)
      kernel->setAttr(stagedRowsName, UnitAttr::get(&getContext()));
  }
};
} // namespace
