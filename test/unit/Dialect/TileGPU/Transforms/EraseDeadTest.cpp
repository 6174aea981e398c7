// Dead ops are erased, each once, together with the ops only they use.
#include "EraseDead.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

using namespace mlir;
using namespace tilegpt::tilegpu;
using testing::ElementsAre;

namespace {
class EraseDeadTest : public testing::Test {
protected:
  EraseDeadTest() {
    context
        .loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
  }

  /// The body of a function of %x and %y: i32.
  Block &parse(StringRef body) {
    module = parseSourceString<ModuleOp>(
        ("func.func private @g(i32) -> i32\n"
         "func.func @f(%x: i32, %y: i32) -> i32 {\n" +
         body + "\n}")
            .str(),
        &context);
    return module->lookupSymbol<func::FuncOp>("f").getBody().front();
  }

  /// The op of this name.
  static Operation *find(Block &block, StringRef name) {
    for (Operation &op : block)
      if (op.getName().getStringRef() == name)
        return &op;
    return nullptr;
  }

  static std::vector<std::string> names(Block &block) {
    std::vector<std::string> found;
    for (Operation &op : block)
      found.push_back(op.getName().getStringRef().str());
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(EraseDeadTest, ErasesWhatOnlyTheOpHasRead) {
  Block &block = parse("%a = arith.addi %x, %y : i32\n"
                       "%b = arith.muli %a, %x : i32\n"
                       "%c = arith.subi %b, %y : i32\n"
                       "%d = arith.divsi %x, %a : i32\n"
                       "return %d : i32");
  eraseDead(find(block, "arith.subi"));
  EXPECT_THAT(names(block),
              ElementsAre("arith.addi", "arith.divsi", "func.return"));
}

TEST_F(EraseDeadTest, ErasesAnOperandOnceThatIsReadTwice) {
  Block &block = parse("%a = arith.addi %x, %y : i32\n"
                       "%b = arith.muli %a, %a : i32\n"
                       "return %x : i32");
  eraseDead(find(block, "arith.muli"));
  EXPECT_THAT(names(block), ElementsAre("func.return"));
}

TEST_F(EraseDeadTest, ErasesAnOperandOnceThatTwoDeadOpsShare) {
  Block &block = parse("%a = arith.addi %x, %y : i32\n"
                       "%b = arith.muli %a, %x : i32\n"
                       "%c = arith.subi %b, %a : i32\n"
                       "return %x : i32");
  eraseDead(find(block, "arith.subi"));
  EXPECT_THAT(names(block), ElementsAre("func.return"));
}

TEST_F(EraseDeadTest, TakesAnOpTwiceAndNone) {
  Block &block = parse("%a = arith.addi %x, %y : i32\n"
                       "return %x : i32");
  Operation *add = find(block, "arith.addi");
  eraseDead({add, nullptr, add});
  EXPECT_THAT(names(block), ElementsAre("func.return"));
}

TEST_F(EraseDeadTest, KeepsWhatIsReadAndWhatHasEffects) {
  Block &block = parse("%a = arith.addi %x, %y : i32\n"
                       "%b = func.call @g(%a) : (i32) -> i32\n"
                       "return %x : i32");
  eraseDead({find(block, "arith.addi"), find(block, "func.call")});
  EXPECT_THAT(names(block),
              ElementsAre("arith.addi", "func.call", "func.return"));
}

TEST_F(EraseDeadTest, ErasesAllDeadOpsOfABlock) {
  Block &block = parse("%t = arith.constant true\n"
                       "%a = arith.addi %x, %y : i32\n"
                       "%b = arith.muli %a, %a : i32\n"
                       "%c = arith.subi %x, %y : i32\n"
                       "%d = scf.if %t -> i32 {\n"
                       "  scf.yield %c : i32\n"
                       "} else {\n"
                       "  scf.yield %y : i32\n"
                       "}\n"
                       "return %d : i32");
  eraseDead(block);
  EXPECT_THAT(names(block), ElementsAre("arith.constant", "arith.subi",
                                        "scf.if", "func.return"));
}
