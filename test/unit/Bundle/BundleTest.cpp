// Malformed images: every kind of damage is detected and named before the first
// table is used.
#include "Sample.h"
#include <gtest/gtest.h>
#include <limits>

using namespace tilegpt;
using namespace tilegpt::bundle;
using test::entry;

namespace {

std::string messageOf(std::vector<std::byte> image) {
  const auto bundle = Bundle::fromBytes(std::move(image));
  if (bundle)
    return "no error";
  EXPECT_EQ(bundle.error().code, runtime::ErrorCode::BadInput);
  return bundle.error().message;
}

/// Corrupts one field of one table entry of the sample and returns the error of
/// opening it.
template <typename T, typename Change>
std::string afterChanging(SectionKind section, size_t index, Change change) {
  auto image = test::sampleImage();
  change(entry<T>(image, section, index));
  test::reseal(image);
  return messageOf(std::move(image));
}

template <typename Change>
std::string afterChangingHeader(Change change) {
  auto image = test::sampleImage();
  change(*reinterpret_cast<Header *>(image.data()));
  test::reseal(image);
  return messageOf(std::move(image));
}

TEST(Bundle, OtherFilesAreNotBundles) {
  EXPECT_EQ(messageOf({}), "bundle: the image is not a TileGPT bundle");
  EXPECT_EQ(messageOf(std::vector<std::byte>(4096)),
            "bundle: the image is not a TileGPT bundle");
}

TEST(Bundle, EveryTruncationIsFound) {
  const auto whole = test::sampleImage();
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + int64_t(size));
    ASSERT_NE(messageOf(part), "no error") << size;
  }
  const std::vector<std::byte> part(whole.begin(), whole.begin() + 1000);
  EXPECT_EQ(messageOf(part),
            "bundle: the image is truncated: expected 8256 bytes, got 1000");
  const std::vector<std::byte> start(whole.begin(), whole.begin() + 20);
  EXPECT_EQ(
      messageOf(start),
      "bundle: the image is truncated: expected a header of 32 bytes, got 20");
}

TEST(Bundle, EveryFlippedBitIsFound) {
  const auto whole = test::sampleImage();
  auto image = whole;
  for (size_t bit = 0; bit < image.size() * 8; ++bit) {
    image[bit / 8] ^= std::byte(1 << bit % 8);
    ASSERT_FALSE(Bundle::view(image)) << "bit " << bit;
    image[bit / 8] = whole[bit / 8];
  }
  image.back() ^= std::byte{1};
  EXPECT_EQ(
      messageOf(image),
      "bundle: the image is damaged: its checksum does not match its content");
}

TEST(Bundle, BytesAfterTheEndAreFound) {
  auto image = test::sampleImage();
  image.resize(image.size() + 3);
  EXPECT_EQ(messageOf(image), "bundle: the image has 3 bytes after its end");
}

TEST(Bundle, AnotherVersionIsNamed) {
  EXPECT_EQ(afterChangingHeader([](Header &h) { h.version = 7; }),
            "bundle: the image has format version 7, but this build reads "
            "version 6; compile the model again");
}

TEST(Bundle, SectionsMustLieWhereTheLayoutPutsThem) {
  EXPECT_EQ(afterChangingHeader([](Header &h) { h.sectionCount = 13; }),
            "bundle: the image expected 15 sections, got 13");
  EXPECT_EQ(
      afterChangingHeader([](Header &h) { h.sections[0].offset = 260; }),
      "bundle: the image section 'strings' expected at byte 272, got 260");
  EXPECT_EQ(afterChangingHeader([](Header &h) {
              h.sections[0].bytes = std::numeric_limits<uint64_t>::max();
            }),
            "bundle: the image section 'strings' of 18446744073709551615 bytes "
            "reaches past the end");
  EXPECT_EQ(afterChangingHeader([](Header &h) { h.sections[1].bytes -= 1; }),
            "bundle: the image section 'messages' expected a multiple of 8 "
            "bytes, got 15");
  auto image = test::sampleImage();
  image.push_back({});
  ++reinterpret_cast<Header *>(image.data())->totalBytes;
  test::reseal(image);
  EXPECT_EQ(messageOf(std::move(image)),
            "bundle: the image has 1 bytes after its last section");
}

