// Matches times with launches: records by key, tables by launches of `linear`
// that are made for them.
#include "TileGPT/Compiler/FitRates.h"
#include "LaunchTuning/ProductTable.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Tile/Analysis/LaunchKey.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/TileGPU/Transforms/FitRates.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;
using tilegpt::runtime::TuningDevice;
using tilegpt::runtime::TuningRecords;
using tilegpt::target::GpuModel;
using tilegpt::tilegpu::MeasuredChoice;
using tilegpt::tilegpu::ProductTimes;

namespace tilegpt::compiler {

namespace {

/// A file of times.
struct TimesFile {
  std::string path;
  TuningRecords records;              ///< of a `.json`
  std::vector<TimedProduct> products; ///< of a `.csv`
};

/// The times of several files that the cost model has an estimate for.
struct Sample {
  ProductTimes times;
  std::map<std::string, size_t> skipped; ///< times, by reason
};

class Fitting {
public:
  explicit Fitting(const RateFitting &request) : request(request) {}

  Result<void> run();

private:
  Result<std::vector<TimesFile>> read(const std::vector<std::string> &paths);
  Result<void> checkDevice(const TimesFile &file);
  Result<void> findModel();
  Result<Sample> sample(llvm::ArrayRef<TimesFile> files) const;
  Result<void> addRecords(llvm::ArrayRef<TimesFile> files, Sample &into) const;
  Result<void> addProducts(llvm::ArrayRef<TimedProduct> products,
                           Sample &into) const;
  Result<void>
  lower(ModuleOp module,
        llvm::function_ref<void(tile::LaunchOp, tile::KernelOp)> use) const;
  void print(const tilegpu::RateFit &fit) const;
  void print(const Sample &sample, const std::string &what,
             const GpuModel &before, const GpuModel &after) const;

