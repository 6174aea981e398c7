#ifndef TILEGPT_LIB_TARGET_HOST_STORESINGLEELEMENTS_H
#define TILEGPT_LIB_TARGET_HOST_STORESINGLEELEMENTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilegpt::target {

/// Turns masked stores whose mask is a constant with one true element into
/// stores of that element. Of a truncated vector LLVM 22 would store the
/// element as wide as it was before the truncation, over what lies behind it,
/// where the target has truncating masked stores (AVX-512).
void storeSingleElements(llvm::Module &module);

} // namespace tilegpt::target

#endif // TILEGPT_LIB_TARGET_HOST_STORESINGLEELEMENTS_H
