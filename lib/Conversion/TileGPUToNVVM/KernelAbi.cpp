// Marks functions as kernels: NVVM attributes and launch configuration.
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/LeastResidents.h"
#include "TileGPT/Dialect/TileGPU/IR/Residents.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "TileGPT/Target/NVVM/Ptx.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_KERNELABI
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// TMA descriptors, the last arguments, are passed by value in parameter
/// memory, where TMA reads them.
static void passTensorMapsByValue(LLVM::LLVMFuncOp function) {
  auto maps = function->getAttrOfType<ArrayAttr>(tensorMapsName);
  if (!maps)
    return;
  constexpr int64_t bytes = 128, alignment = 64;
  Builder builder(function.getContext());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  for (unsigned number = function.getNumArguments() - maps.size();
       number < function.getNumArguments(); ++number) {
    function.setArgAttr(number, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(type));
    function.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                        builder.getI64IntegerAttr(alignment));
    function.setArgAttr(number, NVVM::NVVMDialect::getGridConstantAttrName(),
                        builder.getUnitAttr());
  }
}

/// The occupancy that ptxas should reserve registers for: the kernel's or the
/// plan's, or the limit by shared memory if threads have plenty of registers
/// then; otherwise 0, which leaves it to ptxas.
static int64_t blocksOf(LLVM::LLVMFuncOp function, PlanAttr plan) {
  constexpr int64_t registers = 65536, plenty = 160, bytesOfBlock = 1024;
  if (auto least = dyn_cast_or_null<IntegerAttr>(
          function->removeAttr(leastResidentsName)))
    return least.getInt();
  auto bytes = function->getAttrOfType<IntegerAttr>(sharedBytesName);
  if (plan.getBlocks() != 0 || !bytes)
    return plan.getBlocks();
  const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
  if (!target)
    return 0;
  int64_t blocks = int64_t(target->sharedBytesPerMultiprocessor) /
                   (bytes.getInt() + bytesOfBlock);
  return blocks * plan.getThreads() * plenty <= registers ? blocks : 0;
}

/// The registers of a thread that let a multiprocessor hold the plan's blocks.
static int32_t registersFor(PlanAttr plan) {
  constexpr int64_t registers = 65536, granularity = 8, most = 255;
  return int32_t(std::min<int64_t>(
      most, llvm::alignDown(
                uint64_t(registers / (plan.getBlocks() * plan.getThreads())),
                granularity)));
}

namespace {
struct KernelAbi : tilegpu::impl::KernelAbiBase<KernelAbi> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(&getContext());
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      auto plan =
          dyn_cast_or_null<PlanAttr>(function->removeAttr(PlanAttr::attrName));
      if (!plan)
        continue;
      int32_t threads = plan.getThreads();
      function.setSymName(bundle::deviceSymbol(function.getSymName()));
      function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                        builder.getUnitAttr());
      function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                        builder.getDenseI32ArrayAttr({threads}));
      if (plan.getProducer())
        // Registers are moved between the roles of a block, which requires a
        // limit without spare registers.
        function->setAttr(
            NVVM::NVVMDialect::getMinctasmAttrName(),
            builder.getI32IntegerAttr(residentsWithProducer(plan)));
      else if (plan.getThroughMemory() && plan.getBlocks() > 1)
        // All blocks must be resident: a limit that is not raised if threads
        // spill.
        function->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                          builder.getI32IntegerAttr(registersFor(plan)));
      else if (int64_t blocks = blocksOf(function, plan))
        function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                          builder.getI32IntegerAttr(blocks));
      NamedAttrList launch;
      if (auto cluster = dyn_cast_or_null<DenseI32ArrayAttr>(
              function->removeAttr(clusterName))) {
        // Compiled in: launches need not specify it, unless their grid counts
        // clusters or persistent blocks must form whole clusters.
        function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(), cluster);
        if (function->removeAttr(gridOfClustersName) || plan.getPersistent())
          launch.set("cluster", builder.getI32IntegerAttr(cluster[0]));
      }
      passTensorMapsByValue(function);
      launch.set("threads", builder.getI32IntegerAttr(threads));
      if (plan.getPersistent()) {
        launch.set("persistent", builder.getUnitAttr());
        if (int64_t blocks = residentsWithProducer(plan); blocks > 1)
          launch.set("blocks_per_multiprocessor",
                     builder.getI32IntegerAttr(blocks));
      }
      if (function->removeAttr(overlapsName))
        launch.set("dependent_launch", builder.getUnitAttr());
      if (auto bytes = dyn_cast_or_null<IntegerAttr>(
              function->removeAttr(sharedBytesName)))
        launch.set("shared_bytes", builder.getI32IntegerAttr(bytes.getInt()));
      if (function->removeAttr(keepsBranchesName))
        function.setPassthroughAttr(
            builder.getStrArrayAttr({target::keepsBranchesAttribute}));
      function->removeAttr(scratchName);
      function->removeAttr(scratchBytesName);
      function->removeAttr(stagedRowsName);
      function->setAttr("tile_gpu.launch", launch.getDictionary(&getContext()));
    }
  }
};
} // namespace