  const RateFitting &request;
  std::optional<TuningDevice> device; ///< of the records, if there are any
  std::string deviceFile;
  const target::GpuTarget *target = nullptr;
  const GpuModel *model = nullptr;
  std::string name; ///< of the device
  int64_t multiprocessors = 0;
};

} // namespace

Result<void> Fitting::checkDevice(const TimesFile &file) {
  if (!device) {
    device = file.records.device;
    deviceFile = file.path;
  } else if (*device != file.records.device) {
    return makeError(ErrorCode::BadInput,
                     "tune: expected times of one device: '", deviceFile,
                     "' is for ", device->describe(), ", '", file.path,
                     "' for ", file.records.device.describe());
  }
  return {};
}

Result<std::vector<TimesFile>>
Fitting::read(const std::vector<std::string> &paths) {
  std::vector<TimesFile> files;
  for (const std::string &path : paths) {
    TimesFile &file = files.emplace_back();
    file.path = path;
    if (llvm::StringRef(path).ends_with(".csv")) {
      const auto mapped = runtime::MappedFile::open(path, "tune");
      if (!mapped)
        return tl::unexpected(mapped.error());
      auto products =
          parseProducts(mapped->text(), runtime::concat("tune: '", path, "'"));
      if (!products)
        return tl::unexpected(products.error());
      file.products = std::move(*products);
      continue;
    }
    auto records = TuningRecords::read(path);
    if (!records)
      return tl::unexpected(records.error());
    file.records = std::move(*records);
    if (auto checked = checkDevice(file); !checked)
      return tl::unexpected(checked.error());
  }
  return files;
}

/// Chooses the model to start from: the device's, or else that of its
/// architecture.
Result<void> Fitting::findModel() {
  const std::string architecture =
      device ? device->architecture : request.architecture;
  const bool isHost =
      device && !llvm::StringRef(architecture).starts_with("sm_");
  if (!isHost) {
    auto found = target::GpuTarget::find(architecture);
    if (!found)
      return makeError(ErrorCode::Usage,
                       "tune: ", llvm::toString(found.takeError()));
    target = &*found;
    model = &GpuModel::of(*target);
  }
  if (isHost || model->architecture != architecture ||
      model->products.sumsPerCycle == 0)
    return makeError(
        ErrorCode::BadInput, "tune: the cost model of ",
        device ? device->describe() : architecture,
        " has no rates of matmuls; expected times of a GPU with wgmma, such as "
        "sm_90a");
  name = model->name.str();
  multiprocessors = model->multiprocessors;
  if (device) {
    name = device->name;
    multiprocessors = device->lanes;
    for (const GpuModel &each : GpuModel::all())
      if (each.name == name && each.architecture == architecture)
        model = &each;
  }
  return {};
}

/// Compiles a module to launches and visits them.
Result<void> Fitting::lower(
    ModuleOp module,
    llvm::function_ref<void(tile::LaunchOp, tile::KernelOp)> use) const {
  PhaseOptions phases;
  phases.kernels = request.kernels;
  phases.compileForGpu(target->name.str());
  phases.multiprocessors = multiprocessors;
  if (failed(runPhases(module, Phase::Tile, Phase::Launches, phases, nullptr)))
    return makeError(ErrorCode::BadInput, "");
  module.walk([&](tile::LaunchOp launch) {
    if (tile::KernelOp kernel =
            tile::lookupKernel(launch, launch.getKernelAttr().getAttr()))
      use(launch, kernel);
  });
  return {};
}

Result<void> Fitting::addRecords(llvm::ArrayRef<TimesFile> files,
                                 Sample &into) const {
  std::map<runtime::LaunchKey, std::vector<MeasuredChoice>> choices;
  for (const TimesFile &file : files)
    for (const runtime::TuningRecord &record : file.records.records)
      choices[record.key].push_back(
          {record.choice, record.measured.microseconds});
  if (choices.empty())
    return {};
  if (request.launches.empty())
    return makeError(ErrorCode::Usage,
                     "tune: expected the .mlir file of the launches that '",
                     files.front().path, "' has times of");
  const auto skip = [&](llvm::StringRef reason) {
    ++into.skipped[reason.str()];
  };
  for (const std::string &path : request.launches) {
    auto added = withSource(
        path, parseSource, MLIRContext::Threading::DISABLED,
        [&](ModuleOp module) {
          return lower(module, [&](tile::LaunchOp launch,
                                   tile::KernelOp kernel) {
            if (const auto found = choices.find(tile::keyOf(launch, kernel));
                found != choices.end()) {
              into.times.add(launch, kernel, found->second, skip);
              choices.erase(found);
            }
          });
        });
    if (!added)
      return added;
  }
  for (const auto &[key, left] : choices)
    into.skipped["no launch has their kernel, operands and rows"] +=
        left.size();
  return {};
}

/// A function that launches `linear` on bf16.
static std::string textOfProduct(int64_t m, int64_t n, int64_t k,
                                 size_t number) {
  return llvm::formatv(
      R"(func.func @f{3}(%x: tensor<{0}x{2}xbf16>, %w: tensor<{1}x{2}xbf16>, %b: tensor<{1}xf32>, %y: tensor<{0}x{1}xbf16>) {{
  tile.launch @linear ins(%x, %w, %b) outs(%y) : (tensor<{0}x{2}xbf16>, tensor<{1}x{2}xbf16>, tensor<{1}xf32>, tensor<{0}x{1}xbf16>) -> tensor<{0}x{1}xbf16>
  return
}
)",
      m, n, k, number);
}

