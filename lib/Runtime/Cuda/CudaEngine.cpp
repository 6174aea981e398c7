// Gives every buffer of the bundle its place on the device, brings the weights
// there, and hands steps to the executor.
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include "TileGPT/Runtime/Cuda/Upload.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::Buffer;
using bundle::BufferKind;
using runtime::Result;

/// Of each of the two buffers weights pass through: enough that starting a copy
/// costs nothing beside it.
static constexpr size_t stagingBytes = size_t(16) << 20;

Result<std::unique_ptr<CudaEngine>>
CudaEngine::create(const bundle::Bundle &bundle, std::shared_ptr<Device> device,
                   LaunchMode mode) {
  auto executor = Executor::create(bundle, device, mode);
  if (!executor)
    return tl::unexpected(executor.error());
  return std::unique_ptr<CudaEngine>(
      new CudaEngine(bundle, std::move(device), std::move(*executor)));
}

CudaEngine::~CudaEngine() {
  // Freeing needs the context, and this may be another thread than the one that
  // made it current.
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
  size_t total = 0;
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
  constexpr int64_t wordBytes = sizeof(int32_t);
  idOffset = size_t(runtime::alignedBytes(needs.sequences * wordBytes));
  memory.outputOffset =
      size_t(runtime::alignedBytes(int64_t(launches) * wordBytes));
  const size_t inputBytes = idOffset + size_t(needs.rows * wordBytes);
  const size_t resultBytes = memory.outputOffset + size_t(needs.logitBytes);

  const std::tuple<DeviceMemory &, size_t, const char *> parts[] = {
      {cache, size_t(needs.stateBytes), "the KV cache"},
      {arena, size_t(needs.arenaBytes), "the arena"},
      {inputs, inputBytes, "the inputs of a step"},
      {results, resultBytes, "the results of a step"}};
  for (const auto &[part, bytes, what] : parts) {
    auto allocated = DeviceMemory::allocate(device, bytes, what);
    if (!allocated)
      return tl::unexpected(allocated.error());
    part = std::move(*allocated);
    if (auto done = executor.stream().fillZero(part.address(), part.size());
        !done)
      return done;
  }
  auto pinned =
      PinnedMemory::allocate(device, inputBytes, "the inputs of a step");
  if (!pinned)
    return tl::unexpected(pinned.error());
  hostInputs = std::move(*pinned);
  memory.hostInputs = hostInputs.data();
  memory.inputs = inputs.address();
  memory.results = results.address();
  return {};
}

/// Makes room on the host for the results of steps with so large an output.
/// Page-locked memory is slow to come by and the logits of all rows are many,
/// so there is room for them only when a step asks.
Result<void> CudaEngine::makeHostResults(size_t outputBytes) {
  const size_t bytes = memory.outputOffset + outputBytes;
  if (bytes <= hostResults.size())
    return {};
  if (auto done = device->makeCurrent(); !done)
    return done;
  auto pinned = PinnedMemory::allocate(device, bytes, "the results of a step");
  if (!pinned)
    return tl::unexpected(pinned.error());
  executor.forgetGraphs(); // they copy to where results were
  hostResults = std::move(*pinned);
  memory.hostResults = hostResults.data();
  return {};
}

void CudaEngine::placeBuffers() {
  for (const bundle::Plan &plan : bundle.plans())
    for (uint32_t i = 0; i < plan.buffers.count; ++i) {
      const Buffer &buffer = bundle.buffers(plan)[i];
      CUdeviceptr &address = addresses[plan.buffers.first + i];
      if (buffer.kind == BufferKind::Arena)
        address = arena.address() + buffer.arenaOffset;
      else if (buffer.kind == BufferKind::Output)
        address = results.address() + memory.outputOffset;
      else
        address = inputs.address() +
                  (bundle.string(buffer.name) == "ids" ? idOffset : 0);
    }
}

std::span<int32_t> CudaEngine::ids() {
  return {reinterpret_cast<int32_t *>(hostInputs.data() + idOffset),
          size_t(needs.rows)};
}

std::span<int32_t> CudaEngine::positions() {
  return {reinterpret_cast<int32_t *>(hostInputs.data()),
          size_t(needs.sequences)};
}

/// Places the cache of a step's sequences.
void CudaEngine::placeStates(const runtime::Step &step) {
  for (const runtime::StateSlices &state : needs.states)
    addresses[state.buffer] =
        cache.address() +
        CUdeviceptr(state.offset + step.firstSequence * state.sliceBytes);
}

size_t CudaEngine::inputBytes(const runtime::Step &step) const {
  return idOffset + size_t(step.rows) * sizeof(int32_t);
}

Result<std::span<const float>> CudaEngine::run(const runtime::Step &step) {
  placeStates(step);
  const size_t outputs = size_t(runtime::logitCount(bundle, step));
  // All of a plan's steps have room once the first has.
  const size_t most = size_t(runtime::logitCount(
      bundle, {step.plan, step.plan->maxRows, step.plan->maxSequences, 0}));
  if (auto done = makeHostResults(most * sizeof(float)); !done)
    return tl::unexpected(done.error());
  if (auto ran = executor.run(step, addresses, memory, inputBytes(step),
                              outputs * sizeof(float));
      !ran)
    return tl::unexpected(ran.error());
  return std::span(
      reinterpret_cast<const float *>(memory.hostResults + memory.outputOffset),
      outputs);
}

Result<std::vector<runtime::StepTime>>
CudaEngine::measure(const runtime::Step &step, unsigned times) {
  placeStates(step);
  // Status words come to the host, logits do not.
  if (auto done = makeHostResults(0); !done)
    return tl::unexpected(done.error());
  const size_t outputs = size_t(runtime::logitCount(bundle, step));
  return executor.measure(step, addresses, memory, inputBytes(step),
                          outputs * sizeof(float), times);
}

std::string CudaEngine::describe() const {
  return runtime::concat(device->info().name, " (cuda:", device->info().ordinal,
                         ")");
}
