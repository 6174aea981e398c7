// The syntax of a kernel: arguments, implemented op and conditions, parameters
// and grid.
#include "ExprText.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilegpt::tile;

/// Parses `BM = 64 in [16, 64]`, `D = dim(%k, 3)` or `W: type = f32 in [f32,
/// bf16]`.
static ParseResult parseParam(OpAsmParser &parser, const ExprParser &exprs,
                              ParamAttr &param) {
  Builder &builder = parser.getBuilder();
  std::string name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&name))
    return failure();
  bool isType = succeeded(parser.parseOptionalColon());
  if (isType && failed(parser.parseOptionalKeyword("type")))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected 'type' after ':', as in X: type = f32; a "
                            "size is declared by ")
           << name << " = 64";
  if (parser.parseEqual())
    return failure();
  auto parseValue = [&](Attribute &value) -> ParseResult {
    if (isType) {
      Type type;
      if (parser.parseType(type))
        return failure();
      value = TypeAttr::get(type);
      return success();
    }
    ExprAttr expr;
    if (exprs.parse(expr))
      return failure();
    value = expr;
    if (auto constant =
            dyn_cast<AffineConstantExpr>(expr.getMap().getResult(0)))
      value = builder.getI64IntegerAttr(constant.getValue());
    return success();
  };
  Attribute defaultValue;
  if (parseValue(defaultValue))
    return failure();
  SmallVector<Attribute> candidates;
  if (succeeded(parser.parseOptionalKeyword("in")))
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parseValue(candidates.emplace_back());
        }))
      return failure();
  param =
      ParamAttr::getChecked([&] { return parser.emitError(loc); },
                            parser.getContext(), builder.getStringAttr(name),
                            defaultValue, builder.getArrayAttr(candidates));
  return success(param != nullptr);
}

static void printParam(OpAsmPrinter &printer, ParamAttr param,
                       const ExprPrinter &exprs) {
  auto printValue = [&](Attribute value) {
    if (auto type = dyn_cast<TypeAttr>(value))
      printer << type.getValue();
    else if (auto integer = dyn_cast<IntegerAttr>(value))
      printer << integer.getInt();
    else
      exprs.print(cast<ExprAttr>(value));
  };
  printer.printKeywordOrString(param.getName());
  printer << (param.isType() ? ": type = " : " = ");
  printValue(param.getDefaultValue());
  if (param.getCandidates().empty())
    return;
  printer << " in [";
  llvm::interleaveComma(param.getCandidates(), printer, printValue);
  printer << ']';
}

/// Parses `lhs <= rhs` with one of == < <= > >=.
static ParseResult parseCondition(OpAsmParser &parser, const ExprParser &exprs,
                                  ConditionAttr &condition) {
  ExprAttr lhs, rhs;
  if (exprs.parse(lhs))
    return failure();
  Comparison comparison;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLess()))
    comparison = succeeded(parser.parseOptionalEqual()) ? Comparison::LE
                                                        : Comparison::LT;
  else if (succeeded(parser.parseOptionalGreater()))
    comparison = succeeded(parser.parseOptionalEqual()) ? Comparison::GE
                                                        : Comparison::GT;
  else if (succeeded(parser.parseOptionalEqual()) &&
           succeeded(parser.parseOptionalEqual()))
    comparison = Comparison::EQ;
  else
    return parser.emitError(loc, "expected one of == < <= > >=");
  if (exprs.parse(rhs))
    return failure();
  condition = ConditionAttr::get(parser.getContext(), lhs, comparison, rhs);
  return success();
}

/// Parses `implements(gpt.linear {activation = "gelu"})`.
static ParseResult parseImplements(OpAsmParser &parser,
                                   ImplementsAttr &implements) {
  Builder &builder = parser.getBuilder();
  std::string name;
  NamedAttrList attributes;
  if (parser.parseLParen() || parser.parseKeywordOrString(&name) ||
      parser.parseOptionalAttrDict(attributes) || parser.parseRParen())
    return failure();
  implements =
      ImplementsAttr::get(parser.getContext(), builder.getStringAttr(name),
                          attributes.getDictionary(parser.getContext()));
  return success();
}

