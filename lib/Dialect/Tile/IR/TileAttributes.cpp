// Verification of the attributes that declare a kernel's parameters, grid and
// conditions, and of launch views.
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilegpt::tile;

#define GET_ATTRDEF_CLASSES
#include "TileGPT/Dialect/Tile/IR/TileAttributes.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TileGPT/Dialect/Tile/IR/TileAttributes.cpp.inc"
      >();
}

LogicalResult ExprAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               AffineMap map, ArrayAttr sources) {
  if (map.getNumDims() != 0 || map.getNumResults() != 1)
    return emitError() << "expected a map of symbols with one result, found "
                       << AffineMapAttr::get(map);
  if (map.getNumSymbols() != sources.size())
    return emitError() << "expected one source for each of the "
                       << map.getNumSymbols() << " symbols, found "
                       << sources.size();
  for (Attribute source : sources) {
    auto place = dyn_cast<DenseI64ArrayAttr>(source);
    bool valid = isa<StringAttr>(source) ||
                 (place && (place.size() == 1 || place.size() == 2) &&
                  llvm::all_of(place.asArrayRef(),
                               [](int64_t value) { return value >= 0; }));
    if (!valid)
      return emitError() << "expected a parameter name, [argument] or "
                            "[argument, axis] as source, found "
                         << source;
  }
  return success();
}

Attribute ConditionAttr::parse(AsmParser &parser, Type) {
  ExprAttr lhs, rhs;
  std::string text;
  SMLoc loc;
  if (parser.parseLess() || parser.parseAttribute(lhs) || parser.parseComma())
    return {};
  loc = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return {};
  std::optional<Comparison> comparison = symbolizeComparison(text);
  if (!comparison) {
    parser.emitError(loc) << "expected one of == < <= > >=, found " << text;
    return {};
  }
  if (parser.parseComma() || parser.parseAttribute(rhs) ||
      parser.parseGreater())
    return {};
  return ConditionAttr::get(parser.getContext(), lhs, *comparison, rhs);
}

void ConditionAttr::print(AsmPrinter &printer) const {
  printer << '<' << getLhs() << ", \"" << stringifyComparison(getComparison())
          << "\", " << getRhs() << '>';
}

LogicalResult ParamAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringAttr name, Attribute defaultValue,
                                ArrayAttr candidates) {
  auto isSize = [](Attribute value) {
    auto integer = dyn_cast<IntegerAttr>(value);
    return integer && integer.getType().isSignlessInteger(64) &&
           integer.getInt() > 0;
  };
  auto isFloatType = [](Attribute value) {
    auto type = dyn_cast<TypeAttr>(value);
    return type && isa<FloatType>(type.getValue());
  };
  if (isa<TypeAttr>(defaultValue)) {
    const bool follows = isa<EltType>(cast<TypeAttr>(defaultValue).getValue());
    for (Attribute value : llvm::concat<const Attribute>(
             follows ? ArrayRef<Attribute>()
                     : ArrayRef<Attribute>(defaultValue),
             candidates.getValue()))
      if (!isFloatType(value))
        return emitError() << "type parameter " << name
                           << " expected a float type, found " << value;
    return success();
  }
  if (!isSize(defaultValue) && !isa<ExprAttr>(defaultValue))
    return emitError() << "parameter " << name
                       << " expected a positive integer, an expression or a "
                          "type as default, found "
                       << defaultValue;
  for (Attribute value : candidates)
    if (!isSize(value))
      return emitError() << "parameter " << name
                         << " expected positive integers as candidates, found "
                         << value;
  return success();
}

bool ParamAttr::admits(Attribute value) const {
  return value == getDefaultValue() ||
         llvm::is_contained(getCandidates().getValue(), value);
}

//===------------------------------------------------------------------------------===//
// LaunchView
//===------------------------------------------------------------------------------===//

static constexpr llvm::StringLiteral pointerName = "pointer",
                                     alignmentName = "alignment",
                                     sizesName = "size_divisors",
                                     stridesName = "stride_divisors",
                                     wordsName = "words";

std::optional<LaunchView> LaunchView::parse(Attribute attribute) {
  auto entries = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!entries)
    return std::nullopt;
  auto pointer = entries.getAs<IntegerAttr>(pointerName),
       alignment = entries.getAs<IntegerAttr>(alignmentName);
  auto sizes = entries.getAs<DenseI64ArrayAttr>(sizesName),
       strides = entries.getAs<DenseI64ArrayAttr>(stridesName);
  auto words = entries.getAs<AffineMapAttr>(wordsName);
  if (!pointer || !alignment || !sizes || !strides || !words)
    return std::nullopt;
  return LaunchView{pointer.getInt(), alignment.getInt(),
                    SmallVector<int64_t>(sizes.asArrayRef()),
                    SmallVector<int64_t>(strides.asArrayRef()),
                    words.getValue()};
}

DictionaryAttr LaunchView::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  auto entry = [&](StringRef name, Attribute value) {
    return builder.getNamedAttr(name, value);
  };
  return builder.getDictionaryAttr(
      {entry(pointerName, builder.getI64IntegerAttr(pointer)),
       entry(alignmentName, builder.getI64IntegerAttr(alignment)),
       entry(sizesName, builder.getDenseI64ArrayAttr(sizeDivisors)),
       entry(stridesName, builder.getDenseI64ArrayAttr(strideDivisors)),
       entry(wordsName, AffineMapAttr::get(words))});
}

std::optional<LaunchView> LaunchView::of(Value view) {
  auto argument = dyn_cast<BlockArgument>(view);
  auto kernel = argument
                    ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp())
                    : KernelOp();
  if (!kernel)
    return std::nullopt;
  ArrayAttr views = kernel.getLaunchViews();
  const size_t declared = kernel.getArguments().size() - views.size();
  if (argument.getArgNumber() < declared)
    return std::nullopt;
  return parse(views[argument.getArgNumber() - declared]);
}

SmallVector<int64_t> tilegpt::tile::divisorsOfStrides(Value view) {
  auto type = cast<ViewType>(view.getType());
  SmallVector<int64_t> strides = type.getKnownStrides();
  const std::optional<LaunchView> launch = LaunchView::of(view);
  // The product of the static sizes after an axis divides a dense stride.
  int64_t inner = 1;
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    if (ShapedType::isDynamic(strides[axis]))
      strides[axis] = launch           ? launch->strideDivisors[axis]
                      : type.isDense() ? inner
                                       : 1;
    if (int64_t size = type.getShape()[axis]; !ShapedType::isDynamic(size))
      inner *= std::max<int64_t>(size, 1);
  }
  return strides;
}
