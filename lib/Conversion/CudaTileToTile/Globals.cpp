// Replaces globals of a module by data of its kernels, at every use. Read-only
// data may be duplicated; written data is shared, by the launches of the only
// entry that uses it or by all entries.
#include "Stages.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// Whether a pointer, and all pointers derived from it, are only used for
/// loads. Does not look through loops and branches.
static bool isOnlyRead(Value pointer) {
  SmallVector<Value> pending = {pointer};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (isa<LoadPtrTkoOp, LoadViewTkoOp, GetTensorShapeOp,
              GetIndexSpaceShapeOp>(user))
        continue;
      if (!isa<AssumeOp, BroadcastOp, CatOp, ExtractOp, OffsetOp, PermuteOp,
               PtrToPtrOp, ReshapeOp, SelectOp, MakeTensorViewOp,
               MakePartitionViewOp, MakeStridedViewOp, MakeGatherScatterViewOp>(
              user))
        return false;
      pending.append(user->result_begin(), user->result_end());
    }
  }
  return true;
}

/// Who shares the memory of a global.
enum class Sharing { None, Entry, Module };

/// Replaces a use by memory with the global's elements.
static void lowerUse(GetGlobalOp use, GlobalOp global, Sharing sharing) {
  OpBuilder builder(use);
  const Location loc = use.getLoc();
  constexpr int64_t least = 16; // of tile.data
  DenseElementsAttr elements = convertElements(global.getValue());
  StringAttr name;
  if (sharing == Sharing::Entry)
    name = global.getSymNameAttr();
  if (sharing == Sharing::Module)
    name =
        builder.getStringAttr(global->getParentOfType<ModuleOp>().getSymName() +
                              "." + global.getSymName());
  auto memory = tile::DataOp::create(
      builder, loc,
      tile::PtrType::get(builder.getContext(), elements.getElementType()),
      elements, name,
      int64_t(global.getAlignment()) > least ? global.getAlignmentAttr()
                                             : IntegerAttr());
  if (sharing == Sharing::Module)
    memory->setAttr(tile::programAttr, builder.getUnitAttr());
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  auto pointer = UnrealizedConversionCastOp::create(
      builder, loc, TypeRange(use.getResult().getType()),
      ValueRange{memory.getResult(), none});
  use.getResult().replaceAllUsesWith(pointer.getResult(0));
  use.erase();
}

static Sharing findSharing(GlobalOp global, ArrayRef<GetGlobalOp> uses) {
  const bool isWritten =
      !global.getConstant() && llvm::any_of(uses, [](GetGlobalOp use) {
        return !isOnlyRead(use.getResult());
      });
  if (!isWritten)
    return Sharing::None;
  const auto first = uses.front()->getParentOfType<EntryOp>();
  const bool isOfOne = llvm::all_of(uses, [&](GetGlobalOp use) {
    return use->getParentOfType<EntryOp>() == first;
  });
  return isOfOne ? Sharing::Entry : Sharing::Module;
}

void lowerGlobals(Operation *root) {
  llvm::MapVector<GlobalOp, SmallVector<GetGlobalOp>> globals;
  root->walk([&](GetGlobalOp use) {
    auto global =
        SymbolTable::lookupNearestSymbolFrom<GlobalOp>(use, use.getNameAttr());
    globals[global].push_back(use);
  });
  for (auto &[global, uses] : globals) {
    const Sharing sharing = findSharing(global, uses);
    for (GetGlobalOp use : uses)
      lowerUse(use, global, sharing);
  }
}

} // namespace tilegpt::cuda_tile
