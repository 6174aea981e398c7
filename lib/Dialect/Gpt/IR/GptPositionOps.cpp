// Ops that read embeddings of tokens and of positions.
#include "OpChecks.h"
#include <cmath>

using namespace mlir;
using namespace tilegpt::gpt;
using namespace tilegpt::gpt::detail;
using Axis = tilegpt::bundle::WeightShard::Axis;

//===----------------------------------------------------------------------===//
// gpt.embed
//===----------------------------------------------------------------------===//

/// A table of `rows` rows, split for the number of ranks in `shard`.
static EmbedOp::Table tableOf(StringRef name, int64_t rows,
                              std::optional<StringRef> shard) {
  std::string weight = (name + ".weight").str();
  if (!shard)
    return {weight, rows, ""};
  int64_t ranks =
      tilegpt::bundle::WeightShard::parse(*shard)->groups.front().pieces;
  tilegpt::bundle::WeightShard part{Axis::Rows, {{1, rows, 1, ranks}}},
      begin = part;
  begin.axis = Axis::Begin;
  return {tilegpt::bundle::shardedName(weight, part.format()), part.partSize(),
          tilegpt::bundle::shardedName(weight, begin.format())};
}

EmbedOp::Table EmbedOp::getTokenTable() {
  return tableOf(getTokens(), int64_t(getModel(*this).getVocab()), getShard());
}

EmbedOp::Table EmbedOp::getPositionTable() {
  return tableOf(*getPositions(), int64_t(getModel(*this).getContext()),
                 getShard());
}

LogicalResult EmbedOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<ModelOp> model = requireModel(*this);
  if (failed(model))
    return failure();
  if (failed(getPartSize(*this, getShard(), int64_t(model->getVocab()))))
    return failure();
  FailureOr<int64_t> columns =
      getFeatures() ? getCount(*this, *getFeatures(), "the number of features")
                    : FailureOr<int64_t>(int64_t(model->getWidth()));
  if (failed(columns))
    return failure();
  types.push_back(
      RankedTensorType::get({getIds().getType().getDimSize(0), *columns},
                            Float32Type::get(getContext())));
  return success();
}

LogicalResult EmbedOp::verify() {
  if (failed(verifyName(*this, getTokens())))
    return failure();
  if (getPositions() && getScale())
    return emitOpError("takes positions or a scale, not both");
  if (failed(verifyShard(*this, getShard(), Axis::Rows)))
    return failure();
  if (auto shard = getShard()) {
    const auto groups = tilegpt::bundle::WeightShard::parse(*shard)->groups;
    if (groups.size() != 1 || groups[0].count != 1 || groups[0].unit != 1)
      return emitOpError("expected a shard of one run of rows, such as "
                         "\"rows 768/2\", found \"")
             << *shard << '"';
  }
  return getPositions() ? verifyName(*this, *getPositions()) : success();
}

//===----------------------------------------------------------------------===//
// gpt.positions
//===----------------------------------------------------------------------===//

LogicalResult PositionsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success(succeeded(requireModel(*this)));
}

LogicalResult PositionsOp::verify() { return verifyName(*this, getWeights()); }

//===----------------------------------------------------------------------===//
// gpt.sinusoids
//===----------------------------------------------------------------------===//

LogicalResult SinusoidsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success(succeeded(requireModel(*this)));
}

LogicalResult SinusoidsOp::verify() {
  auto isPositive = [](double x) { return x > 0; };
  if (failed(
          verifyNumber(*this, "theta", getTheta(), isPositive, "positive")) ||
      failed(verifyNumber(*this, "steps", getSteps(), isPositive, "positive")))
    return failure();
  const int64_t columns = getInput().getType().getDimSize(1);
  if (ShapedType::isDynamic(columns) || columns % 2 == 0)
    return success();
  return emitOpError("expected an even number of features, half of them for "
                     "sines, found ")
         << columns;
}

FailureOr<SmallVector<double>> SinusoidsOp::getFrequencies() {
  FailureOr<double> theta = getNumber(*this, getTheta(), "theta");
  FailureOr<double> steps = getNumber(*this, getSteps(), "steps");
  if (failed(theta) || failed(steps))
    return failure();
  SmallVector<double> frequencies;
  for (int64_t i = 0; i < getInput().getType().getDimSize(1) / 2; ++i)
    frequencies.push_back(std::pow(*theta, -double(i) / *steps));
  return frequencies;
}

FailureOr<int64_t> SinusoidsOp::getFirstPosition() {
  if (!getFirst())
    return 0;
  return getInteger(*this, *getFirst(), "first");
}
