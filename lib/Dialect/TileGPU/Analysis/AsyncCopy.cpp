// Conditions of asynchronous copies.
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Layouts.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SharedType bufferOf(Operation *load) {
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  return SharedType::get(type.getContext(), type.getShape(),
                         type.getElementType(), /*swizzle=*/0, /*padding=*/0);
}

/// Requires zero padding, no mask and no memory order.
static CopyUnit unitOfAccess(Operation *op, SharedType buffer,
                             IndexFacts &facts) {
  constexpr int64_t leastUnit = 4;
  AccessOperands operands(op);
  RankedTensorType type = operands.tile;
  if (operands.mask || type.getRank() == 0)
    return {};
  AccessFacts access = analyzeAccess(op, facts);
  int64_t bytes = memoryBytes(type.getElementType()),
          unit = access.alignedSize * bytes;
  bool suits = access.vectorAxis == type.getRank() - 1 && unit >= leastUnit &&
               unit <= sharedUnitBytes &&
               getSharedVector(buffer) * bytes == sharedUnitBytes &&
               type.getShape().back() * bytes % sharedUnitBytes == 0;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    suits &= access.isBehindStart[axis] || axis == operands.indexedAxis;
  if (!suits)
    return {};
  return {unit, access.vectorSize < access.alignedSize};
}

CopyUnit unitOfCopy(tile::LoadOp load, SharedType buffer, IndexFacts &facts) {
  if (load.getOrder() || load.getPad() != tile::PadKind::Zero)
    return {};
  return unitOfAccess(load, buffer, facts);
}

CopyUnit unitOfCopy(tile::GatherOp gather, SharedType buffer,
                    IndexFacts &facts) {
  constexpr int64_t rank = 2;
  if (gather.getPad() != tile::PadKind::Zero || gather.getAxis() != 0 ||
      gather.getType().getRank() != rank)
    return {};
  return unitOfAccess(gather, buffer, facts);
}

TypedValue<RankedTensorType> numbersOf(tile::GatherOp gather) {
  return cast<TypedValue<RankedTensorType>>(
      withoutConversions(gather.getIndex()));
}

bool isWorthCopying(tile::LoadOp load, IndexFacts &facts) {
  constexpr int64_t fewestBytes = 512;
  SharedType buffer = bufferOf(load);
  if (load->use_empty() || buffer.getNumBytes() < fewestBytes)
    return false;
  const CopyUnit unit = unitOfCopy(load, buffer, facts);
  return unit.bytes == sharedUnitBytes && !unit.isClipped;
}

bool readsWhatStays(Operation *load, IndexFacts &facts) {
  const bool isByOffset = isOffsetAccess(load);
  Value view = isByOffset ? Value() : AccessOperands(load).view;
  BlockArgument root = isByOffset ? facts.ofPointer(pointerOf(load)).root
                                  : facts.ofView(view).root;
  if (load->hasAttr(tile::settledAttr))
    return true;
  // No other pointer of a raw kernel aliases memory that it only reads.
  if (root && isa<tile::PtrType>(root.getType()) && !isWritten(root))
    return true;
  return root &&
         !load->getParentOfType<tile::KernelOp>()
              ->walk([&](Operation *op) {
                if (isOffsetWrite(op)) {
                  BlockArgument other = facts.ofPointer(pointerOf(op)).root;
                  return !other || other == root ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                }
                if (!isAccess(op))
                  return WalkResult::advance();
                AccessOperands access(op);
                // Memory in the kernel's module is not an argument.
                if (access.view.getDefiningOp<WorkspaceOp>())
                  return WalkResult::advance();
                BlockArgument other = facts.ofView(access.view).root;
                bool meets = access.isWrite && (!other || other == root) &&
                             !(view && areApart(access.view, view));
                return meets ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether a load is of a single element whose value is the same in every
/// iteration.
static bool loadsLastingElement(Operation *op, IndexFacts &facts) {
  auto load = dyn_cast<tile::LoadOp>(op);
  return load && !load.getMask() && load.getType().getNumElements() == 1 &&
         readsWhatStays(load, facts);
}

/// Whether a value can be computed for a later iteration: from the induction
/// variable and loop-invariant values, by ops that access no memory except such
/// loads.
static bool isKnownAhead(scf::ForOp loop, Value value, IndexFacts &facts) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
         (isMemoryEffectFree(op) || loadsLastingElement(op, facts)) &&
         llvm::all_of(op->getOperands(), [&](Value from) {
           return isKnownAhead(loop, from, facts);
         });
}

static bool hasTileAhead(scf::ForOp loop, Value view, ValueRange indices,
                         IndexFacts &facts) {
  return isKnownAhead(loop, view, facts) &&
         llvm::all_of(indices, [&](Value position) {
           return isKnownAhead(loop, position, facts);
         });
}

bool hasPlaceAhead(scf::ForOp loop, tile::LoadOp load, IndexFacts &facts) {
  return hasTileAhead(loop, load.getView(), load.getIndices(), facts);
}

bool hasPlaceAhead(scf::ForOp loop, tile::GatherOp gather, IndexFacts &facts) {
  return loop.isDefinedOutsideOfLoop(numbersOf(gather)) &&
         hasTileAhead(loop, gather.getView(), gather.getIndices(), facts);
}

} // namespace tilegpt::tilegpu
