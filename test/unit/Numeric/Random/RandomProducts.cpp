// Random matrix products, written as users write them.
#include "KernelWriter.h"
#include "RandomKernels.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;
using llvm::StringRef;
using llvm::Twine;

namespace tilegpt::numeric {
namespace {

/// A tile size, as spelled in size lists and in types.
struct TileSize {
  int64_t value;
  std::string name; ///< "64" or a parameter name
  std::string type; ///< "64" or "?"
};

class Product {
public:
  explicit Product(uint64_t seed) : draw(seed), text("product", seed) {}

  NumericCase make();

private:
  std::string matrix(const TileSize &rows, const TileSize &columns,
                     StringRef type) const {
    return formatv("tensor<{0}x{1}x{2}>", rows.type, columns.type, type);
  }
  std::string sizes(const TileSize &rows, const TileSize &columns) const {
    return formatv("[{0}, {1}]", rows.name, columns.name);
  }
  TileSize tileSize(StringRef parameter, int64_t value) const {
    std::string number = std::to_string(value);
    return {value, fixed ? number : parameter.str(), fixed ? number : "?"};
  }
  std::string splat(StringRef value, StringRef type, const TileSize &rows,
                    const TileSize &columns) {
    std::string scalar = text.define("arith.constant " + value + " : " + type);
    return text.define("tile.splat " + scalar + " " + sizes(rows, columns) +
                       " : " + type + " -> " + matrix(rows, columns, type));
  }

  void drawForm();
  std::string left(const Twine &step);
  std::string computed(std::string tile);
  std::string multiply(const std::string &tile, StringRef right,
                       const std::string &sum, const Twine &step);
  std::string sumOverDepth();
  std::string epilogue(std::string value);
  std::string addVector(StringRef value, bool alongColumns);
  std::string hideColumns(StringRef value);
  std::string normalizeRows(StringRef value, bool softmax);
  std::string centerColumns(StringRef value);
  std::string rotateHalves(StringRef value);
  std::string multiplyAgain(StringRef value);

