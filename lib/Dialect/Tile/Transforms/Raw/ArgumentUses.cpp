// Traces the arguments of raw kernels through casts to their uses.
#include "ArgumentUses.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tile {

void forEachArgumentUse(Value value,
                        llvm::function_ref<void(OpOperand &)> visit) {
  for (OpOperand &use : value.getUses()) {
    visit(use);
    if (isa<AssumeOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>(use.getOwner()))
      forEachArgumentUse(use.getOwner()->getResult(0), visit);
  }
}

int64_t promisedDivisor(BlockArgument argument) {
  int64_t divisor = 1;
  forEachArgumentUse(argument, [&](OpOperand &use) {
    if (auto promise = dyn_cast<AssumeOp>(use.getOwner()))
      divisor = std::max<int64_t>(divisor, promise.getDivBy().value_or(1));
  });
  return divisor;
}

/// The axis of the `number`-th dynamic entry.
static std::optional<int64_t> dynamicAxis(ArrayRef<int64_t> entries,
                                          int64_t number) {
  for (auto [axis, entry] : llvm::enumerate(entries))
    if (ShapedType::isDynamic(entry) && number-- == 0)
      return int64_t(axis);
  return std::nullopt;
}

/// Operand groups of ViewAtOp; either may be empty.
static constexpr unsigned sizesGroup = 1, stridesGroup = 2;

std::optional<int64_t> strideAxis(OpOperand &use) {
  auto view = dyn_cast<ViewAtOp>(use.getOwner());
  if (!view || !view.getStaticStrides())
    return std::nullopt;
  const auto [first, count] = view.getODSOperandIndexAndLength(stridesGroup);
  const unsigned number = use.getOperandNumber();
  if (number < first || number - first >= count)
    return std::nullopt;
  return dynamicAxis(*view.getStaticStrides(), number - first);
}

std::optional<int64_t> sizeAxis(OpOperand &use) {
  auto view = dyn_cast<ViewAtOp>(use.getOwner());
  if (!view)
    return std::nullopt;
  const auto [first, count] = view.getODSOperandIndexAndLength(sizesGroup);
  const unsigned number = use.getOperandNumber();
  if (number < first || number - first >= count)
    return std::nullopt;
  return dynamicAxis(view.getStaticSizes(), number - first);
}

int64_t narrowestBytes(KernelOp kernel) {
  int64_t bytes = accessBytes;
  for (BlockArgument argument : kernel.getArguments())
    if (auto pointer = dyn_cast<PtrType>(argument.getType()))
      bytes = std::min(bytes, memoryBytes(pointer.getPointee()));
  return bytes;
}

bool isInteger(Type type) {
  return type.isIndex() || (type.isInteger() && !type.isInteger(1));
}

} // namespace tilegpt::tile
