// Compiled code on disk, so that a second start compiles nothing. An entry
// counts only if it was made from the same source by the same compiler and is
// whole; anything else is as if it were not there.
#ifndef TILEGPT_TARGET_CACHE_CODECACHE_H
#define TILEGPT_TARGET_CACHE_CODECACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Chrono.h"
#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tilegpt::target {

/// What an entry holds; the extension of its file.
enum class CodeKind {
  GpuKernel,  ///< ".kernel": an image and how to launch it
  HostObject, ///< ".object": a relocatable ELF file
  Model,      ///< ".model": a bundle
};

llvm::StringRef nameOf(CodeKind kind);

/// A hash (SHA-256) of everything compiled code depends on.
class CacheKey {
public:
  /// \param parts in an order that callers of one kind agree on.
  CacheKey(CodeKind kind, llvm::ArrayRef<llvm::StringRef> parts);

  CodeKind getKind() const { return kind; }
  const std::array<uint8_t, 32> &getBytes() const { return bytes; }
  /// 64 hexadecimal digits.
  std::string str() const;

private:
  CodeKind kind;
  std::array<uint8_t, 32> bytes;
};

/// A folder of entries, one file each. Several processes and threads may use
/// one folder at the same time. Nothing here ever fails a compilation.
class CodeCache {
public:
  /// \param folder made when the first entry is stored.
  /// \param limit  bytes that trim() leaves at most.
  explicit CodeCache(std::string folder, uint64_t limit = defaultLimit)
      : folder(std::move(folder)), limit(limit) {}

  /// $TILEGPT_CACHE_DIR, else $XDG_CACHE_HOME/tilegpt, else ~/.cache/tilegpt.
  /// \returns nothing when $TILEGPT_CACHE_DIR is "off" or there is no home.
  static std::optional<std::string> defaultFolder();

  /// \param chosen a folder, "off" for none, or empty for the default.
  static std::optional<std::string> folderOf(llvm::StringRef chosen);

  /// Some thousand kernels.
  static constexpr uint64_t defaultLimit = uint64_t(1) << 30;

  /// The code stored under `key`, or nothing. Notes that it was used.
  std::optional<std::string> load(const CacheKey &key) const;

  /// Stores code; what stands in the way is kept for getWarning().
  /// \param name of the kernel, for people.
  void store(const CacheKey &key, llvm::StringRef name, llvm::StringRef code);

  /// Removes the entries not used for longest until the others take at most
  /// `mostBytes`, if store() was called since the last time. What other
  /// processes have in use they have read already.
  void trim(uint64_t mostBytes);
  void trim() { trim(limit); }

  /// A file of the cache.
  struct Entry {
    std::string path;
    CodeKind kind = CodeKind::GpuKernel;
    std::string name; ///< of the kernel; empty for what is no whole entry
    uint64_t bytes = 0;
    llvm::sys::TimePoint<> used;
  };
  /// All entries, also what a process that was killed left of one, the one
  /// used last first.
  std::vector<Entry> entries() const;

  /// Removes all entries and leaves other files alone.
  /// \returns those that could not be removed.
  std::vector<Entry> clear();

  /// The first reason why something could not be stored; empty when all was.
  std::string getWarning() const;

  /// The file of an entry.
  std::string pathOf(const CacheKey &key) const;

  const std::string &getFolder() const { return folder; }

private:
  std::vector<Entry> files() const; ///< entries(), without names
  std::string write(const std::string &path, llvm::StringRef entry) const;

  std::string folder;
  uint64_t limit;
  mutable std::mutex mutex;
  bool hasGrown = false;
  std::string warning;
};

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_CACHE_CODECACHE_H
