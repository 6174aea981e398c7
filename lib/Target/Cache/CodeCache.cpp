// An entry is a header, which validates the rest, and the code.
#include "TileGPT/Target/Cache/CodeCache.h"
#include "TileGPT/Runtime/Data/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::target;
using llvm::StringRef;

namespace {

/// First bytes of an entry.
struct Header {
  char magic[8] = {'T', 'G', 'P', 'T', 'C', 'O', 'D', 'E'};
  uint64_t checksum = 0; ///< XXH3 (64 bit) of all bytes after this field
  std::array<uint8_t, 32> key = {};
  char name[80] = {}; ///< of the kernel, cut where it is longer
};
static_assert(sizeof(Header) == 128);
constexpr size_t checksummedFrom = 16;

} // namespace

StringRef target::nameOf(CodeKind kind) {
  switch (kind) {
  case CodeKind::GpuKernel:
    return "kernel";
  case CodeKind::HostObject:
    return "object";
  case CodeKind::Model:
    return "model";
  }
  llvm_unreachable("a kind of code");
}

static uint64_t checksumOf(StringRef entry) {
  return llvm::xxh3_64bits(
      llvm::arrayRefFromStringRef(entry.drop_front(checksummedFrom)));
}

CacheKey::CacheKey(CodeKind kind, llvm::ArrayRef<StringRef> parts)
    : kind(kind) {
  llvm::SHA256 hash;
  // Lengths distinguish lists of parts with the same concatenation.
  auto add = [&](StringRef part) {
    hash.update((llvm::Twine(part.size()) + ":").str());
    hash.update(part);
  };
  add(nameOf(kind));
  for (StringRef part : parts)
    add(part);
  bytes = hash.final();
}

std::string CacheKey::str() const {
  return llvm::toHex(bytes, /*LowerCase=*/true);
}

std::optional<std::string> CodeCache::defaultFolder() {
  auto valueOf = [](const char *name) -> StringRef {
    const char *value = ::getenv(name);
    return value ? value : "";
  };
  if (const StringRef chosen = valueOf("TILEGPT_CACHE_DIR"); !chosen.empty())
    return folderOf(chosen);
  llvm::SmallString<128> path(valueOf("XDG_CACHE_HOME"));
  // The XDG specification declares relative paths invalid.
  if (!llvm::sys::path::is_absolute(path)) {
    if (!llvm::sys::path::home_directory(path))
      return std::nullopt;
    llvm::sys::path::append(path, ".cache");
  }
  llvm::sys::path::append(path, "tilegpt");
  return path.str().str();
}

std::optional<std::string> CodeCache::folderOf(StringRef chosen) {
  if (chosen.empty())
    return defaultFolder();
  return chosen == "off" ? std::nullopt : std::optional(chosen.str());
}

std::string CodeCache::pathOf(const CacheKey &key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, key.str() + "." + nameOf(key.getKind()));
  return path.str().str();
}

/// The content of a file owned by this user; updates its time of last use.
static std::unique_ptr<llvm::MemoryBuffer>
readOwnFile(const std::string &path) {
  auto file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return nullptr;
  }
  const auto close = llvm::scope_exit([&] { llvm::sys::fs::closeFile(*file); });
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(*file, status) || status.getUser() != ::geteuid())
    return nullptr;
  // Eviction is least recently used; if the time cannot be updated, the entry
  // is evicted earlier.
  (void)llvm::sys::fs::setLastAccessAndModificationTime(
      *file, std::chrono::system_clock::now());
  auto buffer =
      llvm::MemoryBuffer::getOpenFile(*file, path, status.getSize(),
                                      /*RequiresNullTerminator=*/false);
  return buffer ? std::move(*buffer) : nullptr;
}

std::optional<std::string> CodeCache::load(const CacheKey &key) const {
  const std::unique_ptr<llvm::MemoryBuffer> buffer = readOwnFile(pathOf(key));
  if (!buffer || buffer->getBufferSize() < sizeof(Header))
    return std::nullopt;
  const StringRef entry = buffer->getBuffer();
  Header header;
  std::memcpy(&header, entry.data(), sizeof(header));
  if (std::memcmp(header.magic, Header().magic, sizeof(header.magic)) != 0 ||
      header.checksum != checksumOf(entry) || header.key != key.getBytes())
    return std::nullopt;
  return entry.drop_front(sizeof(header)).str();
}

