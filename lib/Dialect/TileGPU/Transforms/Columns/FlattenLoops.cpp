// Flattens elementwise reductions of tiles of whole rows: rows of 18 elements
// allow accesses of 8 bytes, a contiguous run of them 16.
#include "Columns/FlattenLoops.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class LoopFlattening {
public:
  explicit LoopFlattening(scf::ForOp loop)
      : loop(loop), loc(loop.getLoc()), builder(loop) {}

  bool isPossible() {
    if (!findCarriedReductions(loop))
      return false;
    llvm::append_range(loads, loop.getBody()->getOps<tile::LoadOp>());
    if (loads.empty())
      return false;
    shape = llvm::to_vector(loads.front().getType().getShape());
    return shape.size() > 1 &&
           llvm::all_of(
               loads,
               [&](tile::LoadOp load) { return readsWholeRows(load); }) &&
           llvm::all_of(loop.getResultTypes(),
                        [&](Type type) { return isTile(type); }) &&
           llvm::all_of(loop.getBody()->without_terminator(),
                        [&](Operation &op) { return accept(op); });
  }

  /// Whether rows prevent 16-byte accesses and runs of them do not.
  bool isWorthIt() {
    return llvm::any_of(loads, [&](tile::LoadOp load) {
      int64_t bytes = memoryBytes(load.getType().getElementType());
      return analyzeAccess(load, facts).vectorSize * bytes < maxAccessBytes &&
             length() * bytes % maxAccessBytes == 0;
    });
  }

  void run() {
    for (OpOperand &init : loop.getInitsMutable())
      init.set(flattened(init.get()));
    for (BlockArgument argument : loop.getRegionIterArgs())
      argument.setType(flat(argument.getType()));
    for (Operation &op :
         llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
      if (auto load = dyn_cast<tile::LoadOp>(op)) {
        loadRun(load);
        continue;
      }
      builder.setInsertionPoint(loop);
      for (OpOperand &operand : op.getOpOperands())
        if (isTile(operand.get().getType()))
          operand.set(flattened(operand.get()));
      for (Value result : op.getResults())
        if (isTile(result.getType()))
          result.setType(flat(result.getType()));
      if (op.hasAttr("sizes"))
        op.setAttr("sizes", builder.getI64ArrayAttr({length()}));
    }
    builder.setInsertionPointAfter(loop);
    for (Value result : loop.getResults()) {
      Type rows = result.getType();
      result.setType(flat(rows));
      auto reshape = tile::ReshapeOp::create(builder, loc, rows, result,
                                             builder.getI64ArrayAttr(shape));
      result.replaceAllUsesExcept(reshape, reshape);
    }
  }

private:
  int64_t length() const { return ShapedType::getNumElements(shape); }
  bool isTile(Type type) const {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && tile.getShape() == ArrayRef(shape);
  }
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

  /// Whether an op of the loop is independent of the row of an element.
  bool accept(Operation &op) const {
    if (isa<tile::LoadOp>(op))
      return true;
    auto isOther = [&](Type type) {
      return isa<RankedTensorType>(type) && !isTile(type);
    };
    if (llvm::any_of(op.getResultTypes(), isOther) ||
        llvm::any_of(op.getOperandTypes(), isOther))
      return false;
    auto isWhole = [&](Type type) { return isTile(type); };
    if (llvm::none_of(op.getResultTypes(), isWhole))
      return llvm::none_of(op.getOperandTypes(), isWhole);
    return isa<tile::SplatOp, tile::CastOp>(op) ||
           OpTrait::hasElementwiseMappableTraits(&op);
  }

  /// A flattened tile, created before the loop if it is defined there.
  Value flattened(Value tile) {
    if (!isTile(tile.getType()))
      return tile;
    auto constant = tile.getDefiningOp<arith::ConstantOp>();
    auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                          : SplatElementsAttr();
    if (splat)
      return arith::ConstantOp::create(builder, loc,
                                       splat.resizeSplat(flat(tile.getType())));
    return tile::ReshapeOp::create(builder, loc, flat(tile.getType()), tile,
                                   builder.getI64ArrayAttr({length()}));
  }

  void loadRun(tile::LoadOp load) {
    builder.setInsertionPoint(loop);
    tile::ViewType view = load.getView().getType();
    const int64_t elements = ShapedType::getNumElements(view.getShape());
    auto type = tile::ViewType::get(builder.getContext(), {elements},
                                    view.getElementType(), {});
    Value all = RunOp::create(builder, loc, type, load.getView(),
                              arith::ConstantIndexOp::create(builder, loc, 0),
                              elements);
    builder.setInsertionPoint(load);
    Value run = tile::LoadOp::create(
        builder, loc, flat(load.getType()), all,
        ValueRange{load.getIndices().front()}, /*mask=*/Value(),
        builder.getI64ArrayAttr({length()}), load.getPad(),
        /*order=*/DenseI64ArrayAttr());
    load.replaceAllUsesWith(run);
    load.erase();
  }

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  IndexFacts facts;
  SmallVector<tile::LoadOp> loads;
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
