// Verifiers of roles, pipes and their copies.
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

LogicalResult RolesOp::verify() {
  if (!isa<tile::KernelOp>((*this)->getParentOp()))
    return emitOpError("expected to stand in the body of a kernel");
  std::optional<ArrayRef<int64_t>> registers = getRegisters();
  if (!registers)
    return success();
  constexpr int64_t least = 24, most = 256, step = 8;
  bool isValid =
      registers->size() == 2 && llvm::all_of(*registers, [](int64_t count) {
        return count >= least && count <= most && count % step == 0;
      });
  if (!isValid)
    return emitOpError("expected two register counts, multiples of 8 from 24 "
                       "to 256, found [")
           << *registers << "]";
  return success();
}

LogicalResult PipeOp::verify() {
  SharedType barriers = getBarriers().getType();
  int64_t words = 2 * getResult().getType().getStages();
  if (barriers.getShape() != ArrayRef(words) ||
      !barriers.getElementType().isInteger(64))
    return emitOpError("expected ")
           << words << " barriers of i64, two a stage, found " << barriers;
  if (getReaders() < 1)
    return emitOpError("expected at least one reader, found ") << getReaders();
  return success();
}

/// Two teams need two barriers.
static LogicalResult verifyTurns(Operation *op, SharedType turns) {
  constexpr int64_t teams = 2;
  if (turns.getShape() == ArrayRef(teams) &&
      turns.getElementType().isInteger(64))
    return success();
  return op->emitOpError("expected ")
         << teams << " barriers of i64, one a team, found " << turns;
}

LogicalResult InitTurnsOp::verify() {
  return verifyTurns(*this, getTurns().getType());
}

LogicalResult TakeTurnOp::verify() {
  return verifyTurns(*this, getTurns().getType());
}

LogicalResult PassTurnOp::verify() {
  return verifyTurns(*this, getTurns().getType());
}

/// Every stage has a word.
static LogicalResult verifyWords(Operation *op, SharedType words,
                                 PipeType pipe) {
  if (words.getShape() == ArrayRef(pipe.getStages()) &&
      words.getElementType().isInteger(32))
    return success();
  return op->emitOpError("expected ")
         << pipe.getStages() << " words of i32, one a stage, found " << words;
}

LogicalResult SendOp::verify() {
  return verifyWords(*this, getWords().getType(), getPipe().getType());
}

LogicalResult ReceiveOp::verify() {
  return verifyWords(*this, getWords().getType(), getPipe().getType());
}

/// Whether boxes of a view can be described.
static LogicalResult verifyDescribed(Operation *op, TensorMapType map,
                                     tile::ViewType view) {
  if (static_cast<int64_t>(map.getBox().size()) != view.getRank() ||
      map.getElementType() != view.getElementType())
    return op->emitOpError("expected a box like the view ")
           << view << ", found " << map;
  if (view.getKnownStrides().back() != 1)
    return op->emitOpError("expected a last axis of stride 1, found ") << view;
  return success();
}

LogicalResult TensorMapOp::verify() {
  tile::ViewType view = getView().getType();
  if (!isa<BlockArgument>(getView()) ||
      !isa<tile::KernelOp>(getView().getParentRegion()->getParentOp()))
    return emitOpError("expected an argument of the kernel");
  if (failed(verifyDescribed(*this, getResult().getType(), view)))
    return failure();
  SmallVector<int64_t> strides = tile::divisorsOfStrides(getView());
  constexpr int64_t unitBytes = 16;
  int64_t elementBytes = view.getElementType().getIntOrFloatBitWidth() / 8;
  for (int64_t stride : ArrayRef(strides).drop_back())
    if (stride * elementBytes % unitBytes)
      return emitOpError("expected strides of known multiples of ")
             << unitBytes << " bytes, found " << view;
  return success();
}

LogicalResult EncodeMapOp::verify() {
  return verifyDescribed(*this, getMap().getType(), getView().getType());
}

