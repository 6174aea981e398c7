// Flattens elementwise reductions of tiles of whole rows: rows of 18 elements
// allow accesses of 8 bytes, a contiguous run of them 16.
#include "Columns/FlattenLoops.h"
#include "Columns/LoopTiles.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class LoopFlattening {
public:
  explicit LoopFlattening(scf::ForOp loop)
      : loop(loop), loc(loop.getLoc()), builder(loop), tiles(loop),
        shape(tiles.getShape()) {}

  bool isPossible() {
    return findCarriedReductions(loop) && shape.size() > 1 &&
           llvm::all_of(
               tiles.getLoads(),
               [&](tile::LoadOp load) { return readsWholeRows(load); }) &&
           tiles.areElementwise();
  }

  /// Whether rows prevent 16-byte accesses and runs of them do not.
  bool isWorthIt() {
    return llvm::any_of(tiles.getLoads(), [&](tile::LoadOp load) {
      int64_t bytes = memoryBytes(load.getType().getElementType());
      return analyzeAccess(load, facts).vectorSize * bytes < maxAccessBytes &&
             length() * bytes % maxAccessBytes == 0;
    });
  }

  void run() {
    tiles.reshape(
        {length()}, [&](Value tile) { return flattened(tile); },
        [&](tile::LoadOp load) { return loadRun(load); });
    builder.setInsertionPointAfter(loop);
    for (Value result : loop.getResults()) {
      auto rows =
          RankedTensorType::get(shape, getElementTypeOrSelf(result.getType()));
      auto reshape = tile::ReshapeOp::create(builder, loc, rows, result,
                                             builder.getI64ArrayAttr(shape));
      result.replaceAllUsesExcept(reshape, reshape);
    }
  }

private:
  int64_t length() const { return ShapedType::getNumElements(shape); }
  RankedTensorType flat(Type type) const {
    return RankedTensorType::get({length()}, getElementTypeOrSelf(type));
  }

  /// Whether a load reads consecutive whole rows of a dense argument.
  bool readsWholeRows(tile::LoadOp load) {
    // Indices have 32 bits on the device.
    constexpr int64_t mostElements = INT32_MAX;
    tile::ViewType view = load.getView().getType();
    if (!isa<BlockArgument>(load.getView()) || !view.isDense() ||
        llvm::any_of(view.getShape(), ShapedType::isDynamic) ||
        view.getRank() != int64_t(shape.size()) || load.getMask() ||
        load.getOrder() || load.getPad() != tile::PadKind::Zero ||
        load.getType().getShape() != ArrayRef(shape) ||
        view.getShape().drop_front() != ArrayRef(shape).drop_front())
      return false;
    return ShapedType::getNumElements(view.getShape()) <= mostElements &&
           llvm::all_of(load.getIndices().drop_front(), [&](Value index) {
             return facts.of(index).range.lo == 0 &&
                    facts.of(index).range.hi == 0;
           });
  }

  /// A flattened tile, created before the loop.
  Value flattened(Value tile) {
    builder.setInsertionPoint(loop);
    SplatElementsAttr splat;
    if (matchPattern(tile, m_Constant(&splat)))
      return arith::ConstantOp::create(builder, loc,
                                       splat.resizeSplat(flat(tile.getType())));
    return tile::ReshapeOp::create(builder, loc, flat(tile.getType()), tile,
                                   builder.getI64ArrayAttr({length()}));
  }

  Value loadRun(tile::LoadOp load) {
    builder.setInsertionPoint(loop);
    tile::ViewType view = load.getView().getType();
    const int64_t elements = ShapedType::getNumElements(view.getShape());
    auto type = tile::ViewType::get(builder.getContext(), {elements},
                                    view.getElementType(), {});
    Value all = RunOp::create(builder, loc, type, load.getView(),
                              arith::ConstantIndexOp::create(builder, loc, 0),
                              elements);
    builder.setInsertionPoint(load);
    return tile::LoadOp::create(
        builder, loc, flat(load.getType()), all,
        ValueRange{load.getIndices().front()}, /*mask=*/Value(),
        builder.getI64ArrayAttr({length()}), load.getPad(),
        /*order=*/DenseI64ArrayAttr());
  }

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  IndexFacts facts;
  LoopTiles tiles;
  SmallVector<int64_t> shape; ///< of every tile
};
} // namespace

unsigned flattenLoops(tile::KernelOp kernel) {
  unsigned count = 0;
  for (scf::ForOp loop :
       llvm::to_vector(kernel.getBody().getOps<scf::ForOp>())) {
    LoopFlattening flattening(loop);
    if (!flattening.isPossible() || !flattening.isWorthIt())
      continue;
    flattening.run();
    ++count;
  }
  return count;
}

} // namespace tilegpt::tilegpu
