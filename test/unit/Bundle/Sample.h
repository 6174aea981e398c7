// A small valid bundle, and helpers to corrupt one part of it while the rest,
// checksum included, stays valid.
#ifndef TILEGPT_TEST_UNIT_BUNDLE_SAMPLE_H
#define TILEGPT_TEST_UNIT_BUNDLE_SAMPLE_H

#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Bundle/Bundle.h"
#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tilegpt::bundle::test {

/// One kernel `add(x, w, y, scale)`, one weight, one state, a decode plan with
/// one launch and a prefill plan with two.
inline Builder sampleBuilder() {
  Builder b;
  b.setModel("sample", {.name = {},
                        .layers = 1,
                        .heads = 2,
                        .width = 8,
                        .context = 16,
                        .capacity = 16,
                        .vocabulary = 5,
                        .epsilon = 1e-5,
                        .tables = {}});
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

/// The bytes of `text`, without the terminating zero.
inline std::vector<std::byte> bytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// One plan that launches two device kernels: `copy(x, y)`, a cubin with a
/// tensor map for x, and a persistent `clear(y)` as PTX.
inline Builder deviceBuilder() {
  Builder b;
  b.setModel("device", {.name = {},
                        .layers = 1,
                        .heads = 1,
                        .width = 8,
                        .context = 16,
                        .capacity = 16,
                        .vocabulary = 5,
                        .epsilon = 1e-5,
                        .tables = {}});
  b.setCudaTarget("sm_90a");
  const Parameter in{ArgumentKind::View, ElementType::BF16, 2, Access::Read};
  const Parameter out{ArgumentKind::View, ElementType::BF16, 2, Access::Write};
  const uint32_t copy = b.addKernel("copy", "kernel_copy", {{in, out}});
  const uint32_t clear = b.addKernel("clear", "kernel_clear", {{out}});
  b.setDeviceImage(copy,
                   bytesOf("\x7f"
                           "ELF: copy"),
                   {.tensorMaps = {},
                    .threads = 128,
                    .sharedBytes = 4096,
                    .registers = 40,
                    .clusterSize = 2,
                    .flags = uint8_t(DeviceFlag::ProgrammaticDependentLaunch)},
                   {{{.box = {8, 64},
                      .argument = 0,
                      .rank = 2,
                      .type = ElementType::BF16,
                      .swizzle = TensorSwizzle::Bytes32,
                      .l2Promotion = L2Promotion::Bytes128}}});
  b.setDeviceImage(clear, bytesOf(".version 8.0"),
                   {.tensorMaps = {},
                    .threads = 256,
                    .clusterSize = 1,
                    .blocksPerMultiprocessor = 2,
                    .imageKind = ImageKind::Ptx,
                    .flags = uint8_t(DeviceFlag::Persistent)});

  const Extent shape[] = {Extent::rows(), {8}};
  const Extent strides[] = {{8}, {1}};
  const Expression one[] = {Expression::constant(1)};
  const Range grid = b.addExpression(one);
  b.beginPlan("prefill", PlanKind::Prefill, 1, 4, 1);
  const auto view = [&](const char *name, BufferKind kind) {
    return Builder::view(b.addBuffer(name, kind, ElementType::BF16, shape),
                         ElementType::BF16, {}, shape, strides);
  };
  const Argument x = view("x", BufferKind::Input);
  const Argument y = view("y", BufferKind::Output);
  b.addLaunch(copy, "h.0.copy", {{x, y}}, {grid, grid, grid});
  b.addLaunch(clear, "h.0.clear", {{y}}, {grid, grid, grid});
  b.endPlan(0);
  return b;
}

inline std::vector<std::byte> deviceImage() {
  return deviceBuilder().finish().value();
}

/// Recomputes the checksum.
inline void reseal(std::vector<std::byte> &image) {
  const uint64_t sum = XXH3_64bits(image.data() + checksummedFrom,
                                   image.size() - checksummedFrom);
  std::memcpy(image.data() + offsetof(Header, checksum), &sum, sizeof(sum));
}

/// Entry `index` of a section, writable. Call reseal afterwards.
template <typename T>
T &entry(std::vector<std::byte> &image, SectionKind section, size_t index) {
  Header header;
  std::memcpy(&header, image.data(), sizeof(header));
  return reinterpret_cast<T *>(image.data() +
                               header.sections[size_t(section)].offset)[index];
}

} // namespace tilegpt::bundle::test

#endif // TILEGPT_TEST_UNIT_BUNDLE_SAMPLE_H
