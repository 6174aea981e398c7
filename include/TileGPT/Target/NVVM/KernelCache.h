// Compiled kernels on disk, so that a second start compiles nothing. An entry
// counts only if it was made from the same kernel by the same compiler and is
// whole; anything else is as if it were not there.
#ifndef TILEGPT_TARGET_NVVM_KERNELCACHE_H
#define TILEGPT_TARGET_NVVM_KERNELCACHE_H

#include "TileGPT/Target/NVVM/GpuKernel.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <array>
#include <mutex>
#include <optional>
#include <string>

namespace tilegpt::target {

/// A hash of everything an image depends on.
class KernelKey {
public:
  /// \param kernel  the kernel as text, with its plan.
  /// \param ptxas   null when images are PTX.
  /// \param buildId of the compiler.
  KernelKey(llvm::StringRef kernel, const GpuTarget &target, const Ptxas *ptxas,
            llvm::StringRef buildId);

  const std::array<uint8_t, 32> &getBytes() const { return bytes; }
  /// 64 hexadecimal digits.
  std::string str() const;

private:
  std::array<uint8_t, 32> bytes;
};

/// A folder of entries, one file each. Several processes and threads may use
/// one folder at the same time. Nothing here ever fails a compilation.
class KernelCache {
public:
  /// \param folder made when the first entry is stored.
  explicit KernelCache(std::string folder) : folder(std::move(folder)) {}

  /// $TILEGPT_CACHE_DIR, else $XDG_CACHE_HOME/tilegpt, else ~/.cache/tilegpt.
  /// \returns nothing when $TILEGPT_CACHE_DIR is "off" or there is no home.
  static std::optional<std::string> defaultFolder();

  /// What trim() leaves unless told otherwise: some thousand kernels.
  static constexpr uint64_t defaultLimit = uint64_t(1) << 30;

  /// The kernel stored under `key`, or nothing.
  std::optional<GpuKernel> load(const KernelKey &key) const;

  /// Stores a kernel; what stands in the way is kept for takeWarning().
  void store(const KernelKey &key, const GpuKernel &kernel);

  /// Removes the entries not used for longest until the others take at most
  /// `mostBytes`, if store() was called since the last time. What other
  /// processes have in use they have read already.
  void trim(uint64_t mostBytes = defaultLimit);

  /// The first reason why something could not be stored; empty when all was.
  std::string getWarning() const;

  /// The file of an entry.
  std::string pathOf(const KernelKey &key) const;

private:
  std::string folder;
  mutable std::mutex mutex;
  bool hasGrown = false;
  std::string warning;
};

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_KERNELCACHE_H
