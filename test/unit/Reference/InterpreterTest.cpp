// Programs that must run: control flow, functions, launches, state, and results
// that a kernel leaves unspecified.
#include "Program.h"
#include "gmock/gmock.h"

namespace tilegpt::reference {
namespace {

using testing::ElementsAre;

/// Calls a function that must succeed and returns its results.
std::vector<TensorRef> call(Program &program, llvm::StringRef name,
                            std::vector<TensorRef> arguments) {
  llvm::Expected<std::vector<TensorRef>> results =
      program.interpreter->call(name, std::move(arguments));
  if (results)
    return *results;
  ADD_FAILURE() << llvm::toString(results.takeError());
  return {};
}

TensorRef indexOf(int64_t value) {
  return tensorOf(ElementType::I64, {}, {double(value)});
}

TEST(Interpreter, RunsLoops) {
  Program program(R"(
    func.func @factorial(%n: index) -> index {
      %c1 = arith.constant 1 : index
      %end = arith.addi %n, %c1 : index
      %r = scf.for %i = %c1 to %end step %c1 iter_args(%p = %c1) -> (index) {
        %q = arith.muli %p, %i : index
        scf.yield %q : index
      }
      return %r : index
    })");
  EXPECT_EQ(call(program, "factorial", {indexOf(5)})[0]->item().i, 120);
  EXPECT_EQ(call(program, "factorial", {indexOf(0)})[0]->item().i, 1);
}

TEST(Interpreter, RunsWhileAndIf) {
  // Counts the steps of the Collatz sequence down to 1.
  Program program(R"(
    func.func @collatz(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %r:2 = scf.while (%x = %n, %s = %c0) : (index, index) -> (index, index) {
        %more = arith.cmpi ugt, %x, %c1 : index
        scf.condition(%more) %x, %s : index, index
      } do {
      ^bb0(%x: index, %s: index):
        %odd = arith.remui %x, %c2 : index
        %isOdd = arith.cmpi eq, %odd, %c1 : index
        %y = scf.if %isOdd -> (index) {
          %t = arith.muli %x, %c3 : index
          %u = arith.addi %t, %c1 : index
          scf.yield %u : index
        } else {
          %h = arith.divui %x, %c2 : index
          scf.yield %h : index
        }
        %s1 = arith.addi %s, %c1 : index
        scf.yield %y, %s1 : index, index
      }
      return %r#1 : index
    })");
  EXPECT_EQ(call(program, "collatz", {indexOf(27)})[0]->item().i, 111);
}

TEST(Interpreter, CallsFunctionsAndReadsTensors) {
  Program program(R"(
    func.func private @last(%t: tensor<?xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xf32>
      %i = arith.subi %n, %c1 : index
      %v = tensor.extract %t[%i] : tensor<?xf32>
      return %v : f32
    }
    func.func @twice(%t: tensor<?xf32>) -> tensor<2xf32> {
      %v = call @last(%t) : (tensor<?xf32>) -> f32
      %s = tensor.splat %v : tensor<2xf32>
      return %s : tensor<2xf32>
    })");
  EXPECT_THAT(valuesOf(*call(program, "twice",
                             {tensorOf(ElementType::F32, {3}, {1, 2, 7})})[0]),
              ElementsAre(7, 7));
}

constexpr llvm::StringLiteral scaleKernel = R"(
    tile.kernel @scale(%x: !tile.view<?x!tile.elt<X>>, %f: f32)
        outs(%y: !tile.view<?x!tile.elt<X>>)
        params {B = 2 in [2, 4], X: type = f32 in [f32, bf16]}
        grid [ceildiv(dim(%y, 0), B)] {
      %i = tile.block_id 0
      %t = tile.load %x[%i] [B] : !tile.view<?x!tile.elt<X>> -> tensor<?x!tile.elt<X>>
      %w = tile.cast %t : tensor<?x!tile.elt<X>> to tensor<?xf32>
      %s = tile.splat %f [B] : f32 -> tensor<?xf32>
      %p = arith.mulf %w, %s : tensor<?xf32>
      %r = tile.cast %p : tensor<?xf32> to tensor<?x!tile.elt<X>>
      tile.store %r, %y[%i] : tensor<?x!tile.elt<X>>, !tile.view<?x!tile.elt<X>>
    })";

TEST(Interpreter, LaunchesDeduceTypesAndSizes) {
  Program program((scaleKernel + R"(
    func.func @f(%x: tensor<?xbf16>, %f: f32) -> tensor<?xbf16> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xbf16>
      %e = tensor.empty(%n) : tensor<?xbf16>
      %y = tile.launch @scale ins(%x, %f) outs(%e) params {B = 4}
          : (tensor<?xbf16>, f32, tensor<?xbf16>) -> tensor<?xbf16>
      return %y : tensor<?xbf16>
    })")
                      .str());
  // 3 · 1.00390625 is between two bf16 values; the store rounds it.
  std::vector<TensorRef> results =
      call(program, "f",
           {tensorOf(ElementType::BF16, {5}, {1, 2, 3, 4, 5}),
            tensorOf(ElementType::F32, {}, {1.00390625})});
  EXPECT_THAT(valuesOf(*results[0]), ElementsAre(1, 2, 3.015625, 4, 5.03125));
}

