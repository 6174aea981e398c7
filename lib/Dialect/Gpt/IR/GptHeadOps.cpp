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

LogicalResult LatentHeadsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferHeads(*this, getQueries(), types);
}

FailureOr<ColumnsOp::Groups> ColumnsOp::getGroupColumns(Layer layer) {
  auto read = [&](std::optional<Attribute> value, StringRef name,
                  int64_t usual) -> FailureOr<int64_t> {
    return value ? getInteger(*this, *value, name, layer)
                 : FailureOr<int64_t>(usual);
  };
  FailureOr<int64_t> count = read(getGroups(), "groups", 1);
  FailureOr<int64_t> first = read(getFirst(), "from", 0);
  FailureOr<int64_t> features = read(getFeatures(), "the number of columns", 1);
  if (failed(count) || failed(first) || failed(features))
    return failure();
  const int64_t columns = getInput().getType().getDimSize(1);
  const bool isKnown = !ShapedType::isDynamic(columns);
  if (*count < 1 || (isKnown && columns % *count != 0))
    return emitOpError("expected a number of groups that divides ")
           << columns << " columns, found " << *count;
  if (*first < 0 || *features < 1 ||
      (isKnown && *first + *features > columns / *count))
    return emitOpError("expected columns within a group of ")
           << (isKnown ? columns / *count : columns) << ", found " << *features
           << " from " << *first << " on";
  return Groups{*count, *first, *features};
}

LogicalResult ColumnsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<ModelOp> model = requireModel(*this);
  if (failed(model))
    return failure();
  FailureOr<Groups> groups = getGroupColumns();
  if (failed(groups))
    return failure();
  types.push_back(activations(getInput(), groups->count * groups->features));
  return success();
}

LogicalResult AttentionOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<ModelOp> model = requireModel(*this);
  if (failed(model))
    return failure();
  types.push_back(activations(getQkv(), int64_t(model->getHeads()) *
                                            model->getHeadWidth()));
  return success();
}

bool tilegpt::gpt::ownsCache(Operation *op) {
  return isa<AttentionOp, ShortConvOp>(op);
}

/// Checks that every layer has a cache for itself.
static LogicalResult verifyCache(Operation *op, StringRef cache) {
  if (failed(verifyName(op, cache)))
    return failure();
  if (op->getParentOfType<LayersOp>() && !cache.contains(layerPlaceholder))
    return op->emitOpError(
               "expected a cache of its own for every layer, found \"")
           << cache << "\" for all; put {l} into the name";
  return success();
}

FailureOr<int64_t> ShortConvOp::getTapCount() {
  return getCount(*this, getTaps(), "the number of taps");
}

FailureOr<bool> ShortConvOp::hasBias() { return isBiased(*this, getBias()); }

LogicalResult ShortConvOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireModel(*this)) || failed(getTapCount()))
    return failure();
  const int64_t columns = getInput().getType().getDimSize(1);
  types.push_back(activations(
      getInput(), ShapedType::isDynamic(columns) ? columns : columns / 3));
  return success();
}

LogicalResult ShortConvOp::verify() {
  const int64_t columns = getInput().getType().getDimSize(1);
  if (!ShapedType::isDynamic(columns) && columns % 3 != 0)
    return emitOpError("expected three times as many columns as channels, "
                       "found ")
           << columns;
  return failure(failed(verifyName(*this, getWeights())) ||
                 failed(verifyCache(*this, getCache())));
}

LogicalResult HeadNormOp::verify() {
  for (std::optional<StringRef> name : {getQueries(), getKeys()})
    if (name && failed(verifyName(*this, *name)))
      return failure();
  if (!getQueries() && getOffset())
    return emitOpError("has no weights, so it takes no offset");
  return verifyHeads(*this, "input", getInput().getType());
}

FailureOr<bool> HeadLayerNormOp::hasBias() {
  return isBiased(*this, getBias());
}

bool HeadLayerNormOp::hasOwnWeights() {
  return getPerHead() || getQueries().contains(headPlaceholder);
}

namespace {

/// A name of weights with or without the number of a head.
struct HeadName {
  explicit HeadName(StringRef name) {
    std::tie(before, behind) = name.split(headPlaceholder);
    isNumbered = before.size() != name.size();
  }
  std::string of(int64_t head) const {
    return (before + (isNumbered ? Twine(head) : Twine()) + behind).str();
  }

  StringRef before, behind;
  bool isNumbered;
};

} // namespace

/// The heads of queries and of keys that weights are of: those of all ranks, if
/// each reads a part.
static std::pair<int64_t, int64_t> headsOfWeights(HeadLayerNormOp op) {
  if (op.getShard())
    if (auto shard = tilegpt::bundle::WeightShard::parse(*op.getShard())) {
      const tilegpt::bundle::WeightShard::Group &first = shard->groups.front();
      const int64_t queries = first.units * first.unit;
      return {queries, shard->wholeSize() - queries};
    }
  ModelOp model = getModel(op);
  return {int64_t(model.getHeads()), model.getKvHeadCount()};
}

