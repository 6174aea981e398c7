// Text of accesses through views.
#include "OpText.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Operand = OpAsmParser::UnresolvedOperand;

namespace {
/// The parts of these ops' assembly.
struct AccessText {
  Operand view, value, token;
  SmallVector<Operand> indices;
  bool hasValue = false, hasToken = false;
  Type viewType, valueType;
  SmallVector<Type> indexTypes;
};
} // namespace

template <typename Attr, typename Enum>
static ParseResult parseEnum(OpAsmParser &parser, StringRef expected,
                             Attr &attribute) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  std::optional<Enum> value;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    value = symbolizeEnum<Enum>(word);
  if (!value)
    return parser.emitError(loc)
           << "expected " << expected << ", found '" << word << "'";
  attribute = Attr::get(parser.getContext(), *value);
  return success();
}

/// Reads `relaxed device`, `weak`.
template <typename Op>
static ParseResult parseMemoryOrder(OpAsmParser &parser,
                                    OperationState &result) {
  MemoryOrderAttr order;
  if (parseEnum<MemoryOrderAttr, MemoryOrder>(
          parser, "a memory order: weak, relaxed, acquire, release or acq_rel",
          order))
    return failure();
  result.addAttribute(Op::getMemoryOrderingSemanticsAttrName(result.name),
                      order);
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return success();
  std::optional<MemoryScope> scope = symbolizeEnum<MemoryScope>(word);
  if (!scope)
    return parser.emitError(loc)
           << "expected a scope: tl_blk, device or sys, found '" << word << "'";
  result.addAttribute(Op::getMemoryScopeAttrName(result.name),
                      MemoryScopeAttr::get(parser.getContext(), *scope));
  return success();
}

/// Reads `[true, false]`.
static ParseResult parseBools(OpAsmParser &parser, DenseBoolArrayAttr &bools) {
  SmallVector<bool> values;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word, {"true", "false"})))
      return parser.emitError(loc) << "expected true or false";
    values.push_back(word == "true");
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne))
    return failure();
  bools = parser.getBuilder().getDenseBoolArrayAttr(values);
  return success();
}

/// Reads `token = %t`, `inbounds = [true, false]` and `optimization_hints =
/// <…>` in any order, each at most once, then an attribute dictionary.
template <typename Op>
static ParseResult parseTail(OpAsmParser &parser, OperationState &result,
                             AccessText &text, bool hasHints) {
  SmallVector<StringRef> words = {"token", "inbounds"};
  if (hasHints)
    words.push_back("optimization_hints");
  StringRef word;
  while (succeeded(parser.parseOptionalKeyword(&word, words))) {
    llvm::erase(words, word);
    if (parser.parseEqual())
      return failure();
    if (word == "token") {
      text.hasToken = true;
      if (parser.parseOperand(text.token))
        return failure();
    } else if (word == "inbounds") {
      DenseBoolArrayAttr inbounds;
      if (parseBools(parser, inbounds))
        return failure();
      result.addAttribute(Op::getInboundsAttrName(result.name), inbounds);
    } else {
      OptimizationHintsAttr hints;
      if (parseHints(parser, hints))
        return failure();
      result.addAttribute("optimization_hints", hints);
    }
  }
  return parser.parseOptionalAttrDictWithKeyword(result.attributes);
}

/// Reads `: [value,] view[, index types]`, one type for all indices or one
/// each.
static ParseResult parseTypes(OpAsmParser &parser, AccessText &text) {
  if (parser.parseColon())
    return failure();
  if (text.hasValue &&
      (parseCudaTileType(parser, text.valueType) || parser.parseComma()))
    return failure();
  if (parseCudaTileType(parser, text.viewType))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.getCurrentLocation(&loc) ||
       parseCudaTileType(parser, text.indexTypes)))
    return failure();
  if (text.indexTypes.size() == 1)
    text.indexTypes.resize(text.indices.size(), text.indexTypes.front());
  if (text.indexTypes.size() != text.indices.size())
    return parser.emitError(loc)
           << "expected a type of the indices, or " << text.indices.size()
           << " types, found " << text.indexTypes.size();
  return success();
}

/// Reads `-> types`.
static ParseResult parseAccessResults(OpAsmParser &parser,
                                      OperationState &result) {
  return failure(parser.parseArrow() ||
                 parseCudaTileType(parser, result.types));
}

static ParseResult resolveIndices(OpAsmParser &parser, OperationState &result,
                                  const AccessText &text) {
  return parser.resolveOperands(text.indices, text.indexTypes,
                                parser.getNameLoc(), result.operands);
}

