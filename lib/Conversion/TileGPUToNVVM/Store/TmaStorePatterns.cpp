// Stores tiles through shared memory: stmatrix writes a warp group's fragments
// to a swizzled buffer, from which TMA stores whole boxes.
#include "Thread/PipeAddress.h"
#include "Thread/RegisterVector.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// Writes the part of a tile held by one warp group: rows, or columns of a
/// transposed dot.
class GroupStore {
public:
  GroupStore(OpBuilder &builder, TmaStoreOp op, bool isTransposed,
             ValueRange registers, Value buffer, Value map,
             ArrayRef<Value> start)
      : builder(builder), loc(op.getLoc()), math(builder, loc),
        isTransposed(isTransposed), registers(registers), map(map),
        start(start) {
    RankedTensorType tile = op.getValue().getType();
    columns = tile.getDimSize(isTransposed ? 0 : 1);
    SharedType type = op.getBuffer().getType();
    ArrayRef<int64_t> shape = type.getShape(),
                      box = op.getMap().getType().getBox().take_back(2);
    constexpr int64_t elementBytes = 2;
    boxColumns = box[isTransposed ? 0 : 1];
    rowBytes = box[1] * elementBytes;
    boxBytes = box[0] * rowBytes;
    buffers = shape[0];
    bufferBytes = shape[1] * rowBytes;
    plan = PlanAttr::of(op);
    blocks = tile.getDimSize(isTransposed ? 1 : 0) /
             (groupsOfTeam(plan) * groupRows);
    rowGroup = groupInTeam(builder, loc, plan);
    group = plan.getConsumerThreads() > groupThreads ? warpGroup(builder, loc)
                                                     : constant(0);
    Value thread = math.bitAnd(blockThread(builder, loc), groupThreads - 1);
    leads = math.isEqual(thread, 0);
    source = offset(buffer, math.mul(group, boxBytes));
    if (isTransposed)
      placeLanesOfColumns(thread);
    else
      placeLanes(thread);
  }

  void write() {
    int64_t number = 0;
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t column : boxStarts(columns, boxColumns))
        writeBox(block, column, number++);
  }

  /// First columns of the boxes of a tile. If boxes do not divide it, the last
  /// one overlaps its predecessor and stores the same values again.
  static SmallVector<int64_t> boxStarts(int64_t columns, int64_t boxColumns) {
    SmallVector<int64_t> starts;
    for (int64_t column = 0; column + boxColumns <= columns;
         column += boxColumns)
      starts.push_back(column);
    if (columns % boxColumns)
      starts.push_back(columns - boxColumns);
    return starts;
  }