Result<void> Fitting::addProducts(llvm::ArrayRef<TimedProduct> products,
                                  Sample &into) const {
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::vector<MeasuredChoice>>
      choices;
  for (const TimedProduct &product : products)
    choices[{product.m, product.n, product.k}].push_back(
        {product.choice, product.microseconds});
  if (choices.empty())
    return {};
  std::string text;
  for (const auto &[sizes, unused] : choices)
    text += std::apply(
        [&](auto... size) { return textOfProduct(size..., text.size()); },
        sizes);
  const auto skip = [&](llvm::StringRef reason) {
    ++into.skipped[reason.str()];
  };
  return withText(
      *llvm::MemoryBuffer::getMemBuffer(text, "products"), parseSource,
      MLIRContext::Threading::DISABLED, [&](ModuleOp module) {
        return lower(module, [&](tile::LaunchOp launch, tile::KernelOp kernel) {
          const auto sizeOf = [&](unsigned operand, unsigned axis) {
            return cast<RankedTensorType>(launch->getOperand(operand).getType())
                .getDimSize(axis);
          };
          into.times.add(launch, kernel,
                         choices.at({sizeOf(0, 0), sizeOf(1, 0), sizeOf(0, 1)}),
                         skip);
        });
      });
}

Result<Sample> Fitting::sample(llvm::ArrayRef<TimesFile> files) const {
  Sample sample{{*target, multiprocessors}, {}};
  if (auto added = addRecords(files, sample); !added)
    return tl::unexpected(added.error());
  std::vector<TimedProduct> products;
  for (const TimesFile &file : files)
    llvm::append_range(products, file.products);
  if (auto added = addProducts(products, sample); !added)
    return tl::unexpected(added.error());
  return sample;
}

void Fitting::print(const Sample &sample, const std::string &what,
                    const GpuModel &before, const GpuModel &after) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << what << ": " << sample.times.size() << " times of "
      << sample.times.launches() << " launches\n";
  for (const auto &[reason, count] : sample.skipped)
    out << "  not used: " << count << " times: " << reason << "\n";
  for (const auto &[label, each] :
       {std::pair("before", &before), std::pair("after ", &after)}) {
    const tilegpu::FitQuality quality = sample.times.qualityOf(*each);
    constexpr double percent = 100;
    out << llvm::format(
        "  %s: error %.1f %% in the median, %.1f %% at the "
        "95th percentile; the choice is %.1f %% slower than "
        "the best on average, %.1f %% at the 95th percentile\n",
        label, percent * quality.medianError, percent * quality.highError,
        percent * quality.meanRegret, percent * quality.highRegret);
  }
  request.print(text);
}

void Fitting::print(const tilegpu::RateFit &fit) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::format("%-22s %9s %9s\n", "rate", "before", "after");
  for (const tilegpu::FittedRate &rate : fit.rates)
    out << llvm::format("%-22s %9.4g %9.4g%s\n", rate.name.c_str(), rate.before,
                        rate.after,
                        rate.isUsed ? "" : "  no time depends on it");
  request.print(text);
}

Result<void> Fitting::run() {
  auto times = read(request.times);
  if (!times)
    return tl::unexpected(times.error());
  auto checks = read(request.checks);
  if (!checks)
    return tl::unexpected(checks.error());
  if (auto found = findModel(); !found)
    return found;
  auto fitted = sample(*times);
  if (!fitted)
    return tl::unexpected(fitted.error());
  auto fit = fitted->times.fit(*model);
  if (!fit) {
    std::string reasons;
    for (const auto &[reason, count] : fitted->skipped)
      reasons += runtime::concat("; not used: ", count, " times: ", reason);
    return makeError(ErrorCode::BadInput,
                     "tune: ", llvm::toString(fit.takeError()), reasons);
  }
  request.print(runtime::concat(name, ", starting from the rates of ",
                                model->name.str(), "\n"));
  print(*fit);
  print(*fitted, "fitted to", *model, fit->model);
  for (const TimesFile &file : *checks) {
    auto checked = sample(file);
    if (!checked)
      return tl::unexpected(checked.error());
    print(*checked, file.path, *model, fit->model);
  }
  fit->model.isMeasured = true;
  fit->model.multiprocessors = multiprocessors;
  request.print(target::formatModel(fit->model, name));
  return {};
}

Result<void> fitRates(const RateFitting &fitting) {
  return Fitting(fitting).run();
}

} // namespace tilegpt::compiler
