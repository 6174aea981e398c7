// Instantiates the forward function of a model for ranges of rows.
#include "RefineFunction.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_MAKEPLANSPASS
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;

namespace {

/// A plan as the option spells it: `decode:1-16`.
struct PlanSpec {
  StringRef kind;
  int64_t minRows;
  int64_t maxRows;

  std::string name() const {
    std::string name = kind.str() + "_" + std::to_string(minRows);
    return minRows == maxRows ? name : name + "_" + std::to_string(maxRows);
  }
};

static std::optional<PlanSpec> parsePlan(StringRef text) {
  auto [kind, range] = text.split(':');
  auto [low, high] = range.split('-');
  PlanSpec spec = {kind, 0, 0};
  if (!llvm::is_contained({"decode", "sample", "prefill", "score"}, kind) ||
      low.getAsInteger(10, spec.minRows) ||
      high.getAsInteger(10, spec.maxRows) || spec.minRows < 1 ||
      spec.maxRows < spec.minRows)
    return std::nullopt;
  return spec;
}

/// A 1-D i32 tensor with the range's size, if that is known.
static Type intsOf(MLIRContext *context, int64_t low, int64_t high) {
  return RankedTensorType::get({low == high ? low : ShapedType::kDynamic},
                               IntegerType::get(context, 32));
}

class MakePlans : public tilegpt::gpt::impl::MakePlansPassBase<MakePlans> {
public:
  using MakePlansPassBase::MakePlansPassBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    ModelOp model = getOperation();
    auto forward = model.lookupSymbol<func::FuncOp>(function);
    if (!forward && hasPlans(model))
      return success();
    if (!forward)
      return model.emitOpError("expected a func.func @") << function;
    Type ints = intsOf(&getContext(), 0, 1);
    if (forward.isExternal() ||
        forward.getArgumentTypes() != ArrayRef<Type>{ints, ints} ||
        forward.getNumResults() != 1)
      return forward.emitOpError("expected a body that takes ids and positions "
                                 "(both ")
             << ints << ") and returns logits, found "
             << forward.getFunctionType();
    for (StringRef text : plans) {
      std::optional<PlanSpec> spec = parsePlan(text);
      if (!spec)
        return model.emitOpError("expected a plan KIND:LO-HI with decode, "
                                 "sample, prefill or score as kind, found '")
               << text << "'";
      if (failed(makePlan(model, forward, *spec)))
        return failure();
    }
    forward.erase();
    return success();
  }

  static bool hasPlans(ModelOp model) {
    return llvm::any_of(
        model.getBody().getOps<func::FuncOp>(),
        [](func::FuncOp plan) { return plan->hasAttr(planKindAttr); });
  }

  LogicalResult makePlan(ModelOp model, func::FuncOp forward,
                         const PlanSpec &spec) {
    auto kind = StringAttr::get(&getContext(), spec.kind);
    bool oneRow = hasOneRowPerSequence(kind);
    int64_t minSequences = oneRow ? spec.minRows : 1;
    int64_t maxSequences =
        oneRow ? spec.maxRows : std::min<int64_t>(sequences, spec.maxRows);

    std::string name = spec.name();
    if (model.lookupSymbol(name))
      return model.emitOpError("already holds a symbol @")
             << name << ", the name of a plan";
    OpBuilder builder(forward);
    auto plan = cast<func::FuncOp>(builder.clone(*forward));
    plan.setSymName(name);
    plan->setAttr(planKindAttr, kind);
    plan->setAttr(tilegpt::tile::rowsAttr,
                  builder.getDenseI64ArrayAttr({spec.minRows, spec.maxRows}));
    plan->setAttr(sequencesAttr,
                  builder.getDenseI64ArrayAttr({minSequences, maxSequences}));
    plan.getArgument(0).setType(
        intsOf(&getContext(), spec.minRows, spec.maxRows));
    plan.getArgument(1).setType(
        intsOf(&getContext(), minSequences, maxSequences));
    if (spec.kind == "sample" && failed(addSample(plan)))
      return failure();
    return refineFunction(plan);
  }

  /// Makes a plan take sampling parameters, and return tokens instead of
  /// logits.
  static LogicalResult addSample(func::FuncOp plan) {
    auto ints = cast<RankedTensorType>(plan.getArgument(1).getType());
    auto how = RankedTensorType::get({ints.getDimSize(0), sampleValues},
                                     Float32Type::get(plan.getContext()));
    if (failed(plan.insertArgument(2, how, {}, plan.getLoc())))
      return failure();
    Operation *returned = plan.getBody().back().getTerminator();
    OpBuilder builder(returned);
    Value next = SampleOp::create(
        builder, returned->getLoc(),
        RankedTensorType::get({ShapedType::kDynamic}, ints.getElementType()),
        returned->getOperand(0), plan.getArgument(2));
    returned->setOperand(0, next);
    plan.setType(builder.getFunctionType(plan.getArgumentTypes(),
                                         returned->getOperandTypes()));
    return success();
  }
};

} // namespace
