// Sums of narrow matrices in tiles of whole rows, interpreted.
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Reference/Interpreter.h"
#include "TileGPT/Reference/TensorText.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

/// Sums of squares down the columns of a matrix, in tiles of 64 x 8.
std::string textOf(int64_t rows, int64_t columns) {
  return llvm::formatv(
      R"(!X = !tile.view<{0}x{1}xf32>
tile.kernel @squares(%x: !X) outs(%y: !tile.view<{1}xf32>) grid [{2}] {{
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant {3} : index
  %z = arith.constant dense<0.0> : tensor<64x8xf32>
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%a = %z) -> (tensor<64x8xf32>) {{
    %xt = tile.load %x[%i, %n] [64, 8] : !X -> tensor<64x8xf32>
    %q = arith.mulf %xt, %xt : tensor<64x8xf32>
    %b = arith.addf %a, %q : tensor<64x8xf32>
    scf.yield %b : tensor<64x8xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<64x8xf32> -> tensor<8xf32>
  tile.store %s, %y[%n] : tensor<8xf32>, !tile.view<{1}xf32>
}
)",
      rows, columns, llvm::divideCeil(columns, 8), llvm::divideCeil(rows, 64));
}

void expectSameSums(int64_t rows, int64_t columns) {
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(textOf(rows, columns), &context);
  ASSERT_TRUE(module);
  mlir::PassManager pm(&context);
  // One multiprocessor has enough to read.
  pm.addNestedPass<tile::KernelOp>(tilegpu::createFoldRows({1}));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  auto kernel = *module->getOps<tile::KernelOp>().begin();
  kernel.walk([&](tile::LoadOp load) {
    EXPECT_EQ(load.getType().getDimSize(1), columns);
  });

  auto in =
      std::make_shared<reference::Tensor>(llvm::cantFail(reference::parseTensor(
          llvm::formatv("{0}x{1}xf32=random:1", rows, columns).str())));
  auto out = std::make_shared<reference::Tensor>(
      llvm::cantFail(reference::Tensor::unwritten(
          *reference::elementTypeOf(mlir::Float32Type::get(&context)),
          {columns})));
  const std::vector<reference::Value> arguments = {
      reference::View::of(in, /*writable=*/false),
      reference::View::of(out, /*writable=*/true)};
  llvm::Error error =
      reference::Interpreter(*module).runKernel(kernel, arguments);
  ASSERT_EQ(llvm::toString(std::move(error)), "");
  for (int64_t column = 0; column < columns; ++column) {
    double sum = 0;
    for (int64_t row = 0; row < rows; ++row)
      sum += (*in)[row * columns + column].f * (*in)[row * columns + column].f;
    EXPECT_NEAR((*out)[column].f, sum, 1e-4 * sum);
  }
}

TEST(FoldRows, RowsThatFillNoTileAddNothing) {
  expectSameSums(4099, 1);
  expectSameSums(4096, 3);
  expectSameSums(5003, 10);
}

} // namespace
} // namespace tilegpt::numeric
