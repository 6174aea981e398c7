// The entry point of each kernel: reads its arguments from words and iterates
// over a range of the grid, block by block.
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileToLinalg.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_KERNELABI
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;
using namespace tilegpt;
using tilegpt::cpu::pointerRank;
using tilegpt::cpu::scalarRank;

static constexpr unsigned numAxes = 3;

namespace {
/// Builds the entry point of one block function.
class EntryPoint {
public:
  EntryPoint(LLVM::LLVMFuncOp block, StringRef name, ArrayRef<int64_t> ranks,
             ArrayRef<int64_t> equalWords, ArrayRef<int64_t> order)
      : name(name), builder(block), loc(block.getLoc()), block(block),
        ranks(ranks), equalWords(equalWords), order(order),
        i32(builder.getI32Type()), i64(builder.getI64Type()),
        pointer(LLVM::LLVMPointerType::get(block.getContext())) {}

  void build() {
    block.setLinkage(LLVM::Linkage::Internal);
    auto type = LLVM::LLVMFunctionType::get(i32, {pointer, pointer, i64, i64});
    auto entry = LLVM::LLVMFuncOp::create(builder, loc, name, type);
    if (Attribute asserts = block->removeAttr("tilegpt.asserts"))
      entry->setAttr("tilegpt.asserts", asserts);
    Block *start = entry.addEntryBlock(builder);
    Value words = start->getArgument(0), grid = start->getArgument(1),
          begin = start->getArgument(2), end = start->getArgument(3);
    builder.setInsertionPointToStart(start);
    SmallVector<Value> arguments = readArguments(words);
    SmallVector<Value> extents = readWords(grid, 0, numAxes);

    auto makeBlock = [&](ArrayRef<Type> types) {
      return builder.createBlock(&entry.getBody(), entry.getBody().end(), types,
                                 SmallVector<Location>(types.size(), loc));
    };
    Block *first = makeBlock({});
    Block *body = makeBlock({i64, i64, i64, i64});
    Block *next = makeBlock({});
    Block *done = makeBlock({i32});

    builder.setInsertionPointToEnd(start);
    Value passed = LLVM::ConstantOp::create(builder, loc, i32, 0);
    Value some = compare(LLVM::ICmpPredicate::slt, begin, end);
    LLVM::CondBrOp::create(builder, loc, some, first, ValueRange(), done,
                           passed);

    // The coordinates of block `begin`; incremented from there on.
    builder.setInsertionPointToStart(first);
    SmallVector<Value> coordinates(numAxes);
    Value rest = begin;
    for (int64_t axis : order.drop_back()) {
      coordinates[axis] =
          LLVM::URemOp::create(builder, loc, rest, extents[axis]);
      rest = LLVM::UDivOp::create(builder, loc, rest, extents[axis]);
    }
    coordinates[order.back()] = rest;
    SmallVector<Value> current = {begin};
    current.append(coordinates);
    LLVM::BrOp::create(builder, loc, current, body);

    builder.setInsertionPointToStart(body);
    Value number = body->getArgument(0);
    arguments.append(
        {body->getArgument(1), body->getArgument(2), body->getArgument(3)});
    arguments.append(extents);
    Value status =
        LLVM::CallOp::create(builder, loc, block, arguments).getResult();
    Value failed = compare(LLVM::ICmpPredicate::ne, status, passed);
    LLVM::CondBrOp::create(builder, loc, failed, done, status, next,
                           ValueRange());

    builder.setInsertionPointToStart(next);
    Value one = LLVM::ConstantOp::create(builder, loc, i64, 1);
    Value zero = LLVM::ConstantOp::create(builder, loc, i64, 0);
    SmallVector<Value> following(1 + numAxes);
    following[0] = LLVM::AddOp::create(builder, loc, number, one);
    Value carry = one;
    for (int64_t axis : order) {
      Value up =
          LLVM::AddOp::create(builder, loc, body->getArgument(1 + axis), carry);
      Value over = compare(LLVM::ICmpPredicate::eq, up, extents[axis]);
      following[1 + axis] =
          LLVM::SelectOp::create(builder, loc, over, zero, up);
      carry = LLVM::SelectOp::create(builder, loc, over, carry, zero);
    }
    Value more = compare(LLVM::ICmpPredicate::slt, following.front(), end);
    LLVM::CondBrOp::create(builder, loc, more, body, following, done, passed);

    builder.setInsertionPointToStart(done);
    LLVM::ReturnOp::create(builder, loc, done->getArgument(0));
  }

private:
  Value compare(LLVM::ICmpPredicate predicate, Value lhs, Value rhs) {
    return LLVM::ICmpOp::create(builder, loc, predicate, lhs, rhs);
  }

