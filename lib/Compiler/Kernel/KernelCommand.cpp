// Binds the flags of the kernel command to the arguments of a kernel or
// function, runs it, and prints, writes or compares the results.
#include "TileGPT/Compiler/KernelCommand.h"
#include "DescribeKernel.h"
#include "KernelInstance.h"
#include "KernelValues.h"
#include "RawArguments.h"
#include "TileGPT/Compiler/GpuKernelRun.h"
#include "TileGPT/Compiler/KernelRun.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Reference/Frame.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;
using llvm::StringRef;
using tilegpt::reference::Tensor;
using tilegpt::reference::TensorRef;
using tilegpt::reference::View;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

namespace {
/// A parsed --output.
struct Output {
  std::optional<reference::TensorShape> shape;
  std::string file;   ///< empty: print
  TensorRef before{}; ///< the out's initial contents; may be null
};

class Runner {
public:
  Runner(const KernelCommand &command, ModuleOp module)
      : command(command), module(module), interpreter(module) {}

  Result<void> run();
  /// Prints, writes and compares the results of run().
  Result<void> report(const std::function<void(std::string_view)> &print);

private:
  Result<void> readFlags();
  Result<void> runFunction();
  Result<void> runKernel(tile::KernelOp kernel);
  Result<void> runRawKernel(tile::KernelOp kernel);
  Result<void> runOnDevice(tile::KernelOp kernel,
                           ArrayRef<reference::Value> arguments,
                           std::optional<reference::Grid> grid);
  Result<void> runOnCpu(tile::KernelOp kernel,
                        ArrayRef<reference::Value> arguments,
                        const KernelRunOptions &options);
  Result<void> runOnGpu(tile::KernelOp kernel,
                        ArrayRef<reference::Value> arguments,
                        DictionaryAttr parameters,
                        std::optional<reference::Grid> grid);
  Result<void> readAll(StringRef flag, const std::vector<std::string> &texts,
                       std::vector<TensorRef> &values);
  Result<TensorRef> makeOut(tile::KernelOp kernel, unsigned number);
  Result<DictionaryAttr> parseParameters();

  const KernelCommand &command;
  ModuleOp module;
  reference::Interpreter interpreter;
  std::vector<TensorRef> inputs, results, expected;
  std::vector<Output> outputs;
};
} // namespace

static Result<Output> parseOutput(StringRef text) {
  Output output;
  size_t at = text.find('@');
  if (at != StringRef::npos)
    output.file = text.drop_front(at + 1).str();
  StringRef given = text.take_front(at);
  if (at != StringRef::npos)
    given.consume_back("=");
  if (given.empty())
    return output;
  StringRef shape = given.split('=').first;
  llvm::Expected<reference::TensorShape> parsed = reference::parseShape(shape);
  if (!parsed)
    return makeError(ErrorCode::Usage,
                     "--output: " + llvm::toString(parsed.takeError()));
  output.shape = *parsed;
  if (shape != given) {
    Result<Tensor> before = readValue(given);
    if (!before)
      return makeError(before.error().code,
                       "--output: " + before.error().message);
    output.before = std::make_shared<Tensor>(std::move(*before));
  }
  return output;
}

Result<void> Runner::readAll(StringRef flag,
                             const std::vector<std::string> &texts,
                             std::vector<TensorRef> &values) {
  for (const std::string &text : texts) {
    Result<Tensor> value = readValue(text);
    if (!value)
      return makeError(value.error().code,
                       (flag + ": " + value.error().message).str());
    values.push_back(std::make_shared<Tensor>(std::move(*value)));
  }
  return {};
}

Result<void> Runner::readFlags() {
  if (Result<void> read = readAll("--input", command.inputs, inputs); !read)
    return read;
  if (Result<void> read =
          readAll("--expected-output", command.expectedOutputs, expected);
      !read)
    return read;
  for (const std::string &text : command.outputs) {
    Result<Output> output = parseOutput(text);
    if (!output)
      return tl::unexpected(output.error());
    outputs.push_back(std::move(*output));
  }
  return {};
}

/// `BM=32` and `X=bf16` as the attributes kernels declare.
Result<DictionaryAttr> Runner::parseParameters() {
  Builder builder(module.getContext());
  SmallVector<NamedAttribute> values;
  for (StringRef text : command.parameters) {
    auto [name, value] = text.split('=');
    int64_t number;
    Attribute attribute;
    if (!value.getAsInteger(10, number))
      attribute = builder.getI64IntegerAttr(number);
    else if (auto type = bundle::parseElementType(value);
             type && reference::isFloat(*type))
      attribute = TypeAttr::get(typeOf(*type, module.getContext()));
    if (name.empty() || !attribute)
      return makeError(ErrorCode::Usage,
                       formatv("--param: expected NAME=NUMBER or NAME=TYPE, "
                               "found '{0}'",
                               text));
    values.push_back(builder.getNamedAttr(name, attribute));
  }
  return builder.getDictionaryAttr(values);
}

