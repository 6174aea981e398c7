// Splits rows that exceed a block's shared memory across the blocks of a
// cluster.
#include "Shared/ClusterRows.h"
#include "Shared/ClusterReductions.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class ClusterStaging : ClusterReductions {
public:
  ClusterStaging(tile::KernelOp kernel, const LongRows &rows)
      : ClusterReductions(kernel, rows) {}

  void run() {
    SmallVector<Operation *> text;
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      text.push_back(&op);
    builder.setInsertionPointToStart(kernel.getEntryBlock());
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    exchange.begin();
    // Ops that read rows, in order; each recomputes what it needs of them.
    SmallVector<Operation *> readers, old;
    for (Operation *op : text) {
      auto isOne = [&](Value value) { return isLong(value); };
      bool reads = llvm::any_of(op->getOperands(), isOne);
      if (isa<tile::ReduceOp, tile::StoreOp>(op) && reads)
        readers.push_back(op);
      else if (LongRows::isUpdate(op))
        updateOnce(op);
      if (reads || llvm::any_of(op->getResults(), isOne))
        old.push_back(op);
      noteVectors(op);
    }
    moveOtherLoadsAhead(readers.front());
    findPlace();
    if (rows.inRegisters) {
      loadParts();
    } else {
      copyParts();
      builder.setInsertionPoint(readers.front());
      WaitCopiesOp::create(builder, loc, 0);
      BarrierOp::create(builder, loc);
    }
    for (Operation *reader : readers) {
      builder.setInsertionPoint(reader);
      auto reduce = dyn_cast<tile::ReduceOp>(reader);
      auto store = dyn_cast<tile::StoreOp>(reader);
      bool meetsVectors = llvm::any_of(reader->getOperands(), [&](Value value) {
        return ofVectors.contains(value);
      });
      layout = rows.mostBefore && meetsVectors && !rows.vectorsAreAligned
                   ? neighbours
                   : units;
      if (reduce && !reduce.getKind())
        reduceByRegion(reduce);
      else if (reduce)
        reducePart(reduce);
      else
        storePart(store);
    }
    eraseUnused(old);
  }

private:
  /// Tracks values computed from loaded vectors.
  void noteVectors(Operation *op) {
    auto isNoted = [&](Value operand) { return ofVectors.contains(operand); };
    for (Value result : op->getResults())
      if (isLong(result) && ((isa<tile::LoadOp>(op) && isVector(result)) ||
                             llvm::any_of(op->getOperands(), isNoted)))
        ofVectors.insert(result);
  }

  /// Lets the first block store what all blocks compute alike.
  void updateOnce(Operation *update) {
    if (rows.parts == 1)
      return;
    builder.setInsertionPoint(update);
    Value isFirst = Arithmetic(builder, loc).isEqual(exchange.getPart(), 0);
    auto branch = scf::IfOp::create(builder, loc, isFirst);
    update->moveBefore(branch.thenBlock()->getTerminator());
  }

  void storePart(tile::StoreOp op) {
    Type element = getElementTypeOrSelf(op.getValue().getType());
    if (layout == units || !rows.leavesThroughShared(op))
      return storeRegisters(op);
    tile::LoadOp inPlace = rows.loadInPlaceOfStore();
    Value buffer = inPlace ? buffers.lookup(inPlace) : makeBuffer(element);
    Value run = partOf(op.getView());
    // Earlier reads of the same memory must be done.
    BarrierOp::create(builder, loc);
    makePieces(op.getValue(), [&](Value wide, bool) {
      // Threads without elements of their own have read those of others.
      if (inPlace)
        BarrierOp::create(builder, loc);
      WriteOp::create(builder, loc, wide, rowOf(buffer));
    });
    BarrierOp::create(builder, loc);
    StoreRunOp::create(builder, loc, run, buffer, first,
                       rows.getColumnsOfPart(), /*whole=*/false);
  }

  /// Stores from registers, each thread its own units or elements.
  void storeRegisters(tile::StoreOp op) {
    Value run = partOf(op.getView());
    DenseI64ArrayAttr known =
        rows.inRegisters ? knownColumns() : DenseI64ArrayAttr();
    forEachDistance(op, [&] {
      makePieces(op.getValue(), [&](Value wide, bool isEnd) {
        bool isInside = rows.inRegisters ? hasAllColumns() : !isEnd;
        StoreUnitsOp::create(builder, loc, wide, offset, run, first, isInside,
                             known);
      });
    });
  }

  /// Emits code for each distance by which a block may have to shift vectors
  /// that meet the stored row. Selects by a distance that is only known at run
  /// time would be a quarter of the instructions.
  void forEachDistance(tile::StoreOp op, llvm::function_ref<void()> emit) {
    constexpr int64_t mostDistances = 4;
    const int64_t entries = entriesOfShifted(),
                  step = std::gcd(entries, rows.pitch);
    if (entries == 0 || entries / step > mostDistances || !rows.scans.empty() ||
        !ofVectors.contains(op.getValue()))
      return emit();
    OpBuilder::InsertionGuard guard(builder);
    Arithmetic math(builder, loc);
    Value behind = math.rem(first, entries);
    for (int64_t begin = 0; begin < entries; begin += step) {
      distance = (entries - begin) % entries;
      if (begin + step < entries) {
        auto branch =
            scf::IfOp::create(builder, loc, math.isEqual(behind, begin),
                              /*withElseRegion=*/true);
        builder.setInsertionPointToStart(branch.thenBlock());
        emit();
        builder.setInsertionPointToStart(branch.elseBlock());
      } else {
        emit();
      }
    }
    distance.reset();
  }

  llvm::DenseSet<Value> ofVectors; ///< values computed from loaded vectors
};
} // namespace

void stageRowsInCluster(tile::KernelOp kernel, const LongRows &rows) {
  ClusterStaging(kernel, rows).run();
}

} // namespace tilegpt::tilegpu
