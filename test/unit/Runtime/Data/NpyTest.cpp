// Arrays survive a round trip, NumPy's own files can be read, and every
// malformed header has its own message.
#include "TileGPT/Runtime/Data/Npy.h"
#include "../TemporaryFolder.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
namespace fs = std::filesystem;

namespace {

/// A version 1 file with this dictionary and `dataBytes` bytes of data.
std::string file(std::string_view header, size_t dataBytes) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += char(header.size() & 0xFF);
  bytes += char(header.size() >> 8);
  return bytes.append(header).append(dataBytes, '\x01');
}

Result<NpyArray> parse(const std::string &bytes) {
  return parseNpy(std::as_bytes(std::span(bytes)), "npy: 'f'");
}

} // namespace

TEST(Npy, ReadsWhatItWrites) {
  const TemporaryFolder folder;
  const auto path = folder.path / "x.npy";
  std::vector<std::byte> bytes(48); // six of the widest
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = std::byte(i);
  for (uint8_t i = 0; i < storedTypeCount; ++i) {
    const auto type = StoredType(i);
    if (npyName(type).empty())
      continue;
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{}, {6}, {2, 3}, {0, 5}, {1, 2, 3}}) {
      const auto content =
          std::span(bytes).first(size_t(*tensorBytes(type, shape)));
      const auto written = writeNpy(path, type, shape, content);
      ASSERT_TRUE(written) << written.error().message;
      const auto read = readNpy(path);
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(read->type, type);
      EXPECT_EQ(read->shape, shape);
      EXPECT_TRUE(std::ranges::equal(read->bytes, content));
      EXPECT_EQ((fs::file_size(path) - content.size()) % 64, 0u);
    }
  }
}

TEST(Npy, WritesTheBytesNumPyWrites) {
  // numpy.save of numpy.array([1, 2], "<f4").
  const TemporaryFolder folder;
  const auto path = folder.path / "x.npy";
  const float values[] = {1, 2};
  const int64_t shape[] = {2};
  ASSERT_TRUE(
      writeNpy(path, StoredType::F32, shape, std::as_bytes(std::span(values))));
  std::ifstream stream(path, std::ios::binary);
  const std::string written((std::istreambuf_iterator<char>(stream)), {});
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  header.resize(117, ' ');
  header += '\n';
  const std::string numbers("\0\0\x80\x3f\0\0\0\x40", 8);
  EXPECT_EQ(written, file(header, 0) + numbers);
}

TEST(Npy, ReadsEveryVersionAndSpelling) {
  const std::string dictionary =
      R"({"shape":(2,1),"fortran_order":False,"descr":"<i2"})";
  std::string second = file(dictionary, 4);
  second[6] = 2;
  second.insert(10, 2, '\0');
  std::string third = second;
  third[6] = 3;
  for (const std::string &bytes : {file(dictionary, 4), second, third}) {
    const auto array = parse(bytes);
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->type, StoredType::I16);
    EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 1}));
  }
  // With one axis, both orders are the same.
  EXPECT_TRUE(parse(
      file("{'descr': '|u1', 'fortran_order': True, 'shape': (3,), }", 3)));
  // numpy.save of an array of ml_dtypes.bfloat16.
  for (const char *type : {"<V2", "|V2"}) {
    const auto array =
        parse(file(concat("{'descr': '", type,
                          "', 'fortran_order': False, 'shape': (3,)}"),
                   6));
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->type, StoredType::BF16);
  }
}

