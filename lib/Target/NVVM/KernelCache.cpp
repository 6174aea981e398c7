// An entry is a header, which says whether the rest can be believed, and the
// pieces of a kernel one after the other, each behind its length.
#include "TileGPT/Target/NVVM/KernelCache.h"
#include "TileGPT/Bundle/Bundle.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
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

/// Of the files of entries.
constexpr StringRef extension = ".kernel";

/// First bytes of an entry.
struct Header {
  char magic[8] = {'T', 'G', 'P', 'T', 'K', 'R', 'N', 'L'};
  uint64_t checksum = 0; ///< XXH3 (64 bit) of all bytes after this field
  std::array<uint8_t, 32> key = {};
};
static_assert(sizeof(Header) == 48);
constexpr size_t checksummedFrom = 16;

/// Writes pieces behind each other.
class PieceWriter {
public:
  explicit PieceWriter(std::vector<std::byte> &bytes) : bytes(bytes) {}

  template <typename Piece>
  void add(const Piece &piece) {
    const std::span content = std::as_bytes(std::span(piece));
    const uint64_t size = content.size();
    append(std::as_bytes(std::span(&size, 1)));
    append(content);
  }

private:
  void append(std::span<const std::byte> content) {
    bytes.insert(bytes.end(), content.begin(), content.end());
  }

  std::vector<std::byte> &bytes;
};

/// Reads them again. What is missing reads as a failure, once and for all.
class PieceReader {
public:
  explicit PieceReader(StringRef bytes) : bytes(bytes) {}

  /// A string or vector, whose size must be a whole number of elements.
  template <typename Piece>
  bool read(Piece &piece) {
    using Element = typename Piece::value_type;
    uint64_t size;
    if (bytes.size() < sizeof(size))
      return false;
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes = bytes.drop_front(sizeof(size));
    if (size > bytes.size() || size % sizeof(Element) != 0)
      return false;
    piece.resize(size / sizeof(Element));
    if (size != 0)
      std::memcpy(piece.data(), bytes.data(), size);
    bytes = bytes.drop_front(size);
    return true;
  }
  bool isAtEnd() const { return bytes.empty(); }

private:
  StringRef bytes;
};

} // namespace

static uint64_t checksumOf(StringRef entry) {
  return llvm::xxh3_64bits(
      llvm::arrayRefFromStringRef(entry.drop_front(checksummedFrom)));
}

KernelKey::KernelKey(StringRef kernel, const GpuTarget &target,
                     const Ptxas *ptxas, StringRef buildId) {
  llvm::SHA256 hash;
  // Lengths keep two lists of parts apart that differ in where they are cut.
  auto add = [&](StringRef part) {
    hash.update((llvm::Twine(part.size()) + ":").str());
    hash.update(part);
  };
  add(buildId);
  add(target.name);
  add(ptxas ? ptxas->getVersion() : "");
  add(kernel);
  bytes = hash.final();
}

std::string KernelKey::str() const {
  return llvm::toHex(bytes, /*LowerCase=*/true);
}

std::optional<std::string> KernelCache::defaultFolder() {
  auto valueOf = [](const char *name) -> StringRef {
    const char *value = ::getenv(name);
    return value ? value : "";
  };
  if (const StringRef chosen = valueOf("TILEGPT_CACHE_DIR"); !chosen.empty())
    return chosen == "off" ? std::nullopt : std::optional(chosen.str());
  llvm::SmallString<128> path(valueOf("XDG_CACHE_HOME"));
  // A relative path there is invalid, says the specification of the variable.
  if (!llvm::sys::path::is_absolute(path)) {
    if (!llvm::sys::path::home_directory(path))
      return std::nullopt;
    llvm::sys::path::append(path, ".cache");
  }
  llvm::sys::path::append(path, "tilegpt");
  return path.str().str();
}

std::string KernelCache::pathOf(const KernelKey &key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, key.str() + extension);
  return path.str().str();
}

