// Warns about unknown optimization hints, which the language otherwise ignores
// silently.
#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

#define GEN_PASS_DEF_CUDATILECHECKHINTSPASS
#include "TileGPT/Conversion/CudaTileToTile/Passes.h.inc"

static bool isTarget(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"default", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90",
              "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"},
             true)
      .Default(false);
}

namespace {
/// The values that a hint may have.
struct HintValues {
  enum Kind { None, Range, PowerOfTwo, Bool } kind = None;
  int64_t most = 0;

  bool contains(Attribute value) const;
  std::string describe() const;
};
} // namespace

bool HintValues::contains(Attribute value) const {
  if (kind == Bool)
    return isa<BoolAttr>(value);
  const auto number = dyn_cast<IntegerAttr>(value);
  if (!number || isa<BoolAttr>(value))
    return false;
  const int64_t found = number.getInt();
  return found >= 1 && found <= most &&
         (kind != PowerOfTwo || llvm::isPowerOf2_64(uint64_t(found)));
}

std::string HintValues::describe() const {
  if (kind == Bool)
    return "true or false";
  return (kind == PowerOfTwo ? "a power of two from 1 to "
                             : "an integer from 1 to ") +
         std::to_string(most);
}

static HintValues valuesOf(Operation *op, StringRef hint) {
  if (isa<EntryOp>(op))
    return llvm::StringSwitch<HintValues>(hint)
        .Case("num_cta_in_cga", {HintValues::PowerOfTwo, 16})
        .Case("occupancy", {HintValues::Range, 32})
        .Case("num_worker_warps_per_cta", {HintValues::PowerOfTwo, 32})
        .Default({});
  if (hint == "latency")
    return {HintValues::Range, 10};
  if (hint == "allow_tma" && isa<LoadViewTkoOp, StoreViewTkoOp>(op))
    return {HintValues::Bool};
  return {};
}

namespace {
class CheckHints : public impl::CudaTileCheckHintsPassBase<CheckHints> {
public:
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto hints =
              op->getAttrOfType<OptimizationHintsAttr>("optimization_hints"))
        check(op, hints.getValue());
    });
    if (error && found)
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  InFlightDiagnostic complain(Operation *op) {
    found = true;
    return error ? op->emitOpError("optimization_hints: ")
                 : op->emitWarning("optimization_hints: ");
  }

  void check(Operation *op, DictionaryAttr targets) {
    for (NamedAttribute target : targets) {
      const StringRef name = target.getName();
      if (!isTarget(name))
        complain(op) << "expected 'default' or a target such as sm_90, found '"
                     << name << "'";
      for (NamedAttribute hint : cast<DictionaryAttr>(target.getValue()))
        check(op, name, hint);
    }
  }

  void check(Operation *op, StringRef target, NamedAttribute hint) {
    const HintValues values = valuesOf(op, hint.getName());
    if (values.kind == HintValues::None)
      complain(op) << "'" << op->getName() << "' has no hint '"
                   << hint.getName().strref() << "'";
    else if (!values.contains(hint.getValue()))
      complain(op) << "expected " << values.describe() << " for " << target
                   << "." << hint.getName().strref() << ", found "
                   << hint.getValue();
  }

  bool found = false;
};
} // namespace

} // namespace tilegpt::cuda_tile
