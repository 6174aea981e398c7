// The kinds of instructions in a kernel, determined from its PTX.
#ifndef TILEGPT_TEST_UNIT_GPU_INSTRUCTIONFAMILIES_H
#define TILEGPT_TEST_UNIT_GPU_INSTRUCTIONFAMILIES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilegpt::test {

/// Flags, to be combined.
enum Family : unsigned {
  None = 0,
  Wgmma = 1 << 0,       ///< wgmma.mma_async
  MmaSync = 1 << 1,     ///< mma.sync
  TensorCores = 1 << 2, ///< either
  Tma = 1 << 3,         ///< cp.async.bulk.tensor
  CpAsync = 1 << 4,     ///< cp.async of 16 bytes
  WideLoads = 1 << 5,   ///< ld.global of 16 bytes
  WideReads = 1 << 6,   ///< any of the three
  WideStores = 1 << 7,  ///< st.global of 16 bytes
};

/// The families that occur in the text.
unsigned familiesOf(llvm::StringRef ptx);

/// "wgmma, TMA".
std::string describeFamilies(unsigned families);

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_GPU_INSTRUCTIONFAMILIES_H
