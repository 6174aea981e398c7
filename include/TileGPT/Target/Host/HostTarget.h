// The x86-64 target of host code: instruction sets, vector width and CPU for
// tuning.
#ifndef TILEGPT_TARGET_HOST_HOSTTARGET_H
#define TILEGPT_TARGET_HOST_HOSTTARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilegpt::target {

/// Code for a target uses the x86-64 baseline and the extensions in `features`,
/// nothing else, so the bits stored in a bundle are all a runtime has to check.
class HostTarget {
public:
  /// \param cpu "native" for this machine, or a processor supported by LLVM:
  /// "x86-64-v3", "x86-64-v4", "skylake-avx512", …
  /// \returns an error if LLVM does not support the processor.
  static llvm::Expected<HostTarget> create(llvm::StringRef cpu = "native");

  /// Its name in a bundle.
  static constexpr llvm::StringLiteral architecture = "x86_64";
  static constexpr llvm::StringLiteral triple = "x86_64-unknown-linux-gnu";

  /// LLVM's name of the processor the code is scheduled for.
  llvm::StringRef cpu() const { return processor; }
  /// bundle::featureBit()s the code may use.
  uint64_t features() const { return featureBits; }
  /// Preferred vector width in bits: 128, 256 or 512.
  unsigned vectorBits() const { return widestVector; }
  /// Number of vector registers.
  unsigned vectorRegisters() const { return widestVector == 512 ? 32 : 16; }
  /// Bytes of a core's second-level cache: as reported by the machine,
  /// otherwise the minimum of processors with vectors of that width.
  uint64_t l2Bytes() const { return secondLevelBytes; }
  /// Rows of a matrix a core reads at once at the speed of memory; 1 where the
  /// hardware's own prefetching of one stream is hard to beat (docs/Cpu.md).
  unsigned rowStreams() const;

  /// A code generator for position-independent code. Each thread needs its own.
  std::unique_ptr<llvm::TargetMachine> createMachine() const;

private:
  /// \param l2Bytes 0 if it is not known.
  HostTarget(std::string processor, uint64_t featureBits, uint64_t l2Bytes);

  std::string processor;
  uint64_t featureBits;
  unsigned widestVector;
  uint64_t secondLevelBytes;
};

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_HOST_HOSTTARGET_H
