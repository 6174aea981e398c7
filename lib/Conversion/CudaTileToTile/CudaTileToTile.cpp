// The pass: rejects unsupported ops, creates kernels for entries, then converts
// their ops.
#include "Entry/EntryFacts.h"
#include "Patterns.h"
#include "Stages.h"
#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

#define GEN_PASS_DEF_CUDATILETOTILEPASS
#include "TileGPT/Conversion/CudaTileToTile/Passes.h.inc"

/// Converts the ops of each kernel and simplifies the result. Kernels share
/// nothing, so each is converted on a thread of its own.
static LogicalResult convertOps(ArrayRef<Operation *> kernels,
                                MLIRContext &context) {
  TileTypes types;
  RewritePatternSet patterns(&context);
  populateIntegerPatterns(types, patterns);
  populateFloatPatterns(types, patterns);
  populateCastPatterns(types, patterns);
  populateShapePatterns(types, patterns);
  populateProductPatterns(types, patterns);
  populateReductionPatterns(types, patterns);
  populateViewPatterns(types, patterns);
  populatePointerPatterns(types, patterns);
  populateAtomicPatterns(types, patterns);
  populateKernelPatterns(types, patterns);
  populatePrintPatterns(types, patterns);
  ConversionTarget target(context);
  target.addLegalDialect<arith::ArithDialect, math::MathDialect,
                         tensor::TensorDialect, tile::TileDialect>();
  target.addIllegalDialect<CudaTileDialect>();
  target.addIllegalOp<UnrealizedConversionCastOp>();
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  const FrozenRewritePatternSet conversions(std::move(patterns));
  RewritePatternSet tidying(&context);
  populateTidyPatterns(tidying);
  populateCounterPatterns(tidying);
  const FrozenRewritePatternSet tidy(std::move(tidying));
  // The canonicalizer follows.
  const GreedyRewriteConfig config =
      GreedyRewriteConfig().setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled);
  return failableParallelForEach(&context, kernels, [&](Operation *kernel) {
    return success(
        succeeded(applyPartialConversion(kernel, target, conversions)) &&
        succeeded(applyPatternsGreedily(kernel, tidy, config)));
  });
}

/// Creates a kernel for each entry, after the other ops of the module.
static FailureOr<SmallVector<Operation *>>
makeKernels(mlir::ModuleOp module, ArrayRef<EntryOp> entries) {
  SmallVector<Operation *> kernels;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  for (EntryOp entry : entries) {
    if (Operation *other = module.lookupSymbol(entry.getSymName())) {
      InFlightDiagnostic error =
          entry.emitOpError("expected a unique name, found '")
          << entry.getSymName() << "' a second time";
      error.attachNote(other->getLoc()) << "the first is here";
      return failure();
    }
    const SmallVector<int64_t> classes = findTokenClasses(entry);
    tile::KernelOp kernel = lowerEntry(builder, entry);
    if (!kernel)
      return failure();
    convertLocations(entry, kernel);
    if (!classes.empty())
      kernel->setAttr(tile::aliasClassesAttr,
                      builder.getDenseI64ArrayAttr(classes));
    kernels.push_back(kernel);
  }
  return kernels;
}

namespace {
class CudaTileToTile : public impl::CudaTileToTilePassBase<CudaTileToTile> {
public:
  void runOnOperation() override {
    SmallVector<EntryOp> entries;
    SmallVector<Operation *> roots;
    for (Operation &op : *getOperation().getBody())
      if (isa_and_present<CudaTileDialect>(op.getDialect())) {
        roots.push_back(&op);
        op.walk([&](EntryOp entry) { entries.push_back(entry); });
      }
    if (roots.empty())
      return markAllAnalysesPreserved();
    locateInText(getOperation());
    bool isSupported = true;
    for (Operation *root : roots)
      isSupported &= succeeded(checkSupported(root));
    if (!isSupported)
      return signalPassFailure();
    for (Operation *root : roots)
      lowerGlobals(root);
    auto kernels = makeKernels(getOperation(), entries);
    if (failed(kernels))
      return signalPassFailure();
    for (Operation *root : roots)
      root->erase();
    if (failed(convertOps(*kernels, getContext())))
      signalPassFailure();
  }
};
} // namespace

} // namespace tilegpt::cuda_tile