TEST(Bundle, AnUnalignedImageIsRefused) {
  auto image = test::sampleImage();
  image.insert(image.begin(), std::byte{});
  EXPECT_EQ(Bundle::view(std::span(image).subspan(1)).error().message,
            "bundle: the image is not aligned to 8 bytes");
}

// The tables below come from Sample.h: buffers h.0.k, w, x, y, x, y; launches 0
// | 1, 2; plans decode, prefill.

TEST(Bundle, TextMustLieInTheStringTable) {
  EXPECT_EQ(afterChanging<Kernel>(
                SectionKind::Kernels, 0,
                [](Kernel &k) { k.name = {4000000000, 4000000000}; }),
            "bundle: the image is malformed: kernel 0: name refers to entries "
            "4000000000 to 8000000000 of 88");
  EXPECT_EQ(afterChanging<Kernel>(SectionKind::Kernels, 0,
                                  [](Kernel &k) { k.symbol.count = 0; }),
            "bundle: the image is malformed: kernel 0: symbol is empty");
  EXPECT_EQ(
      afterChanging<char>(SectionKind::Strings, 1, [](char &c) { c = '\0'; }),
      "bundle: the image is malformed: model: name contains a zero byte");
  EXPECT_EQ(afterChanging<Range>(SectionKind::Messages, 1,
                                 [](Range &r) { r.count = 1000; })
                .substr(0, 60),
            "bundle: the image is malformed: message 1: text refers to en");
}

TEST(Bundle, ParametersMustMakeSense) {
  const auto change = [](auto f) {
    return afterChanging<Parameter>(SectionKind::Parameters, 3, f);
  };
  EXPECT_EQ(change([](Parameter &p) { p.kind = ArgumentKind(9); }),
            "bundle: the image is malformed: parameter 3: unknown kind 9");
  EXPECT_EQ(
      change([](Parameter &p) { p.type = ElementType(11); }),
      "bundle: the image is malformed: parameter 3: unknown element type 11");
  EXPECT_EQ(change([](Parameter &p) { p.rank = 7; }),
            "bundle: the image is malformed: parameter 3: expected a rank of "
            "at most 6, got 7");
  EXPECT_EQ(change([](Parameter &p) { p.rank = 1; }),
            "bundle: the image is malformed: parameter 3: expected a scalar to "
            "have rank 0, got 1");
  EXPECT_EQ(change([](Parameter &p) { p.access = Access(0); }),
            "bundle: the image is malformed: parameter 3: unknown access 0");
}

TEST(Bundle, KernelsMustHaveCode) {
  EXPECT_EQ(
      afterChanging<char>(SectionKind::HostCode, 0, [](char &c) { c = 0; }),
      "bundle: the image is malformed: host code: expected an ELF image");
  EXPECT_EQ(afterChanging<Kernel>(SectionKind::Kernels, 0,
                                  [](Kernel &k) { k.parameters.count = 5; }),
            "bundle: the image is malformed: kernel 0: parameters refers to "
            "entries 0 to 5 of 4");
}

