// Groups remarks by kernel.
#include "Report.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "mlir/IR/Location.h"

using namespace mlir;

namespace tilegpt::opt {

RemarkCollector::RemarkCollector(MLIRContext &context)
    : isHeard(context.getRemarkEngine()),
      handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
          return failure();
        std::string text = diagnostic.str();
        auto [kernel, rest] = StringRef(text).split(": ");
        if (!kernel.consume_front("@"))
          return failure(isHeard);
        std::string line;
        if (auto place =
                diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
          line =
              (place.getFilename().getValue() + ":" + Twine(place.getLine()) +
               ":" + Twine(place.getColumn()) + ": ")
                  .str();
        std::lock_guard lock(mutex);
        remarks[kernel.str()].push_back(line + rest.str());
        return failure(isHeard);
      }) {
  if (!isHeard)
    tilegpu::reportRemarks(context);
}

ArrayRef<std::string> RemarkCollector::of(StringRef kernel) const {
  auto found = remarks.find(kernel);
  if (found == remarks.end())
    return {};
  return found->second;
}

void printReport(const target::GpuKernel &kernel, ArrayRef<std::string> remarks,
                 llvm::raw_ostream &output) {
  output << kernel.symbol << ": " << kernel.launch.threads << " threads, "
         << kernel.launch.sharedBytes << " bytes of dynamic shared memory, "
         << kernel.cubin.size() << " bytes of code\n"
         << kernel.report.text;
  for (const std::string &problem : target::performanceProblems(kernel))
    output << "problem: " << problem << '\n';
  for (const std::string &remark : remarks)
    output << "remark: " << remark << '\n';
}

} // namespace tilegpt::opt
