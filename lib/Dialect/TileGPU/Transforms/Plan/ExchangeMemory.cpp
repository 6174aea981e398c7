// Bounds a kernel's scratch and operand buffers by its tiles.
#include "Plan/ExchangeMemory.h"
#include "Layout/CutLayout.h"
#include "Layout/ReshapeAxes.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Bytes of a tile in shared memory, with rows padded by `most` bytes, or by an
/// eighth if they are short.
static int64_t paddedBytes(Value value, int64_t most = sharedUnitBytes) {
  constexpr int64_t share = 8;
  auto tile = cast<RankedTensorType>(value.getType());
  int64_t columns = tile.getRank() ? tile.getShape().back() : 1,
          rows = tile.getNumElements() / columns,
          bytes = columns * memoryBytes(tile.getElementType());
  return rows * (bytes + std::min(most, bytes / share));
}

/// Whether a reshape only adds or drops unit dimensions.
static bool keepsAxes(tile::ReshapeOp op) {
  auto isLong = [](int64_t size) { return size != 1; };
  return llvm::equal(
      llvm::make_filter_range(op.getSource().getType().getShape(), isLong),
      llvm::make_filter_range(op.getResult().getType().getShape(), isLong));
}

/// Whether a tile is only part of a computation, element by element, of the
/// left operand of a main loop's dot.
static bool becomesLeftOperand(Value tile, ArrayRef<Mainloop> matches) {
  return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto dot = dyn_cast<tile::DotOp>(user))
      return &use == &dot.getLhsMutable() && !dot.getTransposeA() &&
             llvm::any_of(matches, [&](const Mainloop &match) {
               return llvm::is_contained(match.dots, dot);
             });
    return tile::isElementwise(user) &&
           user->getBlock() == tile.getParentBlock() &&
           becomesLeftOperand(user->getResult(0), matches);
  });
}

/// Whether threads hold the same elements before and after a reshape that
/// merges axes, since its result has the layout of a left operand in registers.
static bool keepsElements(tile::ReshapeOp op, ArrayRef<Mainloop> matches) {
  auto joined = joinedAxes(op);
  RankedTensorType type = op.getResult().getType();
  return joined && becomesLeftOperand(op.getResult(), matches) &&
         llvm::all_of(ArrayRef<int64_t>({1, 2, 3}), [&](int64_t groups) {
           return type.getDimSize(0) % (groups * groupRows) != 0 ||
                  cutLayout(leftOperandLayout(type, groups * groupWarps),
                            *joined, op.getSource().getType().getShape());
         });
}

/// An upper bound on the scratch of an op.
static int64_t boundScratch(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](tile::ReshapeOp op) {
        return keepsAxes(op) ? 0 : paddedBytes(op.getSource());
      })
      .Case<tile::ExtractOp, tile::InsertOp>(
          [](auto op) { return paddedBytes(op.getSource()); })
      .Case([](tile::CatOp op) { return paddedBytes(op.getResult()); })
      .Case([](tile::ScanOp op) {
        int64_t bytes = 0;
        for (Value source : op.getSources())
          bytes += paddedBytes(source);
        return bytes;
      })
      .Case([](tile::ReduceOp op) {
        // Each warp has rows of its own.
        constexpr int64_t mostWarps = mostGroupsOfProduct * groupWarps;
        int64_t bytes = 0;
        if (op.getAxis() == 0)
          for (Value result : op->getResults())
            bytes += mostWarps * paddedBytes(result);
        return bytes;
      })
      .Case([](tile::DotOp op) {
        // Behind a main loop, its accumulator changes from the fragments of
        // one instruction to those of another.
        return std::max(paddedBytes(op.getLhs()),
                        paddedBytes(op.getAcc(), mostExchangePadding));
      })
      .Default(int64_t(0));
}

ExchangeMemory::ExchangeMemory(tile::KernelOp kernel,
                               ArrayRef<Mainloop> matches) {
  kernel.walk([&](Operation *op) {
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      if (llvm::any_of(matches, [&](const Mainloop &match) {
            return llvm::is_contained(match.dots, dot);
          }))
        return;
      for (auto operand : {dot.getLhs(), dot.getRhs()})
        operands += bufferOfOperand(operand.getType()).getNumBytes();
    }
    auto reshape = dyn_cast<tile::ReshapeOp>(op);
    if (!reshape || !keepsElements(reshape, matches))
      scratch = std::max(scratch, boundScratch(op));
  });
}

bool ExchangeMemory::suitsTeams() const {
  constexpr int64_t little = int64_t(16) << 10;
  return operands == 0 && scratch <= little;
}

} // namespace tilegpt::tilegpu
