// Remarks as diagnostics: text, location and how often they are emitted.
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilegpt::tilegpu;

namespace {
class ExplainTest : public ::testing::Test {
protected:
  ExplainTest() {
    context.loadDialect<tilegpt::tile::TileDialect>();
    module = parseSourceString<ModuleOp>(
        "tile.kernel @nothing() grid [1] {\n  %0 = tile.block_id 0\n}\n",
        &context, "nothing.mlir");
    module->walk([&](tilegpt::tile::BlockIdOp found) { op = found; });
  }

  MLIRContext context;
  std::vector<std::string> texts;
  ScopedDiagnosticHandler handler{&context, [this](Diagnostic &diagnostic) {
                                    std::string text;
                                    llvm::raw_string_ostream(text)
                                        << diagnostic.getLocation() << ' '
                                        << diagnostic;
                                    texts.push_back(text);
                                    return success();
                                  }};
  OwningOpRef<ModuleOp> module;
  Operation *op = nullptr;
};
} // namespace

TEST_F(ExplainTest, NamesPlaceKernelAndDecision) {
  ASSERT_TRUE(op);
  reportRemarks(context);
  explainMissed(op, "main-loop")
      << "it loads " << remark::add("{0} tiles", 3) << "; load two";
  explainPassed(op, "copy") << "in units of 16 bytes";
  explainAnalysis(*module, "tile") << "nothing to tile";
  EXPECT_EQ(
      texts,
      (std::vector<std::string>{
          "loc(\"nothing.mlir\":2:8) @nothing: main-loop missed: it "
          "loads 3 tiles; load two",
          "loc(\"nothing.mlir\":2:8) @nothing: copy: in units of 16 bytes",
          "loc(\"nothing.mlir\":0:0) tile: nothing to tile"}));
}

TEST_F(ExplainTest, SaysTheSameOnce) {
  ASSERT_TRUE(op);
  reportRemarks(context);
  for (int i = 0; i < 2; ++i)
    explainMissed(op, "main-loop") << "no loop";
  explainMissed(op, "main-loop") << "no dot";
  EXPECT_EQ(texts.size(), 2U);
}

TEST_F(ExplainTest, IsSilentWhereNobodyListens) {
  ASSERT_TRUE(op);
  EXPECT_FALSE(explainMissed(op, "main-loop") << "no loop");
  EXPECT_TRUE(texts.empty());
}
