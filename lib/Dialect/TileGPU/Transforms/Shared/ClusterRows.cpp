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
    for (ArrayRef<Operation *> left = readers; !left.empty();) {
      const size_t count = countTogether(left);
      ArrayRef<Operation *> first = left.take_front(count);
      left = left.drop_front(count);
      SmallVector<SquaredDeviations> deviations = findDeviations(first, left);
      if (deviations.empty()) {
        process(first);
        continue;
      }
      processDeviations(deviations);
      left = left.drop_front(count);
    }
    exchange.end();
    eraseUnused(old);
  }

private:
  /// Processes readers of one kind and layout side by side.
  void process(ArrayRef<Operation *> readers) {
    builder.setInsertionPoint(readers.back());
    layout = layoutOf(readers.front());
    if (isa<tile::StoreOp>(readers.front()))
      return storeParts(llvm::map_to_vector(
          readers, [](Operation *op) { return cast<tile::StoreOp>(op); }));
    auto reductions = llvm::map_to_vector(
        readers, [](Operation *op) { return cast<tile::ReduceOp>(op); });
    if (reductions.front().getKind())
      reduceParts(reductions);
    else
      reduceByRegion(reductions.front());
  }

  /// The sums of rows whose squared deviations are computed next; empty if
  /// anything else is, or if blocks form a cluster, whose exchanges take less
  /// time than the correction.
  SmallVector<SquaredDeviations>
  findDeviations(ArrayRef<Operation *> sums, ArrayRef<Operation *> next) const {
    SmallVector<SquaredDeviations> all;
    if (!rows.throughMemory || !rows.scans.empty() ||
        next.size() < sums.size() || countTogether(next) != sums.size())
      return {};
    for (auto [sum, square] : llvm::zip(sums, next)) {
      auto first = dyn_cast<tile::ReduceOp>(sum),
           second = dyn_cast<tile::ReduceOp>(square);
      auto found = first && second && layoutOf(first) == layoutOf(second)
                       ? SquaredDeviations::of(first, second)
                       : std::nullopt;
      if (!found)
        return {};
      all.push_back(*found);
    }
    return all;
  }

  /// Computes both sums where the last of the squares is, and what depends on
  /// the first behind them.
  void processDeviations(ArrayRef<SquaredDeviations> all) {
    Operation *end = all.back().squares;
    SetVector<Operation *> later;
    for (const SquaredDeviations &each : all)
      later.insert(each.sum);
    for (Operation *op = all.front().sum; op != end; op = op->getNextNode()) {
      auto isLater = [&](Operation *nested) {
        return llvm::any_of(nested->getOperands(), [&](Value operand) {
          return later.contains(operand.getDefiningOp());
        });
      };
      if (op->walk([&](Operation *nested) {
              return isLater(nested) ? WalkResult::interrupt()
                                     : WalkResult::advance();
            }).wasInterrupted())
        later.insert(op);
    }
    builder.setInsertionPoint(end);
    layout = layoutOf(end);
    reduceDeviations(all);
    for (Operation *op : later)
      if (op->getBlock() == end->getBlock())
        op->moveBefore(end);
  }

  LayoutAttr layoutOf(Operation *reader) const {
    bool meetsVectors = llvm::any_of(reader->getOperands(), [&](Value value) {
      return ofVectors.contains(value);
    });
    return rows.mostBefore && meetsVectors && !rows.vectorsAreAligned
               ? neighbours
               : units;
  }

  /// How many of the first readers can be processed where the last of them is:
  /// stores with nothing but arithmetic between them, or reductions by kind
  /// whose results are used later. So vectors are read once for rows that share
  /// a block, and their reductions exchanged at once.
  size_t countTogether(ArrayRef<Operation *> readers) const {
    Operation *first = readers.front();
    auto isByKind = [](Operation *op) {
      auto reduce = dyn_cast<tile::ReduceOp>(op);
      return reduce && reduce.getKind();
    };
    auto isFromRegisters = [&](Operation *op) {
      auto store = dyn_cast<tile::StoreOp>(op);
      return store &&
             (layoutOf(op) == units || !rows.leavesThroughShared(store));
    };
    size_t count = 1;
    if (!rows.scans.empty() || (!isByKind(first) && !isFromRegisters(first)))
      return count;
    for (Operation *next : readers.drop_front()) {
      Operation *last = readers[count - 1];
      auto areUsedLater = [&](Operation *op) {
        return llvm::all_of(op->getUsers(), [&](Operation *user) {
          return next->isBeforeInBlock(user);
        });
      };
      bool isAlike = isByKind(first) ? isByKind(next) : isFromRegisters(next);
      if (!isAlike || next->getBlock() != first->getBlock() ||
          layoutOf(next) != layoutOf(first) ||
          !llvm::all_of(readers.take_front(count), areUsedLater))
        break;
      bool isArithmetic = true;
      for (Operation *op = last->getNextNode(); op != next;
           op = op->getNextNode())
        isArithmetic &= isMemoryEffectFree(op);
      if (isFromRegisters(first) && !isArithmetic)
        break;
      ++count;
    }
    return count;
  }

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

  void storeParts(ArrayRef<tile::StoreOp> ops) {
    tile::StoreOp op = ops.front();
    Type element = getElementTypeOrSelf(op.getValue().getType());
    if (layout == units || !rows.leavesThroughShared(op))
      return storeRegisters(ops);
    tile::LoadOp inPlace = rows.loadInPlaceOfStore();
    Value buffer = inPlace ? buffers.lookup(inPlace) : makeBuffer(element);
    Value run = partOf(op);
    // Earlier reads of the same memory must be done.
    BarrierOp::create(builder, loc);
    makePieces(op.getValue(), [&](ValueRange wide, bool) {
      // Threads without elements of their own have read those of others.
      if (inPlace)
        BarrierOp::create(builder, loc);
      WriteOp::create(builder, loc, wide.front(), rowOf(buffer));
    });
    BarrierOp::create(builder, loc);
    StoreRunOp::create(builder, loc, run, buffer, first,
                       rows.getColumnsOfPart(), /*whole=*/false);
  }

  /// Stores from registers, each thread its own units or elements.
  void storeRegisters(ArrayRef<tile::StoreOp> ops) {
    SmallVector<Value> values, runs;
    for (tile::StoreOp op : ops) {
      values.push_back(op.getValue());
      runs.push_back(partOf(op));
    }
    DenseI64ArrayAttr known =
        rows.inRegisters ? knownColumns() : DenseI64ArrayAttr();
    forEachDistance(values, [&] {
      makePieces(values, [&](ValueRange wide, bool isEnd) {
        bool isInside = rows.inRegisters ? hasAllColumns() : !isEnd;
        for (auto [tile, run] : llvm::zip_equal(wide, runs))
          StoreUnitsOp::create(builder, loc, tile, offset, run, first, isInside,
                               known);
      });
    });
  }

  /// Emits code for each distance by which a block may have to shift vectors
  /// that meet these rows. Selects by a distance that is only known at run time
  /// would be more than a quarter of the instructions of a layer norm.
  void forEachDistance(ValueRange values, llvm::function_ref<void()> emit) {
    constexpr int64_t mostDistances = 4;
    const int64_t entries = entriesOfShifted(),
                  step = std::gcd(entries, rows.pitch);
    if (entries == 0 || entries / step > mostDistances || !rows.scans.empty() ||
        llvm::none_of(values,
                      [&](Value value) { return ofVectors.contains(value); }))
      return emit();
    OpBuilder::InsertionGuard guard(builder);
    Arithmetic math(builder, loc);
    Value behind = math.rem(first, entries);
    for (int64_t begin = 0; begin < entries; begin += step) {
      distance = (entries - begin) % entries;
      if (begin + step == entries) {
        emit();
        break;
      }
      auto branch = scf::IfOp::create(builder, loc, math.isEqual(behind, begin),
                                      /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
      emit();
      builder.setInsertionPointToStart(branch.elseBlock());
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