LogicalResult TmaLoadOp::verify() {
  TensorMapType map = getMap().getType();
  SharedType buffer = getBuffer().getType();
  if (getIndices().size() != map.getBox().size())
    return emitOpError("expected ")
           << map.getBox().size() << " indices, one an axis, found "
           << getIndices().size();
  if (buffer.getElementType() != map.getElementType() ||
      buffer.getSwizzle() != map.getSwizzle() || buffer.getPadding())
    return emitOpError("expected box and buffer of one element type and "
                       "swizzle, found ")
           << map << " and " << buffer;
  // Axes that the buffer lacks have size 1, also those after the rows.
  SmallVector<int64_t> box(map.getBox());
  if (buffer.getRank() == 2 && box.size() > 2)
    std::swap(box[map.getRowAxis()], box[box.size() - 2]);
  int64_t missing = box.size() - buffer.getRank();
  bool fits =
      missing >= 0 &&
      llvm::all_of(ArrayRef(box).take_front(std::max<int64_t>(missing, 0)),
                   [](int64_t size) { return size == 1; });
  for (int64_t axis = 0; fits && axis < buffer.getRank(); ++axis)
    fits = buffer.getShape()[axis] % box[missing + axis] == 0;
  if (!fits)
    return emitOpError("expected a buffer of whole boxes, found ")
           << map << " and " << buffer;
  if (!getMulticast())
    return success();
  // Each block copies the box of its rank in every panel.
  int64_t blocks = getPipe().getType().getBlocks();
  PlanAttr plan = PlanAttr::of(*this);
  int64_t sharing = plan ? plan.getMulticastAlong(*getMulticast()) : blocks;
  if (sharing < 2 || blocks % sharing || buffer.getRank() != 2 ||
      buffer.getShape()[0] != sharing * box[missing])
    return emitOpError("expected a pipe of several blocks and as many boxes "
                       "below each other, found ")
           << getPipe().getType() << ", " << map << " and " << buffer;
  return success();
}

LogicalResult TmaStoreOp::verify() {
  auto tile = cast<RankedTensorType>(getValue().getType());
  TensorMapType map = getMap().getType();
  SharedType buffer = getBuffer().getType();
  if (tile.getRank() != 2 || map.getBox().size() < 2 ||
      getIndices().size() != map.getBox().size() || buffer.getRank() != 3)
    return emitOpError("expected a tile of 2 axes, a box of 2 or more and as "
                       "many indices, and a buffer of 3, found ")
           << tile << ", " << map << " and " << buffer;
  if (tile.getElementType() != map.getElementType() ||
      buffer.getElementType() != map.getElementType() ||
      buffer.getSwizzle() != map.getSwizzle())
    return emitOpError("expected tile, box and buffer of one element type and "
                       "swizzle, found ")
           << tile << ", " << map << " and " << buffer;
  // One side of a box has the rows of a warp group.
  constexpr int64_t whole = 64, least = 16, elementBits = 16;
  int64_t rows = map.getBox().drop_back().back(), columns = map.getBox().back(),
          narrow = std::min(rows, columns);
  if (tile.getElementTypeBitWidth() != elementBits ||
      std::max(rows, columns) != whole || narrow < least ||
      !llvm::isPowerOf2_64(uint64_t(narrow)) ||
      map.getSwizzle() != columns * elementBits / 8 ||
      llvm::any_of(
          map.getBox().drop_back(2), [](int64_t size) { return size != 1; }) ||
      buffer.getShape()[2] != columns || buffer.getShape()[1] % rows ||
      tile.getDimSize(0) < whole || tile.getDimSize(1) < whole ||
      (tile.getDimSize(0) % whole && tile.getDimSize(1) % whole))
    return emitOpError("expected boxes of 64 by 16, 32 or 64 elements of 16 "
                       "bits, found ")
           << tile << ", " << map << " and " << buffer;
  return success();
}

LogicalResult RowStoreOp::verify() {
  constexpr int64_t rows = 8, unitBits = 128, step = 8;
  auto tile = cast<RankedTensorType>(getValue().getType());
  tile::ViewType view = getView().getType();
  SharedType buffer = getBuffer().getType();
  if (tile.getRank() != 2 || view.getRank() != 2 || getIndices().size() != 2)
    return emitOpError("expected a tile, a view and indices of 2 axes, found ")
           << tile << " and " << view;
  unsigned elementBits = tile.getElementTypeBitWidth();
  if ((elementBits != 32 && elementBits != 16) ||
      view.getElementType() != tile.getElementType() ||
      view.getKnownStrides().back() != 1)
    return emitOpError("expected elements of 32 or 16 bits, dense along the "
                       "rows, found ")
           << tile << " and " << view;
  if (buffer.getElementType() != tile.getElementType() ||
      buffer.getRank() != 3 || buffer.getShape()[1] != rows ||
      buffer.getPadding() == 0 ||
      buffer.getPadding() * elementBits % unitBits ||
      buffer.getShape()[2] % step || tile.getDimSize(1) % buffer.getShape()[2])
    return emitOpError("expected a buffer of warps x 8 x columns, padded by "
                       "units of 16 bytes, whose columns are a multiple of 8 "
                       "that divides those of the tile, found ")
           << buffer << " for " << tile;
  return success();
}

