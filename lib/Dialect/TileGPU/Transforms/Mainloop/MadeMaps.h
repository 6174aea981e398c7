// TMA descriptors of views whose addresses only the kernel knows.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MADEMAPS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MADEMAPS_H

#include "Mainloop/MainloopRings.h"

namespace tilegpt::tilegpu {

/// The descriptors that a producer encodes itself. Each has a state that the
/// producer carries behind the cursors of its rings: whether its view has
/// changed since it was encoded.
class MadeMaps {
public:
  /// Claims memory for them at the builder's insertion point.
  /// \param cursors  gains the states.
  MadeMaps(mlir::OpBuilder &builder, KernelRings &rings,
           llvm::SmallVector<mlir::Value> &cursors);

  /// Whether an op makes a view with a descriptor.
  bool isView(mlir::Operation *op) const;
  /// Reproduces such a view, and notes that it has changed.
  void takeView(mlir::OpBuilder &builder, mlir::Value view,
                mlir::IRMapping &known,
                llvm::SmallVector<mlir::Value> &cursors) const;
  /// Encodes the descriptors of a loop whose views have changed: only loops
  /// that copy pay for it.
  void encode(mlir::OpBuilder &builder, LoopRings &loop, mlir::IRMapping &known,
              llvm::SmallVector<mlir::Value> &cursors) const;
  /// The descriptor of a stream.
  mlir::Value mapOf(const StreamUse &stream) const;
  /// Returns the memory when all copies are complete.
  void release(mlir::OpBuilder &builder,
               llvm::ArrayRef<mlir::Value> cursors) const;

private:
  struct Entry {
    mlir::Value view, map;
    TensorMapType type;
  };

  /// The number of a stream's descriptor; none if its launch encodes it.
  std::optional<size_t> find(const StreamUse &stream) const;
  void finishCopies(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::ArrayRef<mlir::Value> cursors) const;

  KernelRings &rings;
  llvm::SmallVector<Entry> entries;
  mlir::Value slot;
};

} // namespace tilegpt::tilegpu

#endif
