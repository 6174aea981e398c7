// Code that needs ptxas, for a hand-written kernel in the LLVM and NVVM dialects: lowered code passes all phases
// unchanged.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tilegpt-opt %s --emit=report | FileCheck %s --check-prefix=REPORT
// RUN: tilegpt-opt %s --emit=cubin -o %t.cubin
// RUN: llvm-readelf --file-header --symbols %t.cubin | FileCheck %s --check-prefix=CUBIN
// RUN: tilegpt-opt %s --emit=launch | FileCheck %s --check-prefix=LAUNCH
// RUN: %expect-exit 2 tilegpt-opt %S/emit.mlir --emit=cubin 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: tilegpt-opt: error: --emit=cubin: expected one kernel, found check, twin; --function names one

// PTX: .extern .shared .align 1024 .b8 tilegpt_shared[];
// PTX: .visible .entry kernel_wait(
// PTX: mbarrier.try_wait.parity
// LAUNCH-DAG: "symbol": "kernel_wait"
// LAUNCH-DAG: "threads": 128
// LAUNCH-DAG: "shared_bytes": 8
// LAUNCH-DAG: "persistent": false
// LAUNCH-DAG: "tensor_maps": []
// REPORT: kernel_wait: 128 threads, 8 bytes of dynamic shared memory, {{[0-9]+}} bytes of code
// REPORT: Used {{[0-9]+}} registers
// REPORT-NOT: problem
// CUBIN: Machine: NVIDIA CUDA
// CUBIN: FUNC GLOBAL {{.*}} kernel_wait
module {
  llvm.mlir.global external @tilegpt_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @kernel_wait() attributes {
      nvvm.kernel, nvvm.reqntid = array<i32: 128>, tile_gpu.launch = {shared_bytes = 8 : i32}} {
    %barrier = llvm.mlir.addressof @tilegpt_shared : !llvm.ptr<3>
    %phase = llvm.mlir.constant(0 : i32) : i32
    %ticks = llvm.mlir.constant(10000000 : i32) : i32
    nvvm.mbarrier.try_wait.parity %barrier, %phase, %ticks : !llvm.ptr<3>, i32, i32
    llvm.return
  }
}
