// Tagged attributes.
#include "Pools.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

namespace tilegpt::target::cudatile {

DictionaryAttr Attributes::readDictionary(ByteReader &reader, unsigned depth) {
  MLIRContext *context = reader.getSource().getContext();
  NamedAttrList list;
  llvm::DenseSet<StringAttr> names;
  for (size_t left = reader.count("named attributes", 2); left > 0; --left) {
    StringAttr name = strings.read(reader);
    Attribute value = readTagged(reader, depth + 1);
    if (reader.getSource().hasFailed())
      break;
    if (name.empty() || !names.insert(name).second) {
      reader.fail("expected each name once, found '" + name.getValue() + "'");
      break;
    }
    list.append(name, value);
  }
  return list.getDictionary(context);
}

ArrayAttr Attributes::readArray(ByteReader &reader, unsigned depth) {
  MLIRContext *context = reader.getSource().getContext();
  SmallVector<Attribute> items;
  for (size_t left = reader.count("attributes", 2); left > 0; --left) {
    Attribute item = readTagged(reader, depth + 1);
    if (reader.getSource().hasFailed())
      return ArrayAttr::get(context, {});
    items.push_back(item);
  }
  return ArrayAttr::get(context, items);
}

/// A number of the width of a type: a byte up to 8 bits, otherwise zigzag.
static Attribute readFloat(ByteReader &reader, Types &types) {
  auto type = types.read<FloatType>(reader, "a floating-point type");
  if (!type)
    return {};
  unsigned width = type.getWidth();
  uint64_t bits = width <= 8 ? reader.byte() : reader.zigzag();
  return FloatAttr::get(type, APFloat(type.getFloatSemantics(),
                                      APInt(width, bits, /*isSigned=*/false,
                                            /*implicitTrunc=*/true)));
}

static Attribute readInteger(ByteReader &reader, Types &types) {
  auto type = types.read<IntegerType>(reader, "an integer type");
  if (!type)
    return {};
  uint64_t bits = type.getWidth() == 1 ? reader.byte() : reader.varint();
  return IntegerAttr::get(type, APInt(type.getWidth(), bits,
                                      /*isSigned=*/false,
                                      /*implicitTrunc=*/true));
}

/// Two optional numbers, whose presence is encoded in two bits.
static std::pair<std::optional<int64_t>, std::optional<int64_t>>
readPair(ByteReader &reader) {
  uint8_t there = reader.byte();
  std::optional<int64_t> first, second;
  if (there > 3)
    reader.fail("expected two bits, found " + Twine(unsigned(there)));
  if (there & 1)
    first = int64_t(reader.zigzag());
  if (there & 2)
    second = int64_t(reader.zigzag());
  return {first, second};
}

Attribute Attributes::readTagged(ByteReader &reader, unsigned depth) {
  MLIRContext *context = reader.getSource().getContext();
  if (depth >= deepest) {
    reader.fail("expected attributes nested less deeply");
    return {};
  }
  uint64_t tag = reader.varint();
  switch (tag) {
  case IntegerTag:
    return readInteger(reader, types);
  case FloatTag:
    return readFloat(reader, types);
  case BoolTag:
    return BoolAttr::get(context, reader.byte() != 0);
  case TypeAttrTag: {
    Type type = types.read(reader);
    return type ? TypeAttr::get(type) : Attribute();
  }
  case StringTag:
    return strings.read(reader);
  case ArrayTag:
    return readArray(reader, depth);
  case DenseTag: {
    auto type = types.read<TileType>(reader, "a tile");
    return constants.read(reader, type);
  }
  case DivByTag: {
    uint64_t divisor = reader.varint();
    auto [every, along] = readPair(reader);
    return DivByAttr::get(context, divisor, every, along);
  }
  case SameElementsTag: {
    SmallVector<int64_t> values(reader.count("numbers", 8));
    for (int64_t &value : values)
      value = int64_t(reader.fixed(8));
    return SameElementsAttr::get(context,
                                 DenseI64ArrayAttr::get(context, values));
  }
  case DictionaryTag:
    return readDictionary(reader, depth);
  case HintsTag: {
    DictionaryAttr hints = readDictionary(reader, depth);
    auto emitError = [&] {
      return mlir::emitError(reader.getSource().getLoc());
    };
    Attribute checked =
        reader.getSource().hasFailed()
            ? OptimizationHintsAttr()
            : OptimizationHintsAttr::getChecked(emitError, context, hints);
    if (!checked)
      reader.fail("expected hints by target");
    return checked;
  }
  case BoundedTag: {
    auto [lower, upper] = readPair(reader);
    return BoundedAttr::get(context, lower, upper);
  }
  default:
    reader.fail("expected the tag of an attribute, found " + Twine(tag));
    return {};
  }
}

} // namespace tilegpt::target::cudatile
