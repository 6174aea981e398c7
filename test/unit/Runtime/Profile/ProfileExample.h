// A device and launches with round figures.
#ifndef TILEGPT_TEST_RUNTIME_PROFILE_PROFILEEXAMPLE_H
#define TILEGPT_TEST_RUNTIME_PROFILE_PROFILEEXAMPLE_H

#include "TileGPT/Runtime/Profile/StepProfile.h"

namespace tilegpt::runtime {

/// 10 GB/s, 100 GFLOP/s, 1 µs per launch, four threads.
inline MachineRates exampleRates() {
  return {10e9, 100e9, 100e9, 1e-6, 4, "measured"};
}

/// Work that reads this many bytes, `weights` of them f32 weight matrices.
inline LaunchWork reading(double bytes, double weights = 0) {
  LaunchWork work;
  work.readBytes = bytes;
  work.weightBytes = work.wideWeightBytes = weights;
  return work;
}

/// Work that multiplies f32, without partial tiles.
inline LaunchWork multiplying(double ops) {
  LaunchWork work;
  work.wideOps = work.paddedOps = ops;
  return work;
}

} // namespace tilegpt::runtime

#endif // TILEGPT_TEST_RUNTIME_PROFILE_PROFILEEXAMPLE_H