/// Writes an entry and creates the folder if necessary.
/// \returns the reason of a failure, or nothing.
std::string CodeCache::write(const std::string &path, StringRef entry) const {
  if (const std::error_code error = llvm::sys::fs::create_directories(folder))
    return "cannot make '" + folder + "': " + error.message();
  // After a crash of the machine the checksum detects partial writes.
  runtime::OutputFile file(path);
  file.write(std::as_bytes(std::span(entry.data(), entry.size())));
  const auto finished = file.finish("file");
  return finished ? "" : finished.error().message;
}

void CodeCache::store(const CacheKey &key, StringRef name, StringRef code) {
  Header header;
  header.key = key.getBytes();
  name = name.take_front(sizeof(header.name) - 1);
  std::memcpy(header.name, name.data(), name.size());
  std::string entry(sizeof(header), '\0');
  entry += code;
  std::memcpy(entry.data(), &header, sizeof(header));
  header.checksum = checksumOf(entry);
  std::memcpy(entry.data(), &header, sizeof(header));

  const std::string problem = write(pathOf(key), entry);
  const std::lock_guard lock(mutex);
  if (problem.empty())
    hasGrown = true;
  else if (warning.empty())
    warning =
        "cache: compiled kernels are not kept for the next start: " + problem;
}

/// The name in the header of an entry; empty without a valid header.
static std::string nameIn(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFileSlice(path, sizeof(Header), 0);
  if (!file || (*file)->getBufferSize() < sizeof(Header))
    return {};
  Header header;
  std::memcpy(&header, (*file)->getBufferStart(), sizeof(header));
  if (std::memcmp(header.magic, Header().magic, sizeof(header.magic)) != 0)
    return {};
  return {header.name, ::strnlen(header.name, sizeof(header.name))};
}

/// The kind of a file by its name: that of an entry, or of a temporary file,
/// whose name ends in a number.
static std::optional<CodeKind> kindOf(StringRef file) {
  const auto [hash, extension] = file.split('.');
  if (hash.size() != 64 || !llvm::all_of(hash, llvm::isHexDigit))
    return std::nullopt;
  for (CodeKind kind :
       {CodeKind::GpuKernel, CodeKind::HostObject, CodeKind::Model})
    if (extension.split('.').first == nameOf(kind))
      return kind;
  return std::nullopt;
}

std::vector<CodeCache::Entry> CodeCache::files() const {
  std::vector<Entry> entries;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error)) {
    const auto kind = kindOf(llvm::sys::path::filename(file->path()));
    const auto status = file->status();
    if (!kind || !status ||
        status->type() != llvm::sys::fs::file_type::regular_file)
      continue;
    entries.push_back({file->path(), *kind, "", status->getSize(),
                       status->getLastModificationTime()});
  }
  llvm::sort(entries,
             [](const Entry &a, const Entry &b) { return a.used > b.used; });
  return entries;
}

std::vector<CodeCache::Entry> CodeCache::entries() const {
  std::vector<Entry> entries = files();
  for (Entry &entry : entries)
    entry.name = nameIn(entry.path);
  return entries;
}

void CodeCache::trim(uint64_t mostBytes) {
  {
    const std::lock_guard lock(mutex);
    if (!std::exchange(hasGrown, false))
      return;
  }
  uint64_t total = 0;
  for (const Entry &entry : files()) {
    total += entry.bytes;
    // Another process may have removed it already.
    if (total > mostBytes)
      (void)llvm::sys::fs::remove(entry.path);
  }
}

std::vector<CodeCache::Entry> CodeCache::clear() {
  std::vector<Entry> left;
  for (Entry &entry : files())
    if (llvm::sys::fs::remove(entry.path))
      left.push_back(std::move(entry));
  return left;
}

std::string CodeCache::getWarning() const {
  const std::lock_guard lock(mutex);
  return warning;
}
