// Loads the driver only if a GPU is requested.
#include "Load/ChooseEngine.h"
#include "Ranks/ChooseCollectives.h"
#include "TileGPT/Runtime/Cpu/CpuEngine.h"
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::Result;

static std::string formatDevice(const cuda::DeviceInfo &device) {
  char line[400];
  std::snprintf(
      line, sizeof(line), "cuda:%d  %s, %s, %d multiprocessors, %.1f GB\n",
      device.ordinal, device.name.c_str(), device.architecture().c_str(),
      device.multiprocessors, double(device.memoryBytes) / 1e9);
  return line;
}

std::string run::listDevices() {
  std::string lines =
      runtime::concat("cpu     ", cpu::ThreadPool().threads(), " threads\n");
  const auto driver = cuda::Driver::load();
  const auto devices = driver ? cuda::listDevices(**driver)
                              : Result<std::vector<cuda::DeviceInfo>>(
                                    tl::unexpected(driver.error()));
  if (!devices)
    std::fprintf(stderr, "%s\n", devices.error().message.c_str());
  else
    for (const cuda::DeviceInfo &device : *devices)
      lines += formatDevice(device);
  return lines;
}

Result<std::shared_ptr<cuda::Device>> run::openGpu(const Options &options) {
  auto driver = cuda::Driver::load();
  if (!driver)
    return tl::unexpected(driver.error());
  return cuda::Device::open(std::move(*driver),
                            options.device ? options.device->ordinal.value_or(0)
                                           : 0);
}

Result<std::unique_ptr<runtime::Engine>>
run::makeEngine(const Options &options, const bundle::Bundle &bundle,
                std::shared_ptr<cuda::Device> gpu,
                runtime::Communicator *ranks) {
  if (!gpu && bundle.target().kind == bundle::TargetKind::Host)
    return cpu::CpuEngine::create(bundle, options.threads, ranks);
  if (!gpu) {
    Options mine = options;
    // By default ranks do not share a GPU.
    if (ranks && !options.device)
      mine.device = {Device::Cuda, int(ranks->rank().number)};
    auto opened = openGpu(mine);
    if (!opened)
      return tl::unexpected(opened.error());
    gpu = std::move(*opened);
  }
  if (!ranks)
    return cuda::CudaEngine::create(bundle, std::move(gpu),
                                    options.cudaLaunches);
  auto collectives = chooseCollectives(options, bundle, gpu, *ranks);
  if (!collectives)
    return tl::unexpected(collectives.error());
  return cuda::CudaEngine::create(bundle, std::move(gpu), options.cudaLaunches,
                                  ranks, std::move(*collectives),
                                  options.overlapKib << 10);
}
