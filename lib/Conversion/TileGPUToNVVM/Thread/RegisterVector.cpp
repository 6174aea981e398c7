// Vectors of registers, element by element.
#include "Thread/RegisterVector.h"
#include "Thread/PipeAddress.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Type vectorOf(Type element, int64_t count) {
  return count == 1 ? element : VectorType::get(count, element);
}

Value packVector(OpBuilder &builder, Location loc, ValueRange values) {
  if (values.size() == 1)
    return values.front();
  Value joined = LLVM::PoisonOp::create(
      builder, loc, vectorOf(values.front().getType(), values.size()));
  for (auto [number, value] : llvm::enumerate(values))
    joined = LLVM::InsertElementOp::create(builder, loc, joined, value,
                                           i32Constant(builder, loc, number));
  return joined;
}

SmallVector<Value> unpackVector(OpBuilder &builder, Location loc,
                                Value joined) {
  auto vector = dyn_cast<VectorType>(joined.getType());
  if (!vector)
    return {joined};
  SmallVector<Value> values;
  for (int64_t number = 0; number < vector.getNumElements(); ++number)
    values.push_back(LLVM::ExtractElementOp::create(
        builder, loc, joined, i32Constant(builder, loc, number)));
  return values;
}

Value packHalves(OpBuilder &builder, Location loc, Value low, Value high) {
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(),
                                 packVector(builder, loc, {low, high}));
}

} // namespace tilegpt::tilegpu