/// The tensor of an `outs` argument: an input beyond the ins, the values of an
/// output, or uninitialized memory with the shape given by a flag or the type.
Result<TensorRef> Runner::makeOut(tile::KernelOp kernel, unsigned number) {
  size_t given = kernel.getNumIns() + number;
  if (given < inputs.size())
    return inputs[given];
  if (number < outputs.size() && outputs[number].before)
    return outputs[number].before;
  auto view = dyn_cast<tile::ViewType>(kernel.getOuts()[number].getType());
  std::optional<reference::TensorShape> shape;
  if (number < outputs.size())
    shape = outputs[number].shape;
  if (!shape && number < expected.size())
    shape = {expected[number]->type(),
             reference::Shape(expected[number]->shape())};
  if (!shape && view && !ShapedType::isDynamicShape(view.getShape()))
    if (auto type = reference::elementTypeOf(view.getElementType()))
      shape = {*type, reference::Shape(view.getShape())};
  if (!shape)
    return makeError(ErrorCode::Usage,
                     formatv("the shape of out {0} of '{1}' is open; give it "
                             "as --output=2x3xf32 or with --expected-output",
                             number, kernel.getSymName()));
  llvm::Expected<Tensor> tensor = Tensor::unwritten(shape->type, shape->shape);
  if (!tensor)
    return makeError(ErrorCode::Usage, llvm::toString(tensor.takeError()));
  return std::make_shared<Tensor>(std::move(*tensor));
}

Result<void> Runner::runKernel(tile::KernelOp kernel) {
  unsigned ins = kernel.getNumIns(), outs = kernel.getNumOuts();
  if (inputs.size() < ins || inputs.size() > ins + outs)
    return makeError(ErrorCode::Usage,
                     formatv("expected {0} inputs for '{1}', which --list "
                             "shows, found {2}",
                             ins, kernel.getSymName(), inputs.size()));
  std::vector<reference::Value> arguments;
  auto add = [&](const TensorRef &tensor, BlockArgument argument,
                 bool writable) {
    if (isa<tile::ViewType>(argument.getType()))
      arguments.push_back(View::of(tensor, writable));
    else
      arguments.push_back(tensor);
  };
  for (auto [argument, input] : llvm::zip(kernel.getIns(), inputs))
    add(input, argument, /*writable=*/false);
  for (auto [number, argument] : llvm::enumerate(kernel.getOuts())) {
    Result<TensorRef> out = makeOut(kernel, number);
    if (!out)
      return tl::unexpected(out.error());
    results.push_back(*out);
    add(*out, argument, /*writable=*/true);
  }
  return runOnDevice(kernel, arguments, /*grid=*/std::nullopt);
}

Result<void> Runner::runRawKernel(tile::KernelOp kernel) {
  if (command.grid.empty())
    return makeError(ErrorCode::Usage,
                     formatv("'{0}' takes its grid from the launch; expected "
                             "--grid=BLOCKS, as in --grid=32x16",
                             command.function));
  Result<reference::Grid> grid = parseGrid(command.grid);
  if (!grid)
    return tl::unexpected(grid.error());
  if (Result<void> read =
          readAll("--expected-output", command.expectedOutputs, expected);
      !read)
    return read;
  Result<RawArguments> arguments = bindRawArguments(kernel, command);
  if (!arguments)
    return tl::unexpected(arguments.error());
  for (const RawOut &out : arguments->outs) {
    results.push_back(out.tensor);
    outputs.push_back({std::nullopt, out.file});
  }
  return runOnDevice(kernel, arguments->values, *grid);
}

Result<void> Runner::runOnDevice(tile::KernelOp kernel,
                                 ArrayRef<reference::Value> arguments,
                                 std::optional<reference::Grid> grid) {
  Result<DictionaryAttr> parameters = parseParameters();
  if (!parameters)
    return tl::unexpected(parameters.error());
  switch (command.device) {
  case KernelCommand::Device::Cuda:
    return runOnGpu(kernel, arguments, *parameters, grid);
  case KernelCommand::Device::Cpu:
    return runOnCpu(
        kernel, arguments,
        {.parameters = *parameters, .grid = grid, .chooseSizes = true});
  case KernelCommand::Device::Reference:
    break;
  }
  if (llvm::Error error =
          interpreter.runKernel(kernel, arguments, *parameters, grid))
    return makeError(ErrorCode::Failure, llvm::toString(std::move(error)));
  return {};
}

/// Measured before the run, on the original arguments.
Result<void> Runner::runOnCpu(tile::KernelOp kernel,
                              ArrayRef<reference::Value> arguments,
                              const KernelRunOptions &options) {
  llvm::Error error = llvm::Error::success();
  if (command.repetitions > 0) {
    auto times = measureKernelOnCpu(kernel, arguments, options, command.threads,
                                    command.repetitions);
    if (times)
      command.measured(*times);
    else
      error = times.takeError();
  }
  if (!error)
    error = runKernelOnCpu(kernel, arguments, options);
  if (error)
    return makeError(ErrorCode::Failure, llvm::toString(std::move(error)));
  return {};
}

