// Functions of launches, fused by rule or not, in the interpreter.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_FUSEDPROGRAM_H
#define TILEGPT_TEST_UNIT_NUMERIC_FUSEDPROGRAM_H

#include "Compare.h"
#include "NumericRun.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {

/// A text with the kernels it launches, its launches fused or not.
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
      // Whatever work is repeated: what is right does not depend on it.
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
};

/// Elements that are no further apart than this part of them, or of 1.
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