TEST(Npy, RefusesBadFiles) {
  const auto header = [](std::string_view type, std::string_view order,
                         std::string_view shape) {
    return concat("{'descr': '", type, "', 'fortran_order': ", order,
                  ", 'shape': ", shape, "}");
  };
  std::string version = file("", 0);
  version[6] = 4;
  const std::pair<std::string, std::string> cases[] = {
      {"", "is not a .npy file"},
      {"\x93NUMPX\x01", "is not a .npy file"},
      {version, "has .npy version 4.0, expected 1.0, 2.0 or 3.0"},
      {std::string("\x93NUMPY\x01\x00\x05", 9),
       "is truncated: expected at least 10 bytes, got 9"},
      {file("{}", 0).substr(0, 11),
       "is truncated: expected a header of 2 bytes, got 1"},
      {file("{}", 0), "has a malformed header at byte 12"},
      {file("[]", 0), "has a malformed header at byte 10"},
      {file("{'descr': '<f4'}", 0), "has a malformed header at byte 26"},
      {file("{'descr': '<f4', 'descr': '<f4'}", 0),
       "has a malformed header at byte 27"},
      {file("{'color': '<f4'}", 0), "has a malformed header at byte 11"},
      {file("{'descr': [('a', '<f4')]}", 0),
       "has a malformed header at byte 20"},
      {file(header("<f4", "Maybe", "(2,)"), 8),
       "has a malformed header at byte 44"},
      {file(header("<f4", "False", "(2)"), 8),
       "has a malformed header at byte 62"},
      {file(header("<f4", "False", "(-2,)"), 8),
       "has a malformed header at byte 61"},
      {file(header("<f4", "False", "(2.0,)"), 8),
       "has a malformed header at byte 62"},
      {file(header("<f4", "False", "(99999999999999999999,)"), 8),
       "has a malformed header at byte 61"},
      {file(header("<f4", "False", "(1,1,1,1,1,1,1,1,1)"), 4),
       "has a malformed header at byte 77"},
      {file(header("<f4", "False", "(2,)") + "x", 8),
       "has a malformed header at byte 65"},
      {file(header(">f4", "False", "(2,)"), 8),
       "has the dtype '>f4', expected a little-endian number such as '<f4'"},
      {file(header("|O", "False", "(2,)"), 8),
       "has the dtype '|O', expected a little-endian number such as '<f4'"},
      {file(header("|V1", "False", "(2,)"), 2),
       "has the dtype '|V1', expected a little-endian number such as '<f4'"},
      {file(header("", "False", "(2,)"), 8),
       "has the dtype '', expected a little-endian number such as '<f4'"},
      {file(header("<f4", "True", "(2,2)"), 16),
       "is in Fortran order; save it with numpy.ascontiguousarray"},
      {file(header("<f4", "False", "(4294967296,4294967296)"), 0),
       "has the shape [4294967296,4294967296], which takes more than 2^63 "
       "bytes"},
      {file(header("<f4", "False", "(2,)"), 7),
       "should hold 8 bytes for f32[2], got 7"},
      {file(header("<f4", "False", "(2,)"), 9),
       "should hold 8 bytes for f32[2], got 9"},
  };
  for (const auto &[bytes, message] : cases) {
    const auto array = parse(bytes);
    ASSERT_FALSE(array) << message;
    EXPECT_EQ(array.error().message, "npy: 'f' " + message);
    EXPECT_EQ(array.error().code, ErrorCode::BadInput);
  }
}

TEST(Npy, RefusesToWriteNonsense) {
  const TemporaryFolder folder;
  const std::string path = folder.path / "x.npy";
  const std::vector<std::byte> bytes(4);
  const int64_t shape[] = {2};
  const auto bf16 = writeNpy(path, StoredType::BF16, shape, bytes);
  ASSERT_FALSE(bf16);
  EXPECT_EQ(bf16.error().message, "npy: cannot write '" + path +
                                      "': NumPy has no bf16; convert to f32");
  const auto size = writeNpy(path, StoredType::F32, shape, bytes);
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().message,
            "npy: cannot write '" + path + "': f32[2] does not take 4 bytes");
  const auto full = writeNpy("/dev/full", StoredType::F16, shape, bytes);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message,
            "npy: cannot write '/dev/full': No space left on device");
  EXPECT_FALSE(fs::exists(path));
}
