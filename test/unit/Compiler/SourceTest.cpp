// Source text that would crash MLIR's parser is refused with a message; what is
// legal passes.
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
  runOnLargeStack([&] {
    auto buffer = llvm::MemoryBuffer::getMemBuffer(text);
    EXPECT_TRUE(parseSource(*buffer, context));
  });
}
