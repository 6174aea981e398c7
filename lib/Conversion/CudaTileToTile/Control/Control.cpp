// Lowers loops, branches and early exits to structured scf ops.
//
// Lowering a block with several exits gives an outcome: an i1 flag for each
// exit but the last, and the values that each exit passes. Ops after an `if`
// with early exits move into the branch that continues, or into another `if` if
// both do. Exits that are not taken pass zeros.
#include "ControlLowering.h"
#include "Stages.h"
#include "TileTypes.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

//===----------------------------------------------------------------------===//
// Outcomes
//===----------------------------------------------------------------------===//

Value ControlLowering::truth(Location loc, bool value) {
  return arith::ConstantOp::create(b, loc, b.getBoolAttr(value));
}

Value ControlLowering::isWay(Location loc, const Outcome &outcome, Way way) {
  Value others;
  for (auto [known, flag] :
       llvm::zip(llvm::make_first_range(outcome.ways), outcome.flags)) {
    if (known == way)
      return flag;
    others = others ? Value(arith::OrIOp::create(b, loc, others, flag)) : flag;
  }
  if (!outcome.ways.count(way))
    return truth(loc, false);
  if (!others)
    return truth(loc, true);
  return arith::XOrIOp::create(b, loc, others, truth(loc, true));
}

Value ControlLowering::zero(Location loc, Type type) {
  if (isa<TokenType>(type))
    return MakeTokenOp::create(b, loc, type, ValueRange());
  ImplicitLocOpBuilder builder(loc, b);
  auto tile = llvm::cast<TileType>(type);
  if (!isa<PointerType>(tile.getElementType()))
    return cast(loc, type, zeroOf(builder, convertTile(tile)));
  SmallVector<Type> parts;
  [[maybe_unused]] LogicalResult converted =
      TileTypes().convertType(type, parts);
  assert(succeeded(converted) && "all pointers have a counterpart");
  Value none = zeroOf(builder, builder.getI64Type());
  Value base = tile::IntToPtrOp::create(builder, parts[0], none);
  return UnrealizedConversionCastOp::create(
             b, loc, TypeRange(type),
             ValueRange{base, zeroOf(builder, parts[1])})
      .getResult(0);
}

SmallVector<Value> ControlLowering::flatten(Location loc,
                                            const Outcome &outcome,
                                            const Ways &ways) {
  SmallVector<Value> result;
  for (const auto &[way, types] :
       llvm::drop_end(llvm::make_range(ways.begin(), ways.end())))
    result.push_back(isWay(loc, outcome, way));
  for (const auto &[way, types] : ways) {
    auto known = outcome.values.find(way);
    if (known != outcome.values.end()) {
      llvm::append_range(result, known->second);
      continue;
    }
    for (Type type : types)
      result.push_back(zero(loc, type));
  }
  return result;
}

Outcome ControlLowering::unflatten(const Ways &ways, ValueRange values) {
  Outcome outcome;
  outcome.ways = ways;
  outcome.flags = llvm::to_vector(values.take_front(ways.size() - 1));
  values = values.drop_front(ways.size() - 1);
  for (const auto &[way, types] : ways) {
    outcome.values[way] = llvm::to_vector(values.take_front(types.size()));
    values = values.drop_front(types.size());
  }
  return outcome;
}

FailureOr<Outcome>
ControlLowering::branch(Location loc, Value condition, const Ways &ways,
                        llvm::function_ref<FailureOr<Outcome>()> yes,
                        llvm::function_ref<FailureOr<Outcome>()> no) {
  SmallVector<Type> types(ways.size() - 1, b.getI1Type());
  for (const auto &[way, taken] : ways)
    llvm::append_range(types, taken);
  auto branch = scf::IfOp::create(b, loc, types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [region, lower] : {std::pair{&branch.getThenRegion(), yes},
                               std::pair{&branch.getElseRegion(), no}}) {
    Block &block = region->front();
    block.clear();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&block);
    FailureOr<Outcome> outcome = lower();
    if (failed(outcome))
      return failure();
    scf::YieldOp::create(b, loc, flatten(loc, *outcome, ways));
  }
  return unflatten(ways, branch.getResults());
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult ControlLowering::lowerOp(Operation &op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return lowerIf(branch);
  if (auto loop = dyn_cast<ForOp>(op))
    return lowerFor(loop);
  if (auto loop = dyn_cast<LoopOp>(op)) {
    FailureOr<Outcome> outcome = lowerLoop(loop);
    if (succeeded(outcome))
      bind(loop.getResults(), outcome->values[Way::Yield]);
    return outcome;
  }
  if (isa<ReduceOp, ScanOp>(op))
    return lowerStep(op);
  b.clone(op, map);
  return success();
}

