// Assigns a device address to every buffer of the bundle, uploads the weights,
// and passes steps to the executor.
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include "TileGPT/Runtime/Cuda/Upload.h"
#include "TileGPT/Runtime/Engine/CacheError.h"
#include "TileGPT/Runtime/Engine/Communicator.h"
#include <algorithm>
#include <cassert>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::Buffer;
using bundle::BufferKind;
using runtime::Result;

/// The size of each of the two staging buffers of the upload: large enough to
/// amortize the start of a copy.
static constexpr size_t stagingBytes = size_t(16) << 20;

Result<std::unique_ptr<CudaEngine>>
CudaEngine::create(const bundle::Bundle &bundle, std::shared_ptr<Device> device,
                   LaunchMode mode, const runtime::Communicator *ranks,
                   std::unique_ptr<Collectives> collectives,
                   int64_t overlapFrom) {
  if (auto checked = runtime::checkRanks(bundle, ranks); !checked)
    return tl::unexpected(checked.error());
  auto executor =
      Executor::create(bundle, device, mode, std::move(collectives),
                       ranks ? ranks->rank().count : 1, overlapFrom);
  if (!executor)
    return tl::unexpected(executor.error());
  return std::unique_ptr<CudaEngine>(new CudaEngine(bundle, std::move(device),
                                                    std::move(*executor),
                                                    ranks && overlapFrom > 0));
}

CudaEngine::~CudaEngine() {
  // Freeing requires the context, which may be current in another thread only.
  (void)device->makeCurrent();
}

Result<void> CudaEngine::load(int64_t sequences, const FindWeight &find) {
  auto counted = runtime::memoryNeeds(bundle, sequences);
  if (!counted)
    return tl::unexpected(counted.error());
  needs = std::move(*counted);
  if (auto done = device->makeCurrent(); !done)
    return done;
  if (auto done = loadWeights(find); !done)
    return done;
  if (auto done = allocate(); !done)
    return done;
  placeBuffers();
  return {};
}

Result<void> CudaEngine::loadWeights(const FindWeight &find) {
  // A kernel may read the first unit of an empty weight, such as that of a
  // linear layer without a bias, which may be the last one.
  size_t total = size_t(runtime::alignedBytes(1));
  const auto buffers = bundle.buffers();
  for (const Buffer &buffer : buffers)
    if (buffer.kind == BufferKind::Weight)
      total += size_t(runtime::alignedBytes(runtime::bytesOf(buffer, 0, 0)));
  auto slab = DeviceMemory::allocate(device, total, "the weights");
  if (!slab)
    return tl::unexpected(slab.error());
  weights = std::move(*slab);
  auto uploader = Uploader::create(device, executor.stream(),
                                   std::min(total, stagingBytes));
  if (!uploader)
    return tl::unexpected(uploader.error());
  CUdeviceptr next = weights.address();
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].kind != BufferKind::Weight)
      continue;
    const auto found = find(i);
    if (!found)
      return tl::unexpected(found.error());
    const int64_t bytes = runtime::bytesOf(buffers[i], 0, 0);
    if (auto done = uploader->upload(next, *found, size_t(bytes)); !done)
      return done;
    addresses[i] = next;
    next += CUdeviceptr(runtime::alignedBytes(bytes));
  }
  return uploader->finish();
}

/// Memory for the cache and for the largest step of any plan.
Result<void> CudaEngine::allocate() {
  size_t launches = 0;
  for (const bundle::Plan &plan : bundle.plans())
    launches = std::max<size_t>(launches, plan.launches.count);
  if (mayHalve)
    launches *= 2;
  constexpr int64_t wordBytes = sizeof(int32_t);
  const auto behind = [](size_t offset, int64_t words) {
    return offset + size_t(runtime::alignedBytes(words * wordBytes));
  };
  memory.drawOffset = behind(0, needs.sequences);
  memory.idOffset =
      behind(memory.drawOffset, needs.drawn * bundle::sampleValues);
  memory.statusOffset = behind(memory.idOffset, needs.rows);
  memory.logitOffset = behind(memory.statusOffset, int64_t(launches));

  const std::tuple<DeviceMemory &, size_t, const char *> parts[] = {
      {cache, size_t(needs.stateBytes), "the KV cache"},
      {arena, arenaBytes(), "the arena"},
      {exchange, memory.logitOffset + size_t(needs.logitBytes),
       "the inputs and results of a step"}};
  for (const auto &[part, bytes, what] : parts) {
    auto allocated = DeviceMemory::allocate(device, bytes, what);
    if (!allocated)
      return tl::unexpected(
          &part == &cache ? runtime::cacheError(std::move(allocated.error()))
                          : std::move(allocated.error()));
    part = std::move(*allocated);
    if (auto done = executor.stream().fillZero(part.address(), part.size());
        !done)
      return done;
  }
  memory.address = exchange.address();
  auto pinned = PinnedMemory::allocate(device, memory.statusOffset,
                                       "the inputs of a step");
  if (!pinned)
    return tl::unexpected(pinned.error());
  hostInputs = std::move(*pinned);
  return needs.drawn > 0 ? makeFlights() : Result<void>();
}

/// The resources of asynchronous steps.
Result<void> CudaEngine::makeFlights() {
  for (Flight &flight : flights) {
    auto pinned =
        PinnedMemory::allocate(device, memory.logitOffset, "a step's tokens");
    if (!pinned)
      return tl::unexpected(pinned.error());
    auto event = Event::create(device, /*timing=*/false);
    if (!event)
      return tl::unexpected(event.error());
    flight.image = std::move(*pinned);
    flight.done = std::move(*event);
  }
  return {};
}

