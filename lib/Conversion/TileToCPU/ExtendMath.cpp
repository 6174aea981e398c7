// Functions of narrow floats in f32, each result rounded.
#include "NewCasts.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_EXTENDMATH
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

namespace {
struct ExtendMath : tilegpt::cpu::impl::ExtendMathBase<ExtendMath> {
  void runOnOperation() override {
    Builder builder(&getContext());
    tilegpt::cpu::NewCasts casts(getOperation());
    SetVector<Type> supported;
    supported.insert(builder.getF32Type());
    supported.insert(builder.getF64Type());
    TypeConverter types;
    math::populateExtendToSupportedTypesTypeConverter(types, supported,
                                                      builder.getF32Type());
    ConversionTarget target(getContext());
    math::populateExtendToSupportedTypesConversionTarget(target, types);
    RewritePatternSet patterns(&getContext());
    math::populateExtendToSupportedTypesPatterns(patterns, types);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    casts.round();
  }
};
} // namespace
