// Flattens elementwise kernels on dense tensors: they process contiguous runs
// instead of rows.
#include "Columns/FlattenLoops.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_FLATTENELEMENTS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class Flattening {
public:
  explicit Flattening(tile::KernelOp kernel)
      : kernel(kernel), builder(kernel) {}

  /// Whether the kernel only computes elements of dense tensors from elements
  /// at the same position of others.
  bool isPossible() {
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      if (!accept(op))
        return false;
    return !accesses.empty() && haveSamePlaces() && coversOuts();
  }

  /// Whether rows prevent 16-byte accesses, leave part of the tiles empty, or
  /// are split into less than cache lines (GELU of 147389 x 104 in bf16 by 16
  /// columns on an H200: 60 us, 2.5 times a copy).
  bool isWorthIt() {
    constexpr int64_t unitBytes = 16, lineBytes = 128;
    int64_t used = 1, covered = 1;
    for (int64_t axis = 1; axis < getRank(); ++axis) {
      used *= shape[axis];
      covered *= llvm::alignTo(shape[axis], tile[axis]);
    }
    // About a tenth of the tiles may be empty.
    if (10 * covered > 11 * used)
      return true;
    return llvm::any_of(accesses, [&](Operation *op) {
      AccessFacts found = analyzeAccess(op, facts);
      int64_t bytes = memoryBytes(AccessOperands(op).tile.getElementType());
      return found.vectorSize * bytes < unitBytes ||
             (tile.back() < shape.back() && tile.back() * bytes < lineBytes);
    });
  }

  void run() {
    int64_t length = 1;
    for (int64_t size : tile)
      length *= size;
    Location loc = kernel.getLoc();
    builder.setInsertionPoint(accesses.front());
    Arithmetic math(builder, loc);
    Value number = numbers[0];
    for (int64_t axis = 1; axis < getRank(); ++axis) {
      number = math.mul(number, llvm::divideCeil(shape[axis], tile[axis]));
      if (numbers[axis].getDefiningOp<tile::BlockIdOp>())
        number = math.add(number, numbers[axis]);
    }
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    auto flat = [&](Type type) {
      return RankedTensorType::get(
          {length}, cast<RankedTensorType>(type).getElementType());
    };
    for (Operation &op : llvm::make_early_inc_range(*kernel.getEntryBlock())) {
      for (Value result : op.getResults())
        if (isa<RankedTensorType>(result.getType()))
          result.setType(flat(result.getType()));
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
          constant.setValueAttr(
              splat.resizeSplat(cast<ShapedType>(constant.getType())));
      } else if (isa<tile::SplatOp>(op)) {
        op.setAttr("sizes", builder.getI64ArrayAttr({length}));
      } else if (isAccess(&op)) {
        moveRun(&op, number, zero, length);
      }
    }
  }

