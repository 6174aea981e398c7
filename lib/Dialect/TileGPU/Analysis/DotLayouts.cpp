// Selects an instruction for each dot and derives its layouts.
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <tuple>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// Number of warps along each axis of a matrix.
struct WarpGrid {
  int64_t rows, columns;
};
} // namespace

/// \param rowUnit, columnUnit  tile of one warp instruction.
/// \param keepRows  whether rows are split last.
static WarpGrid spreadWarps(int64_t rows, int64_t columns, int64_t rowUnit,
                            int64_t columnUnit, int64_t warps, bool keepRows) {
  auto costOf = [&](WarpGrid grid) {
    int64_t height = llvm::divideCeil(rows, rowUnit * grid.rows) * rowUnit,
            width = llvm::divideCeil(columns, columnUnit * grid.columns) *
                    columnUnit;
    // On a tie, prefer warps that share no rows, so reductions stay within a
    // warp.
    return std::tuple(height * width, keepRows ? 0 : height + width,
                      grid.columns);
  };
  WarpGrid best = {1, 1};
  for (int64_t vertical = 1; vertical <= warps; ++vertical)
    for (int64_t horizontal = 1; vertical * horizontal <= warps; ++horizontal) {
      WarpGrid grid = {vertical, horizontal};
      if (warps % (vertical * horizontal) == 0 && costOf(grid) < costOf(best))
        best = grid;
    }
  return best;
}

bool suitTensorCores(Type lhs, Type rhs, tile::Precision precision) {
  if (tile::isF8(lhs) && tile::isF8(rhs))
    return precision == tile::Precision::Fast;
  if (lhs.isInteger(8) && rhs.isInteger(8))
    return true;
  bool isTF32 = lhs.isF32() && precision == tile::Precision::TF32;
  return lhs == rhs && (lhs.isBF16() || lhs.isF16() || isTF32);
}

int64_t columnStepOf(Type element, int64_t columns) {
  constexpr int64_t step = 8, few = 32;
  return element.isInteger(8) && columns > few ? 2 * step : step;
}

/// Whether both operands are K-major in memory.
static bool isContiguousAlongK(tile::DotOp dot) {
  return !dot.getTransposeA() && dot.getTransposeB();
}

std::optional<MmaOperands> mmaOperands(tile::DotOp dot) {
  constexpr int64_t stepBytes = 32;
  Type lhs = dot.getLhs().getType().getElementType(),
       rhs = dot.getRhs().getType().getElementType(),
       acc = dot.getAcc().getType().getElementType();
  auto both = [](Type type) {
    return MmaOperands{type, type, stepBytes / memoryBytes(type)};
  };
  // ldmatrix does not transpose bytes. Those of i8 are loaded one by one; f8 is
  // widened.
  bool areF8 = tile::isF8(lhs) && tile::isF8(rhs);
  if ((lhs.isInteger(8) && rhs.isInteger(8)) ||
      (areF8 && isContiguousAlongK(dot)))
    return MmaOperands{lhs, rhs, stepBytes};
  if (!acc.isF32())
    return std::nullopt;
  if (dot.getPrecision() == tile::Precision::TF32)
    return both(acc);
  // f16 and bf16 represent all f8 values.
  bool isNarrowLeft = tile::isF8(lhs), isNarrowRight = tile::isF8(rhs);
  if (isNarrowLeft && isNarrowRight)
    return both(Float16Type::get(dot.getContext()));
  Type type = isNarrowLeft ? rhs : lhs;
  bool areAlike = isNarrowLeft || isNarrowRight || lhs == rhs;
  if (areAlike && (type.isBF16() || type.isF16()))
    return both(type);
  return std::nullopt;
}

/// Whether a producer feeds a dot whose rows can be split among warp groups; or
/// whether the plan has marked the dot.
static bool isWgmma(tile::DotOp dot, PlanAttr plan) {
  if (dot->hasAttr(wgmmaName))
    return true;
  if (!isa<MainloopOp>(dot->getParentOp()) || plan.getWarps() % groupWarps)
    return false;
  int64_t groups = plan.getWarps() / groupWarps,
          rows = dot.getAcc().getType().getDimSize(0);
  return rows % (groups * groupRows) == 0 || (groups == 1 && rows < groupRows);
}

