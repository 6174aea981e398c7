// Reads safetensors files: eight bytes of header length, the header, the data.
// SafetensorsHeader.cpp parses the header.
#include "TileGPT/Runtime/Data/Safetensors.h"
#include <bit>
#include <cstring>

using namespace tilegpt::runtime;

static_assert(std::endian::native == std::endian::little,
              "files hold little-endian numbers, which are used in place");

namespace {

constexpr uint64_t prefixBytes = sizeof(uint64_t);
/// The limit of the format's reference implementation.
constexpr uint64_t maxHeaderBytes = 100'000'000;

/// The printable start of a file, on one line, which identifies other formats.
std::string beginningOf(std::span<const std::byte> image) {
  std::string text;
  for (const std::byte byte : image.first(std::min<size_t>(image.size(), 16))) {
    const bool isSpace = byte == std::byte('\n') || byte == std::byte('\r') ||
                         byte == std::byte('\t');
    if ((byte < std::byte(' ') && !isSpace) || byte > std::byte('~'))
      break;
    text += isSpace ? ' ' : char(byte);
  }
  return text;
}

} // namespace

Result<Safetensors> Safetensors::view(std::span<const std::byte> image,
                                      std::string_view where) {
  const auto failed = [&](const auto &...problem) {
    return makeError(ErrorCode::BadInput, where, " ", problem...);
  };
  if (image.size() < prefixBytes)
    return failed("is not a safetensors file: expected at least ", prefixBytes,
                  " bytes, got ", image.size());
  uint64_t headerBytes;
  std::memcpy(&headerBytes, image.data(), prefixBytes);
  if (headerBytes > maxHeaderBytes) {
    if (const std::string text = beginningOf(image); text.size() > 1)
      return failed("is not a safetensors file: it begins with '", text, "'");
    return failed("is not a safetensors file: its header would take ",
                  headerBytes, " bytes, more than the limit of ",
                  maxHeaderBytes);
  }
  if (headerBytes > image.size() - prefixBytes)
    return failed("is truncated: expected a header of ", headerBytes,
                  " bytes, got ", image.size() - prefixBytes,
                  "; download it again");

  Safetensors result;
  result.data = image.subspan(prefixBytes + headerBytes);
  auto header = SafetensorsHeader::parse(
      {reinterpret_cast<const char *>(image.data()) + prefixBytes, headerBytes},
      result.data.size());
  if (!header)
    return failed(header.error().message);
  result.header = std::move(*header);
  for (size_t i = 0; i < result.header.tensors.size(); ++i)
    result.indices.emplace(result.header.tensors[i].name, i);
  return result;
}

Result<Safetensors> Safetensors::open(const std::filesystem::path &path,
                                      std::string_view room) {
  auto file = MappedFile::open(path, room);
  if (!file)
    return tl::unexpected(std::move(file.error()));
  auto result = view(file->bytes(), concat(room, ": '", path.string(), "'"));
  if (result)
    result->file = std::move(*file);
  return result;
}

const StoredTensor *Safetensors::find(std::string_view name) const {
  const auto found = indices.find(name);
  return found == indices.end() ? nullptr : &header.tensors[found->second];
}
