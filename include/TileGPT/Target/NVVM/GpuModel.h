// Properties of a device beyond its architecture: occupancy limits and rates.
// Cost models (ProductCost.h) use these numbers and nothing else.
#ifndef TILEGPT_TARGET_NVVM_GPUMODEL_H
#define TILEGPT_TARGET_NVVM_GPUMODEL_H

#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <array>
#include <cstdint>
#include <string>

namespace tilegpt::target {

/// A number for each row alignment: 16, 32, 64 and 128 bytes.
struct ByAlignment {
  std::array<double, 4> values;

  /// \param bytes a power of two that all rows are aligned to.
  double of(int64_t bytes) const {
    return values[bytes >= 128 ? 3 : bytes >= 64 ? 2 : bytes >= 32 ? 1 : 0];
  }
};

/// Matmuls of tiles that TMA loads and wgmma multiplies. A K step is 128 bytes
/// of every row.
struct ProductRates {
  /// Accumulator elements that a multiprocessor's tensor cores advance by one K
  /// step per cycle: at most, and in a main loop.
  double sumsPerCycle, sustainedSumsPerCycle;
  /// Cycles to read 128 bytes of an operand row from shared memory: the bound
  /// for narrow tiles.
  double operandReadCycles;
  /// Stall cycles per K step with one warp group, or two that share a tile.
  /// There are none with ping-pong.
  double singleWaitCycles, pairWaitCycles;
  /// Cycles in which a single multiprocessor copies 128 bytes of a row.
  ByAlignment copyCycles;
  /// The same if all multiprocessors copy.
  ByAlignment sharedCopyCycles;
  /// The same for 128 bytes past the end of an operand, for any alignment.
  double outsideCopyCycles;
  /// Cycles to deliver 128 bytes of a row to a block by multicast.
  double receivedCycles;
  /// Bytes of results written to memory per cycle, by all multiprocessors.
  double resultBytesPerCycle;
  /// Result elements stored per cycle by a multiprocessor.
  double storedPerCycle;
  /// Partial sums that each block of a cluster exchanges per cycle.
  double exchangedPerCycle;
  /// Stall cycles per K step for each operand that blocks multicast, and
  /// synchronization cycles at start and end.
  double multicastWaitCycles, multicastCycles;
  /// Synchronization cycles of larger clusters than pairs for each tile.
  double clusterTileCycles;
  /// Cycles of a launch that waits for its predecessor, until its first MMA;
  /// the fewer cycles if both fit the device at a time, and how many fewer
  /// still if clusters split K then, whose blocks copy all weights early.
  double launchCycles, besideCycles, besidePartsCycles;
  /// Cycles saved by a launch that starts before its predecessor has completed,
  /// and the fraction of its time lost if its blocks start at different times,
  /// times the fraction of idle multiprocessors.
  double earlyStartCycles, scatteredLoss;
  /// Cycles until the last of the blocks that split K detects that it is last,
  /// and bytes of partial sums that a multiprocessor writes or reads per cycle.
  double meetCycles, sharedBytesPerCycle;
};

struct GpuModel {
  /// The driver's name of the device.
  llvm::StringLiteral name;
  llvm::StringLiteral architecture;
  /// Whether its rates were measured; otherwise they are derived from data
  /// sheets.
  bool isMeasured;
  int64_t multiprocessors;
  /// Clock of the multiprocessors under load: the cycles of all rates.
  double cyclesPerMicrosecond;
  int64_t l2Bytes;
  /// Memory bytes per cycle of the multiprocessors under load.
  double memoryBytesPerCycle;
  /// Resident clusters of 2, 3 … 8 blocks with one block per multiprocessor; 0
  /// if not measured.
  std::array<int64_t, 7> clusters;
  ProductRates products;

  static llvm::ArrayRef<GpuModel> all();
  /// The model of a device of an architecture: a measured one if available,
  /// otherwise the oldest device.
  static const GpuModel &of(const GpuTarget &target);
};

/// A model as a row of GpuModels.inc.
/// \param name  of the device, instead of the model's.
std::string formatModel(const GpuModel &model, llvm::StringRef name);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_GPUMODEL_H
