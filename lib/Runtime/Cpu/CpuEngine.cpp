// Assigns a fixed address to every buffer of the bundle; a step only updates
// the states to its first sequence.
#include "TileGPT/Runtime/Cpu/CpuEngine.h"
#include "TileGPT/Runtime/Engine/CacheError.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::cpu;
using bundle::Buffer;
using bundle::BufferKind;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

CpuEngine::CpuEngine(const bundle::Bundle &bundle,
                     std::unique_ptr<ThreadPool> pool, Executor executor)
    : bundle(bundle), pool(std::move(pool)), executor(std::move(executor)),
      addresses(bundle.buffers().size()) {}

Result<std::unique_ptr<CpuEngine>>
CpuEngine::create(const bundle::Bundle &bundle, unsigned threads,
                  runtime::Communicator *ranks) {
  if (auto checked = runtime::checkRanks(bundle, ranks); !checked)
    return tl::unexpected(checked.error());
  constexpr unsigned mostThreads = 4096;
  if (threads > mostThreads)
    return makeError(ErrorCode::Usage, "session: expected at most ",
                     mostThreads, " threads, got ", threads);
  auto pool = std::make_unique<ThreadPool>(threads);
  auto executor = Executor::create(bundle, *pool, ranks);
  if (!executor)
    return tl::unexpected(executor.error());
  return std::unique_ptr<CpuEngine>(
      new CpuEngine(bundle, std::move(pool), std::move(*executor)));
}

/// Memory for the cache and for the largest step of any plan.
Result<void> CpuEngine::allocate() {
  // Each head of each layer has its own range, of which a short text touches
  // only a small part.
  auto states =
      Memory::allocate(size_t(needs.stateBytes), "the KV cache", Pages::Small);
  if (!states)
    return tl::unexpected(runtime::cacheError(std::move(states.error())));
  cache = std::move(*states);
  const std::tuple<Memory &, int64_t, const char *> parts[] = {
      {arena, needs.arenaBytes, "the arena"},
      {logits, needs.logitBytes, "the logits"},
      {idMemory, needs.rows * int64_t(sizeof(int32_t)), "the token ids"},
      {positionMemory, needs.sequences * int64_t(sizeof(int32_t)),
       "the positions"},
      {drawMemory, needs.drawn * bundle::sampleValues * int64_t(sizeof(float)),
       "the draws"}};
  for (const auto &[memory, bytes, what] : parts) {
    auto allocated = Memory::allocate(size_t(bytes), what);
    if (!allocated)
      return tl::unexpected(allocated.error());
    memory = std::move(*allocated);
  }
  for (const bundle::Plan &plan : bundle.plans())
    for (uint32_t i = 0; i < plan.buffers.count; ++i) {
      const Buffer &buffer = bundle.buffers(plan)[i];
      addresses[plan.buffers.first + i] =
          buffer.kind == BufferKind::Arena ? arena.data() + buffer.arenaOffset
                                           : placeOf(buffer);
    }
  chosen.resize(mostStarted * size_t(needs.drawn));
  return {};
}

/// The location of an input or output of a step.
std::byte *CpuEngine::placeOf(const Buffer &buffer) const {
  switch (runtime::stepDataOf(bundle, buffer)) {
  case runtime::StepData::Ids:
    return idMemory.data();
  case runtime::StepData::Positions:
    return positionMemory.data();
  case runtime::StepData::Draws:
    return drawMemory.data();
  case runtime::StepData::Logits:
    return logits.data();
  }
  return nullptr;
}

Result<void> CpuEngine::load(int64_t sequences, const FindWeight &find) {
  auto counted = runtime::memoryNeeds(bundle, sequences);
  if (!counted)
    return tl::unexpected(counted.error());
  needs = std::move(*counted);
  for (uint32_t i = 0; i < bundle.buffers().size(); ++i) {
    if (bundle.buffers()[i].kind != BufferKind::Weight)
      continue;
    const auto found = find(i);
    if (!found)
      return tl::unexpected(found.error());
    // Bundle validation ensures that kernels do not write weights; one address
    // table serves all buffers.
    addresses[i] = static_cast<std::byte *>(const_cast<void *>(*found));
  }
  return allocate();
}

std::span<int32_t> CpuEngine::ids() {
  return {reinterpret_cast<int32_t *>(idMemory.data()), size_t(needs.rows)};
}

std::span<int32_t> CpuEngine::positions() {
  return {reinterpret_cast<int32_t *>(positionMemory.data()),
          size_t(needs.sequences)};
}

std::span<float> CpuEngine::draws() {
  return {reinterpret_cast<float *>(drawMemory.data()),
          size_t(needs.drawn * bundle::sampleValues)};
}

Result<void> CpuEngine::execute(const runtime::Step &step) {
  for (const runtime::StateSlices &state : needs.states)
    addresses[state.buffer] =
        cache.data() + state.offset + step.firstSequence * state.sliceBytes;
  return executor.run(*step.plan, step.rows, step.sequences, addresses);
}

Result<std::span<const float>> CpuEngine::run(const runtime::Step &step) {
  if (auto ran = execute(step); !ran)
    return tl::unexpected(ran.error());
  const runtime::LogitInfo info = runtime::logitsOf(bundle, step);
  return wideLogits.of(info.type, logits.data(), size_t(info.count));
}

Result<std::vector<runtime::StepTime>>
CpuEngine::measure(const runtime::Step &step, unsigned times) {
  using Clock = runtime::LaunchObserver::Clock;
  std::vector<runtime::StepTime> measured;
  for (unsigned i = 0; i <= times; ++i) {
    const auto begin = Clock::now();
    if (const auto ran = run(step); !ran)
      return tl::unexpected(ran.error());
    if (i > 0)
      measured.push_back({Clock::now() - begin, std::nullopt});
  }
  return measured;
}

Result<void> CpuEngine::start(const runtime::Step &step, bool) {
  if (auto ran = execute(step); !ran) {
    started.count = 0;
    return ran;
  }
  const size_t row = (started.first + started.count++) % mostStarted;
  started.sequences[row] = step.sequences;
  std::ranges::copy(ids().first(size_t(step.sequences)),
                    chosen.begin() + int64_t(row) * needs.drawn);
  return {};
}

Result<std::span<const int32_t>> CpuEngine::finish() {
  const size_t row = started.first++ % mostStarted;
  --started.count;
  return std::span<const int32_t>(chosen).subspan(
      row * size_t(needs.drawn), size_t(started.sequences[row]));
}

std::string CpuEngine::describe() const {
  return runtime::concat(pool->threads(),
                         pool->threads() == 1 ? " thread" : " threads");
}
