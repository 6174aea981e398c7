// Lowers each op of the gpt dialect to launches.
#include "AttentionLaunches.h"
#include "ExpertLaunches.h"
#include "LayerLaunches.h"
#include "TileGPT/Conversion/GptToTile/Passes.h"
#include "TileGPT/Dialect/Gpt/IR/Rotary.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_GPTTOTILEPASS
#include "TileGPT/Conversion/GptToTile/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;
namespace tile = tilegpt::tile;

namespace {

/// The number of columns that gpt.sample deals the logits of a row to.
constexpr int64_t sortedColumns = 256;

/// Lowers the ops of one function.
class Lowering {
public:
  /// \param logits  element type of what gpt.unembed gives.
  Lowering(ModelOp model, int64_t capacity, Type logits, LaunchBuilder &builder)
      : model(model), logits(logits), builder(builder), layers(model, builder),
        attention(model, capacity, builder), experts(builder) {}

  /// The results of the launches that replace `op`.
  FailureOr<ValueRange> lower(Operation *op) {
    builder.startAt(op);
    return llvm::TypeSwitch<Operation *, FailureOr<ValueRange>>(op)
        .Case<EmbedOp, LastRowsOp, UnembedOp, SampleOp, AllReduceOp,
              AllGatherOp>([&](auto op) { return lowerOp(op); })
        .Case<PositionsOp, SinusoidsOp, LayerNormOp, RmsNormOp, LinearOp,
              GeluOp, ReluOp, XieluOp, GluOp, SoftcapOp, ClampOp, ScaleOp,
              GateOp>([&](auto op) { return layers.lower(op); })
        .Case<RouteOp, ExpertsOp>([&](auto op) { return experts.lower(op); })
        .Case<HeadNormOp, HeadLayerNormOp, QkNormOp, LatentHeadsOp, ColumnsOp,
              RotaryOp, AttentionOp, ShortConvOp>(
            [&](auto op) { return attention.lower(op); })
        .Default([&](Operation *op) { return lowerElementwise(op); });
  }

private:
  /// A table and the index of the first row that a rank has of it.
  struct Table {
    Value rows, begin;
  };

  FailureOr<Table> tableOf(EmbedOp op, const EmbedOp::Table &table) {
    FailureOr<Value> rows =
        builder.weight(table.weight, {table.rows, columnsOf(op.getResult())});
    if (failed(rows))
      return failure();
    Type number = builder.attributes().getI32Type();
    if (table.begin.empty())
      return Table{*rows, builder.emptyVector(number)};
    FailureOr<Value> begin = builder.weight(table.begin, {1}, number);
    if (failed(begin))
      return failure();
    return Table{*rows, *begin};
  }

  FailureOr<ValueRange> lowerOp(EmbedOp op) {
    FailureOr<Table> tokens = tableOf(op, op.getTokenTable());
    if (failed(tokens))
      return failure();
    if (!op.getPositions())
      return embedTokens(op, *tokens);
    FailureOr<Table> positions = tableOf(op, op.getPositionTable());
    if (failed(positions))
      return failure();
    return builder.launch(builder.task(op),
                          {op.getIds(), op.getPos(), tokens->rows,
                           positions->rows, tokens->begin, positions->begin},
                          builder.destinationOf(op.getResult(), op.getIds()),
                          "embed");
  }

  FailureOr<ValueRange> embedTokens(EmbedOp op, const Table &tokens) {
    FailureOr<double> scale = op.getScale()
                                  ? getNumber(op, *op.getScale(), "scale")
                                  : FailureOr<double>(1.0);
    if (failed(scale))
      return failure();
    return builder.launch(
        builder.task(op, builder.flag("scale")),
        {op.getIds(), tokens.rows, builder.real(*scale), tokens.begin},
        builder.destinationOf(op.getResult(), op.getIds()), "embed");
  }

  FailureOr<ValueRange> lowerOp(LastRowsOp op) {
    return builder.launch(
        builder.task(op), {op.getInput(), op.getPos()},
        builder.destination(op.getPos(), columnsOf(op.getInput()),
                            getElementTypeOrSelf(op.getInput().getType())),
        "last_rows");
  }

