// Builds the kernel and arguments of a numeric case from its text.
#include "NumericRun.h"
#include "TileGPT/Compiler/AddressTable.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Reference/Frame.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using tilegpt::reference::Tensor;
using tilegpt::reference::TensorRef;
using tilegpt::reference::View;

namespace tilegpt::numeric {

/// Parses a tensor of a test; on failure, fails the test and returns zeros.
static Tensor parse(const std::string &text) {
  llvm::Expected<Tensor> tensor = reference::parseTensor(text);
  if (tensor)
    return *tensor;
  ADD_FAILURE() << text << ": " << llvm::toString(tensor.takeError());
  return Tensor(reference::ElementType::F32, reference::Element());
}

/// The shape of `text` with the element type of a view.
static std::string shapeLike(llvm::StringRef text, mlir::Type view) {
  reference::TensorShape like =
      llvm::cantFail(reference::parseShape(text.split('=').first));
  return reference::describe(
      *reference::elementTypeOf(
          mlir::cast<tile::ViewType>(view).getElementType()),
      like.shape);
}

NumericRun::Program::Program(const NumericCase &test)
    // A single kernel gives threads nothing to do, and tests run in parallel.
    : context(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  module = mlir::parseSourceString<mlir::ModuleOp>(
      test.source, mlir::ParserConfig(&context), test.file);
  if (module && hasCudaTile(*module) &&
      failed(runPhase(*module, Phase::Tile, {})))
    module = nullptr;
  if (module)
    kernel = reference::Interpreter(*module).findKernel(test.kernel);
  if (!kernel)
    ADD_FAILURE() << test.file << ":" << test.line << ": there is no kernel '"
                  << test.kernel << "', or the file does not parse";
}

NumericRun::NumericRun(const NumericCase &test)
    : program(std::make_shared<Program>(test)) {
  bind(test);
}

NumericRun::NumericRun(const NumericCase &test, const NumericRun &other)
    : program(other.program) {
  bind(test);
}

void NumericRun::bind(const NumericCase &test) {
  kernel = program->kernel;
  if (!kernel)
    return;
  mlir::Builder builder(&program->context);
  llvm::SmallVector<mlir::NamedAttribute> values;
  for (const auto &[name, value] : test.parameters)
    values.push_back(
        builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  parameters = builder.getDictionaryAttr(values);
  grid = test.grid;
  if (kernel.isRaw())
    makeRawArguments(test);
  else
    makeArguments(test);
}

void NumericRun::makeArguments(const NumericCase &test) {
  for (auto [declared, text] : llvm::zip(kernel.getIns(), test.ins)) {
    auto tensor = std::make_shared<Tensor>(parse(text));
    if (mlir::isa<tile::ViewType>(declared.getType()))
      arguments.push_back(View::of(tensor, /*writable=*/false));
    else
      arguments.push_back(tensor);
  }
  makeOuts(test);
  for (const TensorRef &out : outs)
    arguments.push_back(View::of(out, /*writable=*/true));
}

TensorRef NumericRun::rawMemory(llvm::StringRef text) const {
  llvm::StringRef word = text;
  size_t number;
  if (word.consume_front("out") && !word.getAsInteger(10, number) &&
      number < outs.size())
    return outs[number];
  return std::make_shared<Tensor>(parse(text.str()));
}

void NumericRun::makeRawArguments(const NumericCase &test) {
  makeOuts(test);
  llvm::ArrayRef<std::string> texts = test.ins;
  while (!texts.empty() && arguments.size() < kernel.getArguments().size()) {
    llvm::StringRef text = texts.front();
    texts = texts.drop_front();
    const bool isPointer = text.consume_front("ptr:");
    size_t length;
    if (text.consume_front("list:") && !text.getAsInteger(10, length) &&
        length <= texts.size()) {
      compiler::AddressTable table;
      for (const std::string &entry : texts.take_front(length)) {
        TensorRef tensor = rawMemory(entry);
        if (!isPointer)
          table.addArray(tensor);
        else if (tensor->rank() == 0)
          table.addNumber(tensor->item().i);
        else
          table.addPointer(tensor);
      }
      texts = texts.drop_front(length);
      arguments.push_back(View::pointerTo(table.finish()));
      if (!isPointer)
        arguments.push_back(
            std::make_shared<Tensor>(reference::ElementType::I32,
                                     reference::Element::of(int64_t(length))));
      continue;
    }
    mlir::Type declared = kernel.getArguments()[arguments.size()].getType();
    TensorRef tensor = rawMemory(text);
    if (mlir::isa<tile::PtrType>(declared))
      arguments.push_back(View::pointerTo(tensor));
    else
      arguments.push_back(tensor);
  }
}

void NumericRun::makeOuts(const NumericCase &test) {
  std::vector<std::string> shapes = test.expected;
  // For runs that must fail, outs have the shape of the first argument.
  if (shapes.empty())
    for (mlir::BlockArgument out : kernel.getOuts())
      shapes.push_back(shapeLike(test.ins.front(), out.getType()));
  for (auto [number, text] : llvm::enumerate(shapes)) {
    bool isGiven = number < test.before.size() && !test.before[number].empty();
    Tensor tensor = parse(isGiven ? test.before[number] : text);
    if (!isGiven)
      tensor = llvm::cantFail(Tensor::unwritten(tensor.type(), tensor.shape()));
    outs.push_back(std::make_shared<Tensor>(std::move(tensor)));
  }
}

llvm::Error NumericRun::onReference() {
  if (!kernel)
    return llvm::createStringError("there is no kernel to run");
  return reference::Interpreter(*program->module)
      .runKernel(kernel, arguments, parameters, grid);
}

llvm::Error NumericRun::onCpu(compiler::KernelRunOptions options) {
  if (!kernel)
    return llvm::createStringError("there is no kernel to run");
  options.parameters = parameters;
  options.grid = grid;
  return compiler::runKernelOnCpu(kernel, arguments, options);
}

llvm::Error NumericRun::onGpu(compiler::GpuRunner &runner,
                              compiler::GpuRunOptions options) {
  if (!kernel)
    return llvm::createStringError("there is no kernel to run");
  options.parameters = parameters;
  options.grid = grid;
  return runner.run(kernel, arguments, options);
}

llvm::Expected<compiler::GpuKernelRun>
NumericRun::compileForGpu(compiler::GpuRunOptions options,
                          const compiler::GpuCompilation &compilation) {
  if (!kernel)
    return llvm::createStringError("there is no kernel to compile");
  options.parameters = parameters;
  options.grid = grid;
  return compiler::compileKernelRun(kernel, arguments, options, compilation);
}

Tensor &NumericRun::argument(size_t number) {
  if (auto *view = std::get_if<View>(&arguments[number]))
    return *view->memory;
  return *std::get<TensorRef>(arguments[number]);
}

} // namespace tilegpt::numeric
