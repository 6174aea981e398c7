// Recognizes lowered loads, and reads the in-bounds part of a tile in place.
#include "LoadedTile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilegpt::cpu;

/// Whether a kernel only reads memory, through all views of it.
static bool isOnlyRead(Value memref) {
  return llvm::all_of(memref.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<memref::DimOp, memref::LoadOp>(user))
      return true;
    if (auto copy = dyn_cast<linalg::CopyOp>(user))
      return copy.isDpsInput(&use);
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(user))
      return !tensor.getWritable();
    if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp()))
      return isOnlyRead(user->getParentOp()->getResult(use.getOperandNumber()));
    return isa<memref::SubViewOp, memref::CastOp, memref::TransposeOp,
               memref::ReinterpretCastOp, memref::ExtractStridedMetadataOp>(
               user) &&
           llvm::all_of(user->getResults(), [](Value view) {
             return !isa<MemRefType>(view.getType()) || isOnlyRead(view);
           });
  });
}

static Value withoutCasts(Value memref) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  return memref;
}

/// Recognizes a buffer that is filled and then receives a window of an argument
/// at its front.
bool LoadedTile::findCopy(Value memref) {
  copy = withoutCasts(memref).getDefiningOp<memref::AllocOp>();
  if (!copy)
    return false;
  for (Operation *user : copy->getUsers()) {
    if (isa<linalg::FillOp, memref::CastOp>(user) || user == tensor)
      continue;
    auto front = dyn_cast<memref::SubViewOp>(user);
    if (!front || partial || !front->hasOneUse())
      return false;
    auto move = dyn_cast<linalg::CopyOp>(*front->user_begin());
    if (!move)
      return false;
    partial = move.getInputs().front().getDefiningOp<memref::SubViewOp>();
    if (!partial || !isEqualConstantIntOrValueArray(partial.getMixedSizes(),
                                                    front.getMixedSizes()))
      return false;
  }
  // Other memory, such as that of a pointer, may be written under another name.
  auto argument =
      partial ? dyn_cast<BlockArgument>(partial.getSource()) : BlockArgument();
  return argument &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) &&
         isOnlyRead(argument);
}

std::optional<LoadedTile> LoadedTile::find(Value tile) {
  LoadedTile found;
  found.tensor = tile.getDefiningOp<bufferization::ToTensorOp>();
  if (!found.tensor)
    return std::nullopt;
  Value memref = found.tensor.getBuffer();
  found.choice = memref.getDefiningOp<scf::IfOp>();
  if (!found.choice)
    return found.findCopy(memref) ? std::optional(found) : std::nullopt;
  if (found.choice->getNumResults() != 1 || !memref.hasOneUse())
    return std::nullopt;
  found.whole = withoutCasts(found.choice.thenYield().getOperand(0))
                    .getDefiningOp<memref::SubViewOp>();
  if (!found.whole || !found.findCopy(found.choice.elseYield().getOperand(0)) ||
      found.whole.getSource() != found.partial.getSource())
    return std::nullopt;
  // Where the windows begin is known outside the choice.
  for (memref::SubViewOp window : {found.whole, found.partial})
    for (Value operand : window->getOperands())
      if (Operation *maker = operand.getDefiningOp();
          maker && found.choice->isProperAncestor(maker))
        return std::nullopt;
  return found;
}

void LoadedTile::eraseIfUnused() {
  if (!tensor->use_empty())
    return;
  tensor.erase();
  if (choice)
    return choice.erase();
  SmallVector<Operation *> users(copy->getUsers());
  for (Operation *user : users) {
    if (isa<memref::SubViewOp>(user))
      user->user_begin()->erase();
    user->erase();
  }
  copy.erase();
}

Value LoadedTile::windowAt(OpBuilder &builder,
                           bufferization::MaterializeInDestinationOp store,
                           ArrayRef<OpFoldResult> sizes) {
  memref::SubViewOp window = partial;
  if (choice) {
    // The condition of the load must be known.
    auto branch = dyn_cast<scf::IfOp>(store->getParentOp());
    if (!branch || branch.getCondition() != choice.getCondition())
      return {};
    if (store->getBlock() == branch.thenBlock())
      window = whole;
  }
  if (!isEqualConstantIntOrValueArray(window.getMixedSizes(), sizes))
    return {};
  Value memref = builder.clone(*window.getOperation())->getResult(0);
  return bufferization::ToTensorOp::create(
      builder, store.getLoc(),
      memref::getTensorTypeFromMemRefType(memref.getType()), memref,
      /*restrict=*/true);
}