bool suitsMmaSync(tile::DotOp dot) {
  RankedTensorType acc = dot.getAcc().getType();
  int64_t rank = acc.getRank();
  std::optional<MmaOperands> operands = mmaOperands(dot);
  return operands && depthOf(dot) % operands->depth == 0 &&
         acc.getDimSize(rank - 1) >= fragmentColumns;
}

DotKind chooseDot(tile::DotOp dot, PlanAttr plan) {
  if (isWgmma(dot, plan))
    return DotKind::Wgmma;
  return suitsMmaSync(dot) ? DotKind::MmaSync : DotKind::FusedMultiplyAdd;
}

namespace {
/// The elements that the lanes of one warp hold at a time.
struct Fragment {
  SmallVector<LayoutMode> registers, lanes;
  int64_t rows, columns;
};
} // namespace

/// Lanes are arranged so that the operand rows that they read at a time are
/// adjacent: with an odd number of 16-byte units per row these are in different
/// banks. Two rows alternate fastest: shared memory serves sixteen lanes per
/// wavefront if lanes l and l + 1, or l and l + 2, read the same 16 bytes, and
/// eight otherwise.
static Fragment fusedMultiplyAddFragment(int64_t row, int64_t rows,
                                         int64_t columns) {
  constexpr int64_t lanesAcross = 8, pair = 2;
  int64_t column = row + 1;
  int64_t wantedColumns = llvm::PowerOf2Ceil(columns),
          wantedRows = llvm::PowerOf2Ceil(rows);
  int64_t across = std::min(lanesAcross, wantedColumns);
  int64_t down = std::min(warpLanes / across, wantedRows);
  across = std::min(warpLanes / down, wantedColumns);
  int64_t alternating = std::gcd(pair, down);
  return {{},
          {{alternating, row, 1},
           {across, column, 1},
           {down / alternating, row, alternating},
           LayoutMode::replicate(warpLanes / (across * down))},
          down,
          across};
}

static Fragment mmaSyncFragment(int64_t row) {
  int64_t column = row + 1;
  return {{{2, column, 1}, {2, row, 8}},
          {{4, column, 2}, {8, row, 1}},
          fragmentRows,
          fragmentColumns};
}

/// The accumulator of `wgmma` m64nN (PTX ISA, "Register Fragments for
/// wgmma.mma_async.m64nNk16"): a warp has 16 rows of each 64, in fragments like
/// those of `mma.sync`; warp groups are arranged along the rows.
static LayoutAttr wgmmaLayout(RankedTensorType acc, int64_t warps,
                              const Fragment &fragment) {
  int64_t groups = warps / groupWarps, rows = acc.getDimSize(0);
  int64_t blocks = llvm::divideCeil(rows, groups * groupRows);
  SmallVector<LayoutMode> registers = fragment.registers;
  registers.push_back(
      {int64_t(llvm::divideCeil(acc.getDimSize(1), fragment.columns)), 1,
       fragment.columns});
  registers.push_back({blocks, 0, groupRows});
  return LayoutAttr::getCanonical(
      acc.getContext(), registers, fragment.lanes,
      {{groupWarps, 0, fragment.rows}, {groups, 0, blocks * groupRows}});
}

static LayoutAttr makeLayout(DotKind kind, RankedTensorType acc, int64_t warps,
                             bool keepRows) {
  if (kind == DotKind::Wgmma)
    return wgmmaLayout(acc, warps, mmaSyncFragment(/*row=*/0));
  int64_t row = acc.getRank() - 2, column = row + 1;
  int64_t rows = acc.getDimSize(row), columns = acc.getDimSize(column);
  Fragment fragment = kind == DotKind::FusedMultiplyAdd
                          ? fusedMultiplyAddFragment(row, rows, columns)
                          : mmaSyncFragment(row);

  int64_t batch = row == 0 ? 1 : acc.getDimSize(0);
  int64_t batchWarps = std::gcd(warps, int64_t(llvm::PowerOf2Ceil(batch)));
  WarpGrid grid = spreadWarps(rows, columns, fragment.rows, fragment.columns,
                              warps / batchWarps, keepRows);
  int64_t down = llvm::divideCeil(rows, fragment.rows * grid.rows),
          across = llvm::divideCeil(columns, fragment.columns * grid.columns);

  // The fragments of a warp are adjacent, so that it reads whole rows of its
  // part.
  SmallVector<LayoutMode> registers = fragment.registers;
  registers.push_back({across, column, fragment.columns});
  registers.push_back({down, row, fragment.rows});
  SmallVector<LayoutMode> places = {
      {grid.rows, row, fragment.rows * down},
      {grid.columns, column, fragment.columns * across}};
  if (row != 0) {
    registers.push_back(
        {int64_t(llvm::divideCeil(batch, batchWarps)), 0, batchWarps});
    places.push_back({batchWarps, 0, 1});
  }
  places.push_back(
      LayoutMode::replicate(warps / (batchWarps * grid.rows * grid.columns)));
  return LayoutAttr::getCanonical(acc.getContext(), registers, fragment.lanes,
                                  places);
}

