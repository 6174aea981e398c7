// Distributes tiles by the width of memory accesses, and reduced rows by the
// elements that a thread reduces alone.
#include "Layout/BlockedLayouts.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/Residents.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

BlockedLayouts::BlockedLayouts(tile::KernelOp kernel,
                               const LayoutClasses &classes,
                               const MemoryAnchors &anchors)
    : kernel(kernel), plan(PlanAttr::of(kernel)), classes(classes),
      anchors(anchors), sharedRows(findSharedRows(kernel)) {
  kernel.walk([&](Operation *op) {
    if (auto extract = dyn_cast<tile::ExtractOp>(op))
      addPiece(extract.getSource(), extract.getResult());
    else if (auto cat = dyn_cast<tile::CatOp>(op))
      addPiece(cat.getResult(), cat.getLhs());
  });
}

void BlockedLayouts::addPiece(Value whole, Value piece) {
  std::optional<Pieces> found;
  for (auto [axis, sizes] : llvm::enumerate(llvm::zip_equal(
           tileOf(whole).getShape(), tileOf(piece).getShape()))) {
    auto [from, to] = sizes;
    if (from == to)
      continue;
    if (found || from % to != 0) {
      found.reset();
      break;
    }
    found = {int64_t(axis), to, from / to};
  }
  auto [it, isNew] = pieces.try_emplace(classes.leaderOf(whole), found);
  if (!isNew && it->second != found)
    it->second.reset();
}

LayoutAttr BlockedLayouts::of(Value tile) const {
  ArrayRef<int64_t> shape = tileOf(tile).getShape();
  if (shape.empty())
    return LayoutAttr::getBlocked(plan.getContext(), shape, 1, plan.getWarps());
  const MemoryAnchor *found = anchors.lookUp(tile);
  const auto last = int64_t(shape.size()) - 1;
  // Four elements unless accesses by offset move more.
  const int64_t usual =
      found ? 0 : std::max<int64_t>(4, anchors.widestOffset(tile, last));
  const MemoryAnchor anchor =
      found ? *found : MemoryAnchor{1, last, usual, usual};
  int64_t perThread =
      llvm::divideCeil(tileOf(tile).getNumElements(), plan.getComputeThreads());
  if (!found)
    if (std::optional<Pieces> cut = pieces.lookup(classes.leaderOf(tile)))
      if (LayoutAttr layout = inPieces(tile, *cut, perThread))
        return layout;
  // Narrow accesses to shared memory are as fast as wide ones: tiles read from
  // there give way to wider types in the class, whose accesses should be
  // contiguous.
  int64_t mostVector = anchor.vector;
  if (auto whole = anchors.wholeAccess(shape[anchor.fastest]);
      anchor.direct < anchor.vector && whole)
    mostVector = std::max(anchor.direct, std::min(mostVector, *whole));
  int64_t vector = std::min<int64_t>(
      {mostVector, int64_t(llvm::bit_ceil(uint64_t(perThread))),
       int64_t(llvm::bit_floor(uint64_t(shape[anchor.fastest])))});
  vector = anchors.offsetVector(tile, anchor.fastest, vector);
  if (isSharedRows(shape)) {
    int64_t row[] = {1, shape[1]};
    return LayoutAttr::getBlocked(plan.getContext(), row, vector,
                                  plan.getWarps())
        .broadcast(row, shape);
  }
  if (LayoutAttr rows = shortRows(tile, anchor, vector))
    return rows;
  if (LayoutAttr rows = scannedRows(tile, anchor, vector))
    return rows;
  // getBlocked fills the last axis first: swap the fastest axis there.
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  std::swap(permutation[anchor.fastest], permutation.back());
  SmallVector<int64_t> permuted = llvm::map_to_vector(
      permutation, [&](int64_t axis) { return shape[axis]; });
  LayoutAttr blocked = LayoutAttr::getBlocked(plan.getContext(), permuted,
                                              vector, plan.getWarps())
                           .permute(permutation);
  return scannedColumns(tile, anchor.fastest, blocked);
}

