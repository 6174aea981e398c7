// The ops of feed-forward blocks of which each row takes a few: their result
// types, the weights they name and their checks.
#include "OpChecks.h"

using namespace mlir;
using namespace tilegpt::gpt;
using namespace tilegpt::gpt::detail;

//===----------------------------------------------------------------------===//
// gpt.route
//===----------------------------------------------------------------------===//

LogicalResult RouteOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireModel(*this)))
    return failure();
  FailureOr<int64_t> top = getCount(*this, getTop(), "the number of experts");
  if (failed(top))
    return failure();
  int64_t experts = getLogits().getType().getDimSize(1);
  if (!ShapedType::isDynamic(experts) && *top > experts)
    return emitOpError("expected to choose among at least ")
           << *top << " experts, found logits of " << experts;
  auto shares = cast<RankedTensorType>(activations(getLogits(), *top));
  types.push_back(RankedTensorType::get(shares.getShape(),
                                        IntegerType::get(getContext(), 32)));
  types.push_back(shares);
  return success();
}

FailureOr<std::pair<int64_t, int64_t>> RouteOp::getGroupCounts(Layer layer) {
  std::pair<int64_t, int64_t> counts = {1, 1};
  if (!getGroups())
    return counts;
  FailureOr<int64_t> all = getInteger(*this, *getGroups(), "groups", layer);
  FailureOr<int64_t> chosen =
      getInteger(*this, *getChosenGroups(), "groups", layer);
  if (failed(all) || failed(chosen))
    return failure();
  if (*all < 1 || *chosen < 1 || *chosen > *all)
    return emitOpError("expected to choose 1 or more of the groups, found ")
           << *chosen << " of " << *all;
  FailureOr<int64_t> top = getInteger(*this, getTop(), "top", layer);
  if (failed(top))
    return failure();
  const int64_t experts = getLogits().getType().getDimSize(1);
  const int64_t least = getBias() && *all > 1 ? 2 : 1;
  if (!ShapedType::isDynamic(experts) &&
      (experts % *all != 0 || experts / *all < least))
    return emitOpError("expected ")
           << *all << " groups of " << least << " experts or more, found "
           << experts << " experts";
  if (!ShapedType::isDynamic(experts) && *chosen * (experts / *all) < *top)
    return emitOpError("expected to choose among at least ")
           << *top << " experts, found " << *chosen * (experts / *all)
           << " in the chosen groups";
  return std::pair(*all, *chosen);
}

LogicalResult RouteOp::verify() {
  auto isLiteral = [](std::optional<Attribute> value) {
    return value && isa<IntegerAttr>(*value);
  };
  if (isLiteral(getGroups()) && isLiteral(getChosenGroups()) &&
      failed(getGroupCounts()))
    return failure();
  if (getMargin() && (getNormalize() || getSigmoid() || getBias() ||
                      getScale() || getGroups()))
    return emitOpError("has a margin, which excludes normalize, sigmoid, bias, "
                       "scale and groups");
  auto isShare = [](double margin) { return margin >= 0; };
  if (failed(verifyNumber(*this, "margin", getMargin(), isShare, "0 or more")))
    return failure();
  return getBias() ? verifyName(*this, *getBias()) : success();
}

//===----------------------------------------------------------------------===//
// gpt.experts
//===----------------------------------------------------------------------===//

FailureOr<int64_t> ExpertsOp::getExpertCount() {
  return getCount(*this, getExperts(), "the number of experts");
}

FailureOr<int64_t> ExpertsOp::getInnerCount() {
  return getCount(*this, getInner(), "the number of inner features");
}

/// The weights `names` of expert after expert, joined; packed names stand for
/// all experts.
static std::string joinExperts(ArrayRef<Attribute> names, int64_t count) {
  std::string joined;
  for (int64_t expert = 0; expert < count; ++expert)
    for (Attribute name : names) {
      StringRef text = cast<StringAttr>(name).getValue();
      auto [before, behind] = text.split(expertPlaceholder);
      std::string number =
          before.size() == text.size() ? "" : std::to_string(expert);
      joined += (Twine(joined.empty() ? "" : "+") + before + number + behind +
                 ".weight")
                    .str();
    }
  return joined;
}

/// The rows of hidden units that a rank has, of the gates and of the values of
/// every expert.
static std::string unitRows(ExpertsOp op, int64_t count) {
  return "rows " + std::to_string(2 * count) + "x" + op.getShard()->str();
}

std::string ExpertsOp::getJoinedUnits(int64_t count) {
  std::string joined =
      joinExperts(getWeights().getValue().drop_back(), arePacked() ? 1 : count);
  return getShard() ? partName(joined, unitRows(*this, count)) : joined;
}

std::string ExpertsOp::getJoinedDown(int64_t count) {
  std::string joined =
      joinExperts(getWeights().getValue().take_back(), arePacked() ? 1 : count);
  return getShard() ? partName(joined, "columns " + getShard()->str()) : joined;
}

std::string ExpertsOp::getUnitsBiasName(int64_t count) {
  return getShard() ? partName(*getUnitsBias(), unitRows(*this, count))
                    : getUnitsBias()->str();
}

std::string ExpertsOp::getDownBiasName() {
  return getShard() ? partName(*getDownBias(), "first") : getDownBias()->str();
}

LogicalResult ExpertsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireModel(*this)) || failed(getExpertCount()) ||
      failed(getInnerCount()))
    return failure();
  types.push_back(getInput().getType());
  return success();
}

LogicalResult ExpertsOp::verify() {
  if (getWeights().size() != 2 && getWeights().size() != 3)
    return emitOpError("expected the names of gate, up and down weights of "
                       "each expert, or of packed units and down weights, "
                       "found ")
           << getWeights().size() << " names";
  for (StringRef name : getWeights().getAsValueRange<StringAttr>()) {
    auto [before, behind] = name.split(expertPlaceholder);
    bool hasPlaceholder = before.size() != name.size();
    if (arePacked() && hasPlaceholder)
      return emitOpError("expected names of packed weights, or gate, up and "
                         "down weights, found {e} in \"")
             << name << '"';
    if (!arePacked() && (!hasPlaceholder || behind.contains(expertPlaceholder)))
      return emitOpError("expected {e}, the number of the expert, once in \"")
             << name << '"';
    StringRef number = hasPlaceholder ? "0" : "";
    if (failed(verifyName(*this, (before + number + behind).str())))
      return failure();
  }
  if (getUnitsBias().has_value() != getLimit().has_value())
    return emitOpError("expected both biases and clamped, or neither");
  auto isPositive = [](double x) { return x > 0; };
  if (failed(
          verifyNumber(*this, "limit", getLimit(), isPositive, "positive")) ||
      failed(verifyNumber(*this, "slope", getSlope(), isPositive, "positive")))
    return failure();
  if (getUnitsBias())
    for (StringRef name : {*getUnitsBias(), *getDownBias()})
      if (failed(verifyName(*this, name)))
        return failure();
  if (getShard() && !bundle::WeightShard::parse("rows " + getShard()->str()))
    return emitOpError("expected a shard such as \"768/2\", found \"")
           << *getShard() << '"';
  if (getActivation() != Activation::Silu)
    return emitOpError("expected the activation silu, found ")
           << stringifyActivation(getActivation());
  if (succeeded(
          verifyCompatibleShape(getIds().getType(), getShares().getType())))
    return success();
  return emitOpError("expected the shares (")
         << getShares().getType() << ") to have the shape of the ids ("
         << getIds().getType() << ")";
}
