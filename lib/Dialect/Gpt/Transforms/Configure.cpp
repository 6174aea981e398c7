// Sets the sizes of a model, and with them the types of everything in it.
#include "RefineFunction.h"
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_CONFIGUREPASS
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;

namespace {

class Configure : public tilegpt::gpt::impl::ConfigurePassBase<Configure> {
public:
  using ConfigurePassBase::ConfigurePassBase;

  /// The options are settings, whose names the model defines.
  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (options.starts_with("settings="))
      return ConfigurePassBase::initializeOptions(options, errorHandler);
    settings = options.str();
    return success();
  }

  void runOnOperation() override {
    ModelOp model = getOperation();
    // The types are computed from the sizes, so these are checked first.
    if (failed(setSettings(model, settings)) || failed(model.verify()) ||
        failed(checkSettingsAreUsed(model)) || failed(setHead(model)) ||
        failed(setActivation(model)))
      return signalPassFailure();
    for (func::FuncOp function : model.getBody().getOps<func::FuncOp>())
      if (failed(refineFunction(function)))
        return signalPassFailure();
  }

private:
  /// Sets the weights of a tied head as declared in the weights table.
  static LogicalResult setHead(ModelOp model) {
    auto tied = dyn_cast_or_null<BoolAttr>(getSetting(model, "tied"));
    auto weights = model->getAttrOfType<DictionaryAttr>(weightsTable);
    auto names =
        weights ? weights.getAs<DictionaryAttr>("tied") : DictionaryAttr();
    if (static_cast<bool>(tied) != static_cast<bool>(names))
      return model.emitOpError("expected a setting tied = true or false and a "
                               "table weights = {tied = {...}}, or neither");
    if (!tied || !tied.getValue())
      return success();
    for (NamedAttribute pair : names)
      if (!isa<StringAttr>(pair.getValue()))
        return model.emitOpError("expected the name of weights that ")
               << pair.getName() << " is tied to, found " << pair.getValue();
    bool isTied = false;
    model.walk([&](UnembedOp head) {
      for (NamedAttribute pair : names) {
        auto table = cast<StringAttr>(pair.getValue());
        if (head.getWeights() == pair.getName())
          head.setWeights(table);
        isTied |= head.getWeightsAttr() == table;
      }
    });
    // Launches were tied when the model was lowered to them.
    bool isLowered = model
                         .walk([](tilegpt::tile::LaunchOp) {
                           return WalkResult::interrupt();
                         })
                         .wasInterrupted();
    if (!isTied && !isLowered)
      return model.emitOpError("has tied = true, but no gpt.unembed reads ")
             << "weights that the table weights = {tied = {...}} names";
    return success();
  }

  static LogicalResult setActivation(ModelOp model) {
    Attribute setting = getSetting(model, "activation");
    if (!setting)
      return success();
    auto word = dyn_cast<StringAttr>(setting);
    std::optional<Activation> kind =
        word ? symbolizeActivation(word) : std::nullopt;
    if (!kind || *kind == Activation::None)
      return model.emitOpError(
                 "expected activation to be gelu_tanh or gelu_erf, found ")
             << setting;
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
