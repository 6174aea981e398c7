// Maps ops to their evaluators. Each group of ops registers its own in its
// file.
#ifndef TILEGPT_REFERENCE_REGISTRY_H
#define TILEGPT_REFERENCE_REGISTRY_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace tilegpt::reference {

class Frame;

/// Reads the operands of an op from the frame and defines its results there.
using Evaluator = std::function<llvm::Error(mlir::Operation *, Frame &)>;

class Registry {
public:
  /// Adds an evaluator `llvm::Error evaluate(Op, Frame &)`; it replaces an
  /// earlier one.
  template <typename Op, typename Evaluate>
  void add(Evaluate evaluate) {
    evaluators[Op::getOperationName()] = [evaluate](mlir::Operation *op,
                                                    Frame &frame) {
      return evaluate(llvm::cast<Op>(op), frame);
    };
  }

  /// Evaluates only ops for which `condition` is true: it replaces an earlier
  /// one.
  void
  evaluateIf(std::function<llvm::Expected<bool>(mlir::Operation *)> condition) {
    this->condition = std::move(condition);
  }
  llvm::Expected<bool> isEvaluated(mlir::Operation *op) const {
    return condition ? condition(op) : true;
  }

  /// The evaluator of an op, or null.
  const Evaluator *lookup(mlir::Operation *op) const {
    auto found = evaluators.find(op->getName().getStringRef());
    return found == evaluators.end() ? nullptr : &found->second;
  }

private:
  llvm::StringMap<Evaluator> evaluators;
  std::function<llvm::Expected<bool>(mlir::Operation *)> condition;
};

void populateArithEvaluators(Registry &registry);
void populateArithCastEvaluators(Registry &registry);
void populateMathEvaluators(Registry &registry);
void populateScfEvaluators(Registry &registry);
void populateFuncEvaluators(Registry &registry);
void populateGptEvaluators(Registry &registry);
void populateTensorEvaluators(Registry &registry);
void populateTileGridEvaluators(Registry &registry);
void populateTileViewEvaluators(Registry &registry);
void populateTileMemoryEvaluators(Registry &registry);
void populateTilePointerEvaluators(Registry &registry);
void populateTileShapeEvaluators(Registry &registry);
void populateTileDotEvaluators(Registry &registry);
void populateTileReduceEvaluators(Registry &registry);
void populateTileLaunchEvaluators(Registry &registry);

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_REGISTRY_H