  Draw draw;
  KernelWriter text;
  bool fixed = true;   ///< tile sizes are constants, not parameters
  std::string element; ///< of the operands
  std::string outElement;
  int64_t rows = 1, columns = 1, depth = 1;
  TileSize bm, bn, bk;
  bool leftAcross = false; ///< stored as [K, M]
  bool leftViewed = false; ///< transposed as a view, not as a tile
  bool rightAlong = false; ///< stored as [N, K]
  bool two = false;        ///< two products share the left operand
  bool needsRows = false;  ///< the result depends on the rows of a tile
  std::string view;        ///< type of a matrix
  std::string sum;         ///< type of the accumulator
  std::string a, b, b2;
};

void Product::drawForm() {
  element = draw.of({"bf16", "bf16", "f16", "f32", "f32"});
  outElement = draw.percent(50) ? "f32" : element;
  auto extent = [&] {
    return draw.of<int64_t>({1, 3, 7, 16, 33, 64, 65, 100, 128, 130, 200, 256});
  };
  rows = extent();
  columns = extent();
  depth = extent();
  fixed = draw.percent(50);
  bm = tileSize("BM", draw.of<int64_t>({1, 8, 16, 16, 32, 48, 64, 64, 128}));
  bn = tileSize("BN", draw.of<int64_t>({8, 16, 32, 64, 64, 96, 128}));
  bk = tileSize("BK", draw.of<int64_t>({8, 16, 24, 32, 40, 64, 64, 128, 72}));
  leftAcross = draw.percent(30);
  leftViewed = draw.percent(40);
  rightAlong = draw.percent(60);
  two = draw.percent(20);
  view = "!tile.view<?x?x" + element + ">";
  sum = matrix(bm, bn, "f32");
  Shape right = rightAlong ? Shape{columns, depth} : Shape{depth, columns};
  a = text.input(leftAcross ? Shape{depth, rows} : Shape{rows, depth}, element,
                 view);
  b = text.input(right, element, view);
  if (two)
    b2 = text.input(right, element, view);
}

std::string Product::left(const Twine &step) {
  std::string type = matrix(bm, bk, element);
  if (!leftAcross)
    return text.define("tile.load " + a + "[%m, " + step + "] " +
                       sizes(bm, bk) + " : " + view + " -> " + type);
  if (leftViewed)
    return text.define("tile.load %turned[%m, " + step + "] " + sizes(bm, bk) +
                       " : !tile.view<?x?x" + element +
                       ", strides=[1, ?]> -> " + type);
  std::string across = matrix(bk, bm, element);
  std::string tile =
      text.define("tile.load " + a + "[" + step + ", %m] " + sizes(bk, bm) +
                  " : " + view + " -> " + across);
  return text.define("tile.permute " + tile + " [1, 0] : " + across + " -> " +
                     type);
}

/// An operand that is computed before the product.
std::string Product::computed(std::string tile) {
  std::string type = matrix(bm, bk, element);
  StringRef form = draw.of({"", "", "", "rectified", "scaled", "bent"});
  if (form == "rectified")
    return text.define("arith.maximumf " + tile + ", " +
                       splat("0.0", element, bm, bk) + " : " + type);
  if (form == "scaled")
    return text.define("arith.mulf " + tile + ", " +
                       splat("0.5", element, bm, bk) + " : " + type);
  if (form != "bent" || element == "f32")
    return tile;
  std::string wide = matrix(bm, bk, "f32");
  std::string exact =
      text.define("tile.cast " + tile + " : " + type + " to " + wide);
  std::string bent = text.define("math.tanh " + exact + " : " + wide);
  return text.define("tile.cast " + bent + " : " + wide + " to " + type);
}

std::string Product::multiply(const std::string &tile, StringRef right,
                              const std::string &accumulator,
                              const Twine &step) {
  std::string leftType = matrix(bm, bk, element);
  std::string types =
      leftType + ", " + matrix(bk, bn, element) + ", " + sum + " -> " + sum;
  if (!rightAlong) {
    std::string w = text.define("tile.load " + right + "[" + step + ", %n] " +
                                sizes(bk, bn) + " : " + view + " -> " +
                                matrix(bk, bn, element));
    return text.define("tile.dot " + tile + ", " + w + ", " + accumulator +
                       " : " + types);
  }
  std::string along = matrix(bn, bk, element);
  std::string w = text.define("tile.load " + right + "[%n, " + step + "] " +
                              sizes(bn, bk) + " : " + view + " -> " + along);
  if (draw.percent(20)) {
    w = text.define("tile.permute " + w + " [1, 0] : " + along + " -> " +
                    matrix(bk, bn, element));
    return text.define("tile.dot " + tile + ", " + w + ", " + accumulator +
                       " : " + types);
  }
  return text.define("tile.dot " + tile + ", " + w + ", " + accumulator +
                     " transpose_b : " + leftType + ", " + along + ", " + sum +
                     " -> " + sum);
}

/// The loop over K. \returns the sum, or the product of both sums
std::string Product::sumOverDepth() {
  std::string zero = splat("0.0", "f32", bm, bn);
  text.line("%steps = tile.num_tiles " + a + ", " + (leftAcross ? "0" : "1") +
            " by [" + bk.name + "] : " + view);
  std::string result = text.newName();
  text.line(result + (two ? ":2" : "") +
            " = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = " + zero +
            (two ? ", %acc2 = " + zero : "") + ") -> (" + sum +
            (two ? ", " + sum : "") + ") {");
  text.indent();
  std::string tile = computed(left("%k"));
  std::string first = multiply(tile, b, "%acc", "%k");
  std::string second = two ? multiply(tile, b2, "%acc2", "%k") : "";
  text.line("scf.yield " + first + (two ? ", " + second : "") + " : " + sum +
            (two ? ", " + sum : ""));
  text.outdent();
  text.line("}");
  return two ? text.define("arith.mulf " + result + "#0, " + result +
                           "#1 : " + sum)
             : result;
}

std::string Product::addVector(StringRef value, bool alongColumns) {
  std::string tile, type;
  if (alongColumns) {
    std::string vector = text.input({columns}, "f32", "!tile.view<?xf32>");
    type = formatv("tensor<{0}xf32>", bn.type);
    tile = text.define("tile.load " + vector + "[%n] [" + bn.name +
                       "] : !tile.view<?xf32> -> " + type);
  } else {
    std::string vector = text.input({rows, 1}, "f32", "!tile.view<?x1xf32>");
    type = formatv("tensor<{0}x1xf32>", bm.type);
    tile = text.define("tile.load " + vector + "[%m, %c0] [" + bm.name +
                       ", 1] : !tile.view<?x1xf32> -> " + type);
  }
  std::string wide = text.define("tile.broadcast " + tile + " " +
                                 sizes(bm, bn) + " : " + type + " -> " + sum);
  return text.define(Twine(alongColumns ? "arith.addf " : "arith.mulf ") +
                     value + ", " + wide + " : " + sum);
}

std::string Product::hideColumns(StringRef value) {
  std::string row = formatv("tensor<{0}xi32>", bn.type);
  std::string numbers = matrix(bm, bn, "i32");
  std::string columnsOf = text.define("tile.iota [" + bn.name + "] : " + row);
  std::string wide =
      text.define("tile.broadcast " + columnsOf + " " + sizes(bm, bn) + " : " +
                  row + " -> " + numbers);
  std::string seen = text.define("arith.cmpi sgt, " + wide + ", " +
                                 splat("5", "i32", bm, bn) + " : " + numbers);
  return text.define("arith.select " + seen + ", " + value + ", " +
                     splat("0.0", "f32", bm, bn) + " : " +
                     matrix(bm, bn, "i1") + ", " + sum);
}

std::string Product::normalizeRows(StringRef value, bool softmax) {
  std::string column = formatv("tensor<{0}x1xf32>", bm.type);
  auto overRow = [&](StringRef kind, StringRef of) {
    std::string part =
        text.define("tile.reduce " + kind + " " + of +
                    " axis 1 keepdims : " + sum + " -> " + column);
    return text.define("tile.broadcast " + part + " " + sizes(bm, bn) + " : " +
                       column + " -> " + sum);
  };
  std::string less = text.define("arith.subf " + value + ", " +
                                 overRow("max", value) + " : " + sum);
  if (!softmax)
    return less;
  std::string weight = text.define("math.exp " + less + " : " + sum);
  return text.define("arith.divf " + weight + ", " + overRow("add", weight) +
                     " : " + sum);
}

std::string Product::centerColumns(StringRef value) {
  needsRows = true;
  std::string row = formatv("tensor<1x{0}xf32>", bn.type);
  std::string most = text.define("tile.reduce max " + value +
                                 " axis 0 keepdims : " + sum + " -> " + row);
  std::string wide = text.define("tile.broadcast " + most + " " +
                                 sizes(bm, bn) + " : " + row + " -> " + sum);
  return text.define("arith.subf " + value + ", " + wide + " : " + sum);
}

/// Swaps the left and the right half of a tile.
std::string Product::rotateHalves(StringRef value) {
  std::string half = std::to_string(bn.value / 2);
  std::string type = formatv("tensor<{0}x{1}xf32>", bm.type, half);
  auto piece = [&](StringRef number) {
    return text.define("tile.extract " + value + "[%c0, " + number + "] [" +
                       bm.name + ", " + half + "] : " + sum + " -> " + type);
  };
  std::string front = piece("%c0"), back = piece("%c1");
  std::string turned =
      text.define("tile.cat " + back + ", " + front + " axis 1 : " + type +
                  ", " + type + " -> " + sum);
  return text.define("arith.addf " + value + ", " + turned + " : " + sum);
}

/// A product with the sums, or with their cumulative sums along an axis. An
/// operand that is rounded is bounded first: otherwise a different rounding
/// would show if large terms cancel.
std::string Product::multiplyAgain(StringRef value) {
  std::string lhs = value.str();
  if (draw.percent(40)) {
    int64_t axis = draw.below(2);
    needsRows |= axis == 0;
    lhs = text.define(
        formatv("tile.scan add {0} axis {1} : {2}", value, axis, sum));
  }
  if (element != "f32") {
    lhs = text.define("math.tanh " + lhs + " : " + sum);
    lhs = text.define("tile.cast " + lhs + " : " + sum + " to " +
                      matrix(bm, bn, element));
  }
  std::string square = matrix(bn, bn, element);
  std::string weights = text.input({bn.value, bn.value}, element, view);
  std::string rhs = text.define("tile.load " + weights + "[%c0, %c0] " +
                                sizes(bn, bn) + " : " + view + " -> " + square);
  return text.define("tile.dot " + lhs + ", " + rhs + ", " +
                     splat("0.0", "f32", bm, bn) + " : " +
                     matrix(bm, bn, element) + ", " + square + ", " + sum +
                     " -> " + sum);
}

std::string Product::epilogue(std::string value) {
  for (int64_t steps = draw.below(4); steps > 0; --steps) {
    switch (draw.below(11)) {
    case 0:
      value = addVector(value, /*alongColumns=*/true);
      break;
    case 1:
      value = addVector(value, /*alongColumns=*/false);
      break;
    case 2: {
      std::string residual = text.input({rows, columns}, element, view);
      std::string tile =
          text.define("tile.load " + residual + "[%m, %n] " + sizes(bm, bn) +
                      " : " + view + " -> " + matrix(bm, bn, element));
      if (element != "f32")
        tile = text.define("tile.cast " + tile + " : " +
                           matrix(bm, bn, element) + " to " + sum);
      value = text.define("arith.addf " + value + ", " + tile + " : " + sum);
      break;
    }
    case 3:
    case 4: {
      std::string bent = text.define(
          Twine(draw.of({"math.erf ", "math.tanh "})) + value + " : " + sum);
      value = text.define("arith.mulf " + value + ", " + bent + " : " + sum);
      break;
    }
    case 5:
      value = text.define("arith.maximumf " + value + ", " +
                          splat("0.0", "f32", bm, bn) + " : " + sum);
      break;
    case 6:
      value = hideColumns(value);
      break;
    case 7:
      value = centerColumns(value);
      break;
    case 8:
      value = rotateHalves(value);
      break;
    case 9:
      value = multiplyAgain(value);
      break;
    default:
      value = normalizeRows(value, draw.percent(50));
    }
  }
  return value;
}

NumericCase Product::make() {
  drawForm();
  bool swapped = draw.percent(30);
  text.line(Twine("%m = tile.block_id ") + (swapped ? "1" : "0"));
  text.line(Twine("%n = tile.block_id ") + (swapped ? "0" : "1"));
  text.line("%c0 = arith.constant 0 : index");
  text.line("%c1 = arith.constant 1 : index");
  if (leftAcross && leftViewed)
    text.line("%turned = tile.transpose " + a + " [1, 0] : " + view +
              " -> !tile.view<?x?x" + element + ", strides=[1, ?]>");
  std::string value = epilogue(sumOverDepth());
  std::string outView = "!tile.view<?x?x" + outElement + ">";
  std::string out = text.output({rows, columns}, outElement, outView);
  std::string outTile = matrix(bm, bn, outElement);
  if (outElement != "f32")
    value = text.define("tile.cast " + value + " : " + sum + " to " + outTile);
  text.line("tile.store " + value + ", " + out + "[%m, %n] : " + outTile +
            ", " + outView);

  std::string alongRows = "ceildiv(dim(" + out + ", 0), " + bm.name + ")";
  std::string alongColumns = "ceildiv(dim(" + out + ", 1), " + bn.name + ")";
  std::string params =
      fixed ? ""
            : formatv(" params {{BM = {0} in [{0}, {1}], BN = {2}, BK = {3}}",
                      bm.value, needsRows ? bm.value : 2 * bm.value, bn.value,
                      bk.value)
                  .str();
  // An epilogue amplifies the error of rounded operands.
  Arithmetic arithmetic;
  arithmetic.depth = 4000;
  arithmetic.lost = element == "f32" ? 0 : 5e-2 / 4000;
  return text.finish(swapped ? alongColumns + ", " + alongRows
                             : alongRows + ", " + alongColumns,
                     arithmetic, params);
}

} // namespace

NumericCase randomProduct(uint64_t seed) { return Product(seed).make(); }

} // namespace tilegpt::numeric
