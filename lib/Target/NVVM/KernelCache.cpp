// Serializes a compiled kernel as length-prefixed fields.
#include "TileGPT/Target/NVVM/KernelCache.h"
#include <cstring>
#include <span>

using namespace tilegpt;
using namespace tilegpt::target;
using llvm::StringRef;

namespace {

/// Writes fields.
class PieceWriter {
public:
  explicit PieceWriter(std::string &bytes) : bytes(bytes) {}

  template <typename Piece>
  void add(const Piece &piece) {
    const std::span content = std::as_bytes(std::span(piece));
    const uint64_t size = content.size();
    append(std::as_bytes(std::span(&size, 1)));
    append(content);
  }

private:
  void append(std::span<const std::byte> content) {
    bytes.append(reinterpret_cast<const char *>(content.data()),
                 content.size());
  }

  std::string &bytes;
};

/// Reads fields. A missing field makes this and all further reads fail.
class PieceReader {
public:
  explicit PieceReader(StringRef bytes) : bytes(bytes) {}

  /// A string or vector; the size must be a multiple of the element size.
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

CacheKey target::kernelKey(StringRef kernel, const GpuTarget &target,
                           const Ptxas *ptxas, StringRef buildId) {
  const StringRef version = ptxas ? StringRef(ptxas->getVersion()) : "";
  const StringRef parts[] = {buildId, target.name, version, kernel};
  return CacheKey(CodeKind::GpuKernel, parts);
}

std::optional<GpuKernel> target::loadKernel(const CodeCache &cache,
                                            const CacheKey &key) {
  const std::optional<std::string> entry = cache.load(key);
  if (!entry)
    return std::nullopt;
  GpuKernel kernel;
  std::string report;
  std::vector<bundle::DeviceKernel> launch;
  PieceReader reader(*entry);
  if (!reader.read(kernel.symbol) || !reader.read(kernel.ptx) ||
      !reader.read(kernel.cubin) || !reader.read(report) ||
      !reader.read(launch) || launch.size() != 1 ||
      !reader.read(kernel.tensorMaps) || !reader.read(kernel.launchViews) ||
      !reader.read(kernel.launchWords) || !reader.isAtEnd())
    return std::nullopt;
  kernel.report = parsePtxasReport(report);
  kernel.launch = launch.front();
  return kernel;
}

void target::storeKernel(CodeCache &cache, const CacheKey &key,
                         const GpuKernel &kernel) {
  std::string entry;
  PieceWriter writer(entry);
  writer.add(kernel.symbol);
  writer.add(kernel.ptx);
  writer.add(kernel.cubin);
  writer.add(kernel.report.text);
  writer.add(std::array{kernel.launch});
  writer.add(kernel.tensorMaps);
  writer.add(kernel.launchViews);
  writer.add(kernel.launchWords);
  cache.store(key, kernel.symbol, entry);
}
