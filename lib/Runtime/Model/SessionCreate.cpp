// Making a session: is this bundle a language model, are all weights there, is
// there memory for everything a step needs.
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

/// Bytes of a buffer at (rows, sequences); Bundle checked that they fit.
int64_t bytesOf(const Buffer &buffer, int64_t rows, int64_t sequences) {
  int64_t bytes = byteWidth(buffer.type);
  for (unsigned i = 0; i < buffer.rank; ++i)
    bytes *= evaluate(buffer.shape[i], rows, sequences);
  return bytes;
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

Result<void> Session::findWeights(WeightProvider &weights) {
  for (size_t i = 0; i < bundle->buffers().size(); ++i) {
    const Buffer &buffer = bundle->buffers()[i];
    if (buffer.kind != BufferKind::Weight)
      continue;
    int64_t shape[bundle::maxRank];
    for (unsigned axis = 0; axis < buffer.rank; ++axis)
      shape[axis] = buffer.shape[axis].constant;
    const auto found = weights.find(bundle->string(buffer.name), buffer.type,
                                    {shape, buffer.rank});
    if (!found)
      return tl::unexpected(found.error());
    // Kernels are checked not to write weights; addresses are one table for all
    // buffers.
    addresses[i] = static_cast<std::byte *>(const_cast<void *>(*found));
    totalWeightBytes += bytesOf(buffer, 0, 0);
  }
  return {};
}

/// Memory for the cache and for the largest step of any plan.
Result<void> Session::allocate(int64_t sequences) {
  const int64_t alignment = int64_t(bundle::bufferAlignment);
  int64_t cacheBytes = 0;
  for (size_t i = 0; i < bundle->buffers().size(); ++i) {
    const Buffer &buffer = bundle->buffers()[i];
    if (buffer.kind != BufferKind::State)
      continue;
    const int64_t slice = bytesOf(buffer, 0, 1);
    int64_t bytes;
    if (__builtin_mul_overflow(slice, sequences, &bytes) ||
        __builtin_add_overflow(bytes, alignment - 1, &bytes) ||
        __builtin_add_overflow(cacheBytes, bytes / alignment * alignment,
                               &cacheBytes))
      return makeError(ErrorCode::Device, "session: the KV cache of ",
                       sequences, " sequences is larger than memory");
    states.push_back({uint32_t(i), slice, nullptr});
  }

  int64_t arenaBytes = 0, rows = 1, batch = 1;
  int64_t logitBytes =
      sequences * vocabulary() * int64_t(sizeof(float)) + alignment;
  for (const Plan &plan : bundle->plans()) {
    arenaBytes = std::max(arenaBytes, int64_t(plan.arenaBytes));
    rows = std::max(rows, plan.maxRows);
    batch = std::max(batch, plan.maxSequences);
    for (const Buffer &buffer : bundle->buffers(plan))
      if (buffer.kind == BufferKind::Output)
        logitBytes = std::max(logitBytes,
                              bytesOf(buffer, plan.maxRows, plan.maxSequences));
  }

  const std::tuple<cpu::Memory &, int64_t, const char *> parts[] = {
      {cache, cacheBytes, "the KV cache"},
      {arena, arenaBytes, "the arena"},
      {logits, logitBytes, "the logits"},
      {ids, rows * int64_t(sizeof(int32_t)), "the token ids"},
      {positions, batch * int64_t(sizeof(int32_t)), "the positions"}};
  for (const auto &[memory, bytes, what] : parts) {
    auto allocated = cpu::Memory::allocate(size_t(bytes), what);
    if (!allocated)
      return tl::unexpected(allocated.error());
    memory = std::move(*allocated);
  }

  std::byte *next = cache.data();
  for (State &state : states) {
    state.data = next;
    next +=
        (state.sliceBytes * sequences + alignment - 1) / alignment * alignment;
  }
  for (const Plan &plan : bundle->plans())
    for (uint32_t i = 0; i < plan.buffers.count; ++i) {
      const Buffer &buffer = bundle->buffers(plan)[i];
      std::byte *&address = addresses[plan.buffers.first + i];
      if (buffer.kind == BufferKind::Arena)
        address = arena.data() + buffer.arenaOffset;
      else if (buffer.kind == BufferKind::Input)
        address = bundle->string(buffer.name) == "ids" ? ids.data()
                                                       : positions.data();
    }
  lengths.assign(size_t(sequences), 0);
  return {};
}

Result<Session> Session::create(const bundle::Bundle &bundle,
                                WeightProvider &weights,
                                const SessionOptions &options) {
  if (options.sequences < 1 || options.sequences > int64_t(1) << 20)
    return makeError(ErrorCode::Usage, "session: expected 1 to ",
                     int64_t(1) << 20, " sequences, got ", options.sequences);
  if (options.threads > 4096)
    return makeError(ErrorCode::Usage,
                     "session: expected at most 4096 threads, got ",
                     options.threads);
  auto pool = std::make_unique<cpu::ThreadPool>(options.threads);
  auto executor = cpu::Executor::create(bundle, *pool);
  if (!executor)
    return tl::unexpected(executor.error());
  Session session(bundle, std::move(pool), std::move(*executor));
  if (auto done = session.checkPlans(); !done)
    return tl::unexpected(done.error());
  if (auto done = session.findWeights(weights); !done)
    return tl::unexpected(done.error());
  if (auto done = session.allocate(options.sequences); !done)
    return tl::unexpected(done.error());
  return session;
}
