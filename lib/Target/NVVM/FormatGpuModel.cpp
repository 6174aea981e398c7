// Writes models in the syntax of GpuModels.inc.
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilegpt::target;

/// A number with three digits, and all digits before the point.
static std::string digitsOf(double number) {
  constexpr double thousand = 1000;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format(number >= thousand ? "%.0f" : "%.3g", number);
  return text;
}

static std::string digitsOf(const ByAlignment &numbers) {
  std::string text;
  for (double each : numbers.values)
    text += (text.empty() ? "{{" : ", ") + digitsOf(each);
  return text + "}}";
}

std::string tilegpt::target::formatModel(const GpuModel &model,
                                         llvm::StringRef name) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const ProductRates &rates = model.products;
  auto rate = [&](llvm::StringRef field, const auto &number) {
    out << "            ." << field << " = " << digitsOf(number) << ",\n";
  };
  constexpr int64_t mebi = 1 << 20;
  out << "{\n    .name = \"" << name << "\",\n    .architecture = \""
      << model.architecture
      << "\",\n    .isMeasured = " << (model.isMeasured ? "true" : "false")
      << ",\n    .multiprocessors = " << model.multiprocessors
      << ",\n    .cyclesPerMicrosecond = "
      << digitsOf(model.cyclesPerMicrosecond)
      << ",\n    .l2Bytes = " << model.l2Bytes / mebi
      << " << 20,\n    .memoryBytesPerCycle = "
      << digitsOf(model.memoryBytesPerCycle) << ",\n    .clusters = {";
  llvm::StringRef separator;
  for (int64_t clusters : model.clusters) {
    out << separator << clusters;
    separator = ", ";
  }
  out << "},\n    .products =\n        {\n";
  rate("sumsPerCycle", rates.sumsPerCycle);
  rate("sustainedSumsPerCycle", rates.sustainedSumsPerCycle);
  rate("operandReadCycles", rates.operandReadCycles);
  rate("singleWaitCycles", rates.singleWaitCycles);
  rate("pairWaitCycles", rates.pairWaitCycles);
  rate("copyCycles", rates.copyCycles);
  rate("sharedCopyCycles", rates.sharedCopyCycles);
  rate("outsideCopyCycles", rates.outsideCopyCycles);
  rate("receivedCycles", rates.receivedCycles);
  rate("resultBytesPerCycle", rates.resultBytesPerCycle);
  rate("storedPerCycle", rates.storedPerCycle);
  rate("exchangedPerCycle", rates.exchangedPerCycle);
  rate("multicastWaitCycles", rates.multicastWaitCycles);
  rate("multicastCycles", rates.multicastCycles);
  rate("clusterTileCycles", rates.clusterTileCycles);
  rate("launchCycles", rates.launchCycles);
  rate("besideCycles", rates.besideCycles);
  rate("besidePartsCycles", rates.besidePartsCycles);
  rate("earlyStartCycles", rates.earlyStartCycles);
  rate("scatteredLoss", rates.scatteredLoss);
  rate("meetCycles", rates.meetCycles);
  rate("sharedBytesPerCycle", rates.sharedBytesPerCycle);
  out << "        },\n},\n";
  return text;
}
