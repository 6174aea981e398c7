// Sets the sizes of a model, and with them the types of everything in it.
#include "RefineFunction.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_CONFIGUREPASS
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;

namespace {

/// The name of the head of its own of an untied model.
constexpr StringLiteral untiedHead = "lm_head";

class Configure : public tilegpt::gpt::impl::ConfigurePassBase<Configure> {
public:
  using ConfigurePassBase::ConfigurePassBase;

  void runOnOperation() override {
    ModelOp model = getOperation();
    if (failed(setSizes(model)) || failed(setHead(model)) ||
        failed(setActivation(model)))
      return signalPassFailure();
    for (func::FuncOp function : model.getBody().getOps<func::FuncOp>())
      if (failed(refineFunction(function)))
        return signalPassFailure();
  }

private:
  /// Replaces the sizes that are given, then has the model check them all: the
  /// types are computed from them.
  LogicalResult setSizes(ModelOp model) {
    if (layers != 0)
      model.setLayers(layers);
    if (heads != 0)
      model.setHeads(heads);
    if (width != 0)
      model.setWidth(width);
    if (inner != 0)
      model.setInner(inner);
    if (context != 0)
      model.setContext(context);
    if (vocab != 0)
      model.setVocab(vocab);
    if (eps != 0)
      model.setEpsAttr(FloatAttr::get(Float64Type::get(&getContext()), eps));
    return model.verify();
  }

  LogicalResult setHead(ModelOp model) {
    if (tied.empty())
      return success();
    if (tied != "true" && tied != "false")
      return model.emitOpError("expected tied to be true or false, found '")
             << tied << "'";
    std::optional<StringRef> table;
    model.walk([&](EmbedOp embed) { table = embed.getTokens(); });
    if (!table)
      return success();
    auto [from, to] = tied == "true" ? std::pair(StringRef(untiedHead), *table)
                                     : std::pair(*table, StringRef(untiedHead));
    model.walk([&](UnembedOp head) {
      if (head.getWeights() == from)
        head.setWeights(to);
    });
    return success();
  }

  LogicalResult setActivation(ModelOp model) {
    if (activation.empty())
      return success();
    std::optional<Activation> kind = symbolizeActivation(activation);
    if (!kind || *kind == Activation::None)
      return model.emitOpError(
                 "expected activation to be gelu_tanh or gelu_erf, found '")
             << activation << "'";
    model.walk([&](GeluOp gelu) {
      gelu.setApproximate(*kind == Activation::GeluTanh ? Approximation::Tanh
                                                        : Approximation::None);
    });
    model.walk([&](LinearOp linear) {
      if (linear.getActivation() != Activation::None)
        linear.setActivation(*kind);
    });
    return success();
  }
};

} // namespace
