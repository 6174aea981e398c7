// Moves ops between modules without copying them, and compares their code.
#include "TileGPT/Pipelines/DeviceModules.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilegpt {

/// An empty module at the end of `module`.
static ModuleOp addModule(ModuleOp module, Location loc) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  return ModuleOp::create(builder, loc);
}

LogicalResult splitIntoDeviceModules(ModuleOp module) {
  if (!module.getOps<ModuleOp>().empty())
    return success();

  const bool hasKernels =
      module.walk([](tile::KernelOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!hasKernels) {
    ModuleOp device = addModule(module, module.getLoc());
    device.getBody()->getOperations().splice(
        device.getBody()->end(), module.getBody()->getOperations(),
        module.getBody()->begin(), device->getIterator());
    return success();
  }

  PassManager pm(module.getContext());
  pm.addPass(tile::createIsolateKernelsPass());
  if (failed(pm.run(module)))
    return failure();
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<tile::KernelOp>())) {
    ModuleOp device = addModule(module, kernel.getLoc());
    device.setSymName(kernel.getSymName());
    kernel->moveBefore(device.getBody(), device.getBody()->end());
  }
  return success();
}

namespace {
/// Pairs ops in order and compares them; constants are compared where they are
/// used.
class CodeComparison {
public:
  bool areSame(Region &left, Region &right) {
    if (left.getBlocks().size() != right.getBlocks().size())
      return false;
    SmallVector<std::pair<Operation *, Operation *>> pairs;
    for (auto [mine, other] : llvm::zip_equal(left, right)) {
      if (mine.getArgumentTypes() != other.getArgumentTypes())
        return false;
      map.map(&mine, &other);
      map.map(mine.getArguments(), other.getArguments());
      if (!pairOps(mine, other, pairs))
        return false;
    }
    return llvm::all_of(
        pairs, [&](auto ops) { return areSame(*ops.first, *ops.second); });
  }

private:
  static bool isConstant(Operation *op) {
    return matchPattern(op, m_Constant());
  }

  static SmallVector<Operation *> codeOf(Block &block) {
    SmallVector<Operation *> code;
    for (Operation &op : block)
      if (!isConstant(&op))
        code.push_back(&op);
    return code;
  }

  /// Maps the results of the ops of a block to those of another.
  bool pairOps(Block &left, Block &right,
               SmallVectorImpl<std::pair<Operation *, Operation *>> &pairs) {
    const SmallVector<Operation *> mine = codeOf(left), others = codeOf(right);
    if (mine.size() != others.size())
      return false;
    for (auto [op, other] : llvm::zip_equal(mine, others)) {
      if (op->getName() != other->getName() ||
          op->getResultTypes() != other->getResultTypes())
        return false;
      map.map(op->getResults(), other->getResults());
      pairs.emplace_back(op, other);
    }
    return true;
  }

  bool areSame(Value left, Value right) {
    if (map.lookupOrNull(left) == right)
      return true;
    Operation *mine = left.getDefiningOp(), *other = right.getDefiningOp();
    return mine && other && isConstant(mine) && isConstant(other) &&
           OperationEquivalence::isEquivalentTo(
               mine, other, OperationEquivalence::IgnoreLocations);
  }

  bool areSame(Operation &left, Operation &right) {
    if (left.getNumOperands() != right.getNumOperands() ||
        left.getNumSuccessors() != right.getNumSuccessors() ||
        left.getNumRegions() != right.getNumRegions() ||
        attributesOf(left) != attributesOf(right))
      return false;
    for (auto [mine, other] :
         llvm::zip_equal(left.getOperands(), right.getOperands()))
      if (!areSame(mine, other))
        return false;
    for (auto [mine, other] :
         llvm::zip_equal(left.getSuccessors(), right.getSuccessors()))
      if (map.lookupOrNull(mine) != other)
        return false;
    for (auto [mine, other] :
         llvm::zip_equal(left.getRegions(), right.getRegions()))
      if (!areSame(mine, other))
        return false;
    return true;
  }

  /// All attributes but the name of a kernel.
  static DictionaryAttr attributesOf(Operation &op) {
    DictionaryAttr all = op.getAttrDictionary();
    if (!isa<FunctionOpInterface>(op))
      return all;
    NamedAttrList kept(all);
    kept.erase(SymbolTable::getSymbolAttrName());
    return kept.getDictionary(op.getContext());
  }

  IRMapping map;
};
} // namespace

bool haveSameCode(ModuleOp left, ModuleOp right) {
  return CodeComparison().areSame(left.getBodyRegion(), right.getBodyRegion());
}

} // namespace tilegpt
