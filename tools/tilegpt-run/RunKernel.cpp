// Hands the flags of the kernel level to the compiler half.
#include "RunKernel.h"
#include "Measure/Bench.h"
#include "Terminal/Console.h"
#include "Terminal/Interrupt.h"
#include "TileGPT/Compiler/Crash.h"
#include "TileGPT/Compiler/KernelCommand.h"
#include "TileGPT/Compiler/TuneLaunches.h"
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::run;

static compiler::KernelCommand::Device kernelDevice(Device device) {
  switch (device) {
  case Device::Cpu:
    return compiler::KernelCommand::Device::Cpu;
  case Device::Cuda:
    return compiler::KernelCommand::Device::Cuda;
  case Device::Reference:
    return compiler::KernelCommand::Device::Reference;
  }
  __builtin_unreachable();
}

runtime::Result<int> run::runKernel(const Options &options) {
  compiler::reportCrashesOf("tilegpt-run");
  compiler::KernelCommand command;
  command.path = options.model.string();
  command.function = options.function;
  command.inputs = options.inputs;
  command.outputs = options.outputs;
  command.areOutputs = options.areOutputs;
  command.grid = options.grid;
  using RawForm = compiler::KernelCommand::RawForm;
  command.rawForm = options.raw      ? RawForm::Parameters
                    : options.cutile ? RawForm::CuTile
                                     : RawForm::Any;
  command.expectedOutputs = options.expectedOutputs;
  command.parameters = options.parameters;
  command.tolerance = options.tolerance;
  command.device = kernelDevice(options.device.value_or(DeviceChoice()).kind);
  command.ordinal = options.device.value_or(DeviceChoice()).ordinal.value_or(0);
  command.architecture = options.architecture;
  command.cacheFolder = options.cacheFolder;
  command.warn = [](const std::string &what) {
    std::fprintf(stderr, "tilegpt-run: warning: %s\n", what.c_str());
  };
  runtime::Result<void> printed;
  const auto print = [&](std::string_view text) {
    if (auto written = writeOutput(text); !written)
      printed = tl::unexpected(written.error());
  };
  if (options.benchLaunch) {
    command.repetitions = options.repetitions;
    command.threads = options.threads;
    command.measured = [&](std::span<const runtime::StepTime> times) {
      print(runtime::concat("{\"test\": \"launch\", \"kernel\": \"",
                            options.function, "\", ",
                            timesAsJson(times, std::nullopt), "}\n"));
    };
  }
  auto done = options.list ? compiler::listKernelsOf(command.path, print)
                           : compiler::runKernelCommand(command, print);
  if (!done)
    return tl::unexpected(done.error());
  if (!printed)
    return tl::unexpected(printed.error());
  return 0;
}

runtime::Result<bool> run::tunesLaunches(const Options &options) {
  if (!options.tune)
    return false;
  auto found = options.model.empty() || options.hasWeights()
                   ? runtime::Result<bool>(false)
                   : compiler::isFileOfLaunches(options.model.string());
  if (found && !*found && !options.hasWeights())
    return runtime::makeError(
        runtime::ErrorCode::Usage,
        "tune: expected --weights DIR, the checkpoint of the model, or a file "
        "that launches kernels and has no model");
  return found;
}

runtime::Result<int> run::tuneLaunches(const Options &options) {
  compiler::reportCrashesOf("tilegpt-run");
  const DeviceChoice device = options.device.value_or(DeviceChoice());
  const InterruptGuard interrupt;
  Progress progress;
  runtime::Result<void> printed;
  compiler::LaunchTuning tuning;
  tuning.path = options.model.string();
  tuning.kernels = options.kernels.string();
  tuning.usesGpu = options.usesGpu();
  tuning.ordinal = device.ordinal.value_or(0);
  tuning.architecture = options.architecture;
  tuning.tf32 = options.dtype == Dtype::TF32;
  tuning.threads = options.threads;
  tuning.cacheFolder = options.cacheFolder;
  tuning.budget = options.budget;
  tuning.records = options.records;
  tuning.verify = options.verify;
  tuning.times = options.times;
  tuning.tool = TILEGPT_VERSION;
  tuning.progress = [&](std::string_view what) { progress.show(what); };
  tuning.print = [&](std::string_view text) {
    progress.clear();
    if (auto written = writeOutput(text); !written)
      printed = tl::unexpected(written.error());
  };
  tuning.warn = [&](std::string_view what) {
    progress.clear();
    std::fprintf(stderr, "tilegpt-run: warning: %.*s\n", int(what.size()),
                 what.data());
  };
  tuning.interrupted = [&] { return interrupt.requested(); };
  if (auto done = compiler::tuneLaunches(tuning); !done)
    return tl::unexpected(done.error());
  if (!printed)
    return tl::unexpected(printed.error());
  return interrupt.exitCode();
}
