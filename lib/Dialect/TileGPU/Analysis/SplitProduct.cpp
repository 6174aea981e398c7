// The conditions of split-K across the grid.
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The only loop of a kernel, if nothing before it stores and everything after
/// it only loads, computes and stores.
static scf::ForOp findOnlyLoop(tile::KernelOp kernel) {
  scf::ForOp loop;
  for (Operation &op : kernel.getEntryBlock()->without_terminator()) {
    auto here = dyn_cast<scf::ForOp>(op);
    if (here && loop)
      return {};
    bool isKept = here || isMemoryEffectFree(&op) || isa<tile::LoadOp>(op) ||
                  (loop && isa<tile::StoreOp>(op));
    if (!isKept)
      return {};
    loop = here ? here : loop;
  }
  return loop;
}

/// The load of a matrix that an operand is: of an argument or one entry of a
/// batch, past whose end reads are zero.
static tile::LoadOp findOperand(Value operand, scf::ForOp loop) {
  constexpr size_t axes = 2;
  auto load = operand.getDefiningOp<tile::LoadOp>();
  if (!load || load->getBlock() != loop.getBody() || !load->hasOneUse() ||
      load.getMask() || load.getOrder() ||
      load.getPad() != tile::PadKind::Zero || load.getIndices().size() != axes)
    return {};
  Value view = load.getView();
  while (auto select = view.getDefiningOp<tile::SelectOp>())
    view = select.getSource();
  return isa<BlockArgument>(view) ? load : tile::LoadOp();
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

std::optional<SplitProduct> findSplitProduct(tile::KernelOp kernel) {
  constexpr size_t axes = 2;
  if (kernel.isRaw() || kernel.getGridRank() < axes)
    return std::nullopt;
  scf::ForOp loop = findOnlyLoop(kernel);
  if (!loop || loop.getNumResults() != 1 ||
      !isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1) ||
      !isZeroTile(loop.getInitArgs().front()))
    return std::nullopt;
  auto dot = loop.getYieldedValues().front().getDefiningOp<tile::DotOp>();
  if (!dot || dot->getBlock() != loop.getBody() || !dot->hasOneUse() ||
      dot.getAcc() != loop.getRegionIterArg(0) ||
      !loop.getRegionIterArg(0).hasOneUse() ||
      !dot.getAcc().getType().getElementType().isF32())
    return std::nullopt;
  tile::LoadOp lhs = findOperand(dot.getLhs(), loop),
               rhs = findOperand(dot.getRhs(), loop);
  constexpr unsigned placesOfOperands = 2;
  if (!lhs || !rhs || !loop.getInductionVar().hasNUses(placesOfOperands))
    return std::nullopt;
  auto rowAxis = axisOfPlace(lhs, dot.getTransposeA() ? 1 : 0, loop),
       columnAxis = axisOfPlace(rhs, dot.getTransposeB() ? 0 : 1, loop);
  if (!rowAxis || !columnAxis || *rowAxis == *columnAxis)
    return std::nullopt;
  return SplitProduct{loop, dot, lhs, rhs, *rowAxis, *columnAxis};
}

} // namespace tilegpt::tilegpu
