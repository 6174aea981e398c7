// Random ops that move, combine or multiply elements.
#include "OpChain.h"

using llvm::Twine;

namespace tilegpt::numeric {

/// Size of the largest tile that an op may create, in elements.
constexpr int64_t largestTile = 8192;

void OpChain::addBroadcast() {
  const TileValue *source = pick([](const TileValue &value) {
    return value.shape.size() == 1 || llvm::is_contained(value.shape, 1);
  });
  if (!source)
    return;
  TileValue x = *source;
  Shape shape = x.shape;
  if (shape.size() == 1 && draw.percent(70))
    shape.insert(shape.begin(), drawSize());
  else
    for (int64_t &size : shape)
      if (size == 1)
        size = drawSize();
  if (shape == x.shape || sizeOf(shape) > largestTile)
    return;
  add("tile.broadcast " + x.name + " [" + listOf(shape) + "] : " + x.type() +
          " -> " + tensorType(shape, x.element),
      shape, x.element, x.exact);
}

void OpChain::addReshape() {
  TileValue x = draw.from(values);
  int64_t size = sizeOf(x.shape);
  int64_t rows = drawDivisor(size);
  Shape shape = {rows, size / rows};
  if (draw.percent(25))
    shape = {size};
  else if (draw.percent(25)) {
    int64_t inner = drawDivisor(size / rows);
    shape = {rows, inner, size / rows / inner};
  }
  if (shape == x.shape)
    return;
  add("tile.reshape " + x.name + " [" + listOf(shape) + "] : " + x.type() +
          " -> " + tensorType(shape, x.element),
      shape, x.element, x.exact);
}

void OpChain::addPermute() {
  const TileValue *source =
      pick([](const TileValue &value) { return value.shape.size() > 1; });
  if (!source)
    return;
  TileValue x = *source;
  Shape order, shape;
  for (size_t axis = 0; axis < x.shape.size(); ++axis)
    order.insert(order.begin() + draw.below(int64_t(order.size()) + 1),
                 int64_t(axis));
  for (int64_t axis : order)
    shape.push_back(x.shape[axis]);
  add("tile.permute " + x.name + " [" + listOf(order) + "] : " + x.type() +
          " -> " + tensorType(shape, x.element),
      shape, x.element, x.exact);
}

void OpChain::addConcatenation() {
  TileValue x = draw.from(values);
  int64_t axis = draw.below(int64_t(x.shape.size()));
  TileValue y = *pick([&](const TileValue &value) {
    if (value.element != x.element || value.shape.size() != x.shape.size())
      return false;
    for (size_t i = 0; i < x.shape.size(); ++i)
      if (int64_t(i) != axis && value.shape[i] != x.shape[i])
        return false;
    return true;
  });
  Shape shape = x.shape;
  shape[axis] += y.shape[axis];
  if (sizeOf(shape) > largestTile)
    return;
  add("tile.cat " + x.name + ", " + y.name + " axis " + Twine(axis) + " : " +
          x.type() + ", " + y.type() + " -> " + tensorType(shape, x.element),
      shape, x.element, x.exact && y.exact);
}

void OpChain::addExtract() {
  TileValue x = draw.from(values);
  Shape shape;
  std::string indices;
  for (int64_t size : x.shape) {
    shape.push_back(drawDivisor(size));
    indices += (indices.empty() ? "" : ", ") +
               text.index(draw.below(size / shape.back()));
  }
  if (shape == x.shape)
    return;
  add("tile.extract " + x.name + "[" + indices + "] [" + listOf(shape) +
          "] : " + x.type() + " -> " + tensorType(shape, x.element),
      shape, x.element, x.exact);
}

void OpChain::addInsert() {
  TileValue x = draw.from(values);
  TileValue y = *pick([&](const TileValue &value) {
    if (value.element != x.element || value.shape.size() != x.shape.size())
      return false;
    for (size_t i = 0; i < x.shape.size(); ++i)
      if (x.shape[i] % value.shape[i] != 0)
        return false;
    return true;
  });
  std::string indices;
  for (size_t i = 0; i < x.shape.size(); ++i)
    indices +=
        (i == 0 ? "" : ", ") + text.index(draw.below(x.shape[i] / y.shape[i]));
  add("tile.insert " + y.name + " into " + x.name + "[" + indices +
          "] : " + y.type() + " into " + x.type() + " -> " + x.type(),
      x.shape, x.element, x.exact && y.exact);
}

void OpChain::addReduction() {
  const TileValue *source = pick([](const TileValue &value) {
    return value.element != "i8" && value.element != "i1";
  });
  if (!source)
    return;
  TileValue x = *source;
  int64_t axis = draw.below(int64_t(x.shape.size()));
  bool keep = x.shape.size() == 1 || draw.percent(60);
  Shape shape = x.shape;
  if (keep)
    shape[axis] = 1;
  else
    shape.erase(shape.begin() + axis);
  bool number = x.exact && draw.percent(20);
  llvm::StringRef kind =
      number ? draw.of({"argmax", "argmin"})
      : x.isFloat()
          ? draw.of({"add", "max", "min"})
          : draw.of({"add", "max", "min", "umax", "umin", "xor", "or", "and"});
  bool exact = x.exact && (!x.isFloat() || kind != "add");
  std::string element = number ? "i32" : x.element;
  add("tile.reduce " + kind + " " + x.name + " axis " + Twine(axis) +
          (keep ? " keepdims" : "") + " : " + x.type() + " -> " +
          tensorType(shape, element),
      shape, element, exact);
}

void OpChain::addScan() {
  const TileValue *source = pick([](const TileValue &value) {
    return value.element == "f32" || value.element == "i32";
  });
  if (!source)
    return;
  TileValue x = *source;
  llvm::StringRef kind = draw.of({"add", "max", "min"});
  bool exclusive = kind == "add" && draw.percent(40);
  add("tile.scan " + kind + " " + x.name + " axis " +
          Twine(draw.below(int64_t(x.shape.size()))) +
          (exclusive ? " exclusive" : "") +
          (draw.percent(40) ? " reverse" : "") + " : " + x.type(),
      x.shape, x.element, x.exact && (!x.isFloat() || kind != "add"));
}

void OpChain::addDot() {
  const TileValue *left = pick([](const TileValue &value) {
    return value.shape.size() == 2 && value.element != "i1" &&
           (value.isFloat() || value.element == "i8");
  });
  if (!left)
    return;
  TileValue x = *left;
  const TileValue *right = pick([&](const TileValue &value) {
    return value.shape.size() == 2 && value.element == x.element &&
           llvm::is_contained(value.shape, x.shape[1]);
  });
  if (!right)
    return;
  TileValue y = *right;
  bool across = y.shape[1] == x.shape[1] &&
                (y.shape[0] != x.shape[1] || draw.percent(50));
  Shape shape = {x.shape[0], across ? y.shape[0] : y.shape[1]};
  std::string element = x.isFloat() ? "f32" : "i32";
  const TileValue *sum = pick([&](const TileValue &value) {
    return value.shape == shape && value.element == element;
  });
  std::string type = tensorType(shape, element);
  bool exact = element == "i32" && x.exact && y.exact;
  std::string accumulator;
  if (sum && draw.percent(50)) {
    accumulator = sum->name;
    exact &= sum->exact;
  } else {
    accumulator =
        text.define("arith.constant dense<" +
                    Twine(element == "f32" ? "0.0" : "0") + "> : " + type);
  }
  add("tile.dot " + x.name + ", " + y.name + ", " + accumulator +
          (across ? " transpose_b" : "") + " : " + x.type() + ", " + y.type() +
          ", " + type + " -> " + type,
      shape, element, exact);
}

} // namespace tilegpt::numeric
