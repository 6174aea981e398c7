// A tensor that is read in windows, as a tensor for each window.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_SPLITWINDOWS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_SPLITWINDOWS_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Two launches in front of the consumer of an edge that do the same as its
/// own, but hand over a tensor for every window that the consumer reads. They
/// are there to be fused, and go with this object.
struct WindowSplit {
  WindowSplit() = default;
  WindowSplit(const WindowSplit &) = delete;
  ~WindowSplit();

  mlir::OwningOpRef<KernelOp> producerKernel, consumerKernel;
  FusionEdge edge; ///< the first of the tensors
  llvm::SmallVector<mlir::Operation *> made;
};

/// Splits the tensor of an edge whose consumer reads two halves of it, gates
/// and what they let pass. A block of the producer then makes a tile of each:
/// what it loads along that axis it loads twice, from windows of its own.
/// \returns an error that says why the kernels cannot be written so.
llvm::Expected<std::unique_ptr<WindowSplit>>
splitWindows(FusionEdge edge, KernelOp producer, KernelOp consumer);

/// The launches of a split as an epilogue.
/// \returns an error that says why they are none.
llvm::Expected<Fusion> checkSplit(WindowSplit &split);

} // namespace tilegpt::tile

#endif
