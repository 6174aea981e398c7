// Takes one kernel through the whole host compiler and calls it the way the
// runtime does, on copies of its arguments that lie between poisoned guards.
#include "TileGPT/Compiler/KernelRun.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "TileGPT/Reference/Frame.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace mlir;
using llvm::Expected;
using llvm::formatv;
using tilegpt::reference::ElementType;
using tilegpt::reference::Tensor;
using tilegpt::reference::TensorRef;
using tilegpt::reference::View;

namespace tilegpt::compiler {

/// The MLIR type of an element type. Scalars keep the type they are declared
/// with, which may be index.
static Type typeOf(ElementType type, MLIRContext *context) {
  Builder builder(context);
  switch (type) {
  case ElementType::F16:
    return builder.getF16Type();
  case ElementType::BF16:
    return builder.getBF16Type();
  case ElementType::F32:
    return builder.getF32Type();
  case ElementType::F64:
    return builder.getF64Type();
  case ElementType::F8E4M3FN:
    return builder.getType<Float8E4M3FNType>();
  case ElementType::F8E5M2:
    return builder.getType<Float8E5M2Type>();
  default:
    return builder.getIntegerType(reference::bitWidth(type));
  }
}

/// The operand types of a launch on these arguments.
static SmallVector<Type> operandTypes(tile::KernelOp kernel,
                                      ArrayRef<reference::Value> arguments,
                                      bool openSizes) {
  SmallVector<Type> types;
  for (auto [declared, value] :
       llvm::zip_equal(kernel.getArguments(), arguments)) {
    auto *view = std::get_if<View>(&value);
    if (!view) {
      types.push_back(declared.getType());
      continue;
    }
    reference::Shape shape = view->shape;
    if (openSizes && !shape.empty())
      shape.front() = ShapedType::kDynamic;
    types.push_back(RankedTensorType::get(
        shape, typeOf(view->memory->type(), kernel.getContext())));
  }
  return types;
}

/// Binds types, sizes and parameters in place.
static LogicalResult specialize(tile::KernelOp kernel, TypeRange operands,
                                DictionaryAttr parameters) {
  SmallVector<NamedAttribute> sizes;
  SmallVector<std::pair<StringAttr, Type>> types;
  for (NamedAttribute entry :
       parameters ? parameters.getValue() : ArrayRef<NamedAttribute>()) {
    if (auto type = dyn_cast<TypeAttr>(entry.getValue()))
      types.emplace_back(entry.getName(), type.getValue());
    else
      sizes.push_back(entry);
  }
  FailureOr<tile::LaunchBinding> binding = tile::deduceLaunch(
      kernel, operands, DictionaryAttr::get(kernel.getContext(), sizes),
      [&] { return kernel.emitError(); });
  if (failed(binding))
    return failure();
  for (auto [name, type] : types)
    binding->types.insert({name, type});
  return success(succeeded(tile::completeBinding(kernel, *binding)) &&
                 succeeded(tile::bindKernel(kernel, *binding)));
}

/// Compiles the only kernel of a module, whose entry point is `name`; `asserts`
/// receives the messages of its assertions.
static Expected<target::HostImage>
compile(ModuleOp module, StringRef name,
        SmallVectorImpl<std::string> &asserts) {
  Expected<target::HostTarget> target = target::HostTarget::create();
  if (!target)
    return target.takeError();
  PassManager pm(module.getContext());
  cpu::CpuPipelineOptions options;
  options.vectorBits = target->vectorBits();
  cpu::populateTileToCpuPipeline(pm, options);
  if (failed(pm.run(module)))
    return llvm::createStringError("the kernel does not compile");
  if (auto messages = module.lookupSymbol(name)->getAttrOfType<ArrayAttr>(
          "tilegpt.asserts"))
    for (Attribute message : messages)
      asserts.push_back(cast<StringAttr>(message).getValue().str());
  return target::compileImage(module, *target);
}

namespace {
/// The memory of one tensor as the kernel sees it, between guards.
class Image {
public:
  Image(TensorRef tensor, int64_t guard)
      : tensor(std::move(tensor)),
        width(bundle::byteWidth(this->tensor->type())),
        guardBytes(llvm::alignTo(guard * width, alignment)),
        before(this->tensor->toBytes()) {
    // What nothing has written yet is NaN, or an unlikely integer.
    int poison = this->tensor->isFloat() ? 0xFF : 0xA5;
    for (int64_t i = 0; i < this->tensor->size(); ++i)
      if (!this->tensor->isWritten(i))
        std::memset(&before[i * width], poison, width);
    storage.resize(alignment + 2 * guardBytes + before.size(), guardByte);
    std::copy(before.begin(), before.end(), data());
  }

  std::byte *data() {
    return reinterpret_cast<std::byte *>(llvm::alignTo(
               reinterpret_cast<uintptr_t>(storage.data()), alignment)) +
           guardBytes;
  }

