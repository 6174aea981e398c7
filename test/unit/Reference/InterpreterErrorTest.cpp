// Errors of the interpreter, with the exact message: undefined results,
// violated assumptions, wrong arguments.
#include "Program.h"
#include "gmock/gmock.h"

namespace tilegpt::reference {
namespace {

/// The error of calling @f in a program.
std::string errorOf(llvm::StringRef text,
                    std::vector<TensorRef> arguments = {}) {
  Program program(text);
  auto results = program.interpreter->call("f", std::move(arguments));
  if (results)
    return "no error";
  return llvm::toString(results.takeError());
}

/// The error of running @k, a kernel with one view, on 1, 2, 3, 4.
std::string kernelError(llvm::StringRef body) {
  Program program(("tile.kernel @k() outs(%x: !tile.view<?xf32>) grid [1] {\n"
                   "%c0 = arith.constant 0 : index\n" +
                   body + "\n}")
                      .str());
  if (!program.module)
    return "does not parse";
  return llvm::toString(program.interpreter->runKernel(
      program.interpreter->findKernel("k"),
      {View::of(tensorOf(ElementType::F32, {4}, {1, 2, 3, 4}), true)}));
}

TEST(InterpreterError, UndefinedArithmetic) {
  constexpr llvm::StringLiteral divide = R"(
func.func @f(%a: tensor<2xi8>, %b: tensor<2xi8>) -> tensor<2xi8> {
  %r = arith.divsi %a, %b : tensor<2xi8>
  return %r : tensor<2xi8>
})";
  EXPECT_EQ(errorOf(divide, {tensorOf(ElementType::I8, {2}, {4, 7}),
                             tensorOf(ElementType::I8, {2}, {2, 0})}),
            "test.mlir:3:8: 'arith.divsi' op is undefined for 7, 0 (element 1 "
            "of 2)");
  EXPECT_EQ(errorOf(divide, {tensorOf(ElementType::I8, {2}, {-128, 7}),
                             tensorOf(ElementType::I8, {2}, {-1, 1})}),
            "test.mlir:3:8: 'arith.divsi' op is undefined for -128, -1 "
            "(element 0 of 2)");
}

TEST(InterpreterError, ReadsWhatNothingHasWritten) {
  EXPECT_EQ(errorOf(R"(
func.func @f() -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<2xf32>
  %v = tensor.extract %e[%c0] : tensor<2xf32>
  return %v : f32
})"),
            "test.mlir:5:8: 'tensor.extract' op reads an element that has "
            "not been written");
}

TEST(InterpreterError, LaunchReadsUnwrittenOut) {
  EXPECT_EQ(errorOf(R"(
tile.kernel @k() outs(%x: !tile.view<?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [2] : !tile.view<?xf32> -> tensor<2xf32>
  tile.store %t, %x[%c0] : tensor<2xf32>, !tile.view<?xf32>
}
func.func @f() -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %y = tile.launch @k ins() outs(%e) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
})"),
            "test.mlir:9:8: 'tile.launch' op failed: test.mlir:4:8: "
            "'tile.load' op reads an element that has not been written: [0] of "
            "the tile (block [0, 0, 0] of 'k')");
}

TEST(InterpreterError, UnboundWeight) {
  EXPECT_EQ(errorOf(R"(
tile.global @w weight : tensor<2xf32>
func.func @f() -> tensor<2xf32> {
  %w = tile.get_global @w : tensor<2xf32>
  return %w : tensor<2xf32>
})"),
            "test.mlir:4:8: 'tile.get_global' op reads weight 'w', which is "
            "not bound");
}

TEST(InterpreterError, EndlessRecursion) {
  EXPECT_THAT(errorOf(R"(
func.func @f() {
  call @f() : () -> ()
  return
})"),
              testing::HasSubstr("nested deeper than 256 regions and calls"));
}

TEST(InterpreterError, WrongArguments) {
  constexpr llvm::StringLiteral identity = R"(
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
})";
  EXPECT_EQ(errorOf(identity), "test.mlir:2:1: 'func.func' op expected 1 "
                               "arguments for 'f', found 0");
  EXPECT_EQ(errorOf(identity, {tensorOf(ElementType::F32, {3}, {1, 2, 3})}),
            "test.mlir:2:1: 'func.func' op expected tensor<2xf32> for "
            "argument 0 of 'f', found 3xf32");
}

TEST(InterpreterError, NoEvaluator) {
  EXPECT_EQ(errorOf(R"(
func.func @f(%a: index) -> index {
  %r = arith.constant 1 : index
  %m = memref.alloc() : memref<2xf32>
  return %r : index
})",
                    {tensorOf(ElementType::I64, {}, {1})}),
            "test.mlir:4:8: 'memref.alloc' op has no evaluator in the "
            "reference interpreter");
}

TEST(InterpreterError, FailedAssert) {
  EXPECT_EQ(kernelError("%no = arith.constant false\n"
                        "tile.assert %no, \"id outside the vocabulary\" : i1"),
            "test.mlir:4:1: 'tile.assert' op failed: id outside the "
            "vocabulary (block [0, 0, 0] of 'k')");
}

TEST(InterpreterError, BrokenPromises) {
  EXPECT_EQ(kernelError("%n = tile.dim %x, 0 : !tile.view<?xf32>\n"
                        "%m = tile.assume %n div_by 8 : index"),
            "test.mlir:4:6: 'tile.assume' op promises a multiple of 8, found 4 "
            "(block [0, 0, 0] of 'k')");
  EXPECT_EQ(kernelError("%n = tile.dim %x, 0 : !tile.view<?xf32>\n"
                        "%m = tile.assume %n bounded [0, 3] : index"),
            "test.mlir:4:6: 'tile.assume' op promises a value in [0, 3], found "
            "4 (block [0, 0, 0] of 'k')");
}