private:
  int64_t getRank() const { return tile.size(); }

  bool accept(Operation &op) {
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      accesses.push_back(&op);
      return !load.getMask() && !load.getOrder();
    }
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      accesses.push_back(&op);
      return !store.getMask() && !store.getOrder();
    }
    if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
      return false;
    // The block index determines which elements are accessed.
    if (isa<tile::BlockIdOp>(op))
      return llvm::all_of(op.getUsers(), isAccess);
    auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
    if (llvm::none_of(op.getResultTypes(), isTile))
      return llvm::none_of(op.getOperandTypes(), isTile);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue());
    return isa<tile::SplatOp>(op) || tile::isElementwise(&op);
  }

  /// Whether all tiles have the same shape, all views the same sizes except for
  /// the first, and all accesses the same indices.
  bool haveSamePlaces() {
    AccessOperands first(accesses.front());
    tile = llvm::to_vector(first.tile.getShape());
    numbers = first.indices;
    auto type = cast<tile::ViewType>(first.view.getType());
    shape = llvm::to_vector(type.getShape());
    if (tile.size() < 2 ||
        llvm::any_of(ArrayRef(shape).drop_front(), ShapedType::isDynamic))
      return false;
    for (Operation *op : accesses) {
      AccessOperands access(op);
      auto view = cast<tile::ViewType>(access.view.getType());
      if (!isa<BlockArgument>(access.view) || !view.isDense() ||
          view.getRank() != getRank() || access.indices != numbers ||
          view.getShape().drop_front() != ArrayRef(shape).drop_front())
        return false;
    }
    for (Operation &op : *kernel.getEntryBlock())
      for (Type result : op.getResultTypes())
        if (auto other = dyn_cast<RankedTensorType>(result))
          if (other.getShape() != ArrayRef(tile))
            return false;
    return true;
  }

  /// Whether there is a block for every tile, and thus for every run of as many
  /// elements.
  bool coversOuts() {
    SmallVector<bool> isUsed(kernel.getGrid().size(), false);
    for (int64_t axis = 0; axis < getRank(); ++axis) {
      auto block = numbers[axis].getDefiningOp<tile::BlockIdOp>();
      if (!block) {
        if (axis == 0 || tile[axis] != shape[axis] ||
            !isConstantIntValue(numbers[axis], 0))
          return false;
        continue;
      }
      if (block.getAxis() >= isUsed.size() || isUsed[block.getAxis()] ||
          !hasBlockForEach(block, axis))
        return false;
      isUsed[block.getAxis()] = true;
    }
    return llvm::all_of(isUsed, [](bool is) { return is; });
  }

  bool hasBlockForEach(tile::BlockIdOp block, int64_t axis) {
    auto expr = cast<tile::ExprAttr>(kernel.getGrid()[block.getAxis()]);
    AffineExpr count = expr.getMap().getResult(0);
    if (!ShapedType::isDynamic(shape[axis])) {
      auto constant = dyn_cast<AffineConstantExpr>(count);
      return constant && constant.getValue() ==
                             int64_t(llvm::divideCeil(shape[axis], tile[axis]));
    }
    MLIRContext *context = kernel.getContext();
    if (expr.getSources().size() != 1 ||
        count != getAffineSymbolExpr(0, context).ceilDiv(tile[axis]))
      return false;
    // The rows of each output.
    auto place = dyn_cast<DenseI64ArrayAttr>(expr.getSources()[0]);
    return place && place.size() == 2 && place[1] == axis &&
           llvm::all_of(accesses, [&](Operation *op) {
             AccessOperands access(op);
             return !access.isWrite ||
                    cast<BlockArgument>(access.view).getArgNumber() == place[0];
           });
  }

  void moveRun(Operation *op, Value number, Value zero, int64_t length) {
    AccessOperands access(op);
    Location loc = op->getLoc();
    builder.setInsertionPoint(op);
    auto type = tile::ViewType::get(kernel.getContext(), {ShapedType::kDynamic},
                                    access.tile.getElementType(), {});
    Value view = RunOp::create(builder, loc, type, access.view, number, length);
    auto sizes = builder.getI64ArrayAttr({length});
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      Value again = tile::LoadOp::create(builder, loc, load.getType(), view,
                                         ValueRange{zero}, /*mask=*/Value(),
                                         sizes, load.getPad(),
                                         /*order=*/DenseI64ArrayAttr());
      load.getResult().replaceAllUsesWith(again);
    } else {
      tile::StoreOp::create(builder, loc, access.value, view, ValueRange{zero},
                            /*mask=*/Value(), /*order=*/DenseI64ArrayAttr());
    }
    op->erase();
  }

  tile::KernelOp kernel;
  OpBuilder builder;
  IndexFacts facts;
  SmallVector<Operation *> accesses;
  SmallVector<int64_t> tile, shape; ///< of every tile and every view
  SmallVector<Value> numbers;       ///< of a tile along each axis
};

struct FlattenElements : tilegpu::impl::FlattenElementsBase<FlattenElements> {
  using FlattenElementsBase::FlattenElementsBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    numLoopsFlattened += flattenLoops(getOperation());
    Flattening flattening(getOperation());
    if (!flattening.isPossible() || !flattening.isWorthIt())
      return;
    flattening.run();
    ++numFlattened;
  }
};
} // namespace
