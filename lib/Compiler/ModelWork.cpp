// Binds the sizes of a resolved launch to the kernel it is of.
#include "TileGPT/Compiler/ModelWork.h"
#include "Diagnostics.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Tile/Analysis/KernelWork.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Runtime/Engine/MemoryNeeds.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

struct ModelWork::Kernels {
  Kernels() : context(allDialects(), MLIRContext::Threading::DISABLED) {}

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

ModelWork::ModelWork(std::unique_ptr<Kernels> kernels)
    : kernels(std::move(kernels)) {}
ModelWork::ModelWork(ModelWork &&) noexcept = default;
ModelWork &ModelWork::operator=(ModelWork &&) noexcept = default;
ModelWork::~ModelWork() = default;

Result<ModelWork> ModelWork::parse(std::string_view text) {
  auto kernels = std::make_unique<Kernels>();
  std::string problem;
  const Result<void> started = runOnLargeStack([&] {
    FirstError diagnostics(kernels->context);
    kernels->module = parseSource(
        *llvm::MemoryBuffer::getMemBuffer(text, "kernels",
                                          /*RequiresNullTerminator=*/false),
        kernels->context);
    if (!kernels->module)
      problem = diagnostics.firstError();
  });
  if (!started)
    return tl::unexpected(started.error());
  if (!problem.empty())
    return tl::unexpected(Error{ErrorCode::BadInput, problem});
  return ModelWork(std::move(kernels));
}

/// Whether an argument is a matrix of weights. Vectors stay f32 in all models.
static bool isWeightMatrix(const bundle::Argument &argument,
                           const bundle::Bundle &bundle) {
  return argument.kind == bundle::ArgumentKind::View && argument.rank >= 2 &&
         bundle.buffers()[argument.buffer].kind == bundle::BufferKind::Weight;
}

std::optional<runtime::LaunchWork>
ModelWork::of(const bundle::Bundle &bundle, const runtime::ResolvedPlan &plan,
              const runtime::ResolvedLaunch &launch, int64_t position) const {
  const bundle::Kernel &entry = bundle.kernel(*launch.launch);
  auto kernel = kernels->module->lookupSymbol<tile::KernelOp>(
      StringRef(bundle.string(entry.name)));
  const auto arguments = bundle.arguments(*launch.launch);
  if (!kernel || kernel.getBody().getNumArguments() != arguments.size())
    return std::nullopt;

  tile::LaunchSizes sizes;
  size_t word = launch.firstWord;
  for (const bundle::Argument &argument : arguments) {
    auto &shape = sizes.views.emplace_back();
    sizes.values.emplace_back();
    if (argument.kind == bundle::ArgumentKind::View) {
      for (size_t axis = 0; axis < argument.rank; ++axis)
        shape.push_back(int64_t(plan.words[word + 1 + axis]));
      const bundle::Buffer &buffer = bundle.buffers()[argument.buffer];
      if (buffer.kind == bundle::BufferKind::Input &&
          runtime::stepDataOf(bundle, buffer) == runtime::StepData::Positions)
        sizes.values.back() = position;
    } else if (argument.type == bundle::ElementType::I32) {
      sizes.values.back() = int32_t(uint32_t(argument.bits));
    }
    word += runtime::wordCount(argument);
  }
  std::copy(std::begin(launch.grid), std::end(launch.grid), sizes.grid.begin());

  const tile::KernelWork work = tile::countWork(kernel, sizes);
  runtime::LaunchWork result;
  for (auto [argument, read, written] :
       llvm::zip_equal(arguments, work.readBytes, work.writtenBytes)) {
    result.readBytes += read;
    result.writtenBytes += written;
    if (!isWeightMatrix(argument, bundle))
      continue;
    result.weightBytes += read;
    if (argument.type == bundle::ElementType::F32)
      result.wideWeightBytes += read;
  }
  result.narrowOps = work.narrowProductOps;
  result.wideOps = work.wideProductOps;
  // Products on a host end where the data does.
  result.paddedOps = bundle.target().kind == bundle::TargetKind::Host
                         ? work.productOps()
                         : work.paddedProductOps;
  result.elementOps = work.elementOps;
  result.isEstimate = work.isEstimate;
  return result;
}

Result<runtime::MachineRates> ratesOfGpu(const cuda::DeviceInfo &gpu) {
  auto target =
      target::GpuTarget::forDevice(unsigned(10 * gpu.major + gpu.minor));
  if (!target)
    return tl::unexpected(
        Error{ErrorCode::Device, llvm::toString(target.takeError())});
  const target::ProductRates &products = target::GpuModel::of(*target).products;
  const double cyclesPerSec =
      double(gpu.clockKhz) * 1e3 * double(gpu.multiprocessors);
  runtime::MachineRates rates;
  // Both edges of the clock carry data.
  rates.bytesPerSec =
      2e3 * double(gpu.memoryClockKhz) * double(gpu.memoryBusBits) / 8;
  // A step along the depth is 64 numbers of 16 bits.
  rates.narrowOpsPerSec = cyclesPerSec * products.sumsPerCycle * 64 * 2;
  constexpr double lanes = 128;
  rates.wideOpsPerSec = cyclesPerSec * lanes * 2;
  rates.launchSeconds = 1.7e-6; // in a graph on an H200, as in Phases.cpp
  rates.lanes = gpu.multiprocessors;
  rates.origin = "of the data sheet";
  return rates;
}

} // namespace tilegpt::compiler
