// Estimates the time of kernels that reduce long rows.
#include "Cost/RowCost.h"
#include "Cost/RowInstructions.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

RowCost::RowCost(const LongRows &rows, const target::GpuModel &model,
                 int64_t multiprocessors, int64_t numRows)
    : rows(rows), model(model), multiprocessors(multiprocessors),
      numRows(numRows), instructions(countRowInstructions(rows)) {}

int64_t RowCost::blocksOfBusiest(int64_t parts) const {
  return llvm::divideCeil(numRows * parts, multiprocessors);
}

int64_t RowCost::clustersAtOnce(int64_t parts, int64_t residents) const {
  return parts == 1 || parts > LongRows::mostParts
             ? 0
             : model.clusters[parts - 2] * residents * multiprocessors /
                   model.multiprocessors;
}

/// Blocks of clusters that the busiest multiprocessor runs, with `residents` at
/// a time. Clusters have to start together close to each other, which leaves
/// multiprocessors idle: an H200 cannot run 26 clusters of 5 blocks at a time,
/// although it has room for 132 blocks, and of 34 clusters of 7 with two blocks
/// per multiprocessor four wait for others (8.0 us, and 6.1 with clusters of
/// 6).
/// \param usable  the share of the places for clusters that they find.
int64_t RowCost::blocksOfClusters(int64_t parts, int64_t residents,
                                  double usable) const {
  int64_t clusters = int64_t(usable * double(clustersAtOnce(parts, residents)));
  if (clusters == 0)
    return 0;
  int64_t rounds = llvm::divideCeil(numRows, clusters);
  return (rounds - 1) * residents + 1;
}

double RowCost::cyclesOf(const RowChoice &choice) const {
  // Rows in shared memory that are combined with vectors are faster than
  // estimated, in clusters.
  const double doubt = rows.vectors.empty() || choice.throughMemory ? 1 : 1.1;
  return choice.place == RowChoice::Registers
             ? doubt * cyclesInRegisters(choice)
             : cyclesInShared(choice);
}

/// Instructions that a multiprocessor issues per cycle.
/// \param ofWarp  by each warp.
static double startedBy(double warps, double ofWarp) {
  constexpr double most = 4;
  return std::min(most, ofWarp * warps);
}

/// Bytes per cycle that a multiprocessor reads of vectors beside rows in
/// registers. If rows begin anywhere, vectors of that alignment are read
/// element by element, and others shifted into place, from units of other
/// sizes if their elements are wider.
double RowCost::vectorRate() const {
  constexpr double aligned = 62, shifted = 31, stray = 15.4;
  if (rows.mostBefore == 0)
    return aligned;
  if (!rows.vectorsAreAligned)
    return stray;
  bool isWider = llvm::any_of(rows.vectors, [&](tile::LoadOp load) {
    constexpr int64_t unitBytes = 16;
    return memoryBytes(load.getType().getElementType()) * rows.unit > unitBytes;
  });
  return isWider ? shifted : aligned;
}

/// Cycles in which blocks exchange the results of the reductions of a row.
/// Clusters of rows that are only reduced are faster than estimated.
double RowCost::meetingCyclesOf(const RowChoice &choice) const {
  constexpr double inCluster = 515, inMemory = 1500, ofReducedOnly = 900;
  // Results of two rows are exchanged at once.
  const double reductions = double(rows.reductions.size()) / rows.together;
  if (choice.throughMemory)
    return (reductions + double(rows.scans.size())) * inMemory +
           (rows.stores.empty() ? ofReducedOnly : 0);
  return choice.parts > 1 ? reductions * inCluster : 0;
}

