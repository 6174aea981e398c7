// What every pipeline does between steps that leave something to simplify.
#ifndef TILEGPT_LIB_PIPELINES_SIMPLIFICATION_H
#define TILEGPT_LIB_PIPELINES_SIMPLIFICATION_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tilegpt {

/// Adds canonicalization and common subexpression elimination.
inline void addSimplification(mlir::OpPassManager &pm) {
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
}

} // namespace tilegpt

#endif // TILEGPT_LIB_PIPELINES_SIMPLIFICATION_H
