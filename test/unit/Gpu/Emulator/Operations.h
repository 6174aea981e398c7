// What the instructions of the NVVM dialect do, those that concern more than
// one thread or a memory of the device.
#ifndef TILEGPT_TEST_UNIT_GPU_EMULATOR_OPERATIONS_H
#define TILEGPT_TEST_UNIT_GPU_EMULATOR_OPERATIONS_H

#include "Block.h"
#include "mlir/IR/Operation.h"

namespace tilegpt::emulator {

/// The operation on slots that hold the operands of `op` in order; it leaves
/// the results, those of a struct one by one, in their place.
/// \returns null for what is not emulated.
Operation operationOf(mlir::Operation *op);

} // namespace tilegpt::emulator

#endif
