// Remarks on ops of kernels, through upstream's engine.
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <mutex>

using namespace mlir;
using remark::RemarkOpts;
using remark::detail::InFlightRemark;

namespace tilegpt::tilegpu {

/// The kernel or function that contains an op; empty if there is none.
static StringRef functionOf(Operation *op) {
  for (; op && !isa<ModuleOp>(op); op = op->getParentOp())
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      return symbol.getName();
  return "";
}

static RemarkOpts optionsOf(Operation *op, StringRef category) {
  return RemarkOpts::name(category).category(category).function(functionOf(op));
}

InFlightRemark explainMissed(Operation *op, StringRef category) {
  return remark::missed(op->getLoc(), optionsOf(op, category));
}

InFlightRemark explainPassed(Operation *op, StringRef category) {
  return remark::passed(op->getLoc(), optionsOf(op, category));
}

InFlightRemark explainAnalysis(Operation *op, StringRef category) {
  return remark::analysis(op->getLoc(), optionsOf(op, category));
}

std::string countOf(int64_t number, StringRef noun) {
  return llvm::formatv("{0} {1}{2}", number, noun, number == 1 ? "" : "s");
}

namespace {
/// Forwards remarks as diagnostics, which upstream sorts by the ops that passes
/// run on.
class DiagnosticStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (StringRef name = remark.getFunction(); !name.starts_with("<"))
      stream << '@' << name << ": ";
    stream << remark.getCategoryName();
    if (remark.getRemarkType() == llvm::remarks::Type::Missed)
      stream << " missed";
    stream << ": ";
    for (const remark::detail::Remark::Arg &part : remark.getArgs())
      stream << part.val;
    if (isNew(remark.getLocation(), text))
      emitRemark(remark.getLocation()) << text;
  }

private:
  bool isNew(Location loc, StringRef text) {
    std::string key;
    llvm::raw_string_ostream(key) << loc << text;
    std::lock_guard lock(mutex);
    return seen.insert(key).second;
  }

  std::mutex mutex;
  llvm::StringSet<> seen;
};
} // namespace

void reportRemarks(MLIRContext &context) {
  // All categories of each kind; upstream's `all` alone enables none.
  remark::RemarkCategories categories;
  for (auto *kind : {&categories.passed, &categories.missed,
                     &categories.analysis, &categories.failed})
    *kind = ".*";
  // Replaces a previous engine.
  [[maybe_unused]] LogicalResult enabled = remark::enableOptimizationRemarks(
      context, std::make_unique<DiagnosticStreamer>(),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
  assert(succeeded(enabled) && "categories are regular expressions");
}

} // namespace tilegpt::tilegpu
