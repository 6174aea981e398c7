// Compiles a program to its entries: parses and binds it, compiles it for one
// target, and keeps the code in the kernel cache.
#include "TileGPT/Compiler/CudaTileModule.h"
#include "CudaTileEntries.h"
#include "DeviceCode.h"
#include "Diagnostics.h"
#include "HostCode.h"
#include "KernelText.h"
#include "RawParameters.h"
#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/AssumeArguments.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Target/NVVM/JoinPtx.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

using Entries = std::vector<std::unique_ptr<CudaTileEntry>>;

static constexpr StringLiteral sourceName = "program";

namespace {
/// One compilation, on a large stack.
class Compilation {
public:
  Compilation(const llvm::MemoryBuffer &source, const CudaTileOptions &options)
      : source(source), options(options) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  Result<Entries> run();
  /// For a program with one kernel whose arguments satisfy these facts.
  Result<GpuVariant> run(const Facts &facts);

private:
  Result<void> read();
  Result<void> collect(ModuleOp program);
  LogicalResult bind();
  std::vector<EntryParts> describe();
  /// By kernel name; without facts if nothing is specialized.
  std::map<std::string, Specialization> makeSpecializations();
  Result<GpuKernels> compileKernels(ArrayRef<std::string> sharers);
  Result<Entries> compileForHost(std::vector<EntryParts> parts);
  Result<Entries>
  compileForGpu(std::vector<EntryParts> parts,
                std::map<std::string, Specialization> specializations);
  tl::unexpected<runtime::Error> failed() {
    return makeError(ErrorCode::Failure, diagnostics.firstError());
  }

  const llvm::MemoryBuffer &source;
  const CudaTileOptions &options;
  MLIRContext context;
  FirstError diagnostics{context};
  OwningOpRef<ModuleOp> kernels; ///< the raw ones, and nothing else
  std::optional<target::CodeCache> cache;
};
} // namespace

Result<void> Compilation::collect(ModuleOp program) {
  kernels = ModuleOp::create(program.getLoc());
  llvm::StringSet<> names;
  std::string twice;
  program.walk([&](tile::KernelOp kernel) {
    if (!kernel.isRaw())
      return;
    if (!names.insert(kernel.getSymName()).second)
      twice = kernel.getSymName().str();
    kernels->push_back(kernel.clone());
  });
  if (!twice.empty())
    return makeError(ErrorCode::BadInput, sourceName.str(),
                     ": expected entries of different names, found two '",
                     twice, "'");
  if (names.empty())
    return makeError(ErrorCode::BadInput, sourceName.str(),
                     ": expected a kernel with 'grid launch', found none");
  return {};
}

LogicalResult Compilation::bind() {
  PassManager pm(kernels->getContext());
  // Constant arguments become part of types.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(tile::createSpecializePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(*kernels);
}

std::vector<EntryParts> Compilation::describe() {
  std::vector<EntryParts> parts;
  for (auto kernel : kernels->getOps<tile::KernelOp>()) {
    EntryParts &entry = parts.emplace_back();
    entry.name = kernel.getSymName().str();
    entry.arguments = parametersOf(kernel);
    kernel.walk<WalkOrder::PreOrder>([&](tile::AssertOp check) {
      entry.asserts.push_back(check.getMessage().str());
    });
  }
  return parts;
}

Result<Entries> Compilation::compileForHost(std::vector<EntryParts> parts) {
  llvm::Expected<target::HostTarget> host = target::HostTarget::create();
  if (!host)
    return makeError(ErrorCode::Failure, llvm::toString(host.takeError()));
  HostCodeOptions code{*host, cache ? &*cache : nullptr, /*afterPhase=*/{}};
  FailureOr<target::HostImage> linked = compileHostCode(*kernels, code);
  if (mlir::failed(linked))
    return failed();
  auto image = cpu::HostImage::load(*linked);
  if (!image)
    return tl::unexpected(image.error());
  auto program =
      std::make_shared<HostProgram>(std::move(*image), options.threads);
  Entries entries;
  for (EntryParts &part : parts) {
    auto entry = makeHostEntry(std::move(part), program);
    if (!entry)
      return tl::unexpected(entry.error());
    entries.push_back(std::move(*entry));
  }
  return entries;
}

/// The kernels that share memory of the program.
static SmallVector<std::string> findSharers(ModuleOp kernels) {
  SmallVector<std::string> sharers;
  for (auto kernel : kernels.getOps<tile::KernelOp>()) {
    const WalkResult found = kernel.walk([](tile::DataOp data) {
      return data->hasAttr(tile::programAttr) ? WalkResult::interrupt()
                                              : WalkResult::advance();
    });
    if (found.wasInterrupted())
      sharers.push_back(kernel.getSymName().str());
  }
  return sharers;
}

