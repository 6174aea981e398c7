// Implements scratch memory of blocks on a GPU: an arena in the module, divided
// into slots. A block acquires a free slot at its start and releases it at its
// end, like a lock.
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PLACESCRATCH
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;

/// The alignment of slots, so that they share no cache line.
static constexpr int64_t slotAlignment = 128;
static constexpr int64_t arenaBytes = int64_t(1) << 27;
/// More blocks than any GPU runs at a time: with as many slots none waits.
static constexpr int64_t mostSlots = 4096;

namespace {
class Placement {
public:
  explicit Placement(tile::KernelOp kernel)
      : kernel(kernel), b(kernel.getLoc(), OpBuilder(kernel)) {
    kernel.walk([&](tile::ScratchOp op) { memories.push_back(op); });
  }

  LogicalResult place();

private:
  Value integer(Type type, int64_t value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  }
  Value asTile(Value scalar) {
    return tile::SplatOp::create(b, RankedTensorType::get({}, scalar.getType()),
                                 scalar, b.getArrayAttr({}));
  }
  /// Zero-initialized memory that all blocks share, under an unused name like
  /// `name`.
  Value sharedZeros(StringRef name, Type element, int64_t count,
                    int64_t alignment);
  Value firstSlot(int64_t slots);
  Value takeSlot(Value states, int64_t slots);
  void release(Value states, Value slot);

  tile::KernelOp kernel;
  ImplicitLocOpBuilder b;
  SmallVector<tile::ScratchOp> memories;
};
} // namespace

Value Placement::sharedZeros(StringRef name, Type element, int64_t count,
                             int64_t alignment) {
  std::string free = name.str();
  const auto isTaken = [&] {
    return kernel
        .walk([&](tile::DataOp op) {
          return op.getShared() == StringRef(free) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
        })
        .wasInterrupted();
  };
  while (isTaken())
    free += '_';
  auto zeros = DenseElementsAttr::get(RankedTensorType::get({count}, element),
                                      b.getIntegerAttr(element, 0));
  return tile::DataOp::create(b, tile::PtrType::get(b.getContext(), element),
                              zeros, b.getStringAttr(free),
                              b.getI64IntegerAttr(alignment));
}

/// The slot at which a block starts its search: concurrent blocks start apart.
Value Placement::firstSlot(int64_t slots) {
  Value number;
  for (unsigned axis = kernel.getGridRank(); axis-- > 0;) {
    Value id = tile::BlockIdOp::create(b, axis);
    number = number ? arith::AddIOp::create(
                          b,
                          arith::MulIOp::create(
                              b, number, tile::NumBlocksOp::create(b, axis)),
                          id)
                          .getResult()
                    : id;
  }
  Value count = arith::ConstantIndexOp::create(b, slots);
  return arith::IndexCastOp::create(b, b.getI32Type(),
                                    arith::RemUIOp::create(b, number, count));
}

/// Cycles through the states until one was 0, and leaves 1 there.
Value Placement::takeSlot(Value states, int64_t slots) {
  const Type i32 = b.getI32Type();
  Value zero = integer(i32, 0), one = integer(i32, 1);
  Value taken = asTile(one);
  auto walk = scf::WhileOp::create(b, TypeRange(i32), firstSlot(slots));
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&walk.getBefore(), {}, i32, b.getLoc());
  Value at = before->getArgument(0);
  Value was = tile::AtomicRMWOp::create(
      b, tile::AtomicKind::Xchg, states, asTile(at), taken,
      /*mask=*/Value(), tile::MemoryOrder::Acquire, tile::MemoryScope::Device);
  Value held = tensor::ExtractOp::create(b, was, ValueRange());
  Value again = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, held, zero);
  scf::ConditionOp::create(b, again, at);
  Block *after = b.createBlock(&walk.getAfter(), {}, i32, b.getLoc());
  Value next = arith::AddIOp::create(b, after->getArgument(0), one);
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next,
                                       integer(i32, slots));
  scf::YieldOp::create(
      b, ValueRange(arith::SelectOp::create(b, isLast, zero, next)));
  return walk.getResult(0);
}

void Placement::release(Value states, Value slot) {
  b.setInsertionPoint(kernel.getEntryBlock()->getTerminator());
  tile::StoreAtOp::create(
      b, asTile(integer(b.getI32Type(), 0)), states, asTile(slot),
      /*mask=*/Value(), tile::MemoryOrder::Release, tile::MemoryScope::Device);
}

LogicalResult Placement::place() {
  if (memories.empty())
    return success();
  int64_t slotBytes = 0;
  SmallVector<int64_t> offsets;
  for (tile::ScratchOp op : memories) {
    offsets.push_back(slotBytes);
    slotBytes += llvm::alignTo(int64_t(op.getCount()) *
                                   memoryBytes(op.getType().getPointee()),
                               slotAlignment);
  }
  const int64_t slots = std::min(mostSlots, arenaBytes / slotBytes);
  if (slots == 0)
    return memories.front().emitOpError("takes ")
           << slotBytes << " bytes of a block with all others; a GPU has up to "
           << arenaBytes;
  // Blocks of a product may run in clusters, which hold slots while they wait
  // for one another.
  const bool multiplies =
      kernel.walk([](tile::DotOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (multiplies && slots < mostSlots)
    return memories.front().emitOpError("takes ")
           << slotBytes
           << " bytes of a block with all others; in a kernel that multiplies "
              "a GPU has up to "
           << arenaBytes / mostSlots;

  b.setInsertionPointToStart(kernel.getEntryBlock());
  Value states =
      sharedZeros("scratch_slots", b.getI32Type(), slots, slotAlignment);
  Value slot = takeSlot(states, slots);
  constexpr int64_t word = 8;
  Value arena = sharedZeros("scratch", b.getI64Type(), slots * slotBytes / word,
                            slotAlignment);
  const Type i64 = b.getI64Type();
  Value start = arith::AddIOp::create(
      b, tile::PtrToIntOp::create(b, arena),
      arith::MulIOp::create(b, arith::ExtUIOp::create(b, i64, slot),
                            integer(i64, slotBytes)));
  for (auto [op, offset] : llvm::zip_equal(memories, offsets)) {
    Value address = arith::AddIOp::create(b, start, integer(i64, offset));
    Value pointer = tile::IntToPtrOp::create(b, op.getType(), address);
    op.replaceAllUsesWith(
        tile::AssumeOp::create(b, pointer, b.getI64IntegerAttr(slotAlignment),
                               /*bounded=*/DenseI64ArrayAttr())
            .getResult());
  }
  release(states, slot);
  for (tile::ScratchOp op : memories)
    op.erase();
  return success();
}

namespace {
struct PlaceScratch : tilegpt::tilegpu::impl::PlaceScratchBase<PlaceScratch> {
  void runOnOperation() override {
    if (failed(Placement(getOperation()).place()))
      signalPassFailure();
  }
};
} // namespace