TEST(InterpreterError, PlacesOutside) {
  EXPECT_EQ(kernelError("%c2 = arith.constant 2 : index\n"
                        "%w = tile.subview %x[%c2] [3] : !tile.view<?xf32> -> "
                        "!tile.view<3xf32, strides=[1]>"),
            "test.mlir:4:6: 'tile.subview' op window of 3 from 2 is outside "
            "axis 0 of size 4 (block [0, 0, 0] of 'k')");
  EXPECT_EQ(kernelError("%i = tile.dim %x, 0 : !tile.view<?xf32>\n"
                        "%w = tile.select %x[%i] : !tile.view<?xf32> -> "
                        "!tile.view<f32>"),
            "test.mlir:4:6: 'tile.select' op index 4 is outside axis 0 of size "
            "4 (block [0, 0, 0] of 'k')");
  EXPECT_EQ(kernelError("%i = tile.dim %x, 0 : !tile.view<?xf32>\n"
                        "%t = tile.load %x[%c0] [4] : !tile.view<?xf32> -> "
                        "tensor<4xf32>\n"
                        "%p = tile.extract %t[%i] [2] : tensor<4xf32> -> "
                        "tensor<2xf32>"),
            "test.mlir:5:6: 'tile.extract' op piece 4 of size 2 is outside "
            "axis 0 of size 4 (block [0, 0, 0] of 'k')");
}

TEST(InterpreterError, BrokenRequirements) {
  Program program(R"(
tile.kernel @k(%a: !tile.view<?xf32>, %b: !tile.view<?xf32>)
    requires(dim(%a, 0) == dim(%b, 0), dim(%a, 0) <= 2 * B, floordiv(4, dim(%b, 0)) >= 1)
    params {B = 1} grid [1] {
})");
  ASSERT_TRUE(program.module);
  auto run = [&](int64_t a, int64_t b) {
    auto view = [](int64_t size) {
      return View::of(
          tensorOf(ElementType::F32, {size}, std::vector<double>(size_t(size))),
          false);
    };
    return llvm::toString(program.interpreter->runKernel(
        program.interpreter->findKernel("k"), {view(a), view(b)}, {}));
  };
  const std::string at = "test.mlir:2:1: 'tile.kernel' op ";
  EXPECT_EQ(run(2, 2), "");
  EXPECT_EQ(run(1, 2), at +
                           "expected axis 0 of argument 1 of 'k' to be 1 (axis "
                           "0 of argument 0), found 2");
  EXPECT_EQ(run(3, 3), at +
                           "expected axis 0 of argument 0 <= B * 2 in a launch "
                           "of 'k', found 3 and 2");
  EXPECT_EQ(run(0, 0), at + "expected a positive divisor in floordiv, found 0");
}

TEST(InterpreterError, KernelArguments) {
  Program program(R"(
tile.kernel @k(%a: !tile.view<?x!tile.elt<X>>, %b: !tile.view<?x!tile.elt<X>>)
    outs(%y: !tile.view<2x?xf32>)
    params {B = 16 in [16, 32], N = dim(%a, 0), X: type = f32 in [f32, bf16]}
    grid [1] {
})");
  ASSERT_TRUE(program.module);
  mlir::Builder builder(&program.context);
  auto run = [&](TensorRef a, TensorRef b, TensorRef y,
                 llvm::StringRef param = "", int64_t value = 0) {
    mlir::DictionaryAttr parameters;
    if (!param.empty())
      parameters = builder.getDictionaryAttr(
          builder.getNamedAttr(param, builder.getI64IntegerAttr(value)));
    return llvm::toString(program.interpreter->runKernel(
        program.interpreter->findKernel("k"),
        {View::of(a, false), View::of(b, false), View::of(y, true)},
        parameters));
  };
  TensorRef f32 = tensorOf(ElementType::F32, {1}, {0});
  TensorRef bf16 = tensorOf(ElementType::BF16, {1}, {0});
  TensorRef f16 = tensorOf(ElementType::F16, {1}, {0});
  TensorRef out = tensorOf(ElementType::F32, {2, 1}, {0, 0});
  const std::string at = "test.mlir:2:1: 'tile.kernel' op ";
  EXPECT_EQ(run(f32, f32, out), "");
  EXPECT_EQ(run(f32, bf16, out),
            at + "argument 1 binds 'X' to bf16, but an earlier argument bound "
                 "it to f32");
  EXPECT_EQ(run(f16, f16, out),
            at + "parameter 'X' does not admit f16, which the arguments bind "
                 "it to; its default is f32, its candidates are [f32, bf16]");
  EXPECT_EQ(run(f32, f32, f32),
            at + "expected sizes of !tile.view<2x?xf32> for argument 2, "
                 "found 1xf32");
  EXPECT_EQ(run(f32, f32, out, "C", 1), at + "'k' declares no parameter 'C'");
  EXPECT_EQ(run(f32, f32, out, "B", 8),
            at + "parameter 'B' does not admit 8; its default is 16, its "
                 "candidates are [16, 32]");
  EXPECT_EQ(run(f32, f32, out, "N", 8),
            at + "parameter 'N' follows from the sizes of the arguments and "
                 "cannot be given");
}

} // namespace
} // namespace tilegpt::reference
