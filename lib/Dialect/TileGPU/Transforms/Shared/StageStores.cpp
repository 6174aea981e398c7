// Stores dot results through shared memory, to write whole cache lines. TMA
// stores 16-bit elements as boxes where it can, which frees the threads for the
// next tile. Other 16-bit and all 32-bit results are stored row by row, at any
// alignment. For remaining unaligned stores, warps form rows by exchanging
// registers.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/RowStores.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/Residents.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "TileGPT/Target/NVVM/Residents.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_STAGESTORES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// A box has the 64 rows of a warp group, and 128 bytes per row; fewer of
/// either where shared memory is short.
static constexpr int64_t boxRows = 64, boxBytes = 128;

/// The layout with the same rows per warp, but with the lanes of a warp side by
/// side in a row.
static LayoutAttr inRows(RankedTensorType tile) {
  LayoutAttr layout = LayoutAttr::of(tile);
  SmallVector<LayoutMode> registers;
  for (ArrayRef<LayoutMode> modes : {layout.getLanes(), layout.getRegisters()})
    llvm::copy_if(modes, std::back_inserter(registers),
                  [](const LayoutMode &mode) { return mode.axis == 0; });
  registers.push_back(
      {int64_t(llvm::divideCeil(tile.getDimSize(1), warpLanes)), 1, warpLanes});
  return LayoutAttr::getCanonical(tile.getContext(), registers,
                                  {{warpLanes, 1, 1}}, layout.getWarps());
}

/// An access by offset, or null.
static Operation *findOffsetAccess(tile::KernelOp kernel) {
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) { found = isOffsetAccess(op) ? op : found; });
  return found;
}

namespace {
struct StageStores : tilegpu::impl::StageStoresBase<StageStores> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    SmallVector<tile::StoreOp> stores;
    RolesOp roles;
    kernel.walk([&](RolesOp op) { roles = op; });
    if (!roles)
      return storeSectors(kernel);
    // TMA stores are not ordered by the fences of other accesses.
    if (Operation *access = findOffsetAccess(kernel)) {
      explainMissed(access, "copy")
          << "tiles are stored by threads instead of TMA, to be ordered with "
             "accesses by offset";
      return;
    }
    PlanAttr plan = PlanAttr::of(kernel);
    IndexFacts facts;
    SmallVector<tile::StoreOp> rows, cut;
    roles.getConsumer().walk([&](tile::StoreOp store) {
      if (isStageable(store, plan))
        stores.push_back(store);
      else if (hasRows(store, plan, facts))
        rows.push_back(store);
      else if (isCut(store, plan, facts))
        cut.push_back(store);
    });

    OpBuilder builder(roles);
    bool areCopied = false;
    if (Value buffer = stores.empty()
                           ? Value()
                           : makeBoxes(builder, kernel, stores.front(), plan)) {
      areCopied = true;
      for (tile::StoreOp store : stores)
        if (boxElement(store) == boxElement(stores.front()))
          stage(builder, roles, store, buffer);
    }
    for (tile::StoreOp store : rows) {
      builder.setInsertionPoint(roles);
      if (Value buffer = makeRows(builder, kernel, store, plan)) {
        stageRows(builder, store, buffer, facts);
      } else if (isCut(store, plan, facts)) {
        cut.push_back(store);
      }
    }
    for (tile::StoreOp store : cut)
      storeRows(store);
    if (!areCopied)
      return;
    builder.setInsertionPointToEnd(&roles.getConsumer().front());
    FinishStoresOp::create(builder, kernel.getLoc());
  }

