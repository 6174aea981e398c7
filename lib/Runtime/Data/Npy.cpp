// The header of a .npy file is a Python dictionary; this parser accepts exactly
// the three keys that NumPy writes, in any order and spacing.
#include "TileGPT/Runtime/Data/Npy.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Data/OutputFile.h"
#include <charconv>
#include <cstring>
#include <string>

using namespace tilegpt::runtime;

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr size_t headerAlignment = 64;

struct NpyHeader {
  std::string_view type;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Parses the dictionary. Functions return false on unexpected text, with
/// `position` at it.
class HeaderParser {
public:
  HeaderParser(std::string_view text, NpyHeader &header)
      : text(text), header(header) {}

  size_t position = 0;

  bool parse() {
    if (!accept('{'))
      return false;
    unsigned seen = 0;
    while (!accept('}')) {
      std::string_view key;
      const size_t start = position;
      if (!quoted(key) || !accept(':'))
        return false;
      const unsigned field = key == "descr"           ? 1
                             : key == "fortran_order" ? 2
                             : key == "shape"         ? 4
                                                      : 0;
      if (field == 0 || seen & field) {
        position = start;
        return false;
      }
      seen |= field;
      if (!(field == 1   ? quoted(header.type)
            : field == 2 ? boolean()
                         : tuple()))
        return false;
      if (!accept(',') && !peek('}'))
        return false;
    }
    skipSpaces();
    return seen == 7 && position == text.size();
  }

private:
  void skipSpaces() {
    while (position < text.size() &&
           (text[position] == ' ' || text[position] == '\n'))
      ++position;
  }
  bool peek(char c) {
    skipSpaces();
    return position < text.size() && text[position] == c;
  }
  bool accept(char c) {
    if (!peek(c))
      return false;
    ++position;
    return true;
  }
  bool quoted(std::string_view &value) {
    skipSpaces();
    const char quote = position < text.size() ? text[position] : '\0';
    if (quote != '\'' && quote != '"')
      return false;
    const size_t end = text.find(quote, position + 1);
    if (end == std::string_view::npos)
      return false;
    value = text.substr(position + 1, end - position - 1);
    position = end + 1;
    return true;
  }
  bool boolean() {
    skipSpaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text.substr(position).starts_with(word)) {
        header.fortranOrder = value;
        position += word.size();
        return true;
      }
    }
    return false;
  }
  /// "()", "(3,)", "(2, 3)"; as in Python, "(3)" is no tuple.
  bool tuple() {
    if (!accept('('))
      return false;
    while (!accept(')')) {
      skipSpaces();
      int64_t size;
      const char *begin = text.data() + position;
      const auto [end, error] =
          std::from_chars(begin, text.data() + text.size(), size);
      if (error != std::errc() || size < 0 ||
          header.shape.size() == maxStoredRank)
        return false;
      position += size_t(end - begin);
      header.shape.push_back(size);
      if (!accept(',') && (header.shape.size() == 1 || !peek(')')))
        return false;
    }
    return true;
  }

  std::string_view text;
  NpyHeader &header;
};

} // namespace

/// NumPy has no bf16; with the package ml_dtypes it saves such an array as
/// elements of two opaque bytes.
static std::optional<StoredType> typeOf(std::string_view descr) {
  return descr == "<V2" || descr == "|V2" ? StoredType::BF16
                                          : parseNpyType(descr);
}

