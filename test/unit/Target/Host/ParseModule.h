// Parses a module in the LLVM dialect for the tests of this folder.
#ifndef TILEGPT_TEST_TARGET_HOST_PARSEMODULE_H
#define TILEGPT_TEST_TARGET_HOST_PARSEMODULE_H

#include "TileGPT/Target/Host/HostTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace tilegpt::test {

struct ParsedModule {
  explicit ParsedModule(llvm::StringRef text) {
    context.loadDialect<mlir::LLVM::LLVMDialect, mlir::arith::ArithDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

inline target::HostTarget hostTarget(llvm::StringRef cpu = "native") {
  return llvm::cantFail(target::HostTarget::create(cpu));
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_TARGET_HOST_PARSEMODULE_H
