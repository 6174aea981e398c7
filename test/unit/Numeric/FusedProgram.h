// Functions of launches, fused by rule or not, run in the interpreter and
// compiled.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_FUSEDPROGRAM_H
#define TILEGPT_TEST_UNIT_NUMERIC_FUSEDPROGRAM_H

#include "Compare.h"
#include "NumericRun.h"
#include "TileGPT/Compiler/KernelRun.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <cmath>

namespace tilegpt::numeric {

/// A text and the kernels it launches, with or without launch fusion.
class FusedProgram {
public:
  enum Fusion { Apart, Fused, FusedExactly };

  FusedProgram(llvm::StringRef text, Fusion fusion) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context), "chain.mlir");
    if (!module) {
      ADD_FAILURE() << "does not parse:\n" << text.str();
      return;
    }
    mlir::PassManager pm(&context);
    pm.addPass(tile::createLinkLibraryPass());
    pm.addPass(tile::createBindOperandsPass());
    pm.addPass(mlir::createCanonicalizerPass());
    pm.addPass(mlir::createCSEPass());
    if (fusion != Apart) {
      tile::FuseLaunchesPassOptions options;
      options.exact = fusion == FusedExactly;
      // Fuse regardless of repeated work: correctness does not depend on it.
      options.elementPs = 0;
      options.overlapsMemory = true;
      pm.addPass(tile::createFuseLaunchesPass(options));
    }
    if (mlir::failed(pm.run(*module)))
      ADD_FAILURE() << "passes fail on:\n" << text.str();
    interpreter.emplace(*module);
  }

  std::vector<std::vector<std::byte>>
  call(const std::vector<reference::TensorRef> &arguments) {
    auto results = interpreter->call("f", arguments);
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return {};
    }
    values = *results;
    std::vector<std::vector<std::byte>> bytes;
    bytes.reserve(values.size());
    for (const reference::TensorRef &tensor : values)
      bytes.push_back(tensor->toBytes());
    return bytes;
  }

  /// Compiles a kernel and runs all blocks of its grid on these arguments.
  using RunKernel = llvm::function_ref<llvm::Error(
      tile::KernelOp kernel, llvm::ArrayRef<reference::Value> arguments)>;

  /// The same, each launch compiled and run by `run`. Nothing for an error,
  /// which fails the test.
  std::vector<reference::TensorRef>
  callCompiled(llvm::ArrayRef<reference::TensorRef> arguments, RunKernel run) {
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    llvm::DenseMap<mlir::Value, reference::TensorRef> tensors;
    for (auto [argument, tensor] :
         llvm::zip_equal(function.getArguments(), arguments))
      tensors[argument] = tensor;
    function.walk([&](mlir::tensor::EmptyOp empty) {
      tensors[empty] = unwritten(empty, tensors);
    });
    for (auto launch : function.getOps<tile::LaunchOp>()) {
      std::vector<reference::Value> operands;
      for (mlir::Value in : launch.getIns())
        operands.push_back(
            tensors.contains(in)
                ? reference::Value(reference::View::of(tensors[in], false))
                : scalarOf(in));
      // An out may have other users: its results are copies.
      for (auto [out, result] :
           llvm::zip_equal(launch.getOuts(), launch.getResults())) {
        tensors[result] = std::make_shared<reference::Tensor>(*tensors[out]);
        operands.push_back(reference::View::of(tensors[result], true));
      }
      tile::KernelOp kernel =
          tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
      if (llvm::Error error = run(kernel, operands)) {
        ADD_FAILURE() << llvm::toString(std::move(error)) << print();
        return {};
      }
    }
    std::vector<reference::TensorRef> results;
    for (mlir::Value value : function.front().getTerminator()->getOperands())
      results.push_back(tensors[value]);
    return results;
  }

  std::vector<reference::TensorRef>
  callOnCpu(llvm::ArrayRef<reference::TensorRef> arguments) {
    return callCompiled(arguments, [](tile::KernelOp kernel, auto operands) {
      return compiler::runKernelOnCpu(kernel, operands, {.guard = 64});
    });
  }

  unsigned countLaunches() {
    unsigned count = 0;
    module->walk([&](tile::LaunchOp) { ++count; });
    return count;
  }

  std::string print() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    return text;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<reference::Interpreter> interpreter;
  std::vector<reference::TensorRef> values; ///< of the last call

private:
  /// A new tensor, with the sizes that other tensors have.
  static reference::TensorRef
  unwritten(mlir::tensor::EmptyOp empty,
            const llvm::DenseMap<mlir::Value, reference::TensorRef> &tensors) {
    llvm::SmallVector<int64_t> shape;
    for (mlir::OpFoldResult size : empty.getMixedSizes()) {
      if (std::optional<int64_t> known = mlir::getConstantIntValue(size)) {
        shape.push_back(*known);
        continue;
      }
      auto dim =
          llvm::cast<mlir::Value>(size).getDefiningOp<mlir::tensor::DimOp>();
      shape.push_back(
          tensors.at(dim.getSource())->shape()[*dim.getConstantIndex()]);
    }
    return std::make_shared<reference::Tensor>(
        llvm::cantFail(reference::Tensor::unwritten(
            *reference::elementTypeOf(empty.getType().getElementType()),
            shape)));
  }

  static reference::Value scalarOf(mlir::Value in) {
    const reference::ElementType type = *reference::elementTypeOf(in.getType());
    mlir::Attribute constant;
    EXPECT_TRUE(matchPattern(in, mlir::m_Constant(&constant)));
    if (auto real = mlir::dyn_cast<mlir::FloatAttr>(constant))
      return std::make_shared<reference::Tensor>(
          type, reference::Element::of(real.getValueAsDouble()));
    return std::make_shared<reference::Tensor>(
        type, reference::Element::of(
                  mlir::cast<mlir::IntegerAttr>(constant).getInt()));
  }
};

/// Whether all elements are equal, or both NaN. Messages call the first run
/// "apart", the second "fused".
inline testing::AssertionResult
areEqual(llvm::ArrayRef<reference::TensorRef> expected,
         llvm::ArrayRef<reference::TensorRef> found) {
  if (expected.size() != found.size())
    return testing::AssertionFailure() << found.size() << " results";
  for (size_t result = 0; result < expected.size(); ++result)
    for (int64_t i = 0; i < expected[result]->size(); ++i) {
      const reference::Element one = (*expected[result])[i],
                               other = (*found[result])[i];
      const bool isSame =
          expected[result]->isFloat()
              ? one.f == other.f || (std::isnan(one.f) && std::isnan(other.f))
              : one.i == other.i;
      if (!isSame)
        return testing::AssertionFailure()
               << "result " << result << ", element " << i << ": "
               << (expected[result]->isFloat() ? one.f : double(one.i))
               << " apart, "
               << (expected[result]->isFloat() ? other.f : double(other.i))
               << " fused";
    }
  return testing::AssertionSuccess();
}

/// Expects elements that differ at most by this fraction of them, or of 1.
inline void expectNear(llvm::ArrayRef<reference::TensorRef> expected,
                       llvm::ArrayRef<reference::TensorRef> found,
                       double part) {
  ASSERT_EQ(expected.size(), found.size());
  for (auto [one, other] : llvm::zip_equal(expected, found))
    for (int64_t i = 0; i < one->size(); ++i)
      ASSERT_NEAR((*one)[i].f, (*other)[i].f,
                  part * (1 + std::fabs((*one)[i].f)))
          << "element " << i;
}

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_FUSEDPROGRAM_H