LayoutAttr accumulatorLayout(DotKind kind, RankedTensorType acc,
                             int64_t warps) {
  return makeLayout(kind, acc, warps, /*keepRows=*/false);
}

/// Whether the rows of a result are reduced in its block.
static bool isReducedAlongRows(tile::DotOp dot) {
  SetVector<Operation *> reached;
  reached.insert(dot);
  for (size_t next = 0; next < reached.size(); ++next) {
    Operation *op = reached[next];
    auto reduce = dyn_cast<tile::ReduceOp>(op);
    if (reduce &&
        int64_t(reduce.getAxis()) == dot.getAcc().getType().getRank() - 1)
      return true;
    // Only elements of the result itself count.
    if (reduce || (op != dot && isa<tile::DotOp>(op)))
      continue;
    for (Operation *user : op->getUsers())
      if (user->getBlock() == dot->getBlock())
        reached.insert(user);
  }
  return false;
}

/// The values that a use in a block flows to: results of its owner, and the
/// arguments of the next iteration of a loop around the block.
static ValueRange successorsOf(OpOperand &use) {
  Operation *user = use.getOwner();
  auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
  if (isa<scf::YieldOp>(user) && loop)
    return loop.getRegionIterArgs().slice(use.getOperandNumber(), 1);
  return user->getResults();
}

/// Whether the result of a dot becomes, element by element, the lhs of one in
/// its block, in this iteration of a loop or in the next.
static bool feedsDot(tile::DotOp dot) {
  SetVector<Value> reached;
  reached.insert(dot.getResult());
  for (size_t next = 0; next < reached.size(); ++next)
    for (OpOperand &use : reached[next].getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() != dot->getBlock() || isa<tile::ReduceOp>(user))
        continue;
      if (auto other = dyn_cast<tile::DotOp>(user)) {
        if (&use == &other.getLhsMutable())
          return true;
        continue;
      }
      reached.insert_range(successorsOf(use));
    }
  return false;
}

/// Whether the lhs of a dot is made of the result of one in its block, in this
/// iteration of a loop or in the one before.
static bool isFedByDot(tile::DotOp dot) {
  SetVector<Value> reached;
  reached.insert(dot.getLhs());
  for (size_t next = 0; next < reached.size(); ++next) {
    Value value = reached[next];
    if (auto carried = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
      if (loop && carried.getOwner() == dot->getBlock())
        if (OpOperand *yielded = loop.getTiedLoopYieldedValue(carried))
          reached.insert(yielded->get());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() != dot->getBlock())
      continue;
    if (isa<tile::DotOp>(op))
      return true;
    reached.insert_range(op->getOperands());
  }
  return false;
}

LayoutAttr leftOperandLayout(RankedTensorType lhs, int64_t warps) {
  if (!lhs.getElementType().isF32())
    return accumulatorLayout(DotKind::Wgmma, lhs, warps);
  // PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk8".
  Fragment fragment{{{2, 0, 8}, {2, 1, 4}},
                    {{4, 1, 1}, {8, 0, 1}},
                    fragmentRows,
                    fragmentColumns};
  return wgmmaLayout(lhs, warps, fragment);
}

