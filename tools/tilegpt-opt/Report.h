// The output of `--emit=report` for a kernel.
#ifndef TILEGPT_TOOLS_TILEGPT_OPT_REPORT_H
#define TILEGPT_TOOLS_TILEGPT_OPT_REPORT_H

#include "TileGPT/Target/NVVM/CompileKernel.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>

namespace tilegpt::opt {

/// Collects the remarks of passes on a context during its lifetime. Remarks
/// that are already printed (tilegpu::reportRemarks) still are.
class RemarkCollector {
public:
  explicit RemarkCollector(mlir::MLIRContext &context);

  /// The remarks of a kernel: "linear.mlir:29:13: main-loop missed: …".
  llvm::ArrayRef<std::string> of(llvm::StringRef kernel) const;

private:
  const bool isHeard;
  std::map<std::string, std::vector<std::string>, std::less<>> remarks;
  std::mutex mutex; // passes run on several threads
  mlir::ScopedDiagnosticHandler handler;
};

/// Prints threads, memory and registers of a kernel, the warnings of ptxas, and
/// the remarks.
void printReport(const target::GpuKernel &kernel,
                 llvm::ArrayRef<std::string> remarks,
                 llvm::raw_ostream &output);

} // namespace tilegpt::opt

#endif // TILEGPT_TOOLS_TILEGPT_OPT_REPORT_H
