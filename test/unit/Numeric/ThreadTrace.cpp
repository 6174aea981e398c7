// Interprets integers, pointers and branches; arithmetic is folded.
#include "ThreadTrace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace tilegpt::test {

namespace {
constexpr unsigned globalSpace = 1;

class Thread {
public:
  Thread(func::FuncOp function, const ThreadPlace &place)
      : place(place), layout(function->getParentOfType<ModuleOp>()) {}

  std::vector<GlobalAccess> run(func::FuncOp function,
                                ArrayRef<int64_t> given) {
    for (auto [argument, integer] :
         llvm::zip_equal(function.getArguments(), given)) {
      if (isa<LLVM::LLVMPointerType>(argument.getType()))
        pointers[argument] = {argument.getArgNumber(), 0};
      else
        integers[argument] =
            APInt(widthOf(argument.getType()), integer, /*isSigned=*/true);
    }
    runBlock(function.front());
    return std::move(accesses);
  }

private:
  struct Pointer {
    unsigned argument;
    int64_t offset; ///< in bytes
  };

  static unsigned widthOf(Type type) {
    return type.isIndex() ? IndexType::kInternalStorageBitWidth
                          : type.getIntOrFloatBitWidth();
  }
  static bool isInteger(Value value) { return value.getType().isIntOrIndex(); }
  APInt get(Value value) {
    auto found = integers.find(value);
    return found != integers.end() ? found->second
                                   : APInt(widthOf(value.getType()), 0);
  }
  int64_t number(Value value) { return get(value).getSExtValue(); }
  void set(Value value, int64_t integer) {
    integers[value] =
        APInt(widthOf(value.getType()), integer, /*isSigned=*/true);
  }

  /// Copies the known values of `from` to `to`, all at once.
  void assign(ValueRange to, ValueRange from) {
    SmallVector<std::pair<Value, APInt>> someIntegers;
    SmallVector<std::pair<Value, Pointer>> somePointers;
    for (auto [target, source] : llvm::zip_equal(to, from)) {
      if (isInteger(source))
        someIntegers.emplace_back(target, get(source));
      if (auto found = pointers.find(source); found != pointers.end())
        somePointers.emplace_back(target, found->second);
    }
    for (auto &[target, integer] : someIntegers)
      integers[target] = integer;
    for (auto &[target, pointer] : somePointers)
      pointers[target] = pointer;
  }

  void runBlock(Block &block) {
    for (Operation &op : block)
      runOp(&op);
  }

  void runIf(scf::IfOp op) {
    Block *block =
        get(op.getCondition()).isZero() ? op.elseBlock() : op.thenBlock();
    if (!block)
      return;
    runBlock(*block);
    assign(op.getResults(), block->getTerminator()->getOperands());
  }

  void runFor(scf::ForOp loop) {
    assign(loop.getRegionIterArgs(), loop.getInitArgs());
    ASSERT_GT(number(loop.getStep()), 0);
    for (int64_t index = number(loop.getLowerBound()),
                 end = number(loop.getUpperBound()),
                 step = number(loop.getStep());
         index < end; index += step) {
      set(loop.getInductionVar(), index);
      runBlock(*loop.getBody());
      assign(loop.getRegionIterArgs(), loop.getYieldedValues());
    }
    assign(loop.getResults(), loop.getRegionIterArgs());
  }

  void access(Value pointer, int64_t bytes, bool isWrite) {
    auto type = cast<LLVM::LLVMPointerType>(pointer.getType());
    if (type.getAddressSpace() != globalSpace)
      return;
    auto found = pointers.find(pointer);
    if (found == pointers.end()) {
      ADD_FAILURE() << "an access through a pointer of unknown origin";
      return;
    }
    accesses.push_back(
        {found->second.argument, found->second.offset, bytes, isWrite});
  }

