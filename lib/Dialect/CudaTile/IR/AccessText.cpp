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

/// Attributes that have a place of their own in the text.
static constexpr StringLiteral writtenInFront[] = {"memory_ordering_semantics",
                                                   "memory_scope",
                                                   "optimization_hints",
                                                   "inbounds",
                                                   "mode",
                                                   "operandSegmentSizes"};

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
  SMLoc loc = parser.getCurrentLocation();
  NamedAttrList others;
  if (parser.parseOptionalAttrDictWithKeyword(others))
    return failure();
  for (NamedAttribute other : others)
    if (llvm::is_contained(writtenInFront, other.getName()))
      return parser.emitError(loc)
             << "expected other attributes than " << other.getName()
             << ", which is written in front of them";
  result.attributes.append(others);
  return success();
}

/// One type for all indices or one each.
static ParseResult matchIndexTypes(OpAsmParser &parser, SMLoc loc,
                                   AccessText &text) {
  if (text.indexTypes.size() == 1)
    text.indexTypes.resize(text.indices.size(), text.indexTypes.front());
  if (text.indexTypes.size() != text.indices.size())
    return parser.emitError(loc)
           << "expected a type of the indices, or " << text.indices.size()
           << " types, found " << text.indexTypes.size();
  return success();
}

/// Reads `: [value,] view[, index types]`.
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
  return matchIndexTypes(parser, loc, text);
}

/// Reads `: view, [value,] index types[, token]`, as multimem ops have it.
static ParseResult parseMultimemTypes(OpAsmParser &parser, AccessText &text) {
  SMLoc loc;
  if (parser.parseColon() || parseCudaTileType(parser, text.viewType) ||
      parser.parseComma())
    return failure();
  if (text.hasValue &&
      (parseCudaTileType(parser, text.valueType) || parser.parseComma()))
    return failure();
  if (parser.getCurrentLocation(&loc) ||
      parseCudaTileType(parser, text.indexTypes))
    return failure();
  if (text.hasToken) {
    if (!isa<TokenType>(text.indexTypes.back()))
      return parser.emitError(loc)
             << "expected the type of the token last, found "
             << text.indexTypes.back();
    text.indexTypes.pop_back();
  }
  return matchIndexTypes(parser, loc, text);
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

/// Loads: `%view[%i] … : view, index -> tile, token`.
static ParseResult parseLoad(OpAsmParser &parser, OperationState &result) {
  using Op = LoadViewTkoOp;
  AccessText text;
  if (parseMemoryOrder<Op>(parser, result) ||
      parseViewAndIndices(parser, text) ||
      parseTail<Op>(parser, result, text, /*hasHints=*/true) ||
      parseTypes(parser, text) || parseAccessResults(parser, result) ||
      parser.resolveOperand(text.view, text.viewType, result.operands) ||
      resolveIndices(parser, result, text) ||
      resolveToken(parser, result, text))
    return failure();
  auto &properties = result.getOrAddProperties<Op::Properties>();
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
static ParseResult parseStore(OpAsmParser &parser, OperationState &result) {
  using Op = StoreViewTkoOp;
  AccessText text;
  text.hasValue = true;
  if (parseMemoryOrder<Op>(parser, result) || parser.parseOperand(text.value) ||
      parser.parseComma() || parseViewAndIndices(parser, text) ||
      parseTail<Op>(parser, result, text, /*hasHints=*/true) ||
      parseTypes(parser, text) || parseAccessResults(parser, result) ||
      resolveValue(parser, result, text) || resolveView(parser, result, text) ||
      resolveIndices(parser, result, text) ||
      resolveToken(parser, result, text))
    return failure();
  auto &properties = result.getOrAddProperties<Op::Properties>();
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

/// Prints `token = %t` and `inbounds = [true, false]`.
template <typename Op>
static void printTokenAndInbounds(OpAsmPrinter &printer, Op op) {
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
}

/// Prints one type for indices of one type.
static void printIndexTypes(OpAsmPrinter &printer, TypeRange types) {
  printCudaTileType(printer,
                    llvm::all_equal(types) ? types.take_front() : types);
}

/// Prints from the indices to the types of the results; a value's type first.
template <typename Op>
static void printTail(OpAsmPrinter &printer, Op op, Value value) {
  printer << '[' << op.getIndex() << ']';
  if constexpr (std::is_same_v<Op, AtomicRedViewTkoOp>)
    printer << ", " << stringifyEnum(op.getMode()) << ", " << value;
  printTokenAndInbounds(printer, op);
  if (auto hints = op->template getAttrOfType<OptimizationHintsAttr>(
          "optimization_hints")) {
    printer << " optimization_hints = ";
    hints.print(printer);
  }
  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(), SmallVector<StringRef>(std::begin(writtenInFront),
                                             std::end(writtenInFront)));
  printer << " : ";
  if (value) {
    printCudaTileType(printer, value.getType());
    printer << ", ";
  }
  printCudaTileType(printer, op.getView().getType());
  if (!op.getIndex().empty()) {
    printer << ", ";
    printIndexTypes(printer, op.getIndex().getTypes());
  }
  printer << " -> ";
  printCudaTileType(printer, op->getResultTypes());
}

ParseResult LoadViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseLoad(parser, result);
}
void LoadViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, *this);
  printer << ' ' << getView();
  printTail(printer, *this, {});
}

