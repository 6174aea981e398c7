// Random elementwise ops.
#include "OpChain.h"

using llvm::Twine;

namespace tilegpt::numeric {

void OpChain::addBinary() {
  const TileValue *left = pick([](const TileValue &value) {
    return value.element != "i8" && value.element != "i1";
  });
  if (!left)
    return;
  TileValue x = *left, y = like(x);
  const char *op =
      x.isFloat()
          ? draw.of({"addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf"})
          : draw.of({"addi", "subi", "muli", "andi", "ori", "xori", "maxsi",
                     "minsi", "maxui", "minui"});
  bool selects = op[1] == 'a' || op[1] == 'i' || !x.isFloat();
  add("arith." + Twine(op) + " " + x.name + ", " + y.name + " : " + x.type(),
      x.shape, x.element, selects && x.exact && y.exact);
}

void OpChain::addUnary() {
  const TileValue *source = pickFloat();
  if (!source)
    return;
  TileValue x = *source;
  const char *op =
      draw.of({"math.tanh", "math.absf", "arith.negf", "math.sin", "math.cos",
               "math.floor", "math.erf", "math.atan", "math.exp", "math.sqrt",
               "math.ceil", "math.log1p", "math.roundeven", "math.rsqrt"});
  llvm::StringRef name = op;
  bool steps =
      name == "math.floor" || name == "math.ceil" || name == "math.roundeven";
  // A step function amplifies small errors.
  if (steps && !x.exact)
    return;
  bool bounded = name == "math.sin" || name == "math.cos" || name == "math.exp";
  bool positive = name == "math.sqrt" || name == "math.log1p";
  if (bounded)
    x = add("math.tanh " + x.name + " : " + x.type(), x.shape, "f32", false);
  if (positive || name == "math.rsqrt")
    x = add("math.absf " + x.name + " : " + x.type(), x.shape, "f32", x.exact);
  if (name == "math.rsqrt") {
    TileValue half =
        add("arith.constant dense<0.5> : " + x.type(), x.shape, "f32", true);
    x = add("arith.addf " + x.name + ", " + half.name + " : " + x.type(),
            x.shape, "f32", false);
  }
  bool exact = steps || name == "math.absf" || name == "arith.negf";
  add(Twine(op) + " " + x.name + " : " + x.type(), x.shape, "f32",
      exact && x.exact);
}

void OpChain::addSelect() {
  const TileValue *compared = pick([](const TileValue &value) {
    return value.exact && value.element != "i1" && value.element != "i8";
  });
  if (!compared)
    return;
  TileValue x = *compared;
  TileValue y = like(x);
  if (!y.exact)
    y = x;
  std::string condition = text.define(
      x.isFloat()
          ? "arith.cmpf " +
                Twine(draw.of({"olt", "oge", "ugt", "une", "oeq"})) + ", " +
                x.name + ", " + y.name + " : " + x.type()
          : "arith.cmpi " + Twine(draw.of({"slt", "sge", "ult", "eq", "ne"})) +
                ", " + x.name + ", " + y.name + " : " + x.type());
  const TileValue *chosen = pick([&](const TileValue &value) {
    return value.shape == x.shape && value.element != "i1";
  });
  TileValue a = *chosen, b = like(a);
  add("arith.select " + Twine(condition) + ", " + a.name + ", " + b.name +
          " : " + tensorType(x.shape, "i1") + ", " + a.type(),
      a.shape, a.element, a.exact && b.exact);
}

void OpChain::addMultiplyAdd() {
  const TileValue *source = pickFloat();
  if (!source)
    return;
  TileValue x = *source, y = like(x), z = like(x);
  add("math.fma " + x.name + ", " + y.name + ", " + z.name + " : " + x.type(),
      x.shape, "f32", false);
}

void OpChain::addCast() {
  TileValue x = draw.from(values);
  if (x.element == "i1")
    return;
  if (x.element == "i32") {
    TileValue low =
        add("arith.constant dense<7> : " + x.type(), x.shape, "i32", true);
    x = add("arith.andi " + x.name + ", " + low.name + " : " + x.type(),
            x.shape, "i32", x.exact);
    add("arith.sitofp " + x.name + " : " + x.type() + " to " +
            tensorType(x.shape, "f32"),
        x.shape, "f32", x.exact);
    return;
  }
  if (x.element == "i8") {
    bool integer = draw.percent(50);
    const char *to = integer ? "i32" : "f32";
    add((integer ? "arith.extsi " : "arith.sitofp ") + Twine(x.name) + " : " +
            x.type() + " to " + tensorType(x.shape, to),
        x.shape, to, x.exact);
    return;
  }
  const char *to = x.element == "f32" ? draw.of({"bf16", "f16"}) : "f32";
  narrow |= x.element == "f32";
  add("tile.cast " + x.name + " : " + x.type() + " to " +
          tensorType(x.shape, to),
      x.shape, to, x.exact);
}

void OpChain::addIota() {
  int64_t size = drawSize();
  add("tile.iota [" + Twine(size) + "] : " + tensorType({size}, "i32"), {size},
      "i32", true);
}

} // namespace tilegpt::numeric
