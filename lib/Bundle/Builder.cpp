// Collects tables and lays them out as one image. Buffer handles become indices
// only at the end, so that a compiler may encounter a weight first in its last
// plan.
#include "TileGPT/Bundle/Builder.h"
#include "Layout.h"
#include "TileGPT/Bundle/Bundle.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::ErrorCode;

namespace {

/// Appends `items` to `table` and returns their range.
template <typename T>
Range append(std::vector<T> &table, std::span<const T> items) {
  const Range range{uint32_t(table.size()), uint32_t(items.size())};
  table.insert(table.end(), items.begin(), items.end());
  return range;
}

/// Finds `items` in `table` or appends them.
template <typename T>
Range intern(std::vector<T> &table, std::span<const T> items) {
  const auto found =
      std::search(table.begin(), table.end(), items.begin(), items.end());
  if (found != table.end() || items.empty())
    return {uint32_t(found - table.begin()), uint32_t(items.size())};
  return append(table, items);
}

} // namespace

void Builder::mistake(std::string message) {
  if (firstMistake.empty())
    firstMistake = std::move(message);
}

Range Builder::addString(std::string_view text) {
  if (const auto found = internedStrings.find(text);
      found != internedStrings.end())
    return found->second;
  const Range range{uint32_t(strings.size()), uint32_t(text.size())};
  strings += text;
  internedStrings.emplace(text, range);
  return range;
}

uint32_t Builder::addKernel(std::string_view name, std::string_view symbol,
                            std::span<const Parameter> formals,
                            std::span<const std::string> texts,
                            Collective collective) {
  std::vector<Range> ranges;
  for (const std::string &text : texts)
    ranges.push_back(addString(text));
  kernels.push_back({addString(name),
                     addString(symbol),
                     intern<Parameter>(parameters, formals),
                     intern<Range>(messages, ranges),
                     {},
                     collective,
                     {}});
  return uint32_t(kernels.size() - 1);
}

uint32_t Builder::addBuffer(std::string_view name, BufferKind kind,
                            ElementType type, std::span<const Extent> shape,
                            uint64_t arenaOffset) {
  Buffer buffer;
  buffer.name = addString(name);
  buffer.kind = kind;
  buffer.type = type;
  buffer.arenaOffset = arenaOffset;
  if (shape.size() > maxRank)
    mistake("buffer '" + std::string(name) + "' expected a rank of at most " +
            std::to_string(maxRank) + ", got " + std::to_string(shape.size()));
  buffer.rank = uint8_t(std::min<size_t>(shape.size(), maxRank));
  std::copy_n(shape.begin(), buffer.rank, buffer.shape);

  const uint32_t handle = uint32_t(buffers.size());
  if (isGlobal(kind)) {
    const auto [entry, isNew] = globalsByName.emplace(name, handle);
    if (!isNew) {
      if (std::memcmp(&buffers[entry->second], &buffer, sizeof(Buffer)) != 0)
        mistake("buffer '" + std::string(name) +
                "' is used with two kinds, types or shapes");
      return entry->second;
    }
    globalBuffers.push_back(handle);
  } else if (planIsOpen) {
    plans.back().buffers.push_back(handle);
  } else {
    mistake("buffer '" + std::string(name) +
            "' belongs to a plan, but none is open");
  }
  buffers.push_back(buffer);
  return handle;
}

Range Builder::addExpression(std::span<const Expression> postfix) {
  return intern(expressions, postfix);
}

Argument Builder::view(uint32_t buffer, ElementType type, Extent offset,
                       std::span<const Extent> shape,
                       std::span<const Extent> strides) {
  Argument argument;
  argument.kind = ArgumentKind::View;
  argument.type = type;
  argument.buffer = buffer;
  argument.offset = offset;
  // Keep an invalid rank invalid, so that finish() rejects it.
  argument.rank = shape.size() == strides.size() && shape.size() <= maxRank
                      ? uint8_t(shape.size())
                      : uint8_t(255);
  if (argument.rank <= maxRank) {
    std::copy(shape.begin(), shape.end(), argument.shape);
    std::copy(strides.begin(), strides.end(), argument.strides);
  }
  return argument;
}

Argument Builder::scalar(ElementType type, uint64_t bits) {
  Argument argument;
  argument.kind = ArgumentKind::Scalar;
  argument.type = type;
  argument.bits = bits;
  return argument;
}

void Builder::beginPlan(std::string_view name, PlanKind kind, int64_t minRows,
                        int64_t maxRows, int64_t maxSequences) {
  if (planIsOpen)
    mistake("plan '" + std::string(name) + "' begins inside another plan");
  planIsOpen = true;
  Plan plan;
  plan.name = addString(name);
  plan.kind = kind;
  plan.minRows = minRows;
  plan.maxRows = maxRows;
  plan.maxSequences = maxSequences;
  plan.launches = {uint32_t(launches.size()), 0};
  plans.push_back({plan, {}});
}