TEST(Bundle, BuffersMustMakeSense) {
  const auto change = [](size_t i, auto f) {
    return afterChanging<Buffer>(SectionKind::Buffers, i, f);
  };
  EXPECT_EQ(change(0, [](Buffer &b) { b.kind = BufferKind(5); }),
            "bundle: the image is malformed: buffer 0: unknown kind 5");
  EXPECT_EQ(change(0, [](Buffer &b) { b.shape[0] = {4}; }),
            "bundle: the image is malformed: buffer 0 ('h.0.k'): expected a "
            "state to have shape [B, constant…], got "
            "another size 0");
  EXPECT_EQ(change(0, [](Buffer &b) { b.rank = 0; }),
            "bundle: the image is malformed: buffer 0 ('h.0.k'): expected a "
            "state to have shape [B, constant…], got "
            "rank 0");
  EXPECT_EQ(change(1, [](Buffer &b) { b.shape[0] = Extent::rows(); }),
            "bundle: the image is malformed: buffer 1 ('w'): size 0 of a "
            "weight is not constant");
  EXPECT_EQ(
      change(1, [](Buffer &b) { b.shape[0] = {-1}; }),
      "bundle: the image is malformed: buffer 1 ('w'): size 0 may be negative");
  EXPECT_EQ(change(1, [](Buffer &b) { b.shape[0] = {int64_t(1) << 60}; }),
            "bundle: the image is malformed: buffer 1 ('w'): is larger than "
            "70368744177664 bytes");
  EXPECT_EQ(change(1, [](Buffer &b) { b.arenaOffset = 64; }),
            "bundle: the image is malformed: buffer 1 ('w'): has an arena "
            "offset but is not in the arena");
  EXPECT_EQ(change(3, [](Buffer &b) { b.arenaOffset = 4; }),
            "bundle: the image is malformed: buffer 3 ('y'): arena offset 4 is "
            "not a multiple of 64");
  EXPECT_EQ(change(3,
                   [](Buffer &b) {
                     b.kind = BufferKind::Weight, b.shape[0] = {1},
                     b.arenaOffset = 0;
                   }),
            "bundle: the image is malformed: buffer 3 ('y'): expected weights "
            "and states before all other buffers");
  EXPECT_EQ(change(3, [](Buffer &b) { b.arenaOffset = 128; }),
            "bundle: the image is malformed: plan 0 ('decode'): buffer 'y' of "
            "128 bytes at 128 does not fit the arena of "
            "192 bytes");
  EXPECT_EQ(
      change(3, [](Buffer &b) { b.shape[0] = Extent::rows(int64_t(1) << 50); }),
      "bundle: the image is malformed: plan 0 ('decode'): buffer 'y' is larger "
      "than 70368744177664 bytes");
  EXPECT_EQ(change(5,
                   [](Buffer &b) {
                     b.kind = BufferKind::Output, b.arenaOffset = 0,
                     b.name = {};
                   }),
            "bundle: the image is malformed: buffer 5: name is empty");
}

TEST(Bundle, BuffersMustHaveDistinctNames) {
  EXPECT_EQ(afterChanging<Buffer>(
                SectionKind::Buffers, 1,
                [](Buffer &b) {
                  auto image = test::sampleImage();
                  b.name = entry<Buffer>(image, SectionKind::Buffers, 0).name;
                }),
            "bundle: the image is malformed: buffer 1 ('h.0.k'): the name is "
            "used twice");
  EXPECT_EQ(afterChanging<Buffer>(SectionKind::Buffers, 3,
                                  [](Buffer &b) {
                                    auto image = test::sampleImage();
                                    b = entry<Buffer>(image,
                                                      SectionKind::Buffers, 2);
                                    b.kind = BufferKind::Output;
                                  }),
            "bundle: the image is malformed: plan 0 ('decode'): two inputs or "
            "outputs are named 'x'");
}

TEST(Bundle, ArgumentsMustMakeSense) {
  const auto change = [](size_t i, auto f) {
    return afterChanging<Argument>(SectionKind::Arguments, i, f);
  };
  EXPECT_EQ(
      change(0, [](Argument &a) { a.buffer = 6; }),
      "bundle: the image is malformed: argument 0: refers to buffer 6 of 6");
  EXPECT_EQ(change(0, [](Argument &a) { a.type = ElementType::BF16; }),
            "bundle: the image is malformed: argument 0: expected the buffer's "
            "element type f32, got bf16");
  EXPECT_EQ(change(0, [](Argument &a) { a.rank = 255; }),
            "bundle: the image is malformed: argument 0: expected a rank of at "
            "most 6, got 255");
  EXPECT_EQ(change(3, [](Argument &a) { a.rank = 1; }),
            "bundle: the image is malformed: argument 3: expected a scalar to "
            "have rank 0, got 1");
  EXPECT_EQ(change(3,
                   [](Argument &a) {
                     a.kind = ArgumentKind::View, a.type = ElementType::F32;
                   }),
            "bundle: the image is malformed: launch 0 ('add'): argument 3 "
            "expected a scalar");
  EXPECT_EQ(change(0, [](Argument &a) { a.rank = 1; }),
            "bundle: the image is malformed: launch 0 ('add'): argument 0 "
            "expected f32 of rank 2, got f32 of rank 1");
  EXPECT_EQ(change(2, [](Argument &a) { a.buffer = 1; }),
            "bundle: the image is malformed: launch 0 ('add'): argument 2 "
            "writes 'w', which is constant");
  EXPECT_EQ(change(0, [](Argument &a) { a.buffer = 4; }),
            "bundle: the image is malformed: plan 0 ('decode'): a launch uses "
            "buffer 4 of another plan");
}

