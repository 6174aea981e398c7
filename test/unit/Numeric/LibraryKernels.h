// The kernel library, parsed once for all cases of a process.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_LIBRARYKERNELS_H
#define TILEGPT_TEST_UNIT_NUMERIC_LIBRARYKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::numeric {

class LibraryKernels {
public:
  /// Ends the program with a message if the library does not parse.
  static LibraryKernels &get();

  /// The library's context, which has all dialects.
  mlir::MLIRContext &context() { return owned; }

  /// A module of its kernels, marked as the library's.
  mlir::ModuleOp module() { return *kernels; }

private:
  LibraryKernels();

  mlir::MLIRContext owned;
  mlir::OwningOpRef<mlir::ModuleOp> kernels;
};

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_LIBRARYKERNELS_H
