// Two launches, one of which reads what the other makes, as one: whether that
// is right, and the kernel that does it.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FUSEDKERNEL_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FUSEDKERNEL_H

#include "Fusion/GuestKernel.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"

namespace tilegpt::tile {

/// The kernels that launches of a module name, and their footprints, each made
/// once. Kernels that it was asked for must not change; those that come or go
/// do so through `getTable`.
class Footprints {
public:
  /// The kernel of a launch; null where it is not in the module.
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
  Epilogue, ///< the consumer, behind the producer's store
  Prologue, ///< the producer, in the place of the consumer's load
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
  /// Arguments of the two kernels that the tensor is given for.
  unsigned producerArgument() { return producer.getIns().size() + result; }
  unsigned consumerArgument() const { return operand; }
};

/// Another tensor that the producer of an edge makes and its consumer reads.
struct TensorBeside {
  unsigned result;  ///< of the producer
  unsigned operand; ///< of the consumer
};

/// An edge that may be fused.
struct Fusion {
  FusionEdge edge;
  FusionKind kind;
  KernelOp host, guest;
  /// Whether something else reads the tensor, so that it is still stored.
  bool keepsTensor;
  /// How many blocks of the host make the same tile of the tensor: the product
  /// over these axes of its grid.
  llvm::SmallVector<int64_t> repeatedGridAxes;
  /// Of an epilogue: tiles of these are handed over too.
  llvm::SmallVector<TensorBeside> beside;

  /// Whether the guest follows the host.
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

/// Whether the two launches of an edge may be one, in place of the second.
/// \returns an error that says why not.
llvm::Expected<Fusion> checkFusion(FusionEdge edge, FusionKind kind,
                                   Footprints &footprints);

/// The kernel of a fusion and what it is launched on.
struct FusedLaunch {
  mlir::OwningOpRef<KernelOp> kernel;
  llvm::SmallVector<mlir::Value> ins, outs;
  /// By out: the result of the two launches it stands for.
  llvm::SmallVector<mlir::Value> results;
  mlir::DictionaryAttr params; ///< may be null
};

/// Writes the text of a fusion.
/// \returns an error where the text cannot be written: a size of the tensor
///          that no other argument has.
llvm::Expected<FusedLaunch> fuseTexts(Fusion &fusion, Rounding rounding);

} // namespace tilegpt::tile

#endif
