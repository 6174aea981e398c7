// Models the time of kernels of long rows, to choose where rows are kept.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COST_ROWCOST_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COST_ROWCOST_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Target/NVVM/GpuModel.h"

namespace tilegpt::tilegpu {

/// A way to keep rows, with its estimated time.
struct RowChoice {
  enum Place {
    Plain,    ///< as an ordinary tile
    Shared,   ///< in the shared memory of blocks
    Registers ///< in the registers of blocks, in whole units
  };
  Place place = Shared;
  int64_t parts = 1;          ///< blocks that share a row
  bool throughMemory = false; ///< instead of in a cluster
  int64_t warps = 32;         ///< of a block
  int64_t residents = 1;      ///< resident blocks per multiprocessor
  int64_t room = 1;           ///< blocks for which it has place
  bool isAlone = false;       ///< registers fit only one block
  double cycles = 0;          ///< 0 if the number of rows is unknown
};

/// Estimates the time of a launch for each way to keep its rows.
class RowCost {
public:
  /// \param numRows  of the launch; without it nothing can be estimated.
  RowCost(const LongRows &rows, const target::GpuModel &model,
          int64_t multiprocessors, int64_t numRows);

  double cyclesOf(const RowChoice &choice) const;

  /// Blocks of all rows that the busiest multiprocessor runs.
  int64_t blocksOfBusiest(int64_t parts) const;

  /// Clusters that run at a time with `residents` of their blocks on a
  /// multiprocessor; 0 if that is unknown.
  int64_t clustersAtOnce(int64_t parts, int64_t residents) const;

private:
  int64_t blocksOfClusters(int64_t parts, int64_t residents,
                           double usable) const;
  double vectorRate() const;
  double meetingCyclesOf(const RowChoice &choice) const;
  double cyclesInShared(const RowChoice &choice) const;
  double cyclesInRegisters(const RowChoice &choice) const;

  const LongRows &rows;
  const target::GpuModel &model;
  int64_t multiprocessors;
  int64_t numRows;
  double instructions; ///< for each element
};

} // namespace tilegpt::tilegpu

#endif
