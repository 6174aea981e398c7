// What is known of a device beyond its architecture: how much fits it at a
// time, and how fast it is. Estimates of cost (ProductCost.h) are made from
// these numbers and from nothing else.
#ifndef TILEGPT_TARGET_NVVM_GPUMODEL_H
#define TILEGPT_TARGET_NVVM_GPUMODEL_H

#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <array>
#include <cstdint>

namespace tilegpt::target {

/// A number for each alignment that rows of memory may have: that of rows which
/// begin at multiples of 16, 32, 64 and 128 bytes.
struct ByAlignment {
  std::array<double, 4> values;

  /// \param bytes a power of two that all rows begin at multiples of.
  double of(int64_t bytes) const {
    return values[bytes >= 128 ? 3 : bytes >= 64 ? 2 : bytes >= 32 ? 1 : 0];
  }
};

/// Products of tiles that TMA brings and wgmma multiplies. A step along the
/// depth is 128 bytes of every row.
struct ProductRates {
  /// Sums that a multiprocessor's tensor cores advance by a step in a cycle;
  /// and as many as power allows where all multiprocessors multiply.
  double sumsPerCycle, sharedSumsPerCycle;
  /// Cycles in which they read 128 bytes of a row of an operand from shared
  /// memory: narrow tiles are bound by that.
  double operandReadCycles;
  /// Cycles of a step in which one warp group, or two that share a tile, wait.
  /// Those that take turns do not.
  double singleWaitCycles, pairWaitCycles;
  /// Cycles in which a multiprocessor alone copies 128 bytes of a row.
  ByAlignment copyCycles;
  /// The same where all multiprocessors copy.
  ByAlignment sharedCopyCycles;
  /// The same for 128 bytes behind the end of an operand, wherever rows begin.
  double outsideCopyCycles;
  /// Cycles in which 128 bytes of a row come to a block of those that copy for
  /// each other, whoever asked for them.
  double receivedCycles;
  /// Bytes of results that memory takes in a cycle, from all multiprocessors.
  double resultBytesPerCycle;
  /// Elements of the result that a multiprocessor stores in a cycle.
  double storedPerCycle;
  /// Sums that blocks of a cluster exchange in a cycle, each.
  double exchangedPerCycle;
  /// Cycles of a step in which blocks that copy an operand for each other wait,
  /// and those in which they meet at the begin and the end.
  double multicastWaitCycles, multicastCycles;
  /// Cycles in which blocks of a cluster of four do so between two tiles.
  double clusterTileCycles;
  /// Of a launch that waits for the end of the one before it, until its first
  /// product.
  double launchCycles;
  /// Cycles that a launch saves which starts before the one in front of it has
  /// ended, and the part of its time that it loses where its blocks start
  /// apart, times the part of the multiprocessors that are left over.
  double earlyStartCycles, scatteredLoss;
  /// Cycles until the last of the blocks that share out a depth knows that it
  /// is, and bytes of their sums that a multiprocessor writes or reads in one.
  double meetCycles, sharedBytesPerCycle;
};

struct GpuModel {
  /// As the driver calls the device.
  llvm::StringLiteral name;
  llvm::StringLiteral architecture;
  /// Whether its rates were measured; else they follow from data sheets.
  bool isMeasured;
  int64_t multiprocessors;
  int64_t l2Bytes;
  /// Of memory, in a cycle of the multiprocessors under load.
  double memoryBytesPerCycle;
  /// Clusters of 2, 3 … 8 blocks that run at a time where a multiprocessor
  /// holds one block; 0 where nobody has asked the device.
  std::array<int64_t, 7> clusters;
  ProductRates products;

  static llvm::ArrayRef<GpuModel> all();
  /// The model of a device of an architecture: a measured one if there is one,
  /// and the oldest device for architectures of which there is none.
  static const GpuModel &of(const GpuTarget &target);
};

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_GPUMODEL_H