TEST(Bundle, LaunchesMustAgreeWithTheirKernel) {
  const auto change = [](auto f) {
    return afterChanging<Launch>(SectionKind::Launches, 1, f);
  };
  EXPECT_EQ(
      change([](Launch &l) { l.kernel = 1; }),
      "bundle: the image is malformed: launch 1: refers to kernel 1 of 1");
  EXPECT_EQ(change([](Launch &l) { l.arguments.count = 3; }),
            "bundle: the image is malformed: launch 1 ('add'): expected 4 "
            "arguments, got 3");
  EXPECT_EQ(change([](Launch &l) { l.arguments.first = 10; }),
            "bundle: the image is malformed: launch 1: arguments refers to "
            "entries 10 to 14 of 12");
  EXPECT_EQ(change([](Launch &l) { l.grid[1] = {4, 1}; }),
            "bundle: the image is malformed: launch 1 ('add'): grid refers to "
            "entries 4 to 5 of 4");
  EXPECT_EQ(change([](Launch &l) { l.grid[2] = {0, 2}; }),
            "bundle: the image is malformed: launch 1 ('add'): grid expected "
            "one value, got 2");
  EXPECT_EQ(change([](Launch &l) { l.grid[2] = {}; }),
            "bundle: the image is malformed: launch 1 ('add'): grid expected "
            "one value, got 0");
}

TEST(Bundle, GridExpressionsMustBeEvaluable) {
  const auto change = [](size_t i, auto f) {
    return afterChanging<Expression>(SectionKind::Expressions, i, f);
  };
  EXPECT_EQ(
      change(0, [](Expression &e) { e.op = ExpressionOp(11); }),
      "bundle: the image is malformed: expression 0: unknown operation 11");
  EXPECT_EQ(change(0, [](Expression &e) { e.axis = 2; }),
            "bundle: the image is malformed: launch 0 ('add'): grid refers to "
            "size 2 of argument 2, which does not "
            "exist");
  EXPECT_EQ(change(0, [](Expression &e) { e = Expression::scalar(0); }),
            "bundle: the image is malformed: launch 0 ('add'): grid refers to "
            "argument 0, which is not an integer "
            "scalar");
  EXPECT_EQ(
      change(1,
             [](Expression &e) { e = Expression::apply(ExpressionOp::Add); }),
      "bundle: the image is malformed: launch 0 ('add'): grid has an operation "
      "without operands");
}

TEST(Bundle, GridExpressionsMayNotNeedADeepStack) {
  Builder b = test::sampleBuilder();
  std::vector<Expression> deep(maxExpressionDepth + 1, Expression::constant(1));
  deep.resize(2 * maxExpressionDepth + 1, Expression::apply(ExpressionOp::Add));
  const Range grid = b.addExpression(deep);
  const uint32_t kernel = b.addKernel("deep", "deep", {});
  b.beginPlan("p", PlanKind::Score, 1, 1, 1);
  b.addLaunch(kernel, "", {}, {grid, grid, grid});
  b.endPlan(0);
  EXPECT_EQ(b.finish().error().message,
            "bundle: the image is malformed: launch 3 ('deep'): grid needs a "
            "stack of more "
            "than 32 values");
}

TEST(Bundle, RequirementsMustMakeSense) {
  const auto built = [](Requirement required) {
    Builder b = test::sampleBuilder();
    const Expression one[] = {Expression::constant(1)};
    const Range grid = b.addExpression(one);
    const uint32_t kernel = b.addKernel("k", "k", {});
    if (required.lhs.count == 0)
      required.lhs = grid;
    if (required.rhs.count == 0)
      required.rhs = grid;
    if (required.lhsText.count == 0)
      required.lhsText = b.addString("one");
    b.beginPlan("p", PlanKind::Score, 1, 1, 1);
    b.addLaunch(kernel, "", {}, {grid, grid, grid}, {{required}});
    b.endPlan(0);
    const auto image = b.finish();
    return image ? "" : image.error().message;
  };
  Requirement relation, left, right, text;
  EXPECT_EQ(built({}), "");
  relation.relation = Relation(5);
  EXPECT_EQ(built(relation),
            "bundle: the image is malformed: requirement 0: unknown relation "
            "5");
  left.lhs = {90, 1};
  EXPECT_EQ(
      built(left),
      "bundle: the image is malformed: launch 3 ('k'): requirement refers "
      "to entries 90 to 91 of 4");
  right.rhs = {0, 1};
  EXPECT_EQ(
      built(right),
      "bundle: the image is malformed: launch 3 ('k'): requirement refers "
      "to size 0 of argument 2, which does not exist");
  text.rhsText = {9000, 1};
  EXPECT_EQ(built(text),
            "bundle: the image is malformed: requirement 0: right side refers "
            "to entries 9000 to 9001 of 93");
  EXPECT_EQ(afterChanging<Launch>(SectionKind::Launches, 1,
                                  [](Launch &l) { l.requirements = {0, 1}; }),
            "bundle: the image is malformed: launch 1 ('add'): requirements "
            "refers to entries 0 to 1 of 0");
}

