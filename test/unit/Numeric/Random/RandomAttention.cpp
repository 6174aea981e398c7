// Random variants of attention with an online softmax.
#include "KernelWriter.h"
#include "RandomKernels.h"
#include "TileGPT/Bundle/ElementType.h"

using llvm::StringRef;
using llvm::Twine;

namespace tilegpt::numeric {
namespace {

class Attention {
public:
  explicit Attention(uint64_t seed) : draw(seed), text("attention", seed) {}

  NumericCase make();

private:
  enum class Mask { None, Causal, Window, Lengths, Documents };

  void drawForm();
  std::string splat(StringRef value, StringRef type, const Shape &shape) {
    return text.define("arith.constant dense<" + value +
                       "> : " + tensorType(shape, type));
  }
  std::string binary(StringRef op, StringRef x, StringRef y, StringRef type) {
    return text.define("arith." + op + " " + x + ", " + y + " : " + type);
  }
  std::string widen(StringRef tile, const Shape &from, const Shape &to,
                    StringRef element) {
    return text.define("tile.broadcast " + tile + " [" + listOf(to) +
                       "] : " + tensorType(from, element) + " -> " +
                       tensorType(to, element));
  }
  std::string exponential(StringRef x, StringRef type) {
    return text.define(Twine(base2 ? "math.exp2 " : "math.exp ") + x + " : " +
                       type);
  }

  std::string numbersOf(StringRef block, int64_t size);
  std::string loadNumbers(StringRef view, StringRef block, int64_t size);
  std::string visible(StringRef keys);
  std::string scores(StringRef query, StringRef keyTile, StringRef keys);
  void step(StringRef query);
  void store();

