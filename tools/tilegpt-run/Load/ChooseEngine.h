// Selection of the engine: the CPUs of this machine or one of its GPUs.
#ifndef TILEGPT_TOOLS_RUN_LOAD_CHOOSEENGINE_H
#define TILEGPT_TOOLS_RUN_LOAD_CHOOSEENGINE_H

#include "Flags/Options.h"
#include "TileGPT/Runtime/Cuda/Device.h"
#include "TileGPT/Runtime/Engine/Communicator.h"
#include "TileGPT/Runtime/Engine/Engine.h"

namespace tilegpt::run {

/// One line per available device; prints the reason to stderr if GPUs cannot be
/// queried.
std::string listDevices();

/// The GPU that --device names, or the first.
/// \returns Device if there is no such GPU, or no driver.
runtime::Result<std::shared_ptr<cuda::Device>> openGpu(const Options &options);

/// An engine for the bundle's target.
/// \param gpu null: opened if the bundle needs one.
runtime::Result<std::unique_ptr<runtime::Engine>>
makeEngine(const Options &options, const bundle::Bundle &bundle,
           std::shared_ptr<cuda::Device> gpu,
           runtime::Communicator *ranks = nullptr);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_LOAD_CHOOSEENGINE_H