private:
  static RankedTensorType tileOf(tile::StoreOp store) {
    return cast<RankedTensorType>(store.getValue().getType());
  }
  static Type boxElement(tile::StoreOp store) {
    return tileOf(store).getElementType();
  }

  /// Whether a store writes 16-bit elements in accumulator layout to an
  /// argument that TMA can address.
  static bool isStageable(tile::StoreOp store, PlanAttr plan) {
    RankedTensorType tile = tileOf(store);
    constexpr unsigned bits = 16;
    if (tile.getRank() != 2 || store.getMask() || store.getOrder())
      return false;
    std::optional<Window> window =
        matchWindow(store.getView(), tile.getDimSize(1),
                    OpFoldResult(store.getIndices()[1]));
    // Three warp groups have no registers to spare for coordinates that take
    // long divisions: ptxas spills the addresses of their boxes.
    constexpr int64_t manyGroups = 3;
    if (!window || !window->isOfArgument() ||
        window->rowAxis + 2 != window->start.size() ||
        (plan.getWarps() / groupWarps >= manyGroups &&
         window->start.size() > 2 &&
         !knownBlocks(store->getParentOfType<tile::KernelOp>())))
      return false;
    if (tile.getElementTypeBitWidth() != bits)
      return false;
    int64_t groups = plan.getWarps() / groupWarps;
    if (isTransposedAccumulator(tile, plan.getWarps()))
      return tile.getDimSize(0) >= boxRows &&
             tile.getDimSize(1) % (groups * boxRows) == 0;
    return tile.getDimSize(1) >= boxBytes * 8 / bits &&
           tile.getDimSize(0) % (groups * boxRows) == 0 &&
           LayoutAttr::of(tile) ==
               accumulatorLayout(DotKind::Wgmma, tile, plan.getWarps());
  }

  /// Whether a store writes elements in accumulator layout to dense rows, of 32
  /// bits, or of 16 bits if rows are unaligned.
  static bool hasRows(tile::StoreOp store, PlanAttr plan, IndexFacts &facts) {
    RankedTensorType tile = tileOf(store);
    constexpr unsigned wideBits = 32, narrowBits = 16;
    if (!isFromDot(store, plan) ||
        tile.getDimSize(0) % (plan.getWarps() / groupWarps * boxRows) != 0)
      return false;
    if (tile.getElementTypeBitWidth() == narrowBits)
      return hasDenseRows(store) && hasCutRows(store, facts);
    return tile.getElementTypeBitWidth() == wideBits && hasDenseRows(store);
  }

  /// Whether a tile is stored in accumulator layout.
  static bool isFromDot(tile::StoreOp store, PlanAttr plan) {
    RankedTensorType tile = tileOf(store);
    return tile.getRank() == 2 && !store.getOrder() && !store.getMask() &&
           LayoutAttr::of(tile) ==
               accumulatorLayout(DotKind::Wgmma, tile, plan.getWarps());
  }

  static bool hasDenseRows(tile::StoreOp store) {
    return cast<tile::ViewType>(store.getView().getType())
               .getKnownStrides()
               .back() == 1;
  }

  /// Whether a tile is stored in accumulator layout, with four lanes per row,
  /// to rows that are not sector-aligned: every access would write parts of two
  /// sectors.
  static bool isCut(tile::StoreOp store, PlanAttr plan, IndexFacts &facts) {
    return isFromDot(store, plan) && tileOf(store).getDimSize(1) >= warpLanes &&
           hasCutRows(store, facts);
  }

  /// Makes the lanes of a warp exchange 16-bit elements that they would
  /// otherwise store in half sectors.
  static void storeSectors(tile::KernelOp kernel) {
    constexpr unsigned bits = 16;
    constexpr int64_t rank = 2;
    IndexFacts facts;
    kernel.walk([&](tile::StoreOp store) {
      RankedTensorType tile = tileOf(store);
      LayoutAttr layout = LayoutAttr::of(tile);
      if (tile.getRank() != rank || !tile.getElementType().isIntOrFloat() ||
          tile.getElementTypeBitWidth() != bits || store.getMask() ||
          store.getOrder() || !layout || !isMmaFragment(layout, rank))
        return;
      AccessFacts access = analyzeAccess(store, facts);
      LayoutAttr sectors;
      for (int64_t vector : {8, 4})
        if (!sectors && access.vectorAxis == 1 &&
            access.vectorSize % vector == 0)
          sectors = sectorLayout(layout, vector);
      if (!sectors)
        return;
      OpBuilder builder(store);
      store.getValueMutable().assign(ConvertLayoutOp::create(
          builder, store.getLoc(), tile.cloneWithEncoding(sectors),
          store.getValue()));
    });
  }

  static void storeRows(tile::StoreOp store) {
    OpBuilder builder(store);
    RankedTensorType tile = tileOf(store);
    store.getValueMutable().assign(ConvertLayoutOp::create(
        builder, store.getLoc(), tile.cloneWithEncoding(inRows(tile)),
        store.getValue()));
  }

  /// Bytes of shared memory that are still free.
  static int64_t bytesLeft(tile::KernelOp kernel, PlanAttr plan) {
    constexpr int64_t reserve = 1024;
    const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
    if (!target)
      return 0;
    int64_t left = target::sharedBytesOfResidents(*target,
                                                  residentsWithProducer(plan)) -
                   reserve,
            scratch = 0;
    kernel.walk([&](Operation *op) {
      scratch = std::max(scratch, scratchBytes(op));
      if (auto alloc = dyn_cast<AllocOp>(op))
        left -= alloc.getResult().getType().getNumBytes();
    });
    return left - plan.getTeams() * scratch;
  }

  /// Whether blocks compute a single product, whose plan may reserve only a
  /// part of a box where that makes room for a stage.
  static bool hasOneProduct(tile::KernelOp kernel) {
    int64_t products = 0;
    kernel.walk([&](FinishDotOp) { ++products; });
    return products <= 1;
  }

  /// Allocates one box per warp group; two, so that a warp group writes one
  /// while the other is being stored, if they fit and there are several; a half
  /// or a quarter of one if the plan of a product left no room for a whole one.
  static Value makeBoxes(OpBuilder &builder, tile::KernelOp kernel,
                         tile::StoreOp store, PlanAttr plan) {
    int64_t groups = plan.getWarps() / groupWarps;
    int64_t columns = boxBytes * 8 / tileOf(store).getElementTypeBitWidth();
    int64_t left = bytesLeft(kernel, plan);
    bool isTransposed = isTransposedAccumulator(tileOf(store), plan.getWarps());
    auto [rowAxis, columnAxis] =
        isTransposed ? std::pair(1, 0) : std::pair(0, 1);
    int64_t boxes =
        llvm::divideCeil(tileOf(store).getDimSize(columnAxis), columns) *
        (tileOf(store).getDimSize(rowAxis) / (groups * boxRows));
    auto allocate = [&](int64_t count, int64_t parts) -> Value {
      int64_t rows = plan.getTeams() * groups * boxRows;
      auto type = SharedType::get(kernel.getContext(),
                                  {count, isTransposed ? rows / parts : rows,
                                   isTransposed ? columns : columns / parts},
                                  boxElement(store),
                                  isTransposed ? boxBytes : boxBytes / parts,
                                  /*padding=*/0);
      return type.getNumBytes() <= left
                 ? AllocOp::create(builder, store.getLoc(), type, nullptr)
                 : Value();
    };
    if (boxes > 1)
      if (Value pair = allocate(/*count=*/2, /*parts=*/1))
        return pair;
    for (int64_t parts : {1, 2, 4})
      if (parts == 1 || hasOneProduct(kernel))
        if (Value box = allocate(/*count=*/1, parts))
          return box;
    return {};
  }

  /// Allocates rows for every warp: the largest divisor of the tile's columns
  /// that fits.
  static Value makeRows(OpBuilder &builder, tile::KernelOp kernel,
                        tile::StoreOp store, PlanAttr plan) {
    int64_t columns = tileOf(store).getDimSize(1),
            left = bytesLeft(kernel, plan),
            bytes = memoryBytes(boxElement(store));
    int64_t width = columnsOfRowStore(columns, mostStoredColumns(bytes));
    for (; width != 0; width = columnsOfRowStore(columns, width - 1)) {
      auto type = SharedType::get(
          kernel.getContext(),
          {plan.getTeams() * plan.getWarps(), storedRows, width},
          boxElement(store), /*swizzle=*/0, paddingOfRow(width, bytes));
      if (type.getNumBytes() <= left)
        return AllocOp::create(builder, store.getLoc(), type, nullptr);
    }
    return {};
  }

  /// The position of a store's tile, in elements.
  static SmallVector<Value> placeOf(OpBuilder &builder, tile::StoreOp store) {
    SmallVector<Value> indices;
    for (auto [index, size] :
         llvm::zip_equal(store.getIndices(), tileOf(store).getShape()))
      indices.push_back(arith::MulIOp::create(
          builder, store.getLoc(), index,
          arith::ConstantIndexOp::create(builder, store.getLoc(), size)));
    return indices;
  }

  static void stageRows(OpBuilder &builder, tile::StoreOp store, Value buffer,
                        IndexFacts &facts) {
    int64_t unit = rowUnit(memoryBytes(boxElement(store)));
    ViewFacts view = facts.ofView(store.getView());
    bool isAligned = view.alignment % rowUnitBytes == 0 &&
                     view.strides[0].isMultipleOf(unit) &&
                     view.sizes[1].isMultipleOf(unit);
    builder.setInsertionPoint(store);
    RowStoreOp::create(builder, store.getLoc(), store.getValue(),
                       store.getView(), placeOf(builder, store), buffer,
                       isAligned);
    store.erase();
  }

  static void stage(OpBuilder &builder, RolesOp roles, tile::StoreOp store,
                    Value buffer) {
    Location loc = store.getLoc();
    RankedTensorType tile = tileOf(store);
    auto type = cast<SharedType>(buffer.getType());
    Window window = *matchWindow(store.getView(), tile.getDimSize(1),
                                 OpFoldResult(store.getIndices()[1]));
    builder.setInsertionPoint(roles);
    SmallVector<int64_t> box(window.start.size() - 2, 1);
    PlanAttr plan = PlanAttr::of(roles);
    box.append(
        {type.getShape()[1] / (plan.getTeams() * plan.getWarps() / groupWarps),
         type.getShape().back()});
    auto map = TensorMapType::get(builder.getContext(), box,
                                  type.getElementType(), type.getSwizzle());
    Value descriptor = TensorMapOp::create(builder, loc, map, window.root);
    builder.setInsertionPoint(store);
    SmallVector<Value> indices = placeIn(builder, store, window);
    bool isWhole = isConstantIntValue(store.getIndices()[0], 0) &&
                   getConstantIntValue(window.rows) == tile.getDimSize(0);
    if (window.rows && !isWhole) {
      // Other data follows a window: its last rows are stored one by one.
      Arithmetic math(builder, loc);
      Value end =
          math.mul(math.add(store.getIndices()[0], 1), tile.getDimSize(0));
      Value fits = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ule, end,
          getValueOrCreateConstantIndexOp(builder, loc, window.rows));
      auto branch =
          scf::IfOp::create(builder, loc, fits, /*withElseRegion=*/true);
      store->moveBefore(branch.elseBlock()->getTerminator());
      builder.setInsertionPointToStart(branch.thenBlock());
      TmaStoreOp::create(builder, loc, store.getValue(), descriptor, indices,
                         buffer);
      return;
    }
    TmaStoreOp::create(builder, loc, store.getValue(), descriptor, indices,
                       buffer);
    store.erase();
  }

  /// Where a tile begins in the argument that its window is of.
  static SmallVector<Value> placeIn(OpBuilder &builder, tile::StoreOp store,
                                    Window &window) {
    Location loc = store.getLoc();
    Arithmetic math(builder, loc);
    SmallVector<Value> place;
    size_t hidden = window.start.size() - 2;
    for (auto [axis, parts] : llvm::enumerate(window.start)) {
      Value sum;
      if (axis >= hidden)
        sum = math.mul(store.getIndices()[axis - hidden],
                       tileOf(store).getDimSize(axis - hidden));
      for (OpFoldResult part : parts) {
        Value value = getValueOrCreateConstantIndexOp(builder, loc, part);
        sum = sum ? math.add(sum, value) : value;
      }
      place.push_back(sum);
    }
    return place;
  }
};
} // namespace