/// Allocates host memory for the results of steps with this output size.
/// Page-locked memory is slow to allocate and the logits of all rows are large,
/// so it is allocated on demand.
Result<void> CudaEngine::makeHostResults(size_t outputBytes) {
  const size_t bytes = memory.logitOffset + outputBytes;
  if (bytes <= hostResults.size())
    return {};
  if (auto done = device->makeCurrent(); !done)
    return done;
  auto pinned = PinnedMemory::allocate(device, bytes, "the results of a step");
  if (!pinned)
    return tl::unexpected(pinned.error());
  executor.forgetGraphs(); // they copy to where results were
  hostResults = std::move(*pinned);
  return {};
}

void CudaEngine::placeBuffers() {
  for (const bundle::Plan &plan : bundle.plans())
    for (uint32_t i = 0; i < plan.buffers.count; ++i) {
      const Buffer &buffer = bundle.buffers(plan)[i];
      addresses[plan.buffers.first + i] =
          buffer.kind == BufferKind::Arena
              ? arena.address() + buffer.arenaOffset
              : memory.address + offsetOf(buffer);
    }
}

/// The location of an input or output in the memory of a step.
size_t CudaEngine::offsetOf(const Buffer &buffer) const {
  switch (runtime::stepDataOf(bundle, buffer)) {
  case runtime::StepData::Ids:
    return memory.idOffset;
  case runtime::StepData::Positions:
    return 0;
  case runtime::StepData::Draws:
    return memory.drawOffset;
  case runtime::StepData::Logits:
    return memory.logitOffset;
  }
  return 0;
}

std::span<int32_t> CudaEngine::ids() {
  return {reinterpret_cast<int32_t *>(hostInputs.data() + memory.idOffset),
          size_t(needs.rows)};
}

std::span<int32_t> CudaEngine::positions() {
  return {reinterpret_cast<int32_t *>(hostInputs.data()),
          size_t(needs.sequences)};
}

std::span<float> CudaEngine::draws() {
  return {reinterpret_cast<float *>(hostInputs.data() + memory.drawOffset),
          size_t(needs.drawn * bundle::sampleValues)};
}

/// Updates the states to the sequences of a step.
void CudaEngine::placeStates(const runtime::Step &step,
                             std::vector<CUdeviceptr> &places) const {
  for (const runtime::StateSlices &state : needs.states)
    places[state.buffer] =
        cache.address() +
        CUdeviceptr(state.offset + step.firstSequence * state.sliceBytes);
}

/// The copies of a synchronous step: its inputs and its logits.
StepCopies CudaEngine::copiesOf(const runtime::Step &step,
                                size_t logitBytes) const {
  return {
      hostInputs.data(), memory.idOffset + size_t(step.rows) * sizeof(int32_t),
      hostResults.data(), memory.statusOffset, memory.logitOffset + logitBytes};
}

Result<std::span<const float>> CudaEngine::run(const runtime::Step &step) {
  placeStates(step, addresses);
  const runtime::LogitInfo logits = runtime::logitsOf(bundle, step);
  // The memory of the first step of a plan serves all its steps.
  const runtime::LogitInfo most = runtime::logitsOf(
      bundle, {step.plan, step.plan->maxRows, step.plan->maxSequences, 0});
  if (auto done = makeHostResults(size_t(most.bytes())); !done)
    return tl::unexpected(done.error());
  if (auto ran =
          executor.run(step, addresses, memory,
                       copiesOf(step, size_t(logits.bytes())), halvesOf(step));
      !ran)
    return tl::unexpected(ran.error());
  return wideLogits.of(logits.type, hostResults.data() + memory.logitOffset,
                       size_t(logits.count));
}

/// The copies of an asynchronous step, in its own image.
StepCopies CudaEngine::copiesOf(const Flight &flight, bool follows) const {
  const size_t idBytes = size_t(flight.step.rows) * sizeof(int32_t);
  return {flight.image.data(), memory.idOffset + (follows ? 0 : idBytes),
          flight.image.data(), memory.idOffset, memory.logitOffset};
}

Result<void> CudaEngine::start(const runtime::Step &step, bool follows) {
  assert(started - finished < mostStarted && "finish() a step first");
  placeStates(step, addresses);
  Flight &flight = flights[started % mostStarted];
  flight.step = step;
  const StepCopies copies = copiesOf(flight, follows);
  std::memcpy(flight.image.data(), hostInputs.data(), copies.inputBytes);
  if (auto done = executor.start(step, addresses, memory, copies, flight.done);
      !done) {
    abandon();
    return done;
  }
  ++started;
  return {};
}

Result<std::span<const int32_t>> CudaEngine::finish() {
  assert(started > finished && "start() a step first");
  const Flight &flight = flights[finished++ % mostStarted];
  if (auto done = executor.finish(flight.step, memory, copiesOf(flight, true),
                                  flight.done);
      !done) {
    abandon();
    return tl::unexpected(done.error());
  }
  return std::span(
      reinterpret_cast<const int32_t *>(flight.image.data() + memory.idOffset),
      size_t(flight.step.rows));
}

/// Completes all asynchronous steps: the device still writes to images.
void CudaEngine::abandon() {
  executor.abandon();
  finished = started;
}

Result<std::vector<runtime::StepTime>>
CudaEngine::measure(const runtime::Step &step, unsigned times) {
  placeStates(step, addresses);
  // Copy status words but not logits to the host.
  if (auto done = makeHostResults(0); !done)
    return tl::unexpected(done.error());
  return executor.measure(step, addresses, memory, copiesOf(step, 0), times,
                          halvesOf(step));
}

std::string CudaEngine::describe() const {
  return runtime::concat(device->info().name, " (cuda:", device->info().ordinal,
                         ")");
}
