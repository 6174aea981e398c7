// Finds kernel arguments that do not change during a step.
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_MARKLAUNCHINVARIANTPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// The launches of one function, by the globals they access.
class Step {
public:
  explicit Step(FunctionOpInterface function) : function(function) {
    function.walk([&](LaunchOp launch) {
      launches.push_back(launch);
      for (OpOperand &operand : launch->getOpOperands())
        if (auto get = rootOf(operand.get()).getDefiningOp<GetGlobalOp>())
          users[get.getNameAttr()].insert(launch);
      for (Value destination : launch.getOuts())
        updated.insert(rootOf(destination));
    });
  }

  ArrayRef<LaunchOp> getLaunches() const { return launches; }

  /// Whether an operand of a launch does not change during the step: it is an
  /// input of the step, a weight, or state that only this launch accesses.
  bool isLaunchInvariant(Value operand) {
    Value root = rootOf(operand);
    if (auto argument = dyn_cast<BlockArgument>(root))
      return !updated.contains(root) &&
             !function.getArgAttr(argument.getArgNumber(), transientAttr);
    auto get = root.getDefiningOp<GetGlobalOp>();
    if (!get)
      return false;
    auto global =
        SymbolTable::lookupNearestSymbolFrom<GlobalOp>(get, get.getNameAttr());
    return (global && global.getKind() == GlobalKind::Weight) ||
           users.at(get.getNameAttr()).size() == 1;
  }

private:
  FunctionOpInterface function;
  SmallVector<LaunchOp> launches;
  llvm::DenseMap<Attribute, llvm::SmallPtrSet<Operation *, 2>> users;
  llvm::DenseSet<Value> updated;
};

class MarkLaunchInvariant
    : public tilegpt::tile::impl::MarkLaunchInvariantPassBase<
          MarkLaunchInvariant> {
public:
  using MarkLaunchInvariantPassBase::MarkLaunchInvariantPassBase;

  void runOnOperation() override {
    // For each kernel, the arguments that are launch-invariant in all launches
    // so far.
    llvm::MapVector<KernelOp, llvm::SetVector<int64_t>> invariant;
    // The maximum rows of all launches so far; 0 if unknown.
    llvm::DenseMap<KernelOp, int64_t> mostRows;
    SymbolTableCollection tables;
    getOperation().walk([&](FunctionOpInterface function) {
      Step step(function);
      int64_t rows = mostRowsOf(function);
      for (LaunchOp launch : step.getLaunches()) {
        KernelOp kernel =
            lookupKernel(tables, launch, launch.getKernelAttr().getAttr());
        if (!kernel)
          continue;
        llvm::SetVector<int64_t> here;
        for (auto [number, operand] : llvm::enumerate(launch->getOperands()))
          if (isa<RankedTensorType>(operand.getType()) &&
              step.isLaunchInvariant(operand))
            here.insert(number);
        auto [entry, isFirst] = invariant.insert({kernel, here});
        int64_t &most = mostRows[kernel];
        most = isFirst || (most && rows) ? std::max(most, rows) : 0;
        if (!isFirst)
          entry->second.remove_if(
              [&](int64_t number) { return !here.contains(number); });
      }
    });
    Builder builder(&getContext());
    for (auto &[kernel, numbers] : invariant) {
      if (!numbers.empty())
        kernel->setAttr(launchInvariantAttr,
                        builder.getDenseI64ArrayAttr(numbers.getArrayRef()));
      if (int64_t most = mostRows.at(kernel))
        kernel->setAttr(mostRowsAttr, builder.getI64IntegerAttr(most));
    }
  }

private:
  static int64_t mostRowsOf(FunctionOpInterface function) {
    auto range = function->getAttrOfType<DenseI64ArrayAttr>(rowsAttr);
    return range && range.size() == 2 ? range[1] : 0;
  }
};

} // namespace
