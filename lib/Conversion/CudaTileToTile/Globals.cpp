// Replaces globals of a module by data of its kernels, at every use. Read-only
// data may be duplicated; written data must exist once, so only a single entry
// may use it.
#include "Stages.h"
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

/// Replaces a use by memory with the global's elements.
static void lowerUse(GetGlobalOp use, GlobalOp global, bool isShared) {
  OpBuilder builder(use);
  const Location loc = use.getLoc();
  constexpr int64_t least = 16; // of tile.data
  DenseElementsAttr elements = convertElements(global.getValue());
  Value memory = tile::DataOp::create(
      builder, loc,
      tile::PtrType::get(builder.getContext(), elements.getElementType()),
      elements, isShared ? global.getSymNameAttr() : StringAttr(),
      int64_t(global.getAlignment()) > least ? global.getAlignmentAttr()
                                             : IntegerAttr());
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  auto pointer = UnrealizedConversionCastOp::create(
      builder, loc, TypeRange(use.getResult().getType()),
      ValueRange{memory, none});
  use.getResult().replaceAllUsesWith(pointer.getResult(0));
  use.erase();
}

static LogicalResult lowerGlobal(GlobalOp global, ArrayRef<GetGlobalOp> uses) {
  GetGlobalOp writer;
  for (GetGlobalOp use : uses)
    if (!global.getConstant() && !isOnlyRead(use.getResult()))
      writer = use;
  if (writer)
    for (GetGlobalOp use : uses)
      if (use->getParentOfType<EntryOp>() !=
          writer->getParentOfType<EntryOp>()) {
        InFlightDiagnostic error =
            writer.emitOpError("may write '@")
            << global.getSymName()
            << "', which another entry uses too; each kernel brings its own "
               "memory, so only one entry may use a global that is written";
        error.attachNote(use.getLoc()) << "the other use is here";
        return failure();
      }
  for (GetGlobalOp use : uses)
    lowerUse(use, global, bool(writer));
  return success();
}

LogicalResult lowerGlobals(Operation *root) {
  llvm::MapVector<GlobalOp, SmallVector<GetGlobalOp>> globals;
  root->walk([&](GetGlobalOp use) {
    auto global =
        SymbolTable::lookupNearestSymbolFrom<GlobalOp>(use, use.getNameAttr());
    globals[global].push_back(use);
  });
  for (auto &[global, uses] : globals)
    if (failed(lowerGlobal(global, uses)))
      return failure();
  return success();
}

} // namespace tilegpt::cuda_tile
