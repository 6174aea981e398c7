// Divides the alternatives of a disjunction into those that end and those that
// begin.
#include "Masks/HiddenGap.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// A disjunction of alternatives; the only one if there are no others.
static PositionCondition anyOf(std::vector<PositionCondition> parts) {
  PositionCondition any;
  any.kind = PositionCondition::Kind::Any;
  any.parts = std::move(parts);
  return any;
}

std::optional<HiddenGap> findHiddenGap(const IterationRange &range,
                                       const PositionCondition &mask) {
  using Kind = PositionCondition::Kind;
  if (mask.kind == Kind::All) {
    for (auto [number, part] : llvm::enumerate(mask.parts)) {
      std::optional<HiddenGap> gap = findHiddenGap(range, part);
      if (!gap)
        continue;
      HiddenGap both = {mask, mask};
      both.front.parts[number] = std::move(gap->front);
      both.back.parts[number] = std::move(gap->back);
      return both;
    }
    return std::nullopt;
  }
  if (mask.kind != Kind::Any)
    return std::nullopt;
  std::vector<PositionCondition> front, back;
  for (const PositionCondition &part : mask.parts)
    if (range.begins(part))
      back.push_back(part);
    else if (range.ends(part))
      front.push_back(part);
    else
      return std::nullopt;
  if (front.empty() || back.empty())
    return std::nullopt;
  return HiddenGap{anyOf(std::move(front)), anyOf(std::move(back))};
}

void leaveOutGap(scf::ForOp loop, Value begin, Value end) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  const Value from = loop.getLowerBound(), to = loop.getUpperBound();
  // The first loop ends within the loop, and the second begins there.
  Value stop = builder.createOrFold<arith::MinSIOp>(
      loc, to, builder.createOrFold<arith::MaxSIOp>(loc, from, begin));
  Value resume = builder.createOrFold<arith::MinSIOp>(
      loc, to, builder.createOrFold<arith::MaxSIOp>(loc, stop, end));
  builder.setInsertionPointAfter(loop);
  auto rest = cast<scf::ForOp>(builder.clone(*loop));
  loop.replaceAllUsesWith(rest.getResults());
  loop.setUpperBound(stop);
  rest.setLowerBound(resume);
  rest.getInitArgsMutable().assign(loop.getResults());
}

} // namespace tilegpt::tilegpu
