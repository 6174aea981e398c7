// Specializes kernels for the operands of a launch: folds comparisons of
// scalars, and drops absent tensors.
#include "KernelExpressions.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_BINDOPERANDSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// The value of a kernel's SSA value for these operands; null if unknown.
static Attribute valueOf(Value value, ValueRange operands) {
  Attribute constant;
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<KernelOp>(argument.getOwner()->getParentOp()))
    value = operands[argument.getArgNumber()];
  return matchPattern(value, m_Constant(&constant)) ? constant : Attribute();
}

/// The comparisons of scalar arguments, in program order.
static SmallVector<Operation *> comparisonsOf(KernelOp kernel) {
  SmallVector<Operation *> comparisons;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<arith::CmpIOp, arith::CmpFOp>(op) &&
        op->getResult(0).getType().isInteger(1) &&
        llvm::any_of(op->getOperands(), llvm::IsaPred<BlockArgument>))
      comparisons.push_back(op);
  });
  return comparisons;
}

/// The result of a comparison for these operands; a unit attribute if unknown.
static Attribute resultOf(Operation *comparison, ValueRange operands) {
  const Attribute unknown = UnitAttr::get(comparison->getContext());
  auto values =
      llvm::map_to_vector(comparison->getOperands(), [&](Value value) {
        return valueOf(value, operands);
      });
  SmallVector<OpFoldResult> results;
  if (!llvm::all_of(values, [](Attribute value) { return bool(value); }) ||
      failed(comparison->fold(values, results)))
    return unknown;
  auto result = dyn_cast_if_present<Attribute>(results.front());
  return result ? result : unknown;
}

/// The axes of size 0 of a tensor; a unit attribute if there are none.
static Attribute emptyAxesOf(Value operand) {
  SmallVector<int64_t> empty;
  if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
    for (auto [axis, size] : llvm::enumerate(type.getShape()))
      if (size == 0)
        empty.push_back(axis);
  Builder builder(operand.getContext());
  return empty.empty() ? Attribute(builder.getUnitAttr())
                       : Attribute(builder.getDenseI64ArrayAttr(empty));
}

/// What a launch determines about a kernel: the results of its comparisons, the
/// empty axes of its operands.
static ArrayAttr knowledgeOf(LaunchOp launch, KernelOp kernel) {
  SmallVector<Attribute> known;
  for (Operation *comparison : comparisonsOf(kernel))
    known.push_back(resultOf(comparison, launch->getOperands()));
  for (Value operand : launch->getOperands())
    known.push_back(emptyAxesOf(operand));
  return ArrayAttr::get(launch.getContext(), known);
}

/// Drops the addition of `zeros`, possibly broadcast, from sums.
static void dropFromSums(Value zeros) {
  for (Operation *user : llvm::make_early_inc_range(zeros.getUsers()))
    if (isa<arith::AddFOp, arith::AddIOp>(user))
      user->replaceAllUsesWith(
          ValueRange(user->getOperand(user->getOperand(0) == zeros)));
    else if (isa<arith::SubIOp>(user) && user->getOperand(1) == zeros)
      user->replaceAllUsesWith(ValueRange(user->getOperand(0)));
    else if (isa<BroadcastOp, ExpandDimsOp>(user))
      dropFromSums(user->getResult(0));
}

/// Erases stores to an empty view and to windows of it.
static void dropStores(Value view) {
  for (Operation *user : llvm::make_early_inc_range(view.getUsers()))
    if (isa<SubviewOp, SelectOp>(user))
      dropStores(user->getResult(0));
    else if (isa<StoreOp>(user))
      user->erase();
}

/// Declares a view empty along these axes: loads from it become zeros, which
/// are dropped from sums, and its stores are erased.
static void bindEmpty(BlockArgument argument, ArrayRef<int64_t> axes) {
  auto view = cast<ViewType>(argument.getType());
  SmallVector<int64_t> shape(view.getShape());
  for (int64_t axis : axes)
    shape[axis] = 0;
  argument.setType(ViewType::get(view.getContext(), shape,
                                 view.getElementType(), view.getStrides()));
  dropStores(argument);
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
    auto load = dyn_cast<LoadOp>(user);
    if (!load || load.getPad() != PadKind::Zero ||
        !view.getElementType().isIntOrFloat())
      continue;
    OpBuilder builder(load);
    Value zero = arith::ConstantOp::create(
        builder, load.getLoc(), builder.getZeroAttr(view.getElementType()));
    Value zeros = SplatOp::create(builder, load.getLoc(), load.getType(), zero,
                                  load.getSizes());
    load.replaceAllUsesWith(zeros);
    load.erase();
    dropFromSums(zeros);
  }
}

