// Integers of a kernel as sums of products: which of them are equal whatever
// the sizes are.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_INDEXSUMS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_INDEXSUMS_H

#include "TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <map>

namespace tilegpt::tile {

/// An integer polynomial: a sum of products of atoms, by their numbers.
class IndexSum {
public:
  IndexSum() = default; ///< 0
  static IndexSum constant(int64_t number);
  static IndexSum atom(unsigned number);

  IndexSum operator+(const IndexSum &other) const;
  IndexSum operator-(const IndexSum &other) const;
  IndexSum operator*(const IndexSum &other) const;
  /// The quotient where it leaves no remainder for any value of the atoms.
  std::optional<IndexSum> dividedBy(const IndexSum &divisor) const;
  /// The number, where it depends on no atom.
  std::optional<int64_t> getConstant() const;
  std::string toString() const;

  friend bool operator==(const IndexSum &, const IndexSum &) = default;

private:
  void add(const std::vector<unsigned> &product, int64_t factor);

  /// Factors by sorted products of atoms; none is 0.
  std::map<std::vector<unsigned>, int64_t> terms;
};

/// Reads the integers of one kernel. Sizes are those of a launch: equal where
/// the graph or a condition of the kernel says so. Integers are taken to be in
/// range, and casts between their types to keep them.
class IndexSums {
public:
  enum class Sizes {
    Launch, ///< a static size of an operand is its number
    Open,   ///< sizes are atoms: what is equal is so for other sizes, too
  };

  /// \param operands  of the launch, by argument
  IndexSums(KernelOp kernel, mlir::ValueRange operands, Sizes sizes);

  IndexSum of(mlir::Value value);
  IndexSum of(mlir::OpFoldResult value);
  IndexSum of(ExprAttr expr);
  IndexSum ofParam(mlir::StringAttr name);

private:
  IndexSum ofSize(unsigned argument, int64_t axis);
  IndexSum ofViewSize(mlir::Value view, int64_t axis);
  IndexSum ofExpr(mlir::AffineExpr expr, mlir::ArrayAttr sources);
  IndexSum ofSource(mlir::Attribute source);
  IndexSum ofOp(mlir::Operation *op, mlir::Value result);
  IndexSum quotient(const IndexSum &lhs, const IndexSum &rhs,
                    mlir::AffineExprKind kind);
  /// The text of what a value is computed by; equal texts are equal values.
  std::string textOf(mlir::Value value);
  IndexSum atom(const std::string &text);

  KernelOp kernel;
  llvm::SmallVector<mlir::Value> operands;
  Sizes sizes;
  std::map<std::string, unsigned> atoms;
  /// Sizes that are equal by a condition: of the later argument, the earlier.
  std::map<std::pair<unsigned, int64_t>, std::pair<unsigned, int64_t>> same;
};

} // namespace tilegpt::tile

#endif
