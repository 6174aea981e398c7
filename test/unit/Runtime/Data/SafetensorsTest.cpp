// Every valid file loads; everything else is rejected before its data is used,
// with an exact message for each case.
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "../TemporaryFolder.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
namespace fs = std::filesystem;

namespace {

/// A file with this header and `dataBytes` bytes of data.
std::string file(std::string_view header, size_t dataBytes) {
  const uint64_t size = header.size();
  std::string bytes(reinterpret_cast<const char *>(&size), sizeof(size));
  return bytes.append(header).append(dataBytes, '\x01');
}

std::string tensor(std::string_view dtype, std::string_view shape,
                   std::string_view offsets) {
  return concat("{\"t\":{\"dtype\":\"", dtype, "\",\"shape\":", shape,
                ",\"data_offsets\":", offsets, "}}");
}

Result<Safetensors> view(const std::string &bytes) {
  return Safetensors::view(std::as_bytes(std::span(bytes)), "w: 'f'");
}

} // namespace

TEST(Safetensors, LoadsEverythingLegal) {
  // Fields and tensors in any order, a scalar, empty tensors, padding.
  const std::string bytes = file(
      R"({"b":{"data_offsets":[4,12],"shape":[2,2],"dtype":"BF16"},)"
      R"("__metadata__":{"format":"pt"},)"
      R"("scalar":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
      R"("empty":{"dtype":"F64","shape":[3,0],"data_offsets":[4,4]},)"
      R"("also empty":{"dtype":"I8","shape":[0],"data_offsets":[12,12]}}   )",
      12);
  const auto weights = view(bytes);
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(weights->tensors().size(), 4u);
  ASSERT_NE(weights->find("scalar"), nullptr);
  EXPECT_EQ(weights->find("scalar")->description(), "f32[]");
  EXPECT_EQ(weights->bytes(*weights->find("scalar")).size(), 4u);
  EXPECT_EQ(weights->find("empty")->description(), "f64[3,0]");
  EXPECT_TRUE(weights->bytes(*weights->find("empty")).empty());
  EXPECT_EQ(weights->find("b")->description(), "bf16[2,2]");
  EXPECT_EQ(weights->find("missing"), nullptr);
  ASSERT_EQ(weights->metadata().size(), 1u);
  EXPECT_EQ(weights->metadata()[0].first, "format");
  EXPECT_EQ(weights->metadata()[0].second, "pt");
}

TEST(Safetensors, LoadsAnEmptyFileOfTensors) {
  const std::string bytes = file("{}", 0);
  EXPECT_TRUE(view(bytes));
}

