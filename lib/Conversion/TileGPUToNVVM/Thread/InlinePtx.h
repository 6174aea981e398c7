// Inline PTX, for instructions that neither NVVM nor LLVM has an op for, or
// that LLVM would split.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_INLINEPTX_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_INLINEPTX_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// \param results      at most one type: several registers are one struct.
/// \param code         `$0` … are the registers of the result, then the
/// operands.
/// \param constraints  of each of them, in LLVM syntax: "=r,l,b".
/// \param isPure       whether it may be erased, moved or deduplicated.
mlir::LLVM::InlineAsmOp
inlinePtx(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypeRange results,
          mlir::ValueRange operands, llvm::StringRef code,
          llvm::StringRef constraints, bool isPure = false);

} // namespace tilegpt::tilegpu

#endif
