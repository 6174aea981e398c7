// Sizes of exchanges through the scratch area.
#include "Scratch.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t alignment = 16;

SmallVector<Type> accumulatorTypes(tile::ReduceOp op) {
  SmallVector<Type> types;
  for (Value source : op.getSources())
    types.push_back(getElementTypeOrSelf(source.getType()));
  if (tile::isArgReduction(op))
    types.push_back(IntegerType::get(op.getContext(), 32));
  else if (op.getKind())
    types.front() = tile::accumulatorType(*op.getKind(), types.front());
  return types;
}

/// Digits of the modes along `axis`, and of all others but copies.
static std::pair<int64_t, int64_t> countModes(ArrayRef<LayoutMode> modes,
                                              int64_t axis) {
  int64_t along = 1, beside = 1;
  for (const LayoutMode &mode : modes)
    if (mode.axis == axis)
      along *= mode.extent;
    else if (!mode.isReplicated())
      beside *= mode.extent;
  return {along, beside};
}

ReduceExchange::ReduceExchange(tile::ReduceOp op) {
  LayoutAttr layout = LayoutAttr::of(op.getSources().front().getType());
  int64_t axis = op.getAxis();
  registers = layout.collapseAxis(axis).getNumRegisters();
  lanesBeside = countModes(layout.getLanes(), axis).second;
  warpsAlong = countModes(layout.getWarps(), axis).first;
  warpsBeside = layout.getNumWarps() / warpsAlong;
  // The lanes of a warp write with a distance of warpsAlong then, which is free
  // while all of them fit in one row of banks.
  constexpr int64_t numBanks = 32;
  warpsFirst = lanesBeside * warpsAlong <= numBanks;
}

/// Bytes of an accumulator in scratch.
static int64_t bytesOf(Type type) {
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

int64_t scratchBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](tile::ReduceOp op) {
        ReduceExchange exchange(op);
        int64_t bytes = 0;
        if (exchange.isNeeded())
          for (Type type : accumulatorTypes(op))
            bytes += llvm::alignTo(exchange.getNumSlots() * bytesOf(type),
                                   alignment);
        return bytes;
      })
      .Case([](ConvertLayoutOp op) -> int64_t {
        RankedTensorType type = op.getSource().getType();
        LayoutAttr from = LayoutAttr::of(type),
                   to = LayoutAttr::of(op.getType());
        if (from.findRegisters(to, type.getShape()))
          return 0;
        return getExchangeBuffer(type, from, to).getNumBytes();
      })
      .Default([](Operation *) { return 0; });
}

} // namespace tilegpt::tilegpu
