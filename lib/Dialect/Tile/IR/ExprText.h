// Parses and prints the expression language of kernel headers: `ceildiv(dim(%y,
// 0), BM) + 1`.
#ifndef TILEGPT_DIALECT_TILE_IR_EXPRTEXT_H
#define TILEGPT_DIALECT_TILE_IR_EXPRTEXT_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/IR/OpImplementation.h"

namespace tilegpt::tile {

/// Parses expressions over the arguments of one kernel. `+` and `-` bind weaker
/// than `*`; `ceildiv`, `floordiv` and `mod` are written as functions of two
/// expressions.
class ExprParser {
public:
  ExprParser(mlir::OpAsmParser &parser,
             llvm::ArrayRef<mlir::OpAsmParser::Argument> arguments)
      : parser(parser), arguments(arguments) {}

  mlir::ParseResult parse(ExprAttr &expr) const;

private:
  struct Symbols;
  /// Sets `lhs` to `tile::combine` of both.
  mlir::ParseResult combine(llvm::SMLoc loc, mlir::AffineExprKind kind,
                            mlir::AffineExpr &lhs, mlir::AffineExpr rhs) const;
  mlir::ParseResult parseSum(mlir::AffineExpr &expr, Symbols &symbols) const;
  mlir::ParseResult parseProduct(mlir::AffineExpr &expr,
                                 Symbols &symbols) const;
  mlir::ParseResult parseAtom(mlir::AffineExpr &expr, Symbols &symbols) const;
  mlir::ParseResult parseArgument(int64_t &number) const;

  mlir::OpAsmParser &parser;
  llvm::ArrayRef<mlir::OpAsmParser::Argument> arguments;
};

/// Prints expressions, and conditions `lhs <= rhs`.
class ExprPrinter {
public:
  /// \param printSource prints the source of a symbol.
  ExprPrinter(llvm::raw_ostream &stream,
              llvm::function_ref<void(mlir::Attribute)> printSource)
      : stream(stream), printSource(printSource) {}

  void print(ExprAttr expr) const;
  void print(ConditionAttr condition) const;

private:
  void print(mlir::AffineExpr expr, mlir::ArrayAttr sources,
             bool inProduct) const;

  llvm::raw_ostream &stream;
  llvm::function_ref<void(mlir::Attribute)> printSource;
};

} // namespace tilegpt::tile

#endif
