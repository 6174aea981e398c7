// Launches that append to a cache, fused with those that read it: random chains
// give the same results and caches with and without fusion, and near misses
// stay apart.
#include "FusedProgram.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

namespace tilegpt::numeric {
namespace {

using llvm::formatv;

/// A cache without a head axis, a row computed from two, and sums over rows
/// with an unusual spelling of the online softmax.
constexpr llvm::StringLiteral userKernels = R"(
!X = !tile.view<?x?x!tile.elt<X>>
!S = !tile.view<?x?x?x!tile.elt<S>>
!H = !tile.view<?x?x!tile.elt<S>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!HW = !tile.view<?x?x!tile.elt<S>, strides=[?, 1]>
!I = !tile.view<?xi32>
tile.kernel @remember(%x: !X, %at: !I) outs(%s: !S)
    params {ROWS = 4 in [1, 4], C = dim(%s, 2), X: type = f32 in [f32, bf16], S: type = f32 in [f32, bf16]}
    grid [dim(%at, 0), ceildiv(floordiv(dim(%x, 0), dim(%at, 0)), ROWS)] {
  %b = tile.block_id 0
  %m = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c = tile.param C
  %rows = tile.dim %x, 0 : !X
  %batch = tile.dim %at, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %c] : !X -> !XW
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %sb = tile.select %s[%b] : !S -> !H
  %sd = tile.subview %sb[%p, 0] [%tokens, %c] : !H -> !HW
  %t = tile.load %xs[%m, %c0] [ROWS, C] : !XW -> tensor<?x?x!tile.elt<X>>
  %f = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %d = arith.addf %f, %f : tensor<?x?xf32>
  %o = tile.cast %d : tensor<?x?xf32> to tensor<?x?x!tile.elt<S>>
  tile.store %o, %sd[%m, %c0] : tensor<?x?x!tile.elt<S>>, !HW
}
tile.kernel @recall(%x: !X, %s: !S, %at: !I, %more: i32) outs(%y: !X)
    where(dim(%x, 0) == dim(%at, 0))
    params {BN = 4 in [4, 8], C = dim(%s, 2), X: type = f32 in [f32, bf16], S: type = f32 in [f32, bf16]}
    grid [dim(%at, 0)] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %c = tile.param C
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %one = arith.constant 1 : i32
  %behind = arith.addi %pi, %one : i32
  %ends = arith.addi %behind, %more : i32
  %end = arith.index_cast %ends : i32 to index
  %sb = tile.select %s[%b] : !S -> !H
  %rows = tile.subview %sb[0, 0] [%end, %c] : !H -> !HW
  %q = tile.load %x[%b, %c0] [1, C] : !X -> tensor<1x?x!tile.elt<X>>
  %qf = tile.cast %q : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
  %qb = tile.broadcast %qf [BN, C] : tensor<1x?xf32> -> tensor<?x?xf32>
  %m0 = tile.splat %ninf [1, 1] : f32 -> tensor<1x1xf32>
  %l0 = tile.splat %zero [1, 1] : f32 -> tensor<1x1xf32>
  %o0 = tile.splat %zero [1, C] : f32 -> tensor<1x?xf32>
  %ninfs = tile.splat %ninf [BN, 1] : f32 -> tensor<?x1xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !HW
  %max, %sum, %acc = scf.for %j = %c0 to %steps step %c1
      iter_args(%mi = %m0, %li = %l0, %oi = %o0) -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, C] : !HW -> tensor<?x?x!tile.elt<S>>
    %tf = tile.cast %t : tensor<?x?x!tile.elt<S>> to tensor<?x?xf32>
    %products = arith.mulf %tf, %qb : tensor<?x?xf32>
    %scores = tile.reduce add %products axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %bn = tile.param BN
    %j0 = arith.muli %bn, %j : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BN] : i32 -> tensor<?xi32>
    %in = tile.iota [BN] : tensor<?xi32>
    %kp = arith.addi %in, %j0s : tensor<?xi32>
    %kpc = tile.expand_dims %kp, 1 : tensor<?xi32> -> tensor<?x1xi32>
    %bound = tile.splat %ends [BN, 1] : i32 -> tensor<?x1xi32>
    %seen = arith.cmpi sgt, %bound, %kpc : tensor<?x1xi32>
    %s1 = arith.select %seen, %scores, %ninfs : tensor<?x1xi1>, tensor<?x1xf32>
    %mt = tile.reduce max %s1 axis 0 keepdims : tensor<?x1xf32> -> tensor<1x1xf32>
    %mn = arith.maximumf %mt, %mi : tensor<1x1xf32>
    %mb = tile.broadcast %mn [BN, 1] : tensor<1x1xf32> -> tensor<?x1xf32>
    %sd = arith.subf %s1, %mb : tensor<?x1xf32>
    %e = math.exp %sd : tensor<?x1xf32>
    %md = arith.subf %mi, %mn : tensor<1x1xf32>
    %alpha = math.exp %md : tensor<1x1xf32>
    %lt = tile.reduce add %e axis 0 keepdims : tensor<?x1xf32> -> tensor<1x1xf32>
    %la = arith.mulf %alpha, %li : tensor<1x1xf32>
    %ln = arith.addf %la, %lt : tensor<1x1xf32>
    %ab = tile.broadcast %alpha [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
    %oa = arith.mulf %oi, %ab : tensor<1x?xf32>
    %eb = tile.broadcast %e [BN, C] : tensor<?x1xf32> -> tensor<?x?xf32>
    %weighted = arith.mulf %eb, %tf : tensor<?x?xf32>
    %ot = tile.reduce add %weighted axis 0 keepdims : tensor<?x?xf32> -> tensor<1x?xf32>
    %on = arith.addf %oa, %ot : tensor<1x?xf32>
    scf.yield %mn, %ln, %on : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x?xf32>
  }
  %lb = tile.broadcast %sum [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %r = arith.divf %acc, %lb : tensor<1x?xf32>
  %o = tile.cast %r : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %o, %y[%b, %c0] : tensor<1x?x!tile.elt<X>>, !X
}
)";

