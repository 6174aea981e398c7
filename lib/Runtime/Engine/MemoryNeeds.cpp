// Sums the buffers of a bundle: states for a number of sequences, all others
// for the largest step of any plan.
#include "TileGPT/Runtime/Engine/MemoryNeeds.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::Buffer;
using bundle::BufferKind;
using bundle::Extent;

StepData runtime::stepDataOf(const bundle::Bundle &bundle,
                             const Buffer &buffer) {
  const auto name = bundle.string(buffer.name);
  if (buffer.kind == BufferKind::Output)
    return name == "next" ? StepData::Ids : StepData::Logits;
  return name == "ids"   ? StepData::Ids
         : name == "how" ? StepData::Draws
                         : StepData::Positions;
}

int64_t runtime::bytesOf(const Buffer &buffer, int64_t rows,
                         int64_t sequences) {
  int64_t bytes = byteWidth(buffer.type);
  for (unsigned i = 0; i < buffer.rank; ++i) {
    const Extent &extent = buffer.shape[i];
    bytes *=
        extent.constant + extent.perRow * rows + extent.perSequence * sequences;
  }
  return bytes;
}

LogitInfo runtime::logitsOf(const bundle::Bundle &bundle, const Step &step) {
  for (const Buffer &buffer : bundle.buffers(*step.plan))
    if (buffer.kind == BufferKind::Output &&
        stepDataOf(bundle, buffer) == StepData::Logits)
      return {buffer.type, bytesOf(buffer, step.rows, step.sequences) /
                               byteWidth(buffer.type)};
  return {};
}

Result<MemoryNeeds> runtime::memoryNeeds(const bundle::Bundle &bundle,
                                         int64_t sequences) {
  MemoryNeeds needs;
  for (size_t i = 0; i < bundle.buffers().size(); ++i) {
    const Buffer &buffer = bundle.buffers()[i];
    if (buffer.kind == BufferKind::Weight)
      needs.weightBytes += bytesOf(buffer, 0, 0);
    if (buffer.kind != BufferKind::State)
      continue;
    const int64_t slice = bytesOf(buffer, 0, 1);
    needs.states.push_back({uint32_t(i), slice, needs.stateBytes});
    int64_t bytes;
    if (__builtin_mul_overflow(slice, sequences, &bytes) ||
        __builtin_add_overflow(bytes, int64_t(bundle::bufferAlignment) - 1,
                               &bytes) ||
        __builtin_add_overflow(needs.stateBytes,
                               bytes - bytes % int64_t(bundle::bufferAlignment),
                               &needs.stateBytes))
      return makeError(ErrorCode::Device, "session: the KV cache of ",
                       sequences, " sequences is larger than memory");
  }
  for (const bundle::Plan &plan : bundle.plans()) {
    needs.arenaBytes = std::max(needs.arenaBytes, int64_t(plan.arenaBytes));
    needs.rows = std::max(needs.rows, plan.maxRows);
    needs.sequences = std::max(needs.sequences, plan.maxSequences);
    if (plan.kind == bundle::PlanKind::Sample)
      needs.drawn = std::max(needs.drawn, plan.maxSequences);
    for (const Buffer &buffer : bundle.buffers(plan))
      if (buffer.kind == BufferKind::Output &&
          stepDataOf(bundle, buffer) == StepData::Logits)
        needs.logitBytes = std::max(
            needs.logitBytes, bytesOf(buffer, plan.maxRows, plan.maxSequences));
  }
  return needs;
}
