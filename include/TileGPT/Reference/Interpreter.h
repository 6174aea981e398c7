// The reference interpreter: runs kernels and graphs on host tensors, in double
// precision, one op after the other. It is the oracle every compiled kernel is
// compared with, so it is written to be read, not to be fast.
#ifndef TILEGPT_REFERENCE_INTERPRETER_H
#define TILEGPT_REFERENCE_INTERPRETER_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Reference/AddressSpace.h"
#include "TileGPT/Reference/Exchange.h"
#include "TileGPT/Reference/KernelBinding.h"
#include "TileGPT/Reference/Registry.h"
#include "TileGPT/Reference/Value.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace tilegpt::reference {

/// Every arithmetic op computes in double, whatever float type it has; values
/// are rounded by `arith.truncf`, by `tile.cast` and where they enter memory.
/// What MLIR leaves undefined (division by zero, an index outside a tile, a
/// broken promise) is an error here. Errors name the location of the op.
class Interpreter {
public:
  /// Interprets the functions and kernels in `module`, which must outlive the
  /// interpreter and not change. `sequences` is the size of the open first axis
  /// of state.
  explicit Interpreter(mlir::ModuleOp module, int64_t sequences = 1);

  /// Gives the weight or state of this name its value. State that is not bound
  /// starts as zeros, a weight must be bound before it is read.
  void bind(llvm::StringRef name, Tensor value);

  /// Makes this the interpreter of one of several ranks, each of which runs the
  /// same functions in a thread of its own. Without it there is one rank.
  void setExchange(Exchange exchange) { ranks = std::move(exchange); }
  const Exchange &exchange() const { return ranks; }

  /// The value of a weight or state, or null.
  TensorRef lookup(llvm::StringRef name) const;

  /// Calls the `func.func` of this name. State keeps its value from call to
  /// call.
  llvm::Expected<std::vector<TensorRef>> call(llvm::StringRef function,
                                              std::vector<TensorRef> arguments);

  /// Runs all blocks of a kernel. Arguments are views, pointers (views of rank
  /// 0) and scalars (tensors of rank 0) as declared by the kernel; results are
  /// in the memory of its views. Addresses that this memory holds become those
  /// of the interpreter. `parameters` (may be null) overrides declared
  /// defaults. A raw kernel needs a `grid`.
  llvm::Error runKernel(tile::KernelOp kernel, llvm::ArrayRef<Value> arguments,
                        mlir::DictionaryAttr parameters = {},
                        std::optional<Grid> grid = {});

  /// The kernel of this name, or null.
  tile::KernelOp findKernel(llvm::StringRef name) const;
  /// The function of this name, or null.
  mlir::func::FuncOp findFunction(llvm::StringRef name) const;

  /// Addresses of memory that kernels have used as integers.
  AddressSpace &addresses() { return addressSpace; }

  /// The memory that a kernel's blocks share under a name; null until one of
  /// them has made it.
  TensorRef &sharedMemory(tile::KernelOp kernel, llvm::StringRef name) {
    return kernelMemory[kernel][name];
  }

  /// Evaluators by op; more can be added.
  Registry &registry() { return evaluators; }

  /// Runs the body of a function; arguments and results are those of the block.
  llvm::Expected<std::vector<Value>> runFunction(mlir::func::FuncOp function,
                                                 std::vector<Value> arguments);

  /// The value of state `name`, which starts as zeros; an open first axis has
  /// one entry for each sequence.
  llvm::Expected<TensorRef> state(llvm::StringRef name, ElementType type,
                                  llvm::ArrayRef<int64_t> shape);

  /// Makes `next` the value of the state that `current` is the value of, if it
  /// is one.
  void advanceState(const TensorRef &current, const TensorRef &next);

private:
  friend class Frame;

  mlir::ModuleOp module;
  int64_t sequences;
  Registry evaluators;
  Exchange ranks;
  AddressSpace addressSpace;
  llvm::DenseMap<mlir::Operation *, llvm::StringMap<TensorRef>> kernelMemory;
  llvm::StringMap<TensorRef> globals;
  int depth = 0; ///< regions being run, one inside the other
};

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_INTERPRETER_H