  /// Takes over the elements that have changed. An integer may have been
  /// written with the very value that stood for nothing, so it counts as
  /// written.
  void readBack() {
    for (int64_t i = 0; i < tensor->size(); ++i) {
      bool isSame = !std::memcmp(data() + i * width, &before[i * width], width);
      if (isSame && (tensor->isFloat() || tensor->isWritten(i)))
        continue;
      uint64_t bits = 0;
      std::memcpy(&bits, data() + i * width, width);
      tensor->store(i, reference::fromBits(bits, tensor->type()));
    }
  }

  /// Whether a byte beside the tensor has changed.
  bool guardsAreBroken() {
    std::byte *begin = storage.data(), *end = begin + storage.size();
    auto isGuard = [](std::byte byte) { return byte == guardByte; };
    return !std::all_of(begin, data(), isGuard) ||
           !std::all_of(data() + before.size(), end, isGuard);
  }

private:
  static constexpr uint64_t alignment = 64;
  /// Makes a NaN of every float type.
  static constexpr std::byte guardByte{0xFF};

  TensorRef tensor;
  int64_t width;
  int64_t guardBytes;
  std::vector<std::byte> before;
  std::vector<std::byte> storage;
};
} // namespace

/// The words a kernel reads its arguments from.
static std::vector<uint64_t>
makeWords(ArrayRef<reference::Value> arguments,
          llvm::function_ref<Image &(const View &)> imageOf) {
  std::vector<uint64_t> words;
  for (const reference::Value &value : arguments) {
    if (auto *scalar = std::get_if<TensorRef>(&value)) {
      words.push_back(reference::toBits((*scalar)->item(), (*scalar)->type()));
      continue;
    }
    const View &view = std::get<View>(value);
    words.push_back(reinterpret_cast<uint64_t>(
        imageOf(view).data() +
        view.offset * bundle::byteWidth(view.memory->type())));
    words.insert(words.end(), view.shape.begin(), view.shape.end());
    words.insert(words.end(), view.strides.begin(), view.strides.end());
  }
  return words;
}

/// Runs the blocks in two parts, the later ones first: blocks may run in any
/// order and from any number.
static int32_t runBlocks(cpu::KernelFunction function,
                         const std::vector<uint64_t> &words,
                         const std::array<int64_t, 3> &grid) {
  int64_t count = grid[0] * grid[1] * grid[2], half = count / 2;
  if (int32_t status = function(words.data(), grid.data(), half, count))
    return status;
  return function(words.data(), grid.data(), 0, half);
}

static llvm::Error execute(const target::HostImage &code, StringRef name,
                           ArrayRef<std::string> asserts,
                           ArrayRef<reference::Value> arguments,
                           const std::array<int64_t, 3> &grid, int64_t guard) {
  runtime::Result<cpu::HostImage> image = cpu::HostImage::load(code);
  if (!image)
    return llvm::createStringError(image.error().message);
  runtime::Result<cpu::KernelFunction> function =
      image->find(bundle::entrySymbol(name));
  if (!function)
    return llvm::createStringError(function.error().message);

  std::map<const Tensor *, Image> images;
  auto imageOf = [&](const View &view) -> Image & {
    return images.try_emplace(view.memory.get(), view.memory, guard)
        .first->second;
  };
  std::vector<uint64_t> words = makeWords(arguments, imageOf);
  int32_t status = runBlocks(*function, words, grid);
  if (status)
    return llvm::createStringError(
        formatv("'{0}' failed: {1}", name,
                size_t(status) <= asserts.size() ? asserts[status - 1] : "?"));
  for (auto &[tensor, memory] : images) {
    if (memory.guardsAreBroken())
      return llvm::createStringError(
          formatv("'{0}' has written outside of a view", name));
    memory.readBack();
  }
  return llvm::Error::success();
}

llvm::Error runKernelOnCpu(tile::KernelOp kernel,
                           ArrayRef<reference::Value> arguments,
                           const KernelRunOptions &options) {
  Expected<reference::KernelBinding> binding =
      reference::bindKernel(kernel, arguments, options.parameters);
  if (!binding)
    return binding.takeError();
  std::string diagnostics;
  ScopedDiagnosticHandler handler(
      kernel.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          diagnostics += "; " + diagnostic.str();
      });
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  tile::KernelOp copy = kernel.clone();
  module->push_back(copy);
  SmallVector<Type> operands =
      operandTypes(kernel, arguments, options.openSizes);
  if (failed(specialize(copy, operands, options.parameters)))
    return llvm::createStringError("the kernel cannot be specialized" +
                                   diagnostics);
  SmallVector<std::string> asserts;
  Expected<target::HostImage> code =
      compile(*module, bundle::entrySymbol(kernel.getSymName()), asserts);
  if (!code)
    return llvm::createStringError(llvm::toString(code.takeError()) +
                                   diagnostics);
  return execute(*code, kernel.getSymName(), asserts, arguments, binding->grid,
                 options.guard);
}

} // namespace tilegpt::compiler