  Draw draw;
  KernelWriter text;
  std::string element;
  int64_t queries = 1, keys = 1, width = 16, valueWidth = 16;
  int64_t bm = 16, bn = 16;
  Mask mask = Mask::None;
  bool base2 = false, endsEarly = false, scalesQuery = false, caps = false;
  bool slopes = false, bias = false, turnsKeys = false, keepsSums = false;
  std::string matrix, tile, column; ///< types: view, scores, one value per row
  std::string low;                  ///< score of masked-out keys
  std::string q, k, v, biasView, rowIds, keyIds;
  std::string queryNumbers; ///< as wide as the scores
};

void Attention::drawForm() {
  element = draw.of({"bf16", "bf16", "f16", "f32"});
  queries = draw.of<int64_t>({1, 5, 16, 33, 64, 100, 130});
  keys = draw.percent(50) ? queries : draw.of<int64_t>({7, 64, 96, 129, 200});
  width = draw.of<int64_t>({16, 24, 32, 40, 64, 64, 72, 80, 96, 128, 128});
  valueWidth = draw.percent(80) ? width : draw.of<int64_t>({16, 32, 64});
  bm = draw.of<int64_t>({1, 8, 16, 32, 64, 64, 64, 128});
  bn = draw.of<int64_t>({16, 32, 32, 64, 64, 128});
  mask = draw.of({Mask::None, Mask::Causal, Mask::Causal, Mask::Window,
                  Mask::Lengths, Mask::Documents});
  base2 = draw.percent(50);
  endsEarly = mask == Mask::Causal && draw.percent(70);
  scalesQuery = draw.percent(30);
  caps = draw.percent(20);
  slopes = draw.percent(20);
  bias = draw.percent(20);
  turnsKeys = draw.percent(25);
  keepsSums = draw.percent(25);
  matrix = "!tile.view<?x?x" + element + ">";
  tile = tensorType({bm, bn}, "f32");
  column = tensorType({bm, 1}, "f32");
  // A row that sees no key in its first tile has no maximum.
  bool seesFirst = mask == Mask::None || mask == Mask::Causal;
  low = seesFirst && draw.percent(60) ? "0xFF800000" : "-1.0e30";
  q = text.input({queries, width}, element, matrix);
  k = text.input({keys, width}, element, matrix);
  v = text.input({keys, valueWidth}, element, matrix);
  if (bias)
    biasView = text.input({queries, keys}, element, matrix);
  if (mask == Mask::Documents || mask == Mask::Lengths)
    rowIds = text.input({queries}, "i32", "!tile.view<?xi32>",
                        mask == Mask::Lengths ? ":1:200" : ":0:2");
  if (mask == Mask::Documents)
    keyIds = text.input({keys}, "i32", "!tile.view<?xi32>", ":0:2");
}

/// The numbers of a tile's rows within the sequence: [size].
std::string Attention::numbersOf(StringRef block, int64_t size) {
  std::string type = tensorType({size}, "i32");
  std::string first = binary("muli", block, text.index(size), "index");
  std::string number =
      text.define("arith.index_cast " + first + " : index to i32");
  std::string start = text.define("tile.splat " + number + " [" + Twine(size) +
                                  "] : i32 -> " + type);
  return binary("addi", start,
                text.define("tile.iota [" + Twine(size) + "] : " + type), type);
}

std::string Attention::loadNumbers(StringRef view, StringRef block,
                                   int64_t size) {
  return text.define("tile.load " + view + "[" + block + "] [" + Twine(size) +
                     "] : !tile.view<?xi32> -> " + tensorType({size}, "i32"));
}

/// The mask of visible scores, [bm, bn], or empty if all are. Keys beyond the
/// end never are.
std::string Attention::visible(StringRef keyNumbers) {
  std::string numbers = tensorType({bm, bn}, "i32");
  std::string flags = tensorType({bm, bn}, "i1");
  std::string key = widen(keyNumbers, {bn}, {bm, bn}, "i32");
  std::string seen;
  auto require = [&](const std::string &condition) {
    seen = seen.empty() ? condition : binary("andi", seen, condition, flags);
  };
  auto compare = [&](StringRef how, StringRef x, StringRef y) {
    return text.define("arith.cmpi " + how + ", " + x + ", " + y + " : " +
                       numbers);
  };
  auto rowWide = [&](StringRef row) {
    std::string type = tensorType({bm}, "i32");
    std::string across =
        text.define("tile.expand_dims " + row + ", 1 : " + type + " -> " +
                    tensorType({bm, 1}, "i32"));
    return widen(across, {bm, 1}, {bm, bn}, "i32");
  };
  if (keys % bn != 0)
    require(compare("slt", key, splat(std::to_string(keys), "i32", {bm, bn})));
  switch (mask) {
  case Mask::None:
    break;
  case Mask::Window: {
    std::string reach =
        splat(std::to_string(1 + draw.below(70)), "i32", {bm, bn});
    require(compare("sgt", key, binary("subi", queryNumbers, reach, numbers)));
    [[fallthrough]];
  }
  case Mask::Causal:
    require(draw.percent(50) ? compare("sle", key, queryNumbers)
                             : compare("sge", queryNumbers, key));
    break;
  case Mask::Lengths:
    require(compare("slt", key, rowWide(loadNumbers(rowIds, "%m", bm))));
    break;
  case Mask::Documents:
    require(compare("eq",
                    widen(loadNumbers(keyIds, "%j", bn), {bn}, {bm, bn}, "i32"),
                    rowWide(loadNumbers(rowIds, "%m", bm))));
  }
  return seen;
}

/// Scores for a tile of keys: scaled, capped, biased and masked.
std::string Attention::scores(StringRef query, StringRef keyTile,
                              StringRef keyNumbers) {
  std::string zero = splat("0.0", "f32", {bm, bn});
  std::string queryType = tensorType({bm, width}, element);
  std::string keyType = tensorType({bn, width}, element);
  std::string score;
  if (turnsKeys) {
    std::string turned = tensorType({width, bn}, element);
    std::string across = text.define("tile.permute " + keyTile +
                                     " [1, 0] : " + keyType + " -> " + turned);
    score =
        text.define("tile.dot " + query + ", " + across + ", " + zero + " : " +
                    queryType + ", " + turned + ", " + tile + " -> " + tile);
  } else {
    score = text.define("tile.dot " + query + ", " + keyTile + ", " + zero +
                        " transpose_b : " + queryType + ", " + keyType + ", " +
                        tile + " -> " + tile);
  }
  if (!scalesQuery)
    score = binary("mulf", score, splat("0.25", "f32", {bm, bn}), tile);
  if (caps) {
    std::string cap = splat("2.5", "f32", {bm, bn});
    std::string bent = text.define(
        "math.tanh " + binary("divf", score, cap, tile) + " : " + tile);
    score = binary("mulf", bent, cap, tile);
  }
  if (slopes) {
    std::string numbers = tensorType({bm, bn}, "i32");
    std::string apart = binary("subi", widen(keyNumbers, {bn}, {bm, bn}, "i32"),
                               queryNumbers, numbers);
    std::string distance =
        text.define("arith.sitofp " + apart + " : " + numbers + " to " + tile);
    score = binary(
        "addf", score,
        binary("mulf", distance, splat("0.0625", "f32", {bm, bn}), tile), tile);
  }
  if (bias) {
    std::string type = tensorType({bm, bn}, element);
    std::string added =
        text.define("tile.load " + biasView + "[%m, %j] [" + listOf({bm, bn}) +
                    "] : " + matrix + " -> " + type);
    if (element != "f32")
      added = text.define("tile.cast " + added + " : " + type + " to " + tile);
    score = binary("addf", score, added, tile);
  }
  std::string seen = visible(keyNumbers);
  if (seen.empty())
    return score;
  return text.define("arith.select " + seen + ", " + score + ", " +
                     splat(low, "f32", {bm, bn}) + " : " +
                     tensorType({bm, bn}, "i1") + ", " + tile);
}

/// Processes one tile of keys and values.
void Attention::step(StringRef query) {
  std::string result = tensorType({bm, valueWidth}, "f32");
  auto load = [&](StringRef view, int64_t columns) {
    return text.define("tile.load " + view + "[%j, %c0] [" +
                       listOf({bn, columns}) + "] : " + matrix + " -> " +
                       tensorType({bn, columns}, element));
  };
  std::string keyTile = load(k, width), valueTile = load(v, valueWidth);
  std::string score = scores(query, keyTile, numbersOf("%j", bn));
  std::string highest =
      text.define("tile.reduce max " + score + " axis 1 keepdims : " + tile +
                  " -> " + column);
  std::string next = binary("maximumf", "%max", highest, column);
  std::string weight = exponential(
      binary("subf", score, widen(next, {bm, 1}, {bm, bn}, "f32"), tile), tile);
  std::string faded = exponential(binary("subf", "%max", next, column), column);
  std::string added =
      text.define("tile.reduce add " + weight + " axis 1 keepdims : " + tile +
                  " -> " + column);
  std::string sum =
      binary("addf", binary("mulf", "%sum", faded, column), added, column);
  std::string kept = binary(
      "mulf", "%acc", widen(faded, {bm, 1}, {bm, valueWidth}, "f32"), result);
  std::string factor = tensorType({bm, bn}, element);
  if (element != "f32")
    weight =
        text.define("tile.cast " + weight + " : " + tile + " to " + factor);
  std::string total = text.define("tile.dot " + weight + ", " + valueTile +
                                  ", " + kept + " : " + factor + ", " +
                                  tensorType({bn, valueWidth}, element) + ", " +
                                  result + " -> " + result);
  text.line("scf.yield " + next + ", " + sum + ", " + total + " : " + column +
            ", " + column + ", " + result);
}

void Attention::store() {
  std::string result = tensorType({bm, valueWidth}, "f32");
  std::string sum = widen("%r#1", {bm, 1}, {bm, valueWidth}, "f32");
  std::string mean = binary("divf", "%r#2", sum, result);
  std::string outType = tensorType({bm, valueWidth}, element);
  if (element != "f32")
    mean = text.define("tile.cast " + mean + " : " + result + " to " + outType);
  std::string out = text.output({queries, valueWidth}, element, matrix);
  text.line("tile.store " + mean + ", " + out + "[%m, %c0] : " + outType +
            ", " + matrix);
  if (!keepsSums)
    return;
  std::string logarithm = text.define(Twine(base2 ? "math.log2" : "math.log") +
                                      " %r#1 : " + column);
  std::string sums = text.output({queries, 1}, "f32", "!tile.view<?x1xf32>");
  text.line("tile.store " + binary("addf", logarithm, "%r#0", column) + ", " +
            sums + "[%m, %c0] : " + column + ", !tile.view<?x1xf32>");
}

NumericCase Attention::make() {
  drawForm();
  text.line("%m = tile.block_id 0");
  text.line("%c0 = arith.constant 0 : index");
  text.line("%c1 = arith.constant 1 : index");
  std::string queryType = tensorType({bm, width}, element);
  std::string query =
      text.define("tile.load " + q + "[%m, %c0] [" + listOf({bm, width}) +
                  "] : " + matrix + " -> " + queryType);
  if (scalesQuery)
    query =
        binary("mulf", query, splat("0.25", element, {bm, width}), queryType);
  std::string rowType = tensorType({bm}, "i32");
  std::string across =
      text.define("tile.expand_dims " + numbersOf("%m", bm) +
                  ", 1 : " + rowType + " -> " + tensorType({bm, 1}, "i32"));
  queryNumbers = widen(across, {bm, 1}, {bm, bn}, "i32");
  std::string result = tensorType({bm, valueWidth}, "f32");
  std::string lowest = splat(low, "f32", {bm, 1});
  std::string none = splat("0.0", "f32", {bm, 1});
  std::string empty = splat("0.0", "f32", {bm, valueWidth});
  text.line("%all = tile.num_tiles " + k + ", 0 by [" + Twine(bn) +
            "] : " + matrix);
  std::string end = "%all";
  if (endsEarly) {
    std::string next = binary("addi", "%m", "%c1", "index");
    std::string behind = binary("muli", next, text.index(bm), "index");
    std::string tiles = text.define("arith.ceildivui " + behind + ", " +
                                    text.index(bn) + " : index");
    end = binary("minui", tiles, "%all", "index");
  }
  text.line("%r:3 = scf.for %j = %c0 to " + end +
            " step %c1 iter_args(%max = " + lowest + ", %sum = " + none +
            ", %acc = " + empty + ") -> (" + column + ", " + column + ", " +
            result + ") {");
  text.indent();
  step(query);
  text.outdent();
  text.line("}");
  store();

  Arithmetic arithmetic;
  arithmetic.depth = 2 * (keys + width);
  arithmetic.scale = 2;
  if (element != "f32")
    arithmetic.factor = bundle::parseElementType(element);
  return text.finish("ceildiv(dim(%out0, 0), " + Twine(bm) + ")", arithmetic);
}

} // namespace

NumericCase randomAttention(uint64_t seed) { return Attention(seed).make(); }

} // namespace tilegpt::numeric
