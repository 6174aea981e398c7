// Integers of a kernel as polynomials, to prove that they are equal for all
// sizes.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_INDEXSUMS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_INDEXSUMS_H

#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace tilegpt::tile {

/// An integer polynomial: a sum of products of numbered atoms.
class IndexSum {
public:
  IndexSum() = default; ///< 0
  static IndexSum constant(int64_t number);
  static IndexSum atom(unsigned number);

  IndexSum operator+(const IndexSum &other) const;
  IndexSum operator-(const IndexSum &other) const;
  IndexSum operator*(const IndexSum &other) const;
  /// The quotient, if it is exact for all values of the atoms.
  std::optional<IndexSum> dividedBy(const IndexSum &divisor) const;
  /// The value, if it depends on no atom.
  std::optional<int64_t> getConstant() const;
  std::string toString() const;

  friend bool operator==(const IndexSum &, const IndexSum &) = default;

private:
  void add(const std::vector<unsigned> &product, int64_t factor);

  /// Coefficients by sorted products of atoms; none is 0.
  std::map<std::vector<unsigned>, int64_t> terms;
};

/// Converts the integers of one kernel. Sizes of a launch are equal if the
/// graph or a condition of the kernel says so. Assumes that integers do not
/// overflow, also in casts.
class IndexSums {
public:
  enum class Sizes {
    Launch, ///< static sizes of operands are constants
    Open,   ///< sizes are atoms: equalities hold for other sizes, too
  };

  /// \param operands  of the launch, by argument, or the arguments of a kernel
  ///                  with bound sizes
  IndexSums(KernelOp kernel, mlir::ValueRange operands, Sizes sizes);

  /// Takes a value, such as an induction variable, for another integer.
  void replace(mlir::Value value, const IndexSum &by) { replaced[value] = by; }

  IndexSum of(mlir::Value value);
  IndexSum of(mlir::OpFoldResult value);
  IndexSum of(ExprAttr expr);
  IndexSum ofParam(mlir::StringAttr name);
  IndexSum ofViewSize(mlir::Value view, int64_t axis);

private:
  IndexSum ofSize(unsigned argument, int64_t axis);
  IndexSum ofExpr(mlir::AffineExpr expr, mlir::ArrayAttr sources);
  IndexSum ofSource(mlir::Attribute source);
  IndexSum ofOp(mlir::Operation *op, mlir::Value result);
  IndexSum quotient(const IndexSum &lhs, const IndexSum &rhs,
                    mlir::AffineExprKind kind);
  /// A textual key of a value's computation; equal keys imply equal values.
  std::string textOf(mlir::Value value);
  IndexSum atom(const std::string &text);

  KernelOp kernel;
  llvm::SmallVector<mlir::Value> operands;
  Sizes sizes;
  std::map<std::string, unsigned> atoms;
  llvm::DenseMap<mlir::Value, IndexSum> replaced;
  /// Sizes that a condition equates: maps the later argument's to the
  /// earlier's.
  std::map<std::pair<unsigned, int64_t>, std::pair<unsigned, int64_t>> same;
};

} // namespace tilegpt::tile

#endif