private:
  static constexpr int64_t lineBytes = 128, unitBytes = 16;

  Value constant(int64_t value) { return i32Constant(builder, loc, value); }
  Value offset(Value pointer, Value bytes) {
    return bytesBehind(builder, loc, pointer, bytes);
  }

  /// The address of this lane's row of stmatrix, for each 16 columns of a box.
  /// Lanes 0 to 15 address the rows of the left 8 columns of 16 × 16, the
  /// others those of the right ones; 16-byte units are xored with the row.
  void placeLanes(Value thread) {
    Value lane = math.bitAnd(thread, 31), warp = math.shiftRight(thread, 5);
    Value row = math.add(math.bitAnd(lane, 15), math.mul(warp, 16));
    Value half = math.shiftRight(lane, 4);
    // The swizzle xors the unit with the number of the line of 128 bytes.
    Value number = math.shiftRight(row, llvm::Log2_64(lineBytes / rowBytes));
    Value unit = math.shiftLeft(
        math.bitXor(math.bitAnd(number, rowBytes / unitBytes - 1), half), 4);
    Value line = math.mul(row, rowBytes);
    constexpr int64_t matrixPairBytes = 32;
    for (int64_t bytes = 0; bytes < rowBytes; bytes += matrixPairBytes)
      lanePlaces.push_back(
          offset(source, math.add(line, math.bitXor(unit, bytes))));
  }

  /// The same if registers hold columns: lanes 0 to 7 address the rows of the
  /// left 8 columns of 16 x 16, lanes 8 to 15 those of the right ones, the
  /// others the 8 rows below. A warp has 16 columns of a box.
  void placeLanesOfColumns(Value thread) {
    Value lane = math.bitAnd(thread, 31), warp = math.shiftRight(thread, 5);
    Value row = math.bitAnd(lane, 7),
          below = math.bitAnd(math.shiftRight(lane, 1), 8);
    Value column = math.add(math.shiftLeft(warp, 1),
                            math.bitAnd(math.shiftRight(lane, 3), 1));
    Value unit = math.shiftLeft(math.bitXor(column, row), 4);
    Value place = offset(
        source, math.add(math.mul(math.add(row, below), rowBytes), unit));
    constexpr int64_t matrixPairRows = 16;
    for (int64_t first = 0; first < boxColumns; first += matrixPairRows)
      lanePlaces.push_back(bytesBehind(builder, loc, place, first * rowBytes));
  }

  void synchronize() { synchronizeGroup(builder, loc, plan); }

  void byLeader(llvm::function_ref<void()> emit) {
    auto branch = scf::IfOp::create(builder, loc, leads);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    emit();
  }

  void writeBox(int64_t block, int64_t column, int64_t number) {
    // The previous store from the buffer must have read it. The last box of an
    // earlier tile may be in any of them.
    int64_t buffer = number % buffers, pending = number == 0 ? 0 : buffers - 1;
    byLeader([&] {
      NVVM::CpAsyncBulkWaitGroupOp::create(builder, loc, uint32_t(pending),
                                           builder.getUnitAttr());
    });
    synchronize();
    for (auto [number, place] : llvm::enumerate(lanePlaces))
      writeMatrices(block, column + 16 * number,
                    bytesBehind(builder, loc, place, buffer * bufferBytes));
    publishToAsyncProxy(builder, loc);
    synchronize();
    byLeader([&] {
      // Fastest axis first.
      SmallVector<Value> place(llvm::reverse(start));
      Value &walked = place[isTransposed ? 1 : 0],
            &shared = place[isTransposed ? 0 : 1];
      walked = math.add(walked, column);
      shared =
          math.add(math.add(shared, math.mul(rowGroup, blocks * groupRows)),
                   block * groupRows);
      NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
          builder, loc, map,
          bytesBehind(builder, loc, source, buffer * bufferBytes), place,
          /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE,
          /*predicate=*/Value());
      NVVM::CpAsyncBulkCommitGroupOp::create(builder, loc);
    });
  }

  /// 16 columns of 64 rows, or transposed: four 8 × 8 matrices per warp.
  void writeMatrices(int64_t block, int64_t column, Value place) {
    int64_t first = block * columns / 2 + column / fragmentColumns * 4;
    SmallVector<Value> pairs;
    for (int64_t reg = first; reg < first + 8; reg += 2)
      pairs.push_back(
          packHalves(builder, loc, registers[reg], registers[reg + 1]));
    auto shape = NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8);
    NVVM::StMatrixOp::create(builder, loc, place, pairs,
                             isTransposed ? NVVM::MMALayout::col
                                          : NVVM::MMALayout::row,
                             shape, NVVM::LdStMatrixEltType::B16);
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  PlanAttr plan;
  bool isTransposed;
  ValueRange registers;
  Value map;
  ArrayRef<Value> start; ///< of the tile, an i32 an axis of the view
  /// Columns and blocks of 64 rows of the dot's result.
  int64_t columns, blocks;
  /// Columns of the dot's result in a box; bytes of its rows, which are columns
  /// of a transposed dot, and of all of it.
  int64_t boxColumns, rowBytes, boxBytes;
  int64_t buffers, bufferBytes;
  Value group;    ///< of the block
  Value rowGroup; ///< of those that share the tile
  Value leads, source;
  SmallVector<Value> lanePlaces;
};

struct LowerTmaStore : OpConversionPattern<TmaStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TmaStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = op.getValue().getType();
    int64_t warps = PlanAttr::of(op).getWarps();
    bool isTransposed = isTransposedAccumulator(tile, warps);
    if (!isTransposed &&
        LayoutAttr::of(tile) != accumulatorLayout(DotKind::Wgmma, tile, warps))
      return op.emitOpError("expected the layout of a wgmma accumulator, or of "
                            "a transposed one, found ")
             << tile;
    if (op.getMap().getType().getBox().take_back(2)[isTransposed] != groupRows)
      return op.emitOpError("expected boxes with the rows of a warp group, its "
                            "columns if the layout is transposed, found ")
             << op.getMap().getType();
    SmallVector<Value> start;
    for (ValueRange index : adaptor.getIndices())
      start.push_back(arith::IndexCastOp::create(
          rewriter, op.getLoc(), rewriter.getI32Type(), index.front()));
    GroupStore(rewriter, op, isTransposed, adaptor.getValue(),
               adaptor.getBuffer().front(), adaptor.getMap().front(), start)
        .write();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Threads that may have started bulk stores wait until these have read the
/// buffers, which are released at the end of the kernel.
struct LowerFinishStores : OpConversionPattern<FinishStoresOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(FinishStoresOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Arithmetic math(rewriter, loc);
    Value thread = math.bitAnd(blockThread(rewriter, loc), groupThreads - 1);
    auto branch = scf::IfOp::create(rewriter, loc, math.isEqual(thread, 0));
    rewriter.setInsertionPointToStart(branch.thenBlock());
    NVVM::CpAsyncBulkWaitGroupOp::create(rewriter, loc, 0u,
                                         rewriter.getUnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateTmaStorePatterns(const ThreadTypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<LowerTmaStore, LowerFinishStores>(converter,
                                                 patterns.getContext());
}

} // namespace tilegpt::tilegpu