/// The content of a file that this user has written, which is used now.
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
  // What was used lately stays longest; where that cannot be noted, it goes
  // sooner.
  (void)llvm::sys::fs::setLastAccessAndModificationTime(
      *file, std::chrono::system_clock::now());
  auto buffer =
      llvm::MemoryBuffer::getOpenFile(*file, path, status.getSize(),
                                      /*RequiresNullTerminator=*/false);
  return buffer ? std::move(*buffer) : nullptr;
}

std::optional<GpuKernel> KernelCache::load(const KernelKey &key) const {
  const std::unique_ptr<llvm::MemoryBuffer> buffer = readOwnFile(pathOf(key));
  if (!buffer || buffer->getBufferSize() < sizeof(Header))
    return std::nullopt;
  const StringRef entry = buffer->getBuffer();
  Header header;
  std::memcpy(&header, entry.data(), sizeof(header));
  if (std::memcmp(header.magic, Header().magic, sizeof(header.magic)) != 0 ||
      header.checksum != checksumOf(entry) || header.key != key.getBytes())
    return std::nullopt;

  GpuKernel kernel;
  std::string report;
  std::vector<bundle::DeviceKernel> launch;
  PieceReader reader(entry.drop_front(sizeof(header)));
  if (!reader.read(kernel.symbol) || !reader.read(kernel.ptx) ||
      !reader.read(kernel.cubin) || !reader.read(report) ||
      !reader.read(launch) || launch.size() != 1 ||
      !reader.read(kernel.tensorMaps) || !reader.isAtEnd())
    return std::nullopt;
  kernel.report = parsePtxasReport(report);
  kernel.launch = launch.front();
  return kernel;
}

void KernelCache::store(const KernelKey &key, const GpuKernel &kernel) {
  std::vector<std::byte> entry(sizeof(Header));
  PieceWriter writer(entry);
  writer.add(kernel.symbol);
  writer.add(kernel.ptx);
  writer.add(kernel.cubin);
  writer.add(kernel.report.text);
  writer.add(std::array{kernel.launch});
  writer.add(kernel.tensorMaps);
  Header header;
  header.key = key.getBytes();
  std::memcpy(entry.data(), &header, sizeof(header));
  header.checksum =
      checksumOf({reinterpret_cast<const char *>(entry.data()), entry.size()});
  std::memcpy(entry.data(), &header, sizeof(header));

  std::string problem;
  if (const std::error_code error = llvm::sys::fs::create_directories(folder))
    problem = "cannot make '" + folder + "': " + error.message();
  else if (const auto saved = bundle::save(entry, pathOf(key)); !saved)
    problem = saved.error().message;
  const std::lock_guard lock(mutex);
  if (problem.empty())
    hasGrown = true;
  else if (warning.empty())
    warning =
        "gpu: compiled kernels are not kept for the next start: " + problem;
}

void KernelCache::trim(uint64_t mostBytes) {
  {
    const std::lock_guard lock(mutex);
    if (!std::exchange(hasGrown, false))
      return;
  }
  struct Entry {
    std::string path;
    uint64_t bytes;
    llvm::sys::TimePoint<> used;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error)) {
    // Also what a process that was killed left behind while it wrote an entry.
    const auto status = file->status();
    if (!status || status->type() != llvm::sys::fs::file_type::regular_file ||
        !llvm::sys::path::filename(file->path()).contains(extension))
      continue;
    entries.push_back(
        {file->path(), status->getSize(), status->getLastModificationTime()});
    total += status->getSize();
  }
  llvm::sort(entries,
             [](const Entry &a, const Entry &b) { return a.used < b.used; });
  for (const Entry &entry : entries) {
    if (total <= mostBytes)
      break;
    // Another process may have removed it already.
    (void)llvm::sys::fs::remove(entry.path);
    total -= entry.bytes;
  }
}

std::string KernelCache::getWarning() const {
  const std::lock_guard lock(mutex);
  return warning;
}
