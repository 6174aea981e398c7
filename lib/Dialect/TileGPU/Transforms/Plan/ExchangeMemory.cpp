// Bounds a kernel's scratch and operand buffers by its tiles.
#include "Plan/ExchangeMemory.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Bytes of a tile in shared memory, with rows padded by a unit, or by an
/// eighth if they are short.
static int64_t paddedBytes(Value value) {
  constexpr int64_t share = 8;
  auto tile = cast<RankedTensorType>(value.getType());
  int64_t columns = tile.getRank() ? tile.getShape().back() : 1,
          rows = tile.getNumElements() / columns,
          bytes = columns * memoryBytes(tile.getElementType());
  return rows * (bytes + std::min(sharedUnitBytes, bytes / share));
}

/// Whether a reshape only adds or drops unit dimensions.
static bool keepsAxes(tile::ReshapeOp op) {
  auto isLong = [](int64_t size) { return size != 1; };
  return llvm::equal(
      llvm::make_filter_range(op.getSource().getType().getShape(), isLong),
      llvm::make_filter_range(op.getResult().getType().getShape(), isLong));
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
        constexpr int64_t mostWarps = 8;
        int64_t bytes = 0;
        if (op.getAxis() == 0)
          for (Value result : op->getResults())
            bytes += mostWarps * paddedBytes(result);
        return bytes;
      })
      .Case([](tile::DotOp op) {
        return std::max(paddedBytes(op.getLhs()), paddedBytes(op.getAcc()));
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
    scratch = std::max(scratch, boundScratch(op));
  });
}

bool ExchangeMemory::suitsTeams() const {
  constexpr int64_t little = int64_t(16) << 10;
  return operands == 0 && scratch <= little;
}

} // namespace tilegpt::tilegpu