ParseResult StoreViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseStore(parser, result);
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

//===----------------------------------------------------------------------===//
// Accesses to multicast memory
//===----------------------------------------------------------------------===//

/// Reads `relaxed device %view[, %tile][%i] … : view, [tile,] index[, token] ->
/// types`.
template <typename Op>
static ParseResult parseMultimem(OpAsmParser &parser, OperationState &result) {
  AccessText text;
  text.hasValue = !std::is_same_v<Op, MultimemLoadReduceViewTkoOp>;
  if (parseMemoryOrder<Op>(parser, result) || parser.parseOperand(text.view) ||
      (text.hasValue &&
       (parser.parseComma() || parser.parseOperand(text.value))) ||
      parser.parseOperandList(text.indices, OpAsmParser::Delimiter::Square) ||
      parseTail<Op>(parser, result, text, /*hasHints=*/false) ||
      parseMultimemTypes(parser, text) || parseAccessResults(parser, result) ||
      resolveView(parser, result, text) ||
      (text.hasValue && resolveValue(parser, result, text)) ||
      resolveIndices(parser, result, text) ||
      resolveToken(parser, result, text))
    return failure();
  SmallVector<int32_t> sizes = {1, int32_t(text.indices.size()), text.hasToken};
  if (text.hasValue)
    sizes.insert(sizes.begin(), 1);
  llvm::copy(sizes, result.getOrAddProperties<typename Op::Properties>()
                        .operandSegmentSizes.begin());
  return success();
}

/// Prints an access; addition, the reduction of an op without one, is left out.
template <typename Op>
static void printMultimem(OpAsmPrinter &printer, Op op, Value value) {
  printMemoryOrder(printer, op);
  printer << ' ' << op.getView();
  if (value)
    printer << ", " << value;
  printer << '[' << op.getIndex() << ']';
  printTokenAndInbounds(printer, op);
  SmallVector<StringRef> hidden = {"memory_ordering_semantics", "memory_scope",
                                   "inbounds", "operandSegmentSizes"};
  if constexpr (!std::is_same_v<Op, MultimemStoreViewTkoOp>)
    if (op.getReduction() == MultimemReduction::Add)
      hidden.push_back("reduction");
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), hidden);
  printer << " : ";
  printCudaTileType(printer, op.getView().getType());
  printer << ", ";
  if (value) {
    printCudaTileType(printer, value.getType());
    printer << ", ";
  }
  printIndexTypes(printer, op.getIndex().getTypes());
  if (op.getToken()) {
    printer << ", ";
    printCudaTileType(printer, op.getToken().getType());
  }
  printer << " -> ";
  printCudaTileType(printer, op->getResultTypes());
}

ParseResult MultimemLoadReduceViewTkoOp::parse(OpAsmParser &parser,
                                               OperationState &result) {
  return parseMultimem<MultimemLoadReduceViewTkoOp>(parser, result);
}
void MultimemLoadReduceViewTkoOp::print(OpAsmPrinter &printer) {
  printMultimem(printer, *this, {});
}

ParseResult MultimemReduceViewTkoOp::parse(OpAsmParser &parser,
                                           OperationState &result) {
  return parseMultimem<MultimemReduceViewTkoOp>(parser, result);
}
void MultimemReduceViewTkoOp::print(OpAsmPrinter &printer) {
  printMultimem(printer, *this, getTile());
}

ParseResult MultimemStoreViewTkoOp::parse(OpAsmParser &parser,
                                          OperationState &result) {
  return parseMultimem<MultimemStoreViewTkoOp>(parser, result);
}
void MultimemStoreViewTkoOp::print(OpAsmPrinter &printer) {
  printMultimem(printer, *this, getTile());
}

} // namespace tilegpt::cuda_tile