std::string HeadLayerNormOp::getJoined(StringRef suffix) {
  SmallVector<std::string> names;
  auto append = [&](StringRef text, int64_t heads) {
    const HeadName name(text);
    for (int64_t head = 0, count = getPerHead() ? 1 : heads; head < count;
         ++head)
      names.push_back(name.of(head) + suffix.str());
  };
  const auto [queries, keys] = headsOfWeights(*this);
  append(getQueries(), queries);
  append(getKeys(), keys);
  const std::string joined = llvm::join(names, "+");
  return getShard() ? bundle::shardedName(joined, *getShard()) : joined;
}

LogicalResult HeadLayerNormOp::verify() {
  for (StringRef text : {getQueries(), getKeys()}) {
    const HeadName name(text);
    if (name.isNumbered && getPerHead())
      return emitOpError("expected the name of a tensor for all heads with "
                         "per_head, found {h} in \"")
             << text << '"';
    if (name.isNumbered != HeadName(getQueries()).isNumbered ||
        name.behind.contains(headPlaceholder))
      return emitOpError("expected {h}, the number of the head, once in both "
                         "names or in neither, found \"")
             << text << '"';
    if (failed(verifyName(*this, name.of(0))))
      return failure();
  }
  if (failed(verifyShard(*this, getShard(), bundle::WeightShard::Axis::Rows)))
    return failure();
  return verifyHeads(*this, "input", getInput().getType());
}

LogicalResult QkNormOp::verify() {
  if (failed(verifyName(*this, getQueries())) ||
      failed(verifyName(*this, getKeys())))
    return failure();
  return verifyHeads(*this, "input", getInput().getType());
}

FailureOr<SmallVector<int64_t>> LatentHeadsOp::getOrder(Layer layer) {
  int64_t interleaved = 0;
  if (getInterleaved()) {
    FailureOr<int64_t> given =
        getInteger(*this, *getInterleaved(), "interleaved", layer);
    if (failed(given))
      return failure();
    if (*given != 0 && *given != 1)
      return emitOpError("expected interleaved to be 0 or 1, found ") << *given;
    interleaved = *given;
  }
  const int64_t turned = getTurned().getType().getDimSize(1);
  const int64_t other = getModel(*this).getHeadWidth() - turned;
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < turned; ++i) {
    const int64_t half = turned / 2;
    const int64_t paired = i < half ? 2 * i : 2 * (i - half) + 1;
    order.push_back(other + (interleaved ? paired : i));
  }
  for (int64_t i = 0; i < other; ++i)
    order.push_back(i);
  return order;
}

LogicalResult LatentHeadsOp::verify() {
  FailureOr<ModelOp> model = requireModel(*this);
  if (failed(model))
    return failure();
  const int64_t heads = model->getHeads(), width = model->getHeadWidth();
  if (model->getKvHeadCount() != heads)
    return emitOpError("expected as many heads of keys as of queries (")
           << heads << "), found " << model->getKvHeadCount();
  if (failed(verifyAxis(*this, "queries", getQueries().getType(), 1,
                        heads * width, "heads * head_dim of the model")))
    return failure();
  auto isFlag = [](double x) { return x == 0 || x == 1; };
  if (failed(verifyNumber(*this, "interleaved", getInterleaved(), isFlag,
                          "0 or 1")))
    return failure();
  const int64_t turned = getTurned().getType().getDimSize(1);
  const int64_t latent = getLatent().getType().getDimSize(1);
  if (ShapedType::isDynamic(turned) || ShapedType::isDynamic(latent))
    return success();
  if (turned % 2 != 0 || turned == 0 || turned >= width)
    return emitOpError("expected an even number of features below head_dim (")
           << width << ") to turn, found " << turned;
  const int64_t values = latent / heads - (width - turned);
  if (latent % heads == 0 && values >= 1 && values <= width)
    return success();
  return emitOpError("expected latent to have ")
         << width - turned << " features of a key and from 1 to " << width
         << " of a value for each of " << heads << " heads, found " << latent
         << " columns";
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

std::string AttentionOp::getSinksName() {
  return getShard() ? bundle::shardedName(*getSinks(), *getShard())
                    : getSinks()->str();
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyCache(*this, getCache())))
    return failure();
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
  if (getSinks() && (getAlibi() || getSoftcap()))
    return emitOpError("expected neither alibi nor a softcap with sinks");
  if (getSinks() && failed(verifyName(*this, *getSinks())))
    return failure();
  if (getAlibiScale() && !getAlibi())
    return emitOpError("has alibi_scale, but no alibi");
  return verifyHeads(*this, "qkv", getQkv().getType());
}
