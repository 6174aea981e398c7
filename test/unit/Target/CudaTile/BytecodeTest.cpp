// The round trip from text to bytecode and back is the identity, for every op
// in every version it exists in. The texts are those of the dialect's own
// tests.
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "ByteReader.h"
#include "OpTable.h"
#include "SourceFolder.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>
#include <set>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::target::cudatile;
using namespace std::string_view_literals;

namespace {

class Bytecode : public ::testing::Test {
protected:
  Bytecode() {
    context.loadDialect<cuda_tile::CudaTileDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      errors.push_back(diagnostic.str());
      return success();
    });
  }

  /// Parses the modules of a text.
  std::vector<cuda_tile::ModuleOp> parse(StringRef text) {
    files.push_back(parseSourceString<ModuleOp>(text, &context));
    if (!files.back())
      return {};
    auto modules = files.back()->getOps<cuda_tile::ModuleOp>();
    return {modules.begin(), modules.end()};
  }
  /// The modules in the dialect's tests.
  std::vector<cuda_tile::ModuleOp> parseExamples() {
    std::vector<cuda_tile::ModuleOp> all;
    for (const char *name : {"elementwise", "shapes", "memory", "control"}) {
      auto path = test::sourceFolder() / "test/Dialect/CudaTile/IR" /
                  (std::string(name) + ".mlir");
      auto buffer = llvm::MemoryBuffer::getFile(path.string());
      EXPECT_TRUE(buffer) << path;
      llvm::append_range(all, parse((*buffer)->getBuffer()));
    }
    return all;
  }

  /// Empty if the version cannot represent the module.
  std::string write(cuda_tile::ModuleOp module, Version version) {
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    return succeeded(writeBytecode(module, version, stream)) ? bytes : "";
  }
  static std::string print(Operation *op, bool locations = false) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    OpPrintingFlags flags;
    if (locations)
      flags.enableDebugInfo();
    op->print(stream, flags.useLocalScope());
    return text;
  }
  /// Writes and reads a module; returns its text under its own name.
  std::string readAgain(cuda_tile::ModuleOp module, Version version,
                        bool locations = false) {
    std::string bytes = write(module, version);
    auto read = readBytecode(bytes, "bytes", &context);
    if (!read)
      return "";
    read->setSymName(module.getSymName());
    return print(*read, locations);
  }

  MLIRContext context;
  std::vector<OwningOpRef<ModuleOp>> files;
  std::vector<std::string> errors;
};

/// The version that introduced the newest op of a module.
Version getYoungest(cuda_tile::ModuleOp module) {
  Version youngest;
  module.walk([&](Operation *op) {
    if (const OpLayout *layout = findOp(op->getName().getStringRef()))
      youngest = std::max(youngest, layout->since);
  });
  return youngest;
}

TEST_F(Bytecode, EveryOpInEveryVersionReadsBackAsItWas) {
  // The versions in which each op was written and read.
  std::map<std::string, std::set<Version>> covered;
  for (cuda_tile::ModuleOp module : parseExamples()) {
    for (Version version : Version::all()) {
      SCOPED_TRACE(module.getSymName().str() + " in " + version.str());
      if (version < getYoungest(module)) {
        EXPECT_EQ(write(module, version), "");
        continue;
      }
      if (write(module, version).empty())
        continue; // an attribute or a type that is younger than its op
      EXPECT_EQ(readAgain(module, version), print(module));
      module.walk([&](Operation *op) {
        covered[op->getName().getStringRef().str()].insert(version);
      });
    }
  }
  for (const OpLayout &op : allOps())
    for (Version version : Version::all())
      if (version >= op.since)
        EXPECT_TRUE(covered[op.name].count(version))
            << op.name << " in " << version.str();
}

TEST_F(Bytecode, TableHasEveryOpOfTheDialect) {
  // Ops that never occur in a body, or only in tests of the text.
  const std::set<StringRef> outside = {"cuda_tile.entry", "cuda_tile.global",
                                       "cuda_tile.module",
                                       "cuda_tile.testing$func"};
  std::set<std::string> missing;
  for (RegisteredOperationName name :
       context.getRegisteredOperationsByDialect("cuda_tile"))
    if (!findOp(name.getStringRef()) && !outside.count(name.getStringRef()))
      missing.insert(name.getStringRef().str());
  EXPECT_THAT(missing, testing::IsEmpty());
  EXPECT_EQ(allOps().size() + 3, 108u);
}

TEST_F(Bytecode, YoungerThanTheVersionIsAnErrorThatNamesBoth) {
  auto modules = parse(R"(cuda_tile.module @m {
    entry @f(%x: tile<f32>) {
      %0 = atan2 %x, %x : tile<f32>
    }
  })");
  EXPECT_EQ(write(modules.at(0), {13, 1}), "");
  EXPECT_THAT(errors,
              testing::ElementsAre("'cuda_tile.atan2' op expected bytecode of "
                                   "version 13.2 or later for this op, found "
                                   "version 13.1"));
}