LayoutAttr accumulatorLayout(tile::DotOp dot, PlanAttr plan) {
  DotKind kind = chooseDot(dot, plan);
  // Fragments of sums are those of a lhs where warps have whole rows.
  bool keepRows = kind == DotKind::MmaSync &&
                  (isReducedAlongRows(dot) || isFedByDot(dot) || feedsDot(dot));
  return makeLayout(kind, dot.getAcc().getType(), plan.getWarps(), keepRows);
}

bool isMmaFragment(LayoutAttr layout, int64_t rank) {
  Fragment fragment = mmaSyncFragment(rank - 2);
  int64_t count = layout.getNumRegisters();
  if (layout.getLanes() != ArrayRef(fragment.lanes) || count % 4 != 0)
    return false;
  constexpr std::pair<int64_t, int64_t> places[] = {
      {0, 0}, {0, 1}, {8, 0}, {8, 1}};
  for (int64_t reg = 0; reg < count; ++reg) {
    SmallVector<int64_t> offset = layout.getRegisterOffset(reg, rank);
    SmallVector<int64_t> first = layout.getRegisterOffset(reg - reg % 4, rank);
    first[rank - 2] += places[reg % 4].first;
    first[rank - 1] += places[reg % 4].second;
    if (offset != first)
      return false;
  }
  return true;
}

LayoutAttr sectorLayout(LayoutAttr layout, int64_t vector) {
  constexpr int64_t pair = 2, rowLanes = 4, columns = pair * rowLanes;
  const int64_t joined = vector / pair;
  SmallVector<LayoutMode> registers(layout.getRegisters()),
      lanes(layout.getLanes());
  auto find = [](MutableArrayRef<LayoutMode> modes, int64_t stride) {
    return llvm::find_if(modes, [&](const LayoutMode &mode) {
      return mode.axis == 1 && mode.stride == stride;
    });
  };
  auto *element = find(registers, 1), *beside = find(registers, columns),
       *lane = find(lanes, pair);
  if (element == registers.end() || element->extent != pair ||
      beside == registers.end() || beside->extent % joined != 0 ||
      lane == lanes.end() || lane->extent != rowLanes)
    return {};
  *element = {vector, 1, 1};
  *beside = {beside->extent / joined, 1, joined * columns};
  *lane = {rowLanes, 1, vector};
  return LayoutAttr::getCanonical(layout.getContext(), registers, lanes,
                                  layout.getWarps());
}

/// The offset of warp number `warp` in the coordinates of a tile.
static SmallVector<int64_t> warpOffset(LayoutAttr layout, int64_t warp,
                                       int64_t rank) {
  SmallVector<int64_t> offset(rank, 0);
  for (const LayoutMode &mode : layout.getWarps()) {
    if (!mode.isReplicated())
      offset[mode.axis] += warp % mode.extent * mode.stride;
    warp /= mode.extent;
  }
  return offset;
}

bool isMmaLhs(RankedTensorType lhs, LayoutAttr acc) {
  constexpr int64_t rank = 2, elementBits = 16, depth = 16;
  LayoutAttr layout = LayoutAttr::of(lhs);
  if (!layout || lhs.getRank() != rank || !isMmaFragment(layout, rank) ||
      !isMmaFragment(acc, rank) || lhs.getDimSize(1) % depth != 0 ||
      lhs.getElementType().getIntOrFloatBitWidth() != elementBits ||
      layout.getNumWarps() != acc.getNumWarps())
    return false;
  for (int64_t warp = 0; warp < acc.getNumWarps(); ++warp)
    if (SmallVector<int64_t> offset = warpOffset(layout, warp, rank);
        offset[0] != warpOffset(acc, warp, rank)[0] || offset[1] != 0)
      return false;
  // All fragments of the accumulator's rows, for all of K.
  llvm::SmallDenseSet<std::pair<int64_t, int64_t>> held;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    SmallVector<int64_t> offset = layout.getRegisterOffset(reg, rank);
    held.insert({offset[0], offset[1]});
  }
  for (int64_t reg = 0; reg < acc.getNumRegisters(); ++reg)
    for (int64_t k = 0; k < lhs.getDimSize(1); k += fragmentColumns)
      if (!held.contains({acc.getRegisterOffset(reg, rank)[0], k}))
        return false;
  return true;
}

} // namespace tilegpt::tilegpu
