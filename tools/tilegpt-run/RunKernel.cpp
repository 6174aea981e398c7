// Hands the flags of the kernel level to the compiler half.
#include "RunKernel.h"
#include "Terminal/Console.h"
#include "TileGPT/Compiler/Crash.h"
#include "TileGPT/Compiler/KernelCommand.h"
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
  auto done = options.list ? compiler::listKernelsOf(command.path, print)
                           : compiler::runKernelCommand(command, print);
  if (!done)
    return tl::unexpected(done.error());
  if (!printed)
    return tl::unexpected(printed.error());
  return 0;
}
