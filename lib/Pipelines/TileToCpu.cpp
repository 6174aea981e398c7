// The order of the passes of the host branch.
#include "TileGPT/Pipelines/TileToCpu.h"
#include "Simplification.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassOptions.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

llvm::ArrayRef<llvm::StringLiteral> cpu::cpuPhaseNames() {
  static constexpr llvm::StringLiteral names[] = {
      "specialized", "linalg", "bufferized", "vector", "llvm"};
  return names;
}

std::optional<CpuPhase> cpu::parseCpuPhase(llvm::StringRef name) {
  for (auto [number, word] : llvm::enumerate(cpuPhaseNames()))
    if (word == name)
      return static_cast<CpuPhase>(number);
  return std::nullopt;
}

static void toLinalg(OpPassManager &pm) {
  pm.addNestedPass<tile::KernelOp>(createOffsetsToViews());
  pm.addPass(createTileToLinalg());
  addSimplification(pm);
  pm.addNestedPass<func::FuncOp>(createFuseElementwise());
  // No common subexpressions here: equal fills are cheaper made twice than
  // copied.
  pm.addPass(createCanonicalizerPass());
}

static void toBuffers(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createTieLoopTiles());
  pm.addPass(createBufferizeTiles());
  addSimplification(pm);
  pm.addNestedPass<func::FuncOp>(createPlaceTileBuffers());
}

static void toVectors(OpPassManager &pm, const CpuPipelineOptions &options) {
  pm.addNestedPass<func::FuncOp>(
      createContractToMicroKernel(ContractToMicroKernelOptions{
          options.vectorBits, options.vectorRegisters, options.rowStreams}));
  pm.addPass(createCarryBitsAsBytes());
  pm.addNestedPass<func::FuncOp>(
      createVectorizeTiles(VectorizeTilesOptions{options.vectorBits}));
  addSimplification(pm);
  pm.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
}

static void toLLVM(OpPassManager &pm) {
  // Numbers: narrow floats in f32, functions as arithmetic or calls of libm.
  pm.addNestedPass<func::FuncOp>(createExtendMath());
  pm.addNestedPass<func::FuncOp>(createExpandMath());
  pm.addNestedPass<func::FuncOp>(createExpandFloats());
  pm.addPass(createCarryFloatsAsBits());
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass());
  // Memory: windows become address arithmetic.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addSimplification(pm);
  // Control: branches, and failed assertions as a status.
  pm.addPass(createSCFToControlFlowPass());
  pm.addNestedPass<func::FuncOp>(createAssertToStatus());
  // Everything in the LLVM dialect.
  // Functions without intrinsic are called element by element, through vector
  // ops that are lowered afterwards.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addSimplification(pm);
  pm.addPass(createKernelAbi());
}

void cpu::populateTileToCpuPipeline(OpPassManager &pm,
                                    const CpuPipelineOptions &options) {
  auto runs = [&](CpuPhase phase) {
    return options.first <= phase && phase <= options.last;
  };
  if (runs(CpuPhase::Linalg))
    toLinalg(pm);
  if (runs(CpuPhase::Bufferized))
    toBuffers(pm);
  if (runs(CpuPhase::Vector))
    toVectors(pm, options);
  if (runs(CpuPhase::LLVM))
    toLLVM(pm);
}

namespace {
struct CpuPipelineFlags : PassPipelineOptions<CpuPipelineFlags> {
  Option<unsigned> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("width of the target's vector registers, in bits"),
      llvm::cl::init(512)};
  Option<unsigned> vectorRegisters{
      *this, "vector-registers",
      llvm::cl::desc("number of vector registers of the target"),
      llvm::cl::init(32)};
  Option<unsigned> rowStreams{
      *this, "row-streams",
      llvm::cl::desc("matrix rows that the target reads concurrently at full "
                     "memory bandwidth"),
      llvm::cl::init(4)};
  Option<std::string> last{
      *this, "to",
      llvm::cl::desc(
          "last phase: specialized, linalg, bufferized, vector or llvm"),
      llvm::cl::init("llvm")};
};
} // namespace

void cpu::registerTileToCpuPipeline() {
  PassPipelineRegistration<CpuPipelineFlags>(
      "tile-to-cpu", "specialized kernels to entry points in the LLVM dialect",
      [](OpPassManager &pm, const CpuPipelineFlags &options) {
        std::optional<CpuPhase> last = parseCpuPhase(options.last);
        if (!last)
          llvm::report_fatal_error(
              llvm::Twine("tile-to-cpu: expected to=specialized, linalg, "
                          "bufferized, vector or llvm, found '") +
                  options.last + "'",
              /*gen_crash_diag=*/false);
        CpuPipelineOptions host;
        host.vectorBits = options.vectorBits;
        host.vectorRegisters = options.vectorRegisters;
        host.rowStreams = options.rowStreams;
        host.last = *last;
        populateTileToCpuPipeline(pm, host);
      });
}
