// Malformed bytecode gives an error with its position, never a crash.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gmock/gmock.h>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::target::cudatile;
using testing::HasSubstr;

namespace {

class HostileBytecode : public ::testing::Test {
protected:
  HostileBytecode() {
    context.loadDialect<cuda_tile::CudaTileDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      error += diagnostic.str();
      return success();
    });
  }

  /// The error of reading the bytes.
  std::string read(StringRef bytes) {
    error.clear();
    auto module = readBytecode(bytes, "bytes", &context);
    EXPECT_EQ(bool(module), error.empty());
    return error;
  }

  std::string write(StringRef text, Version version) {
    auto file = parseSourceString<ModuleOp>(text, &context);
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    auto module = *file->getOps<cuda_tile::ModuleOp>().begin();
    EXPECT_TRUE(succeeded(writeBytecode(module, version, stream)));
    return bytes;
  }

  MLIRContext context;
  std::string error;
};

constexpr StringLiteral program = R"(cuda_tile.module @m {
  global @g <f32: [1.0, 2.0]> : tile<2xf32>
  entry @f(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {occupancy = 2 : i32}> {
    %a = iota : tile<8xi32>
    %0 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%x = %a) -> (tile<8xi32>) {
      %1 = assume div_by<4>, %x : tile<8xi32>
      continue %1 : tile<8xi32>
    }
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %t = make_partition_view %v : partition_view<tile=(8), padding_value = nan, tensor_view<64xf32, strides=[1]>>
    %y, %k = load_view_tko weak %t[%n] : partition_view<tile=(8), padding_value = nan, tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
})";

TEST_F(HostileBytecode, HeadersThatAreNone) {
  EXPECT_THAT(read(""), HasSubstr("expected 8 bytes, found 0 (at byte 0)"));
  EXPECT_THAT(read("module {}"),
              HasSubstr("expected bytecode of CUDA Tile IR"));
  EXPECT_THAT(read(StringRef("\x7fTileIR\0\x0d\x09\0\0", 12)),
              HasSubstr("expected version 13.1 to 13.5, found 13.9"));
  EXPECT_THAT(read(StringRef("\x7fTileIR\0\x0d\x03\x01\0", 12)),
              HasSubstr("expected a file without preview features"));
  EXPECT_THAT(read(StringRef("\x7fTileIR\0\x0d\x03\0\0\0", 13)),
              HasSubstr("expected section 1"));
  EXPECT_THAT(read(StringRef("\x7fTileIR\0\x0d\x03\0\0\x19", 13)),
              HasSubstr("expected a section up to 7, found 25"));
}

TEST_F(HostileBytecode, LengthsBeyondTheFile) {
  EXPECT_THAT(read(StringRef("\x7fTileIR\0\x0d\x03\0\0\x01\xff\xff\x03", 16)),
              HasSubstr("expected a section of 65535 bytes, found 0"));
  EXPECT_THAT(
      read(StringRef("\x7fTileIR\0\x0d\x03\0\0\x01\xff\xff\xff\xff\xff\xff\xff"
                     "\xff\xff\x7f",
                     23)),
      HasSubstr("expected a number of at most 64 bits"));
}

TEST_F(HostileBytecode, EveryPrefixIsAnError) {
  std::string bytes = write(program, {13, 3});
  EXPECT_EQ(read(bytes), "");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(read(StringRef(bytes).take_front(size)), "") << size;
}

TEST_F(HostileBytecode, EveryChangedByteIsReadOrAnError) {
  for (Version version : Version::all()) {
    std::string bytes = write(program, version);
    for (size_t at = 0; at < bytes.size(); ++at)
      for (int change : {0x01, 0x80, 0xff}) {
        std::string changed = bytes;
        changed[at] = char(changed[at] ^ change);
        read(changed);
      }
  }
}

/// Text cannot name such a symbol.
TEST_F(HostileBytecode, NamesThatAreEmpty) {
  for (StringRef name : {"f", "g"}) {
    auto file = parseSourceString<ModuleOp>(program, &context);
    auto module = *file->getOps<cuda_tile::ModuleOp>().begin();
    SymbolTable::setSymbolName(SymbolTable::lookupSymbolIn(module, name), "");
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    ASSERT_TRUE(succeeded(writeBytecode(module, {13, 3}, stream)));
    EXPECT_THAT(read(bytes), HasSubstr("expected a name that is not empty"));
  }
}

