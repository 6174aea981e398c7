// A small valid bundle, and the tools to damage it in one place while
// everything else, checksum included, stays right.
#ifndef TILEGPT_TEST_UNIT_BUNDLE_SAMPLE_H
#define TILEGPT_TEST_UNIT_BUNDLE_SAMPLE_H

#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Bundle/Bundle.h"
#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tilegpt::bundle::test {

/// One kernel `add(x, w, y, scale)`, one weight, one state, a decode plan of
/// one launch and a prefill plan of two.
inline Builder sampleBuilder() {
  Builder b;
  b.setModel("sample", {.name = {},
                        .layers = 1,
                        .heads = 2,
                        .width = 8,
                        .context = 16,
                        .capacity = 16,
                        .vocabulary = 5,
                        .epsilon = 1e-5});
  b.setTarget("x86_64", "x86-64-v3", featureBit(CpuFeature::AVX2));
  b.setHostCode({std::byte{0x7f}, std::byte{'E'}, std::byte{'L'},
                 std::byte{'F'}, std::byte{2}});
  const Parameter parameters[] = {
      {ArgumentKind::View, ElementType::F32, 2, Access::Read},
      {ArgumentKind::View, ElementType::F32, 1, Access::Read},
      {ArgumentKind::View, ElementType::F32, 2, Access::Write},
      {ArgumentKind::Scalar, ElementType::I32, 0, Access::Read}};
  const std::string messages[] = {"expected rows", "expected columns"};
  const uint32_t add = b.addKernel("add", "add_f32", parameters, messages);

  const Extent width[] = {{8}};
  const Extent cache[] = {Extent::sequences(), {2}, {16}, {4}};
  const Extent rows[] = {Extent::rows(), {8}};
  const Extent strides[] = {{8}, {1}};
  const Extent unit[] = {{1}};
  const uint32_t state =
      b.addBuffer("h.0.k", BufferKind::State, ElementType::F32, cache);
  (void)state;
  const Expression grid[] = {Expression::dim(2, 0), Expression::constant(4),
                             Expression::apply(ExpressionOp::CeilDiv)};
  const Expression one[] = {Expression::constant(1)};

  const auto plan = [&](const char *name, PlanKind kind, int64_t maxRows,
                        int64_t maxSequences, int launches) {
    b.beginPlan(name, kind, 1, maxRows, maxSequences);
    const uint32_t x =
        b.addBuffer("x", BufferKind::Input, ElementType::F32, rows);
    const uint32_t y =
        b.addBuffer("y", BufferKind::Arena, ElementType::F32, rows, 64);
    const uint32_t w =
        b.addBuffer("w", BufferKind::Weight, ElementType::F32, width);
    for (int i = 0; i < launches; ++i) {
      const Argument arguments[] = {
          Builder::view(x, ElementType::F32, {}, rows, strides),
          Builder::view(w, ElementType::F32, {}, width, unit),
          Builder::view(y, ElementType::F32, {}, rows, strides),
          Builder::scalar(ElementType::I32, 3)};
      b.addLaunch(
          add, "h.0.add", arguments,
          {b.addExpression(grid), b.addExpression(one), b.addExpression(one)});
    }
    b.endPlan(64 + uint64_t(maxRows) * 32);
  };
  plan("decode", PlanKind::Decode, 4, 4, 1);
  plan("prefill", PlanKind::Prefill, 16, 1, 2);
  return b;
}

inline std::vector<std::byte> sampleImage() {
  return sampleBuilder().finish().value();
}

/// Makes the checksum right again.
inline void reseal(std::vector<std::byte> &image) {
  const uint64_t sum = XXH3_64bits(image.data() + checksummedFrom,
                                   image.size() - checksummedFrom);
  std::memcpy(image.data() + offsetof(Header, checksum), &sum, sizeof(sum));
}

/// Entry `index` of a section, for writing. Reseal afterwards.
template <typename T>
T &entry(std::vector<std::byte> &image, SectionKind section, size_t index) {
  Header header;
  std::memcpy(&header, image.data(), sizeof(header));
  return reinterpret_cast<T *>(image.data() +
                               header.sections[size_t(section)].offset)[index];
}

} // namespace tilegpt::bundle::test

#endif // TILEGPT_TEST_UNIT_BUNDLE_SAMPLE_H
