// Expands conversions between numbers and bytes to shifts, before any pass
// looks at tile shapes.
#include "TileGPT/Conversion/TileToArith/ExpandBytes.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_EXPANDBYTES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;

namespace {
struct ExpandBytes : tilegpt::tilegpu::impl::ExpandBytesBase<ExpandBytes> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    tilegpt::tile::populateExpandBytesPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
