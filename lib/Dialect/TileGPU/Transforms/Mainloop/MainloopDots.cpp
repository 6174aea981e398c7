// Where the operands of a main loop's dots live, and how the dots are issued.
#include "Mainloop/MainloopDots.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool MainloopDots::isCopied(Value operand) {
  return llvm::is_contained(loop.getStreamArgs(), operand) ||
         llvm::is_contained(loop.getResidentArgs(), operand);
}

Value MainloopDots::bufferOf(Value operand, ArrayRef<Value> tiles) {
  if (Value buffer = staged.lookup(operand))
    return buffer;
  for (auto [argument, slot] : llvm::zip_equal(loop.getStreamArgs(), tiles))
    if (argument == operand)
      return slot;
  for (auto [argument, tile] :
       llvm::zip_equal(loop.getResidentArgs(), loop.getResidents()))
    if (argument == operand)
      return slots.lookup(tile);
  return {};
}

Value MainloopDots::start(tile::DotOp dot, Value left, Value right, Value acc) {
  int64_t elementBytes = dot.getLhs().getType().getElementTypeBitWidth() / 8,
          depth = depthOf(dot);
  // Zeros pad the reduction to a multiple of the instruction's depth.
  if (dot.getTransposeB() && !dot.getTransposeA())
    depth = llvm::alignTo(depth * elementBytes, AsyncDotOp::stepBytes) /
            elementBytes;
  // A buffer may have more columns than its tile.
  auto type = cast<SharedType>(right.getType());
  bool isPadded = dot.getTransposeB() && type.getShape()[1] != depth;
  return AsyncDotOp::create(
      rewriter, loc, PendingType::get(rewriter.getContext(), typeOf(dot)), left,
      right, acc, /*along_m=*/dot.getTransposeA(),
      /*along_n=*/!dot.getTransposeB(),
      isPadded ? rewriter.getI64IntegerAttr(depth) : IntegerAttr(),
      dot.getUnsignedLhs(), dot.getUnsignedRhs());
}

void MainloopDots::allocateStaged() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop->getParentOfType<RolesOp>());
  for (Value operand :
       findStaged(*loop.getConsumeBlock(), loop.getRegionIterArgs()))
    staged[operand] = AllocOp::create(
        rewriter, loc,
        bufferOfOperand(cast<RankedTensorType>(operand.getType())), nullptr);
}

/// The tile to write to shared memory for one in a layout of dots: the tile
/// before its layout was converted, an exchange through shared memory itself,
/// if threads hold units of its rows.
static Value sourceOfWrite(Value tile) {
  auto convert = tile.getDefiningOp<ConvertLayoutOp>();
  if (!convert)
    return tile;
  auto type = cast<RankedTensorType>(convert.getSource().getType());
  int64_t bytes = LayoutAttr::of(type).getVectorSize(type.getRank() - 1) *
                  type.getElementTypeBitWidth() / 8;
  return bytes % sharedUnitBytes == 0 ? convert.getSource() : tile;
}

/// Writes the operands of a dot to shared memory, once per iteration, together
/// with those of the dots that accumulate onto its result. All warp groups
/// write and multiply, so the first write waits until none still reads the
/// previous iteration's operands.
void MainloopDots::stageOperands(tile::DotOp dot, IRMapping &known) {
  SmallVector<Value> operands = {dot.getLhs(), dot.getRhs()};
  for (Value sum = dot.getResult(); sum.hasOneUse();) {
    auto next = dyn_cast<tile::DotOp>(*sum.user_begin());
    if (!next || next->getBlock() != dot->getBlock() || next.getAcc() != sum)
      break;
    for (Value operand : {next.getLhs(), next.getRhs()})
      if (known.contains(operand))
        operands.push_back(operand);
    sum = next.getResult();
  }
  bool hasWritten = false;
  for (Value operand : operands) {
    Value buffer = staged.lookup(operand);
    if (!buffer || !written.insert(operand).second)
      continue;
    if (written.size() == 1)
      BarrierOp::create(rewriter, loc);
    WriteOp::create(rewriter, loc,
                    sourceOfWrite(known.lookupOrDefault(operand)), buffer);
    hasWritten = true;
  }
  if (hasWritten)
    PublishOp::create(rewriter, loc, /*to_all=*/true);
}

Value MainloopDots::runInPlace(tile::DotOp dot, ArrayRef<Value> tiles,
                               IRMapping &known) {
  stageOperands(dot, known);
  Value packed;
  Value left = bufferOf(dot.getLhs(), tiles);
  if (!left)
    left = packed =
        pack(known.lookupOrDefault(dot.getLhs()), dot.getLhs().getType());
  Value started = start(
      dot, left, bufferOf(dot.getRhs(), tiles),
      isZeroTile(dot.getAcc()) ? Value() : known.lookupOrDefault(dot.getAcc()));
  return FinishDotOp::create(rewriter, loc, started, packed,
                             /*later=*/0);
}

Value MainloopDots::pack(Value tile, RankedTensorType type) {
  if (auto branch = tile.getDefiningOp<scf::IfOp>())
    return packInBranches(branch, cast<OpResult>(tile).getResultNumber(), type);
  if (auto rounded = tile.getDefiningOp<tile::CastOp>())
    if (getElementTypeOrSelf(rounded.getSource().getType()).isF32())
      tile = rounded.getSource();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(tile);
  return PackOp::create(rewriter, loc,
                        PackedType::get(rewriter.getContext(), type), tile);
}

/// Makes a branch yield a packed tile.
Value MainloopDots::packInBranches(scf::IfOp branch, unsigned number,
                                   RankedTensorType type) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (Region *region : branch.getRegions()) {
    Operation *yield = region->front().getTerminator();
    yield->setOperand(number, pack(yield->getOperand(number), type));
  }
  SmallVector<Type> types(branch.getResultTypes());
  types[number] = PackedType::get(rewriter.getContext(), type);
  rewriter.setInsertionPoint(branch);
  auto packed = scf::IfOp::create(rewriter, loc, types, branch.getCondition());
  packed.getThenRegion().takeBody(branch.getThenRegion());
  packed.getElseRegion().takeBody(branch.getElseRegion());
  // The unpacked tile is read by the caller.
  rewriter.replaceOp(branch, packed);
  return packed.getResult(number);
}

} // namespace tilegpt::tilegpu