TEST_F(HostileBytecode, ANewerRoundingIsNamedWithItsVersion) {
  constexpr StringLiteral cast = R"(cuda_tile.module @m {
    entry @f(%x: tile<f32>) {
      %0 = ftof %x rounding<zero> : tile<f32> -> tile<f16>
    }
  })";
  std::string bytes = write(cast, {13, 4});
  EXPECT_EQ(read(bytes), "");
  bytes[9] = 3;
  EXPECT_THAT(read(bytes),
              HasSubstr("expected a rounding of 'cuda_tile.ftof' of version "
                        "13.3, found one of version 13.4"));
}

TEST_F(HostileBytecode, ANewerClassOfPointersIsNamedWithItsVersion) {
  std::string bytes = write(R"(cuda_tile.module @m {
    entry @f(%p: tile<ptr<f32, <multicast>>>) {
    }
  })",
                            {13, 5});
  EXPECT_EQ(read(bytes), "");
  size_t at = bytes.find(StringRef("\x0c\x01\0\x02", 4));
  ASSERT_NE(at, std::string::npos);
  std::string older = bytes;
  older[9] = 4;
  EXPECT_THAT(read(older),
              HasSubstr("expected a class of pointers of version 13.4, found "
                        "multicast of version 13.5"));
  bytes[at + 3] = 3;
  EXPECT_THAT(read(bytes), HasSubstr("a class of pointers"));
}

TEST_F(HostileBytecode, ANewerOpIsNamedWithItsVersion) {
  std::string bytes = write(R"(cuda_tile.module @m {
    entry @f(%x: tile<f32>) {
      %0 = atan2 %x, %x : tile<f32>
    }
  })",
                            {13, 2});
  bytes[9] = 1;
  EXPECT_THAT(read(bytes), HasSubstr("expected an op of version 13.1, found "
                                     "'cuda_tile.atan2' of version 13.2"));
}

/// A file written by hand with one entry.
struct HandmadeFile {
  std::vector<std::string> types = {std::string("\x10\0\0", 3)}; ///< encoded
  std::string ops = std::string("\x5c\0\0", 3);                  ///< a return
  std::string hints = {};                  ///< encoded with their tag, if any
  std::vector<std::string> constants = {}; ///< encoded
  std::vector<std::string> strings = {"f"};
  std::vector<uint32_t> locationsBegin = {};
  std::vector<uint64_t> locationNumbers = {};
  std::vector<std::string> locations = {}; ///< encoded
  char version = 3, flags = 2;

  std::string join() const {
    std::string file("\x7fTileIR\0\x0d", 9);
    file += version;
    file += std::string(2, '\0');
    std::string entry = number(1) + number(0) + number(0);
    entry += char(flags | (hints.empty() || version > 4 ? 0 : 4));
    entry += number(locationsBegin.empty() ? 0 : 1) + hints;
    append(file, 2, 8, entry + number(ops.size()) + ops);
    if (!constants.empty())
      append(file, 4, 8, items(constants, 8));
    if (!locationsBegin.empty())
      append(file, 3, 8, debug());
    append(file, 5, 4, items(types, 4));
    append(file, 1, 4, items(strings, 4));
    return file + '\0';
  }

  static std::string number(uint64_t value) {
    std::string bytes;
    for (; value > 127; value >>= 7)
      bytes += char(value | 128);
    return bytes + char(value);
  }
  static std::string fixed(uint64_t value, unsigned bytes) {
    std::string all;
    for (unsigned i = 0; i < bytes; ++i)
      all += char(value >> (8 * i));
    return all;
  }
  static void align(std::string &bytes, size_t alignment) {
    bytes.resize(llvm::alignTo(bytes.size(), alignment), '\xcb');
  }
  static std::string items(const std::vector<std::string> &all,
                           unsigned width) {
    std::string head = number(all.size()), contents;
    align(head, width);
    for (const std::string &item : all) {
      head += fixed(contents.size(), width);
      contents += item;
    }
    return head + contents;
  }

private:
  std::string debug() const {
    std::string bytes = number(locationsBegin.size());
    align(bytes, 4);
    for (uint32_t begin : locationsBegin)
      bytes += fixed(begin, 4);
    bytes += number(locationNumbers.size());
    align(bytes, 8);
    for (uint64_t location : locationNumbers)
      bytes += fixed(location, 8);
    return bytes + items(locations, 4);
  }

  static void append(std::string &file, unsigned id, unsigned alignment,
                     const std::string &payload) {
    file += char(id | 128);
    file += number(payload.size()) + number(alignment);
    align(file, alignment);
    file += payload;
  }
};

