// What each op of the gpt dialect launches, on what.
#include "LaunchBuilder.h"
#include "TileGPT/Conversion/GptToTile/Passes.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_GPTTOTILEPASS
#include "TileGPT/Conversion/GptToTile/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;
namespace tile = tilegpt::tile;

namespace {

/// The columns that gpt.sample deals the logits of a row out to.
constexpr int64_t sortedColumns = 256;

/// The columns of activations.
static int64_t columnsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getDimSize(1);
}

/// Lowers the ops of one function.
class Lowering {
public:
  /// \param logits  element type of what gpt.unembed gives.
  Lowering(ModelOp model, int64_t capacity, bool fuseLaunches, Type logits,
           LaunchBuilder &builder)
      : model(model), capacity(capacity), fuseLaunches(fuseLaunches),
        logits(logits), builder(builder) {}

  /// The results of the launches that stand for `op`.
  FailureOr<ValueRange> lower(Operation *op) {
    builder.startAt(op);
    return llvm::TypeSwitch<Operation *, FailureOr<ValueRange>>(op)
        .Case<EmbedOp, LayerNormOp, LinearOp, GeluOp, AttentionOp, LastRowsOp,
              UnembedOp, SampleOp>([&](auto op) { return lowerOp(op); })
        .Default([&](Operation *op) { return lowerElementwise(op); });
  }

private:
  Task task(Operation *op, ArrayRef<NamedAttribute> attributes = {}) {
    return {op->getName().getStringRef(),
            builder.attributes().getDictionaryAttr(attributes)};
  }

  NamedAttribute word(StringRef name, StringRef value) {
    return builder.attributes().getNamedAttr(
        name, builder.attributes().getStringAttr(value));
  }

  FailureOr<ValueRange> lowerOp(EmbedOp op) {
    int64_t width = model.getWidth();
    FailureOr<Value> tokens = builder.weight(
        op.getTokens() + ".weight", {int64_t(model.getVocab()), width});
    FailureOr<Value> positions = builder.weight(
        op.getPositions() + ".weight", {int64_t(model.getContext()), width});
    if (failed(tokens) || failed(positions))
      return failure();
    return builder.launch(task(op),
                          {op.getIds(), op.getPos(), *tokens, *positions},
                          builder.destination(op.getIds(), width), "embed");
  }

  FailureOr<ValueRange> lowerOp(LayerNormOp op) {
    if (fuseLaunches && leaveToReaders(op))
      return ValueRange(op->getOperands());
    SmallVector<Value> ins = {op.getInput()};
    if (failed(appendNorm(ins, op.getWeights(), columnsOf(op.getInput()))))
      return failure();
    return builder.launch(
        task(op), ins,
        builder.destination(op.getInput(), columnsOf(op.getInput())),
        op.getWeights());
  }

  /// Appends weight, bias and epsilon of a layer norm.
  LogicalResult appendNorm(SmallVectorImpl<Value> &ins, StringRef weights,
                           int64_t columns) {
    FailureOr<Value> gain = builder.weight(weights + ".weight", columns);
    FailureOr<Value> bias = builder.weight(weights + ".bias", columns);
    if (failed(gain) || failed(bias))
      return failure();
    Value eps = builder.constant(builder.attributes().getF32FloatAttr(
        static_cast<float>(model.getEps().convertToDouble())));
    ins.append({*gain, *bias, eps});
    return success();
  }

  /// What a linear layer asks of a kernel.
  Task linearTask(LinearOp op, bool isNormed) {
    SmallVector<NamedAttribute> attributes = {
        word("activation", stringifyActivation(op.getActivation()))};
    auto add = [&](StringRef name) {
      attributes.push_back(builder.attributes().getNamedAttr(
          name, builder.attributes().getUnitAttr()));
    };
    if (op.getResidual())
      add("residual");
    if (isNormed)
      add("norm");
    return task(op, attributes);
  }

  /// Leaves a norm to the linear layers that read it, when nobody else does
  /// and there are kernels for all of them.
  bool leaveToReaders(LayerNormOp norm) {
    bool areAble = llvm::all_of(norm->getUsers(), [&](Operation *user) {
      auto linear = dyn_cast<LinearOp>(user);
      return linear && linear.getResidual() != norm.getResult() &&
             builder.isAdmitted(linearTask(linear, true), norm.getInput());
    });
    if (areAble)
      for (Operation *user : norm->getUsers())
        normsOf[user] = norm.getWeightsAttr();
    return areAble;
  }

  FailureOr<ValueRange> lowerOp(LinearOp op) {
    int64_t columns = columnsOf(op.getResult());
    FailureOr<Value> weight = builder.weight(
        op.getWeights() + ".weight", {columns, columnsOf(op.getInput())});
    FailureOr<Value> bias = builder.weight(op.getWeights() + ".bias", columns);
    if (failed(weight) || failed(bias))
      return failure();
    SmallVector<Value> ins = {op.getInput(), *weight, *bias};
    if (op.getResidual())
      ins.push_back(op.getResidual());
    Value out = builder.destination(op.getInput(), columns);
    if (StringAttr norm = normsOf.lookup(op)) {
      if (failed(appendNorm(ins, norm, columnsOf(op.getInput()))))
        return failure();
      return builder.launch(linearTask(op, true), ins, out, op.getWeights());
    }
    Task fused = linearTask(op, false);
    bool isPlain = op.getActivation() == Activation::None && !op.getResidual();
    if (isPlain || builder.isImplemented(fused))
      return builder.launch(fused, ins, out, op.getWeights());
    return lowerUnfused(op, ArrayRef(ins).take_front(3), out);
  }

