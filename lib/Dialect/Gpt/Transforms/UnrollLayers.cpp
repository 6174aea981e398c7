// Writes out the layers of a model.
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

static void unroll(LayersOp layers, int64_t count) {
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
    for (Operation &op : layers.getBody().front().without_terminator())
      names.recursivelyReplaceElementsIn(builder.clone(op, mapping));
    for (auto [value, yielded] :
         llvm::zip_equal(carried, layers.getYield().getValues()))
      value = mapping.lookupOrDefault(yielded);
  }
  layers.replaceAllUsesWith(carried);
  layers.erase();
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
    getOperation().walk(
        [&](LayersOp layers) { unroll(layers, getOperation().getLayers()); });
    unrollGlobals(getOperation());
  }
};

} // namespace