std::string repeat(StringRef bytes, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += bytes;
  return all;
}

TEST_F(HostileBytecode, NestingIsLimited) {
  EXPECT_EQ(read(HandmadeFile().join()), "");
  // A loop without results and operands, of one region of one block of one op.
  const StringRef loop("\x41\0\0\1\1\0\1", 7);
  for (size_t levels : {100, 100000})
    EXPECT_THAT(read(HandmadeFile{.ops = repeat(loop, levels)}.join()),
                HasSubstr("expected regions nested less deeply"));
  // Hints with one key, whose value is an array of one array of one …
  for (size_t levels : {100, 100000})
    EXPECT_THAT(
        read(HandmadeFile{.hints = std::string("\x0b\1\0", 3) +
                                   repeat("\x06\x01", levels) + "\x03\x01"}
                 .join()),
        HasSubstr("expected attributes nested less deeply"));
  // Pointers to the next type.
  std::vector<std::string> types(1, std::string("\x10\1\1\0", 4));
  for (size_t next = 2; next < 100; ++next)
    types.push_back("\x0c" + HandmadeFile::number(next));
  types.push_back("\x07");
  EXPECT_THAT(read(HandmadeFile{.types = types}.join()),
              HasSubstr("expected types nested less deeply"));
}

/// What is stored once and used often has a limit on its uses.
TEST_F(HostileBytecode, SharingIsLimited) {
  // Hints with one key, whose value is a list of a long string.
  const size_t uses = 65;
  EXPECT_THAT(read(HandmadeFile{.hints = std::string("\x0b\1\0\x06", 4) +
                                         char(uses) + repeat("\x05\1", uses),
                                .strings = {"f", repeat("s", 1 << 20)}}
                       .join()),
              HasSubstr("expected strings of at most 67108864 bytes, counted "
                        "at each use"));
  // Calls whose callee and caller are the next location.
  std::vector<std::string> locations;
  for (unsigned next = 2; next < 100; ++next)
    locations.push_back("\x06" + HandmadeFile::number(next) +
                        HandmadeFile::number(next));
  const char file = char(locations.size() + 3);
  locations.push_back(std::string("\x04") + char(file - 1) +
                      std::string("\0\1\1", 3));
  locations.push_back(std::string("\x05") + file + std::string("\1\0\0", 3) +
                      char(file + 1) + "\1");
  locations.push_back(std::string("\x02\0\0", 3));
  locations.push_back(std::string("\x01") + file);
  EXPECT_THAT(read(HandmadeFile{.locationsBegin = {0},
                                .locationNumbers = {1, 0},
                                .locations = locations}
                       .join()),
              HasSubstr("expected locations of at most 67108864 parts, counted "
                        "at each use"));
  // A signature of two signatures of two …
  std::vector<std::string> types;
  for (unsigned next = 1; next < 40; ++next)
    types.push_back(std::string("\x10\2") + char(next) + char(next) + '\0');
  types.push_back(std::string("\x10\0\0", 3));
  EXPECT_THAT(read(HandmadeFile{.types = types}.join()),
              HasSubstr("expected the type of a value, found that of a "
                        "function"));
}

TEST_F(HostileBytecode, AxesAreLimited) {
  const std::string shape =
      HandmadeFile::number(65) + repeat(HandmadeFile::fixed(1, 8), 65);
  EXPECT_THAT(read(HandmadeFile{.types = {std::string("\x10\1\1\0", 4),
                                          "\x0d\2" + shape, "\x03"}}
                       .join()),
              HasSubstr("expected a type of at most 64 axes, found 65"));
}

/// Bytes that may hold zeros.
template <size_t size>
std::string bytes(const char (&literal)[size]) {
  return {literal, size - 1};
}