Result<NpyArray> tilegpt::runtime::parseNpy(std::span<const std::byte> image,
                                            std::string_view where) {
  const auto failed = [&](const auto &...problem) {
    return makeError(ErrorCode::BadInput, where, " ", problem...);
  };
  const std::string_view text(reinterpret_cast<const char *>(image.data()),
                              image.size());
  // Magic, two bytes of version, then the header's length in two bytes, or in
  // four since version 2.
  if (!text.starts_with(magic) || text.size() < magic.size() + 2)
    return failed("is not a .npy file");
  const auto version = uint8_t(text[magic.size()]);
  if (version < 1 || version > 3 || text[magic.size() + 1] != 0)
    return failed("has .npy version ", version, ".",
                  uint8_t(text[magic.size() + 1]),
                  ", expected 1.0, 2.0 or 3.0");
  const size_t lengthBytes = version == 1 ? 2 : 4;
  const size_t headerStart = magic.size() + 2 + lengthBytes;
  if (text.size() < headerStart)
    return failed("is truncated: expected at least ", headerStart,
                  " bytes, got ", text.size());
  uint32_t headerBytes = 0;
  std::memcpy(&headerBytes, text.data() + magic.size() + 2, lengthBytes);
  if (headerBytes > text.size() - headerStart)
    return failed("is truncated: expected a header of ", headerBytes,
                  " bytes, got ", text.size() - headerStart);

  NpyHeader header;
  HeaderParser parser(text.substr(headerStart, headerBytes), header);
  if (!parser.parse())
    return failed("has a malformed header at byte ",
                  headerStart + parser.position);
  const auto type = typeOf(header.type);
  if (!type)
    return failed("has the dtype '", header.type,
                  "', expected a little-endian number such as '<f4'");
  if (header.fortranOrder && header.shape.size() > 1)
    return failed("is in Fortran order; save it with numpy.ascontiguousarray");
  const size_t dataBytes = text.size() - headerStart - headerBytes;
  const auto expected = tensorBytes(*type, header.shape);
  if (!expected)
    return failed("has the shape ", formatShape(header.shape),
                  ", which takes more than 2^63 bytes");
  if (uint64_t(*expected) != dataBytes)
    return failed("should hold ", *expected, " bytes for ", name(*type),
                  formatShape(header.shape), ", got ", dataBytes);
  const auto data = image.last(dataBytes);
  return NpyArray{*type, std::move(header.shape), {data.begin(), data.end()}};
}

Result<NpyArray> tilegpt::runtime::readNpy(const std::filesystem::path &path) {
  const auto file = MappedFile::open(path, "npy");
  if (!file)
    return tl::unexpected(file.error());
  return parseNpy(file->bytes(), concat("npy: '", path.string(), "'"));
}

Result<void> tilegpt::runtime::writeNpy(const std::filesystem::path &path,
                                        StoredType type,
                                        std::span<const int64_t> shape,
                                        std::span<const std::byte> bytes) {
  const auto refused = [&](const auto &...problem) {
    return makeError(ErrorCode::Usage, "npy: cannot write '", path.string(),
                     "': ", problem...);
  };
  if (npyName(type).empty())
    return refused("NumPy has no ", name(type), "; convert to f32");
  if (tensorBytes(type, shape) != int64_t(bytes.size()))
    return refused(name(type), formatShape(shape), " does not take ",
                   bytes.size(), " bytes");
  std::string header = concat("{'descr': '", npyName(type),
                              "', 'fortran_order': False, 'shape': (");
  for (size_t i = 0; i < shape.size(); ++i)
    header += concat(i == 0 ? "" : ", ", shape[i]);
  header += shape.size() == 1 ? ",), }" : "), }";
  // Version 1.0: two bytes of length; the header ends in a line feed and the
  // data starts at a multiple of 64 bytes.
  const size_t prefixBytes = magic.size() + 4;
  header.append((-(prefixBytes + header.size() + 1)) % headerAlignment, ' ');
  header += '\n';
  const auto headerBytes = uint16_t(header.size());
  std::string prefix(magic);
  prefix += {'\1', '\0', char(headerBytes & 0xFF), char(headerBytes >> 8)};

  OutputFile file(path);
  file.write(std::as_bytes(std::span(prefix)));
  file.write(std::as_bytes(std::span(header)));
  file.write(bytes);
  return file.finish("npy");
}
