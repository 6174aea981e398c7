#ifndef TILEGPT_LIB_TARGET_HOST_STORESINGLEELEMENTS_H
#define TILEGPT_LIB_TARGET_HOST_STORESINGLEELEMENTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilegpt::target {

/// Replaces masked stores whose mask is a constant with one true element by
/// scalar stores. For a truncated vector, on targets with truncating masked
/// stores (AVX-512), LLVM 22 would store the element in its width before
/// truncation and overwrite the bytes after it.
void storeSingleElements(llvm::Module &module);

} // namespace tilegpt::target

#endif // TILEGPT_LIB_TARGET_HOST_STORESINGLEELEMENTS_H