Result<void> Runner::runOnGpu(tile::KernelOp kernel,
                              ArrayRef<reference::Value> arguments,
                              DictionaryAttr parameters,
                              std::optional<reference::Grid> grid) {
  auto runner =
      GpuRunner::create(command.ordinal, command.architecture,
                        target::CodeCache::folderOf(command.cacheFolder));
  if (!runner)
    return tl::unexpected(runner.error());
  GpuRunOptions options;
  options.parameters = parameters;
  options.grid = grid;
  options.warn = command.warn;
  options.specialize = true;
  llvm::Error error = llvm::Error::success();
  if (command.repetitions > 0) {
    auto times =
        (*runner)->measure(kernel, arguments, options, command.repetitions);
    if (times)
      command.measured(*times);
    else
      error = times.takeError();
  }
  if (!error)
    error = (*runner)->run(kernel, arguments, options);
  if (error)
    return makeError((*runner)->isLost() ? ErrorCode::Device
                                         : ErrorCode::Failure,
                     llvm::toString(std::move(error)));
  return {};
}

Result<void> Runner::runFunction() {
  if (command.device != KernelCommand::Device::Reference)
    return makeError(ErrorCode::Usage,
                     formatv("'{0}' is a function; functions run with "
                             "--device=reference, kernels on every device",
                             command.function));
  if (!command.parameters.empty())
    return makeError(ErrorCode::Usage,
                     formatv("--param is for kernels; '{0}' is a function",
                             command.function));
  auto values = interpreter.call(command.function, inputs);
  if (!values)
    return makeError(ErrorCode::Failure, llvm::toString(values.takeError()));
  results = std::move(*values);
  return {};
}

Result<void> Runner::run() {
  tile::KernelOp kernel = interpreter.findKernel(command.function);
  if (kernel && kernel.isRaw())
    return runRawKernel(kernel);
  if (kernel || interpreter.findFunction(command.function))
    if (!command.grid.empty() || command.rawForm != KernelCommand::RawForm::Any)
      return makeError(
          ErrorCode::Usage,
          formatv("--grid, --raw and --convention are for kernels "
                  "with 'grid launch'; '{0}' declares its own grid",
                  command.function));
  if (Result<void> read = readFlags(); !read)
    return read;
  if (kernel)
    return runKernel(kernel);
  if (interpreter.findFunction(command.function))
    return runFunction();
  SmallVector<StringRef> names;
  module.walk([&](Operation *op) {
    if (isa<tile::KernelOp, func::FuncOp>(op))
      names.push_back(cast<SymbolOpInterface>(op).getName());
  });
  return makeError(ErrorCode::Usage,
                   formatv("'{0}' has no kernel or function '{1}'; it has {2}",
                           command.path, command.function,
                           names.empty() ? "none" : llvm::join(names, ", ")));
}

Result<void>
Runner::report(const std::function<void(std::string_view)> &print) {
  for (auto [flag, count] :
       {std::pair<StringRef, size_t>{"--output", outputs.size()},
        {"--expected-output", expected.size()}})
    if (count > results.size())
      return makeError(ErrorCode::Usage,
                       formatv("'{0}' has {1} results, but {2} is given {3} "
                               "times",
                               command.function, results.size(), flag, count));
  for (auto [number, result] : llvm::enumerate(results)) {
    if (number < outputs.size() && !outputs[number].file.empty()) {
      Result<void> written = writeValue(*result, outputs[number].file);
      if (!written)
        return written;
    } else if (number >= expected.size() && command.repetitions == 0) {
      print(reference::formatTensor(*result) + "\n");
    }
  }
  for (auto [number, want, have] : llvm::enumerate(
           expected, ArrayRef(results).take_front(expected.size()))) {
    std::string difference = firstDifference(*want, *have, command.tolerance);
    if (!difference.empty())
      return makeError(ErrorCode::Mismatch,
                       formatv("result {0} of '{1}': {2}", number,
                               command.function, difference));
  }
  return {};
}

/// Does something with the kernels of a file.
static Result<void>
withKernels(const std::string &path,
            llvm::function_ref<Result<void>(ModuleOp)> work) {
  return withSource(path, parseKernels, MLIRContext::Threading::ENABLED, work);
}

Result<void>
runKernelCommand(const KernelCommand &command,
                 const std::function<void(std::string_view)> &print) {
  return withKernels(command.path, [&](ModuleOp module) -> Result<void> {
    Runner runner(command, module);
    if (Result<void> done = runner.run(); !done)
      return done;
    return runner.report(print);
  });
}

Result<void> listKernelsOf(const std::string &path,
                           const std::function<void(std::string_view)> &print) {
  return withKernels(path, [&](ModuleOp module) -> Result<void> {
    module.walk([&](tile::KernelOp kernel) { print(describeKernel(kernel)); });
    return {};
  });
}

} // namespace tilegpt::compiler