/// An mbarrier and a padding word.
static constexpr int64_t mailboxHead = 2;

LogicalResult InitMailboxOp::verify() {
  SharedType mailbox = getMailbox().getType();
  if (mailbox.getRank() == 1 && mailbox.getElementType().isInteger(64) &&
      mailbox.getShape().front() > mailboxHead)
    return success();
  return emitOpError("expected words of i64, more than ")
         << mailboxHead << ", found " << mailbox;
}

int64_t SumPartsOp::getParts() {
  return cast<RankedTensorType>(getValue().getType()).getDimSize(1) /
         cast<RankedTensorType>(getResult().getType()).getDimSize(1);
}

SharedType SumPartsOp::getMailboxType() {
  // A warp sends its 16 accumulator rows, two f32 per word.
  constexpr int64_t warpRows = 16, wordElements = 2;
  auto share = cast<RankedTensorType>(getResult().getType());
  int64_t words = (getParts() - 1) *
                  int64_t(llvm::alignTo(share.getDimSize(0), warpRows)) *
                  share.getDimSize(1) / wordElements;
  return SharedType::get(getContext(), {mailboxHead + words},
                         IntegerType::get(getContext(), 64), /*swizzle=*/0,
                         /*padding=*/0);
}

LogicalResult SumPartsOp::verify() {
  auto value = cast<RankedTensorType>(getValue().getType()),
       share = cast<RankedTensorType>(getResult().getType());
  constexpr int64_t columnStep = 8;
  if (value.getRank() != 2 || share.getRank() != 2 ||
      !value.getElementType().isF32() || !share.getElementType().isF32() ||
      value.getDimSize(0) != share.getDimSize(0) ||
      share.getDimSize(1) % columnStep ||
      value.getDimSize(1) % share.getDimSize(1))
    return emitOpError("expected tiles of f32 with as many rows, and whole "
                       "shares of a multiple of ")
           << columnStep << " columns, found " << value << " and " << share;
  if (getMailbox() && getMailbox().getType() != getMailboxType())
    return emitOpError("expected a mailbox ")
           << getMailboxType() << ", found " << getMailbox().getType();
  return success();
}

SharedType GatherPartsOp::getMailboxType(MLIRContext *context, int64_t parts) {
  constexpr int64_t headWords = 2;
  return SharedType::get(context, {headWords + parts},
                         IntegerType::get(context, 64), /*swizzle=*/0,
                         /*padding=*/0);
}

/// Checks the number of a block and those of all blocks.
static LogicalResult verifyGathered(Operation *op, Type number,
                                    RankedTensorType all) {
  auto value = cast<RankedTensorType>(number);
  constexpr unsigned wordBits = 64;
  if (value.getShape() == ArrayRef<int64_t>{1, 1} && all.getRank() == 2 &&
      all.getDimSize(1) == 1 &&
      value.getElementType() == all.getElementType() &&
      value.getElementTypeBitWidth() <= wordBits)
    return success();
  return op->emitOpError("expected a number of up to 64 bits and a column of "
                         "such, found ")
         << value << " and " << all;
}

LogicalResult GatherPartsOp::verify() {
  auto result = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyGathered(*this, getValue().getType(), result)))
    return failure();
  SharedType mailbox = getMailboxType(getContext(), result.getDimSize(0));
  if (getMailbox().getType() != mailbox)
    return emitOpError("expected a mailbox ")
           << mailbox << ", found " << getMailbox().getType();
  return success();
}

tilegpt::tile::ViewType BeginExchangeOp::getWorkspaceType(MLIRContext *context,
                                                          int64_t exchanges,
                                                          int64_t groups,
                                                          int64_t parts) {
  // Groups do not share cache lines.
  constexpr int64_t wordsOfNumber = 2, wordsOfLine = 16;
  return tilegpt::tile::ViewType::get(
      context,
      {exchanges, groups,
       int64_t(llvm::alignTo(wordsOfNumber * parts, wordsOfLine))},
      IntegerType::get(context, 64), {});
}

