// What makes a function a kernel: attributes of NVVM, and how it is launched.
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_DEVICEKERNELABI
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct DeviceKernelAbi : tilegpu::impl::DeviceKernelAbiBase<DeviceKernelAbi> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(&getContext());
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      auto plan =
          dyn_cast_or_null<PlanAttr>(function->removeAttr(PlanAttr::attrName));
      if (!plan)
        continue;
      int32_t threads = plan.getComputeThreads();
      function.setSymName(bundle::deviceSymbol(function.getSymName()));
      function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                        builder.getUnitAttr());
      function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                        builder.getDenseI32ArrayAttr({threads}));
      NamedAttrList launch;
      launch.set("threads", builder.getI32IntegerAttr(threads));
      if (auto bytes = dyn_cast_or_null<IntegerAttr>(
              function->removeAttr("tile_gpu.shared_bytes")))
        launch.set("shared_bytes", builder.getI32IntegerAttr(bytes.getInt()));
      function->removeAttr("tile_gpu.scratch");
      function->setAttr("tile_gpu.launch", launch.getDictionary(&getContext()));
    }
  }
};
} // namespace
