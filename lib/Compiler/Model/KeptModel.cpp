// Determines the inputs of a compiled model, and whether a cached one supports
// these steps.
#include "Model/KeptModel.h"
#include "Model/ModelTexts.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Target/Cache/BuildId.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <span>

using llvm::StringRef;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

/// The weights that a compiled model reads.
static std::vector<NeededWeight> weightsReadBy(const bundle::Bundle &compiled) {
  std::vector<NeededWeight> weights;
  for (const bundle::Buffer &buffer : compiled.buffers()) {
    if (buffer.kind != bundle::BufferKind::Weight)
      continue;
    NeededWeight weight{
        std::string(compiled.string(buffer.name)), buffer.type, {}};
    for (unsigned axis = 0; axis < buffer.rank; ++axis)
      weight.shape.push_back(buffer.shape[axis].constant);
    weights.push_back(std::move(weight));
  }
  return weights;
}

/// The tuning records that apply to launches and the device they are for;
/// nothing if they cannot be read.
static std::optional<std::string> recordsOf(const CompileOptions &options) {
  if (options.records.empty())
    return "";
  const auto file = runtime::MappedFile::open(options.records, "tuning");
  if (!file)
    return std::nullopt;
  return llvm::formatv("{0} {1} {2}", options.lanes, options.gpuName,
                       file->text())
      .str();
}

std::optional<target::CacheKey> modelKey(const ModelSource &source,
                                         const CompileOptions &options,
                                         const std::string &code) {
  const std::string &buildId = target::compilerBuildId();
  const auto texts = textsOf(source.name, source.text, options.kernels);
  const auto records = recordsOf(options);
  if (buildId.empty() || !texts || !records || !options.dumpPhasesTo.empty())
    return std::nullopt;
  const std::string types = llvm::formatv(
      "{0} {1} {2} {3}", bundle::name(options.weightType),
      bundle::name(options.logitType), options.tf32, options.fusion);
  const std::string sizes = llvm::formatv(
      "{0} {1} {2} {3} {4} {5}", options.capacity, options.stepRows,
      options.sequences, options.promptSequences, options.ranks,
      options.hostThreads);
  const std::string plans = llvm::join(plansOf(options, anyCapacity), " ");
  const StringRef parts[] = {buildId, code,  *texts, options.settings,
                             types,   sizes, plans,  *records};
  return target::CacheKey(target::CodeKind::Model, parts);
}

Result<std::optional<std::vector<std::byte>>>
loadModel(const target::CodeCache &cache, const target::CacheKey &key,
          const CompileOptions &options) {
  const std::optional<std::string> entry = cache.load(key);
  if (!entry)
    return std::nullopt;
  const auto bytes = std::as_bytes(std::span(*entry));
  const auto compiled = bundle::Bundle::fromBytes({bytes.begin(), bytes.end()});
  if (!compiled || !stepsFit(options, compiled->model().capacity))
    return std::nullopt;
  if (options.checkWeights)
    if (Result<void> checked = options.checkWeights(weightsReadBy(*compiled));
        !checked)
      return tl::unexpected(checked.error());
  return std::vector(bytes.begin(), bytes.end());
}

} // namespace tilegpt::compiler
