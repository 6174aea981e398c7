// Combines 16-bit floats two at a time.
#include "Shape/FoldTree.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SmallVector<Value> foldPairs(OpBuilder &builder, Location loc,
                             ArrayRef<Value> parts,
                             function_ref<Value(Value, Value)> combine) {
  size_t pairs = parts.size() / 2;
  if (pairs < 2)
    return SmallVector<Value>(parts);
  auto pair = VectorType::get({2}, parts.front().getType());
  auto place = [&](int64_t number) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                        number);
  };
  SmallVector<Value> packed;
  for (size_t number = 0; number < pairs; ++number) {
    Value both = LLVM::UndefOp::create(builder, loc, pair);
    for (int64_t half : {0, 1})
      both = LLVM::InsertElementOp::create(
          builder, loc, both, parts[2 * number + half], place(half));
    packed.push_back(both);
  }
  Value both = foldTree(packed, combine);
  SmallVector<Value> rest(parts.drop_front(2 * pairs));
  for (int64_t half : {0, 1})
    rest.push_back(
        LLVM::ExtractElementOp::create(builder, loc, both, place(half)));
  return rest;
}

} // namespace tilegpt::tilegpu
