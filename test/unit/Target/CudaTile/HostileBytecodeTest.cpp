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

/// A file of version 13.3, written by hand, with one entry.
class DeepFile {
public:
  /// Encodes types as a section has them, the hints of the entry, empty or with
  /// their tag, and its ops.
  static std::string join(ArrayRef<std::string> types, StringRef hints,
                          StringRef ops) {
    DeepFile file;
    std::string items, entry = number(1) + number(0) + number(0);
    std::string offsets;
    for (const std::string &type : types) {
      offsets += word(items.size());
      items += type;
    }
    entry += char(hints.empty() ? 2 : 6);
    entry += number(0) + hints.str() + number(ops.size()) + ops.str();
    file.append(2, 8, entry);
    file.append(
        5, 4, number(types.size()) + std::string(3, '\xcb') + offsets + items);
    file.append(1, 4, number(1) + std::string(3, '\xcb') + word(0) + "f");
    return file.bytes + '\0';
  }

  static std::string number(uint64_t value) {
    std::string bytes;
    for (; value > 127; value >>= 7)
      bytes += char(value | 128);
    return bytes + char(value);
  }

private:
  static std::string word(size_t value) {
    std::string bytes;
    for (unsigned shift : {0, 8, 16, 24})
      bytes += char(value >> shift);
    return bytes;
  }

  void append(unsigned id, unsigned alignment, StringRef payload) {
    bytes += char(id | 128);
    bytes += number(payload.size()) + number(alignment);
    bytes.resize(llvm::alignTo(bytes.size(), alignment), '\xcb');
    bytes += payload;
  }

  std::string bytes = std::string("\x7fTileIR\0\x0d\x03\0\0", 12);
};

std::string repeat(StringRef bytes, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += bytes;
  return all;
}

TEST_F(HostileBytecode, NestingIsLimited) {
  const std::string function("\x10\0\0", 3), end("\x5c\0\0", 3);
  EXPECT_EQ(read(DeepFile::join({function}, "", end)), "");
  // A loop without results and operands, of one region of one block of one op.
  const StringRef loop("\x41\0\0\1\1\0\1", 7);
  for (size_t levels : {100, 100000})
    EXPECT_THAT(read(DeepFile::join({function}, "", repeat(loop, levels))),
                HasSubstr("expected regions nested less deeply"));
  // Hints with one key, whose value is an array of one array of one …
  for (size_t levels : {100, 100000})
    EXPECT_THAT(read(DeepFile::join({function},
                                    std::string("\x0b\1\0", 3) +
                                        repeat("\x06\x01", levels) + "\x03\x01",
                                    end)),
                HasSubstr("expected attributes nested less deeply"));
  // Pointers to the next type.
  std::vector<std::string> types(1, std::string("\x10\1\1\0", 4));
  for (size_t next = 2; next < 100; ++next)
    types.push_back("\x0c" + DeepFile::number(next));
  types.push_back("\x07");
  EXPECT_THAT(read(DeepFile::join(types, "", end)),
              HasSubstr("expected types nested less deeply"));
}

} // namespace