/// A function that appends and reads, layer by layer, and its arguments.
struct Layers {
  std::string text;
  std::vector<reference::TensorRef> arguments;
  unsigned launches = 0, fused = 0; ///< expected
  bool isRounded = false;           ///< whether a cache is narrower than f32
};

class LayerWriter {
public:
  explicit LayerWriter(unsigned seed) : random(seed) {
    batch = pick({1, 2, 3, 5});
    type = pick({0, 0, 1}) ? "bf16" : "f32";
    layers.isRounded = type != "f32";
    addTensor({batch}, "i32", "%pos");
    header = "  %c0 = arith.constant 0 : index\n";
  }

  Layers write() {
    for (int64_t count = pick({1, 1, 2}); count > 0; --count)
      if (pick({0, 1}))
        addHeads();
      else
        addUsers();
    std::string values, types;
    for (const auto &[name, shape] : results) {
      values += (values.empty() ? "" : ", ") + name;
      types += (types.empty() ? "" : ", ") + shape;
    }
    layers.text = userKernels.str() + "func.func @f(" + arguments + ") -> (" +
                  types + ") attributes {tile.rows = array<i64: 1, 5>} {\n" +
                  header + body + "  return " + values + " : " + types +
                  "\n}\n";
    return std::move(layers);
  }

private:
  int64_t pick(std::initializer_list<int64_t> from) {
    return from.begin()[std::uniform_int_distribution<size_t>(
        0, from.size() - 1)(random)];
  }

  /// `2x16xf32` for a tensor, with the number of sequences possibly dynamic.
  static std::string typeOf(llvm::ArrayRef<int64_t> shape,
                            llvm::StringRef element) {
    std::string text = "tensor<?x";
    for (int64_t size : shape.drop_front())
      text += std::to_string(size) + "x";
    return text + element.str() + ">";
  }

  /// Adds a random argument; integers are positions valid in all caches.
  std::string addTensor(std::vector<int64_t> shape, llvm::StringRef element,
                        std::string name = {}) {
    if (name.empty())
      name = "%a" + std::to_string(layers.arguments.size());
    arguments +=
        (arguments.empty() ? "" : ", ") + name + ": " + typeOf(shape, element);
    auto kind = element == "i32"    ? reference::ElementType::I32
                : element == "bf16" ? reference::ElementType::BF16
                                    : reference::ElementType::F32;
    auto tensor = std::make_shared<reference::Tensor>(
        llvm::cantFail(reference::Tensor::zeros(kind, shape)));
    std::uniform_real_distribution<double> number(-1, 1);
    for (int64_t i = 0; i < tensor->size(); ++i)
      if (element == "i32")
        tensor->store(i, reference::Element::of(pick({1, 2, 3, 7, 15, 18})));
      else
        tensor->store(i, reference::Element::of(number(random)));
    layers.arguments.push_back(tensor);
    return name;
  }

