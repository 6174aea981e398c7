// Random kernels on whole rows and columns.
#include "KernelWriter.h"
#include "RandomKernels.h"

using llvm::StringRef;
using llvm::Twine;

namespace tilegpt::numeric {
namespace {

/// Shared by the three variants: a matrix argument, and tiles of it in f32.
class Rows {
public:
  explicit Rows(uint64_t seed) : draw(seed), text("rows", seed) {}

  NumericCase make();

private:
  /// Tiles of whole rows, as wide as the matrix.
  NumericCase wholeRows();
  /// Rows processed tile by tile: one pass for sums, one to use them.
  NumericCase walkedRows();
  /// Columns of a matrix reduced over all its rows.
  NumericCase columns();

  std::string tileType(StringRef type) const {
    return "tensor<" + shapeText + type.str() + ">";
  }
  std::string load(StringRef row, StringRef column, StringRef pad = "");
  std::string tile(const Twine &operation) {
    return text.define(operation + " : " + tileType("f32"));
  }
  std::string column(const Twine &operation) {
    return text.define(operation + " : " + columnType());
  }
  std::string columnType() const {
    return "tensor<" + std::to_string(bm) + "x1xf32>";
  }
  std::string reduce(StringRef kind, StringRef value) {
    return text.define("tile.reduce " + kind + " " + value +
                       " axis 1 keepdims : " + tileType("f32") + " -> " +
                       columnType());
  }
  std::string widen(StringRef value) {
    return text.define("tile.broadcast " + value + " " + sizes + " : " +
                       columnType() + " -> " + tileType("f32"));
  }
  std::string columnSplat(double value) {
    return text.define("arith.constant dense<" + Twine(std::to_string(value)) +
                       "> : " + columnType());
  }
  std::string centered(StringRef value);
  std::string normalized(StringRef value);
  std::string softmax(StringRef value, bool logarithm);
  std::string weighted(StringRef value);
  void storeTile(StringRef value, StringRef column);
  void storeColumn(StringRef value);
  NumericCase finish(const Twine &grid, const Twine &params = "");

