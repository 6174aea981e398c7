// Creates a variable of the module for each purpose, on first use.
#include "Thread/KernelMemory.h"
#include "Thread/ThreadPatterns.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Value kernelMemory(OpBuilder &builder, Operation *op, const Twine &purpose,
                   Type element, int64_t count) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto module = op->getParentOfType<ModuleOp>();
  std::string name = (function.getSymName() + purpose).str();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    constexpr unsigned lineBytes = 128;
    LLVM::GlobalOp::create(
        builder, op->getLoc(), LLVM::LLVMArrayType::get(element, count),
        /*isConstant=*/false, LLVM::Linkage::Internal, name,
        LLVM::ZeroAttr::get(builder.getContext()), lineBytes, globalSpace);
  }
  return LLVM::AddressOfOp::create(
      builder, op->getLoc(),
      LLVM::LLVMPointerType::get(builder.getContext(), globalSpace), name);
}

} // namespace tilegpt::tilegpu