/// Specializes a kernel for what is known about it.
static void bindKnowledge(KernelOp text, ArrayAttr known) {
  SmallVector<Operation *> comparisons = comparisonsOf(text);
  for (auto [comparison, value] : llvm::zip(comparisons, known)) {
    if (isa<UnitAttr>(value))
      continue;
    OpBuilder builder(comparison);
    comparison->replaceAllUsesWith(arith::ConstantOp::create(
        builder, comparison->getLoc(), cast<TypedAttr>(value)));
    comparison->erase();
  }
  auto axes = known.getValue().drop_front(comparisons.size());
  for (auto [argument, empty] : llvm::zip_equal(text.getArguments(), axes))
    if (auto numbers = dyn_cast<DenseI64ArrayAttr>(empty))
      bindEmpty(argument, numbers);
}

/// The arguments that expressions of a kernel read.
static llvm::SmallDenseSet<int64_t> argumentsOfExpressions(KernelOp kernel) {
  llvm::SmallDenseSet<int64_t> numbers;
  mapExpressions(kernel, [&](Attribute source) {
    if (auto place = dyn_cast<DenseI64ArrayAttr>(source))
      numbers.insert(place[0]);
    return source;
  });
  return numbers;
}

/// Whether an unused argument may be dropped: a scalar, or an empty view unless
/// it is the only one that binds a type variable.
static bool mayGo(BlockArgument argument) {
  auto view = dyn_cast<ViewType>(argument.getType());
  if (!view)
    return true;
  if (!llvm::is_contained(view.getShape(), 0))
    return false;
  return !isa<EltType>(view.getElementType()) ||
         llvm::any_of(argument.getOwner()->getArguments(), [&](Value other) {
           auto type = dyn_cast<ViewType>(other.getType());
           return other != argument && type &&
                  type.getElementType() == view.getElementType();
         });
}

/// The launches of a module with known operands, and the kernels specialized
/// for them.
class Variants {
public:
  explicit Variants(ModuleOp module) {
    module.walk([&](LaunchOp launch) { collect(launch); });
  }

  /// \param simplify  folds what has become known in a kernel.
  LogicalResult makeAll(function_ref<LogicalResult(KernelOp kernel)> simplify) {
    // If nothing launches a kernel as it is, its first variant keeps its name,
    // and is specialized last: the others are clones.
    llvm::DenseSet<Operation *> kept = launchedAsIs;
    SmallVector<Key> inPlace;
    for (const auto &[key, launches] : bound) {
      if (kept.insert(key.first).second)
        inPlace.push_back(key);
      else if (failed(make(key, cloneOf(cast<KernelOp>(key.first)), simplify)))
        return failure();
    }
    for (const Key &key : inPlace)
      if (failed(make(key, cast<KernelOp>(key.first), simplify)))
        return failure();
    return success();
  }

  size_t size() const { return bound.size(); }

private:
  /// A kernel and what is known about it.
  using Key = std::pair<Operation *, ArrayAttr>;

  void collect(LaunchOp launch) {
    KernelOp kernel =
        lookupKernel(tables, launch, launch.getKernelAttr().getAttr());
    if (!kernel)
      return;
    ArrayAttr known = knowledgeOf(launch, kernel);
    if (llvm::all_of(known, llvm::IsaPred<UnitAttr>))
      launchedAsIs.insert(kernel);
    else
      bound[{kernel, known}].push_back(launch);
  }

  /// Specializes `text`, and makes the launches of `key` launch it.
  LogicalResult make(const Key &key, KernelOp text,
                     function_ref<LogicalResult(KernelOp kernel)> simplify) {
    bindKnowledge(text, key.second);
    if (failed(simplify(text)))
      return failure();
    const llvm::BitVector dropped = dropArguments(text);
    for (LaunchOp launch : bound[key])
      relaunch(launch, text, dropped);
    return success();
  }

