// The ops that compute: their result types, from the sizes of the model they
// stand in, and their checks.
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilegpt::gpt;

//===----------------------------------------------------------------------===//
// Checks the ops share
//===----------------------------------------------------------------------===//

/// The model `op` stands in; fails with an error on `op` when there is none.
static FailureOr<ModelOp> requireModel(Operation *op) {
  if (ModelOp model = getModel(op))
    return model;
  return op->emitOpError("expected to stand in a gpt.model, which says how "
                         "large the model is");
}

/// Checks a name of weights or of a cache: letters, digits, '.', '_' and '-',
/// and `{l}` within gpt.layers only.
static LogicalResult verifyName(Operation *op, StringRef name) {
  std::string plain = name.str();
  size_t at = plain.find(layerPlaceholder);
  bool perLayer = at != std::string::npos;
  for (; at != std::string::npos; at = plain.find(layerPlaceholder, at))
    plain.replace(at, layerPlaceholder.size(), "0");
  bool valid = !plain.empty() && llvm::all_of(plain, [](char c) {
    return llvm::isAlnum(c) || c == '.' || c == '_' || c == '-';
  });
  if (!valid)
    return op->emitOpError("expected a name of letters, digits, '.', '_', '-' "
                           "and {l}, found \"")
           << name << '"';
  if (perLayer && !op->getParentOfType<LayersOp>())
    return op->emitOpError("names \"")
           << name << "\" outside of gpt.layers, where {l} stands for nothing";
  return success();
}

/// Checks that an axis, where its size is known, is as large as the model says.
static LogicalResult verifyAxis(Operation *op, StringRef operand, Type type,
                                int64_t axis, int64_t expected,
                                StringRef meaning) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.isDynamicDim(axis) || tensor.getDimSize(axis) == expected)
    return success();
  return op->emitOpError("expected axis ")
         << axis << " of " << operand << " (" << type << ") to be " << expected
         << ", " << meaning;
}

/// An activation type [rows of `input`, columns].
static Type activations(Value rowsOf, int64_t columns) {
  auto type = cast<RankedTensorType>(rowsOf.getType());
  return RankedTensorType::get({type.getDimSize(0), columns},
                               Float32Type::get(type.getContext()));
}

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

FailureOr<int64_t> LinearOp::getFeatureCount() {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  FailureOr<int64_t> count =
      getInteger(*this, getFeatures(), "the number of features");
  if (succeeded(count) && (*count < 1 || *count > most))
    return emitOpError("expected a positive number of features, found ")
           << *count;
  return count;
}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

LogicalResult EmbedOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<ModelOp> model = requireModel(*this);
  if (failed(model))
    return failure();
  types.push_back(
      RankedTensorType::get({getIds().getType().getDimSize(0),
                             static_cast<int64_t>(model->getWidth())},
                            Float32Type::get(getContext())));
  return success();
}

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
  types.push_back(activations(getInput(), *count));
  return success();
}

LogicalResult GeluOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

LogicalResult AttentionOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<ModelOp> model = requireModel(*this);
  if (failed(model))
    return failure();
  types.push_back(activations(getQkv(), model->getWidth()));
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
  types.push_back(activations(getInput(), model->getVocab()));
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

LogicalResult EmbedOp::verify() {
  if (failed(verifyName(*this, getTokens())))
    return failure();
  return verifyName(*this, getPositions());
}

LogicalResult LayerNormOp::verify() { return verifyName(*this, getWeights()); }

LogicalResult LinearOp::verify() {
  if (failed(verifyName(*this, getWeights())))
    return failure();
  if (!getResidual() ||
      succeeded(verifyCompatibleShape(getResidual().getType(), getType())))
    return success();
  return emitOpError("expected the residual (")
         << getResidual().getType() << ") to have the shape of the result ("
         << getType() << ")";
}

LogicalResult AttentionOp::verify() {
  ModelOp model = getModel(*this);
  if (failed(verifyName(*this, getCache())))
    return failure();
  if ((*this)->getParentOfType<LayersOp>() &&
      !getCache().contains(layerPlaceholder))
    return emitOpError("expected a cache of its own for every layer, found \"")
           << getCache() << "\" for all; put {l} into the name";
  return verifyAxis(*this, "qkv", getQkv().getType(), 1, 3 * model.getWidth(),
                    "3 * width of the model");
}

LogicalResult UnembedOp::verify() { return verifyName(*this, getWeights()); }

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
