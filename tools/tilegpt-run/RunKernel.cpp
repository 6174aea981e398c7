// Hands the flags of the kernel level to the compiler half.
#include "RunKernel.h"
#include "Console.h"
#include "TileGPT/Compiler/KernelCommand.h"

using namespace tilegpt;
using namespace tilegpt::run;

runtime::Result<int> run::runKernel(const Options &options) {
  compiler::KernelCommand command;
  command.path = options.model.string();
  command.function = options.function;
  command.inputs = options.inputs;
  command.outputs = options.outputs;
  command.expectedOutputs = options.expectedOutputs;
  command.parameters = options.parameters;
  command.tolerance = options.tolerance;
  command.device = options.device && options.device->kind == Device::Reference
                       ? compiler::KernelCommand::Device::Reference
                       : compiler::KernelCommand::Device::Cpu;
  runtime::Result<void> printed;
  const auto print = [&](std::string_view text) {
    if (auto written = writeOutput(text); !written)
      printed = tl::unexpected(written.error());
  };
  if (auto done = compiler::runKernelCommand(command, print); !done)
    return tl::unexpected(done.error());
  if (!printed)
    return tl::unexpected(printed.error());
  return 0;
}
