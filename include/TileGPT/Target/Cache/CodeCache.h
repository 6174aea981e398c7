// The compilation cache on disk. An entry is valid only if it was compiled from
// the same source by the same compiler and is complete; others are ignored.
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

/// The kind of an entry; the extension of its file.
enum class CodeKind {
  GpuKernel,  ///< ".kernel": an image and how to launch it
  HostObject, ///< ".object": a relocatable ELF file
  Model,      ///< ".model": a bundle
};

llvm::StringRef nameOf(CodeKind kind);

/// A hash (SHA-256) of all inputs of compiled code.
class CacheKey {
public:
  /// \param parts in a fixed order for each kind of entry.
  CacheKey(CodeKind kind, llvm::ArrayRef<llvm::StringRef> parts);

  CodeKind getKind() const { return kind; }
  const std::array<uint8_t, 32> &getBytes() const { return bytes; }
  /// 64 hexadecimal digits.
  std::string str() const;

private:
  CodeKind kind;
  std::array<uint8_t, 32> bytes;
};

/// A directory of entries, one file each. Several processes and threads may
/// share it. Cache errors never fail a compilation.
class CodeCache {
public:
  /// \param folder created when the first entry is stored.
  /// \param limit  maximum size in bytes after trim().
  explicit CodeCache(std::string folder, uint64_t limit = defaultLimit)
      : folder(std::move(folder)), limit(limit) {}

  /// $TILEGPT_CACHE_DIR, else $XDG_CACHE_HOME/tilegpt, else ~/.cache/tilegpt.
  /// \returns nothing when $TILEGPT_CACHE_DIR is "off" or there is no home.
  static std::optional<std::string> defaultFolder();

  /// \param chosen a directory, "off" for none, or empty for the default.
  static std::optional<std::string> folderOf(llvm::StringRef chosen);

  /// About a thousand kernels.
  static constexpr uint64_t defaultLimit = uint64_t(1) << 30;

  /// The code stored under `key`, or nothing. Updates its time of last use.
  std::optional<std::string> load(const CacheKey &key) const;

  /// Stores code; errors are recorded for getWarning().
  /// \param name of the kernel, for display.
  void store(const CacheKey &key, llvm::StringRef name, llvm::StringRef code);

  /// Evicts least recently used entries until at most `mostBytes` remain, if
  /// store() was called since the last time. Entries in use by other processes
  /// have already been read by them.
  void trim(uint64_t mostBytes);
  void trim() { trim(limit); }

  /// A file of the cache.
  struct Entry {
    std::string path;
    CodeKind kind = CodeKind::GpuKernel;
    std::string name; ///< of the kernel; empty for an incomplete entry
    uint64_t bytes = 0;
    llvm::sys::TimePoint<> used;
  };
  /// All entries, including leftovers of killed processes, most recently used
  /// first.
  std::vector<Entry> entries() const;

  /// Removes all entries, but no other files.
  /// \returns those that could not be removed.
  std::vector<Entry> clear();

  /// The first reason why an entry could not be stored; empty if there is none.
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