/// \param sharers the kernels that get one image.
Result<GpuKernels> Compilation::compileKernels(ArrayRef<std::string> sharers) {
  Result<DeviceTarget> device = findDeviceTarget(options.target);
  if (!device)
    return tl::unexpected(device.error());
  GpuCompilation compilation(device->gpu);
  compilation.ptxas = device->ptxas ? &*device->ptxas : nullptr;
  compilation.cache = cache ? &*cache : nullptr;
  FailureOr<GpuKernels> compiled = compileGpuKernels(*kernels, compilation);
  if (mlir::failed(compiled))
    return failed();
  SmallVector<target::GpuKernel *> joined;
  for (const std::string &name : sharers)
    joined.push_back(&compiled->find(name)->second);
  if (llvm::Error error =
          target::joinImages(joined, device->gpu, compilation.ptxas))
    return makeError(ErrorCode::Failure, llvm::toString(std::move(error)));
  return std::move(*compiled);
}

/// Recompiles the text of a kernel, on a large stack.
static Result<GpuVariant> compileVariant(const std::string &text,
                                         const CudaTileOptions &options,
                                         const Facts &facts) {
  const auto source = llvm::MemoryBuffer::getMemBuffer(text, sourceName);
  Result<GpuVariant> variant;
  if (Result<void> started = runOnLargeStack(
          [&] { variant = Compilation(*source, options).run(facts); });
      !started)
    return tl::unexpected(started.error());
  return variant;
}

/// Whether launches of a kernel share memory in its image, so that all of them
/// need the same image.
static bool keepsMemory(tile::KernelOp kernel) {
  return kernel
      .walk([](tile::DataOp data) {
        return data.getShared() ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

std::map<std::string, Specialization> Compilation::makeSpecializations() {
  std::map<std::string, Specialization> all;
  for (auto kernel : kernels->getOps<tile::KernelOp>()) {
    if (!options.specialize || keepsMemory(kernel))
      continue;
    OwningOpRef<ModuleOp> alone = ModuleOp::create(kernel.getLoc());
    alone->push_back(kernel.clone());
    all[kernel.getSymName().str()] = {
        tile::wantedFacts(kernel),
        [text = canonicalText(*alone),
         options = options](const Facts &facts) -> Result<GpuVariant> {
          return compileVariant(text, options, facts);
        }};
  }
  return all;
}

Result<Entries> Compilation::compileForGpu(
    std::vector<EntryParts> parts,
    std::map<std::string, Specialization> specializations) {
  const SmallVector<std::string> sharers = findSharers(*kernels);
  Result<GpuKernels> compiled = compileKernels(sharers);
  if (!compiled)
    return tl::unexpected(compiled.error());
  const auto program = std::make_shared<GpuProgram>();
  Entries entries;
  for (EntryParts &part : parts) {
    target::GpuKernel &kernel = compiled->find(part.name)->second;
    Specialization &specialization = specializations[part.name];
    const bool isSharer = llvm::is_contained(sharers, part.name);
    entries.push_back(makeGpuEntry(std::move(part), std::move(kernel),
                                   std::move(specialization),
                                   isSharer ? program : nullptr, options));
  }
  return entries;
}

Result<void> Compilation::read() {
  OwningOpRef<ModuleOp> program = parseKernels(source, context);
  if (!program)
    return makeError(ErrorCode::BadInput, diagnostics.firstError());
  if (const auto folder = target::CodeCache::folderOf(options.cacheFolder))
    cache.emplace(*folder);
  return collect(*program);
}

Result<Entries> Compilation::run() {
  if (Result<void> done = read(); !done)
    return tl::unexpected(done.error());
  const bool isHost = options.target == "cpu";
  auto specializations =
      isHost ? std::map<std::string, Specialization>() : makeSpecializations();
  if (mlir::failed(bind()))
    return failed();
  std::vector<EntryParts> parts = describe();
  return isHost ? compileForHost(std::move(parts))
                : compileForGpu(std::move(parts), std::move(specializations));
}

Result<GpuVariant> Compilation::run(const Facts &facts) {
  if (Result<void> done = read(); !done)
    return tl::unexpected(done.error());
  tile::assumeArguments(*kernels->getOps<tile::KernelOp>().begin(), facts);
  if (mlir::failed(bind()))
    return failed();
  std::vector<EntryParts> parts = describe();
  Result<GpuKernels> compiled = compileKernels(/*sharers=*/{});
  if (!compiled)
    return tl::unexpected(compiled.error());
  return GpuVariant{std::move(compiled->begin()->second),
                    std::move(parts.front().asserts)};
}

Result<CudaTileModule>
CudaTileModule::compile(std::span<const std::byte> source,
                        const CudaTileOptions &options) {
  auto program =
      makeSource({reinterpret_cast<const char *>(source.data()), source.size()},
                 sourceName);
  if (!program)
    return tl::unexpected(program.error());
  std::optional<Result<Entries>> entries;
  if (Result<void> started = runOnLargeStack(
          [&] { entries.emplace(Compilation(**program, options).run()); });
      !started)
    return tl::unexpected(started.error());
  if (!*entries)
    return tl::unexpected(entries->error());
  CudaTileModule module;
  module.all = std::move(**entries);
  return module;
}

const CudaTileEntry *CudaTileModule::find(std::string_view name) const {
  for (const std::unique_ptr<CudaTileEntry> &entry : all)
    if (entry->name() == name)
      return entry.get();
  return nullptr;
}

} // namespace tilegpt::compiler
