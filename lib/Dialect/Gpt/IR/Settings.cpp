// Looks settings up, checks them and replaces them.
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "TileGPT/Dialect/Gpt/IR/Values.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tilegpt::gpt {

static constexpr StringLiteral sizeNames[] = {"layers",   "heads",    "width",
                                              "context",  "vocab",    "inner",
                                              "kv_heads", "head_dim", "eps"};

/// Settings that gpt-configure itself gives a meaning.
static constexpr StringLiteral configured[] = {"tied", "activation"};

static bool isScalar(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getType().isInteger(64) || isa<BoolAttr>(value);
  return isa<StringAttr>(value) ||
         (isa<FloatAttr>(value) && cast<FloatAttr>(value).getType().isF64());
}

static bool isTable(StringRef name) {
  return name == configTable || name == weightsTable;
}

/// Settings of the text's own: attributes that are neither sizes nor tables
/// nor another dialect's.
static bool isOwnSetting(NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  return !name.contains('.') && !isTable(name);
}

Attribute getSetting(ModelOp model, StringRef name) {
  auto size = [&](int64_t value) {
    return IntegerAttr::get(IntegerType::get(model->getContext(), 64), value);
  };
  if (name == "inner")
    return size(model.getInnerWidth());
  if (name == "kv_heads")
    return size(model.getKvHeadCount());
  if (name == "head_dim")
    return size(model.getHeadWidth());
  if (name == "eps")
    return FloatAttr::get(Float64Type::get(model->getContext()),
                          model.getEps().convertToDouble());
  if (llvm::is_contained(sizeNames, name))
    return model->getAttr(name);
  for (NamedAttribute attribute : model->getDiscardableAttrs())
    if (isOwnSetting(attribute) && attribute.getName() == name)
      return attribute.getValue();
  return {};
}

SmallVector<StringRef> settingNames(ModelOp model) {
  SmallVector<StringRef> names(std::begin(sizeNames), std::end(sizeNames));
  for (NamedAttribute attribute : model->getDiscardableAttrs())
    if (isOwnSetting(attribute))
      names.push_back(attribute.getName());
  return names;
}

LogicalResult verifySettings(ModelOp model) {
  for (NamedAttribute attribute : model->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    Attribute value = attribute.getValue();
    if (isTable(name)) {
      if (!isa<DictionaryAttr>(value))
        return model.emitOpError("expected the table ")
               << name << " in braces, found " << value;
      continue;
    }
    if (!isOwnSetting(attribute) || isScalar(value))
      continue;
    auto list = dyn_cast<ArrayAttr>(value);
    if (!list || list.empty() || !llvm::all_of(list, isScalar) ||
        !llvm::all_of(list, [&](Attribute element) {
          return element.getTypeID() == list[0].getTypeID() &&
                 isa<BoolAttr>(element) == isa<BoolAttr>(list[0]);
        }))
      return model.emitOpError("expected the setting '")
             << name
             << "' to be an i64, an f64, true or false, a string or a list of "
                "one of these, found "
             << value;
  }
  return success();
}

/// Parses a value with the type of `like`; null if it is invalid.
static Attribute readScalar(Attribute like, StringRef text) {
  Builder builder(like.getContext());
  if (isa<BoolAttr>(like))
    return text == "true" || text == "false"
               ? Attribute(builder.getBoolAttr(text == "true"))
               : Attribute();
  if (isa<StringAttr>(like)) {
    if (text.consume_front("\""))
      text.consume_back("\"");
    return builder.getStringAttr(text);
  }
  int64_t integer;
  if (isa<IntegerAttr>(like))
    return text.getAsInteger(10, integer) ? Attribute()
                                          : builder.getI64IntegerAttr(integer);
  double number;
  return text.empty() || text.getAsDouble(number)
             ? Attribute()
             : builder.getF64FloatAttr(number);
}

static Attribute readSetting(Attribute like, StringRef text) {
  auto list = dyn_cast<ArrayAttr>(like);
  if (!list)
    return readScalar(like, text);
  if (!text.consume_front("[") || !text.consume_back("]"))
    return {};
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  SmallVector<Attribute> elements;
  for (StringRef part : parts) {
    elements.push_back(readScalar(list[0], part.trim()));
    if (!elements.back())
      return {};
  }
  return ArrayAttr::get(like.getContext(), elements);
}

static StringRef kindOf(Attribute value) {
  return isa<ArrayAttr>(value)     ? "a list of such as the model has"
         : isa<BoolAttr>(value)    ? "true or false"
         : isa<IntegerAttr>(value) ? "an integer"
         : isa<FloatAttr>(value)   ? "a number"
                                   : "a word";
}

static LogicalResult setSetting(ModelOp model, StringRef name, StringRef text) {
  Attribute old = getSetting(model, name);
  if (!old)
    return model.emitOpError("has no setting called '")
           << name << "'; it has " << llvm::join(settingNames(model), ", ");
  Attribute value = readSetting(old, text);
  if (!value)
    return model.emitOpError("expected ")
           << name << " to be " << kindOf(old) << ", found '" << text << "'";
  model->setAttr(name, value);
  return success();
}

/// Splits at white space outside of brackets and quotation marks.
static SmallVector<StringRef> splitAssignments(StringRef text) {
  SmallVector<StringRef> parts;
  size_t begin = 0;
  bool inList = false, inString = false;
  for (size_t at = 0; at <= text.size(); ++at) {
    char c = at < text.size() ? text[at] : ' ';
    inString ^= c == '"';
    inList = c == '[' || (inList && c != ']');
    if (at < text.size() && (inList || inString || !llvm::isSpace(c)))
      continue;
    if (at > begin)
      parts.push_back(text.slice(begin, at));
    begin = at + 1;
  }
  return parts;
}

LogicalResult setSettings(ModelOp model, StringRef text) {
  for (StringRef part : splitAssignments(text)) {
    auto [name, value] = part.split('=');
    if (name.size() == part.size())
      return model.emitOpError("expected settings as NAME=VALUE, found '")
             << part << "'";
    if (failed(setSetting(model, name, value)))
      return failure();
  }
  return success();
}

LogicalResult checkSettingsAreUsed(ModelOp model) {
  llvm::StringSet<> used;
  bool hasLayers = false;
  model.getBody().walk([&](Operation *op) {
    hasLayers |= isa<LayersOp>(op);
    for (NamedAttribute attribute : op->getAttrs())
      if (auto expr = dyn_cast<ExprAttr>(attribute.getValue()))
        forEachSetting(expr, [&](StringRef name) { used.insert(name); });
    if (auto rotary = dyn_cast<RotaryOp>(op);
        rotary && rotary.getShortFactors())
      used.insert_range(ArrayRef<StringRef>{*rotary.getShortFactors(),
                                            *rotary.getLongFactors()});
  });
  // Layers that are written out have literals in the place of settings.
  if (!hasLayers)
    return success();
  for (NamedAttribute attribute : model->getDiscardableAttrs())
    if (StringRef name = attribute.getName();
        isOwnSetting(attribute) && !used.contains(name) &&
        !llvm::is_contained(configured, name))
      return model.emitOpError("has the setting '")
             << name << "', which nothing in the model names; remove it";
  return success();
}

} // namespace tilegpt::gpt
