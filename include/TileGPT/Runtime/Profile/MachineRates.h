// The limits of a device, to which times are compared.
#ifndef TILEGPT_RUNTIME_PROFILE_MACHINERATES_H
#define TILEGPT_RUNTIME_PROFILE_MACHINERATES_H

#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Error.h"
#include <string>

namespace tilegpt::runtime {

struct MachineRates {
  double bytesPerSec = 0; ///< of memory, reads and writes together
  /// Operations of dots whose operands have up to 16 bits or are rounded to
  /// tf32, and of other dots.
  double narrowOpsPerSec = 0, wideOpsPerSec = 0;
  double launchSeconds = 0; ///< of an empty launch
  int64_t lanes = 1; ///< blocks that run concurrently: threads, multiprocessors
  std::string origin; ///< "measured", "of the data sheet"; empty if unknown
};

/// Measures this machine for about 100 ms.
/// \param workingSet  bytes that are read repeatedly, so that a step whose
/// weights fit in a cache is compared with the cache.
/// \returns Device if there is no memory for them.
Result<MachineRates> measureHost(cpu::ThreadPool &pool, int64_t workingSet);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_PROFILE_MACHINERATES_H
