// Writes out the layers of a model.
#include "ReplaceSelection.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_UNROLLLAYERSPASS
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;

namespace {

/// `name` with the number of the layer in the place of every `{l}`.
static std::string nameInLayer(StringRef name, int64_t layer) {
  std::string result = name.str();
  std::string number = std::to_string(layer);
  for (size_t at = result.find(layerPlaceholder); at != std::string::npos;
       at = result.find(layerPlaceholder, at + number.size()))
    result.replace(at, layerPlaceholder.size(), number);
  return result;
}

/// Puts literals in the place of the values of `op` that are expressions.
static LogicalResult resolveValues(Operation *op, Layer layer) {
  for (NamedAttribute attribute : llvm::to_vector(op->getAttrs())) {
    auto expr = dyn_cast<ExprAttr>(attribute.getValue());
    if (!expr)
      continue;
    FailureOr<Attribute> literal = getLiteral(op, expr, layer);
    if (failed(literal))
      return failure();
    op->setAttr(attribute.getName(), *literal);
  }
  return success();
}

static LogicalResult unroll(LayersOp layers, int64_t count) {
  OpBuilder builder(layers);
  SmallVector<Value> carried(layers.getInits());
  for (int64_t layer = 0; layer < count; ++layer) {
    AttrTypeReplacer names;
    names.addReplacement([&](StringAttr text) -> std::optional<Attribute> {
      if (!text.getValue().contains(layerPlaceholder))
        return std::nullopt;
      return StringAttr::get(text.getContext(),
                             nameInLayer(text.getValue(), layer));
    });
    IRMapping mapping;
    mapping.map(layers.getIterArgs(), carried);
    for (Operation &op : layers.getBody().front().without_terminator()) {
      Operation *copy = builder.clone(op, mapping);
      names.recursivelyReplaceElementsIn(copy);
      if (copy->walk([&](Operation *op) {
                return WalkResult(resolveValues(op, layer));
              })
              .wasInterrupted())
        return failure();
    }
    for (auto [value, yielded] :
         llvm::zip_equal(carried, layers.getYield().getValues()))
      value = mapping.lookupOrDefault(yielded);
  }
  layers.replaceAllUsesWith(carried);
  layers.erase();
  return success();
}

/// Puts the tensors that selections choose in their place.
static LogicalResult resolveSelections(ModelOp model) {
  auto walk = model.walk(
      [](SelectOp select) { return WalkResult(replaceSelection(select)); });
  return failure(walk.wasInterrupted());
}

/// Declares a global named with `{l}` once for every layer.
static void unrollGlobals(ModelOp model) {
  for (auto global :
       llvm::make_early_inc_range(model.getOps<tilegpt::tile::GlobalOp>())) {
    if (!global.getSymName().contains(layerPlaceholder))
      continue;
    OpBuilder builder(global);
    for (int64_t layer = 0, count = model.getLayers(); layer < count; ++layer) {
      auto copy = cast<tilegpt::tile::GlobalOp>(builder.clone(*global));
      copy.setSymName(nameInLayer(global.getSymName(), layer));
    }
    global.erase();
  }
}

class UnrollLayers
    : public tilegpt::gpt::impl::UnrollLayersPassBase<UnrollLayers> {
public:
  using UnrollLayersPassBase::UnrollLayersPassBase;

  void runOnOperation() override {
    ModelOp model = getOperation();
    auto unrolled = model.walk([&](LayersOp layers) {
      return WalkResult(unroll(layers, model.getLayers()));
    });
    // The remaining ops are outside layers.
    auto resolved = model.getBody().walk(
        [&](Operation *op) { return WalkResult(resolveValues(op, {})); });
    if (unrolled.wasInterrupted() || resolved.wasInterrupted() ||
        failed(resolveSelections(model)))
      return signalPassFailure();
    unrollGlobals(model);
  }
};

} // namespace
