// Lets each block process two long rows, so that vectors which all rows share
// are read half as often.
#include "Plan/RowPlan.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PAIRROWS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// How the rows of a kernel are shared out to blocks: block b gets the rows
/// f, f + period, …, for f = (b / period)·(together·period) + b % period.
struct RowSets {
  int64_t rows;     ///< of the kernel
  int64_t period;   ///< rows from one to the next that begins alike
  int64_t together; ///< rows of a block

  int64_t count() const {
    const int64_t round = period * together;
    return rows / round * period + std::min(rows % round, period);
  }
};

/// Makes each block compute several rows.
class RowPairing {
public:
  RowPairing(tile::KernelOp kernel, const RowSets &sets)
      : kernel(kernel), sets(sets), builder(kernel), loc(kernel.getLoc()) {}

  void run() {
    Block *body = kernel.getEntryBlock();
    SmallVector<tile::BlockIdOp> ids;
    SmallVector<Operation *> text;
    for (Operation &op : body->without_terminator()) {
      if (auto id = dyn_cast<tile::BlockIdOp>(op); id && id.getAxis() == 0)
        ids.push_back(id);
      else
        text.push_back(&op);
    }
    builder.setInsertionPointToStart(body);
    SmallVector<Value> numbers = makeNumbers();
    SmallVector<IRMapping> made(sets.together - 1);
    for (auto [mapping, number] :
         llvm::zip_equal(made, ArrayRef(numbers).drop_front()))
      mapping.map(numbers.front(), number);
    for (tile::BlockIdOp id : ids) {
      id.replaceAllUsesWith(numbers.front());
      id.erase();
    }
    // Clones follow their op, so that rows are processed side by side.
    for (Operation *op : text) {
      if (llvm::none_of(op->getOperands(), [&](Value operand) {
            return made.front().contains(operand);
          }))
        continue;
      builder.setInsertionPointAfter(op);
      for (IRMapping &mapping : made)
        builder.clone(*op, mapping);
    }
    setBlocks();
  }

private:
  SmallVector<Value> makeNumbers() {
    Arithmetic math(builder, loc);
    const int64_t period = sets.period;
    Value id = bound(tile::BlockIdOp::create(builder, loc, 0), sets.count());
    Value first =
        math.add(math.mul(math.div(id, period), period * sets.together),
                 math.rem(id, period));
    SmallVector<Value> numbers = {bound(first, sets.rows)};
    for (int64_t number = 1; number < sets.together; ++number) {
      Value next = math.add(numbers.front(), number * period);
      // Blocks with fewer rows compute one twice.
      if (sets.rows % (period * sets.together) != 0) {
        Value exists = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, next,
            arith::ConstantIndexOp::create(builder, loc, sets.rows));
        next = arith::SelectOp::create(builder, loc, exists, next,
                                       numbers.front());
      }
      numbers.push_back(bound(next, sets.rows));
    }
    return numbers;
  }

  Value bound(Value index, int64_t count) {
    return tile::AssumeOp::create(builder, loc, index, IntegerAttr(),
                                  builder.getDenseI64ArrayAttr({0, count - 1}));
  }

  void setBlocks() {
    SmallVector<Attribute> grid(kernel.getGrid().getValue());
    auto along = cast<tile::ExprAttr>(grid[0]);
    AffineMap blocks = along.getMap();
    grid[0] = tile::ExprAttr::get(
        builder.getContext(),
        AffineMap::get(blocks.getNumDims(), blocks.getNumSymbols(),
                       builder.getAffineConstantExpr(sets.count())),
        along.getSources());
    kernel.setGridAttr(builder.getArrayAttr(grid));
  }

  tile::KernelOp kernel;
  RowSets sets;
  OpBuilder builder;
  Location loc;
};

struct PairRows : tilegpu::impl::PairRowsBase<PairRows> {
  using PairRowsBase::PairRowsBase;

  void runOnOperation() override {
    SmallVector<tile::KernelOp> kernels(
        getOperation().getOps<tile::KernelOp>());
    for (tile::KernelOp kernel : kernels)
      if (mayReadVectors(kernel) && failed(pair(kernel)))
        return signalPassFailure();
  }

private:
  /// Whether blocks along one axis, whose number is known, load long tiles and
  /// only load and store.
  bool mayReadVectors(tile::KernelOp kernel) const {
    std::optional<int64_t> rows = knownBlocks(kernel, 0);
    if (!rows || *rows < 2 || knownBlocks(kernel) != rows)
      return false;
    bool hasVectors = false;
    for (Operation &op : kernel.getEntryBlock()->without_terminator()) {
      if (isa<scf::SCFDialect>(op.getDialect()) || isa<tile::NumBlocksOp>(op) ||
          (LongRows::isUpdate(&op) && !isa<tile::StoreOp>(op)))
        return false;
      auto load = dyn_cast<tile::LoadOp>(op);
      hasVectors |= load && load.getType().getRank() == 1 &&
                    load.getType().getNumElements() >= LongRows::fewestColumns;
    }
    return hasVectors;
  }

  LogicalResult pair(tile::KernelOp kernel) {
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return failure();
    std::optional<RowSets> sets;
    if (failed(planSimplifiedRows(
            kernel, exact,
            [&](OpPassManager &pm, Operation *op) {
              return runPipeline(pm, op);
            },
            [&](tile::KernelOp simple) {
              sets = chooseSets(simple, *known, *knownBlocks(kernel));
            })))
      return failure();
    if (!sets)
      return success();
    RowPairing(kernel, *sets).run();
    explainPassed(kernel, "grid")
        << remark::add("a block processes two rows, the second {0} after the "
                       "first, and reads the vectors they share once",
                       sets->period);
    ++numPaired;
    return success();
  }

  /// Pairs of rows if blocks read more of vectors than they load and store of
  /// a row, and clusters for all pairs fill multiprocessors with two blocks or
  /// are estimated to be faster. Fewer pairs in blocks that exchange through
  /// memory are not: layer norms of bf16 30 x 70002 take 9.5 us instead of 8.5.
  std::optional<RowSets> chooseSets(tile::KernelOp kernel,
                                    const target::GpuTarget &known,
                                    int64_t count) const {
    std::optional<LongRows> rows =
        findSharedLongRows(kernel, known, multiprocessors);
    if (!rows || !rows->scans.empty() ||
        rows->bytesOfVectors() <= rows->bytesOfRows())
      return std::nullopt;
    constexpr int64_t fewestBlocks = 2;
    const RowSets sets = {count, rows->getPeriod(), /*together=*/2};
    if (sets.count() * LongRows::mostParts >= fewestBlocks * multiprocessors ||
        isFaster(kernel, sets, known))
      return sets;
    explainMissed(kernel, "grid")
        << remark::add("{0} pairs of rows that begin alike leave "
                       "multiprocessors without a second block, and are not "
                       "estimated to be faster",
                       sets.count());
    return std::nullopt;
  }

  /// Whether kernels of pairs are estimated to be faster than of single rows.
  bool isFaster(tile::KernelOp kernel, const RowSets &sets,
                const target::GpuTarget &known) const {
    OwningOpRef<tile::KernelOp> pairs(kernel.clone());
    RowPairing(*pairs, sets).run();
    auto estimate = [&](tile::KernelOp made) {
      return estimateLongRows(made, known, multiprocessors);
    };
    const std::optional<double> alone = estimate(kernel),
                                paired = estimate(*pairs);
    // Estimates are off by that much.
    constexpr double doubt = 0.95;
    return alone && paired && *paired < doubt * *alone;
  }
};
} // namespace
