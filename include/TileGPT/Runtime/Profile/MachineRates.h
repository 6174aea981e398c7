// The limits of a device, to which times are compared.
#ifndef TILEGPT_RUNTIME_PROFILE_MACHINERATES_H
#define TILEGPT_RUNTIME_PROFILE_MACHINERATES_H

#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Error.h"
#include <string>

namespace tilegpt::runtime {

struct MachineRates {
  double bytesPerSec = 0; ///< of memory, read and written together
  /// Multiplications and additions of products whose operands have up to 16
  /// bits or are rounded to tf32, and of others.
  double narrowOpsPerSec = 0, wideOpsPerSec = 0;
  double launchSeconds = 0; ///< of a launch that does nothing
  int64_t lanes =
      1; ///< blocks that run at the same time: threads, multiprocessors
  std::string origin; ///< "measured", "of the data sheet"; empty: not known
};

/// Measures this machine for some 100 ms.
/// \param workingSet  bytes that are read again and again, so that a step whose
/// weights a cache holds is held against the cache.
/// \returns Device if there is no memory for them.
Result<MachineRates> measureHost(cpu::ThreadPool &pool, int64_t workingSet);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_PROFILE_MACHINERATES_H
