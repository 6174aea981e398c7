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

LogicalResult RouteOp::verify() {
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

std::string ExpertsOp::getJoinedUnits(int64_t count) {
  std::string joined =
      joinExperts(getWeights().getValue().drop_back(), arePacked() ? 1 : count);
  if (!getShard())
    return joined;
  return partName(joined, "rows " + std::to_string(2 * count) + "x" +
                              getShard()->str());
}

std::string ExpertsOp::getJoinedDown(int64_t count) {
  std::string joined =
      joinExperts(getWeights().getValue().take_back(), arePacked() ? 1 : count);
  return getShard() ? partName(joined, "columns " + getShard()->str()) : joined;
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
