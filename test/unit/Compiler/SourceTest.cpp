// Source text that would crash MLIR's parser is rejected with a message; legal
// text is accepted.
#include "TileGPT/Compiler/Source.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace tilegpt::compiler;

static std::string repeat(const std::string &text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += text;
  return all;
}

TEST(Source, RejectsDeepNesting) {
  for (const char *bracket : {"[", "(", "{", "tuple<", "\"test.op\"() ({"}) {
    auto checked = checkSource(repeat(bracket, 100000), "a.mlir");
    ASSERT_FALSE(checked) << bracket;
    EXPECT_EQ(checked.error().code, tilegpt::runtime::ErrorCode::BadInput);
    EXPECT_TRUE(llvm::StringRef(checked.error().message)
                    .ends_with("deep, expected at most 512"))
        << checked.error().message;
  }
  EXPECT_EQ(checkSource(repeat("[", 513), "a.mlir").error().message,
            "a.mlir: brackets nest 513 deep, expected at most 512");
}

TEST(Source, CountsNeitherStringsNorCommentsNorArrows) {
  EXPECT_TRUE(checkSource("\"" + repeat("[", 1000) + "\"", "a.mlir"));
  EXPECT_TRUE(checkSource("// " + repeat("{", 1000), "a.mlir"));
  EXPECT_TRUE(checkSource(repeat("() -> () ", 1000), "a.mlir"));
  EXPECT_TRUE(checkSource(repeat("%a < %b ", 1000), "a.mlir"));
  EXPECT_TRUE(checkSource(repeat("\"a\\\"[\" ", 1000), "a.mlir"));
}

static std::string complaint(const std::string &text) {
  const auto checked = checkSource(text, "a.mlir");
  return checked ? "" : checked.error().message;
}

TEST(Source, RejectsAliasesThatStandForMoreThanAFileMayHold) {
  std::string text = "!a0 = tuple<i1, i1>\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "!a" + std::to_string(i - 1);
    text +=
        "!a" + std::to_string(i) + " = tuple<" + before + ", " + before + ">\n";
  }
  EXPECT_EQ(complaint(text),
            "a.mlir: '!a22' stands for more than 67108864 bytes");
  EXPECT_EQ(complaint("!a = tuple<i1>\nfunc.func private @f(!a)\n"), "");
}

TEST(Source, CountsTheNestingOfAliases) {
  std::string text = "#a0 = [1]\n";
  for (int i = 1; i < 600; ++i)
    text += "#a" + std::to_string(i) + " = [\n  #a" + std::to_string(i - 1) +
            "\n]\n";
  EXPECT_EQ(complaint(text),
            "a.mlir: brackets nest 600 deep, expected at most 512");
}

TEST(Source, RejectsShapesOfManyAxes) {
  EXPECT_EQ(complaint("func.func private @f(tensor<" + repeat("1x", 100000) +
                      "f32>)"),
            "a.mlir: a shape has 100000 axes, expected at most 64");
  EXPECT_EQ(complaint("tensor<" + repeat("?x", 65) + "f32>"),
            "a.mlir: a shape has 65 axes, expected at most 64");
  EXPECT_EQ(complaint("tensor<" + repeat("4x?x", 32) + "f32> 0x1234"), "");
}

TEST(Source, RejectsNumbersThatTakeLongToRead) {
  for (const char *before : {"grid [", "a = -", "tensor<", "#a = "})
    EXPECT_EQ(complaint(before + repeat("9", 100000)),
              "a.mlir: a number has 100000 digits, expected at most 4096");
  EXPECT_EQ(complaint("a = 1" + repeat("0", 4095)), "");
  EXPECT_EQ(complaint("\"" + repeat("9", 100000) + "\""), "");
}

TEST(Source, RejectsResourcesThatNoMemoryCanHold) {
  const auto withAlignment = [](const std::string &digits) {
    return "{-# dialect_resources: {builtin: {a: \"0x" + digits +
           "01020304\"}} #-}";
  };
  EXPECT_EQ(complaint(withAlignment("00000000")),
            "a.mlir: a resource has the alignment 0, expected a power of two "
            "of at most 4096");
  EXPECT_EQ(complaint(withAlignment("03000000")),
            "a.mlir: a resource has the alignment 3, expected a power of two "
            "of at most 4096");
  EXPECT_EQ(complaint(withAlignment("00000080")),
            "a.mlir: a resource has the alignment 2147483648, expected a power "
            "of two of at most 4096");
  EXPECT_EQ(complaint(withAlignment("10000000")), "");
}

TEST(Source, RejectsArraysWhoseElementsHaveNoWidth) {
  EXPECT_EQ(complaint("#a = array<index: 1>"),
            "a.mlir: an array has elements of type 'index', expected an "
            "integer or float type");
  EXPECT_EQ(complaint("{a = array // array\n < index>}"),
            "a.mlir: an array has elements of type 'index', expected an "
            "integer or float type");
  EXPECT_EQ(complaint("!i = index\n#a = array<!i: 1>"),
            "a.mlir: an array has elements of type '!i', expected an integer "
            "or float type");
  EXPECT_EQ(complaint("#a = array<i64: 1> // array<index"), "");
  EXPECT_EQ(complaint("#a = \"array<index\" @array<index_1"), "");
}

TEST(Source, RejectsAMissingFile) {
  auto source = readSource("/nowhere/model.mlir");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message,
            "/nowhere/model.mlir: No such file or directory");
}

TEST(Source, ParsesTheDeepestAllowedNestingOnALargeStack) {
  std::string text = "module attributes {test.a = " + repeat("[", 500) +
                     repeat("]", 500) + "} {}";
  ASSERT_TRUE(checkSource(text, "a.mlir"));
  mlir::MLIRContext context;
  EXPECT_TRUE(runOnLargeStack([&] {
    auto buffer = llvm::MemoryBuffer::getMemBuffer(text);
    EXPECT_TRUE(parseSource(*buffer, context));
  }));
}
