// Recomputes values of a thread after loops, instead of keeping them in
// registers.
#ifndef TILEGPT_LIB_TARGET_NVVM_REMATERIALIZE_H
#define TILEGPT_LIB_TARGET_NVVM_REMATERIALIZE_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilegpt::target {

/// Recomputes integers and addresses that are functions of the thread's number,
/// of arguments and of warp-uniform values wherever they would otherwise live
/// through a loop that does not use them. LLVM hoists such values, for example
/// the shared memory addresses of an epilogue, out of the loop over tiles of a
/// persistent kernel, so they take registers in its main loop.
/// \param module  optimized; must not be optimized again
/// \returns whether anything changed.
bool rematerialize(llvm::Module &module);

} // namespace tilegpt::target

#endif // TILEGPT_LIB_TARGET_NVVM_REMATERIALIZE_H
