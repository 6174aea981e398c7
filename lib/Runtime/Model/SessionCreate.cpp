// Creates a session: checks that the bundle is a language model, and that its
// engine has all weights and enough memory.
#include "TileGPT/Bundle/LiteralWeight.h"
#include "TileGPT/Runtime/Cpu/CpuEngine.h"
#include "TileGPT/Runtime/Engine/WideLogits.h"
#include "TileGPT/Runtime/Model/Session.h"
#include <algorithm>
#include <array>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::Buffer;
using bundle::BufferKind;
using bundle::ElementType;
using bundle::Extent;
using bundle::Plan;
using bundle::PlanKind;

namespace {

int64_t evaluate(const Extent &extent, int64_t rows, int64_t sequences) {
  return extent.constant + extent.perRow * rows +
         extent.perSequence * sequences;
}

/// Whether a buffer has this type and these sizes for all row counts of the
/// plan.
bool hasShape(const Buffer &buffer, const Plan &plan, ElementType type,
              std::initializer_list<Extent> shape) {
  const auto agreesAt = [&](int64_t rows, int64_t sequences) {
    return std::equal(shape.begin(), shape.end(), buffer.shape,
                      [&](const Extent &a, const Extent &b) {
                        return evaluate(a, rows, sequences) ==
                               evaluate(b, rows, sequences);
                      });
  };
  // The sizes are linear in (N, B); with one row per sequence N = B.
  const int64_t fewest =
      bundle::hasOneRowPerSequence(plan.kind) ? plan.minRows : 1;
  return buffer.type == type && buffer.rank == shape.size() &&
         agreesAt(plan.minRows, fewest) &&
         agreesAt(plan.maxRows, plan.maxSequences);
}

} // namespace

/// Checks that a plan has the inputs and outputs of a step.
Result<void> Session::checkPlan(const Plan &plan) const {
  const bool samples = plan.kind == PlanKind::Sample;
  const Extent rowsOut =
      plan.kind == PlanKind::Score ? Extent::rows() : Extent::sequences();
  const std::string_view output = samples ? "next" : "logits";
  bool hasOutput = false;
  for (const Buffer &buffer : bundle->buffers(plan)) {
    if (buffer.kind == BufferKind::Arena)
      continue;
    const auto name = bundle->string(buffer.name);
    const auto is = [&](BufferKind kind, std::string_view expected,
                        ElementType type, std::initializer_list<Extent> shape) {
      return buffer.kind == kind && name == expected &&
             hasShape(buffer, plan, type, shape);
    };
    const bool isOutput =
        samples ? is(BufferKind::Output, output, ElementType::I32, {rowsOut})
                : isLogitType(buffer.type) &&
                      is(BufferKind::Output, output, buffer.type,
                         {rowsOut, {vocabulary()}});
    const bool isInput =
        is(BufferKind::Input, "ids", ElementType::I32, {Extent::rows()}) ||
        is(BufferKind::Input, "pos", ElementType::I32, {Extent::sequences()}) ||
        (samples && is(BufferKind::Input, "how", ElementType::F32,
                       {Extent::sequences(), {bundle::sampleValues}}));
    if (!isOutput && !isInput)
      return makeError(
          ErrorCode::BadInput, "session: plan '", bundle->string(plan.name),
          "' expected inputs ids i32[N]",
          samples ? concat(", pos i32[B] and how f32[B, ", bundle::sampleValues,
                           "] and the output next i32[B]")
                  : concat(" and pos i32[B] and the output logits "
                           "f32|bf16|f16[",
                           plan.kind == PlanKind::Score ? "N" : "B", ", ",
                           vocabulary(), "]"),
          ", got '", name, "' of another kind, type or shape");
    hasOutput |= isOutput;
  }
  if (!hasOutput)
    return makeError(ErrorCode::BadInput, "session: plan '",
                     bundle->string(plan.name), "' has no output '", output,
                     "'");
  return {};
}