TEST(Interpreter, KernelRunsWithOverriddenParameters) {
  Program program(scaleKernel);
  TensorRef x = tensorOf(ElementType::F32, {3}, {1, 2, 3});
  TensorRef y = tensorOf(ElementType::F32, {3}, {0, 0, 0});
  mlir::Builder builder(&program.context);
  mlir::DictionaryAttr four = builder.getDictionaryAttr(
      builder.getNamedAttr("B", builder.getI64IntegerAttr(4)));
  for (mlir::DictionaryAttr parameters : {mlir::DictionaryAttr(), four}) {
    llvm::Error error = program.interpreter->runKernel(
        program.interpreter->findKernel("scale"),
        {View::of(x, false), tensorOf(ElementType::F32, {}, {2}),
         View::of(y, true)},
        parameters);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    EXPECT_THAT(valuesOf(*y), ElementsAre(2, 4, 6));
  }
}

constexpr llvm::StringLiteral counter = R"(
    tile.kernel @add(%d: !tile.view<1xf32>) outs(%s: !tile.view<?x1xf32>)
        grid [dim(%s, 0)] {
      %i = tile.block_id 0
      %c0 = arith.constant 0 : index
      %a = tile.load %s[%i, %c0] [1, 1] : !tile.view<?x1xf32> -> tensor<1x1xf32>
      %b = tile.load %d[%c0] [1] : !tile.view<1xf32> -> tensor<1xf32>
      %c = tile.reshape %b [1, 1] : tensor<1xf32> -> tensor<1x1xf32>
      %r = arith.addf %a, %c : tensor<1x1xf32>
      tile.store %r, %s[%i, %c0] : tensor<1x1xf32>, !tile.view<?x1xf32>
    }
    tile.global @count state : tensor<?x1xf32>
    tile.global @step weight : tensor<1xf32>
    func.func @tick() -> (tensor<?x1xf32>, tensor<?x1xf32>) {
      %s = tile.get_global @count : tensor<?x1xf32>
      %d = tile.get_global @step : tensor<1xf32>
      %r = tile.launch @add ins(%d) outs(%s)
          : (tensor<1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
      return %s, %r : tensor<?x1xf32>, tensor<?x1xf32>
    })";

TEST(Interpreter, StateIsUpdatedFromCallToCall) {
  Program program(counter);
  Interpreter interpreter(*program.module, /*sequences=*/2);
  interpreter.bind("step", *tensorOf(ElementType::F32, {1}, {3}));
  for (double before : {0, 3, 6}) {
    auto results = interpreter.call("tick", {});
    ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
    EXPECT_THAT(valuesOf(*(*results)[0]), ElementsAre(before, before));
    EXPECT_THAT(valuesOf(*(*results)[1]), ElementsAre(before + 3, before + 3));
  }
  EXPECT_THAT(valuesOf(*interpreter.lookup("count")), ElementsAre(9, 9));
}

TEST(Interpreter, ViewsMayLieInLargerMemory) {
  Program program(R"(
    !V = !tile.view<?x?xf32, strides=[?, 1]>
    tile.kernel @copy(%x: !V) outs(%y: !V) grid [1] {
      %c0 = arith.constant 0 : index
      %t = tile.load %x[%c0, %c0] [4, 4] pad(pos_inf) : !V -> tensor<4x4xf32>
      tile.store %t, %y[%c0, %c0] : tensor<4x4xf32>, !V
    })");
  View x =
      View::of(tensorOf(ElementType::F32, {2, 3}, {9, 1, 2, 9, 3, 4}), false);
  x.offset = 1;
  x.shape = {2, 2};
  View y =
      View::of(tensorOf(ElementType::F32, {2, 3}, {5, 5, 5, 5, 5, 5}), true);
  y.shape = {2, 2};
  llvm::Error error = program.interpreter->runKernel(
      program.interpreter->findKernel("copy"), {x, y});
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_THAT(valuesOf(*y.memory), ElementsAre(1, 2, 5, 3, 4, 5));
}

} // namespace
} // namespace tilegpt::reference
