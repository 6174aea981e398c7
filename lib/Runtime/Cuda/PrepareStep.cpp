// Prepares a step: converts words, grid, status address and tensor maps of
// every launch to kernel parameters.
#include "TileGPT/Runtime/Cuda/Executor.h"
#include "TileGPT/Runtime/Cuda/TensorMap.h"

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::DeviceFlag;
using runtime::concat;
using runtime::Result;

/// \param status  the address of the first status word of the launches.
Result<void> Executor::prepare(const runtime::Step &step,
                               std::span<const CUdeviceptr> addresses,
                               CUdeviceptr status,
                               std::vector<PreparedLaunch> &launches) {
  if (auto done = runtime::resolve(*bundle, *step.plan, step.rows,
                                   step.sequences, "cuda", resolved);
      !done)
    return done;
  for (const runtime::AddressWord &address : resolved.addresses)
    resolved.words[address.word] =
        addresses[address.buffer] + uint64_t(address.byteOffset);
  for (const runtime::ResolvedLaunch &launch : resolved.launches)
    if (auto done = prepareLaunch(step, launch,
                                  resolved.words.data() + launch.firstWord,
                                  status, launches);
        !done)
      return done;
  return {};
}

Result<void> Executor::prepareLaunch(const runtime::Step &step,
                                     const runtime::ResolvedLaunch &launch,
                                     const uint64_t *words, CUdeviceptr status,
                                     std::vector<PreparedLaunch> &launches) {
  const auto failed = [&](const auto &...what) {
    return tl::unexpected(runtime::cannotLaunch(*bundle, step, *launch.launch,
                                                "cuda", concat(what...)));
  };
  const bundle::Kernel &kernel = bundle->kernel(*launch.launch);
  PreparedLaunch next;
  next.kernel = &kernels[launch.launch->kernel];
  next.launch = launch.launch;
  next.logicalBlocks = launch.blocks;
  if (collectives && bundle::isExchange(kernel.collective)) {
    if (auto done = prepareExchange(next, words); !done)
      return done;
    launches.push_back(std::move(next));
    return {};
  }
  // Only a kernel can overlap with the next one; copies and collectives
  // complete first.
  next.overlaps = kernel.device.has(DeviceFlag::ProgrammaticDependentLaunch) &&
                  !launches.empty() && !launches.back().exchange;
  const auto blocks = next.kernel->blocksFor(launch.grid);
  if (!blocks)
    return failed(blocks.error().message);
  next.blocks = *blocks;

  next.parameters = {next.kernel->parameters(), words, launch.grid,
                     status + launches.size() * sizeof(int32_t)};

  const auto arguments = bundle->arguments(*launch.launch);
  const auto maps = bundle->tensorMaps(kernel);
  for (size_t i = 0; i < maps.size(); ++i) {
    size_t view = 0;
    for (size_t before = 0; before < maps[i].argument; ++before)
      view += runtime::wordCount(arguments[before]);
    const auto encoded =
        encodeTensorMap(device->driver(), maps[i], words + view);
    if (!encoded)
      return failed("argument ", maps[i].argument,
                    " has no tensor map: ", encoded.error().message);
    next.parameters.setTensorMap(i, *encoded);
  }
  launches.push_back(std::move(next));
  return {};
}