/// A layout in which each thread holds the same elements of all pieces, so that
/// splitting or joining moves none. Null if a thread has no share of each.
LayoutAttr BlockedLayouts::inPieces(Value tile, Pieces pieces,
                                    int64_t perThread) const {
  if (!llvm::isPowerOf2_64(pieces.count) ||
      pieces.count > int64_t(llvm::bit_ceil(uint64_t(perThread))))
    return {};
  constexpr int64_t mostVector = 4;
  SmallVector<int64_t> piece(tileOf(tile).getShape());
  piece[pieces.axis] = pieces.size;
  int64_t vector = std::min<int64_t>(
      {mostVector, int64_t(llvm::bit_ceil(uint64_t(perThread))) / pieces.count,
       int64_t(llvm::bit_floor(uint64_t(piece.back())))});
  LayoutAttr layout =
      LayoutAttr::getBlocked(plan.getContext(), piece, vector, plan.getWarps());
  // Elements past the end of a piece would belong to the next one.
  if (layout.getCoveredSize(pieces.axis) != pieces.size)
    return {};
  SmallVector<LayoutMode> registers(layout.getRegisters());
  registers.push_back({pieces.count, pieces.axis, pieces.size});
  return LayoutAttr::getCanonical(plan.getContext(), registers,
                                  layout.getLanes(), layout.getWarps());
}

/// The lanes of a row that leave each thread fewer vectors of its tile than the
/// usual number of lanes: rows of 18 vectors leave 14 lanes of a warp idle. As
/// many as a warp has if there are none. Accesses should be whole cache lines
/// (softmax of 32 columns in f32: 13.5 us, and 17.4 by 2 lanes), and long rows
/// leave few lanes idle.
static int64_t lanesOfWholeLines(int64_t rows, int64_t columns, int64_t vector,
                                 int64_t warps) {
  constexpr int64_t lineBytes = 128, fewest = lineBytes / maxAccessBytes,
                    mostVectors = 2;
  if (columns > mostVectors * warpLanes * vector)
    return warpLanes;
  auto vectorsOf = [&](int64_t lanes) {
    return llvm::divideCeil(columns, lanes * vector) *
           llvm::divideCeil(rows, warpLanes / lanes * warps);
  };
  const auto usual = std::min<int64_t>(
      warpLanes, llvm::PowerOf2Ceil(llvm::divideCeil(columns, vector)));
  int64_t best = usual;
  for (int64_t lanes = usual / 2; lanes >= fewest; lanes /= 2)
    if (vectorsOf(lanes) < vectorsOf(best))
      best = lanes;
  return best == usual ? warpLanes : best;
}

/// Distributes reduced rows over fewer lanes than a warp: those that threads
/// read element by element over as few as leave each thread its share of the
/// tile, since reductions within a thread need no shuffles, others over whole
/// cache lines. Null for other tiles.
LayoutAttr BlockedLayouts::shortRows(Value tile, const MemoryAnchor &anchor,
                                     int64_t vector) const {
  RankedTensorType type = tileOf(tile);
  if (type.getRank() != 2 || anchor.fastest != 1 || !isReducedAlong(tile, 1))
    return {};
  int64_t columns = type.getDimSize(1), rows = type.getDimSize(0),
          warps = plan.getWarps();
  int64_t perThread =
      std::max<int64_t>(vector, llvm::divideCeil(type.getNumElements(),
                                                 plan.getComputeThreads()));
  int64_t lanes =
      vector * memoryBytes(type.getElementType()) >= maxAccessBytes
          ? lanesOfWholeLines(rows, columns, vector, warps)
          : llvm::PowerOf2Ceil(llvm::divideCeil(columns, perThread));
  if (lanes >= warpLanes)
    return {};
  int64_t beside = warpLanes / lanes,
          pieces = llvm::divideCeil(columns, lanes * vector),
          each = llvm::divideCeil(rows, beside * warps);
  return LayoutAttr::getCanonical(
      plan.getContext(),
      {{vector, 1, 1}, {pieces, 1, lanes * vector}, {each, 0, beside * warps}},
      {{lanes, 1, vector}, {beside, 0, 1}}, {{warps, 0, beside}});
}