void Builder::addLaunch(uint32_t kernel, std::string_view label,
                        std::span<const Argument> actuals,
                        const std::array<Range, 3> &grid,
                        std::span<const Requirement> required) {
  if (!planIsOpen) {
    mistake("launch '" + std::string(label) +
            "' belongs to a plan, but none is open");
    return;
  }
  Launch launch;
  launch.kernel = kernel;
  launch.label = addString(label);
  launch.arguments = append(arguments, actuals);
  std::copy(grid.begin(), grid.end(), launch.grid);
  launch.requirements = intern(requirements, required);
  launches.push_back(launch);
  ++plans.back().plan.launches.count;
}

void Builder::endPlan(uint64_t arenaBytes) {
  if (!planIsOpen) {
    mistake("a plan ends, but none is open");
    return;
  }
  planIsOpen = false;
  plans.back().plan.arenaBytes = arenaBytes;
}

void Builder::setModel(std::string_view name, ModelInfo info,
                       std::string_view tables) {
  model = info;
  model.name = addString(name);
  model.tables = addString(tables);
}

void Builder::setTarget(std::string_view architecture, std::string_view cpu,
                        uint64_t features) {
  target = {
      addString(architecture), addString(cpu), features, TargetKind::Host, {}};
}

void Builder::setCudaTarget(std::string_view architecture) {
  target = {addString(architecture), {}, 0, TargetKind::Cuda, {}};
}

void Builder::setHostCode(std::vector<std::byte> image) {
  hostCode = std::move(image);
}

void Builder::setDeviceImage(uint32_t kernel, std::span<const std::byte> image,
                             DeviceKernel launch,
                             std::span<const TensorMap> maps) {
  if (kernel >= kernels.size()) {
    mistake("a device image is for kernel " + std::to_string(kernel) +
            ", but only " + std::to_string(kernels.size()) + " were added");
    return;
  }
  launch.imageOffset = (deviceCode.size() + deviceCodeAlignment - 1) /
                       deviceCodeAlignment * deviceCodeAlignment;
  deviceCode.resize(launch.imageOffset);
  deviceCode.insert(deviceCode.end(), image.begin(), image.end());
  if (launch.imageKind == ImageKind::Ptx)
    deviceCode.push_back(std::byte{0});
  launch.imageBytes = deviceCode.size() - launch.imageOffset;
  launch.tensorMaps = append<TensorMap>(tensorMaps, maps);
  kernels[kernel].device = launch;
}

runtime::Result<std::vector<std::byte>> Builder::finish() {
  if (planIsOpen)
    mistake("the last plan was not ended");
  if (!firstMistake.empty())
    return runtime::makeError(ErrorCode::Failure, "bundle: " + firstMistake);

  // Globals first, then the buffers of each plan, so that those of a plan are
  // contiguous.
  std::vector<Buffer> ordered;
  std::vector<uint32_t> indexOf(buffers.size());
  const auto place = [&](uint32_t handle) {
    indexOf[handle] = uint32_t(ordered.size());
    ordered.push_back(buffers[handle]);
  };
  std::ranges::for_each(globalBuffers, place);
  std::vector<Plan> finishedPlans;
  for (PlanDraft &draft : plans) {
    draft.plan.buffers = {uint32_t(ordered.size()),
                          uint32_t(draft.buffers.size())};
    std::ranges::for_each(draft.buffers, place);
    finishedPlans.push_back(draft.plan);
  }
  for (Argument &argument : arguments) {
    if (argument.kind != ArgumentKind::View)
      continue;
    if (argument.buffer >= indexOf.size())
      return runtime::makeError(
          ErrorCode::Failure,
          "bundle: an argument names buffer " +
              std::to_string(argument.buffer) + ", but only " +
              std::to_string(indexOf.size()) + " were added");
    argument.buffer = indexOf[argument.buffer];
  }

  const std::span<const std::byte> sections[sectionCount] = {
      std::as_bytes(std::span(strings)),
      std::as_bytes(std::span(messages)),
      std::as_bytes(std::span(parameters)),
      std::as_bytes(std::span(tensorMaps)),
      std::as_bytes(std::span(kernels)),
      std::as_bytes(std::span(expressions)),
      std::as_bytes(std::span(requirements)),
      std::as_bytes(std::span(arguments)),
      std::as_bytes(std::span(launches)),
      std::as_bytes(std::span(ordered)),
      std::as_bytes(std::span(finishedPlans)),
      std::as_bytes(std::span(&model, 1)),
      std::as_bytes(std::span(&target, 1)),
      std::span(hostCode),
      std::span(deviceCode)};

  Header header;
  std::memcpy(header.magic, magic, sizeof(magic));
  header.version = version;
  header.sectionCount = sectionCount;
  uint64_t end = sizeof(Header);
  for (uint32_t i = 0; i < sectionCount; ++i) {
    header.sections[i] = {sectionOffset(SectionKind(i), end),
                          sections[i].size()};
    end = header.sections[i].offset + header.sections[i].bytes;
  }
  header.totalBytes = end;

  std::vector<std::byte> image(end);
  std::memcpy(image.data(), &header, sizeof(Header));
  for (uint32_t i = 0; i < sectionCount; ++i)
    std::ranges::copy(sections[i],
                      image.begin() + int64_t(header.sections[i].offset));
  const uint64_t sum = checksum(image);
  std::memcpy(image.data() + offsetof(Header, checksum), &sum, sizeof(sum));

  if (auto checked = Bundle::view(image); !checked)
    return tl::unexpected(checked.error());
  return image;
}
