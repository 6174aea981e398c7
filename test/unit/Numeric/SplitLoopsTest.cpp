// Split loops: random kernels and the library's attention give the same results
// with and without splitting, interpreted and compiled for the host.
#include "Compare.h"
#include "FusedCases.h"
#include "Random/RandomKernels.h"
#include "TileGPT/Compiler/KernelRun.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Reference/TensorText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

using reference::Element;
using reference::ElementType;
using reference::Tensor;
using reference::TensorRef;
using reference::Value;
using reference::View;

enum class RunsOn { Reference, Cpu };

/// A function that launches the kernel of a case, with scalars as constants.
std::string launchTextOf(const NumericCase &test) {
  std::vector<std::string> arguments, operands, types, results;
  std::string body;
  for (const std::string &in : test.ins) {
    auto [shape, value] = llvm::StringRef(in).split('=');
    const std::string name = "%a" + std::to_string(operands.size());
    operands.push_back(name);
    if (!shape.contains('x')) {
      types.push_back(shape.str());
      body += llvm::formatv("  {0} = arith.constant {1} : {2}\n", name, value,
                            shape);
      continue;
    }
    types.push_back(("tensor<" + shape + ">").str());
    arguments.push_back(name + ": " + types.back());
  }
  std::vector<std::string> outs;
  for (const std::string &out : test.expected) {
    results.push_back(
        ("tensor<" + llvm::StringRef(out).split('=').first + ">").str());
    outs.push_back("%e" + std::to_string(outs.size()));
    body += "  " + outs.back() + " = tensor.empty() : " + results.back() + "\n";
  }
  llvm::append_range(types, results);
  std::vector<std::string> params;
  for (const auto &[name, value] : test.parameters)
    params.push_back(name + " = " + std::to_string(value));
  return llvm::formatv(
      "func.func @f({0}) -> ({1}) {{\n{2}"
      "  %r:{3} = tile.launch @{4} ins({5}) outs({6}) params {{{7}} : ({8}) -> "
      "({1})\n  return {9} : {1}\n}\n",
      llvm::join(arguments, ", "), llvm::join(results, ", "), body, outs.size(),
      test.kernel, llvm::join(operands, ", "), llvm::join(outs, ", "),
      llvm::join(params, ", "), llvm::join(types, ", "),
      llvm::join(
          llvm::map_range(llvm::seq<size_t>(0, outs.size()),
                          [](size_t i) { return "%r#" + std::to_string(i); }),
          ", "));
}

/// A launch of a case's kernel, with or without splitting its loop.
class PartedLaunch {
public:
  PartedLaunch(const NumericCase &test, int64_t parts) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    const std::string text = test.source + "\n" + launchTextOf(test);
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context), test.file);
    if (!module) {
      ADD_FAILURE() << "does not parse:\n" << text;
      return;
    }
    mlir::PassManager pm(&context);
    pm.addPass(tile::createSpecializePass());
    pm.addPass(mlir::createCanonicalizerPass());
    pm.addPass(mlir::createCSEPass());
    if (parts > 1) {
      // Split even if there is little work to distribute.
      pm.addPass(tile::createSplitLoopsPass({2 * parts * 4096, 1, 0}));
      pm.addPass(mlir::createCanonicalizerPass());
      pm.addPass(mlir::createCSEPass());
    }
    if (failed(pm.run(*module)))
      ADD_FAILURE() << "passes fail on:\n" << text;
  }

  unsigned countLaunches() {
    unsigned count = 0;
    module->walk([&](tile::LaunchOp) { ++count; });
    return count;
  }

  std::string print() {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }

  /// The results of the function for these tensors.
  std::vector<TensorRef> run(const NumericCase &test, RunsOn device) {
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    llvm::DenseMap<mlir::Value, TensorRef> tensors;
    unsigned number = 0;
    for (const std::string &in : test.ins)
      if (llvm::StringRef(in).split('=').first.contains('x'))
        tensors[function.getArgument(number++)] = parse(in);
    for (auto launch : function.getOps<tile::LaunchOp>()) {
      std::vector<Value> arguments;
      for (mlir::Value in : launch.getIns())
        arguments.push_back(valueOf(in, tensors));
      for (mlir::OpResult result : launch.getResults()) {
        tensors[result] = unwritten(result.getType());
        arguments.push_back(View::of(tensors[result], /*writable=*/true));
      }
      tile::KernelOp kernel =
          tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
      llvm::Error error =
          device == RunsOn::Cpu
              ? compiler::runKernelOnCpu(kernel, arguments, {.guard = 64})
              : reference::Interpreter(*module).runKernel(kernel, arguments, {},
                                                          {});
      if (error) {
        ADD_FAILURE() << llvm::toString(std::move(error)) << print();
        return {};
      }
    }
    std::vector<TensorRef> results;
    for (mlir::Value value : function.front().getTerminator()->getOperands())
      results.push_back(tensors[value]);
    return results;
  }

