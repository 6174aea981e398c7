// Writes attributes as JSON.
#include "TablesAsJson.h"
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "TileGPT/Runtime/Config/Setting.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::compiler {

/// False for an attribute that JSON has nothing for.
static bool write(llvm::json::OStream &json, Attribute value) {
  if (auto flag = dyn_cast<BoolAttr>(value)) {
    json.value(flag.getValue());
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    json.value(integer.getInt());
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    const double exact = number.getValueAsDouble();
    if (!std::isfinite(exact))
      return false;
    json.rawValue(runtime::format(runtime::SettingScalar(exact)));
  } else if (auto text = dyn_cast<StringAttr>(value)) {
    if (!llvm::json::isUTF8(text.getValue()))
      return false;
    json.value(text.getValue());
  } else if (auto list = dyn_cast<ArrayAttr>(value)) {
    json.arrayBegin();
    for (Attribute element : list)
      if (!write(json, element))
        return false;
    json.arrayEnd();
  } else if (auto table = dyn_cast<DictionaryAttr>(value)) {
    json.objectBegin();
    for (NamedAttribute entry : table) {
      json.attributeBegin(entry.getName());
      if (!write(json, entry.getValue()))
        return false;
      json.attributeEnd();
    }
    json.objectEnd();
  } else {
    return false;
  }
  return true;
}

/// A size of `interleaved`, or a list of them, with numbers in the place of
/// settings.
static FailureOr<Attribute> resolveSize(gpt::ModelOp model, Attribute size) {
  MLIRContext *context = model->getContext();
  if (auto sizes = dyn_cast<ArrayAttr>(size)) {
    SmallVector<Attribute> literals;
    for (Attribute each : sizes) {
      FailureOr<Attribute> literal = resolveSize(model, each);
      if (failed(literal))
        return failure();
      literals.push_back(*literal);
    }
    return Attribute(ArrayAttr::get(context, literals));
  }
  if (auto text = dyn_cast<StringAttr>(size))
    size = gpt::ExprAttr::get(context, text);
  if (!gpt::isValue(size))
    return model.emitOpError("expected weights.interleaved to be sizes, found ")
           << size;
  FailureOr<int64_t> literal =
      gpt::getInteger(model, size, "a size of weights.interleaved");
  if (failed(literal))
    return failure();
  return Attribute(IntegerAttr::get(IntegerType::get(context, 64), *literal));
}

/// Puts numbers in the place of settings in `interleaved`.
static FailureOr<DictionaryAttr> resolveSizes(gpt::ModelOp model,
                                              DictionaryAttr weights) {
  constexpr StringLiteral key = "interleaved";
  auto interleaved = weights.getAs<DictionaryAttr>(key);
  if (!interleaved)
    return weights;
  MLIRContext *context = model->getContext();
  SmallVector<NamedAttribute> entries;
  for (NamedAttribute entry : interleaved) {
    if (!isa<ArrayAttr>(entry.getValue()))
      return model.emitOpError("expected weights.interleaved.")
             << entry.getName() << " to be three to five sizes, found "
             << entry.getValue();
    FailureOr<Attribute> sizes = resolveSize(model, entry.getValue());
    if (failed(sizes))
      return failure();
    entries.emplace_back(entry.getName(), *sizes);
  }
  NamedAttrList all(weights);
  all.set(key, DictionaryAttr::get(context, entries));
  return all.getDictionary(context);
}

FailureOr<std::string> tablesAsJson(gpt::ModelOp model) {
  MLIRContext *context = model->getContext();
  NamedAttrList tables;
  if (auto config = model->getAttrOfType<DictionaryAttr>(gpt::configTable))
    tables.set(gpt::configTable, config);
  if (auto weights = model->getAttrOfType<DictionaryAttr>(gpt::weightsTable)) {
    FailureOr<DictionaryAttr> resolved = resolveSizes(model, weights);
    if (failed(resolved))
      return failure();
    tables.set(gpt::weightsTable, *resolved);
  }
  NamedAttrList settings;
  for (StringRef name : gpt::settingNames(model))
    settings.set(name, gpt::getSetting(model, name));
  tables.set("settings", settings.getDictionary(context));

  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  if (!write(json, tables.getDictionary(context)))
    return model.emitOpError("expected its settings and tables to hold "
                             "numbers, texts, lists and tables only");
  return text;
}

} // namespace tilegpt::compiler
