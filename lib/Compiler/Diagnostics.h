// Captures the first error of a compilation as a one-line message.
#ifndef TILEGPT_LIB_COMPILER_DIAGNOSTICS_H
#define TILEGPT_LIB_COMPILER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <string>

namespace tilegpt::compiler {

/// Captures the diagnostics of a context during its lifetime.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext &context);

  /// "model.mlir:12:5: 'gpt.linear' op expected …".
  std::string firstError() const;

  /// An error with the first diagnostic, if there was one, as its reason.
  llvm::Error explain(llvm::Error error) const;

private:
  mlir::ScopedDiagnosticHandler handler;
  mutable std::mutex mutex; // passes run on several threads
  std::string text;
};

} // namespace tilegpt::compiler

#endif
