// Ops that compute: infers result types from the sizes of the enclosing model,
// and verifies the ops.
#include "OpChecks.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilegpt::gpt;
using namespace tilegpt::gpt::detail;
using Axis = tilegpt::bundle::WeightShard::Axis;

//===----------------------------------------------------------------------===//
// Text forms
//===----------------------------------------------------------------------===//

/// Parses and prints the bare word of an enum, as in `approximate(none)`.
template <typename AttrT>
static ParseResult parseWord(OpAsmParser &parser, AttrT &attribute) {
  auto value = FieldParser<decltype(attribute.getValue())>::parse(parser);
  if (failed(value))
    return failure();
  attribute = AttrT::get(parser.getContext(), *value);
  return success();
}

template <typename AttrT>
static void printWord(OpAsmPrinter &printer, Operation *, AttrT attribute) {
  printer << stringifyEnum(attribute.getValue());
}

/// Parses and prints `"a", "b"`.
static ParseResult parseNames(OpAsmParser &parser, ArrayAttr &names) {
  SmallVector<Attribute> parsed;
  auto parseName = [&] {
    std::string name;
    if (parser.parseString(&name))
      return failure();
    parsed.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(parseName))
    return failure();
  names = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printNames(OpAsmPrinter &printer, Operation *, ArrayAttr names) {
  llvm::interleaveComma(names, printer);
}

FailureOr<bool> LinearOp::hasBias() { return isBiased(*this, getBias()); }

FailureOr<bool> LayerNormOp::hasBias() {
  return getWeights() ? isBiased(*this, getBias()) : false;
}

std::string LinearOp::getJoined(StringRef suffix) {
  return llvm::join(llvm::map_range(getWeights().getAsRange<StringAttr>(),
                                    [&](StringAttr name) {
                                      return (name.getValue() + suffix).str();
                                    }),
                    "+");
}

std::string LinearOp::getWeightName() {
  return partName(getJoined(".weight"), getShard());
}

std::string LinearOp::getBiasName() {
  std::optional<StringRef> shard = getShard();
  // Where inputs are split, results are summed up: one bias is enough.
  if (shard && bundle::WeightShard::parse(*shard)->axis == Axis::Columns)
    shard = "first";
  return partName(getJoined(".bias"), shard);
}

FailureOr<int64_t> LinearOp::getFeatureCount() {
  return getCount(*this, getFeatures(), "the number of features");
}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success(succeeded(requireModel(*this)));
}

LogicalResult LinearOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireModel(*this)))
    return failure();
  FailureOr<int64_t> count = getFeatureCount();
  if (failed(count))
    return failure();
  if (getGated() && *count % 2 != 0)
    return emitOpError("expected an even number of features for gates and "
                       "gated values, found ")
           << *count;
  types.push_back(activations(getInput(), getGated() ? *count / 2 : *count));
  return success();
}

LogicalResult RmsNormOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success(succeeded(requireModel(*this)));
}

LogicalResult GluOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  int64_t columns = getInput().getType().getDimSize(1);
  if (!ShapedType::isDynamic(columns) && columns % 2 != 0)
    return emitOpError("expected an even number of columns for gates and "
                       "gated values, found ")
           << columns;
  types.push_back(activations(getInput(), ShapedType::isDynamic(columns)
                                              ? ShapedType::kDynamic
                                              : columns / 2));
  return success();
}

LogicalResult GeluOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

LogicalResult ReluOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

LogicalResult XieluOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

LogicalResult XieluOp::verify() { return verifyName(*this, getWeights()); }

LogicalResult SoftcapOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

LogicalResult ClampOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

LogicalResult ScaleOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

LogicalResult GateOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

LogicalResult SelectOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getLhs().getType());
  return success();
}

LogicalResult LastRowsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(RankedTensorType::get(
      {getPos().getType().getDimSize(0), getInput().getType().getDimSize(1)},
      Float32Type::get(getContext())));
  return success();
}

LogicalResult UnembedOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<ModelOp> model = requireModel(*this);
  if (failed(model))
    return failure();
  FailureOr<int64_t> rows =
      getPartSize(*this, getShard(), int64_t(model->getVocab()));
  if (failed(rows))
    return failure();
  types.push_back(activations(getInput(), *rows));
  return success();
}