TEST(Safetensors, RefusesBadFiles) {
  const std::string overflow = "[4294967296,4294967296]";
  std::string longHeader = file("{}", 0), hugeHeader = longHeader;
  longHeader[0] = 3;
  std::memset(hugeHeader.data(), 0xFF, 8);
  const std::pair<std::string, std::string> cases[] = {
      {"", "is not a safetensors file: expected at least 8 bytes, got 0"},
      {"1234567", "is not a safetensors file: expected at least 8 bytes, got "
                  "7"},
      {longHeader,
       "is truncated: expected a header of 3 bytes, got 2; download it "
       "again"},
      {hugeHeader,
       "is not a safetensors file: its header would take 18446744073709551615 "
       "bytes, more than the limit of 100000000"},
      {"<!DOCTYPE html><html>Entry not found",
       "is not a safetensors file: it begins with '<!DOCTYPE html><'"},
      {"{\n  \"model_type\": \"gpt2\"\n}",
       "is not a safetensors file: it begins with '{   \"model_type\"'"},
      {std::string("PK\3\4\24\0\0\0\b\0\0\0", 12),
       "is not a safetensors file: it begins with 'PK'"},
      {std::string("GGUF\3\0\0\0\1\1\1\1", 12),
       "is not a safetensors file: it begins with 'GGUF'"},
      {file("", 0), "has a header that does not start with '{'"},
      {file("[]", 0), "has a header that does not start with '{'"},
      {file(" {}", 0), "has a header that does not start with '{'"},
      {file("{\"\xff\":1}", 0), "has a header that is not UTF-8 at byte 2"},
      {file("{", 0), "has a header that ends too early, at line 1, column 1"},
      {file("{} x", 0),
       "has a header that is not valid JSON at line 1, column 4"},
      {file("{'t':1}", 0),
       "has a header that is not valid JSON at line 1, column 2"},
      // Top level.
      {file(R"({"t":null})", 0),
       "is malformed: tensor 't' is not an object but null"},
      {file(R"({"t":[1]})", 0),
       "is malformed: tensor 't' is not an object but an array"},
      {file(R"({"t":{"dtype":"U8","shape":[],"data_offsets":[0,1]},)"
            R"("t":{"dtype":"U8","shape":[],"data_offsets":[1,2]}})",
            2),
       "has the tensor 't' twice"},
      {file(R"({"__metadata__":{},"__metadata__":{}})", 0),
       "has the tensor '__metadata__' twice"},
      {file(R"({"__metadata__":[]})", 0),
       "has __metadata__ that is not an object but an array"},
      {file(R"({"__metadata__":{"a":1}})", 0),
       "has the metadata 'a' that is not a string but the number 1"},
      {file(R"({"__metadata__":{"a":{"b":"c"}}})", 0),
       "has the metadata 'a' that is not a string but an object"},
      {file(R"({"__metadata__":{"a":"b","a":"b"}})", 0),
       "has the metadata key 'a' twice"},
      // Fields.
      {file(R"({"t":{}})", 0), "is malformed: tensor 't' has no dtype"},
      {file(R"({"t":{"dtype":"U8","data_offsets":[0,1]}})", 1),
       "is malformed: tensor 't' has no shape"},
      {file(R"({"t":{"dtype":"U8","shape":[1]}})", 1),
       "is malformed: tensor 't' has no data_offsets"},
      {file(R"({"t":{"dtype":"U8","dtype":"U8"}})", 1),
       "is malformed: tensor 't' has dtype twice"},
      {file(R"({"t":{"stride":[1]}})", 1),
       "is malformed: tensor 't' has the unknown field 'stride'"},
      {file(R"({"t":{"dtype":7}})", 0),
       "is malformed: tensor 't' has a dtype that is not a string but the "
       "number 7"},
      {file(tensor("F31", "[]", "[0,4]"), 4),
       "is malformed: tensor 't' has the unknown dtype 'F31'"},
      {file(tensor("f32", "[]", "[0,4]"), 4),
       "is malformed: tensor 't' has the unknown dtype 'f32'"},
      // Shapes.
      {file(tensor("U8", "4", "[0,4]"), 4),
       "is malformed: tensor 't' expected shape to be an array of sizes, got "
       "the number 4"},
      {file(tensor("U8", "[-4]", "[0,4]"), 4),
       "is malformed: tensor 't' expected shape to be an array of sizes, got "
       "the negative number -4"},
      {file(tensor("U8", "[4.0]", "[0,4]"), 4),
       "is malformed: tensor 't' expected shape to be an array of sizes, got "
       "the number 4.0"},
      {file(tensor("U8", "[[4]]", "[0,4]"), 4),
       "is malformed: tensor 't' expected shape to be an array of sizes, got "
       "an array"},
      {file(tensor("U8", "[\"4\"]", "[0,4]"), 4),
       "is malformed: tensor 't' expected shape to be an array of sizes, got "
       "the string '4'"},
      {file(tensor("U8", "[18446744073709551615]", "[0,4]"), 4),
       "is malformed: tensor 't' has the size 18446744073709551615, which is "
       "too large"},
      {file(tensor("U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]"), 1),
       "is malformed: tensor 't' has more than 8 sizes"},
      {file(tensor("U8", overflow, "[0,0]"), 0),
       "is malformed: tensor 't' u8[4294967296,4294967296] has more than 2^63 "
       "bytes"},
      {file(tensor("F64", "[2,2]", "[0,31]"), 31),
       "is malformed: tensor 't' f64[2,2] takes 32 bytes, but its "
       "data_offsets [0,31] hold 31"},
      // Offsets.
      {file(tensor("U8", "[4]", "[0]"), 4),
       "is malformed: tensor 't' has 1 data_offsets, expected two"},
      {file(tensor("U8", "[4]", "[]"), 4),
       "is malformed: tensor 't' has 0 data_offsets, expected two"},
      {file(tensor("U8", "[4]", "[0,4,4]"), 4),
       "is malformed: tensor 't' has more than two data_offsets"},
      {file(tensor("U8", "[4]", "[-1,3]"), 4),
       "is malformed: tensor 't' expected data_offsets to be an array of two "
       "offsets, got the negative number -1"},
      {file(tensor("U8", "[4]", "[0,4.5]"), 4),
       "is malformed: tensor 't' expected data_offsets to be an array of two "
       "offsets, got the number 4.5"},
      {file(tensor("U8", "[4]", "{}"), 4),
       "is malformed: tensor 't' expected data_offsets to be an array of two "
       "offsets, got an object"},
      {file(tensor("U8", "[4]", "[4,0]"), 4),
       "is malformed: tensor 't' has reversed data_offsets [4,0]"},
      {file(tensor("U8", "[4]", "[0,4]"), 3),
       "is truncated: tensor 't' has data_offsets [0,4], but the file holds "
       "only 3 bytes of data; download it again"},
      {file(tensor("U8", "[4]", "[0,4]"), 5),
       "is malformed: its tensors end at byte 4 of the data, but the data has "
       "5 bytes"},
      {file(tensor("U8", "[4]", "[1,5]"), 5),
       "is malformed: no tensor owns the 1 bytes before 't'"},
      {file(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
            R"("b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
            6),
       "is malformed: the data of 'b' overlaps that of 'a'"},
      {file(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
            R"("b":{"dtype":"U8","shape":[0],"data_offsets":[2,2]}})",
            4),
       "is malformed: the data of 'b' overlaps that of 'a'"},
      {file("{}", 1),
       "is malformed: its tensors end at byte 0 of the data, but the data has "
       "1 bytes"},
  };
  for (const auto &[bytes, message] : cases) {
    const auto weights = view(bytes);
    ASSERT_FALSE(weights) << message;
    EXPECT_EQ(weights.error().message, "w: 'f' " + message);
    EXPECT_EQ(weights.error().code, ErrorCode::BadInput);
  }
}

TEST(Safetensors, SeesThatItsFileWasTruncated) {
  const TemporaryFolder folder;
  const auto path = folder.write("x", file(tensor("U8", "[4]", "[0,4]"), 4));
  const auto weights = Safetensors::open(path, "weights");
  ASSERT_TRUE(weights);
  EXPECT_TRUE(weights->checkIntact());
  fs::resize_file(path, 20);
  EXPECT_FALSE(weights->checkIntact());
}
