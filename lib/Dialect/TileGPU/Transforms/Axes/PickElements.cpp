// Replaces tiles of which only single elements are used by loads of these.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PICKELEMENTS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Whether an op extracts one element, at a constant place.
static bool picksElement(Operation *op) {
  auto extract = dyn_cast<tile::ExtractOp>(op);
  return extract && extract.getType().hasStaticShape() &&
         extract.getType().getNumElements() == 1 &&
         llvm::all_of(extract.getIndices(), [](Value index) {
           return getConstantIntValue(index).has_value();
         });
}

/// Whether a load is only there for single elements.
static bool isPicked(tile::LoadOp load) {
  return !load.getMask() && !load.getOrder() &&
         load.getType().hasStaticShape() &&
         load.getType().getNumElements() > 1 && !load->use_empty() &&
         llvm::all_of(load->getUsers(), picksElement);
}

/// Loads an element in place of its tile.
static Value pick(tile::LoadOp load, tile::ExtractOp extract) {
  OpBuilder builder(load);
  Arithmetic math(builder, load.getLoc());
  SmallVector<Value> place;
  for (auto [index, size, within] :
       llvm::zip_equal(load.getIndices(), load.getType().getShape(),
                       extract.getIndices())) {
    int64_t behind = *getConstantIntValue(within);
    std::optional<int64_t> tiles = getConstantIntValue(index);
    place.push_back(tiles ? arith::ConstantIndexOp::create(
                                builder, load.getLoc(), *tiles * size + behind)
                                .getResult()
                          : math.add(math.mul(index, size), behind));
  }
  auto element = tile::LoadOp::create(
      builder, load.getLoc(), extract.getType(), load.getView(), place,
      /*mask=*/Value(), extract.getSizes(), load.getPad(),
      /*order=*/DenseI64ArrayAttr());
  element->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  return element;
}

namespace {
struct PickElements : tilegpu::impl::PickElementsBase<PickElements> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<tile::LoadOp> loads;
    getOperation().walk([&](tile::LoadOp load) {
      if (isPicked(load))
        loads.push_back(load);
    });
    for (tile::LoadOp load : loads) {
      for (Operation *user : llvm::make_early_inc_range(load->getUsers())) {
        auto extract = cast<tile::ExtractOp>(user);
        extract.getResult().replaceAllUsesWith(pick(load, extract));
        extract.erase();
        ++numPicked;
      }
      load.erase();
    }
  }
};
} // namespace