/// Fitted to benchmarks/gpu/data/rows_h200.csv, the times of 30 kernels of
/// 3311 to 199735 columns on an H200, with an error of 13 % to 21 % (root
/// mean square). Its choice takes 1.04 times as long as the fastest of the
/// measured ways.
double RowCost::cyclesInShared(const RowChoice &choice) const {
  // Bytes per cycle that a multiprocessor moves, of rows and of vectors, and
  // that a single resident block moves.
  constexpr double bytesPerCycle = 12.3, vectorBytesPerCycle = 62,
                   blockBytesPerCycle = 19, lanes = 32, ofWarp = 0.17;
  // Of a launch, and of the cluster barrier per block.
  constexpr double launchCycles = 5100, plainLaunchCycles = 1300,
                   clusterBlockCycles = 430;
  // Rows in registers are converted once, but their loads are waited for
  // longer.
  constexpr double ofPlain = 1.3, usable = 0.97;
  double bytes = rows.bytesOfRows(), vectorBytes = rows.bytesOfVectors();
  bool isPlain = choice.place == RowChoice::Plain;
  // Clusters for which there is no place start a round of their own although
  // there is room for their blocks: 33 softmaxes in clusters of 8 with two
  // blocks per multiprocessor take 12.5 us, and 10.5 without clusters.
  // So do the last ones of those that fit: 44 layer norms of 74684 columns take
  // 15.2 us in clusters of 8, of which 45 fit, and 12.8 without clusters.
  const int64_t share = blocksOfBusiest(choice.parts);
  bool isInRounds = !isPlain && !choice.throughMemory &&
                    (choice.room == 1 || share <= choice.residents);
  double each = std::max(
             share, isInRounds
                        ? blocksOfClusters(choice.parts, choice.residents,
                                           choice.residents > 1 ? usable : 1)
                        : 0),
         together = std::min<double>(each, choice.residents),
         elements = double(rows.columns) / choice.parts;
  double computed = elements / lanes * instructions * (isPlain ? ofPlain : 1);
  double memory = each * elements *
                  (bytes / bytesPerCycle + vectorBytes / vectorBytesPerCycle);
  double compute = each * computed / startedBy(together * choice.warps, ofWarp);
  // A block on its own; several hide each other's waits.
  double alone = elements * (bytes + vectorBytes / 2) / blockBytesPerCycle +
                 computed / startedBy(choice.warps, ofWarp);
  // While a single resident block copies, nothing computes: 189 rows of
  // 154006 columns take 53 us in one block of 32 warps, and 35 in three of
  // ten.
  double cycles = together == 1
                      ? memory + compute
                      : std::max({memory, compute, each / together * alone});
  if (choice.throughMemory)
    cycles += meetingCyclesOf(choice);
  else if (choice.parts > 1)
    cycles += each * clusterBlockCycles;
  return cycles + (isPlain ? plainLaunchCycles : launchCycles);
}

/// Fitted to benchmarks/gpu/data/row_registers_h200.csv, 264 ways of 56
/// kernels of 3121 to 188281 columns on an H200, with an error of 20 % (root
/// mean square). Its choice takes 1.03 times as long as the fastest of the
/// measured ways.
double RowCost::cyclesInRegisters(const RowChoice &choice) const {
  // Bytes per cycle that a multiprocessor moves of rows.
  constexpr double bytesPerCycle = 18.6, lanes = 32, ofWarp = 0.25;
  // Of a launch, each warp, and each block of a cluster.
  constexpr double launchCycles = 2400, warpCycles = 52, clusterCycles = 54;
  double bytes = rows.bytesOfRows(), vectorBytes = rows.bytesOfVectors();
  bool isCluster = choice.parts > 1 && !choice.throughMemory;
  // A block with room for a second one may share its multiprocessor anyway.
  bool isLimited = isCluster && (choice.residents > 1 || choice.isAlone);
  double each = std::max(
             blocksOfBusiest(choice.parts),
             isLimited ? blocksOfClusters(choice.parts, choice.residents, 1)
                       : 0),
         together = std::min<double>(each, choice.residents),
         elements = double(rows.columns) / choice.parts,
         meetings = meetingCyclesOf(choice);
  double computed = elements / lanes * instructions;
  double moved =
      elements * (bytes / bytesPerCycle + vectorBytes / vectorRate());
  double memory = each * moved;
  // Clusters too far apart for multiprocessors of their own share some: they
  // compute for longer, but the device loads no more (16 x 131001 in bf16 by
  // clusters of 8 and 6: log-sum-exp 4.6 and 4.0 us, sums 3.0 and 3.2).
  double busiest = each, sharing = together;
  if (int64_t clusters = clustersAtOnce(choice.parts, /*residents=*/1);
      isCluster && each == 1 && clusters != 0)
    busiest = sharing = llvm::divideCeil(numRows, clusters);
  double compute =
      busiest * computed / startedBy(sharing * choice.warps, ofWarp);
  double alone = moved + computed / startedBy(choice.warps, ofWarp) + meetings;
  // Blocks that store their part compute while others load and store.
  constexpr double hiding = 2;
  if (choice.throughMemory && !rows.stores.empty())
    compute /= std::min(each, hiding);
  // Resident blocks load, compute and synchronize side by side; each later
  // block starts when one of them has ended. Clusters that fill the
  // multiprocessors and store rows start when all of them have: 45
  // quantizations in clusters of 8 take 5.9 us with two blocks per
  // multiprocessor, and 4.5 with three, which all run at once.
  double rounds = each / together;
  if (isCluster && !rows.stores.empty() && choice.residents == choice.room)
    rounds = std::ceil(rounds);
  double cycles = rounds <= 1 ? memory + compute
                              : std::max({memory, compute, rounds * alone});
  return launchCycles + meetings + cycles +
         busiest *
             (choice.warps * warpCycles + (isCluster ? clusterCycles : 0));
}

} // namespace tilegpt::tilegpu