static ParseResult resolveToken(OpAsmParser &parser, OperationState &result,
                                const AccessText &text) {
  if (!text.hasToken)
    return success();
  return parser.resolveOperand(text.token, TokenType::get(parser.getContext()),
                               result.operands);
}

static ParseResult parseViewAndIndices(OpAsmParser &parser, AccessText &text) {
  return failure(
      parser.parseOperand(text.view) ||
      parser.parseOperandList(text.indices, OpAsmParser::Delimiter::Square));
}

/// Reads `, add`.
template <typename Op>
static ParseResult parseReduction(OpAsmParser &parser, OperationState &result) {
  MultimemReductionAttr reduction;
  if (parser.parseComma() ||
      parseEnum<MultimemReductionAttr, MultimemReduction>(
          parser, "a reduction: add, min, max, and, or, xor, umin or umax",
          reduction))
    return failure();
  result.addAttribute(Op::getReductionAttrName(result.name), reduction);
  return success();
}

/// Loads: `%view[%i] … : view, index -> tile, token`.
template <typename Op>
static ParseResult parseLoad(OpAsmParser &parser, OperationState &result,
                             bool hasHints) {
  AccessText text;
  if (parseMemoryOrder<Op>(parser, result) || parseViewAndIndices(parser, text))
    return failure();
  if constexpr (std::is_same_v<Op, MultimemLoadReduceViewTkoOp>)
    if (parseReduction<Op>(parser, result))
      return failure();
  if (parseTail<Op>(parser, result, text, hasHints) ||
      parseTypes(parser, text) || parseAccessResults(parser, result) ||
      parser.resolveOperand(text.view, text.viewType, result.operands) ||
      resolveIndices(parser, result, text) ||
      resolveToken(parser, result, text))
    return failure();
  auto &properties = result.getOrAddProperties<typename Op::Properties>();
  properties.operandSegmentSizes = {1, int32_t(text.indices.size()),
                                    text.hasToken};
  return success();
}

static ParseResult resolveView(OpAsmParser &parser, OperationState &result,
                               const AccessText &text) {
  return parser.resolveOperand(text.view, text.viewType, result.operands);
}
static ParseResult resolveValue(OpAsmParser &parser, OperationState &result,
                                const AccessText &text) {
  return parser.resolveOperand(text.value, text.valueType, result.operands);
}

/// Stores: `%tile, %view[%i] … : tile, view, index -> token`.
template <typename Op>
static ParseResult parseStore(OpAsmParser &parser, OperationState &result,
                              bool hasHints) {
  constexpr bool viewFirst = std::is_same_v<Op, MultimemStoreViewTkoOp>;
  AccessText text;
  text.hasValue = true;
  if (parseMemoryOrder<Op>(parser, result) || parser.parseOperand(text.value) ||
      parser.parseComma() || parseViewAndIndices(parser, text) ||
      parseTail<Op>(parser, result, text, hasHints) ||
      parseTypes(parser, text) || parseAccessResults(parser, result) ||
      (viewFirst && resolveView(parser, result, text)) ||
      resolveValue(parser, result, text) ||
      (!viewFirst && resolveView(parser, result, text)) ||
      resolveIndices(parser, result, text) ||
      resolveToken(parser, result, text))
    return failure();
  auto &properties = result.getOrAddProperties<typename Op::Properties>();
  properties.operandSegmentSizes = {1, 1, int32_t(text.indices.size()),
                                    text.hasToken};
  return success();
}

/// Prints an order and a scope.
template <typename Op>
static void printMemoryOrder(OpAsmPrinter &printer, Op op) {
  printer << ' ' << stringifyEnum(op.getMemoryOrderingSemantics());
  if (MemoryScopeAttr scope = op.getMemoryScopeAttr())
    printer << ' ' << stringifyEnum(scope.getValue());
}

