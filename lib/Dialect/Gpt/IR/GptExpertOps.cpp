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

//===----------------------------------------------------------------------===//
// gpt.experts
//===----------------------------------------------------------------------===//

FailureOr<int64_t> ExpertsOp::getExpertCount() {
  return getCount(*this, getExperts(), "the number of experts");
}

FailureOr<int64_t> ExpertsOp::getInnerCount() {
  return getCount(*this, getInner(), "the number of inner features");
}

/// The weights `names` of expert after expert, joined.
static std::string joinExperts(ArrayRef<StringRef> names, int64_t count) {
  std::string joined;
  for (int64_t expert = 0; expert < count; ++expert)
    for (StringRef name : names) {
      auto [before, behind] = name.split(expertPlaceholder);
      joined += (Twine(joined.empty() ? "" : "+") + before + Twine(expert) +
                 behind + ".weight")
                    .str();
    }
  return joined;
}

std::string ExpertsOp::getJoinedUnits(int64_t count) {
  std::string joined = joinExperts({getGate(), getUp()}, count);
  if (!getShard())
    return joined;
  return partName(joined, "rows " + std::to_string(2 * count) + "x" +
                              getShard()->str());
}

std::string ExpertsOp::getJoinedDown(int64_t count) {
  std::string joined = joinExperts(getDown(), count);
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
  for (StringRef name : {getGate(), getUp(), getDown()}) {
    auto [before, behind] = name.split(expertPlaceholder);
    if (before.size() == name.size() || behind.contains(expertPlaceholder))
      return emitOpError("expected {e}, the number of the expert, once in \"")
             << name << '"';
    if (failed(verifyName(*this, (before + "0" + behind).str())))
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
