// PTX as text, for what neither NVVM nor LLVM has an op, or what LLVM would
// take apart.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_INLINEPTX_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_INLINEPTX_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// \param results      one type at most: several registers are one struct.
/// \param code         `$0` … are the registers of the result, then the
///                     operands.
/// \param constraints  of each of them, as LLVM spells them: "=r,l,b".
/// \param isPure       whether it may be left out, moved or made once.
mlir::LLVM::InlineAsmOp
inlinePtx(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypeRange results,
          mlir::ValueRange operands, llvm::StringRef code,
          llvm::StringRef constraints, bool isPure = false);

} // namespace tilegpt::tilegpu

#endif