TEST_F(HostileBytecode, PartsThatDoNotExist) {
  // A kernel of a scalar i32; further types begin at 3.
  const std::vector<std::string> scalar = {bytes("\x10\1\1\0"),
                                           bytes("\x0d\2\0"), "\x03"};
  auto withType = [&](std::string encoded) {
    std::vector<std::string> types = scalar;
    types.push_back(std::move(encoded));
    return types;
  };
  const std::string fourInts = bytes("\x0d\2\1") + HandmadeFile::fixed(4, 8);
  const std::pair<HandmadeFile, const char *> rows[] = {
      // Types: of unknown kinds, newer ones, and loops of them.
      {{.types = {"\x32"}}, "expected the tag of a type, found 50"},
      {{.types = {bytes("\x10\1\1\0"), bytes("\x0d\2\0"), bytes("\x82\x01")},
        .version = 3},
       "expected a type of version 13.3, found one of version 13.4"},
      {{.types = {bytes("\x10\1\1\0"), bytes("\x0d\2\0"), "\x12"},
        .version = 1},
       "expected a type of version 13.1, found one of version 13.2"},
      {{.types = {bytes("\x10\1\1\0"), "\x0c\x01"}},
       "expected types that do not contain themselves"},
      {{.types = {bytes("\x10\1\5\0")}},
       "expected the number of a type below 1"},
      {{.types = {"\x03"}}, "expected a function type"},
      // Functions and their hints.
      {{.flags = 3}, "expected a public kernel, found flags 3"},
      {{.flags = 0}, "expected a public kernel, found flags 0"},
      {{.hints = "\x63"}, "expected the tag of an attribute, found 99"},
      {{.hints = bytes("\x03\x01")}, "expected hints of a kernel"},
      {{.hints = bytes("\x0b\1\0\x03\x01")}, "expected hints by target"},
      {{.hints = bytes("\x0b\2\0\x0a\0\0\x0a\0")},
       "expected each name once, found 'f'"},
      {{.hints = bytes("\x0b\0\x06\1\x0a\0"), .version = 5},
       "expected no attributes of arguments"},
      // Ops: numbers, cases, values, flags, counts.
      {{.ops = bytes("\x16")},
       "expected an op up to version 13.5, found number 22"},
      {{.types = scalar, .ops = bytes("\x03\1\4\0\0")},
       "expected a case of overflow, found 4"},
      {{.types = scalar, .ops = bytes("\x03\1\0\0\1")},
       "expected the number of a value below 1, found 1"},
      {{.types = scalar, .ops = bytes("\x02\1\2\0\0\0")},
       "expected flags below 2, found 2"},
      {{.types = scalar, .ops = bytes("\x06\1\x08\4\4\0")},
       "expected two bits, found 4"},
      {{.types = scalar, .ops = bytes("\x3c\1\1\x7f")},
       "expected room for 127 operands"},
      {{.types = scalar, .ops = bytes("\x32\0\0\1")},
       "expected 2 regions of 'cuda_tile.if'"},
      // Constants: of no numbers, of too few bytes.
      {{.types = scalar, .ops = bytes("\x10\2\0"), .constants = {"\1\1"}},
       "expected a constant that is a tile"},
      {{.types = withType(bytes("\x0d\4\0")),
        .ops = bytes("\x10\3\0"),
        .constants = {"\1\1"}},
       "expected the number of a type below 4"},
      {{.types = withType(fourInts),
        .ops = bytes("\x10\3\0"),
        .constants = {"\3\1\1\1"}},
       "expected the elements of the constant's tile, found 3 bytes"},
      {{.types = withType(fourInts),
        .ops = bytes("\x10\3\1"),
        .constants = {"\4\1\1\1\1"}},
       "expected the number of a constant below 1, found 1"},
      // Locations: which do not exist, are none, contain themselves.
      {{.locationsBegin = {0}, .locationNumbers = {5}, .locations = {"\x09"}},
       "expected the number of a location from 1 to 1, found 5"},
      {{.locationsBegin = {0}, .locationNumbers = {1}, .locations = {"\x09"}},
       "expected the tag of a location, found 9"},
      {{.locationsBegin = {0},
        .locationNumbers = {1},
        .locations = {bytes("\x02\0\0")}},
       "expected a location as location of an op"},
      {{.locationsBegin = {0},
        .locationNumbers = {1},
        .locations = {"\x06\x01\x01"}},
       "expected locations that do not contain themselves"},
      {{.locationsBegin = {1, 0},
        .locationNumbers = {1},
        .locations = {bytes("\x02\0\0")}},
       "expected parts of functions in order"},
  };
  for (const auto &[file, message] : rows)
    EXPECT_THAT(read(file.join()), HasSubstr(message));
  const std::string whole = HandmadeFile().join();
  EXPECT_THAT(read(whole + '\0'),
              HasSubstr("expected nothing after the end of the file"));
  EXPECT_THAT(read(StringRef(whole).drop_back()),
              HasSubstr("expected more bytes, found the end of the part"));
  // The first item begins beyond the section.
  std::string changed = whole;
  const std::string types = HandmadeFile::items(HandmadeFile().types, 4);
  changed[changed.find(types) + 4] = '\x7f';
  EXPECT_THAT(read(changed),
              HasSubstr("expected offsets that ascend, at most 3, found 127"));
}

} // namespace
