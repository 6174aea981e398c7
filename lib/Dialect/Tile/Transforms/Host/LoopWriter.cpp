// Code shared by both kernels of a split loop.
#include "Host/LoopWriter.h"
#include "KernelExpressions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tile {

LoopWriter::LoopWriter(LoopDeal whole)
    : deal(std::move(whole)), builder(deal.loop.getContext()),
      loc(deal.loop.getLoc()),
      copy(cast<KernelOp>(deal.kernel->clone(mapping))),
      loop(cast<scf::ForOp>(
          mapping.lookup(deal.loop.getResult(0)).getDefiningOp())) {
  copy->removeImplementsAttr();
  copy->removeConditionsAttr();
}

Value LoopWriter::number(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value LoopWriter::add(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}

Value LoopWriter::mul(Value a, Value b) {
  return arith::MulIOp::create(builder, loc, a, b);
}

Value LoopWriter::ceildiv(Value a, Value b) {
  Value above = arith::SubIOp::create(builder, loc, b, number(1));
  return arith::DivUIOp::create(builder, loc, add(a, above), b);
}

RankedTensorType LoopWriter::tileAt(unsigned number) {
  return cast<RankedTensorType>(deal.loop.getResult(number).getType());
}

void LoopWriter::countIterations() {
  Value span = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                     loop.getLowerBound());
  trips = ceildiv(arith::MaxSIOp::create(builder, loc, span, number(0)),
                  loop.getStep());
  share = arith::MaxUIOp::create(
      builder, loc, ceildiv(trips, number(deal.parts)), number(deal.least));
}

Value LoopWriter::firstPart(ArrayRef<Value> place) {
  Value block = number(0);
  for (size_t axis = place.size(); axis-- > 0;)
    block = add(mul(block, number(deal.blocks[axis])), place[axis]);
  return mul(block, number(deal.parts));
}

Value LoopWriter::windowOf(Value partial, Value part) {
  auto view = cast<ViewType>(partial.getType());
  auto type = ViewType::get(view.getContext(), view.getShape().drop_front(),
                            view.getElementType(), {});
  return SelectOp::create(builder, loc, type, partial, ValueRange{part});
}

SmallVector<Value> LoopWriter::originOf(unsigned number) {
  return SmallVector<Value>(tileAt(number).getRank(), this->number(0));
}

void LoopWriter::dropUnused() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body())))
    if (&op != loop && isOpTriviallyDead(&op))
      op.erase();
}

void LoopWriter::renumber(function_ref<int64_t(int64_t)> numberOf) {
  mapExpressions(*copy, [&](Attribute source) -> Attribute {
    auto place = dyn_cast<DenseI64ArrayAttr>(source);
    if (!place)
      return source;
    SmallVector<int64_t> moved(place.asArrayRef());
    moved[0] = numberOf(moved[0]);
    return DenseI64ArrayAttr::get(source.getContext(), moved);
  });
}

} // namespace tilegpt::tile
