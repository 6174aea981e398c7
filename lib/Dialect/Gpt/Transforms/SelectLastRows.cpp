// Computes logits only where the next token is wanted: at the last row of each
// sequence.
#include "RefineFunction.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_SELECTLASTROWSPASS
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;

namespace {

/// True for ops each of whose result rows depends on the same row of its tensor
/// operands only.
static bool isRowWise(Operation *op) {
  return isa<LayerNormOp, RmsNormOp, HeadNormOp, HeadLayerNormOp, QkNormOp,
             LatentHeadsOp, ColumnsOp, LinearOp, GeluOp, ReluOp, XieluOp, GluOp,
             RouteOp, ExpertsOp, SoftcapOp, ClampOp, ScaleOp, GateOp, UnembedOp,
             AllReduceOp, AllGatherOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

static bool isRows(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 2;
}

class SelectLastRows
    : public tilegpt::gpt::impl::SelectLastRowsPassBase<SelectLastRows> {
public:
  using SelectLastRowsPassBase::SelectLastRowsPassBase;

  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      auto kind = function->getAttrOfType<StringAttr>(planKindAttr);
      if (kind && hasOneRowPerSequence(kind))
        dropSelections(function);
      if ((kind && kind != "prefill") || function.isExternal() ||
          function->hasAttr(lastRowsAttr))
        continue;
      if (failed(select(function)) || failed(refineFunction(function)))
        return signalPassFailure();
      function->setAttr(lastRowsAttr, UnitAttr::get(&getContext()));
    }
  }

private:
  static void dropSelections(func::FuncOp function) {
    function.walk([](LastRowsOp rows) {
      rows.replaceAllUsesWith(rows.getInput());
      rows.erase();
    });
  }

  /// The positions, which say how many sequences there are: the second argument
  /// of a plan, elsewhere those of the embedding.
  static FailureOr<Value> findPositions(func::FuncOp function) {
    if (function->hasAttr(planKindAttr) && function.getNumArguments() == 2)
      return Value(function.getArgument(1));
    Value positions;
    function.walk([&](EmbedOp embed) { positions = embed.getPos(); });
    if (!positions)
      return function.emitOpError("expected a gpt.embed, whose positions say "
                                  "how many sequences there are");
    return positions;
  }

  LogicalResult select(func::FuncOp function) {
    FailureOr<Value> positions = findPositions(function);
    if (failed(positions))
      return failure();
    Block &block = function.getBody().back();
    Operation *returned = block.getTerminator();

    // An op moves below the selection when every reader of its result has.
    llvm::SetVector<Operation *> moved;
    moved.insert(returned);
    for (Operation &op : llvm::reverse(block.without_terminator()))
      if (isRowWise(&op) && !op.use_empty() &&
          llvm::all_of(op.getResults(), isRows) &&
          llvm::all_of(op.getUsers(),
                       [&](Operation *user) { return moved.contains(user); }))
        moved.insert(&op);
    numMoved += moved.size() - 1;

    // In program order; a value read by several is selected once.
    llvm::DenseMap<Value, Value> selected;
    OpBuilder builder(&getContext());
    for (Operation *op : llvm::reverse(moved))
      for (OpOperand &operand : op->getOpOperands()) {
        Value value = operand.get();
        if (!isRows(value) || moved.contains(value.getDefiningOp()))
          continue;
        Value &rows = selected[value];
        if (!rows) {
          builder.setInsertionPoint(op);
          auto type = cast<RankedTensorType>(value.getType());
          auto sequences = cast<RankedTensorType>(positions->getType());
          rows = LastRowsOp::create(
              builder, value.getLoc(),
              type.clone({sequences.getDimSize(0), type.getDimSize(1)}), value,
              *positions);
        }
        operand.set(rows);
      }
    // The rows of what moved are the sequences now, also where their number was
    // known before.
    for (Operation *op : moved)
      for (Value result : op->getResults()) {
        auto type = cast<RankedTensorType>(result.getType());
        result.setType(type.clone({ShapedType::kDynamic, type.getDimSize(1)}));
      }
    function.setType(FunctionType::get(
        &getContext(), function.getArgumentTypes(),
        llvm::map_to_vector(returned->getOperandTypes(), [](Type type) {
          auto rows = dyn_cast<RankedTensorType>(type);
          return rows && rows.getRank() == 2
                     ? Type(rows.clone(
                           {ShapedType::kDynamic, rows.getDimSize(1)}))
                     : type;
        })));
    return success();
  }
};

} // namespace
