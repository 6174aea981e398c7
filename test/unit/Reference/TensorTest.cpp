// Tensors as bytes, size limits, and the positions of view elements.
#include "TileGPT/Reference/Tensor.h"
#include "Program.h"
#include "gmock/gmock.h"
#include <cmath>

namespace tilegpt::reference {
namespace {

using testing::ElementsAre;

std::string errorOf(llvm::Expected<Tensor> result) {
  EXPECT_FALSE(bool(result));
  return llvm::toString(result.takeError());
}

TEST(Tensor, BytesRoundTrip) {
  TensorRef tensor = tensorOf(ElementType::BF16, {2, 2}, {1, -2, 0.5, 3});
  std::vector<std::byte> bytes = tensor->toBytes();
  EXPECT_EQ(bytes.size(), 8u);
  llvm::Expected<Tensor> back =
      Tensor::fromBytes(ElementType::BF16, {2, 2}, bytes);
  ASSERT_TRUE(bool(back));
  EXPECT_THAT(valuesOf(*back), ElementsAre(1, -2, 0.5, 3));
  EXPECT_EQ(errorOf(Tensor::fromBytes(ElementType::BF16, {3}, bytes)),
            "expected 6 bytes for 3xbf16, found 8");
}

TEST(Tensor, RefusesImpossibleShapes) {
  EXPECT_EQ(errorOf(Tensor::zeros(ElementType::F32, {2, -1})),
            "expected sizes of at least 0, found 2x-1xf32");
  EXPECT_EQ(errorOf(Tensor::zeros(ElementType::I8,
                                  {int64_t(1) << 62, int64_t(1) << 62})),
            "tensor 4611686018427387904x4611686018427387904xi8 has more than "
            "1073741824 elements, the most the interpreter holds");
}

TEST(Tensor, KnowsWhatIsWritten) {
  Tensor tensor = llvm::cantFail(Tensor::unwritten(ElementType::F32, {2}));
  EXPECT_TRUE(std::isnan(tensor[0].f));
  tensor.store(1, Element::of(0.1));
  EXPECT_FALSE(tensor.isWritten(0));
  EXPECT_TRUE(tensor.isWritten(1));
  EXPECT_EQ(tensor[1].f, double(0.1f));
}

TEST(View, LocatesByStride) {
  View view = View::of(tensorOf(ElementType::I32, {2, 3}, {0, 1, 2, 3, 4, 5}),
                       /*writable=*/false);
  EXPECT_EQ(view.locate({1, 2}), 5);
  EXPECT_EQ(view.locate({2, 0}), std::nullopt);
  EXPECT_EQ(view.locate({0, -1}), std::nullopt);
  view.offset = 1;
  view.shape = {2, 2};
  EXPECT_EQ(view.locate({1, 1}), 5);
  EXPECT_EQ(view.locate({0, 2}), std::nullopt);
}

TEST(Tensor, VisitsIndicesInRowMajorOrder) {
  std::string visited;
  forEachIndex({2, 2}, [&](llvm::ArrayRef<int64_t> index) {
    visited += std::to_string(index[0]) + std::to_string(index[1]) + " ";
  });
  EXPECT_EQ(visited, "00 01 10 11 ");
  forEachIndex({2, 0}, [&](llvm::ArrayRef<int64_t>) { FAIL(); });
  int scalars = 0;
  forEachIndex({}, [&](llvm::ArrayRef<int64_t>) { ++scalars; });
  EXPECT_EQ(scalars, 1);
}

} // namespace
} // namespace tilegpt::reference
