// A program given as text, parsed and ready to be interpreted.
#ifndef TILEGPT_TEST_UNIT_REFERENCE_PROGRAM_H
#define TILEGPT_TEST_UNIT_REFERENCE_PROGRAM_H

#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Reference/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace tilegpt::reference {

struct Program {
  explicit Program(llvm::StringRef text) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context), "test.mlir");
    EXPECT_TRUE(module);
    if (module)
      interpreter.emplace(*module);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Interpreter> interpreter;
};

/// A tensor with these values, rounded to its type.
inline TensorRef tensorOf(ElementType type, llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<double> values) {
  auto tensor =
      std::make_shared<Tensor>(llvm::cantFail(Tensor::zeros(type, shape)));
  EXPECT_EQ(tensor->size(), int64_t(values.size()));
  for (auto [i, value] : llvm::enumerate(values))
    tensor->store(i, isFloat(type) ? Element::of(value)
                                   : Element::of(int64_t(value)));
  return tensor;
}

/// The elements as numbers.
inline std::vector<double> valuesOf(const Tensor &tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(tensor.isFloat() ? tensor[i].f : double(tensor[i].i));
  return values;
}

} // namespace tilegpt::reference

#endif // TILEGPT_TEST_UNIT_REFERENCE_PROGRAM_H