  /// Clones a kernel after itself and its earlier clones, as `kernel2`,
  /// `kernel3`, …
  KernelOp cloneOf(KernelOp kernel) {
    SymbolTable &table =
        tables.getSymbolTable(SymbolTable::getNearestSymbolTable(kernel));
    KernelOp text = kernel.clone();
    std::string name;
    int64_t number = 1;
    do
      name = (kernel.getSymName() + Twine(++number)).str();
    while (table.lookup(name));
    text.setSymName(name);
    Operation *&last = lastClones.try_emplace(kernel, kernel).first->second;
    table.insert(text, std::next(last->getIterator()));
    last = text;
    return text;
  }

  /// Drops arguments that are no longer used, and their requirements.
  static llvm::BitVector dropArguments(KernelOp kernel) {
    SmallVector<ConditionAttr> requirements = getRequirements(kernel);
    setRequirements(kernel, {});
    llvm::SmallDenseSet<int64_t> read = argumentsOfExpressions(kernel);
    setRequirements(kernel, requirements);
    llvm::BitVector dropped(kernel.getArguments().size());
    SmallVector<int64_t> places;
    int64_t outs = 0;
    for (BlockArgument argument : kernel.getArguments()) {
      const unsigned number = argument.getArgNumber();
      places.push_back(number - dropped.count());
      if (argument.use_empty() && !read.contains(number) && mayGo(argument))
        dropped.set(number);
      else
        outs += number >= kernel.getNumIns();
    }
    keepRequirements(kernel, [&](ConditionAttr requirement) {
      return !readsSource(requirement, [&](Attribute source) {
        auto at = dyn_cast<DenseI64ArrayAttr>(source);
        return at && dropped[at[0]];
      });
    });
    mapExpressions(kernel, [&](Attribute source) -> Attribute {
      auto at = dyn_cast<DenseI64ArrayAttr>(source);
      if (!at)
        return source;
      SmallVector<int64_t> numbers(at.asArrayRef());
      numbers[0] = places[numbers[0]];
      return DenseI64ArrayAttr::get(source.getContext(), numbers);
    });
    kernel.setNumOuts(outs);
    kernel.getEntryBlock()->eraseArguments(dropped);
    return dropped;
  }

  /// Makes a launch use `text` instead of the original kernel.
  static void relaunch(LaunchOp launch, KernelOp text,
                       const llvm::BitVector &dropped) {
    const size_t numIns = launch.getIns().size();
    SmallVector<Value> ins, outs;
    for (auto [number, operand] : llvm::enumerate(launch->getOperands()))
      if (!dropped[number])
        (number < numIns ? ins : outs).push_back(operand);
    OpBuilder builder(launch);
    auto other =
        LaunchOp::create(builder, launch.getLoc(), ValueRange(outs).getTypes(),
                         text.getSymName(), ins, outs, launch.getParamsAttr());
    other->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
    auto results = other.getResults().begin();
    for (auto [number, result] : llvm::enumerate(launch.getResults()))
      result.replaceAllUsesWith(dropped[numIns + number]
                                    ? launch.getOuts()[number]
                                    : Value(*results++));
    launch.erase();
  }

  llvm::MapVector<Key, SmallVector<LaunchOp>> bound;
  llvm::DenseSet<Operation *> launchedAsIs;
  llvm::DenseMap<Operation *, Operation *> lastClones;
  SymbolTableCollection tables;
};

class BindOperands
    : public tilegpt::tile::impl::BindOperandsPassBase<BindOperands> {
public:
  using BindOperandsPassBase::BindOperandsPassBase;

  void runOnOperation() override {
    Variants variants(getOperation());
    OpPassManager pipeline(KernelOp::getOperationName());
    pipeline.addPass(createCanonicalizerPass());
    if (failed(variants.makeAll(
            [&](KernelOp text) { return runPipeline(pipeline, text); })))
      return signalPassFailure();
    numTexts += variants.size();
  }
};

} // namespace