/// Parses `grid`, which follows all other clauses.
static ParseResult parseGridKeyword(OpAsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("grid")))
    return success();
  InFlightDiagnostic error = parser.emitError(
      parser.getCurrentLocation(), "expected 'outs', 'implements', 'where', "
                                   "'requires', 'params' or 'grid', in this "
                                   "order");
  StringRef found;
  if (succeeded(parser.parseOptionalKeyword(&found)))
    error << ", found '" << found << "'";
  return error;
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments, outs;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("outs")) &&
      parser.parseArgumentList(outs, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  llvm::append_range(arguments, outs);
  result.addAttribute(getNumOutsAttrName(result.name),
                      builder.getI64IntegerAttr(outs.size()));

  ExprParser exprs(parser, arguments);
  ImplementsAttr implements;
  SmallVector<Attribute> params, grid;
  if (succeeded(parser.parseOptionalKeyword("implements")) &&
      parseImplements(parser, implements))
    return failure();
  if (implements)
    result.addAttribute(getImplementsAttrName(result.name), implements);

  auto parseConditions = [&](StringRef keyword,
                             StringAttr attribute) -> ParseResult {
    if (failed(parser.parseOptionalKeyword(keyword)))
      return success();
    SmallVector<Attribute> conditions;
    auto parseOne = [&]() -> ParseResult {
      ConditionAttr condition;
      if (parseCondition(parser, exprs, condition))
        return failure();
      conditions.push_back(condition);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
      return failure();
    result.addAttribute(attribute, builder.getArrayAttr(conditions));
    return success();
  };
  if (parseConditions("where", getConditionsAttrName(result.name)) ||
      parseConditions("requires", getRequirementsAttrName(result.name)))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("params"))) {
    auto parseOne = [&]() -> ParseResult {
      ParamAttr param;
      if (parseParam(parser, exprs, param))
        return failure();
      params.push_back(param);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseOne))
      return failure();
  }
  result.addAttribute(getParamsAttrName(result.name),
                      builder.getArrayAttr(params));

  auto parseAxis = [&]() -> ParseResult {
    ExprAttr expr;
    if (exprs.parse(expr))
      return failure();
    grid.push_back(expr);
    return success();
  };
  if (parseGridKeyword(parser))
    return failure();
  if (failed(parser.parseOptionalKeyword("launch"))) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
      return failure();
    if (grid.empty())
      return parser.emitError(loc, "expected a grid of 1 to 3 axes, found 0; "
                                   "'grid launch' leaves it to the launch");
  }
  result.addAttribute(getGridAttrName(result.name), builder.getArrayAttr(grid));

  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  auto printArguments = [&](Block::BlockArgListType arguments) {
    printer << '(';
    llvm::interleaveComma(arguments, printer, [&](BlockArgument argument) {
      printer.printRegionArgument(argument);
    });
    printer << ')';
  };
  printArguments(getIns());
  if (getNumOuts() != 0) {
    printer << " outs";
    printArguments(getOuts());
  }
  auto printSource = [&](Attribute source) {
    if (auto name = dyn_cast<StringAttr>(source))
      return printer.printKeywordOrString(name.getValue());
    ArrayRef<int64_t> at = cast<DenseI64ArrayAttr>(source).asArrayRef();
    if (at.size() == 2)
      printer << "dim(" << getArguments()[at[0]] << ", " << at[1] << ')';
    else
      printer << getArguments()[at[0]];
  };
  ExprPrinter exprs(printer.getStream(), printSource);
  auto startLine = [&] {
    printer.printNewline();
    printer << "    ";
  };
  if (ImplementsAttr implements = getImplementsAttr()) {
    startLine();
    printer << "implements(";
    printer.printKeywordOrString(implements.getOpName());
    printer.printOptionalAttrDict(implements.getAttributes().getValue());
    printer << ')';
  }
  for (auto [keyword, conditions] :
       {std::pair("where(", getConditionsAttr()),
        std::pair("requires(", getRequirementsAttr())}) {
    if (!conditions)
      continue;
    startLine();
    printer << keyword;
    llvm::interleaveComma(
        conditions.getAsRange<ConditionAttr>(), printer,
        [&](ConditionAttr condition) { exprs.print(condition); });
    printer << ')';
  }
  if (!getParams().empty()) {
    startLine();
    printer << "params {";
    llvm::interleaveComma(
        getParams().getAsRange<ParamAttr>(), printer,
        [&](ParamAttr param) { printParam(printer, param, exprs); });
    printer << '}';
  }
  startLine();
  if (isRaw()) {
    printer << "grid launch";
  } else {
    printer << "grid [";
    llvm::interleaveComma(getGrid().getAsRange<ExprAttr>(), printer,
                          [&](ExprAttr expr) { exprs.print(expr); });
    printer << ']';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getNumOutsAttrName(), getImplementsAttrName(),
       getConditionsAttrName(), getRequirementsAttrName(), getParamsAttrName(),
       getGridAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}
