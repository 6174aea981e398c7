// Ops on heads of queries, keys and values: infers result types from the sizes
// of the enclosing model, and verifies the ops.
#include "OpChecks.h"
#include "TileGPT/Dialect/Gpt/IR/Rotary.h"

using namespace mlir;
using namespace tilegpt::gpt;
using namespace tilegpt::gpt::detail;

/// Checks that columns hold heads of queries, of keys and of values.
static LogicalResult verifyHeads(Operation *op, StringRef operand, Type type) {
  FailureOr<ModelOp> model = requireModel(op);
  if (failed(model))
    return failure();
  return verifyAxis(op, operand, type, 1, getHeadColumns(*model),
                    "(heads + 2 * kv_heads) * head_dim of the model");
}

/// The input's type with the columns that hold all heads.
static LogicalResult inferHeads(Operation *op, Value input,
                                SmallVectorImpl<Type> &types) {
  FailureOr<ModelOp> model = requireModel(op);
  if (failed(model))
    return failure();
  types.push_back(activations(input, getHeadColumns(*model)));
  return success();
}

int64_t tilegpt::gpt::getHeadColumns(ModelOp model) {
  return (int64_t(model.getHeads()) + 2 * model.getKvHeadCount()) *
         model.getHeadWidth();
}

LogicalResult HeadNormOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferHeads(*this, getInput(), types);
}

LogicalResult HeadLayerNormOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferHeads(*this, getInput(), types);
}

LogicalResult QkNormOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferHeads(*this, getInput(), types);
}

LogicalResult RotaryOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferHeads(*this, getInput(), types);
}

LogicalResult AttentionOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<ModelOp> model = requireModel(*this);
  if (failed(model))
    return failure();
  types.push_back(activations(getQkv(), int64_t(model->getHeads()) *
                                            model->getHeadWidth()));
  return success();
}

LogicalResult HeadNormOp::verify() {
  if (failed(verifyName(*this, getQueries())) ||
      failed(verifyName(*this, getKeys())))
    return failure();
  return verifyHeads(*this, "input", getInput().getType());
}

FailureOr<bool> HeadLayerNormOp::hasBias() {
  return isBiased(*this, getBias());
}

bool HeadLayerNormOp::hasOwnWeights() {
  return getPerHead() || getQueries().contains(headPlaceholder);
}

std::string HeadLayerNormOp::getJoined(StringRef suffix) {
  ModelOp model = getModel(*this);
  SmallVector<std::string> names;
  auto append = [&](StringRef name, int64_t heads) {
    auto [before, behind] = name.split(headPlaceholder);
    const bool isNumbered = before.size() != name.size();
    for (int64_t head = 0, count = getPerHead() ? 1 : heads; head < count;
         ++head)
      names.push_back((Twine(before) +
                       (isNumbered ? std::to_string(head) : "") + behind +
                       suffix)
                          .str());
  };
  append(getQueries(), int64_t(model.getHeads()));
  append(getKeys(), model.getKvHeadCount());
  return llvm::join(names, "+");
}

LogicalResult HeadLayerNormOp::verify() {
  for (StringRef name : {getQueries(), getKeys()}) {
    auto [before, behind] = name.split(headPlaceholder);
    const bool isNumbered = before.size() != name.size();
    if (isNumbered && getPerHead())
      return emitOpError("expected the name of a tensor for all heads with "
                         "per_head, found {h} in \"")
             << name << '"';
    if (isNumbered != getQueries().contains(headPlaceholder) ||
        behind.contains(headPlaceholder))
      return emitOpError("expected {h}, the number of the head, once in both "
                         "names or in neither, found \"")
             << name << '"';
    if (failed(verifyName(*this,
                          (before + (isNumbered ? "0" : "") + behind).str())))
      return failure();
  }
  return verifyHeads(*this, "input", getInput().getType());
}

LogicalResult QkNormOp::verify() {
  if (failed(verifyName(*this, getQueries())) ||
      failed(verifyName(*this, getKeys())))
    return failure();
  return verifyHeads(*this, "input", getInput().getType());
}

LogicalResult RotaryOp::verify() {
  if (failed(verifyHeads(*this, "input", getInput().getType())) ||
      failed(verifyNumber(
          *this, "theta", getTheta(), [](double x) { return x > 1; },
          "above 1")))
    return failure();
  int64_t width = getModel(*this).getHeadWidth();
  auto isCount = [&](double x) {
    return x >= 0 && x <= double(width) && std::fmod(x, 2) == 0;
  };
  std::string count =
      "an even number from 0 to head_dim (" + std::to_string(width) + ")";
  return verifyNumber(*this, "features", getFeatures(), isCount, count);
}

FailureOr<SmallVector<double>> AttentionOp::getSlopes(Layer layer) {
  double exponent = 0, scale = 1;
  if (getAlibi()) {
    FailureOr<double> given = getNumber(*this, *getAlibi(), "alibi", layer);
    if (failed(given))
      return failure();
    exponent = *given;
  }
  if (getAlibiScale()) {
    FailureOr<double> given =
        getNumber(*this, *getAlibiScale(), "alibi_scale", layer);
    if (failed(given))
      return failure();
    scale = *given;
  }
  SmallVector<double> slopes;
  if (exponent == 0)
    return slopes;
  int64_t heads = getModel(*this).getHeads();
  if (getShard())
    if (auto shard = bundle::WeightShard::parse(*getShard()))
      heads = shard->wholeSize();
  const auto first = int64_t(llvm::bit_floor(uint64_t(heads)));
  for (int64_t h = 0; h < heads; ++h) {
    const double share = h < first
                             ? double(h + 1) / double(first)
                             : double(2 * (h - first) + 1) / double(2 * first);
    slopes.push_back(scale * std::exp2(-exponent * share));
  }
  return slopes;
}

std::string AttentionOp::getFirstSlopeName() {
  using bundle::WeightShard;
  std::optional<WeightShard> shard =
      getShard() ? WeightShard::parse(*getShard()) : std::nullopt;
  if (!shard)
    return "";
  shard->axis = WeightShard::Axis::Begin;
  return bundle::shardedName("slopes", shard->format());
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyName(*this, getCache())))
    return failure();
  if ((*this)->getParentOfType<LayersOp>() &&
      !getCache().contains(layerPlaceholder))
    return emitOpError("expected a cache of its own for every layer, found \"")
           << getCache() << "\" for all; put {l} into the name";
  auto isWindow = [](double x) { return x >= 0 && x == std::floor(x); };
  auto isPositive = [](double x) { return x > 0; };
  if (failed(verifyNumber(*this, "window", getWindow(), isWindow,
                          "a number of tokens, or 0 for all")) ||
      failed(
          verifyNumber(*this, "scale", getScale(), isPositive, "positive")) ||
      failed(verifyCap(*this, "softcap", getSoftcap())) ||
      failed(verifyCap(*this, "alibi", getAlibi())) ||
      failed(verifyNumber(*this, "alibi_scale", getAlibiScale(), isPositive,
                          "positive")) ||
      failed(verifyShard(*this, getShard(), bundle::WeightShard::Axis::Rows)))
    return failure();
  if (getAlibi() && (getWindow() || getSoftcap()))
    return emitOpError("expected neither a window nor a softcap with alibi");
  if (getAlibiScale() && !getAlibi())
    return emitOpError("has alibi_scale, but no alibi");
  return verifyHeads(*this, "qkv", getQkv().getType());
}