/// Prints from the token to the types of the indices; a value's type first.
template <typename Op>
static void printTail(OpAsmPrinter &printer, Op op, Value value) {
  printer << '[' << op.getIndex() << ']';
  if constexpr (std::is_same_v<Op, AtomicRedViewTkoOp>)
    printer << ", " << stringifyEnum(op.getMode()) << ", " << value;
  if constexpr (std::is_same_v<Op, MultimemReduceViewTkoOp>)
    printer << ", " << stringifyEnum(op.getReduction()) << ", " << value;
  if constexpr (std::is_same_v<Op, MultimemLoadReduceViewTkoOp>)
    printer << ", " << stringifyEnum(op.getReduction());
  if (op.getToken())
    printer << " token = " << op.getToken();
  // All false is what no list says, and what bytecode leaves out.
  if (auto inbounds = op.getInbounds();
      inbounds && llvm::is_contained(*inbounds, true)) {
    printer << " inbounds = [";
    llvm::interleaveComma(*inbounds, printer, [&](bool inside) {
      printer << (inside ? "true" : "false");
    });
    printer << ']';
  }
  if (auto hints = op->template getAttrOfType<OptimizationHintsAttr>(
          "optimization_hints")) {
    printer << " optimization_hints = ";
    hints.print(printer);
  }
  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(),
      {"memory_ordering_semantics", "memory_scope", "optimization_hints",
       "inbounds", "mode", "reduction", "operandSegmentSizes"});
  printer << " : ";
  if (value) {
    printCudaTileType(printer, value.getType());
    printer << ", ";
  }
  printCudaTileType(printer, op.getView().getType());
  TypeRange types = op.getIndex().getTypes();
  if (!types.empty()) {
    printer << ", ";
    printCudaTileType(printer,
                      llvm::all_equal(types) ? types.take_front() : types);
  }
  printer << " -> ";
  printCudaTileType(printer, op->getResultTypes());
}

ParseResult LoadViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseLoad<LoadViewTkoOp>(parser, result, /*hasHints=*/true);
}
void LoadViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, *this);
  printer << ' ' << getView();
  printTail(printer, *this, {});
}

ParseResult StoreViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseStore<StoreViewTkoOp>(parser, result, /*hasHints=*/true);
}
void StoreViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, *this);
  printer << ' ' << getTile() << ", " << getView();
  printTail(printer, *this, getTile());
}

ParseResult AtomicRedViewTkoOp::parse(OpAsmParser &parser,
                                      OperationState &result) {
  AccessText text;
  text.hasValue = true;
  AtomicModeAttr mode;
  if (parseMemoryOrder<AtomicRedViewTkoOp>(parser, result) ||
      parseViewAndIndices(parser, text) || parser.parseComma() ||
      parseEnum<AtomicModeAttr, AtomicMode>(
          parser, "an update: and, or, xor, add, addf, max, min, umax or umin",
          mode) ||
      parser.parseComma() || parser.parseOperand(text.value) ||
      parseTail<AtomicRedViewTkoOp>(parser, result, text, /*hasHints=*/false) ||
      parseTypes(parser, text) || parseAccessResults(parser, result) ||
      resolveView(parser, result, text) ||
      resolveIndices(parser, result, text) ||
      resolveValue(parser, result, text) || resolveToken(parser, result, text))
    return failure();
  result.addAttribute(getModeAttrName(result.name), mode);
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, int32_t(text.indices.size()), 1, text.hasToken};
  return success();
}
void AtomicRedViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, *this);
  printer << ' ' << getView();
  printTail(printer, *this, getValue());
}

ParseResult MultimemLoadReduceViewTkoOp::parse(OpAsmParser &parser,
                                               OperationState &result) {
  return parseLoad<MultimemLoadReduceViewTkoOp>(parser, result,
                                                /*hasHints=*/false);
}
void MultimemLoadReduceViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, *this);
  printer << ' ' << getView();
  printTail(printer, *this, {});
}

ParseResult MultimemReduceViewTkoOp::parse(OpAsmParser &parser,
                                           OperationState &result) {
  AccessText text;
  text.hasValue = true;
  using Op = MultimemReduceViewTkoOp;
  if (parseMemoryOrder<Op>(parser, result) ||
      parseViewAndIndices(parser, text) || parseReduction<Op>(parser, result) ||
      parser.parseComma() || parser.parseOperand(text.value) ||
      parseTail<Op>(parser, result, text, /*hasHints=*/false) ||
      parseTypes(parser, text) || parseAccessResults(parser, result) ||
      resolveView(parser, result, text) || resolveValue(parser, result, text) ||
      resolveIndices(parser, result, text) ||
      resolveToken(parser, result, text))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, 1, int32_t(text.indices.size()), text.hasToken};
  return success();
}
void MultimemReduceViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, *this);
  printer << ' ' << getView();
  printTail(printer, *this, getTile());
}

ParseResult MultimemStoreViewTkoOp::parse(OpAsmParser &parser,
                                          OperationState &result) {
  return parseStore<MultimemStoreViewTkoOp>(parser, result, /*hasHints=*/false);
}
void MultimemStoreViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, *this);
  printer << ' ' << getTile() << ", " << getView();
  printTail(printer, *this, getTile());
}

} // namespace tilegpt::cuda_tile
