// Fuses a producer and a consumer launch: legality, and the fused kernel.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FUSEDKERNEL_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FUSEDKERNEL_H

#include "Fusion/GuestKernel.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"

namespace tilegpt::tile {

/// The kernels of a module's launches and their footprints, each computed once.
/// Kernels that have been looked up must not change; kernels are added and
/// removed through `getTable`.
class Footprints {
public:
  /// The kernel of a launch; null if it is not in the module.
  KernelOp kernelOf(LaunchOp launch) {
    return lookupKernel(tables, launch, launch.getKernelAttr().getAttr());
  }

  mlir::SymbolTable &getTable(mlir::Operation *table) {
    return tables.getSymbolTable(table);
  }

  const TileFootprint &of(KernelOp kernel) {
    std::unique_ptr<TileFootprint> &made = footprints[kernel];
    if (!made)
      made = std::make_unique<TileFootprint>(kernel);
    return *made;
  }

private:
  mlir::SymbolTableCollection tables;
  llvm::DenseMap<KernelOp, std::unique_ptr<TileFootprint>> footprints;
};

/// Which of the two kernels works on the tiles of the other.
enum class FusionKind {
  Epilogue, ///< the consumer, after the producer's store
  Prologue, ///< the producer, instead of the consumer's load
  Windows,  ///< an epilogue of a product whose consumer reads halves of it
  Append,   ///< the producer appends a row to those that the consumer reads
};

llvm::StringRef nameOf(FusionKind kind);

/// A producer, a consumer, and the tensor between them.
struct FusionEdge {
  LaunchOp producer, consumer;
  unsigned result;  ///< of the producer
  unsigned operand; ///< of the consumer

  mlir::Value tensor() { return producer.getResult(result); }
  /// The arguments of the two kernels that the tensor is passed as.
  unsigned producerArgument() { return producer.getIns().size() + result; }
  unsigned consumerArgument() const { return operand; }
};

/// Another tensor that the producer of an edge computes and its consumer reads.
struct TensorBeside {
  unsigned result;  ///< of the producer
  unsigned operand; ///< of the consumer
};

/// An edge that can be fused.
struct Fusion {
  FusionEdge edge;
  FusionKind kind;
  KernelOp host, guest;
  /// Whether the tensor has other readers, so that it is still stored.
  bool keepsTensor;
  /// Axes of the host's grid along which all blocks compute the same tile of
  /// the tensor.
  llvm::SmallVector<int64_t> repeatedGridAxes;
  /// For an epilogue: other tensors whose tiles are passed as well.
  llvm::SmallVector<TensorBeside> beside;

  /// Whether the guest runs after the host.
  bool isBehind() const {
    return kind != FusionKind::Prologue && kind != FusionKind::Append;
  }
  LaunchOp hostLaunch() { return isBehind() ? edge.producer : edge.consumer; }
  LaunchOp guestLaunch() { return isBehind() ? edge.consumer : edge.producer; }
  unsigned hostArgument() {
    return isBehind() ? edge.producerArgument() : edge.consumerArgument();
  }
  unsigned guestArgument() {
    return isBehind() ? edge.consumerArgument() : edge.producerArgument();
  }
};

/// Checks whether the two launches of an edge can be fused in place of the
/// second one.
/// \returns an error that explains why not.
llvm::Expected<Fusion> checkFusion(FusionEdge edge, FusionKind kind,
                                   Footprints &footprints);

/// A fused kernel and the operands of its launch.
struct FusedLaunch {
  mlir::OwningOpRef<KernelOp> kernel;
  llvm::SmallVector<mlir::Value> ins, outs;
  /// By out: the corresponding result of the original launches.
  llvm::SmallVector<mlir::Value> results;
  mlir::DictionaryAttr params; ///< may be null
};

/// Creates the kernel of a fusion.
/// \returns an error if that is impossible: a size of the tensor that no other
///         argument has.
llvm::Expected<FusedLaunch> fuseTexts(Fusion &fusion, Rounding rounding);

} // namespace tilegpt::tile

#endif
