// Making a session: is this bundle a language model, does its engine find all
// weights and enough memory.
#include "TileGPT/Runtime/Cpu/CpuEngine.h"
#include "TileGPT/Runtime/Model/Session.h"
#include <algorithm>

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

/// Whether a buffer has this type and, wherever in the plan's range, these
/// sizes.
bool hasShape(const Buffer &buffer, const Plan &plan, ElementType type,
              std::initializer_list<Extent> shape) {
  const auto agreesAt = [&](int64_t rows, int64_t sequences) {
    return std::equal(shape.begin(), shape.end(), buffer.shape,
                      [&](const Extent &a, const Extent &b) {
                        return evaluate(a, rows, sequences) ==
                               evaluate(b, rows, sequences);
                      });
  };
  // The sizes are linear in (N, B); in a decode plan N = B.
  const int64_t fewest = plan.kind == PlanKind::Decode ? plan.minRows : 1;
  return buffer.type == type && buffer.rank == shape.size() &&
         agreesAt(plan.minRows, fewest) &&
         agreesAt(plan.maxRows, plan.maxSequences);
}

} // namespace

/// That every plan has the inputs and outputs a step fills and reads, and that
/// a single token can always be appended.
Result<void> Session::checkPlans() const {
  for (const Plan &plan : bundle->plans()) {
    bool hasLogits = false;
    for (const Buffer &buffer : bundle->buffers(plan)) {
      if (buffer.kind == BufferKind::Arena)
        continue;
      const auto name = bundle->string(buffer.name);
      const Extent rowsOut =
          plan.kind == PlanKind::Score ? Extent::rows() : Extent::sequences();
      const bool isLogits =
          buffer.kind == BufferKind::Output && name == "logits" &&
          hasShape(buffer, plan, ElementType::F32, {rowsOut, {vocabulary()}});
      const bool isIds =
          buffer.kind == BufferKind::Input && name == "ids" &&
          hasShape(buffer, plan, ElementType::I32, {Extent::rows()});
      const bool isPos =
          buffer.kind == BufferKind::Input && name == "pos" &&
          hasShape(buffer, plan, ElementType::I32, {Extent::sequences()});
      if (!isLogits && !isIds && !isPos)
        return makeError(
            ErrorCode::BadInput, "session: plan '", bundle->string(plan.name),
            "' expected inputs ids i32[N] and pos i32[B] and the output logits "
            "f32[",
            plan.kind == PlanKind::Score ? "N" : "B", ", ", vocabulary(),
            "], got '", name, "' of another kind, type or shape");
      hasLogits |= isLogits;
    }
    if (!hasLogits)
      return makeError(ErrorCode::BadInput, "session: plan '",
                       bundle->string(plan.name), "' has no output 'logits'");
  }
  if (!findPlan(PlanKind::Decode, 1))
    return makeError(ErrorCode::BadInput,
                     "session: the bundle has no plan for a single token");
  return {};
}

Result<void> Session::load(WeightProvider &weights) {
  return engine->load(sequences(), [&](uint32_t index) {
    const Buffer &buffer = bundle->buffers()[index];
    int64_t shape[bundle::maxRank];
    for (unsigned axis = 0; axis < buffer.rank; ++axis)
      shape[axis] = buffer.shape[axis].constant;
    return weights.find(bundle->string(buffer.name), buffer.type,
                        {shape, buffer.rank});
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