  Draw draw;
  KernelWriter text;
  std::string element, outElement, view, x;
  int64_t rows = 1, width = 1, bm = 1;
  std::string sizes;     ///< "[4, C]"
  std::string shapeText; ///< "4x?x"
};

std::string Rows::load(StringRef row, StringRef at, StringRef pad) {
  std::string value =
      text.define("tile.load " + x + "[" + row + ", " + at + "] " + sizes +
                  pad + " : " + view + " -> " + tileType(element));
  if (element == "f32")
    return value;
  return text.define("tile.cast " + value + " : " + tileType(element) + " to " +
                     tileType("f32"));
}

std::string Rows::centered(StringRef value) {
  std::string mean = column("arith.mulf " + reduce("add", value) + ", " +
                            columnSplat(1.0 / double(width)));
  return tile("arith.subf " + value + ", " + widen(mean));
}

std::string Rows::normalized(StringRef value) {
  std::string base = draw.percent(50) ? centered(value) : value.str();
  std::string square = tile("arith.mulf " + base + ", " + base);
  std::string mean = column("arith.mulf " + reduce("add", square) + ", " +
                            columnSplat(1.0 / double(width)));
  std::string scale = column(
      "math.rsqrt " + column("arith.addf " + mean + ", " + columnSplat(0.01)));
  return tile("arith.mulf " + base + ", " + widen(scale));
}

std::string Rows::softmax(StringRef value, bool logarithm) {
  std::string less =
      tile("arith.subf " + value + ", " + widen(reduce("max", value)));
  std::string weight = tile("math.exp " + less);
  std::string sum = reduce("add", weight);
  if (logarithm)
    return tile("arith.subf " + less + ", " + widen(column("math.log " + sum)));
  return tile("arith.divf " + weight + ", " + widen(sum));
}

/// Multiplies or adds one value per column.
std::string Rows::weighted(StringRef value) {
  std::string vector = text.input({width}, "f32", "!tile.view<?xf32>");
  std::string type = "tensor<?xf32>";
  std::string loaded = text.define("tile.load " + vector +
                                   "[%c0] [C] : !tile.view<?xf32> -> " + type);
  std::string wide = text.define("tile.broadcast " + loaded + " " + sizes +
                                 " : " + type + " -> " + tileType("f32"));
  return tile(Twine(draw.percent(50) ? "arith.mulf " : "arith.addf ") + value +
              ", " + wide);
}

void Rows::storeTile(StringRef value, StringRef at) {
  std::string type = "!tile.view<?x?x" + outElement + ">";
  std::string out = text.output({rows, width}, outElement, type);
  std::string stored = value.str();
  if (outElement != "f32")
    stored = text.define("tile.cast " + value + " : " + tileType("f32") +
                         " to " + tileType(outElement));
  text.line("tile.store " + stored + ", " + out + "[%m, " + at +
            "] : " + tileType(outElement) + ", " + type);
}

void Rows::storeColumn(StringRef value) {
  std::string type = "!tile.view<?x1xf32>";
  std::string out = text.output({rows, 1}, "f32", type);
  text.line("tile.store " + value + ", " + out + "[%m, %c0] : " + columnType() +
            ", " + type);
}

NumericCase Rows::finish(const Twine &grid, const Twine &params) {
  Arithmetic arithmetic;
  arithmetic.depth = 64 + std::max(rows, width);
  arithmetic.scale = 4;
  return text.finish(grid, arithmetic, params);
}

NumericCase Rows::wholeRows() {
  sizes = "[" + std::to_string(bm) + ", C]";
  shapeText = std::to_string(bm) + "x?x";
  std::string value = load("%m", "%c0");
  bool stores = false;
  for (int64_t steps = 1 + draw.below(4); steps > 0; --steps) {
    switch (draw.below(8)) {
    case 0:
      value = normalized(value);
      break;
    case 1:
    case 2:
      value = softmax(value, draw.percent(50));
      break;
    case 3:
      value = weighted(value);
      break;
    case 4:
      value = tile("math.tanh " + value);
      value = text.define("tile.scan add " + value + " axis 1" +
                          (draw.percent(50) ? " exclusive" : "") +
                          (draw.percent(30) ? " reverse" : "") + " : " +
                          tileType("f32"));
      break;
    case 5: {
      // Divided by the largest magnitude, like rows that are quantized to few
      // bits.
      std::string most = reduce("max", tile("math.absf " + value));
      std::string some = column("arith.addf " + most + ", " + columnSplat(0.5));
      value = tile("arith.divf " + value + ", " + widen(some));
      break;
    }
    case 6:
      storeColumn(reduce(draw.of({"add", "max", "min"}), value));
      stores = true;
      break;
    default:
      value = tile(Twine(draw.of({"math.erf ", "math.absf ", "math.sin "})) +
                   value);
    }
  }
  if (!stores || draw.percent(60))
    storeTile(value, "%c0");
  return finish("ceildiv(dim(%out0, 0), " + Twine(bm) + ")",
                " params {C = dim(" + x + ", 1)}");
}

NumericCase Rows::walkedRows() {
  int64_t bc = draw.of<int64_t>({16, 32, 64, 128, 256});
  sizes = "[" + listOf({bm, bc}) + "]";
  shapeText = std::to_string(bm) + "x" + std::to_string(bc) + "x";
  std::string zero = columnSplat(0), low = columnSplat(-1e30);
  text.line("%steps = tile.num_tiles " + x + ", 1 by [" + Twine(bc) +
            "] : " + view);
  text.line("%r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%max = " +
            low + ", %sum = " + zero + ") -> (" + columnType() + ", " +
            columnType() + ") {");
  text.indent();
  // Columns beyond the last are masked, or zero scores.
  std::string value = load("%m", "%k", draw.percent(60) ? " pad(neg_inf)" : "");
  std::string next = column("arith.maximumf %max, " + reduce("max", value));
  std::string weight =
      tile("math.exp " + tile("arith.subf " + value + ", " + widen(next)));
  std::string faded = column("math.exp " + column("arith.subf %max, " + next));
  std::string sum = column("arith.addf " + column("arith.mulf %sum, " + faded) +
                           ", " + reduce("add", weight));
  text.line("scf.yield " + next + ", " + sum + " : " + columnType() + ", " +
            columnType());
  text.outdent();
  text.line("}");
  if (draw.percent(40)) {
    storeColumn(column("arith.addf " + column("math.log %r#1") + ", %r#0"));
    return finish("ceildiv(dim(%out0, 0), " + Twine(bm) + ")");
  }
  text.line("scf.for %k = %c0 to %steps step %c1 {");
  text.indent();
  value = load("%m", "%k");
  weight =
      tile("math.exp " + tile("arith.subf " + value + ", " + widen("%r#0")));
  storeTile(tile("arith.divf " + weight + ", " + widen("%r#1")), "%k");
  text.outdent();
  text.line("}");
  return finish("ceildiv(dim(%out0, 0), " + Twine(bm) + ")");
}

NumericCase Rows::columns() {
  int64_t bc = draw.of<int64_t>({8, 16, 32, 64, 128});
  sizes = "[" + listOf({bm, bc}) + "]";
  shapeText = std::to_string(bm) + "x" + std::to_string(bc) + "x";
  std::string type = "tensor<1x" + std::to_string(bc) + "xf32>";
  std::string zero = text.define("arith.constant dense<0.0> : " + type);
  text.line("%steps = tile.num_tiles " + x + ", 0 by [" + Twine(bm) +
            "] : " + view);
  text.line(
      "%r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%first = " + zero +
      ", %second = " + zero + ") -> (" + type + ", " + type + ") {");
  text.indent();
  std::string value = load("%k", "%m");
  auto combine = [&](StringRef kind, StringRef what, StringRef carried) {
    std::string part =
        text.define("tile.reduce " + kind + " " + what +
                    " axis 0 keepdims : " + tileType("f32") + " -> " + type);
    return text.define(
        Twine(kind == "add" ? "arith.addf " : "arith.maximumf ") + carried +
        ", " + part + " : " + type);
  };
  std::string sum = combine("add", value, "%first");
  bool squares = draw.percent(50);
  std::string second =
      squares ? combine("add", tile("arith.mulf " + value + ", " + value),
                        "%second")
              : combine("max", tile("math.absf " + value), "%second");
  text.line("scf.yield " + sum + ", " + second + " : " + type + ", " + type);
  text.outdent();
  text.line("}");
  for (StringRef result : {"%r#0", "%r#1"}) {
    std::string out = text.output({1, width}, "f32", "!tile.view<1x?xf32>");
    text.line("tile.store " + result + ", " + out + "[%c0, %m] : " + type +
              ", !tile.view<1x?xf32>");
  }
  return finish("ceildiv(dim(%out0, 1), " + Twine(bc) + ")");
}

NumericCase Rows::make() {
  element = draw.of({"f32", "f32", "bf16", "f16"});
  outElement = draw.percent(50) ? "f32" : element;
  rows = draw.of<int64_t>({1, 2, 5, 17, 64, 100});
  width = draw.of<int64_t>({1, 3, 8, 50, 64, 127, 256, 257, 768, 1000, 2051});
  bm = draw.of<int64_t>({1, 1, 2, 4, 8, 16, 32});
  view = "!tile.view<?x?x" + element + ">";
  x = text.input({rows, width}, element, view);
  text.line("%m = tile.block_id 0");
  text.line("%c0 = arith.constant 0 : index");
  text.line("%c1 = arith.constant 1 : index");
  switch (draw.below(4)) {
  case 0:
    return walkedRows();
  case 1:
    return columns();
  default:
    return wholeRows();
  }
}

} // namespace

NumericCase randomRows(uint64_t seed) { return Rows(seed).make(); }

} // namespace tilegpt::numeric
