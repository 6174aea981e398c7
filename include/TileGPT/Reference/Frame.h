// The context of an evaluator: the values of one function or kernel block,
// region execution, and error reporting.
#ifndef TILEGPT_REFERENCE_FRAME_H
#define TILEGPT_REFERENCE_FRAME_H

#include "TileGPT/Reference/Interpreter.h"
#include "TileGPT/Reference/KernelBinding.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

namespace tilegpt::reference {

class Frame {
public:
  explicit Frame(Interpreter &interpreter) : interp(interpreter) {}
  Frame(Interpreter &interpreter, const KernelBinding &kernel,
        std::array<int64_t, 3> block)
      : interp(interpreter), kernelBinding(&kernel), block(block) {}

  Interpreter &interpreter() { return interp; }

  /// The kernel whose block this frame is, or null in a function.
  const KernelBinding *kernel() const { return kernelBinding; }
  /// The index of the block along an axis of the grid.
  int64_t blockId(unsigned axis) const { return block[axis]; }

  const Value &value(mlir::Value value) const { return values.at(value); }
  const TensorRef &tensorRef(mlir::Value value) const {
    return std::get<TensorRef>(values.at(value));
  }
  const Tensor &tensor(mlir::Value value) const { return *tensorRef(value); }
  const View &view(mlir::Value value) const {
    return std::get<View>(values.at(value));
  }
  /// The value of an integer or index scalar.
  int64_t integer(mlir::Value value) const { return tensor(value).item().i; }
  Shape integers(mlir::ValueRange values) const;

  void define(mlir::Value result, Value value) {
    values[result] = std::move(value);
  }
  void define(mlir::Value result, Tensor tensor) {
    values[result] = std::make_shared<Tensor>(std::move(tensor));
  }
  void defineIndex(mlir::Value result, int64_t value) {
    define(result, Tensor(ElementType::I64, Element::of(value)));
  }

  /// The element type of a scalar, tensor or view type; type variables are
  /// those of the kernel.
  ElementType elementType(mlir::Type type) const;

  /// Tile sizes with the kernel's parameters in place.
  Shape sizes(mlir::ArrayAttr sizes) const;

  /// Binds the arguments of a block, runs its ops and returns the operands of
  /// its terminator.
  llvm::Expected<std::vector<Value>> run(mlir::Block &block,
                                         llvm::ArrayRef<Value> arguments);

private:
  llvm::Error runOp(mlir::Operation &op);

  Interpreter &interp;
  const KernelBinding *kernelBinding = nullptr;
  std::array<int64_t, 3> block = {0, 0, 0};
  llvm::DenseMap<mlir::Value, Value> values;
};

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_FRAME_H
