// The only user of `llvm.inline_asm`.
#include "Thread/InlinePtx.h"

using namespace mlir;

namespace tilegpt::tilegpu {

LLVM::InlineAsmOp inlinePtx(OpBuilder &builder, Location loc, TypeRange results,
                            ValueRange operands, StringRef code,
                            StringRef constraints, bool isPure) {
  return LLVM::InlineAsmOp::create(
      builder, loc, results, operands, code, constraints,
      /*has_side_effects=*/!isPure, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT),
      ArrayAttr());
}

} // namespace tilegpt::tilegpu
