// Formats diagnostics in the usual form of compilers.
#include "Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilegpt::compiler {

/// "file:line:column: ", "file: " for a file as a whole, or nothing when the
/// location has no file.
static std::string placeOf(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  if (file.getLine() == 0)
    return (file.getFilename().getValue() + ": ").str();
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
          Twine(file.getColumn()) + ": ")
      .str();
}

FirstError::FirstError(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        std::lock_guard lock(mutex);
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            text.empty())
          text = placeOf(diagnostic.getLocation()) + diagnostic.str();
        return success();
      }) {}

std::string FirstError::firstError() const {
  std::lock_guard lock(mutex);
  return text.empty() ? "compilation failed without a message" : text;
}

llvm::Error FirstError::explain(llvm::Error error) const {
  std::lock_guard lock(mutex);
  if (!error || text.empty())
    return error;
  return llvm::createStringError(llvm::toString(std::move(error)) + "; " +
                                 text);
}

} // namespace tilegpt::compiler
