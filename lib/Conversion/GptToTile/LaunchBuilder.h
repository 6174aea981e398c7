// Creates launches in a function of a model, with their globals and
// destinations.
#ifndef TILEGPT_LIB_CONVERSION_GPTTOTILE_LAUNCHBUILDER_H
#define TILEGPT_LIB_CONVERSION_GPTTOTILE_LAUNCHBUILDER_H

#include "KernelChoice.h"
#include "mlir/IR/SymbolTable.h"

namespace tilegpt::gpt {

/// The columns of activations.
int64_t columnsOf(mlir::Value rows);

/// Whether a kernel rounds rows to the activation type when it stores them:
/// inputs of matmuls, caches and all-reduces, and of the gates or GELU that
/// produce these. The residual stream, and inputs of norms and routers, stay
/// f32: their errors would accumulate from layer to layer.
bool isRounded(mlir::Value rows);

/// The globals of a model: weights and caches, declared on first use.
class Globals {
public:
  explicit Globals(ModelOp model) : model(model), symbols(model) {}

  /// The value of the global `name` at the start of the step. Fails with an
  /// error on `op` if the name is already used for something else.
  mlir::FailureOr<mlir::Value> get(mlir::OpBuilder &builder,
                                   mlir::Operation *op, llvm::StringRef name,
                                   tile::GlobalKind kind,
                                   mlir::RankedTensorType type);

private:
  ModelOp model;
  mlir::SymbolTable symbols;
};

/// Creates launches for the ops of one function, in order.
class LaunchBuilder {
public:
  LaunchBuilder(mlir::func::FuncOp function, const KernelTable &kernels,
                Globals &globals, mlir::Type matrixElement,
                mlir::Type activationElement);

  /// Sets the insertion point before `op`.
  void startAt(mlir::Operation *op) {
    current = op;
    builder.setInsertionPoint(op);
  }

  /// The weight `name` of this shape.
  /// \param element  nothing: the matrix type for a matrix, else f32.
  mlir::FailureOr<mlir::Value> weight(const llvm::Twine &name,
                                      llvm::ArrayRef<int64_t> shape,
                                      mlir::Type element = {});

  /// The cache `name` [B, shape…] of activations at the start of the step.
  mlir::FailureOr<mlir::Value> state(const llvm::Twine &name,
                                     llvm::ArrayRef<int64_t> shape);

  /// A destination tensor: [rows of `rowsLike`, columns…] of activations.
  mlir::Value destination(mlir::Value rowsLike, int64_t columns) {
    return destination(rowsLike, columns, activationElement);
  }
  /// The same for `result`, in the type that its users require.
  mlir::Value destinationOf(mlir::Value result, mlir::Value rowsLike) {
    return destination(rowsLike, columnsOf(result),
                       isRounded(result) ? activationElement
                                         : builder.getF32Type());
  }
  mlir::Value destination(mlir::Value rowsLike, llvm::ArrayRef<int64_t> columns,
                          mlir::Type element);

  /// The task of `op` for a kernel.
  Task task(mlir::Operation *op,
            llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// A word attribute of a task, and a unit attribute.
  mlir::NamedAttribute word(llvm::StringRef name, llvm::StringRef value);
  mlir::NamedAttribute flag(llvm::StringRef name);

  mlir::Value constant(mlir::TypedAttr value);
  /// A constant of f32.
  mlir::Value real(double value);

  /// A vector [0]: an absent optional vector.
  /// \param element  nothing: f32.
  mlir::Value emptyVector(mlir::Type element = {});

  bool isImplemented(const Task &task) const {
    return kernels.implements(task);
  }

  /// Launches the kernel chosen for `task`; the results are those of `outs`. A
  /// kernel that has one type for rows of different ones gets rounded ones, and
  /// one that stores only f32 has it rounded for it.
  mlir::FailureOr<mlir::ValueRange> launch(const Task &task,
                                           mlir::ValueRange ins,
                                           mlir::ValueRange outs,
                                           const llvm::Twine &label);

  mlir::Builder &attributes() { return builder; }
  int64_t numLaunches() const { return launches; }

private:
  mlir::SmallVector<mlir::Type> elementsFor(tile::KernelOp kernel,
                                            mlir::ValueRange operands) const;
  mlir::FailureOr<mlir::ValueRange> round(mlir::Value rows,
                                          const llvm::Twine &label);

  mlir::OpBuilder builder;
  mlir::Operation *current = nullptr;
  const KernelTable &kernels;
  Globals &globals;
  mlir::Type matrixElement, activationElement;
  Rows rows;
  int64_t launches = 0;
};

} // namespace tilegpt::gpt

#endif
