#include "Vector/VectorBody.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilegpt;

Value cpu::lanesOf(OpBuilder &builder, Location loc, Value value,
                   int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get(lanes, value.getType()), value);
}

void cpu::emitInLanes(OpBuilder &builder, Operation &scalar, IRMapping &mapping,
                      int64_t lanes, function_ref<Value(int64_t dim)> index) {
  if (auto indexOp = dyn_cast<linalg::IndexOp>(scalar))
    return mapping.map(indexOp.getResult(), index(int64_t(indexOp.getDim())));
  const bool isVector = llvm::any_of(scalar.getOperands(), [&](Value operand) {
    return isa<VectorType>(mapping.lookupOrDefault(operand).getType());
  });
  if (!isVector) {
    builder.clone(scalar, mapping);
    return;
  }
  SmallVector<Value> operands;
  for (Value operand : scalar.getOperands())
    operands.push_back(lanesOf(builder, scalar.getLoc(),
                               mapping.lookupOrDefault(operand), lanes));
  SmallVector<Type> types;
  for (Type type : scalar.getResultTypes())
    types.push_back(VectorType::get(lanes, type));
  OperationState state(scalar.getLoc(), scalar.getName(), operands, types);
  state.addAttributes(scalar.getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = scalar.getPropertiesAsAttribute();
  Operation *wide = builder.create(state);
  for (auto [from, to] : llvm::zip(scalar.getResults(), wide->getResults()))
    mapping.map(from, to);
}
