// The conditions of split-K across the grid.
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The only loop of a kernel, if nothing before it stores and everything after
/// it only loads, computes and stores.
static scf::ForOp findOnlyLoop(tile::KernelOp kernel, Refusal &refusal) {
  scf::ForOp loop;
  for (Operation &op : kernel.getEntryBlock()->without_terminator()) {
    auto here = dyn_cast<scf::ForOp>(op);
    if (here && loop) {
      refusal = {here, "the kernel has another loop"};
      return {};
    }
    bool isKept = here || isMemoryEffectFree(&op) || isa<tile::LoadOp>(op) ||
                  (loop && isa<tile::StoreOp>(op));
    if (!isKept) {
      refusal = {&op, "the kernel does more than load, compute, and store "
                      "after the loop"};
      return {};
    }
    loop = here ? here : loop;
  }
  if (!loop)
    refusal = {kernel, "the kernel has no loop"};
  return loop;
}

/// Whether a load is of a tile of an argument or one entry of a batch, past
/// whose end reads are zero.
static bool loadsMatrix(tile::LoadOp load) {
  constexpr size_t axes = 2;
  if (load.getMask() || load.getOrder() ||
      load.getPad() != tile::PadKind::Zero || load.getIndices().size() != axes)
    return false;
  Value view = load.getView();
  while (auto select = view.getDefiningOp<tile::SelectOp>())
    view = select.getSource();
  return isa<BlockArgument>(view);
}

/// The first load of a matrix among the ops of a loop that an operand is
/// computed from, or the load that it is.
static tile::LoadOp findOperand(Value operand, scf::ForOp loop) {
  auto isIn = [&](Operation *op) {
    return op && op->getBlock() == loop.getBody();
  };
  Operation *made = operand.getDefiningOp();
  if (!isIn(made))
    return {};
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = isIn;
  if (failed(getBackwardSlice(made, &slice, options)))
    return {};
  tile::LoadOp matrix;
  auto isUnit = [](Attribute size) {
    return isConstantIntValue(OpFoldResult(size), 1);
  };
  for (Operation *op : slice) {
    if (isa<tile::DotOp>(op))
      return {};
    auto load = dyn_cast<tile::LoadOp>(op);
    if (load && loadsMatrix(load) && llvm::none_of(load.getSizes(), isUnit) &&
        !matrix)
      matrix = load;
  }
  return matrix;
}

/// Whether an operand is what the loop loads for it alone.
static bool isLoaded(Value operand, tile::LoadOp load) {
  return operand == load.getResult() && load->hasOneUse();
}

/// The axis of the grid that indexes a tile along one of its axes, if the loop
/// indexes it along the other.
static std::optional<int64_t> axisOfPlace(tile::LoadOp load, unsigned axis,
                                          scf::ForOp loop) {
  auto block = load.getIndices()[axis].getDefiningOp<tile::BlockIdOp>();
  if (!block || load.getIndices()[1 - axis] != loop.getInductionVar())
    return std::nullopt;
  return block.getAxis();
}

std::optional<SplitProduct> findSplitProduct(tile::KernelOp kernel,
                                             Refusal *refusal) {
  constexpr size_t axes = 2;
  constexpr unsigned placesOfOperands = 2;
  Refusal ignored;
  Refusal &why = refusal ? *refusal : ignored;
  auto no = [&](Operation *op, StringRef reason) {
    why = {op, reason.str()};
    return std::nullopt;
  };
  if (kernel.isRaw() || kernel.getGridRank() < axes)
    return no(kernel, "rows and columns are not two axes of the grid");
  scf::ForOp loop = findOnlyLoop(kernel, why);
  if (!loop)
    return std::nullopt;
  if (loop.getNumResults() != 1)
    return no(loop, "the loop carries more than one sum");
  if (!isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1) ||
      !isZeroTile(loop.getInitArgs().front()))
    return no(loop, "the sum does not start from zero at the first step");
  auto dot = loop.getYieldedValues().front().getDefiningOp<tile::DotOp>();
  if (!dot || dot->getBlock() != loop.getBody() || !dot->hasOneUse() ||
      dot.getAcc() != loop.getRegionIterArg(0) ||
      !loop.getRegionIterArg(0).hasOneUse())
    return no(loop, "the loop does not only accumulate one dot");
  if (!dot.getAcc().getType().getElementType().isF32())
    return no(dot, "the sums are not f32");
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isMemoryEffectFree(&op) && !isa<tile::LoadOp>(op))
      return no(&op, "the loop does more than load and compute");
  tile::LoadOp lhs = findOperand(dot.getLhs(), loop),
               rhs = findOperand(dot.getRhs(), loop);
  if (!lhs || !rhs)
    return no(dot, "an operand is not a tile of an argument, zero past its "
                   "end, or computed from one in the loop");
  // A computed operand may be the transpose of what is loaded.
  auto placeOf = [&](Value operand, tile::LoadOp load, unsigned axis) {
    std::optional<int64_t> place = axisOfPlace(load, axis, loop);
    return place || operand == load.getResult()
               ? place
               : axisOfPlace(load, 1 - axis, loop);
  };
  auto rowAxis = placeOf(dot.getLhs(), lhs, dot.getTransposeA() ? 1 : 0),
       columnAxis = placeOf(dot.getRhs(), rhs, dot.getTransposeB() ? 0 : 1);
  bool areLoaded = isLoaded(dot.getLhs(), lhs) && isLoaded(dot.getRhs(), rhs);
  if (!rowAxis || !columnAxis || *rowAxis == *columnAxis ||
      (areLoaded && !loop.getInductionVar().hasNUses(placesOfOperands)))
    return no(dot, "the operands are not indexed by two axes of the grid and "
                   "the step alone");
  return SplitProduct{loop, dot, lhs, rhs, *rowAxis, *columnAxis, !areLoaded};
}

} // namespace tilegpt::tilegpu