  FailureOr<ValueRange> lowerOp(UnembedOp op) {
    int64_t vocab = columnsOf(op.getResult());
    auto isReturned = [](Operation *user) {
      return isa<func::ReturnOp>(user) ||
             (isa<AllGatherOp>(user) &&
              llvm::all_of(user->getUsers(), llvm::IsaPred<func::ReturnOp>));
    };
    if (!logits.isF32() && !llvm::all_of(op->getUsers(), isReturned))
      return op.emitOpError("expected its result to be returned and nothing "
                            "else, to give logits of ")
             << logits;
    FailureOr<Value> weight =
        builder.weight(partName(op.getWeights() + ".weight", op.getShard()),
                       {vocab, columnsOf(op.getInput())});
    if (failed(weight))
      return failure();
    return layers.lower(op, *weight, logits);
  }

  /// The kernel is the single-rank version; with several ranks the runtime
  /// performs the collective instead.
  FailureOr<ValueRange> lowerOp(AllReduceOp op) {
    return exchange(op, columnsOf(op.getInput()), "all_reduce");
  }
  FailureOr<ValueRange> lowerOp(AllGatherOp op) {
    return exchange(op, op.getColumns(), "all_gather");
  }
  FailureOr<ValueRange> exchange(Operation *op, int64_t columns,
                                 const char *label) {
    Value input = op->getOperand(0);
    Type element = getElementTypeOrSelf(input.getType());
    return builder.launch(builder.task(op), input,
                          builder.destination(input, columns, element), label);
  }

  FailureOr<ValueRange> lowerOp(SampleOp op) {
    int64_t entries = llvm::alignTo(columnsOf(op.getLogits()), sortedColumns);
    auto rows = [&](ArrayRef<int64_t> columns, Type element) {
      return builder.destination(op.getLogits(), columns, element);
    };
    Type ids = op.getType().getElementType();
    FailureOr<ValueRange> sorted = builder.launch(
        builder.task(op, builder.word("part", "order")), {op.getLogits()},
        {rows(entries, builder.attributes().getF32Type()), rows(entries, ids)},
        "sample.order");
    if (failed(sorted))
      return failure();
    return builder.launch(builder.task(op, builder.word("part", "draw")),
                          {(*sorted)[0], (*sorted)[1], op.getHow()},
                          rows({}, ids), "sample.draw");
  }

  FailureOr<ValueRange> lowerElementwise(Operation *op) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (op->getNumResults() != 1 || !isRows(type))
      return op->emitOpError(
          "expected f32 rows [N, C] as its one result, to launch a kernel for");
    return builder.launch(
        builder.task(op), op->getOperands(),
        builder.destinationOf(op->getResult(0), op->getOperand(0)),
        op->getName().stripDialect());
  }

  static bool isRows(RankedTensorType type) {
    return type && type.getRank() == 2 && type.getElementType().isF32();
  }

  ModelOp model;
  Type logits;
  LaunchBuilder &builder;
  LayerLaunches layers;
  AttentionLaunches attention;
  ExpertLaunches experts;
};

/// True for ops that become launches.
static bool isLowered(Operation *op) {
  if (isa<EmbedOp, PositionsOp, SinusoidsOp, LayerNormOp, RmsNormOp, LinearOp,
          GeluOp, ReluOp, XieluOp, GluOp, SoftcapOp, ClampOp, ScaleOp, GateOp,
          HeadNormOp, HeadLayerNormOp, QkNormOp, LatentHeadsOp, ColumnsOp,
          RotaryOp, AttentionOp, ShortConvOp, RouteOp, ExpertsOp, LastRowsOp,
          UnembedOp, SampleOp, AllReduceOp, AllGatherOp>(op))
    return true;
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// Fails with an error on the first op with dynamic columns.
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
  /// The element type given by an option.
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
    FailureOr<int64_t> usual = getUsualCapacity(model);
    if (failed(usual))
      return failure();
    int64_t tokens = capacity == 0 ? *usual : capacity.getValue();
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
      Lowering lowering(model, tokens, element, builder);
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
