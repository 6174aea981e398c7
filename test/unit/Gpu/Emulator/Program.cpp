// Rewrites a kernel in place: arguments are loaded from words, instructions of
// the device become calls with the address of their Operation.
#include "Program.h"
#include "Operations.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tilegpt::emulator {

/// What generated code calls.
static void perform(Thread *thread, const Operation *operation, Slots slots) {
  (*operation)(*thread, slots);
}

namespace {
class Rewriter {
public:
  Rewriter(LLVM::LLVMFuncOp kernel, std::deque<Operation> &operations)
      : kernel(kernel), operations(operations), builder(kernel.getContext()),
        loc(kernel.getLoc()) {}

  llvm::Error run();

private:
  static constexpr int64_t slotCount = 64;

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI64IntegerAttr(value));
  }
  Value address(const void *pointer) {
    return LLVM::IntToPtrOp::create(builder, loc, pointerType(),
                                    constant(int64_t(pointer)));
  }
  Type pointerType() {
    return LLVM::LLVMPointerType::get(builder.getContext());
  }
  Value slot(Value base, int64_t number) {
    return LLVM::GEPOp::create(builder, loc, pointerType(),
                               builder.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(number)});
  }

  void takeWords();
  bool isLeftToTheHost(mlir::Operation *op);
  llvm::Error replace(mlir::Operation *op);
  void call(mlir::Operation *op, const Operation &operation);

  LLVM::LLVMFuncOp kernel;
  std::deque<Operation> &operations;
  OpBuilder builder;
  Location loc;
  Value thread, slots;
};
} // namespace

/// Gives the kernel the signature of cpu::KernelFunction. The third argument is
/// the thread.
void Rewriter::takeWords() {
  mlir::Block &entry = kernel.getBody().front();
  builder.setInsertionPointToStart(&entry);
  const unsigned count = entry.getNumArguments();
  Value words = entry.addArgument(pointerType(), loc);
  entry.addArgument(pointerType(), loc);
  Value number = entry.addArgument(builder.getI64Type(), loc);
  entry.addArgument(builder.getI64Type(), loc);
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument argument = entry.getArgument(i);
    argument.replaceAllUsesWith(
        LLVM::LoadOp::create(builder, loc, argument.getType(), slot(words, i)));
  }
  entry.eraseArguments(0, count);
  thread = LLVM::IntToPtrOp::create(builder, loc, pointerType(), number);
  slots = LLVM::AllocaOp::create(builder, loc, pointerType(),
                                 builder.getI64Type(), constant(slotCount));
  const Type result = builder.getI32Type();
  kernel.walk([&](LLVM::ReturnOp op) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Value zero =
        LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    LLVM::ReturnOp::create(builder, loc, zero);
    op.erase();
  });
  for (NamedAttribute attribute :
       llvm::to_vector(kernel->getDiscardableAttrs()))
    kernel->removeDiscardableAttr(attribute.getName());
  kernel.removeArgAttrsAttr();
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(
      result, llvm::to_vector(entry.getArgumentTypes())));
  kernel.setLinkage(LLVM::Linkage::External);
  kernel.setSymName("emulated");
}

/// Keeps what the host has, under its own name for it.
bool Rewriter::isLeftToTheHost(mlir::Operation *op) {
  if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    if (!intrinsic.getIntrin().starts_with("llvm.nvvm.ex2.approx"))
      return false;
    builder.setInsertionPoint(op);
    op->replaceAllUsesWith(
        LLVM::Exp2Op::create(builder, loc, op->getOperand(0)));
    op->erase();
    return true;
  }
  return !isa<NVVM::NVVMDialect>(op->getDialect()) &&
         !isa<LLVM::InlineAsmOp, LLVM::AddressOfOp>(op);
}

void Rewriter::call(mlir::Operation *op, const Operation &operation) {
  builder.setInsertionPoint(op);
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Value value = operand;
    if (value.getType().isInteger(1))
      value = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), value);
    LLVM::StoreOp::create(builder, loc, value, slot(slots, int64_t(number)));
  }
  const Type types[] = {pointerType(), pointerType(), pointerType()};
  LLVM::CallOp::create(
      builder, loc,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  types),
      ValueRange{address(reinterpret_cast<const void *>(&perform)), thread,
                 address(&operation), slots});
  if (op->getNumResults() == 1) {
    Value result;
    if (auto type =
            dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType())) {
      result = LLVM::PoisonOp::create(builder, loc, type);
      for (auto [number, field] : llvm::enumerate(type.getBody()))
        result = LLVM::InsertValueOp::create(
            builder, loc, result,
            LLVM::LoadOp::create(builder, loc, field,
                                 slot(slots, int64_t(number))),
            int64_t(number));
    } else {
      result = LLVM::LoadOp::create(builder, loc, op->getResult(0).getType(),
                                    slot(slots, 0));
    }
    op->getResult(0).replaceAllUsesWith(result);
  }
  op->erase();
}

llvm::Error Rewriter::replace(mlir::Operation *op) {
  Operation operation = operationOf(op);
  if (!operation)
    return llvm::createStringError(
        llvm::formatv("'{0}' is not emulated", *op).str());
  call(op, operations.emplace_back(std::move(operation)));
  return llvm::Error::success();
}

llvm::Error Rewriter::run() {
  takeWords();
  SmallVector<mlir::Operation *> ops;
  kernel.getBody().walk([&](mlir::Operation *op) { ops.push_back(op); });
  for (mlir::Operation *op : ops)
    if (!isLeftToTheHost(op))
      if (llvm::Error error = replace(op))
        return error;
  return llvm::Error::success();
}

llvm::Expected<Program> Program::compile(ModuleOp device) {
  auto operations = std::make_unique<Operations>();
  for (auto kernel : device.getOps<LLVM::LLVMFuncOp>())
    if (!kernel.isExternal())
      if (llvm::Error error = Rewriter(kernel, *operations).run())
        return error;
  // Shared memory is no longer spoken of, nor is the device.
  for (auto global :
       llvm::make_early_inc_range(device.getOps<LLVM::GlobalOp>()))
    global.erase();
  for (NamedAttribute attribute :
       llvm::to_vector(device->getDiscardableAttrs()))
    device->removeDiscardableAttr(attribute.getName());
  llvm::Expected<target::HostTarget> host = target::HostTarget::create();
  if (!host)
    return host.takeError();
  llvm::Expected<target::HostImage> code = target::compileImage(device, *host);
  if (!code)
    return code.takeError();
  auto image = cpu::HostImage::load(*code);
  if (!image)
    return llvm::createStringError(image.error().message);
  auto entry = image->find("emulated");
  if (!entry)
    return llvm::createStringError(entry.error().message);
  return Program(std::move(*image), *entry, std::move(operations));
}

} // namespace tilegpt::emulator
