// Text of views and of their shapes.
#include "OpText.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Operand = OpAsmParser::UnresolvedOperand;

//===----------------------------------------------------------------------===//
// make_tensor_view
//===----------------------------------------------------------------------===//

namespace {
/// Sizes or strides: numbers, and values where the type has `?`.
struct MixedList {
  SmallVector<std::pair<int64_t, SMLoc>> entries;
  SmallVector<Operand> values;
  SMLoc loc;

  /// Reads `name = [4, %n]`.
  ParseResult parse(OpAsmParser &parser, StringRef name);
  /// Whether the list agrees with the type; else an error.
  ParseResult check(OpAsmParser &parser, StringRef name,
                    ArrayRef<int64_t> inType) const;
};
} // namespace

ParseResult MixedList::parse(OpAsmParser &parser, StringRef name) {
  if (parser.parseKeyword(name) || parser.parseEqual() ||
      parser.getCurrentLocation(&loc))
    return failure();
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
        auto &[number, at] = entries.emplace_back();
        at = parser.getCurrentLocation();
        if (OptionalParseResult parsed = parser.parseOptionalInteger(number);
            parsed.has_value())
          return *parsed;
        number = ShapedType::kDynamic;
        return parser.parseOperand(values.emplace_back());
      });
}

ParseResult MixedList::check(OpAsmParser &parser, StringRef name,
                             ArrayRef<int64_t> inType) const {
  if (entries.size() != inType.size())
    return parser.emitError(loc)
           << "expected as many " << name << " as the type has axes, "
           << inType.size() << ", found " << entries.size();
  for (auto [axis, entry, expected] : llvm::enumerate(entries, inType)) {
    if (entry.first == expected)
      continue;
    auto print = [](int64_t number) {
      return ShapedType::isDynamic(number) ? std::string("a value")
                                           : std::to_string(number);
    };
    return parser.emitError(entry.second)
           << "expected " << print(expected) << " in " << name << " of axis "
           << axis << ", as the type says, found " << print(entry.first);
  }
  return success();
}

ParseResult MakeTensorViewOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  Operand base;
  MixedList shape, strides;
  if (parser.parseOperand(base) || parser.parseComma() ||
      shape.parse(parser, "shape") || parser.parseComma() ||
      strides.parse(parser, "strides") ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  Type pointer, scalar, type;
  SMLoc loc = parser.getCurrentLocation();
  if (parseCudaTileType(parser, type))
    return failure();
  bool needsScalar = !shape.values.empty() || !strides.values.empty();
  if (auto tile = dyn_cast<TileType>(type);
      tile && isPointer(tile.getElementType())) {
    pointer = tile;
    if ((needsScalar &&
         (parser.parseComma() || parseCudaTileType(parser, scalar))) ||
        parser.parseArrow() || parser.getCurrentLocation(&loc) ||
        parseCudaTileType(parser, type))
      return failure();
  } else if (needsScalar) {
    scalar = type;
    if (parser.parseArrow() || parser.getCurrentLocation(&loc) ||
        parseCudaTileType(parser, type))
      return failure();
  }
  auto view = dyn_cast<TensorViewType>(type);
  if (!view)
    return parser.emitError(loc) << "expected a tensor_view, found " << type;
  if (!pointer)
    pointer = TileType::get({}, PointerType::get(parser.getContext(),
                                                 view.getElementType(),
                                                 view.getPointerClass()));
  if (parser.resolveOperand(base, pointer, result.operands) ||
      shape.check(parser, "shape", view.getShape()) ||
      strides.check(parser, "strides", view.getStrides()) ||
      parser.resolveOperands(shape.values, scalar, result.operands) ||
      parser.resolveOperands(strides.values, scalar, result.operands))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, int32_t(shape.values.size()), int32_t(strides.values.size())};
  result.addTypes(view);
  return success();
}

void MakeTensorViewOp::print(OpAsmPrinter &printer) {
  auto printList = [&](ArrayRef<int64_t> inType, OperandRange values) {
    auto next = values.begin();
    llvm::interleaveComma(inType, printer, [&](int64_t number) {
      if (ShapedType::isDynamic(number))
        printer << *next++;
      else
        printer << number;
    });
  };
  TensorViewType type = getResult().getType();
  printer << ' ' << getBase() << ", shape = [";
  printList(type.getShape(), getDynamicShape());
  printer << "], strides = [";
  printList(type.getStrides(), getDynamicStrides());
  printer << ']';
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : ";
  SmallVector<Type> operands;
  if (type.getPointerClass())
    operands.push_back(getBase().getType());
  if (getNumOperands() > 1)
    operands.push_back(getOperand(1).getType());
  if (!operands.empty()) {
    printCudaTileType(printer, operands);
    printer << " -> ";
  }
  printCudaTileType(printer, type);
}

//===----------------------------------------------------------------------===//
// Shapes of views
//===----------------------------------------------------------------------===//

/// Reads `%v : view -> scalar`: one result an axis.
template <typename View>
static ParseResult parseShapeOp(OpAsmParser &parser, OperationState &result,
                                StringRef kind,
                                llvm::function_ref<size_t(View)> getRank) {
  Operand source;
  SMLoc loc;
  Type type, scalar;
  if (parser.parseOperand(source) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&loc) || parseCudaTileType(parser, type) ||
      parser.parseArrow() || parseCudaTileType(parser, scalar))
    return failure();
  auto view = dyn_cast<View>(type);
  if (!view)
    return parser.emitError(loc) << "expected " << kind << ", found " << type;
  result.types.append(getRank(view), scalar);
  return parser.resolveOperand(source, type, result.operands);
}

static void printShapeOp(OpAsmPrinter &printer, Operation *op) {
  printer << ' ' << op->getOperand(0);
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printCudaTileType(printer, op->getOperand(0).getType());
  printer << " -> ";
  // A tensor of rank 0 has no sizes, yet the text has a type.
  printCudaTileType(
      printer,
      op->getNumResults() > 0
          ? op->getResult(0).getType()
          : Type(TileType::get({}, IntegerType::get(op->getContext(), 32))));
}

ParseResult GetTensorShapeOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  return parseShapeOp<TensorViewType>(
      parser, result, "a tensor_view",
      [](TensorViewType view) { return view.getShape().size(); });
}
void GetTensorShapeOp::print(OpAsmPrinter &printer) {
  printShapeOp(printer, *this);
}
ParseResult GetIndexSpaceShapeOp::parse(OpAsmParser &parser,
                                        OperationState &result) {
  return parseShapeOp<TileView>(
      parser, result, "a view of tiles",
      [](TileView view) { return view.getTile().size(); });
}
void GetIndexSpaceShapeOp::print(OpAsmPrinter &printer) {
  printShapeOp(printer, *this);
}

} // namespace tilegpt::cuda_tile
