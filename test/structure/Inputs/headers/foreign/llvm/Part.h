namespace llvm::detail {
struct Part {};
} // namespace llvm::detail