TEST(Bundle, PlansMustMakeSense) {
  const auto change = [](size_t i, auto f) {
    return afterChanging<Plan>(SectionKind::Plans, i, f);
  };
  EXPECT_EQ(
      change(0, [](Plan &p) { p.kind = PlanKind(4); }),
      "bundle: the image is malformed: plan 0 ('decode'): unknown kind 4");
  EXPECT_EQ(change(0, [](Plan &p) { p.minRows = 0; }),
            "bundle: the image is malformed: plan 0 ('decode'): expected 1 <= "
            "minRows <= maxRows <= 2147483648, got 0 "
            "and 4");
  EXPECT_EQ(change(0, [](Plan &p) { p.maxSequences = 5; }),
            "bundle: the image is malformed: plan 0 ('decode'): expected 1 <= "
            "maxSequences <= 4, got 5");
  EXPECT_EQ(change(0, [](Plan &p) { p.maxSequences = 3; }),
            "bundle: the image is malformed: plan 0 ('decode'): expected a "
            "decode plan to have as many sequences as "
            "rows, got 3 and 4");
  EXPECT_EQ(change(0, [](Plan &p) { p.arenaBytes = ~uint64_t(0); }),
            "bundle: the image is malformed: plan 0 ('decode'): arena is "
            "larger than 70368744177664 bytes");
  EXPECT_EQ(change(1, [](Plan &p) { p.launches.first = 0; }),
            "bundle: the image is malformed: plan 1 ('prefill'): expected its "
            "launches and buffers to follow those of "
            "the plan before");
  EXPECT_EQ(change(1, [](Plan &p) { p.launches.count = 1; }),
            "bundle: the image is malformed: plans: some launches or buffers "
            "belong to no plan");
  EXPECT_EQ(change(1, [](Plan &p) { p.launches.count = 9; }),
            "bundle: the image is malformed: plan 1 ('prefill'): launches "
            "refers to entries 1 to 10 of 3");
}

TEST(Bundle, TheModelMustMakeSense) {
  const auto change = [](auto f) {
    return afterChanging<ModelInfo>(SectionKind::Model, 0, f);
  };
  EXPECT_EQ(change([](ModelInfo &m) { m.vocabulary = 0; }),
            "bundle: the image is malformed: model: expected vocabulary in [1, "
            "2147483648], got 0");
  EXPECT_EQ(change([](ModelInfo &m) { m.capacity = 17; }),
            "bundle: the image is malformed: model: capacity 17 is larger than "
            "the context 16");
  EXPECT_EQ(
      change([](ModelInfo &m) { m.epsilon = -1; }),
      "bundle: the image is malformed: model: epsilon is not a number >= 0");
  EXPECT_EQ(change([](ModelInfo &m) { m.weightType = ElementType(77); }),
            "bundle: the image is malformed: model: unknown element type 77");
}

TEST(Bundle, TheTargetMustBeKnown) {
  const auto change = [](auto f) {
    return afterChanging<bundle::Target>(SectionKind::Target, 0, f);
  };
  EXPECT_EQ(change([](bundle::Target &t) { t.features = uint64_t(1) << 63; }),
            "bundle: the image is malformed: target: needs a CPU feature this "
            "build does not know");
  EXPECT_EQ(change([](bundle::Target &t) { t.architecture.count = 0; }),
            "bundle: the image is malformed: target: architecture is empty");
}

TEST(ElementType, NamesAndParsingAreInverse) {
  for (uint8_t i = 0; i < elementTypeCount; ++i)
    EXPECT_EQ(parseElementType(name(ElementType(i))), ElementType(i));
  EXPECT_EQ(parseElementType("float"), std::nullopt);
  EXPECT_EQ(byteWidth(ElementType::F8E5M2), 1);
  EXPECT_EQ(byteWidth(ElementType::F64), 8);
}

} // namespace
