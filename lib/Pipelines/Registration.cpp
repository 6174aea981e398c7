// The one list of dialects and passes that the tools share.
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Conversion/GptToTile/Passes.h"
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "TileGPT/Pipelines/TileToGpu.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

// The registration functions are not in the passes' headers: each instantiates
// std::function, which would take a second of each batch of passes.
namespace tilegpt::cuda_tile {
#define GEN_PASS_REGISTRATION
#include "TileGPT/Conversion/CudaTileToTile/Passes.h.inc"
} // namespace tilegpt::cuda_tile

namespace tilegpt::tilegpu {
#define GEN_PASS_REGISTRATION
#include "TileGPT/Conversion/DeviceMath/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

namespace tilegpt::gpt {
#define GEN_PASS_REGISTRATION
#include "TileGPT/Conversion/GptToTile/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

namespace tilegpt::cpu {
#define GEN_PASS_REGISTRATION
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

namespace tilegpt::tile {
#define GEN_PASS_REGISTRATION
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

namespace {
/// How to bufferize tensor ops. Upstream's models load the linalg dialect and
/// those it depends on; only contexts that bufferize need them.
struct TensorBufferization
    : mlir::DialectExtension<TensorBufferization,
                             mlir::bufferization::BufferizationDialect,
                             mlir::tensor::TensorDialect> {
  void apply(mlir::MLIRContext *context,
             mlir::bufferization::BufferizationDialect *,
             mlir::tensor::TensorDialect *) const override {
    mlir::DialectRegistry models;
    mlir::tensor::registerBufferizableOpInterfaceExternalModels(models);
    context->appendDialectRegistry(models);
  }
};
} // namespace

void tilegpt::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<cuda_tile::CudaTileDialect, gpt::GptDialect,
                  tile::TileDialect, tilegpu::TileGPUDialect>();
  registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::bufferization::BufferizationDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::linalg::LinalgDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect, mlir::ub::UBDialect,
                  mlir::vector::VectorDialect>();
  mlir::arith::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  mlir::cf::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::linalg::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::scf::registerBufferizableOpInterfaceExternalModels(registry);
  registry.addExtensions<TensorBufferization>();
  mlir::vector::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::func::registerInlinerExtension(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
}

void tilegpt::registerPasses() {
  cuda_tile::registerCudaTileToTilePasses();
  gpt::registerGptToTilePasses();
  gpt::registerGptTransformsPasses();
  tile::registerTileTransformsPasses();
  cpu::registerTileToCPUPasses();
  cpu::registerTileToCpuPipeline();
  tilegpu::registerTileGPUTransformsPasses();
  tilegpu::registerTileGPUToNVVMPasses();
  tilegpu::registerDeviceMathPasses();
  tilegpu::registerTileToGpuPipeline();
  mlir::registerTransformsPasses();
  mlir::arith::registerArithPasses();
  mlir::bufferization::registerBufferizationPasses();
  mlir::memref::registerMemRefPasses();
  mlir::registerLinalgPasses();
  mlir::registerSCFPasses();
  mlir::vector::registerVectorPasses();
  mlir::registerPass(mlir::createReconcileUnrealizedCastsPass);
}