  void addResult(const std::string &name, const std::string &shape) {
    results.push_back({name, shape});
  }

  /// A new tensor; if its rows are dynamic, it has those of the last input.
  std::string empty(const std::string &shape) {
    const std::string name = "%e" + std::to_string(++names);
    const bool isOpen = shape.find('?') != std::string::npos;
    body += "  " + name + " = tensor.empty(" + (isOpen ? rows : "") +
            ") : " + shape + "\n";
    return name;
  }

  std::string addInput(int64_t columns) {
    const std::string name = addTensor({batch, columns}, type);
    rows = "%n" + name.substr(1);
    header += "  " + rows + " = tensor.dim " + name +
              ", %c0 : " + typeOf({batch, columns}, type) + "\n";
    return name;
  }

  /// The library's append, with or without norms and rotation, followed by its
  /// attention, with or without a window and a cap.
  void addHeads() {
    const int64_t keys = pick({1, 2, 3}), group = pick({1, 2, 4}),
                  d = pick({8, 16}), s = pick({19, 24, 40});
    const bool isNormed = pick({0, 1}), isTurned = pick({0, 1});
    const bool changes = isNormed || isTurned;
    const int64_t r = isTurned ? pick({4, 8}) : 0;
    const int64_t queries = keys * group * d;
    const std::string x = typeOf({batch, queries + 2 * keys * d}, type),
                      cache = typeOf({batch, keys, s, d}, type),
                      y = typeOf({batch, queries}, type),
                      cosines = typeOf({batch, isTurned ? d : 0}, "f32"),
                      sines = typeOf({batch, r}, "f32"),
                      q = typeOf({batch, changes ? queries : 0}, type);
    const std::string in = addInput(queries + 2 * keys * d),
                      k = addTensor({batch, keys, s, d}, type),
                      v = addTensor({batch, keys, s, d}, type);
    const std::string gain =
        isNormed ? "tensor<" + std::to_string(d) + "xf32>" : "tensor<0xf32>";
    std::string gains[2], angles[2];
    for (std::string &name : gains)
      name = isNormed ? vector(d) : empty(gain);
    angles[0] = isTurned ? addTensor({batch, d}, "f32") : empty(cosines);
    angles[1] = isTurned ? addTensor({batch, r}, "f32") : empty(sines);
    const int64_t window = pick({0, 1, 5});
    const int64_t number = ++names;
    header += formatv("  %eps{0} = arith.constant 1.0e-3 : f32\n"
                      "  %cap{0} = arith.constant {1} : f32\n"
                      "  %factor{0} = arith.constant {2} : f32\n"
                      "  %window{0} = arith.constant {3} : i32\n",
                      number, pick({0, 1}) ? "0.0" : "5.0",
                      pick({0, 1}) ? "0.0" : "0.3", window);
    const std::string qe = empty(q), ye = empty(y);
    body += formatv(
        "  %k{0}:3 = tile.launch @kv_append ins({1}, {2}, {3}, %eps{0}, "
        "%eps{0}, {4}, {5}, %pos) outs({6}, {7}, {8}) : ({9}, {10}, {10}, f32, "
        "f32, {11}, {12}, tensor<?xi32>, {13}, {13}, {14}) -> ({13}, {13}, "
        "{14})\n",
        number, in, gains[0], gains[1], angles[0], angles[1], k, v, qe, x, gain,
        cosines, sines, cache, q);
    body += formatv(
        "  %y{0} = tile.launch @attention_decode ins({1}, %k{0}#0, %k{0}#1, "
        "%pos, %factor{0}, %window{0}, %cap{0}) outs({2}) : ({3}, {4}, {4}, "
        "tensor<?xi32>, f32, i32, f32, {5}) -> {5}\n",
        number, changes ? "%k" + std::to_string(number) + "#2" : in, ye,
        changes ? q : x, cache, y);
    for (int64_t result : {0, 1})
      addResult("%k" + std::to_string(number) + "#" + std::to_string(result),
                cache);
    addResult("%y" + std::to_string(number), y);
    layers.launches += 2;
    layers.fused += 1;
  }