LogicalResult ControlLowering::lowerStep(Operation &op) {
  Operation *clone = b.cloneWithoutRegions(op, map);
  Block &from = op.getRegion(0).front();
  Block &to = clone->getRegion(0).emplaceBlock();
  for (BlockArgument argument : from.getArguments())
    map.map(argument, to.addArgument(argument.getType(), argument.getLoc()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&to);
  for (Operation &inner : from.without_terminator())
    if (failed(lowerOp(inner)))
      return failure();
  b.clone(*from.getTerminator(), map);
  return success();
}

FailureOr<Outcome> ControlLowering::lowerFrom(Place op, Block &block) {
  for (; op != block.end(); ++op) {
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      Outcome outcome;
      const Way way = wayOf(&*op);
      outcome.ways[way] = llvm::to_vector(op->getOperandTypes());
      outcome.values[way] = mapped(op->getOperands());
      return outcome;
    }
    if (isLeft(&*op)) {
      if (auto branch = dyn_cast<IfOp>(*op))
        return lowerExits(branch);
      FailureOr<Outcome> outcome = lowerLoop(cast<LoopOp>(*op));
      if (failed(outcome))
        return failure();
      return goOn(std::move(*outcome), &*op);
    }
    if (failed(lowerOp(*op)))
      return failure();
  }
  Outcome outcome;
  outcome.ways[Way::Yield] = {};
  outcome.values[Way::Yield] = {};
  return outcome;
}

FailureOr<Outcome> ControlLowering::lowerBlock(Region &region) {
  if (region.empty()) {
    Outcome outcome;
    outcome.ways[Way::Yield] = {};
    outcome.values[Way::Yield] = {};
    return outcome;
  }
  return lowerFrom(region.front().begin(), region.front());
}

FailureOr<Outcome> ControlLowering::goOn(Outcome outcome, Operation *op) {
  if (!outcome.ways.count(Way::Yield))
    return outcome;
  auto rest = [&] {
    bind(op->getResults(), outcome.values[Way::Yield]);
    return lowerFrom(std::next(op->getIterator()), *op->getBlock());
  };
  if (outcome.ways.size() == 1)
    return rest();
  Ways ways = outcome.ways;
  ways.erase(Way::Yield);
  ways.merge(waysFrom(std::next(op->getIterator()), *op->getBlock()));
  auto leave = [&]() -> FailureOr<Outcome> {
    Outcome left;
    // All remaining exits have a flag, since `Yield` comes first and only the
    // last exit has none.
    left.ways = outcome.ways;
    left.ways.erase(Way::Yield);
    left.flags.assign(outcome.flags.begin() + 1, outcome.flags.end());
    left.values = outcome.values;
    left.values.erase(Way::Yield);
    return left;
  };
  return branch(op->getLoc(), isWay(op->getLoc(), outcome, Way::Yield), ways,
                rest, leave);
}

/// Lowers an `if` with early exits, and everything after it.
FailureOr<Outcome> ControlLowering::lowerExits(IfOp op) {
  Value condition = number(map.lookup(op.getCondition()));
  const bool bothGoOn = waysOf(op.getThenRegion()).count(Way::Yield) &&
                        waysOf(op.getElseRegion()).count(Way::Yield);
  auto lower = [&](Region &region) -> FailureOr<Outcome> {
    FailureOr<Outcome> outcome = lowerBlock(region);
    if (failed(outcome) || bothGoOn)
      return outcome;
    return goOn(std::move(*outcome), op);
  };
  const Ways ways =
      bothGoOn ? waysOf(op) : waysFrom(op->getIterator(), *op->getBlock());
  FailureOr<Outcome> outcome = branch(
      op.getLoc(), condition, ways, [&] { return lower(op.getThenRegion()); },
      [&] { return lower(op.getElseRegion()); });
  if (failed(outcome) || !bothGoOn)
    return outcome;
  return goOn(std::move(*outcome), op);
}

LogicalResult ControlLowering::lowerIf(IfOp op) {
  Value condition = number(map.lookup(op.getCondition()));
  FailureOr<Outcome> outcome = branch(
      op.getLoc(), condition,
      {{Way::Yield, SmallVector<Type>(op.getResultTypes())}},
      [&] { return lowerBlock(op.getThenRegion()); },
      [&] { return lowerBlock(op.getElseRegion()); });
  if (failed(outcome))
    return failure();
  bind(op.getResults(), outcome->values[Way::Yield]);
  return success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

LogicalResult ControlLowering::run(EntryOp entry, tile::KernelOp kernel) {
  Block &block = kernel.getBody().emplaceBlock();
  b.setInsertionPointToEnd(&block);
  for (BlockArgument argument : entry.getBody().getArguments()) {
    const Location loc = argument.getLoc();
    auto tile = llvm::cast<TileType>(argument.getType());
    auto pointer = dyn_cast<PointerType>(tile.getElementType());
    if (!pointer) {
      map.map(argument,
              cast(loc, tile, block.addArgument(convertTile(tile), loc)));
      continue;
    }
    Value base = block.addArgument(
        tile::PtrType::get(b.getContext(),
                           convertElement(pointer.getPointeeType())),
        loc);
    Value none = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
    map.map(argument, UnrealizedConversionCastOp::create(
                          b, loc, TypeRange(tile), ValueRange{base, none})
                          .getResult(0));
  }
  if (failed(lowerBlock(entry.getBody())))
    return failure();
  tile::ReturnOp::create(b, entry.getLoc());
  return success();
}

tile::KernelOp lowerEntry(OpBuilder &builder, EntryOp entry) {
  OpBuilder::InsertionGuard guard(builder);
  auto kernel = tile::KernelOp::create(
      builder, entry.getLoc(), entry.getSymName(), /*num_outs=*/0,
      /*implements=*/nullptr, /*conditions=*/nullptr, /*requirements=*/nullptr,
      builder.getArrayAttr({}), builder.getArrayAttr({}));
  if (succeeded(ControlLowering(builder).run(entry, kernel)))
    return kernel;
  return {};
}

} // namespace tilegpt::cuda_tile
