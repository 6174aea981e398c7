// Decides which tiles share a layout unconditionally.
#include "Layout/LayoutClasses.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static bool isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}

LayoutClasses::LayoutClasses(tile::KernelOp kernel) {
  auto add = [&](Value value) {
    if (!isTile(value))
      return;
    numbers[value] = tiles.size();
    classes.insert(tiles.size());
    tiles.push_back(value);
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    // The region of a reduction works on scalars.
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
  kernel.walk([&](Operation *op) {
    if (tile::isElementwise(op)) {
      for (Value operand : op->getOperands())
        join(operand, op->getResult(0));
      for (Value result : op->getResults())
        join(result, op->getResult(0));
    } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
      join(dot.getAcc(), dot.getResult());
    } else if (auto insert = dyn_cast<tile::InsertOp>(op)) {
      join(insert.getDest(), insert.getResult());
    } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
      if (load.getMask())
        join(load.getMask(), load.getResult());
    } else if (auto gather = dyn_cast<tile::GatherOp>(op)) {
      if (gather.getMask())
        join(gather.getMask(), gather.getResult());
    } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
      if (store.getMask())
        join(store.getMask(), store.getValue());
    } else if (auto scatter = dyn_cast<tile::ScatterOp>(op)) {
      if (scatter.getMask())
        join(scatter.getMask(), scatter.getValue());
    } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      for (Value source : reduce.getSources())
        join(source, reduce.getSources().front());
      for (Value result : reduce.getResults())
        join(result, reduce.getResults().front());
    } else if (isa<tile::ScanOp, tile::LoadAtOp, tile::StoreAtOp,
                   tile::AtomicRMWOp, tile::AtomicCASOp, tile::PrintOp>(op)) {
      // All their tiles belong together elementwise.
      Value first;
      auto joinFirst = [&](Value value) {
        if (!isTile(value))
          return;
        first = first ? first : value;
        join(first, value);
      };
      llvm::for_each(op->getOperands(), joinFirst);
      llvm::for_each(op->getResults(), joinFirst);
    } else {
      joinLoop(op);
    }
  });
}

void LayoutClasses::joinLoop(Operation *op) {
  if (auto loop = dyn_cast<MainloopOp>(op)) {
    for (auto [stream, argument] :
         llvm::zip_equal(loop.getStreams(), loop.getStreamArgs()))
      join(stream, argument);
    for (auto [resident, argument] :
         llvm::zip_equal(loop.getResidents(), loop.getResidentArgs()))
      join(resident, argument);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    // The arguments of the condition, and the values it passes on.
    for (auto [init, argument, yielded] :
         llvm::zip_equal(loop.getInits(), loop.getBeforeArguments(),
                         loop.getYieldOp().getOperands())) {
      join(init, argument);
      join(yielded, argument);
    }
    for (auto [passed, argument, result] :
         llvm::zip_equal(loop.getConditionOp().getArgs(),
                         loop.getAfterArguments(), loop.getResults())) {
      join(passed, argument);
      join(result, argument);
    }
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    for (auto [init, argument, yielded, result] : llvm::zip(
             loop.getInits(), loop.getRegionIterArgs(), loop.getYieldedValues(),
             loop.getLoopResults().value_or(ResultRange(op->getResults())))) {
      join(init, argument);
      join(yielded, argument);
      join(result, argument);
    }
  } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    for (Region &region : op->getRegions())
      if (!region.empty())
        for (auto [yielded, result] :
             llvm::zip(region.front().getTerminator()->getOperands(),
                       op->getResults()))
          join(yielded, result);
  }
}

void LayoutClasses::join(Value a, Value b) {
  if (isTile(a) && isTile(b))
    classes.unionSets(numbers.at(a), numbers.at(b));
}

Value LayoutClasses::leaderOf(Value tile) const {
  return tiles[classes.getLeaderValue(numbers.at(tile))];
}

} // namespace tilegpt::tilegpu
