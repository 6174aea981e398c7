// Traces integers from the arguments of a kernel to strides, sizes and offsets,
// and pointers to accesses.
#include "TileGPT/Dialect/Tile/Transforms/Raw/AlignedArguments.h"
#include "ArgumentUses.h"
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {
/// The uses of values derived from one integer argument.
class IntegerUses {
public:
  IntegerUses(KernelOp kernel, int64_t unit, bool clipsRows)
      : unit(unit), narrowest(narrowestBytes(kernel)), clipsRows(clipsRows) {}

  void follow(Value argument) {
    forEachArgumentUse(argument, [&](OpOperand &use) {
      isSize |= sizeAxis(use).has_value();
      isLastStride |= isLastAxis(use, strideAxis(use));
    });
    visit(argument);
  }

  ArgumentFacts facts() const {
    // A stride of 1 is no row stride.
    if (isLastStride && !isSize)
      return {1, 1};
    return {std::max<int64_t>(1, unit / elementBytes), {}};
  }

private:
  static bool isLastAxis(OpOperand &use, std::optional<int64_t> axis) {
    return axis &&
           *axis + 1 == cast<ViewAtOp>(use.getOwner()).getType().getRank();
  }

  /// Requests that a number of elements is a whole number of units.
  void wantAligned(int64_t bytes) {
    elementBytes = std::min(elementBytes, bytes);
  }

  void visit(Value value) {
    if (!seen.insert(value).second)
      return;
    for (OpOperand &use : value.getUses())
      visit(use);
  }

  void visit(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto view = dyn_cast<ViewAtOp>(user))
      return visitView(use, view);
    if (isa<LoadAtOp, StoreAtOp>(user)) {
      // A stored value is no offset.
      if (!isa<StoreAtOp>(user) || use.getOperandNumber() != 0)
        wantAligned(narrowest);
      return;
    }
    if (auto loop = dyn_cast<scf::ForOp>(user)) {
      if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use))
        visit(carried);
      return;
    }
    if (auto yield = dyn_cast<scf::YieldOp>(user)) {
      if (auto loop = dyn_cast<scf::ForOp>(yield->getParentOp())) {
        visit(loop.getRegionIterArg(use.getOperandNumber()));
        visit(loop.getResult(use.getOperandNumber()));
      }
      return;
    }
    if (keepsDivisor(use))
      visit(user->getResult(0));
  }

  void visitView(OpOperand &use, ViewAtOp view) {
    const int64_t bytes = memoryBytes(view.getType().getElementType());
    if (std::optional<int64_t> axis = strideAxis(use)) {
      if (!isLastAxis(use, axis))
        wantAligned(bytes);
      return;
    }
    std::optional<int64_t> axis = sizeAxis(use);
    const bool isStride = axis && !view.getStaticStrides() && *axis > 0;
    if (isStride || (!clipsRows && isLastAxis(use, axis)))
      wantAligned(bytes);
  }

  /// Whether the result of an op can be aligned only if an operand is, or is a
  /// mask with runs of equal elements only if it is.
  static bool keepsDivisor(OpOperand &use) {
    Operation *user = use.getOwner();
    // A bound that all elements of a row share cuts none of them.
    if (isa<BroadcastOp>(user) && isBoolean(use.get()) &&
        cast<RankedTensorType>(use.get().getType()).getShape().back() == 1)
      return false;
    if (isa<arith::CmpIOp, arith::AndIOp>(user))
      return isa<RankedTensorType>(user->getResult(0).getType());
    return isa<AssumeOp, arith::IndexCastOp, arith::IndexCastUIOp,
               arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::AddIOp,
               arith::SubIOp, arith::MulIOp, SplatOp, BroadcastOp, ReshapeOp,
               ExpandDimsOp, PermuteOp>(user);
  }

  static bool isBoolean(Value tile) {
    auto type = dyn_cast<RankedTensorType>(tile.getType());
    return type && type.getRank() != 0 && type.getElementType().isInteger(1);
  }

  int64_t unit, narrowest, elementBytes = accessBytes;
  bool clipsRows, isSize = false, isLastStride = false;
  llvm::SmallPtrSet<Value, 16> seen;
};
} // namespace

static bool isWide(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && (!tile.hasStaticShape() || tile.getNumElements() > 1);
}

/// Whether tiles of more than one element are loaded or stored through a
/// pointer.
static bool movesTiles(BlockArgument pointer) {
  bool found = false;
  tilegpu::forEachAlias(pointer, [&](Value alias) {
    for (Operation *user : alias.getUsers())
      found |=
          isa<LoadOp, StoreOp, GatherOp, ScatterOp, LoadAtOp, StoreAtOp>(
              user) &&
          (llvm::any_of(user->getResultTypes(), isWide) ||
           (user->getNumResults() == 0 && isWide(user->getOperandTypes()[0])));
  });
  return found;
}

std::vector<ArgumentFacts> alignedFacts(KernelOp kernel, int64_t unit,
                                        bool clipsRows) {
  std::vector<ArgumentFacts> all;
  bool moves = false;
  for (BlockArgument argument : kernel.getArguments()) {
    ArgumentFacts &facts = all.emplace_back();
    if (auto pointer = dyn_cast<PtrType>(argument.getType())) {
      if (!movesTiles(argument))
        continue;
      moves = true;
      if (memoryBytes(pointer.getPointee()) < unit)
        facts.divisor = unit;
    } else if (isInteger(argument.getType())) {
      IntegerUses uses(kernel, unit, clipsRows);
      uses.follow(argument);
      facts = uses.facts();
    }
    if (promisedDivisor(argument) >= facts.divisor)
      facts.divisor = 1;
  }
  if (!moves)
    all.assign(all.size(), {});
  return all;
}

} // namespace tilegpt::tile
