// Assigns shared memory offsets to buffers. Buffers with disjoint lifetimes may
// overlap.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Layouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/Residents.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <tuple>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_ALLOCATESHARED
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {

/// A buffer, its live range in program order, and its size in bytes.
struct Buffer {
  AllocOp alloc;
  int64_t first, last;
  int64_t bytes, alignment;
  int64_t offset = 0;

  bool overlapsInTime(const Buffer &other) const {
    return first <= other.last && other.first <= last;
  }
};

struct AllocateShared : tilegpu::impl::AllocateSharedBase<AllocateShared> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())) ||
        failed(verifyLayouts(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    number(kernel);
    SmallVector<Buffer> buffers;
    int64_t scratch = 0;
    kernel.walk([&](Operation *op) {
      scratch = std::max(scratch, scratchBytes(op));
      if (auto update = dyn_cast<tile::AtomicRMWOp>(op))
        chooseBins(update);
      if (auto alloc = dyn_cast<AllocOp>(op))
        buffers.push_back(lifetimeOf(alloc));
    });

    int64_t end = 0;
    // Place large buffers first: small ones fill the gaps.
    llvm::sort(buffers, [&](const Buffer &left, const Buffer &right) {
      return std::tuple(-left.bytes, extents[left.alloc].first) <
             std::tuple(-right.bytes, extents[right.alloc].first);
    });
    for (auto [position, buffer] : llvm::enumerate(buffers)) {
      buffer.offset = placeOf(buffer, ArrayRef(buffers).take_front(position));
      buffer.alloc.setOffset(buffer.offset);
      end = std::max(end,
                     buffer.offset + buffer.bytes + overhangOf(buffer.alloc));
    }

    // Each team has its own scratch, since teams exchange elements at different
    // times.
    PlanAttr plan = PlanAttr::of(kernel);
    int64_t teams = plan ? plan.getTeams() : 1;
    int64_t scratchOffset = llvm::alignTo(end, scratchAlignment);
    // Without a producer nothing is shared between teams.
    bool ownBuffers = teams > 1 && !plan.getProducer();
    if (ownBuffers)
      scratch = scratchOffset + llvm::alignTo(scratch, scratchAlignment);
    int64_t used = ownBuffers ? teams * scratch
                   : scratch  ? scratchOffset + teams * scratch
                              : end;
    int64_t bytes = std::max(used, bytesToLimitResidents(kernel));
    Builder builder(&getContext());
    if (scratch) {
      kernel->setAttr(scratchName, builder.getI64IntegerAttr(scratchOffset));
      kernel->setAttr(scratchBytesName, builder.getI64IntegerAttr(scratch));
    }
    kernel->setAttr(sharedBytesName, builder.getI64IntegerAttr(bytes));
    if (failed(checkSize(kernel, bytes, teams * scratch)))
      signalPassFailure();
  }

private:
  static constexpr int64_t scratchAlignment = 16;

  static void chooseBins(tile::AtomicRMWOp update) {
    Builder builder(update.getContext());
    if (SharedType bins = getBinsBuffer(update)) {
      update->setAttr(binsName, builder.getI64IntegerAttr(bins.getShape()[0]));
      if (!hasOtherElements(update)) {
        explainPassed(update, "atomic")
            << remark::add("a block accumulates the {0} elements in shared "
                           "memory and updates each once in global memory",
                           bins.getShape()[0]);
        return;
      }
      update->setAttr(firstBinsName, builder.getUnitAttr());
      explainPassed(update, "atomic") << remark::add(
          "a block accumulates the first {0} of an unknown number of "
          "elements in shared memory and updates each once in global "
          "memory, the others there",
          bins.getShape()[0]);
    } else if (mayShareBins(update)) {
      explainMissed(update, "atomic")
          << "each element of the tile is an update of global memory: a block "
             "accumulates only views of no more elements than the tile and up "
             "to 16 KB, or of an unknown number if the tile has 128";
    }
  }

  void number(tile::KernelOp kernel) {
    int64_t count = 0;
    auto enter = [&](auto &enter, Operation *op) -> void {
      int64_t first = count++;
      for (Region &region : op->getRegions())
        for (Operation &inner : region.getOps())
          enter(enter, &inner);
      extents[op] = {first, count++};
    };
    enter(enter, kernel);
  }

  /// The range from first to last use. A buffer that is used both in a loop and
  /// outside is live throughout the loop.
  Buffer lifetimeOf(AllocOp alloc) {
    SharedType type = alloc.getResult().getType();
    constexpr int64_t alignment = 16, swizzledAlignment = 1024;
    Buffer buffer = {alloc, extents[alloc].first, extents[alloc].second,
                     type.getNumBytes(),
                     type.getSwizzle() ? swizzledAlignment : alignment};
    SmallVector<Operation *> users;
    collectUsers(alloc.getResult(), users);
    if (users.empty())
      return buffer;
    Block *common = users.front()->getBlock();
    for (Operation *user : users)
      while (!common->findAncestorOpInBlock(*user))
        common = common->getParentOp()->getBlock();
    buffer.first = std::numeric_limits<int64_t>::max();
    buffer.last = 0;
    // Other blocks write at any time, and other warp groups may still multiply
    // while this one goes on.
    if (llvm::any_of(users, llvm::IsaPred<WritePartOp, GatherPartsOp,
                                          GatherBlocksOp, AsyncDotOp>)) {
      std::tie(buffer.first, buffer.last) =
          extents[alloc->getParentOfType<tile::KernelOp>()];
      return buffer;
    }
    // TMA reads a stored tile after the op that issues the store, and warps
    // that store rows pass each other without a barrier.
    bool stores = llvm::any_of(users, llvm::IsaPred<TmaStoreOp, RowStoreOp>);
    while (stores && isa<scf::ForOp>(common->getParentOp()))
      common = common->getParentOp()->getBlock();
    if (stores)
      buffer.last = extents[alloc->getParentOfType<tile::KernelOp>()].second;
    for (Operation *user : users) {
      auto [first, last] = extents[common->findAncestorOpInBlock(*user)];
      buffer.first = std::min(buffer.first, first);
      buffer.last = std::max(buffer.last, last);
    }
    return buffer;
  }

  /// Bytes past the end of a buffer that are read, with arbitrary contents.
  static int64_t overhangOf(AllocOp alloc) {
    SmallVector<Operation *> users;
    collectUsers(alloc.getResult(), users);
    int64_t bytes = 0;
    for (Operation *user : users)
      if (auto dot = dyn_cast<AsyncDotOp>(user)) {
        auto slot = dot.getLhs().getDefiningOp<SlotOp>();
        if ((slot ? slot.getRing() : dot.getLhs()) == alloc.getResult())
          bytes = std::max(bytes, dot.getOverhang());
      }
    return bytes;
  }

  /// All ops that access a buffer, including through views of it.
  static void collectUsers(Value buffer, SmallVectorImpl<Operation *> &users) {
    for (Operation *user : buffer.getUsers()) {
      users.push_back(user);
      for (Value result : user->getResults())
        if (isa<TileGPUDialect>(result.getType().getDialect()))
          collectUsers(result, users);
    }
  }

  /// The lowest offset at which a buffer overlaps no other live one.
  static int64_t placeOf(const Buffer &buffer, ArrayRef<Buffer> placed) {
    int64_t offset = 0;
    bool isFree;
    do {
      isFree = true;
      for (const Buffer &other : placed)
        if (buffer.overlapsInTime(other) &&
            offset < other.offset + other.bytes &&
            other.offset < offset + buffer.bytes) {
          offset = llvm::alignTo(other.offset + other.bytes, buffer.alignment);
          isFree = false;
        }
    } while (!isFree);
    return offset;
  }

  /// Shared memory per block that leaves room for no more resident blocks than
  /// the kernel allows.
  static int64_t bytesToLimitResidents(tile::KernelOp kernel) {
    constexpr int64_t bytesOfBlock = 1024, granularity = 128;
    auto most = kernel->getAttrOfType<IntegerAttr>(residentName);
    PlanAttr plan = PlanAttr::of(kernel);
    if (!most || !plan)
      return 0;
    const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
    if (!target)
      return 0;
    int64_t all = target->sharedBytesPerMultiprocessor,
            share = all / most.getInt();
    // Rows, or vectors beside them, are loaded through L1, which has what
    // shared memory leaves.
    if (stagesRows(plan))
      share = std::min(share, all / (most.getInt() + 1) + 2 * granularity);
    if (share <= bytesOfBlock)
      return 0;
    return std::min<int64_t>(llvm::alignDown(share - bytesOfBlock, granularity),
                             target->sharedBytesPerBlock);
  }

  static LogicalResult checkSize(tile::KernelOp kernel, int64_t bytes,
                                 int64_t scratch) {
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan)
      return kernel.emitOpError("has no plan; run --tile-gpu-make-plan first");
    const target::GpuTarget *target =
        target::findTarget(kernel, plan.getTarget());
    if (!target)
      return failure();
    int64_t limit = target->sharedBytesPerBlock;
    if (bytes <= limit)
      return success();
    return kernel.emitOpError("needs ")
           << bytes << " bytes of shared memory (" << scratch
           << " of them to exchange elements), but a block of "
           << plan.getTarget().getValue() << " has " << limit
           << "; use smaller tiles or fewer stages";
  }

  /// Maps an op to the program order positions of its start and end.
  DenseMap<Operation *, std::pair<int64_t, int64_t>> extents;
};
} // namespace