LogicalResult SampleOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(RankedTensorType::get({getLogits().getType().getDimSize(0)},
                                        IntegerType::get(getContext(), 32)));
  return success();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

FailureOr<double> RmsNormOp::getEpsilon() {
  if (getEps())
    return getNumber(*this, *getEps(), "eps");
  return getModel(*this).getEps().convertToDouble();
}

LogicalResult RmsNormOp::verify() {
  auto isPositive = [](double x) { return x > 0; };
  if (failed(verifyNumber(*this, "eps", getEps(), isPositive, "positive")))
    return failure();
  if (getWeights())
    return verifyName(*this, *getWeights());
  return getOffset() ? emitOpError("has no weights, so it takes no offset")
                     : LogicalResult(success());
}

LogicalResult GluOp::verify() {
  if (getActivation() == Activation::Silu ||
      getActivation() == Activation::GeluTanh)
    return success();
  return emitOpError("expected the activation silu or gelu_tanh, found ")
         << stringifyActivation(getActivation());
}

LogicalResult LayerNormOp::verify() {
  if (getWeights())
    return verifyName(*this, *getWeights());
  if (getOffset() || getBias())
    return emitOpError("has no weights, so it takes neither an offset nor a "
                       "bias");
  return success();
}

LogicalResult LinearOp::verify() {
  if (getWeights().empty())
    return emitOpError("expected the name of a weight");
  for (StringAttr name : getWeights().getAsRange<StringAttr>())
    if (failed(verifyName(*this, name)))
      return failure();
  if (getActivation() == Activation::Silu && !getGated())
    return emitOpError("has the activation silu, which is for gated layers");
  if (failed(verifyShard(*this, getShard())))
    return failure();
  if (getShard() && getResidual())
    return emitOpError("is sharded and has a residual; add it after the sum "
                       "over all ranks");
  if (getGated() && getResidual())
    return emitOpError("is gated and has a residual; add it after the layer");
  auto bias = dyn_cast_or_null<IntegerAttr>(getBias().value_or(Attribute()));
  if (getGated() && (!bias || bias.getInt() != 0))
    return emitOpError("is gated and may have a bias; write bias(0)");
  if (getGated() && getActivation() != Activation::Silu &&
      getActivation() != Activation::GeluTanh)
    return emitOpError("expected gates with the activation silu or gelu_tanh, "
                       "found ")
           << stringifyActivation(getActivation());
  if (!getResidual() ||
      succeeded(verifyCompatibleShape(getResidual().getType(), getType())))
    return success();
  return emitOpError("expected the residual (")
         << getResidual().getType() << ") to have the shape of the result ("
         << getType() << ")";
}

LogicalResult ClampOp::verify() {
  return verifyCap(*this, "limit", getLimit());
}

LogicalResult SoftcapOp::verify() { return verifyCap(*this, "cap", getCap()); }

LogicalResult GateOp::verify() {
  if (getLinear() || !hasGatesOfFeatures())
    return verifyAxis(*this, "logits", getLogits().getType(), 1, 1,
                      "one for each row");
  const int64_t features = getInput().getType().getDimSize(1);
  const int64_t gates = getLogits().getType().getDimSize(1);
  if (ShapedType::isDynamic(features) || ShapedType::isDynamic(gates) ||
      features == gates)
    return success();
  return emitOpError("expected logits for each row, 1, or for each feature, ")
         << features << ", found " << gates;
}

LogicalResult UnembedOp::verify() {
  if (failed(verifyName(*this, getWeights())))
    return failure();
  return verifyShard(*this, getShard(), Axis::Rows);
}

LogicalResult SampleOp::verify() {
  if (failed(verifyAxis(*this, "how", getHow().getType(), 1, sampleValues,
                        "temperature, k, p, log min-p and u")))
    return failure();
  int64_t rows = getLogits().getType().getDimSize(0);
  return ShapedType::isDynamic(rows)
             ? success()
             : verifyAxis(*this, "how", getHow().getType(), 0, rows,
                          "a row for each of the logits");
}

void GptDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "TileGPT/Dialect/Gpt/IR/GptOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "TileGPT/Dialect/Gpt/IR/GptOps.cpp.inc"