  /// One launch each for the product, the activation and the residual.
  FailureOr<ValueRange> lowerUnfused(LinearOp op, ValueRange ins, Value out) {
    Task plain =
        task(op, word("activation", stringifyActivation(Activation::None)));
    FailureOr<ValueRange> results =
        builder.launch(plain, ins, out, op.getWeights());
    if (succeeded(results) && op.getActivation() != Activation::None) {
      Approximation approximation = op.getActivation() == Activation::GeluTanh
                                        ? Approximation::Tanh
                                        : Approximation::None;
      results = launchGelu(results->front(), approximation);
    }
    if (succeeded(results) && op.getResidual()) {
      Task add = {arith::AddFOp::getOperationName(),
                  builder.attributes().getDictionaryAttr({})};
      results = builder.launch(
          add, {results->front(), op.getResidual()},
          builder.destination(op.getInput(), columnsOf(op.getResult())),
          op.getWeights() + ".residual");
    }
    return results;
  }

  FailureOr<ValueRange> launchGelu(Value input, Approximation approximation) {
    Task gelu = {GeluOp::getOperationName(),
                 builder.attributes().getDictionaryAttr(word(
                     "approximate", stringifyApproximation(approximation)))};
    return builder.launch(gelu, input,
                          builder.destination(input, columnsOf(input)), "gelu");
  }

  FailureOr<ValueRange> lowerOp(GeluOp op) {
    return launchGelu(op.getInput(), op.getApproximate());
  }

  FailureOr<ValueRange> lowerOp(AttentionOp op) {
    if (!caches.insert(op.getCache()).second)
      return op.emitOpError("extends the cache \"")
             << op.getCache()
             << "\", which another gpt.attention of the function extends too";
    int64_t shape[] = {int64_t(model.getHeads()), capacity,
                       model.getHeadWidth()};
    FailureOr<Value> keys = builder.state(op.getCache() + ".k", shape);
    FailureOr<Value> values = builder.state(op.getCache() + ".v", shape);
    if (failed(keys) || failed(values))
      return failure();
    Task whole = task(op, word("part", "whole"));
    if (fuseLaunches && builder.isAdmitted(whole, {op.getQkv(), op.getPos()})) {
      FailureOr<ValueRange> results = builder.launch(
          whole, {op.getQkv(), op.getPos()},
          {*keys, *values, builder.destination(op.getQkv(), model.getWidth())},
          op.getCache() + ".attention");
      if (failed(results))
        return failure();
      return results->take_back(1);
    }
    FailureOr<ValueRange> caches = builder.launch(
        task(op, word("part", "append")), {op.getQkv(), op.getPos()},
        {*keys, *values}, op.getCache() + ".kv_append");
    if (failed(caches))
      return failure();
    return builder.launch(
        task(op, word("part", "attend")),
        {op.getQkv(), (*caches)[0], (*caches)[1], op.getPos()},
        builder.destination(op.getQkv(), model.getWidth()),
        op.getCache() + ".attention");
  }

  FailureOr<ValueRange> lowerOp(LastRowsOp op) {
    return builder.launch(
        task(op), {op.getInput(), op.getPos()},
        builder.destination(op.getPos(), columnsOf(op.getInput())),
        "last_rows");
  }

  FailureOr<ValueRange> lowerOp(UnembedOp op) {
    int64_t vocab = model.getVocab();
    if (!logits.isF32() &&
        !llvm::all_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>))
      return op.emitOpError("expected its result to be returned and nothing "
                            "else, to give logits of ")
             << logits;
    FailureOr<Value> weight = builder.weight(op.getWeights() + ".weight",
                                             {vocab, columnsOf(op.getInput())});
    if (failed(weight))
      return failure();
    return builder.launch(task(op), {op.getInput(), *weight},
                          builder.destination(op.getInput(), vocab, logits),
                          op.getWeights());
  }

  FailureOr<ValueRange> lowerOp(SampleOp op) {
    int64_t entries = llvm::alignTo(columnsOf(op.getLogits()), sortedColumns);
    auto rows = [&](ArrayRef<int64_t> columns, Type element) {
      return builder.destination(op.getLogits(), columns, element);
    };
    Type ids = op.getType().getElementType();
    FailureOr<ValueRange> sorted = builder.launch(
        task(op, word("part", "order")), {op.getLogits()},
        {rows(entries, builder.attributes().getF32Type()), rows(entries, ids)},
        "sample.order");
    if (failed(sorted))
      return failure();
    return builder.launch(task(op, word("part", "draw")),
                          {(*sorted)[0], (*sorted)[1], op.getHow()},
                          rows({}, ids), "sample.draw");
  }

  FailureOr<ValueRange> lowerElementwise(Operation *op) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (op->getNumResults() != 1 || !isRows(type))
      return op->emitOpError(
          "expected f32 rows [N, C] as its one result, to launch a kernel for");
    return builder.launch(
        task(op), op->getOperands(),
        builder.destination(op->getOperand(0), type.getDimSize(1)),
        op->getName().stripDialect());
  }

  static bool isRows(RankedTensorType type) {
    return type && type.getRank() == 2 && type.getElementType().isF32();
  }

  ModelOp model;
  int64_t capacity;
  bool fuseLaunches;
  Type logits;
  LaunchBuilder &builder;
  llvm::StringSet<> caches;
  /// The norms that linear layers have taken over.
  llvm::DenseMap<Operation *, StringAttr> normsOf;
};