private:
  static TensorRef parse(const std::string &text) {
    return std::make_shared<Tensor>(
        llvm::cantFail(reference::parseTensor(text)));
  }
  static TensorRef unwritten(mlir::Type type) {
    auto tensor = mlir::cast<mlir::RankedTensorType>(type);
    return std::make_shared<Tensor>(llvm::cantFail(
        Tensor::unwritten(*reference::elementTypeOf(tensor.getElementType()),
                          tensor.getShape())));
  }

  static Value valueOf(mlir::Value in,
                       const llvm::DenseMap<mlir::Value, TensorRef> &tensors) {
    if (auto it = tensors.find(in); it != tensors.end())
      return View::of(it->second, /*writable=*/false);
    mlir::Attribute constant;
    EXPECT_TRUE(matchPattern(in, mlir::m_Constant(&constant)));
    const ElementType type = *reference::elementTypeOf(in.getType());
    if (auto number = mlir::dyn_cast<mlir::FloatAttr>(constant))
      return std::make_shared<Tensor>(type,
                                      Element::of(number.getValueAsDouble()));
    return std::make_shared<Tensor>(
        type, Element::of(mlir::cast<mlir::IntegerAttr>(constant).getInt()));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Runs a case with and without splitting.
/// \returns whether its loop was split.
bool expectSameInParts(const NumericCase &test, RunsOn device) {
  PartedLaunch whole(test, 1), parts(test, 3);
  if (testing::Test::HasFailure() || parts.countLaunches() == 1)
    return false;
  const auto expected = whole.run(test, RunsOn::Reference),
             found = parts.run(test, device);
  EXPECT_EQ(expected.size(), found.size());
  for (size_t number = 0; number < std::min(expected.size(), found.size());
       ++number)
    EXPECT_EQ(compare(*expected[number], *found[number], test.arithmetic), "")
        << "out " << number << test.textOfRandom() << parts.print();
  return true;
}

TEST(SplitLoops, RandomAttentionIsTheSameInParts) {
  constexpr uint64_t kernels = 40;
  unsigned split = 0;
  for (uint64_t seed = 1; seed <= kernels; ++seed) {
    SCOPED_TRACE("attention " + std::to_string(seed));
    split += expectSameInParts(randomAttention(seed),
                               seed % 5 == 0 ? RunsOn::Cpu : RunsOn::Reference);
    if (HasFailure())
      return;
  }
  // The other kernels have a single tile of keys and thus no loop.
  EXPECT_GT(split, kernels / 3);
}

TEST(SplitLoops, RandomRowsAreTheSameInParts) {
  constexpr uint64_t kernels = 40;
  unsigned split = 0;
  for (uint64_t seed = 1; seed <= kernels; ++seed) {
    SCOPED_TRACE("rows " + std::to_string(seed));
    split += expectSameInParts(randomRows(seed),
                               seed % 5 == 0 ? RunsOn::Cpu : RunsOn::Reference);
    if (HasFailure())
      return;
  }
  EXPECT_GT(split, 0u);
}

/// Two sequences with two heads of keys, each shared by two heads of queries.
/// Cached keys beyond the last must not be read: they would turn results into
/// NaN.
TEST(SplitLoops, DecodeAttentionIsTheSameInParts) {
  for (const char *window : {"i32=0", "i32=70"})
    for (const char *positions : {"2xi32=0,199", "2xi32=63,64"})
      for (RunsOn device : {RunsOn::Reference, RunsOn::Cpu}) {
        SCOPED_TRACE(std::string(window) + " " + positions);
        const NumericCase test =
            boundCase("attention_decode",
                      {"2x64xf32=random:1", "2x2x256x16xf32=random:2",
                       "2x2x256x16xf32=random:3", positions, "f32=0.0", window,
                       "f32=0.0"},
                      {"2x64xf32"}, 256);
        EXPECT_TRUE(expectSameInParts(test, device));
      }
}

} // namespace
} // namespace tilegpt::numeric