/// Checks that every plan can run, and that a single token can always be
/// appended.
Result<void> Session::checkPlans() const {
  for (const Plan &plan : bundle->plans())
    if (auto checked = checkPlan(plan); !checked)
      return checked;
  if (!findPlan(PlanKind::Decode, 1))
    return makeError(ErrorCode::BadInput,
                     "session: the bundle has no plan for a single token");
  return {};
}

/// The weights that a bundle requires; views into the bundle and into `shapes`.
static std::vector<WeightNeed>
needsOf(const bundle::Bundle &bundle,
        std::vector<std::array<int64_t, bundle::maxRank>> &shapes) {
  std::vector<WeightNeed> needs;
  shapes.resize(bundle.buffers().size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Buffer &buffer = bundle.buffers()[i];
    if (buffer.kind != BufferKind::Weight ||
        bundle::isLiteralWeight(bundle.string(buffer.name)))
      continue;
    for (unsigned axis = 0; axis < buffer.rank; ++axis)
      shapes[i][axis] = buffer.shape[axis].constant;
    needs.push_back({bundle.string(buffer.name), buffer.type,
                     std::span(shapes[i]).first(buffer.rank)});
  }
  return needs;
}

Result<const void *> Session::literal(std::string_view name,
                                      bundle::ElementType type,
                                      std::span<const int64_t> shape) {
  const auto values = bundle::parseLiteralWeight(name);
  if (!values || type != bundle::ElementType::F32 || shape.size() != 1 ||
      shape[0] != int64_t(values->size()))
    return makeError(ErrorCode::BadInput, "weights: '", name,
                     "' is not the list of numbers that the model reads");
  auto &lines = literals.emplace_back(
      (values->size() * sizeof(float) + sizeof(Line) - 1) / sizeof(Line));
  std::ranges::copy(*values, reinterpret_cast<float *>(lines.data()));
  return lines.data();
}

Result<void> Session::load(WeightProvider &weights) {
  std::vector<std::array<int64_t, bundle::maxRank>> shapes;
  if (auto prepared = weights.prepare(needsOf(*bundle, shapes)); !prepared)
    return prepared;
  return engine->load(sequences(), [&](uint32_t index) {
    const Buffer &buffer = bundle->buffers()[index];
    int64_t shape[bundle::maxRank];
    for (unsigned axis = 0; axis < buffer.rank; ++axis)
      shape[axis] = buffer.shape[axis].constant;
    const std::string_view name = bundle->string(buffer.name);
    const std::span<const int64_t> sizes(shape, buffer.rank);
    return bundle::isLiteralWeight(name)
               ? literal(name, buffer.type, sizes)
               : weights.find(name, buffer.type, sizes);
  });
}

Session::Session(const bundle::Bundle &bundle, std::unique_ptr<Engine> engine,
                 int64_t sequences)
    : bundle(&bundle), engine(std::move(engine)), lengths(size_t(sequences)) {}

Result<Session> Session::create(const bundle::Bundle &bundle,
                                WeightProvider &weights,
                                std::unique_ptr<Engine> engine,
                                int64_t sequences) {
  constexpr int64_t mostSequences = int64_t(1) << 20;
  if (sequences < 1 || sequences > mostSequences)
    return makeError(ErrorCode::Usage, "session: expected 1 to ", mostSequences,
                     " sequences, got ", sequences);
  Session session(bundle, std::move(engine), sequences);
  if (auto done = session.checkPlans(); !done)
    return tl::unexpected(done.error());
  if (auto done = session.load(weights); !done)
    return tl::unexpected(done.error());
  return session;
}

Result<Session> Session::create(const bundle::Bundle &bundle,
                                WeightProvider &weights,
                                const SessionOptions &options) {
  auto engine = cpu::CpuEngine::create(bundle, options.threads);
  if (!engine)
    return tl::unexpected(engine.error());
  return create(bundle, weights, std::move(*engine), options.sequences);
}
