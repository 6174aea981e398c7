// Computes which pointers of an entry may alias. CUDA Tile IR orders two
// accesses only if tokens lead from one to the other, so other accesses do not
// touch the same element unless both only read it.
#include "Entry/EntryFacts.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// The class of pointers that may point anywhere.
static constexpr int64_t anywhere = -1;

static bool isToken(Value value) { return isa<TokenType>(value.getType()); }

static bool leadsToMemory(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return isa<TensorViewType, TileView>(value.getType()) ||
         (tile && isa<PointerType>(tile.getElementType()));
}

static bool readsOnly(Operation *op) {
  return isa<LoadViewTkoOp, LoadPtrTkoOp>(op);
}

/// Whether a load may wait for another block's write.
static bool waits(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LoadViewTkoOp, LoadPtrTkoOp>([](auto load) {
        return load.getMemoryOrderingSemantics() == MemoryOrder::Acquire;
      })
      .Default(false);
}

static bool isAccess(Operation *op) {
  return isa<LoadViewTkoOp, LoadPtrTkoOp, StoreViewTkoOp, StorePtrTkoOp,
             AtomicRedViewTkoOp, AtomicCASTkoOp, AtomicRMWTkoOp>(op);
}

namespace {
class TokenClasses {
public:
  explicit TokenClasses(EntryOp entry) : entry(entry) {}

  SmallVector<int64_t> find() {
    for (BlockArgument argument : entry.getRegion().getArguments())
      classes.insert(argument.getArgNumber());
    classes.insert(anywhere);
    llvm::SmallSetVector<int64_t, 8> written;
    entry.walk([&](Operation *op) {
      if (!isAccess(op))
        return;
      follow(op);
      if (!readsOnly(op))
        written.insert_range(placesOf(op));
    });
    markSettled();
    SmallVector<int64_t> result;
    if (!isJoined && written.size() <= 1)
      return result;
    for (BlockArgument argument : entry.getRegion().getArguments()) {
      const int64_t number = argument.getArgNumber();
      result.push_back(classes.isEquivalent(number, anywhere)
                           ? anywhere
                           : classes.getLeaderValue(number));
    }
    return result;
  }

private:
  /// Merges the memory of an access with that of every access that its token
  /// leads to, if one of the two writes.
  void follow(Operation *first) {
    llvm::SetVector<Value> tokens;
    auto add = [&](ValueRange values) {
      for (Value value : values)
        if (isToken(value))
          tokens.insert(value);
    };
    add(first->getResults());
    for (size_t next = 0; next < tokens.size(); ++next)
      for (OpOperand &use : tokens[next].getUses()) {
        Operation *user = use.getOwner();
        if (isa<MemoryFenceAliasTkoOp>(user))
          join(placesOf(first), {anywhere});
        if (isAccess(user) && !(readsOnly(first) && readsOnly(user)))
          join(placesOf(first), placesOf(user));
        if (!readsOnly(first) || waits(first))
          behind.insert(user);
        add(successorsOf(use));
      }
  }

  /// Marks loads that no token makes wait.
  void markSettled() {
    entry.walk([&](Operation *op) {
      if (isa<LoadViewTkoOp>(op) && !behind.contains(op))
        op->setDiscardableAttr(tile::settledAttr,
                               UnitAttr::get(op->getContext()));
    });
  }

  /// The values that an operand becomes inside and after an op with regions;
  /// the results of other ops.
  static SmallVector<Value> successorsOf(OpOperand &use) {
    Operation *user = use.getOwner();
    SmallVector<Value> values;
    auto enter = [&](Operation *loop, size_t number, bool isBehind) {
      values.push_back(loop->getRegion(0).getArgument(
          loop->getRegion(0).getNumArguments() - countCarried(loop) + number));
      if (isBehind)
        values.push_back(loop->getResult(number));
    };
    if (isa<ForOp, LoopOp>(user)) {
      const size_t carried = countCarried(user);
      enter(user, use.getOperandNumber() + carried - user->getNumOperands(),
            /*isBehind=*/isa<ForOp>(user));
    } else if (isa<ContinueOp>(user)) {
      Operation *loop = enclosing<ForOp, LoopOp>(user);
      enter(loop, use.getOperandNumber(), isa<ForOp>(loop));
    } else if (isa<BreakOp>(user)) {
      values.push_back(
          enclosing<LoopOp>(user)->getResult(use.getOperandNumber()));
    } else if (auto branch = dyn_cast<IfOp>(user->getParentOp());
               branch && isa<YieldOp>(user)) {
      values.push_back(branch->getResult(use.getOperandNumber()));
    } else {
      llvm::append_range(values, user->getResults());
    }
    return values;
  }

  /// The number of loop-carried values.
  static size_t countCarried(Operation *loop) {
    return loop->getNumOperands() - (isa<ForOp>(loop) ? 3 : 0);
  }

  template <typename... Loops>
  static Operation *enclosing(Operation *op) {
    while (!isa<Loops...>(op))
      op = op->getParentOp();
    return op;
  }

  /// The view or pointer tile of an access; a stored value may consist of
  /// pointers as well.
  static Value addressOf(Operation *access) {
    return llvm::TypeSwitch<Operation *, Value>(access)
        .Case<LoadViewTkoOp, StoreViewTkoOp, AtomicRedViewTkoOp>(
            [](auto op) { return op.getView(); })
        .Case<LoadPtrTkoOp>([](auto op) { return op.getSource(); })
        .Case<StorePtrTkoOp>([](auto op) { return op.getDestination(); })
        .Case<AtomicCASTkoOp, AtomicRMWTkoOp>(
            [](auto op) { return op.getPointers(); });
  }

  /// The arguments whose memory an access may touch.
  SmallVector<int64_t> placesOf(Operation *access) {
    SmallVector<int64_t> places;
    llvm::SetVector<Value> pending;
    pending.insert(addressOf(access));
    for (size_t next = 0; next < pending.size(); ++next) {
      Value value = pending[next];
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        places.push_back(argument.getOwner()->getParentOp() == entry
                             ? int64_t(argument.getArgNumber())
                             : anywhere);
        continue;
      }
      Operation *op = value.getDefiningOp();
      // A separate allocation.
      if (isa<AllocaOp, GetGlobalOp>(op))
        continue;
      if (isAccess(op) || op->getNumRegions() != 0 ||
          llvm::none_of(op->getOperands(), leadsToMemory)) {
        places.push_back(anywhere);
        continue;
      }
      for (Value operand : op->getOperands())
        if (leadsToMemory(operand))
          pending.insert(operand);
    }
    return places;
  }

  void join(ArrayRef<int64_t> places, ArrayRef<int64_t> others) {
    for (int64_t place : places)
      for (int64_t other : others) {
        isJoined |= place != other;
        classes.unionSets(place, other);
      }
  }

  EntryOp entry;
  bool isJoined = false;
  /// Accesses that tokens order after one that writes or waits.
  llvm::SmallPtrSet<Operation *, 16> behind;
  llvm::EquivalenceClasses<int64_t> classes;
};
} // namespace

SmallVector<int64_t> findTokenClasses(EntryOp entry) {
  return TokenClasses(entry).find();
}

} // namespace tilegpt::cuda_tile