TEST_F(Bytecode, RoundingsOfCastsThatOlderVersionsLack) {
  auto modules = parse(R"(
cuda_tile.module @m {
  entry @f(%x: tile<f64>) {
    %0 = ftof %x rounding<negative_inf> : tile<f64> -> tile<f32>
  }
}
cuda_tile.module @scale {
  entry @f(%x: tile<f32>) {
    %0 = ftof %x rounding<zero> : tile<f32> -> tile<f8E8M0FNU>
  }
})");
  EXPECT_EQ(write(modules.at(0), {13, 3}), "");
  EXPECT_THAT(errors, testing::ElementsAre(testing::HasSubstr(
                          "expected bytecode of version 13.4 or later for "
                          "rounding negative_inf, found version 13.3")));
  EXPECT_EQ(readAgain(modules[0], {13, 4}), print(modules[0]));
  EXPECT_EQ(readAgain(modules.at(1), {13, 2}), print(modules[1]));
}

TEST_F(Bytecode, ClassesOfPointersThatOlderVersionsLack) {
  auto modules = parse(R"(
cuda_tile.module @none {
  entry @f(%p: tile<ptr<f32, <none>>>) {
  }
}
cuda_tile.module @unicast {
  entry @f(%p: tile<ptr<f32, <unicast>>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<f32, <unicast>>> -> tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>
  }
})");
  EXPECT_EQ(write(modules.at(0), {13, 3}), "");
  EXPECT_EQ(write(modules.at(1), {13, 4}), "");
  EXPECT_THAT(errors,
              testing::ElementsAre(
                  testing::HasSubstr(
                      "expected bytecode of version 13.4 or later for pointers "
                      "of class none, found version 13.3"),
                  testing::HasSubstr(
                      "expected bytecode of version 13.5 or later for pointers "
                      "of class unicast, found version 13.4")));
  EXPECT_EQ(readAgain(modules[0], {13, 4}), print(modules[0]));
  EXPECT_EQ(readAgain(modules[1], {13, 5}), print(modules[1]));
}

