// Moves unaligned rows through shared memory: consecutive whole rows are a
// contiguous run, which is copied in whole 16-byte units wherever it begins.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_STAGERUNS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Whether a view is an argument, or has other axes than it from its start on.
static bool isWholeArgument(Value view) {
  if (auto merged = view.getDefiningOp<tile::ViewAtOp>())
    if (auto base = merged.getBase().getDefiningOp<tile::BaseOp>())
      view = base.getView();
  return isa<BlockArgument>(view);
}

namespace {
constexpr int64_t unitBytes = 16;

/// A load or store of whole rows that is better done as a run.
struct Run {
  Operation *op = nullptr;
  Value view, row;
  RankedTensorType tile;
  bool isWhole = false; ///< whether all rows are known to be in bounds

  int64_t getLength() const { return tile.getNumElements(); }
  int64_t getBytes() const {
    return getLength() * memoryBytes(tile.getElementType());
  }
  int64_t getUnit() const {
    return unitBytes / memoryBytes(tile.getElementType());
  }
  /// The buffer of all elements, wherever in a unit the first one is.
  SharedType getBuffer() const {
    int64_t before = getUnit() - std::gcd(getUnit(), getLength());
    return SharedType::get(
        tile.getContext(),
        {int64_t(llvm::alignTo(getLength() + before, uint64_t(getUnit())))},
        tile.getElementType(), /*swizzle=*/0, /*padding=*/0);
  }
  SharedType getRows() const {
    return SharedType::get(tile.getContext(), tile.getShape(),
                           tile.getElementType(), /*swizzle=*/0, /*padding=*/0);
  }
};

class RunStaging {
public:
  RunStaging(tile::KernelOp kernel, const target::GpuTarget &target)
      : kernel(kernel), builder(kernel) {
    IndexFacts facts;
    SmallVector<BlockArgument> roots;
    kernel.walk([&](Operation *op) {
      if (isAccess(op))
        roots.push_back(facts.ofView(AccessOperands(op).view).root);
      else if (isOffsetAccess(op))
        roots.push_back(facts.ofPointer(pointerOf(op)).root);
    });
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      if (std::optional<Run> run = findRun(&op, facts, roots))
        runs[&op] = *run;
    // Stored results reuse the memory of loaded rows. Two blocks should fit,
    // unless one takes half of the registers.
    constexpr int64_t mostInRegisters = 32768, reserved = 2048;
    int64_t loaded = 0, stored = 0, largest = 0;
    for (auto &[op, run] : runs) {
      int64_t bytes = run.getBytes() + 2 * unitBytes;
      if (isa<tile::LoadOp>(op))
        loaded += bytes;
      else
        stored = std::max(stored, bytes);
      largest = std::max(largest, run.getLength());
    }
    int64_t bytes = std::max(loaded, stored) + reserved;
    int64_t blocks = largest > mostInRegisters ? 1 : 2;
    if (blocks * bytes > target.sharedBytesPerMultiprocessor ||
        bytes > target.sharedBytesPerBlock)
      runs.clear();
  }

  int64_t run() {
    Block &block = *kernel.getEntryBlock();
    for (Operation &op :
         llvm::make_early_inc_range(block.without_terminator())) {
      if (usesPending(op))
        readPending(&op);
      auto found = runs.find(&op);
      if (found == runs.end())
        continue;
      if (isa<tile::LoadOp>(op))
        copy(found->second);
      else
        store(found->second);
    }
    for (Operation *op : replaced)
      op->erase();
    return runs.size();
  }

private:
  /// The run that an access moves; nullopt if threads move 16 bytes at once or
  /// few elements anyway, or if the order of accesses may matter.
  static std::optional<Run> findRun(Operation *op, IndexFacts &facts,
                                    ArrayRef<BlockArgument> roots) {
    constexpr int64_t fewestBytes = 512;
    auto load = dyn_cast<tile::LoadOp>(op);
    if (!load && !isa<tile::StoreOp>(op))
      return std::nullopt;
    AccessOperands access(op);
    auto type = cast<tile::ViewType>(access.view.getType());
    int64_t bytes = memoryBytes(access.tile.getElementType());
    BlockArgument root = facts.ofView(access.view).root;
    if (!root || !isWholeArgument(access.view) || !type.isDense() ||
        type.getRank() != 2 || access.mask ||
        ArrayRef(access.viewAxis) != ArrayRef<int64_t>({0, 1}) ||
        type.getShape()[1] != access.tile.getDimSize(1) ||
        access.tile.getElementType().isInteger(1) ||
        !isConstantIntValue(access.indices[1], 0) ||
        facts.of(access.indices[0]).range.lo < 0)
      return std::nullopt;
    if (load ? load.getPad() != tilegpt::tile::PadKind::Zero ||
                   !readsWhatStays(load, facts)
             : llvm::count(roots, root) != 1 ||
                   llvm::is_contained(roots, BlockArgument()))
      return std::nullopt;
    AccessFacts found = analyzeAccess(op, facts);
    Run run = {op, access.view, access.indices[0], access.tile,
               found.isInside[0]};
    if (found.alignedSize * bytes >= unitBytes || run.getBytes() < fewestBytes)
      return std::nullopt;
    return run;
  }

