// Exchanges the partial results of a row between its blocks.
#include "Shared/PartExchange.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileReductions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

PartExchange::PartExchange(tile::KernelOp kernel, OpBuilder &builder,
                           const LongRows &rows)
    : kernel(kernel), builder(builder), rows(rows), loc(kernel.getLoc()) {}

size_t PartExchange::countMailboxes() const {
  size_t count = rows.scans.size();
  for (tile::ReduceOp reduce : rows.reductions)
    count += isPair(reduce.getResults()) ? 1 : reduce.getNumResults();
  return count;
}

void PartExchange::begin() {
  if (rows.parts == 1) {
    part = arith::ConstantIndexOp::create(builder, loc, 0);
    return;
  }
  if (rows.throughMemory)
    return beginThroughMemory();
  for (size_t count = countMailboxes(); count > 0; --count) {
    mailboxes.push_back(AllocOp::create(
        builder, loc,
        GatherPartsOp::getMailboxType(kernel.getContext(), rows.parts),
        IntegerAttr()));
    InitMailboxOp::create(builder, loc, mailboxes.back());
  }
  ArriveClusterOp::create(builder, loc, /*relaxed=*/true);
  part = ClusterRankOp::create(builder, loc);
  kernel->setAttr(clusterName,
                  builder.getDenseI32ArrayAttr({int32_t(rows.parts), 1, 1}));
  kernel->setAttr(gridOfClustersName, builder.getUnitAttr());
}

void PartExchange::end() {
  for (Value mailbox : mailboxes) {
    for (Operation *user : llvm::make_early_inc_range(mailbox.getUsers()))
      user->erase();
    mailbox.getDefiningOp()->erase();
  }
  mailboxes.clear();
}

void PartExchange::beginThroughMemory() {
  Arithmetic math(builder, loc);
  Value id = tile::BlockIdOp::create(builder, loc, 0);
  part = math.rem(id, rows.parts);
  group = math.div(id, rows.parts);
  int64_t groups = *knownBlocks(kernel) / rows.parts;
  workspace = WorkspaceOp::create(
      builder, loc,
      BeginExchangeOp::getWorkspaceType(
          kernel.getContext(), int64_t(countMailboxes()), groups, rows.parts),
      /*number=*/0);
  mark = BeginExchangeOp::create(builder, loc, group, part, workspace);
}

Value PartExchange::gatherThroughMemory(Value own) {
  MLIRContext *context = kernel.getContext();
  auto type = RankedTensorType::get(
      {rows.parts, 1}, getElementTypeOrSelf(own.getType()),
      GatherBlocksOp::getResultLayout(context, rows.parts,
                                      PlanAttr::of(kernel).getWarps()));
  Value buffer = AllocOp::create(builder, loc,
                                 SharedType::get(context, {rows.parts},
                                                 builder.getI64Type(),
                                                 /*swizzle=*/0, /*padding=*/0),
                                 IntegerAttr());
  return GatherBlocksOp::create(builder, loc, type, own, group, part, mark,
                                exchanges++, workspace, buffer);
}

Value PartExchange::gather(Value own) {
  if (rows.throughMemory)
    return gatherThroughMemory(own);
  Type element = getElementTypeOrSelf(own.getType());
  // Blocks must have started before others write to them.
  if (!hasMet)
    AwaitClusterOp::create(builder, loc);
  hasMet = true;
  // Every thread holds all numbers, one per register.
  constexpr int64_t lanes = 32;
  LayoutAttr each = LayoutAttr::getCanonical(
      kernel.getContext(), {LayoutMode{rows.parts, 0, 1}},
      {LayoutMode::replicate(lanes)},
      {LayoutMode::replicate(PlanAttr::of(kernel).getWarps())});
  return GatherPartsOp::create(
      builder, loc, RankedTensorType::get({rows.parts, 1}, element, each), own,
      part, mailboxes.pop_back_val());
}

SmallVector<Value> PartExchange::gatherAll(ValueRange own) {
  if (isPair(own))
    return unpackPair(builder, gather(packPair(builder, own)), own.getTypes());
  return llvm::map_to_vector(own, [&](Value number) { return gather(number); });
}

Value PartExchange::isBefore(Type gathered) {
  return comparePart(gathered, arith::CmpIPredicate::slt, part);
}

Value PartExchange::isLast(Type gathered) {
  return comparePart(
      gathered, arith::CmpIPredicate::eq,
      arith::ConstantIndexOp::create(builder, loc, rows.parts - 1));
}

Value PartExchange::comparePart(Type gathered, arith::CmpIPredicate how,
                                Value with) {
  auto type = cast<RankedTensorType>(gathered);
  Type i32 = builder.getI32Type();
  auto sizes = builder.getI64ArrayAttr({rows.parts});
  auto flat = RankedTensorType::get({rows.parts}, i32,
                                    LayoutAttr::of(type).dropAxis(1));
  Value numbers = tile::IotaOp::create(builder, loc, flat, sizes);
  Value own = tile::SplatOp::create(
      builder, loc, flat, arith::IndexCastOp::create(builder, loc, i32, with),
      sizes);
  Value is = arith::CmpIOp::create(builder, loc, how, numbers, own);
  return tile::ExpandDimsOp::create(builder, loc,
                                    type.clone(builder.getI1Type()), is, 1);
}

} // namespace tilegpt::tilegpu
