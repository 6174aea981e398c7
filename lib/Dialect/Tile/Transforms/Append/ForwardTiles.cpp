// Forwards stores to loads of the same window.
#include "Append/ForwardTiles.h"
#include "KernelExpressions.h"
#include "Normalize/IndexSums.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;

namespace tilegpt::tile {

namespace {

class TileForwarder {
public:
  explicit TileForwarder(MergedText &merged)
      : merged(merged), kernel(*merged.kernel),
        sums(kernel, merged.operands, IndexSums::Sizes::Launch) {}

  Error run() {
    for (auto [view, isUpdate] : llvm::zip_equal(merged.made, merged.isUpdate))
      if (!isUpdate)
        if (Error error = forward(view))
          return error;
    return Error::success();
  }

private:
  static Error refuse(const Twine &reason) {
    return createStringError("the tensor between the two is " + reason);
  }

  bool isProducers(Operation *op) {
    Operation *here = kernel.getEntryBlock()->findAncestorOpInBlock(*op);
    return here->isBeforeInBlock(merged.firstOfConsumer);
  }

  Error collect(Value view) {
    for (Operation *user : view.getUsers()) {
      if (isa<SelectOp, SubviewOp>(user)) {
        if (Error error = collect(user->getResult(0)))
          return error;
        continue;
      }
      if (isa<DimOp>(user))
        continue;
      if (auto store = dyn_cast<StoreOp>(user); store && isProducers(store))
        stores.push_back(store);
      else if (auto load = dyn_cast<LoadOp>(user); load && !isProducers(load))
        loads.push_back(load);
      else
        return refuse("accessed other than by stores and then loads");
    }
    return Error::success();
  }

  Error forward(BlockArgument view) {
    stores.clear();
    loads.clear();
    if (Error error = collect(view))
      return error;
    if (loads.empty())
      return Error::success();
    if (stores.size() != 1)
      return refuse("stored in " + Twine(stores.size()) + " places");
    StoreOp store = stores.front();
    if (store->getBlock() != kernel.getEntryBlock())
      return refuse("stored in a loop or a branch");
    if (store.getMask() || store.getOrder())
      return refuse("stored with a mask or an order");
    for (LoadOp load : loads)
      if (load.getMask() || load.getOrder() || !isSameTile(store, load))
        return refuse("loaded in other tiles than it is stored in");
    for (LoadOp load : loads) {
      load.replaceAllUsesWith(store.getValue());
      eraseDead(load);
    }
    if (!isReadElsewhere(view))
      drop(view, store);
    return Error::success();
  }

  /// Whether a load reads exactly the tile that the store writes.
  bool isSameTile(StoreOp store, LoadOp load) {
    auto isFirst = [&](Value index) {
      return sums.of(index).getConstant() == 0;
    };
    if (store.getValue().getType() != load.getType() ||
        !llvm::all_of(store.getIndices(), isFirst) ||
        !llvm::all_of(load.getIndices(), isFirst))
      return false;
    // The tile spans the window: out of bounds a load reads pad values.
    for (auto [axis, size] : llvm::enumerate(load.getSizes()))
      if (sizeOf(size) != sums.of(windowOf(load.getView(), axis).size))
        return false;
    return isSameView(store.getView(), load.getView());
  }

  struct Part {
    OpFoldResult offset, size;
  };
  Part windowOf(Value view, int64_t axis) {
    auto window = view.getDefiningOp<SubviewOp>();
    if (!window)
      return {};
    MLIRContext *context = window.getContext();
    return {getMixedValues(window.getStaticOffsets(), window.getOffsets(),
                           context)[axis],
            getMixedValues(window.getStaticSizes(), window.getSizes(),
                           context)[axis]};
  }

  IndexSum sizeOf(Attribute size) {
    if (auto number = dyn_cast<IntegerAttr>(size))
      return IndexSum::constant(number.getInt());
    return sums.ofParam(cast<StringAttr>(size));
  }

  bool isSameView(Value lhs, Value rhs) {
    if (lhs == rhs)
      return true;
    if (auto one = lhs.getDefiningOp<SubviewOp>()) {
      auto other = rhs.getDefiningOp<SubviewOp>();
      if (!other || !isSameView(one.getSource(), other.getSource()))
        return false;
      for (int64_t axis = 0; axis < one.getType().getRank(); ++axis) {
        Part mine = windowOf(one, axis), theirs = windowOf(other, axis);
        if (sums.of(mine.offset) != sums.of(theirs.offset) ||
            sums.of(mine.size) != sums.of(theirs.size))
          return false;
      }
      return true;
    }
    auto one = lhs.getDefiningOp<SelectOp>(),
         other = rhs.getDefiningOp<SelectOp>();
    return one && other && isSameView(one.getSource(), other.getSource()) &&
           llvm::equal(one.getIndices(), other.getIndices(),
                       [&](Value index, Value otherIndex) {
                         return sums.of(index) == sums.of(otherIndex);
                       });
  }

