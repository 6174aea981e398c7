// Device modules in the LLVM dialect for the tests of this folder.
#ifndef TILEGPT_TEST_TARGET_NVVM_DEVICEMODULE_H
#define TILEGPT_TEST_TARGET_NVVM_DEVICEMODULE_H

#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "TileGPT/Target/NVVM/Ptx.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include <string>

namespace tilegpt::test {

/// A module parsed into its own context; records diagnostics.
struct DeviceModule {
  explicit DeviceModule(llvm::StringRef text)
      : context(registry()),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          said += diagnostic.str() + "\n";
          return mlir::success();
        }) {
    context.loadAllAvailableDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
    mlir::registerBuiltinDialectTranslation(registry);
    mlir::registerLLVMDialectTranslation(registry);
    mlir::registerNVVMDialectTranslation(registry);
    return registry;
  }

  mlir::MLIRContext context;
  std::string said;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

inline const target::GpuTarget &
gpuTarget(llvm::StringRef name = target::defaultGpuTarget) {
  return llvm::cantFail(target::GpuTarget::find(name));
}

/// Reverses a vector of 128 elements through shared memory.
inline constexpr llvm::StringLiteral reverseKernel = R"(
  llvm.mlir.global external @tilegpt_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @kernel_reverse(%x: !llvm.ptr<1>) attributes {
      nvvm.kernel, nvvm.reqntid = array<i32: 128>, tile_gpu.launch = {shared_bytes = 512 : i32}} {
    %last = llvm.mlir.constant(127 : i32) : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %mirror = llvm.sub %last, %thread : i32
    %shared = llvm.mlir.addressof @tilegpt_shared : !llvm.ptr<3>
    %from = llvm.getelementptr %x[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %to = llvm.getelementptr %shared[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %value = llvm.load %from : !llvm.ptr<1> -> f32
    llvm.store %value, %to : f32, !llvm.ptr<3>
    nvvm.barrier
    %mine = llvm.getelementptr %shared[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %reversed = llvm.load %mine : !llvm.ptr<3> -> f32
    llvm.store %reversed, %from : f32, !llvm.ptr<1>
    llvm.return
  })";

} // namespace tilegpt::test

#endif // TILEGPT_TEST_TARGET_NVVM_DEVICEMODULE_H