  bool usesPending(Operation &op) {
    return op
        .walk([&](Operation *inner) {
          bool uses = llvm::any_of(inner->getOperands(), [&](Value operand) {
            return llvm::any_of(pending, [&](auto &entry) {
              return entry.first->op->getResult(0) == operand;
            });
          });
          return uses ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The run as a view, and the offset in its first unit at which it begins.
  std::pair<Value, Value> begin(const Run &run) {
    Location loc = run.op->getLoc();
    auto type = tile::ViewType::get(kernel.getContext(), {ShapedType::kDynamic},
                                    run.tile.getElementType(), {});
    Value view =
        RunOp::create(builder, loc, type, run.view, run.row, run.getLength());
    int64_t unit = run.getUnit(), rest = run.getLength() % unit;
    if (rest == 0)
      return {view, arith::ConstantIndexOp::create(builder, loc, 0)};
    Arithmetic math(builder, loc);
    Value row = math.rem(run.row, unit);
    return {view, math.rem(math.mul(row, rest), unit)};
  }

  /// Whether earlier ops, or the previous iteration, read shared memory that
  /// may overlap the buffer.
  bool mayReuseMemory(Operation *op) {
    if (op->getParentOp() != kernel)
      return true;
    return kernel
        .walk<WalkOrder::PreOrder>([&](Operation *earlier) {
          if (earlier == op)
            return WalkResult::skip();
          bool isEarlier =
              earlier != kernel && kernel.getEntryBlock()
                                       ->findAncestorOpInBlock(*earlier)
                                       ->isBeforeInBlock(op);
          return isEarlier && isa<tile::DotOp, ReadOp, StoreRunOp>(earlier)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void copy(const Run &run) {
    Location loc = run.op->getLoc();
    builder.setInsertionPoint(run.op);
    auto [view, first] = begin(run);
    Value buffer =
        AllocOp::create(builder, loc, run.getBuffer(), IntegerAttr());
    // Earlier reads of the same memory must be done.
    if (mayReuseMemory(run.op))
      BarrierOp::create(builder, loc);
    CopyRunOp::create(builder, loc, view, buffer, first, run.getLength(),
                      run.isWhole);
    CommitCopiesOp::create(builder, loc);
    pending.emplace_back(
        &run, RowsOp::create(builder, loc, run.getRows(), buffer, first));
    replaced.push_back(run.op);
  }

  /// Reads copied runs before their first use.
  void readPending(Operation *op) {
    builder.setInsertionPoint(op);
    WaitCopiesOp::create(builder, op->getLoc(), 0);
    BarrierOp::create(builder, op->getLoc());
    for (auto [run, rows] : pending) {
      Value read = ReadOp::create(builder, run->op->getLoc(), run->tile, rows);
      run->op->getResult(0).replaceAllUsesWith(read);
    }
    pending.clear();
  }

  void store(const Run &run) {
    Location loc = run.op->getLoc();
    builder.setInsertionPoint(run.op);
    auto [view, first] = begin(run);
    Value buffer =
        AllocOp::create(builder, loc, run.getBuffer(), IntegerAttr());
    Value rows = RowsOp::create(builder, loc, run.getRows(), buffer, first);
    // Earlier reads of the same memory must be done.
    BarrierOp::create(builder, loc);
    WriteOp::create(builder, loc, cast<tile::StoreOp>(run.op).getValue(), rows);
    BarrierOp::create(builder, loc);
    StoreRunOp::create(builder, loc, view, buffer, first, run.getLength(),
                       run.isWhole);
    replaced.push_back(run.op);
  }

  tile::KernelOp kernel;
  OpBuilder builder;
  llvm::MapVector<Operation *, Run> runs;
  /// Copies not waited for yet, and the rows they bring.
  SmallVector<std::pair<const Run *, Value>> pending;
  SmallVector<Operation *> replaced;
};

struct StageRuns : tilegpu::impl::StageRunsBase<StageRuns> {
  using StageRunsBase::StageRunsBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    // Kernels with a producer or with staged long rows handle this themselves.
    if (!plan || plan.getProducer() || kernel->hasAttr(stagedRowsName))
      return;
    const target::GpuTarget *target =
        target::findTarget(kernel, plan.getTarget());
    if (!target)
      return signalPassFailure();
    numStaged += RunStaging(kernel, *target).run();
  }
};
} // namespace