  /// Erases an op, and ops that become dead with it.
  static void eraseDead(Operation *first) {
    llvm::SmallSetVector<Operation *, 8> work;
    work.insert(first);
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      if (op != first && (!op->use_empty() || !isMemoryEffectFree(op)))
        continue;
      for (Value operand : op->getOperands())
        if (Operation *made = operand.getDefiningOp())
          work.insert(made);
      op->erase();
    }
  }

  bool isReadElsewhere(BlockArgument view) {
    Value result = merged.results[view.getArgNumber() - kernel.getNumIns()];
    return !llvm::all_of(result.getUsers(), [&](Operation *user) {
      return user == merged.consumer;
    });
  }

  /// Drops a tensor if its sizes are those of others.
  void drop(BlockArgument view, StoreOp store) {
    const int64_t number = view.getArgNumber();
    bool isKnown = true;
    llvm::SmallDenseMap<int64_t, ArgumentAxis> others;
    auto note = [&](int64_t axis) {
      if (auto other = sameSize(view, axis))
        others.insert({axis, *other});
      else
        isKnown = false;
    };
    SmallVector<DimOp> dims;
    for (Operation *user : view.getUsers())
      if (auto dim = dyn_cast<DimOp>(user)) {
        dims.push_back(dim);
        note(dim.getAxis());
      } else if (!isOnlyFor(user, store)) {
        return;
      }
    mapExpressions(kernel, [&](Attribute source) {
      auto place = dyn_cast<DenseI64ArrayAttr>(source);
      if (place && place[0] == number)
        note(place[1]);
      return source;
    });
    if (!isKnown)
      return;
    for (DimOp dim : dims) {
      ArgumentAxis other = others.at(dim.getAxis());
      dim.getViewMutable().assign(kernel.getArguments()[other.argument]);
      dim.setAxis(other.axis);
    }
    eraseDead(store);
    mapExpressions(kernel, [&](Attribute source) -> Attribute {
      auto place = dyn_cast<DenseI64ArrayAttr>(source);
      if (!place)
        return source;
      SmallVector<int64_t> numbers(place.asArrayRef());
      if (numbers[0] == number) {
        ArgumentAxis other = others.at(numbers[1]);
        numbers = {other.argument, other.axis};
      }
      numbers[0] -= numbers[0] > number;
      return DenseI64ArrayAttr::get(source.getContext(), numbers);
    });
    keepRequirements(kernel, [](ConditionAttr) { return true; });
    merged.results.erase(merged.results.begin() + number - kernel.getNumIns());
    merged.operands.erase(merged.operands.begin() + number);
    kernel.setNumOuts(kernel.getNumOuts() - 1);
    kernel.getEntryBlock()->eraseArgument(number);
    sums = IndexSums(kernel, merged.operands, IndexSums::Sizes::Launch);
  }

  /// An axis of another argument with the same size; prefers outs to ins, and
  /// the same axis to others.
  std::optional<ArgumentAxis> sameSize(BlockArgument view, int64_t axis) {
    SizeOrigin wanted =
        originOfSize(merged.operands[view.getArgNumber()], axis);
    for (bool sameAxis : {true, false})
      for (unsigned number = merged.operands.size(); number-- > 0;) {
        Value operand = merged.operands[number];
        auto type = dyn_cast<RankedTensorType>(operand.getType());
        if (!type || number == view.getArgNumber())
          continue;
        for (int64_t other = 0; other < type.getRank(); ++other)
          if ((other == axis) == sameAxis &&
              originOfSize(operand, other) == wanted)
            return ArgumentAxis{number, other};
      }
    return std::nullopt;
  }

  /// Whether all transitive users of an op are the store and pure ops.
  static bool isOnlyFor(Operation *op, StoreOp store) {
    return op == store || (isMemoryEffectFree(op) &&
                           llvm::all_of(op->getUsers(), [&](Operation *user) {
                             return isOnlyFor(user, store);
                           }));
  }

  MergedText &merged;
  KernelOp kernel;
  IndexSums sums;
  SmallVector<StoreOp> stores;
  SmallVector<LoadOp> loads;
};

} // namespace

Error forwardTiles(MergedText &merged) { return TileForwarder(merged).run(); }

} // namespace tilegpt::tile
