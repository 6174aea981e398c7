// Hoists loads of a main loop's consumers above the loop, or above an
// iteration's waits.
#include "Mainloop/ConsumerLoads.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Registers per thread that a tile takes.
static int64_t registersOfTile(Type type) {
  constexpr int64_t wordBits = 32;
  auto tile = dyn_cast<RankedTensorType>(type);
  LayoutAttr layout = tile ? LayoutAttr::of(tile) : LayoutAttr();
  return layout ? llvm::divideCeil(layout.getNumRegisters() *
                                       tile.getElementTypeBitWidth(),
                                   wordBits)
                : 0;
}

void loadBeforeLoop(MainloopOp loop) {
  constexpr int64_t budget = 208;
  auto kernel = loop->getParentOfType<tile::KernelOp>();
  int64_t taken = 0;
  for (Type type : loop.getResultTypes())
    taken += registersOfTile(type);
  for (auto load :
       llvm::make_early_inc_range(loop->getBlock()->getOps<tile::LoadOp>())) {
    if (load->isBeforeInBlock(loop))
      continue;
    BlockArgument root = rootOf(load.getView());
    bool isThere = llvm::all_of(load->getOperands(), [&](Value operand) {
      Operation *op = operand.getDefiningOp();
      return !op || op->getBlock() != loop->getBlock() ||
             op->isBeforeInBlock(loop);
    });
    int64_t registers = registersOfTile(load.getType());
    if (!root || kernel.isOut(root.getArgNumber()) || !isThere ||
        taken + registers > budget)
      continue;
    taken += registers;
    load->moveBefore(loop);
  }
}

/// Whether a scalar or view of an iteration depends only on its number.
static bool isKnownAtStart(Value value, MainloopOp loop) {
  if (value == loop.getIterationArg() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getConsumeBlock() &&
         op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !isa<RankedTensorType>(value.getType()) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isKnownAtStart(operand, loop);
         });
}

/// Clones the computation of such a value for the iteration in `known`.
static void computeAtStart(OpBuilder &builder, Value value, MainloopOp loop,
                           IRMapping &known) {
  if (known.contains(value) || loop.isDefinedOutsideOfLoop(value))
    return;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    computeAtStart(builder, operand, loop, known);
  builder.clone(*op, known);
}

void loadBeforeWaits(OpBuilder &builder, MainloopOp loop, IRMapping &known) {
  // Threads of one or two warp groups have registers to spare; of three, none.
  constexpr int64_t mostRegisters = 32, mostWarps = 8;
  auto kernel = loop->getParentOfType<tile::KernelOp>();
  int64_t left =
      PlanAttr::of(kernel).getWarps() <= mostWarps ? mostRegisters : 0;
  for (auto load : loop.getConsumeBlock()->getOps<tile::LoadOp>()) {
    BlockArgument root = rootOf(load.getView());
    int64_t registers = registersOfTile(load.getType());
    bool isKnown = llvm::all_of(load->getOperands(), [&](Value operand) {
      return isKnownAtStart(operand, loop);
    });
    if (!root || kernel.isOut(root.getArgNumber()) || !isKnown ||
        registers > left)
      continue;
    left -= registers;
    for (Value operand : load->getOperands())
      computeAtStart(builder, operand, loop, known);
    known.map(load.getResult(), builder.clone(*load, known)->getResult(0));
  }
}

} // namespace tilegpt::tilegpu