/// Gives each thread adjacent elements of a scanned row that comes through
/// shared memory: with one element a thread, each register would be scanned
/// across lanes and warps. Null for other tiles.
LayoutAttr BlockedLayouts::scannedRows(Value tile, const MemoryAnchor &anchor,
                                       int64_t vector) const {
  constexpr int64_t bankBytes = 4;
  RankedTensorType type = tileOf(tile);
  const int64_t bytes = memoryBytes(type.getElementType());
  // Long rows are staged in pieces.
  if (type.getRank() != 2 || anchor.fastest != 1 || stagesRows(plan) ||
      vector * bytes >= maxAccessBytes || !isScannedAlong(tile, 1) ||
      !holdsWholeRows(tile))
    return {};
  // Rows of several warps, or warps of several rows.
  const int64_t rows = type.getDimSize(0), columns = type.getDimSize(1),
                ofRows = std::gcd<int64_t>(plan.getWarps(),
                                           llvm::PowerOf2Ceil(rows)),
                ofColumns = plan.getWarps() / ofRows;
  // An odd number of banks from lane to lane.
  const int64_t ofBank = std::max<int64_t>(1, bankBytes / bytes),
                banks = llvm::divideCeil(
                    llvm::divideCeil(columns, warpLanes * ofColumns), ofBank),
                each = (banks | 1) * ofBank;
  return LayoutAttr::getCanonical(
      plan.getContext(),
      {{each, 1, 1}, {int64_t(llvm::divideCeil(rows, ofRows)), 0, ofRows}},
      {{warpLanes, 1, each}},
      {{ofColumns, 1, warpLanes * each}, {ofRows, 0, 1}});
}

/// Gives each thread adjacent elements along a scanned axis that is not
/// contiguous in memory, which leaves the width of accesses unchanged:
/// otherwise each register would be scanned across lanes and warps.
LayoutAttr BlockedLayouts::scannedColumns(Value tile, int64_t fastest,
                                          LayoutAttr blocked) const {
  for (int64_t axis = 0; axis < tileOf(tile).getRank(); ++axis) {
    if (axis == fastest || !isScannedAlong(tile, axis))
      continue;
    auto isAlong = [&](const LayoutMode &mode) { return mode.axis == axis; };
    SmallVector<LayoutMode> registers(blocked.getRegisters()),
        lanes(blocked.getLanes()), warps(blocked.getWarps());
    auto *own = llvm::find_if(registers, isAlong);
    if (own == registers.end() || llvm::count_if(registers, isAlong) != 1)
      continue;
    for (LayoutMode &mode : llvm::concat<LayoutMode>(lanes, warps))
      if (isAlong(mode) && mode.stride < own->stride)
        mode.stride *= own->extent;
    own->stride = 1;
    return LayoutAttr::getCanonical(plan.getContext(), registers, lanes, warps);
  }
  return blocked;
}

bool BlockedLayouts::holdsWholeRows(Value tile) const {
  Value leader = classes.leaderOf(tile);
  tile::KernelOp within = kernel;
  return !within
              .walk([&](Operation *op) {
                if (!isAccess(op))
                  return WalkResult::advance();
                AccessOperands access(op);
                auto view = cast<tile::ViewType>(access.view.getType());
                return classes.leaderOf(access.value) != leader ||
                               (isa<BlockArgument>(access.view) &&
                                view.isDense() && view.getRank() == 2 &&
                                view.getShape()[1] == access.tile.getDimSize(1))
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool BlockedLayouts::isScannedAlong(Value tile, int64_t axis) const {
  Value leader = classes.leaderOf(tile);
  tile::KernelOp within = kernel;
  return within
      .walk([&](tile::ScanOp scan) {
        return int64_t(scan.getAxis()) == axis &&
                       classes.leaderOf(scan.getSources().front()) == leader
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool BlockedLayouts::isReducedAlong(Value tile, int64_t axis) const {
  Value leader = classes.leaderOf(tile);
  tile::KernelOp within = kernel;
  return isScannedAlong(tile, axis) ||
         within
             .walk([&](tile::ReduceOp reduce) {
               return int64_t(reduce.getAxis()) == axis &&
                              classes.leaderOf(reduce.getSources().front()) ==
                                  leader
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// Whether this is a tile of rows that all warps share.
bool BlockedLayouts::isSharedRows(ArrayRef<int64_t> shape) const {
  return sharedRows && shape.size() == 2 && shape[0] == sharedRows->rows &&
         shape[1] == sharedRows->columns &&
         plan.getWarps() == sharedRows->getWarps();
}

} // namespace tilegpt::tilegpu