/// True for the ops that become launches.
static bool isLowered(Operation *op) {
  if (isa<EmbedOp, LayerNormOp, LinearOp, GeluOp, AttentionOp, LastRowsOp,
          UnembedOp, SampleOp>(op))
    return true;
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// Fails with an error on the first op whose columns are not known yet.
static LogicalResult checkStatic(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() == 2 && tensor.isDynamicDim(1))
      return op->emitOpError("expected static columns, found ")
             << type << "; run --gpt-configure first";
  }
  return success();
}

class GptToTile : public tilegpt::gpt::impl::GptToTilePassBase<GptToTile> {
public:
  using GptToTilePassBase::GptToTilePassBase;

  void runOnOperation() override {
    for (ModelOp model : getOperation().getOps<ModelOp>())
      if (failed(lowerModel(model)))
        return signalPassFailure();
    dropUnusedLibraryKernels();
  }

private:
  /// The element type that an option names.
  static FailureOr<Type> elementOf(ModelOp model, StringRef option,
                                   StringRef name) {
    MLIRContext *context = model->getContext();
    Type element = name == "f32"    ? Type(Float32Type::get(context))
                   : name == "bf16" ? Type(BFloat16Type::get(context))
                   : name == "f16"  ? Type(Float16Type::get(context))
                                    : Type();
    if (!element)
      return model.emitOpError("expected ")
             << option << " to be f32, bf16 or f16, found '" << name << "'";
    return element;
  }

  LogicalResult lowerModel(ModelOp model) {
    FailureOr<Type> matrices = elementOf(model, "weights", weights);
    FailureOr<Type> rows = elementOf(model, "activations", activations);
    FailureOr<Type> scores = elementOf(model, "logits", logits);
    if (failed(matrices) || failed(rows) || failed(scores))
      return failure();
    int64_t context = model.getContext();
    int64_t tokens = capacity == 0 ? context : capacity.getValue();
    if (tokens < 1 || tokens > context)
      return model.emitOpError("expected a capacity between 1 and the context "
                               "of the model (")
             << context << "), found " << tokens;

    KernelTable kernels(model);
    Globals globals(model);
    for (func::FuncOp function :
         llvm::to_vector(model.getBody().getOps<func::FuncOp>())) {
      LaunchBuilder builder(function, kernels, globals, *matrices, *rows);
      Type element =
          doesScore(function) ? *scores : Type(Float32Type::get(&getContext()));
      Lowering lowering(model, tokens, fuseLaunches, element, builder);
      if (failed(lowerFunction(function, lowering)))
        return failure();
      numLaunches += builder.numLaunches();
    }
    return success();
  }

  static bool doesScore(func::FuncOp function) {
    auto kind = function->getAttrOfType<StringAttr>(planKindAttr);
    return kind && kind == "score";
  }

  static LogicalResult lowerFunction(func::FuncOp function,
                                     Lowering &lowering) {
    SmallVector<Operation *> ops;
    WalkResult walk = function.walk([&](Operation *op) {
      if (isa<LayersOp>(op)) {
        op->emitOpError("expected layers to be written out; run "
                        "--gpt-unroll-layers first");
        return WalkResult::interrupt();
      }
      if (!isLowered(op))
        return WalkResult::advance();
      ops.push_back(op);
      return failed(checkStatic(op)) ? WalkResult::interrupt()
                                     : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    for (Operation *op : ops) {
      FailureOr<ValueRange> results = lowering.lower(op);
      if (failed(results))
        return failure();
      op->replaceAllUsesWith(*results);
      op->erase();
    }
    if (!function.isExternal())
      function.setType(FunctionType::get(
          function.getContext(), function.getArgumentTypes(),
          function.getBody().back().getTerminator()->getOperandTypes()));
    return success();
  }

  void dropUnusedLibraryKernels() {
    llvm::StringSet<> launched;
    getOperation().walk(
        [&](tile::LaunchOp launch) { launched.insert(launch.getKernel()); });
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>()))
      if (kernel->hasAttr(tile::libraryAttr) &&
          !launched.contains(kernel.getSymName()))
        kernel.erase();
  }
};

} // namespace