  Value readWord(Value words, int32_t number, Type type) {
    Value at = LLVM::GEPOp::create(builder, loc, pointer, i64, words,
                                   ArrayRef<LLVM::GEPArg>(number));
    return LLVM::LoadOp::create(builder, loc, type, at);
  }

  SmallVector<Value> readWords(Value words, int32_t first, int32_t count) {
    SmallVector<Value> values;
    for (int32_t i = 0; i < count; ++i)
      values.push_back(readWord(words, first + i, i64));
    return values;
  }

  /// The leading operands of the block function: each memref as allocated
  /// pointer, aligned pointer, offset, sizes, strides.
  SmallVector<Value> readArguments(Value words) {
    SmallVector<Value> values;
    llvm::SmallDenseMap<int64_t, Value> sizes;
    int32_t word = 0;
    for (int64_t rank : ranks) {
      if (rank == scalarRank) {
        // The low bytes of a word are its value on a little-endian host.
        values.push_back(
            readWord(words, word++,
                     block.getFunctionType().getParamType(values.size())));
        continue;
      }
      Value base = readWord(words, word, pointer);
      if (rank == pointerRank) {
        // The memref of a single element.
        values.append(
            {base, base, LLVM::ConstantOp::create(builder, loc, i64, 0)});
        ++word;
        continue;
      }
      // Outputs alias nothing, and read-only arguments may alias each other:
      // the definition of noalias.
      block.setArgAttr(values.size() + 1,
                       LLVM::LLVMDialect::getNoAliasAttrName(),
                       builder.getUnitAttr());
      values.append(
          {base, base, LLVM::ConstantOp::create(builder, loc, i64, 0)});
      // Sizes and strides that are equal are read once.
      for (int32_t end = word + 1 + 2 * rank; ++word < end;) {
        const int32_t first =
            equalWords.empty() ? word : int32_t(equalWords[word]);
        Value &value = sizes[first];
        if (!value)
          value = readWord(words, first, i64);
        values.push_back(value);
      }
    }
    return values;
  }

  StringRef name;
  OpBuilder builder;
  Location loc;
  LLVM::LLVMFuncOp block;
  ArrayRef<int64_t> ranks, equalWords; ///< as firstEqualWords, or empty
  ArrayRef<int64_t> order;             ///< as chooseBlockOrder
  Type i32, i64, pointer;
};

struct KernelAbi : tilegpt::cpu::impl::KernelAbiBase<KernelAbi> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(
             getOperation().getOps<LLVM::LLVMFuncOp>())) {
      auto ranks = dyn_cast_or_null<DenseI64ArrayAttr>(
          function->removeAttr("tilegpt.ranks"));
      if (!ranks)
        continue;
      StringRef blockName = function.getSymName();
      blockName.consume_back(".block");
      std::string name = tilegpt::bundle::entrySymbol(blockName);
      auto equalWords = dyn_cast_or_null<DenseI64ArrayAttr>(
          function->removeAttr(tile::equalWordsAttr));
      auto order = dyn_cast_or_null<DenseI64ArrayAttr>(
          function->removeAttr(tilegpt::cpu::blockOrderAttr));
      constexpr std::array<int64_t, numAxes> natural = {0, 1, 2};
      EntryPoint(function, name, ranks.asArrayRef(),
                 equalWords ? equalWords.asArrayRef() : ArrayRef<int64_t>(),
                 order ? order.asArrayRef() : ArrayRef<int64_t>(natural))
          .build();
    }
  }
};
} // namespace
