// A language model of handwritten kernels (ToyKernels.c) as a bundle, with its
// weight and its expected results. Logits depend on every earlier token and
// position, so mistakes in caching, slicing or batching show.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_TOY_TOYMODEL_H
#define TILEGPT_TEST_UNIT_RUNTIME_TOY_TOYMODEL_H

#include "KernelImage.h"
#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Model/WeightProvider.h"
#include <cmath>

namespace tilegpt::test {

inline constexpr int64_t toyVocabulary = 11;
inline constexpr int64_t toyCapacity = 16;

/// The buffers of a plan, except logits, as kernel arguments.
struct ToyBuffers {
  bundle::Argument ids, pos, w, x, k;
};

/// Adds a new one-dimensional buffer; returns an argument for all of it.
inline bundle::Argument addToyVector(bundle::Builder &b, const char *name,
                                     bundle::BufferKind kind,
                                     bundle::ElementType type,
                                     bundle::Extent size, uint64_t offset = 0) {
  const bundle::Extent shape[] = {size}, unit[] = {{1}};
  return bundle::Builder::view(b.addBuffer(name, kind, type, shape, offset),
                               type, {}, shape, unit);
}

/// Adds the buffers to the current plan; `x` is at offset 128 of the arena.
inline ToyBuffers addToyBuffers(bundle::Builder &b) {
  using namespace bundle;
  const Extent cacheShape[] = {Extent::sequences(), {2}, {toyCapacity}, {3}};
  const Extent cacheStrides[] = {
      {2 * toyCapacity * 3}, {toyCapacity * 3}, {3}, {1}};
  ToyBuffers made;
  made.ids = addToyVector(b, "ids", BufferKind::Input, ElementType::I32,
                          Extent::rows());
  made.pos = addToyVector(b, "pos", BufferKind::Input, ElementType::I32,
                          Extent::sequences());
  made.w = addToyVector(b, "w", BufferKind::Weight, ElementType::F32,
                        {toyVocabulary});
  made.x = addToyVector(b, "x", BufferKind::Arena, ElementType::F32,
                        Extent::rows(), 128);
  made.k = Builder::view(
      b.addBuffer("h.0.k", BufferKind::State, ElementType::F32, cacheShape),
      ElementType::F32, {}, cacheShape, cacheStrides);
  return made;
}

/// Adds a launch with one block per row of argument `sizedBy`.
inline void addToyLaunch(bundle::Builder &b, uint32_t kernel, const char *label,
                         std::span<const bundle::Argument> arguments,
                         uint16_t sizedBy) {
  using bundle::Expression;
  const Expression one[] = {Expression::constant(1)},
                   size[] = {Expression::dim(sizedBy, 0)};
  b.addLaunch(
      kernel, label, arguments,
      {b.addExpression(size), b.addExpression(one), b.addExpression(one)});
}

/// Adds a plan that runs the first three kernels over N rows, and the fourth if
/// it samples. Decode plans have N sequences, others up to 2. With bf16 logits
/// the fifth kernel replaces the third.
inline void
addToyPlan(bundle::Builder &b, const char *name, bundle::PlanKind kind,
           int64_t minRows, int64_t maxRows,
           bundle::ElementType logitType = bundle::ElementType::F32) {
  using namespace bundle;
  const Extent out =
      kind == PlanKind::Score ? Extent::rows() : Extent::sequences();
  const Extent logitShape[] = {out, {toyVocabulary}},
               logitStrides[] = {{toyVocabulary}, {1}};
  const Extent howShape[] = {out, {sampleValues}},
               howStrides[] = {{sampleValues}, {1}};
  const bool samples = kind == PlanKind::Sample;
  const uint64_t logitOffset = 128 + 64 * uint64_t(maxRows);

  b.beginPlan(name, kind, minRows, maxRows,
              hasOneRowPerSequence(kind) ? maxRows : 2);
  const auto [ids, pos, w, x, k] = addToyBuffers(b);
  const Argument logits = Builder::view(
      b.addBuffer("logits", samples ? BufferKind::Arena : BufferKind::Output,
                  logitType, logitShape, samples ? logitOffset : 0),
      logitType, {}, logitShape, logitStrides);

  addToyLaunch(b, 0, "h.0.append", std::initializer_list<Argument>{ids, pos, k},
               0);
  addToyLaunch(b, 1, "h.0.sum", std::initializer_list<Argument>{pos, k, x}, 2);
  addToyLaunch(b, logitType == ElementType::F32 ? 2 : 4, "head",
               std::initializer_list<Argument>{x, w, logits}, 2);
  if (samples) {
    const Argument how = Builder::view(
        b.addBuffer("how", BufferKind::Input, ElementType::F32, howShape),
        ElementType::F32, {}, howShape, howStrides);
    const Argument next = addToyVector(b, "next", BufferKind::Output,
                                       ElementType::I32, Extent::sequences());
    addToyLaunch(b, 3, "sample",
                 std::initializer_list<Argument>{logits, how, next}, 2);
  }
  b.endPlan(logitOffset + (samples ? 64 * uint64_t(maxRows) : 0));
}

/// The model without plans. For a GPU every kernel's image is the same host
/// code, which the fake driver can run.
inline bundle::Builder
toyBuilder(bundle::TargetKind target = bundle::TargetKind::Host) {
  using namespace bundle;
  Builder b;
  ModelInfo info;
  info.layers = info.heads = info.width = 1;
  info.context = info.capacity = toyCapacity;
  info.vocabulary = toyVocabulary;
  b.setModel("toy", info);
  if (target == TargetKind::Host) {
    b.setTarget("x86_64", "", 0);
    b.setHostCode(toyKernels());
  } else {
    b.setCudaTarget("sm_90a");
  }
  const Parameter ids{ArgumentKind::View, ElementType::I32, 1, Access::Read};
  const Parameter vector{ArgumentKind::View, ElementType::F32, 1, Access::Read};
  const Parameter vectorOut{ArgumentKind::View, ElementType::F32, 1,
                            Access::Write};
  const Parameter matrixOut{ArgumentKind::View, ElementType::F32, 2,
                            Access::Write};
  const Parameter narrowOut{ArgumentKind::View, ElementType::BF16, 2,
                            Access::Write};
  const Parameter matrix{ArgumentKind::View, ElementType::F32, 2, Access::Read};
  const Parameter idsOut{ArgumentKind::View, ElementType::I32, 1,
                         Access::Write};
  const Parameter cache{ArgumentKind::View, ElementType::F32, 4,
                        Access::ReadWrite};
  const std::string messages[] = {"the position is inside of the cache"};
  const std::string unlucky[] = {"k is not 13"};
  b.addKernel("append", "toy_append",
              std::initializer_list<Parameter>{ids, ids, cache}, messages);
  b.addKernel("sum", "toy_sum",
              std::initializer_list<Parameter>{ids, cache, vectorOut});
  b.addKernel("head", "toy_head",
              std::initializer_list<Parameter>{vector, vector, matrixOut});
  b.addKernel("sample", "toy_sample",
              std::initializer_list<Parameter>{matrix, matrix, idsOut},
              unlucky);
  b.addKernel("head_bf16", "toy_head_bf16",
              std::initializer_list<Parameter>{vector, vector, narrowOut});
  if (target == TargetKind::Cuda) {
    DeviceKernel launch;
    launch.threads = 128;
    launch.clusterSize = 1;
    for (uint32_t kernel = 0; kernel < 5; ++kernel)
      b.setDeviceImage(kernel, toyKernels(), launch);
  }
  return b;
}

/// Plans as in a real model: decode for 1 and 2…3 sequences, likewise sampling,
/// prefill in steps of up to 5, score of up to 4.
inline bundle::Bundle
toyBundle(bundle::TargetKind target = bundle::TargetKind::Host) {
  bundle::Builder b = toyBuilder(target);
  addToyPlan(b, "decode1", bundle::PlanKind::Decode, 1, 1);
  addToyPlan(b, "decode3", bundle::PlanKind::Decode, 2, 3);
  addToyPlan(b, "sample1", bundle::PlanKind::Sample, 1, 1);
  addToyPlan(b, "sample3", bundle::PlanKind::Sample, 2, 3);
  addToyPlan(b, "prefill", bundle::PlanKind::Prefill, 2, 5);
  addToyPlan(b, "score", bundle::PlanKind::Score, 1, 4);
  return bundle::Bundle::fromBytes(b.finish().value()).value();
}

class ToyWeights : public runtime::WeightProvider {
public:
  ToyWeights() {
    for (int64_t v = 0; v < toyVocabulary; ++v)
      values[v] = 1 + float(v) / 16;
  }

  runtime::Result<const void *> find(std::string_view name,
                                     bundle::ElementType type,
                                     std::span<const int64_t> shape) override {
    if (name != "w" || type != bundle::ElementType::F32 || shape.size() != 1 ||
        shape[0] != toyVocabulary)
      return runtime::makeError(runtime::ErrorCode::BadInput, "weights: no '",
                                name, "' here");
    return static_cast<const void *>(values);
  }

private:
  alignas(64) float values[toyVocabulary];
};

/// The logits after the last token of `history`, recomputed from scratch.
inline std::vector<float> toyLogits(std::span<const int32_t> history) {
  float x = 0;
  for (size_t i = 0; i < history.size(); ++i)
    x += float(i + 1) * float(history[i] + 1);
  std::vector<float> logits;
  for (int64_t v = 0; v < toyVocabulary; ++v)
    logits.push_back((1 + float(v) / 16) * std::fmod(x * float(v + 1), 17.f));
  return logits;
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_TOY_TOYMODEL_H