TEST_F(Bytecode, ScopesOfLocationsReadBack) {
  auto modules = parse(R"(
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = "f", linkageName = "f", compileUnit = #unit, scopeLine = 2>
#block = #cuda_tile.di_lexical_block<scope = #f, file = #file, line = 3, column = 4>
#here = #cuda_tile.di_loc<loc("a.py":4:8) in #f>
#inside = #cuda_tile.di_loc<loc("a.py":5:2) in #block>
cuda_tile.module @m {
  entry @f() {
    loop {
      %0 = iota : tile<8xi32> loc(#inside)
      break loc(#here)
    } loc(callsite(#inside at #here))
    return loc(#here)
  } loc(#here)
} loc(unknown))");
  for (Version version : Version::all()) {
    auto read = readBytecode(write(modules.at(0), version), "bytes", &context);
    ASSERT_TRUE(read);
    auto collect = [](cuda_tile::ModuleOp module) {
      std::vector<Attribute> locations;
      module.walk([&](Operation *op) {
        if (op != module)
          locations.push_back(LocationAttr(op->getLoc()));
      });
      return locations;
    };
    EXPECT_EQ(collect(*read), collect(modules[0])) << version.str();
  }
}

TEST_F(Bytecode, CallsInlinedIntoEachOtherReadBack) {
  // cuTile inlines a thousand levels of recursive calls.
  constexpr int supported = 1000, tooMany = 1200;
  auto modules = parse(R"(
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = "f", linkageName = "f", compileUnit = #unit, scopeLine = 2>
#here = #cuda_tile.di_loc<loc("a.py":4:8) in #f>
cuda_tile.module @m {
  entry @f() {
    %0 = iota : tile<8xi32> loc(#here)
    return loc(#here)
  } loc(#here)
} loc(unknown))");
  cuda_tile::IotaOp op;
  modules.at(0).walk([&](cuda_tile::IotaOp iota) { op = iota; });
  const Location call = op.getLoc();
  for (int calls = 1; calls <= tooMany; ++calls) {
    op->setLoc(CallSiteLoc::get(call, op.getLoc()));
    if (calls != supported && calls != tooMany)
      continue;
    auto read = readBytecode(write(modules[0], Version::all().back()), "bytes",
                             &context);
    ASSERT_EQ(bool(read), calls == supported);
    if (read)
      read->walk([&](cuda_tile::IotaOp iota) {
        EXPECT_EQ(iota.getLoc(), op.getLoc());
      });
  }
  EXPECT_THAT(errors, testing::ElementsAre(testing::HasSubstr(
                          "expected at most 1100 levels of nested locations")));
}

TEST_F(Bytecode, PaddingWithoutAMaskIsLeftOutOfTheText) {
  // What cuTile emits for an element of a rank-0 array.
  auto modules = parse(R"(
cuda_tile.module @m {
  entry @f(%p: tile<ptr<i1>>, %c: tile<i1>) {
    %k = make_token : token
    %0, %l = load_ptr_tko weak %p, %c, %c token=%k : tile<ptr<i1>>, tile<i1>, tile<i1> -> tile<i1>, token
  }
})");
  modules.at(0).walk(
      [&](cuda_tile::LoadPtrTkoOp load) { load.getMaskMutable().clear(); });
  auto read = readBytecode(write(modules[0], {13, 4}), "bytes", &context);
  ASSERT_TRUE(read);
  EXPECT_THAT(print(*read),
              testing::HasSubstr("load_ptr_tko weak %arg0 token=%0 : "
                                 "tile<ptr<i1>> -> tile<i1>, token"));
}

TEST_F(Bytecode, BitsArePackedSince13_4) {
  auto modules = parse(R"(
cuda_tile.module @m {
  entry @f() {
    %0 = constant <i1: true> : tile<i1>
    %1 = constant <i1: true> : tile<4xi1>
    %2 = constant <i1: true> : tile<16xi1>
    %3 = constant <i1: false> : tile<16xi1>
    %4 = constant <i1: [true, false, false, true]> : tile<4xi1>
  }
})");
  // Pairs of a size and bytes: what all versions share is one for lists.
  const std::pair<Version, std::string_view> rows[] = {
      {{13, 3}, "\x01\xff\x01\0\x01\x09"sv},
      {{13, 4}, "\x01\x01\x01\x0f\x02\xff\xff\x02\0\0\x01\x09"sv}};
  for (const auto &[version, constants] : rows) {
    const std::string file = write(modules.at(0), version);
    EXPECT_THAT(file, testing::HasSubstr(std::string(constants)));
    EXPECT_EQ(readAgain(modules[0], version), print(modules[0]));
  }
}

TEST_F(Bytecode, NegativeDoublesReadFromBothKindsOfWriter) {
  // Bits of -inf: its zigzag encoding has 64 bits for a signed number, 65 for
  // an unsigned one.
  constexpr uint64_t bits = 0xFFF0000000000000;
  constexpr unsigned __int128 zigzags[] = {(uint64_t(bits) << 1) ^ ~uint64_t(0),
                                           static_cast<unsigned __int128>(bits)
                                               << 1};
  for (unsigned __int128 zigzag : zigzags) {
    std::string bytes;
    for (; zigzag >= 0x80; zigzag >>= 7)
      bytes.push_back(char(uint8_t(zigzag) | 0x80));
    bytes.push_back(char(zigzag));
    Source source(bytes, "bytes", &context);
    EXPECT_EQ(ByteReader(source, 0, bytes.size()).zigzag(), bits);
    EXPECT_FALSE(source.hasFailed());
  }
}

TEST_F(Bytecode, AMegabyteIsReadAtOnce) {
  std::string text = "cuda_tile.module @m { entry @f(%x: tile<f32>) {\n";
  for (int i = 0; i < 120000; ++i)
    text += "%v" + std::to_string(i) + " = addf %x, %x : tile<f32>\n";
  auto modules = parse(text + "} }");
  std::string bytes = write(modules.at(0), {13, 3});
  EXPECT_GT(bytes.size(), size_t(700) << 10);
  auto read = readBytecode(bytes, "bytes", &context);
  ASSERT_TRUE(read);
  auto entry = *read->getOps<cuda_tile::EntryOp>().begin();
  EXPECT_EQ(entry.getBody().front().getOperations().size(), 120001u);
}

TEST_F(Bytecode, ThreadsShareTheFunctionsOfALargeFile) {
  ASSERT_TRUE(context.isMultithreadingEnabled());
  std::string text = "cuda_tile.module @m {\n";
  for (int entry = 0; entry < 9; ++entry) {
    text += "entry @f" + std::to_string(entry) + "(%x: tile<f32>) {\n";
    for (int i = 0; i < 1000 * (entry + 1); ++i)
      text += "%v" + std::to_string(i) + " = addf %x, %x : tile<f32>\n";
    text += "}\n";
  }
  auto modules = parse(text + "}");
  EXPECT_EQ(readAgain(modules.at(0), {13, 3}), print(modules.at(0)));

  // The `return` of the last function becomes an op that does not exist.
  std::string bytes = write(modules.at(0), {13, 3});
  bytes[bytes.rfind("\x5c\0\0"sv)] = 127;
  EXPECT_FALSE(readBytecode(bytes, "bytes", &context));
  EXPECT_THAT(errors, testing::ElementsAre(testing::HasSubstr(
                          "expected an op up to version 13.5, found number")));
}

} // namespace
