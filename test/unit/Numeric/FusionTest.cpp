// Launches fused by rule: random chains of library and user-defined kernels
// give the same results with and without fusion, and fused kernels compile for
// the CPU and a GPU like any other.
#include "FusedProgram.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <random>

namespace tilegpt::numeric {
namespace {

using llvm::formatv;

/// User-defined kernels: one row at a time, a scalar, a gate, a vector over all
/// rows, a factor per row, one row as a vector, a norm by the largest element,
/// a sum of each row, stores to a transposed view, another element type.
constexpr llvm::StringLiteral userKernels = R"(
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @relu_squared(%x: !X) outs(%y: !X)
    params {BN = 32 in [32, 64], X: type = f32 in [f32, bf16, f16]}
    grid [dim(%y, 0), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
  %f = tile.cast %t : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %r = arith.maximumf %f, %zeros : tensor<1x?xf32>
  %s = arith.mulf %r, %r : tensor<1x?xf32>
  %o = tile.cast %s : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %o, %y[%m, %n] : tensor<1x?x!tile.elt<X>>, !X
}
tile.kernel @gate(%x: !X, %g: !X, %scale: f32) outs(%y: !X)
    params {ROWS = 2 in [1, 2, 4], COLS = 16 in [8, 16], X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 1), COLS), ceildiv(dim(%y, 0), ROWS)] {
  %n = tile.block_id 0
  %m = tile.block_id 1
  %s = tile.splat %scale [ROWS, COLS] : f32 -> tensor<?x?xf32>
  %t = tile.load %x[%m, %n] [ROWS, COLS] : !X -> tensor<?x?x!tile.elt<X>>
  %u = tile.load %g[%m, %n] [ROWS, COLS] : !X -> tensor<?x?x!tile.elt<X>>
  %tf = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %uf = tile.cast %u : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %a = arith.mulf %tf, %uf : tensor<?x?xf32>
  %b = arith.mulf %a, %s : tensor<?x?xf32>
  %o = tile.cast %b : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %o, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
tile.kernel @shift(%x: !X, %b: !F) outs(%y: !X)
    params {BM = 4 in [1, 4], C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%x, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %v = tile.load %b[%c0] [C] : !F -> tensor<?xf32>
  %tf = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %vs = tile.broadcast %v [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
  %a = arith.addf %tf, %vs : tensor<?x?xf32>
  %o = tile.cast %a : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %o, %y[%m, %c0] : tensor<?x?x!tile.elt<X>>, !X
}
tile.kernel @scale_rows(%x: !X, %f: !F) outs(%y: !X)
    params {BM = 4 in [1, 4, 16], BN = 16 in [16, 32], X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %v = tile.load %f[%m] [BM] : !F -> tensor<?xf32>
  %column = tile.reshape %v [BM, 1] : tensor<?xf32> -> tensor<?x1xf32>
  %factors = tile.broadcast %column [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
  %tf = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %a = arith.mulf %tf, %factors : tensor<?x?xf32>
  %o = tile.cast %a : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %o, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
tile.kernel @centre_row(%x: !X) outs(%y: !X) params {C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!tile.elt<X>>
  %row = tile.reshape %t [C] : tensor<1x?x!tile.elt<X>> -> tensor<?x!tile.elt<X>>
  %f = tile.cast %row : tensor<?x!tile.elt<X>> to tensor<?xf32>
  %max = tile.reduce max %f axis 0 keepdims : tensor<?xf32> -> tensor<1xf32>
  %all = tile.broadcast %max [C] : tensor<1xf32> -> tensor<?xf32>
  %a = arith.subf %f, %all : tensor<?xf32>
  %o = tile.cast %a : tensor<?xf32> to tensor<?x!tile.elt<X>>
  %r = tile.reshape %o [1, C] : tensor<?x!tile.elt<X>> -> tensor<1x?x!tile.elt<X>>
  tile.store %r, %y[%m, %c0] : tensor<1x?x!tile.elt<X>>, !X
}
tile.kernel @max_norm(%x: !X, %g: !F) outs(%y: !X)
    params {BM = 2 in [1, 2, 8], C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %v = tile.load %g[%c0] [C] : !F -> tensor<?xf32>
  %f = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %abs = math.absf %f : tensor<?x?xf32>
  %max = tile.reduce max %abs axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %one = arith.constant 1.0 : f32
  %ones = tile.splat %one [BM, 1] : f32 -> tensor<?x1xf32>
  %sum = arith.addf %max, %ones : tensor<?x1xf32>
  %all = tile.broadcast %sum [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %q = arith.divf %f, %all : tensor<?x?xf32>
  %vs = tile.broadcast %v [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
  %a = arith.mulf %q, %vs : tensor<?x?xf32>
  %o = tile.cast %a : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %o, %y[%m, %c0] : tensor<?x?x!tile.elt<X>>, !X
}
tile.kernel @row_sum(%x: !X) outs(%s: !F)
    params {BM = 4 in [1, 4, 16], C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%s, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %f = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %r = tile.reduce add %f axis 1 : tensor<?x?xf32> -> tensor<?xf32>
  tile.store %r, %s[%m] : tensor<?xf32>, !F
}
tile.kernel @transposed(%x: !X) outs(%y: !X)
    params {BM = 4 in [2, 4], BN = 16 in [8, 16], X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%x, 0), BM), ceildiv(dim(%x, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %columns = tile.transpose %y [1, 0] : !X -> !tile.view<?x?x!tile.elt<X>, strides=[1, ?]>
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  tile.store %t, %columns[%m, %n] : tensor<?x?x!tile.elt<X>>, !tile.view<?x?x!tile.elt<X>, strides=[1, ?]>
}
tile.kernel @convert(%x: !X) outs(%y: !tile.view<?x?x!tile.elt<Y>>)
    params {BM = 4 in [1, 4], BN = 16 in [16, 64], X: type = f32 in [f32, bf16, f16], Y: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %o = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?x!tile.elt<Y>>
  tile.store %o, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !tile.view<?x?x!tile.elt<Y>>
}
)";

/// A function with a chain of launches, and its arguments.
struct Chain {
  std::string text;
  std::vector<reference::TensorRef> arguments;
  /// Whether tensors between launches are narrower than f32.
  bool isRounded;
};

/// Writes chains of launches that read results of earlier ones.
class ChainWriter {
public:
  ChainWriter(unsigned seed) : random(seed) {
    rows = pick({1, 3, 5, 7, 16, 33});
    type = pick({0, 1, 2}) == 0 ? "f32" : "bf16";
    isOpen = pick({0, 1});
    names.push_back({addArgument({rows, pick({17, 40, 64})}), 0});
    names.back().columns = lastColumns;
  }

  Chain write() {
    for (int64_t length = pick({2, 3, 4, 6}); length > 0; --length)
      addLaunch();
    // Return the last result and one from the middle.
    const Tensor &kept = names[pick(names.size())], &last = names.back();
    std::string text =
        (userKernels + "func.func @f(" + arguments + ") -> (" + typeOf(kept) +
         ", " + typeOf(last) + ") attributes {tile.rows = array<i64: 1, " +
         std::to_string(rows) + ">} {\n" + header + body + "  return " +
         kept.name + ", " + last.name + " : " + typeOf(kept) + ", " +
         typeOf(last) + "\n}\n")
            .str();
    return {text, values, type != "f32"};
  }

private:
  struct Tensor {
    std::string name;
    int64_t columns;
  };

  int64_t pick(std::initializer_list<int64_t> from) {
    return from.begin()[pick(from.size())];
  }
  size_t pick(size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  }

  std::string rowsText() const { return isOpen ? "?" : std::to_string(rows); }
  std::string typeOf(const Tensor &tensor) const {
    return "tensor<" + rowsText() + "x" + std::to_string(tensor.columns) + "x" +
           type + ">";
  }

  /// A random tensor of these sizes; with two axes, the first one is the rows.
  std::string addArgument(std::vector<int64_t> shape, bool isWeight = false) {
    lastColumns = shape.back();
    const std::string name = "%a" + std::to_string(values.size());
    const std::string element = shape.size() == 1 ? "f32" : type;
    std::string sizes = std::to_string(shape[0]);
    if (shape.size() == 2)
      sizes = (isWeight ? sizes : rowsText()) + "x" + std::to_string(shape[1]);
    lastType = "tensor<" + sizes + "x" + element + ">";
    arguments += (values.empty() ? "" : ", ") + name + ": " + lastType;
    if (values.empty())
      header = "  %c0 = arith.constant 0 : index\n  %rows = tensor.dim " +
               name + ", %c0 : " + lastType + "\n";
    auto tensor = std::make_shared<reference::Tensor>(llvm::cantFail(
        reference::Tensor::zeros(element == "f32"
                                     ? reference::ElementType::F32
                                     : reference::ElementType::BF16,
                                 shape)));
    std::uniform_real_distribution<double> number(-1, 1);
    for (int64_t i = 0; i < tensor->size(); ++i)
      tensor->store(i, reference::Element::of(number(random)));
    values.push_back(tensor);
    return name;
  }

  /// A launch with a result of this type, one axis of which is the rows.
  /// \returns the result.
  std::string launchTo(const std::string &out, const std::string &kernel,
                       const std::string &ins, const std::string &types) {
    std::string result = "%t" + std::to_string(++launches);
    body += formatv("  %e{0} = tensor.empty({1}) : {2}\n"
                    "  {3} = tile.launch @{4} ins({5}) outs(%e{0}) : ({6}, "
                    "{2}) -> {2}\n",
                    launches, isOpen ? "%rows" : "", out, result, kernel, ins,
                    types);
    return result;
  }

  void launch(const std::string &kernel, const std::string &ins,
              const std::string &types, int64_t columns) {
    const std::string out = typeOf({"", columns});
    names.push_back({launchTo(out, kernel, ins, types), columns});
  }

  void addLaunch() {
    // A tensor may have several readers.
    const Tensor input =
        pick(size_t(6)) ? names.back() : names[pick(names.size())];
    const std::string in = typeOf(input);
    auto vector = [&](int64_t size) { return addArgument({size}); };
    std::string scale = "%s" + std::to_string(launches);
    auto scalar = [&](double value) {
      header +=
          formatv("  {0} = arith.constant {1:F4} : f32\n", scale, value).str();
      return scale;
    };
    // Another tensor of this shape, if there is one.
    llvm::SmallVector<Tensor> same;
    for (const Tensor &tensor : llvm::drop_end(names))
      if (tensor.columns == input.columns)
        same.push_back(tensor);
    switch (pick(size_t(17))) {
    case 0:
    case 1: {
      const int64_t columns = pick({17, 40, 64});
      const std::string w = addArgument({columns, input.columns}, true);
      const std::string wType = lastType, b = vector(columns);
      return launch(rows <= 16 && pick({0, 1}) ? "linear_decode" : "linear",
                    input.name + ", " + w + ", " + b,
                    in + ", " + wType + ", " + lastType, columns);
    }
    case 2:
      return launch("gelu", input.name, in, input.columns);
    case 3:
      return launch("relu_squared", input.name, in, input.columns);
    case 4:
    case 5: {
      const std::string other = same.empty()
                                    ? addArgument({rows, input.columns})
                                    : same[pick(same.size())].name;
      if (pick({0, 1}))
        return launch("add",
                      pick({0, 1}) ? input.name + ", " + other
                                   : other + ", " + input.name,
                      in + ", " + in, input.columns);
      return launch("gate", input.name + ", " + other + ", " + scalar(0.5),
                    in + ", " + in + ", f32", input.columns);
    }
    case 6: {
      const std::string g = vector(input.columns), type = lastType,
                        b = vector(input.columns);
      return launch("layer_norm",
                    input.name + ", " + g + ", " + b + ", " + scalar(0.001),
                    in + ", " + type + ", " + type + ", f32", input.columns);
    }
    case 7:
      return launch("softmax", input.name, in, input.columns);
    case 8: {
      const std::string factors = vector(rows);
      return launch("scale_rows", input.name + ", " + factors,
                    in + ", " + lastType, input.columns);
    }
    case 9:
      return launch("centre_row", input.name, in, input.columns);
    case 10: {
      const std::string g = vector(input.columns);
      return launch("rms_norm",
                    input.name + ", " + g + ", " + scalar(0.001) + ", " + scale,
                    in + ", " + lastType + ", f32, f32", input.columns);
    }
    case 11: {
      // Gates and values, which a linear layer in front computes.
      const std::string w = addArgument({2 * 24, input.columns}, true);
      const std::string wType = lastType, b = vector(2 * 24);
      launch("linear", input.name + ", " + w + ", " + b,
             in + ", " + wType + ", " + lastType, 2 * 24);
      return launch(pick({0, 1}) ? "silu_glu" : "gelu_glu", names.back().name,
                    typeOf(names.back()), 24);
    }
    case 12: {
      const std::string g = vector(input.columns);
      return launch("max_norm", input.name + ", " + g, in + ", " + lastType,
                    input.columns);
    }
    case 13: {
      const std::string sums = "tensor<" + rowsText() + "xf32>";
      const std::string factors = launchTo(sums, "row_sum", input.name, in);
      return launch("scale_rows", input.name + ", " + factors, in + ", " + sums,
                    input.columns);
    }
    case 14: {
      const std::string turned = "tensor<" + std::to_string(input.columns) +
                                 "x" + rowsText() + "x" + type + ">";
      const std::string columns =
          launchTo(turned, "transposed", input.name, in);
      if (pick({0, 1}))
        return launch("transposed", columns, turned, input.columns);
      const std::string scaled = launchTo(turned, "gelu", columns, turned);
      return launch("transposed", scaled, turned, input.columns);
    }
    case 15: {
      const std::string other = "tensor<" + rowsText() + "x" +
                                std::to_string(input.columns) + "xf32>";
      const std::string converted = launchTo(other, "convert", input.name, in);
      return launch("convert", converted, other, input.columns);
    }
    default: {
      const std::string b = vector(input.columns);
      return launch("shift", input.name + ", " + b, in + ", " + lastType,
                    input.columns);
    }
    }
  }

  std::mt19937 random;
  int64_t rows, lastColumns = 0;
  std::string type, lastType;
  bool isOpen;
  std::string arguments, header, body;
  std::vector<reference::TensorRef> values;
  llvm::SmallVector<Tensor> names;
  unsigned launches = 0;
};

TEST(Fusion, ChainsGiveTheSameFusedAsApart) {
  constexpr unsigned chains = 60;
  unsigned apartLaunches = 0, fusedLaunches = 0;
  for (unsigned seed = 0; seed < chains; ++seed) {
    SCOPED_TRACE("chain " + std::to_string(seed));
    const Chain chain = ChainWriter(seed).write();
    FusedProgram apart(chain.text, FusedProgram::Apart);
    FusedProgram exact(chain.text, FusedProgram::FusedExactly);
    const auto expected = apart.call(chain.arguments);
    const auto found = exact.call(chain.arguments);
    // The interpreter computes f32 in double and rounds only what is in memory.
    if (chain.isRounded)
      ASSERT_EQ(expected, found) << chain.text << exact.print();
    else
      expectNear(apart.values, exact.values, 1e-5);
    // Printing and parsing again gives the same program.
    FusedProgram again(exact.print(), FusedProgram::Apart);
    ASSERT_EQ(found, again.call(chain.arguments)) << exact.print();
    // Compare without intermediate roundings (f32 has none): a norm may amplify
    // the last bit of bf16 arbitrarily.
    FusedProgram fused(chain.text, FusedProgram::Fused);
    fused.call(chain.arguments);
    if (!chain.isRounded) {
      expectNear(apart.values, fused.values, 1e-5);
      expectNear(fused.values, fused.callOnCpu(chain.arguments), 1e-4);
    }
    if (testing::Test::HasFailure())
      FAIL() << chain.text << fused.print();
    apartLaunches += apart.countLaunches();
    fusedLaunches += fused.countLaunches();
  }
  // A good part of the launches must fuse.
  EXPECT_LT(fusedLaunches, apartLaunches * 3 / 4)
      << fusedLaunches << " of " << apartLaunches;
}

} // namespace
} // namespace tilegpt::numeric
