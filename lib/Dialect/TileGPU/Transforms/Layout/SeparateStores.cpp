// Lets lanes of a warp exchange 16-bit results of dots that are stored by
// offset: four lanes that store two elements each write half a sector.
#include "Layout/LayoutClasses.h"
#include "Layout/LayoutRelations.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The widest vectors for which rows of a sector layout are adjacent elements
/// in memory; 0 if there are none.
static int64_t vectorOf(tile::StoreAtOp store) {
  constexpr int64_t least = 4, most = 8;
  IndexFacts facts;
  OffsetFacts found = analyzeOffsets(store, facts);
  return found.vectorAxis == 1 && found.vectorSize >= least
             ? std::min(found.vectorSize, most)
             : 0;
}

static bool isSeparable(tile::StoreAtOp store) {
  constexpr unsigned bits = 16;
  RankedTensorType type = store.getValue().getType();
  return type.getRank() == 2 && type.getElementType().isIntOrFloat() &&
         type.getElementTypeBitWidth() == bits &&
         store.getOrder() == tile::MemoryOrder::Weak && vectorOf(store) != 0;
}

void separateStores(tile::KernelOp kernel) {
  LayoutClasses classes(kernel);
  llvm::DenseSet<Value> dots;
  kernel.walk(
      [&](tile::DotOp dot) { dots.insert(classes.leaderOf(dot.getResult())); });
  kernel.walk([&](tile::StoreAtOp store) {
    Value value = store.getValue();
    if (!dots.contains(classes.leaderOf(value)) || !isSeparable(store))
      return;
    OpBuilder builder(store);
    store.getValueMutable().assign(ConvertLayoutOp::create(
        builder, store.getLoc(), value.getType(), value));
  });
}

LayoutAttr separateLayout(ConvertLayoutOp convert, LayoutAttr source) {
  constexpr int64_t rank = 2;
  auto store = cast<tile::StoreAtOp>(*convert->user_begin());
  for (int64_t vector = vectorOf(store); vector > 2; vector /= 2)
    if (LayoutAttr sectors = isMmaFragment(source, rank)
                                 ? sectorLayout(source, vector)
                                 : LayoutAttr())
      return sectors;
  return source;
}

} // namespace tilegpt::tilegpu
