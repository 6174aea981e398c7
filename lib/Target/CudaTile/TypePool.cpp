// Types by number.
#include "Pools.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

namespace tilegpt::target::cudatile {

Type Types::read(ByteReader &reader) {
  uint64_t index = reader.index("the number of a type", items.size());
  if (reader.getSource().hasFailed())
    return {};
  State &state = states[index];
  if (state.type)
    return state.type;
  // Types that contain types are read in a recursive call each time.
  if (state.busy || depth >= deepest) {
    reader.fail(state.busy ? "expected types that do not contain themselves"
                           : "expected types nested less deeply");
    return {};
  }
  state.busy = true;
  ++depth;
  Type type = resolve(items[index]);
  --depth;
  states[index] = {type, false};
  if (!type)
    reader.fail("expected a valid type");
  return type;
}

/// A list of fixed-width numbers, one per axis.
template <typename T>
static SmallVector<T> readNumbers(ByteReader &reader) {
  const size_t count = reader.count("numbers", sizeof(T));
  if (count > mostAxes)
    reader.fail("expected a type of at most " + Twine(mostAxes) +
                " axes, found " + Twine(count));
  SmallVector<T> numbers(std::min<size_t>(count, mostAxes));
  for (T &number : numbers)
    number = T(reader.fixed(sizeof(T)));
  return numbers;
}

/// Since 13.4 pointers and tensors have flags, one of which announces a class
/// at the end.
static bool readPointerFlags(ByteReader &reader, Version version) {
  return version >= Version{13, 4} &&
         reader.index("flags of a pointer", 2) == 1;
}
static PointerClassAttr readPointerClass(ByteReader &reader, bool isThere,
                                         Version version) {
  if (!isThere)
    return {};
  uint64_t number = reader.index("a class of pointers", 3);
  if (reader.getSource().hasFailed())
    return {};
  auto pointerClass = PointerClass(number);
  if (sinceOf(pointerClass) > version)
    reader.fail("expected a class of pointers of version " + version.str() +
                ", found " + stringifyEnum(pointerClass) + " of version " +
                sinceOf(pointerClass).str());
  return PointerClassAttr::get(reader.getSource().getContext(), pointerClass);
}

/// A tile view: gather/scatter views have an axis, the others an order.
template <typename T>
T Types::readView(ByteReader &item, uint64_t tag) {
  bool flagsFirst = tag != PartitionViewTag || version >= Version{13, 3};
  bool padded = flagsFirst && item.index("flags of a view", 2) == 1;
  MLIRContext *context = item.getSource().getContext();
  auto tile = DenseI32ArrayAttr::get(context, readNumbers<int32_t>(item));
  DenseI32ArrayAttr steps;
  if constexpr (std::is_same_v<T, StridedViewType>)
    steps = DenseI32ArrayAttr::get(context, readNumbers<int32_t>(item));
  auto tensor = read<TensorViewType>(item, "a tensor_view");
  SmallVector<int32_t> order;
  uint64_t sparse = 0;
  if constexpr (std::is_same_v<T, GatherScatterViewType>)
    sparse = item.index("an axis", tile.size());
  else
    order = readNumbers<int32_t>(item);
  if (!flagsFirst)
    padded = item.index("0 or 1", 2) == 1;
  PaddingValueAttr padding;
  if (padded) {
    auto value = symbolizePaddingValue(uint32_t(item.index("a padding", 5)));
    padding = PaddingValueAttr::get(context, *value);
  }
  if (item.getSource().hasFailed())
    return {};
  auto emitError = [&] { return mlir::emitError(item.getSource().getLoc()); };
  ArrayRef<int32_t> axes = order;
  if constexpr (std::is_same_v<T, GatherScatterViewType>)
    return T::getChecked(emitError, context, tile, tensor, uint32_t(sparse),
                         padding);
  else if constexpr (std::is_same_v<T, StridedViewType>)
    return T::getChecked(emitError, context, tile, steps, tensor, axes,
                         padding);
  else
    return T::getChecked(emitError, context, tile, tensor, axes, padding);
}

Type Types::resolve(ByteReader item) {
  MLIRContext *context = item.getSource().getContext();
  auto emitError = [&] { return mlir::emitError(item.getSource().getLoc()); };
  uint64_t tag = item.varint();
  auto since = [&](Version first) {
    if (version >= first)
      return true;
    item.fail("expected a type of version " + version.str() +
              ", found one of version " + first.str());
    return false;
  };
  for (const NumberType &number : numberTypes())
    if (number.tag == tag)
      return since(number.since) ? number.get(context) : Type();
  switch (tag) {
  case TokenTag:
    return TokenType::get(context);
  case PointerTag: {
    bool hasClass = readPointerFlags(item, version);
    Type pointee = read(item);
    PointerClassAttr pointerClass = readPointerClass(item, hasClass, version);
    return pointee ? PointerType::getChecked(emitError, context, pointee,
                                             pointerClass)
                   : Type();
  }
  case TileTag: {
    Type element = read(item);
    auto shape = readNumbers<int64_t>(item);
    return element ? TileType::getChecked(emitError, context,
                                          ArrayRef<int64_t>(shape), element)
                   : Type();
  }
  case TensorViewTag: {
    bool hasClass = readPointerFlags(item, version);
    Type element = read(item);
    auto shape = readNumbers<int64_t>(item);
    auto strides = readNumbers<int64_t>(item);
    PointerClassAttr pointerClass = readPointerClass(item, hasClass, version);
    // Both encode a dynamic number as INT64_MIN.
    return element ? TensorViewType::getChecked(
                         emitError, context, element, ArrayRef<int64_t>(shape),
                         ArrayRef<int64_t>(strides), pointerClass)
                   : Type();
  }
  case PartitionViewTag:
    return readView<PartitionViewType>(item, tag);
  case GatherScatterViewTag:
    return since({13, 3}) ? readView<GatherScatterViewType>(item, tag) : Type();
  case StridedViewTag:
    return since({13, 3}) ? readView<StridedViewType>(item, tag) : Type();
  case FunctionTag: {
    auto readTypes = [&] {
      SmallVector<Type> types(item.count("types"));
      for (Type &type : types) {
        type = read(item);
        if (isa_and_nonnull<FunctionType>(type))
          item.fail("expected the type of a value, found that of a function");
      }
      return types;
    };
    SmallVector<Type> inputs = readTypes(), results = readTypes();
    if (item.getSource().hasFailed())
      return {};
    return FunctionType::get(context, inputs, results);
  }
  default:
    item.fail("expected the tag of a type, found " + Twine(tag));
    return {};
  }
}

} // namespace tilegpt::target::cudatile