  /// Predicated stores, which TileAccess writes as inline PTX: "@$0
  /// st.global.v2.b32 [$1+64], {$2, $3};".
  void runText(LLVM::InlineAsmOp op) {
    StringRef text = op.getAsmString();
    if (!text.consume_front("@$0 st.global."))
      return;
    int64_t count = 1, bits = 0, offset = 0;
    if (text.consume_front("v"))
      text.consumeInteger(10, count);
    text.consume_front(".");
    bool isRead = text.consume_front("b") && !text.consumeInteger(10, bits) &&
                  text.consume_front(" [$1+") &&
                  !text.consumeInteger(10, offset);
    ASSERT_TRUE(isRead) << op.getAsmString().str();
    if (get(op.getOperand(0)).isZero())
      return;
    Value pointer = op.getOperand(1);
    if (auto found = pointers.find(pointer); found != pointers.end())
      accesses.push_back({found->second.argument, found->second.offset + offset,
                          count * bits / 8,
                          /*isWrite=*/true});
    else
      ADD_FAILURE() << "a store through a pointer of unknown origin";
  }

  void runAddress(LLVM::GEPOp op) {
    auto found = pointers.find(op.getBase());
    if (found == pointers.end())
      return; // shared memory
    Pointer pointer = found->second;
    ASSERT_EQ(op.getIndices().size(), 1u);
    LLVM::GEPIndicesAdaptor<ValueRange> indices = op.getIndices();
    auto constant = dyn_cast<IntegerAttr>(indices[0]);
    int64_t count =
        constant ? constant.getInt() : number(cast<Value>(indices[0]));
    pointer.offset += count * int64_t(layout.getTypeSize(op.getElemType()));
    pointers[op] = pointer;
  }

  void runOp(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](scf::IfOp branch) { runIf(branch); })
        .Case([&](scf::ForOp loop) { runFor(loop); })
        .Case([&](arith::SelectOp select) {
          assign(select.getResult(), get(select.getCondition()).isZero()
                                         ? select.getFalseValue()
                                         : select.getTrueValue());
        })
        .Case([&](LLVM::GEPOp address) { runAddress(address); })
        .Case([&](LLVM::LoadOp load) {
          access(load.getAddr(), layout.getTypeSize(load.getType()), false);
        })
        .Case([&](LLVM::StoreOp store) {
          access(store.getAddr(),
                 layout.getTypeSize(store.getValue().getType()), true);
        })
        .Case([&](LLVM::InlineAsmOp text) { runText(text); })
        .Case([&](NVVM::CpAsyncOp copy) {
          // A copy of no bytes accesses no memory.
          Value read = copy.getCpSize();
          if (read && get(read).isZero())
            return;
          access(copy.getSrc(), read ? number(read) : copy.getSize(), false);
        })
        .Case([&](NVVM::ThreadIdXOp id) { set(id, place.thread); })
        // Blocks that fetch their work dynamically get one piece each.
        .Case([&](NVVM::GridDimXOp count) { set(count, 1 << 24); })
        .Case([&](NVVM::ClusterIdXOp id) {
          set(id, place.block[0] / place.cluster);
        })
        .Case([&](NVVM::ClusterId rank) {
          set(rank, place.block[0] % place.cluster);
        })
        .Case([&](NVVM::BlockIdXOp id) { set(id, place.block[0]); })
        .Case([&](NVVM::BlockIdYOp id) { set(id, place.block[1]); })
        .Case([&](NVVM::BlockIdZOp id) { set(id, place.block[2]); })
        .Default([&](Operation *other) { fold(other); });
  }

  void fold(Operation *op) {
    if (op->getNumResults() != 1 || !isInteger(op->getResult(0)) ||
        !llvm::all_of(op->getOperands(), isInteger))
      return;
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(IntegerAttr::get(operand.getType(), get(operand)));
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.empty())
      return;
    if (auto value = dyn_cast<Value>(results.front()))
      assign(op->getResult(0), value);
    else if (auto integer =
                 dyn_cast<IntegerAttr>(cast<Attribute>(results.front())))
      integers[op->getResult(0)] = integer.getValue();
  }

  ThreadPlace place;
  DataLayout layout;
  llvm::DenseMap<Value, APInt> integers;
  llvm::DenseMap<Value, Pointer> pointers;
  std::vector<GlobalAccess> accesses;
};
} // namespace

std::vector<GlobalAccess> traceThread(func::FuncOp function,
                                      ArrayRef<int64_t> arguments,
                                      const ThreadPlace &place) {
  return Thread(function, place).run(function, arguments);
}

} // namespace tilegpt::test
