// A recursive-descent parser and the printer of size expressions, represented
// as semi-affine expressions over symbols.
#include "ExprText.h"
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilegpt::tile {

/// The sources seen so far; equal sources share a symbol.
struct ExprParser::Symbols {
  llvm::SmallSetVector<Attribute, 4> sources;

  AffineExpr get(Attribute source, MLIRContext *context) {
    sources.insert(source);
    auto *it = llvm::find(sources, source);
    return getAffineSymbolExpr(it - sources.begin(), context);
  }
};

ParseResult ExprParser::parse(ExprAttr &expr) const {
  Symbols symbols;
  AffineExpr result;
  if (parseSum(result, symbols))
    return failure();
  expr = ExprAttr::get(
      parser.getContext(), AffineMap::get(0, symbols.sources.size(), result),
      parser.getBuilder().getArrayAttr(symbols.sources.getArrayRef()));
  return success();
}

ParseResult ExprParser::combine(SMLoc loc, AffineExprKind kind, AffineExpr &lhs,
                                AffineExpr rhs) const {
  llvm::Expected<AffineExpr> combined = tile::combine(kind, lhs, rhs);
  if (!combined)
    return parser.emitError(loc) << llvm::toString(combined.takeError());
  lhs = *combined;
  return success();
}

ParseResult ExprParser::parseSum(AffineExpr &expr, Symbols &symbols) const {
  if (parseProduct(expr, symbols))
    return failure();
  while (true) {
    bool plus = succeeded(parser.parseOptionalPlus());
    if (!plus && failed(parser.parseOptionalMinus()))
      return success();
    SMLoc loc = parser.getCurrentLocation();
    AffineExpr rhs, minus = getAffineConstantExpr(-1, parser.getContext());
    if (parseProduct(rhs, symbols) ||
        (!plus && combine(loc, AffineExprKind::Mul, rhs, minus)) ||
        combine(loc, AffineExprKind::Add, expr, rhs))
      return failure();
  }
}

ParseResult ExprParser::parseProduct(AffineExpr &expr, Symbols &symbols) const {
  if (parseAtom(expr, symbols))
    return failure();
  while (succeeded(parser.parseOptionalStar())) {
    SMLoc loc = parser.getCurrentLocation();
    AffineExpr rhs;
    if (parseAtom(rhs, symbols) || combine(loc, AffineExprKind::Mul, expr, rhs))
      return failure();
  }
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalSlash()))
    return parser.emitError(loc, "expected ceildiv(a, b) or floordiv(a, b) "
                                 "instead of '/', which does not say how to "
                                 "round");
  return success();
}

ParseResult ExprParser::parseArgument(int64_t &number) const {
  OpAsmParser::UnresolvedOperand operand;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(operand))
    return failure();
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (argument.ssaName.name == operand.name &&
        argument.ssaName.number == operand.number) {
      number = index;
      return success();
    }
  return parser.emitError(loc)
         << operand.name << " is not an argument of the kernel";
}

ParseResult ExprParser::parseAtom(AffineExpr &expr, Symbols &symbols) const {
  MLIRContext *context = parser.getContext();
  Builder &builder = parser.getBuilder();
  SMLoc loc = parser.getCurrentLocation();
  int64_t value;
  OptionalParseResult integer = parser.parseOptionalInteger(value);
  if (integer.has_value()) {
    expr = getAffineConstantExpr(value, context);
    return *integer;
  }
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parseSum(expr, symbols) || parser.parseRParen());

  std::string name;
  if (failed(parser.parseOptionalKeywordOrString(&name))) {
    int64_t argument;
    if (parseArgument(argument))
      return failure();
    expr = symbols.get(builder.getDenseI64ArrayAttr({argument}), context);
    return success();
  }
  if (failed(parser.parseOptionalLParen())) {
    expr = symbols.get(builder.getStringAttr(name), context);
    return success();
  }
  if (name == "dim") {
    int64_t argument, axis;
    if (parseArgument(argument) || parser.parseComma() ||
        parser.parseInteger(axis) || parser.parseRParen())
      return failure();
    expr = symbols.get(builder.getDenseI64ArrayAttr({argument, axis}), context);
    return success();
  }
  AffineExpr lhs, rhs;
  if (parseSum(lhs, symbols) || parser.parseComma() || parseSum(rhs, symbols) ||
      parser.parseRParen())
    return failure();
  std::optional<AffineExprKind> kind =
      llvm::StringSwitch<std::optional<AffineExprKind>>(name)
          .Case("ceildiv", AffineExprKind::CeilDiv)
          .Case("floordiv", AffineExprKind::FloorDiv)
          .Case("mod", AffineExprKind::Mod)
          .Default(std::nullopt);
  if (!kind)
    return parser.emitError(loc)
           << "expected dim, ceildiv, floordiv or mod, found " << name;
  if (combine(loc, *kind, lhs, rhs))
    return failure();
  expr = lhs;
  return success();
}

/// `-expr` if `expr` is a negative constant or has a negative factor, so that a
/// sum prints as a difference; otherwise null.
static AffineExpr negateIfNegative(AffineExpr expr) {
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expr);
      product && product.getKind() == AffineExprKind::Mul) {
    AffineExpr factor = negateIfNegative(product.getRHS());
    return factor ? product.getLHS() * factor : AffineExpr();
  }
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  if (!constant || constant.getValue() >= 0 ||
      constant.getValue() == std::numeric_limits<int64_t>::min())
    return {};
  return getAffineConstantExpr(-constant.getValue(), expr.getContext());
}

void ExprPrinter::print(ExprAttr expr) const {
  print(expr.getMap().getResult(0), expr.getSources(), /*inProduct=*/false);
}

void ExprPrinter::print(ConditionAttr condition) const {
  print(condition.getLhs());
  stream << ' ' << stringifyComparison(condition.getComparison()) << ' ';
  print(condition.getRhs());
}

void ExprPrinter::print(AffineExpr expr, ArrayAttr sources,
                        bool inProduct) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    stream << constant.getValue();
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    printSource(sources[symbol.getPosition()]);
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto printFunction = [&](StringRef name) {
    stream << name << '(';
    print(binary.getLHS(), sources, false);
    stream << ", ";
    print(binary.getRHS(), sources, false);
    stream << ')';
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add: {
    if (inProduct)
      stream << '(';
    print(binary.getLHS(), sources, false);
    if (AffineExpr negated = negateIfNegative(binary.getRHS())) {
      stream << " - ";
      // A sum after a minus needs parentheses.
      print(negated, sources, true);
    } else {
      stream << " + ";
      print(binary.getRHS(), sources, false);
    }
    if (inProduct)
      stream << ')';
    return;
  }
  case AffineExprKind::Mul:
    print(binary.getLHS(), sources, true);
    stream << " * ";
    print(binary.getRHS(), sources, true);
    return;
  case AffineExprKind::CeilDiv:
    return printFunction("ceildiv");
  case AffineExprKind::FloorDiv:
    return printFunction("floordiv");
  case AffineExprKind::Mod:
    return printFunction("mod");
  default:
    llvm_unreachable("leaves are handled above");
  }
}

} // namespace tilegpt::tile