/// Checks the workspace of exchanges.
static LogicalResult verifyExchanges(Operation *op,
                                     tilegpt::tile::ViewType workspace) {
  constexpr size_t rank = 3;
  if (workspace.getRank() == rank && workspace.isDense() &&
      workspace.getElementType().isInteger(64) &&
      llvm::none_of(workspace.getShape(), ShapedType::isDynamic))
    return success();
  return op->emitOpError("expected a dense workspace [exchanges, groups, "
                         "words] of i64, found ")
         << workspace;
}

LogicalResult BeginExchangeOp::verify() {
  return verifyExchanges(*this, getWorkspace().getType());
}

LayoutAttr GatherBlocksOp::getResultLayout(MLIRContext *context, int64_t parts,
                                           int64_t warps) {
  int64_t lanes = std::min<int64_t>(llvm::bit_ceil(uint64_t(parts)), warpLanes),
          each = int64_t(llvm::divideCeil(parts, lanes));
  return LayoutAttr::getCanonical(
      context, {LayoutMode{each, 0, lanes}},
      {LayoutMode{lanes, 0, 1}, LayoutMode::replicate(warpLanes / lanes)},
      {LayoutMode::replicate(warps)});
}

LogicalResult GatherBlocksOp::verify() {
  auto result = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyGathered(*this, getValue().getType(), result)))
    return failure();
  constexpr unsigned wordBits = 64;
  tilegpt::tile::ViewType workspace = getWorkspace().getType();
  if (failed(verifyExchanges(*this, workspace)))
    return failure();
  int64_t parts = result.getDimSize(0);
  if (getExchange() >= uint64_t(workspace.getShape()[0]) ||
      workspace != BeginExchangeOp::getWorkspaceType(
                       getContext(), workspace.getShape()[0],
                       workspace.getShape()[1], parts))
    return emitOpError("expected a workspace for exchange ")
           << getExchange() << " of " << parts << " blocks, found "
           << workspace;
  SharedType buffer = getBuffer().getType();
  if (buffer.getShape() != ArrayRef<int64_t>{parts} ||
      !buffer.getElementType().isInteger(wordBits))
    return emitOpError("expected a buffer of ")
           << parts << " words of i64, found " << buffer;
  return success();
}

LogicalResult WorkspaceOp::verify() {
  tilegpt::tile::ViewType view = getResult().getType();
  if (view.isDense() && llvm::none_of(view.getShape(), ShapedType::isDynamic))
    return success();
  return emitOpError("expected a dense view of static sizes, found ") << view;
}

/// A workspace has an entry for the partial sums of each block: at least the
/// rows of a warp group.
LogicalResult PutPartOp::verify() {
  auto tile = cast<RankedTensorType>(getValue().getType());
  tilegpt::tile::ViewType workspace = getWorkspace().getType();
  if (tile.getRank() == 2 && tile.getElementType().isF32() &&
      workspace.getElementType().isF32() && workspace.isDense() &&
      workspace.getRank() == 2 &&
      workspace.getShape()[1] ==
          std::max(tile.getDimSize(0), groupRows) * tile.getDimSize(1))
    return success();
  return emitOpError("expected a tile of f32 and a dense workspace with as "
                     "many elements an entry, of 64 rows at least, found ")
         << tile << " and " << workspace;
}

LogicalResult SumShareOp::verify() {
  constexpr int64_t columnStep = 8;
  auto share = cast<RankedTensorType>(getResult().getType());
  tilegpt::tile::ViewType workspace = getWorkspace().getType();
  if (share.getRank() == 2 && share.getElementType().isF32() &&
      share.getDimSize(1) % columnStep == 0 &&
      workspace.getElementType().isF32() && workspace.isDense() &&
      workspace.getRank() == 2 &&
      workspace.getShape()[1] % (std::max(share.getDimSize(0), groupRows) *
                                 share.getDimSize(1)) ==
          0)
    return success();
  return emitOpError("expected a result of f32 with a multiple of ")
         << columnStep
         << " columns, and a dense workspace whose entries have a whole number "
            "of such results, of 64 rows at least, found "
         << share << " and " << workspace;
}

LogicalResult WritePartOp::verify() {
  auto value = cast<RankedTensorType>(getValue().getType());
  SharedType buffer = getBuffer().getType();
  if (value.getRank() == 2 && buffer.getRank() == 2 &&
      value.getElementType() == buffer.getElementType() &&
      value.getDimSize(1) == buffer.getShape()[1] &&
      buffer.getShape()[0] % value.getDimSize(0) == 0)
    return success();
  return emitOpError("expected a buffer of several tiles one below the other, "
                     "found ")
         << value << " and " << buffer;
}
