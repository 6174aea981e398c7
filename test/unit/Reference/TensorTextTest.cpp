// Tensors as text: what can be written, what is rejected, and that random
// values stay the same.
#include "TileGPT/Reference/TensorText.h"
#include "Program.h"
#include "gmock/gmock.h"

namespace tilegpt::reference {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Lt;

std::vector<double> parse(llvm::StringRef text) {
  llvm::Expected<Tensor> tensor = parseTensor(text);
  if (tensor)
    return valuesOf(*tensor);
  ADD_FAILURE() << llvm::toString(tensor.takeError());
  return {};
}

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Tensor> tensor = parseTensor(text);
  return tensor ? "no error" : llvm::toString(tensor.takeError());
}

TEST(TensorText, ParsesValues) {
  EXPECT_THAT(parse("2x2xf32=1,2,3,4"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(parse("2x2xf32=[1 -2.5][3e2 4]"), ElementsAre(1, -2.5, 300, 4));
  EXPECT_THAT(parse("3xi8=7"), ElementsAre(7, 7, 7));
  EXPECT_THAT(parse("2xi32"), ElementsAre(0, 0));
  EXPECT_THAT(parse("f64=0.1"), ElementsAre(0.1));
  EXPECT_THAT(parse("bf16=1.001"), ElementsAre(1));
  EXPECT_THAT(parse("2xi8=255,-128"), ElementsAre(-1, -128));
  EXPECT_THAT(parse("2xi1=true,0"), ElementsAre(1, 0));
  EXPECT_TRUE(std::isnan(parse("f32=nan")[0]));
  EXPECT_THAT(parse("2xf32=inf,-inf"), ElementsAre(INFINITY, -INFINITY));
}

TEST(TensorText, PrintsNaNWithoutItsSign) {
  EXPECT_EQ(formatTensor(llvm::cantFail(parseTensor("2xf32=nan,-nan"))),
            "2xf32=nan nan");
}

TEST(TensorText, PrintsWhatItParses) {
  for (llvm::StringRef text :
       {"2x2xf32=[1 0.1][3e+20 -inf]", "3xi8=1 -2 3", "f64=0.1",
        "bf16=1.0078125", "1x2x2xi32=[1 2][3 4]", "0xf32="})
    EXPECT_EQ(formatTensor(llvm::cantFail(parseTensor(text.str()))), text);
  EXPECT_EQ(formatTensor(llvm::cantFail(parseTensor("4xi8=5")), 2),
            "4xi8=5 5...");
  EXPECT_EQ(formatTensor(llvm::cantFail(parseTensor("index=7"))), "i64=7");
}

TEST(TensorText, RandomValuesDependOnTheSeedAlone) {
  EXPECT_EQ(parse("4xf32=random:1"), parse("4xf32=random:1"));
  EXPECT_NE(parse("4xf32=random:1"), parse("4xf32=random:2"));
  EXPECT_THAT(parse("100xf32=random:3"), Each(AllOf(Ge(-1), Lt(1))));
  EXPECT_THAT(parse("100xi32=random:3:0:4"), Each(AllOf(Ge(0), Lt(5))));
  EXPECT_THAT(parse("3xi32=random:7"), ElementsAre(-22, -97, 81));
}

TEST(TensorText, Refuses) {
  EXPECT_EQ(errorOf("2x2xq32=1"),
            "expected a shape such as 2x3xf32, found '2x2xq32'");
  EXPECT_EQ(errorOf("2xindex=1"),
            "expected a shape such as 2x3xf32, found '2xindex'");
  EXPECT_EQ(errorOf("2x-1xf32=1"),
            "expected a size of at least 0, found '-1' in '2x-1xf32'");
  EXPECT_EQ(errorOf("2xf32=1,2,3"), "expected 2 values for 2xf32, found 3");
  EXPECT_EQ(errorOf("2xf32="), "expected 2 values for 2xf32, found 0");
  EXPECT_EQ(errorOf("i8=256"), "expected an i8, found '256'");
  EXPECT_EQ(errorOf("f32=1.0abc"),
            "expected a number of type f32, found '1.0abc'");
  EXPECT_EQ(errorOf("f32=random:x"),
            "expected random:SEED or random:SEED:LO:HI with LO <= HI, found "
            "'random:x'");
}

} // namespace
} // namespace tilegpt::reference