  std::string vector(int64_t size) {
    const std::string name = "%a" + std::to_string(layers.arguments.size());
    arguments += ", " + name + ": tensor<" + std::to_string(size) + "xf32>";
    auto tensor = std::make_shared<reference::Tensor>(llvm::cantFail(
        reference::Tensor::zeros(reference::ElementType::F32, {size})));
    std::uniform_real_distribution<double> number(-1, 1);
    for (int64_t i = 0; i < size; ++i)
      tensor->store(i, reference::Element::of(number(random)));
    layers.arguments.push_back(tensor);
    return name;
  }

  /// A user-defined pair. It only fuses if the rows that are read end exactly
  /// where the appended ones do; one row more or less keeps it apart.
  void addUsers() {
    const int64_t c = pick({5, 8, 16}), s = pick({24, 33});
    const int64_t more = pick({0, 0, 0, 1, -1});
    const std::string x = typeOf({batch, c}, type),
                      cache = typeOf({batch, s, c}, type);
    const std::string in = addInput(c), memory = addTensor({batch, s, c}, type);
    const int64_t number = ++names;
    header += formatv("  %more{0} = arith.constant {1} : i32\n", number, more);
    const std::string ye = empty(x);
    body +=
        formatv("  %s{0} = tile.launch @remember ins({1}, %pos) outs({2}) : "
                "({3}, tensor<?xi32>, {4}) -> {4}\n",
                number, in, memory, x, cache);
    body += formatv("  %y{0} = tile.launch @recall ins({1}, %s{0}, %pos, "
                    "%more{0}) outs({2}) : ({3}, {4}, tensor<?xi32>, i32, {3}) "
                    "-> {3}\n",
                    number, in, ye, x, cache);
    addResult("%s" + std::to_string(number), cache);
    addResult("%y" + std::to_string(number), x);
    layers.launches += 2;
    layers.fused += more == 0 ? 1 : 2;
  }

  std::mt19937 random;
  int64_t batch;
  std::string type, rows, arguments, header, body;
  std::vector<std::pair<std::string, std::string>> results;
  Layers layers;
  int64_t names = 0;
};

/// Copies tensors, because caches are updated in place.
std::vector<reference::TensorRef>
copyOf(llvm::ArrayRef<reference::TensorRef> tensors) {
  std::vector<reference::TensorRef> copies;
  for (const reference::TensorRef &tensor : tensors)
    copies.push_back(std::make_shared<reference::Tensor>(*tensor));
  return copies;
}

TEST(AppendFusion, LayersGiveTheSameFusedAsApart) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("layers " + std::to_string(seed));
    const Layers layers = LayerWriter(seed).write();
    FusedProgram apart(layers.text, FusedProgram::Apart),
        fused(layers.text, FusedProgram::Fused),
        exact(layers.text, FusedProgram::FusedExactly);
    const auto expected = apart.call(copyOf(layers.arguments));
    fused.call(copyOf(layers.arguments));
    EXPECT_EQ(apart.countLaunches(), layers.launches);
    EXPECT_EQ(fused.countLaunches(), layers.fused) << fused.print();
    // Rows are rounded differently when they are not fused.
    EXPECT_EQ(exact.countLaunches(), layers.launches);
    EXPECT_EQ(expected, exact.call(copyOf(layers.arguments)));
    expectNear(apart.values, fused.values, layers.isRounded ? 0.02 : 1e-5);
    // Printing and parsing again gives the same program.
    FusedProgram again(fused.print(), FusedProgram::Apart);
    again.call(copyOf(layers.arguments));
    expectNear(fused.values, again.values, 0);
    if (seed % 5 == 0)
      expectNear(fused.values, fused.callOnCpu(copyOf(layers.arguments)),
                 layers.isRounded ? 0.02 : 1e-5);
    if (testing::Test::HasFailure())
      FAIL() << layers.text << fused.print();
  }
}

} // namespace
} // namespace tilegpt::numeric
