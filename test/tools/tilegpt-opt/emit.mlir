// GPU code for kernels, for the default architecture and for another.
// RUN: tilegpt-opt %s --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=SM80
// RUN: tilegpt-opt %s --emit=llvm-ir | FileCheck %s --check-prefix=IR

// PTX: .target sm_90a
// PTX: .visible .entry kernel_check(
// PTX-NEXT: .param .u64
// PTX-NEXT: .param .u64
// PTX-NEXT: .param .u64
// PTX-NEXT: .param .u64
// PTX-NEXT: .param .u64 .ptr .global
// PTX: .reqntid 128
// PTX: st.global.b32
// PTX: .target sm_90a
// PTX: .visible .entry kernel_twin(
// SM80: .target sm_80
// IR: target triple = "nvptx64-nvidia-cuda"
// IR: define ptx_kernel void @kernel_check(i64
tile.kernel @check(%x: f32) params {N = 1024 in [256, 1024]} grid [1] {
  %tile = tile.splat %x [N] : f32 -> tensor<?xf32>
  %positive = arith.cmpf oge, %tile, %tile : tensor<?xf32>
  tile.assert %positive, "no NaN" : tensor<?xi1>
}
tile.kernel @twin() grid [1] {}

// The phases of the GPU branch, by name alone or with an architecture.
// RUN: tilegpt-opt %s --compile-to=specialized --arch=sm_86 | FileCheck %s --check-prefix=SPECIALIZED
// RUN: tilegpt-opt %s --compile-to=planned --bind=N=256 | FileCheck %s --check-prefix=PLANNED
// RUN: tilegpt-opt %s --compile-to=layouts --arch=sm_86 | FileCheck %s --check-prefix=LAYOUTS
// RUN: tilegpt-opt %s --compile-to=threads | FileCheck %s --check-prefix=THREADS
// RUN: tilegpt-opt %s --compile-to=nvvm | FileCheck %s --check-prefix=NVVM
// SPECIALIZED: tile.splat {{.*}} -> tensor<1024xf32>
// PLANNED: #tile_gpu.plan<target = "sm_90a"
// PLANNED: module @check
// PLANNED: tile.splat {{.*}} -> tensor<256xf32>
// PLANNED: module @twin
// LAYOUTS: tensor<1024xf32, #{{.*}}>
// THREADS: func.func @check(
// THREADS-NOT: tensor<
// NVVM: llvm.func @kernel_check({{.*}}nvvm.kernel

// RUN: rm -rf %t && tilegpt-opt %s --arch=sm_80 --dump-phases-to=%t -o /dev/null
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: rm -rf %t && tilegpt-opt %s --emit=ptx --dump-phases-to=%t -o /dev/null
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// FILES: 1-graph.mlir
// FILES-NEXT: 2-launches.mlir
// FILES-NEXT: 3-specialized.mlir
// FILES-NEXT: 4-planned.mlir
// FILES-NEXT: 5-layouts.mlir
// FILES-NEXT: 6-threads.mlir
// FILES-NEXT: 7-nvvm.mlir

// RUN: tilegpt-opt --list-targets | FileCheck %s --check-prefix=TARGETS
// TARGETS: sm_80
// TARGETS-NEXT: sm_86
// TARGETS-NEXT: sm_89
// TARGETS-NEXT: sm_90a

// Inconsistent flags are rejected with exit code 2.
// RUN: %expect-exit 2 tilegpt-opt %s --emit=sass 2>&1 | FileCheck %s --check-prefix=SASS
// SASS: tilegpt-opt: error: --emit: expected llvm-ir, ptx, cubin, report, launch or cuda-tile-bytecode, found 'sass'
// RUN: %expect-exit 2 tilegpt-opt %s --emit=ptx --arch=sm_90 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: tilegpt-opt: error: --arch: gpu: expected an architecture among sm_80, sm_86, sm_89, sm_90a, found 'sm_90'
// RUN: %expect-exit 2 tilegpt-opt %s --compile-to=linalg --arch=sm_80 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: tilegpt-opt: error: --compile-to=linalg is a host phase; remove --arch
// RUN: %expect-exit 2 tilegpt-opt %s --emit=ptx --compile-to=planned 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: tilegpt-opt: error: --emit runs all phases; remove --compile-to
// RUN: %expect-exit 2 tilegpt-opt %s --emit=ptx --target-cpu=x86-64-v3 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: tilegpt-opt: error: --target-cpu has no effect for a GPU
// RUN: %expect-exit 2 tilegpt-opt %s --emit=ptx --cse 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: tilegpt-opt: error: --compile-to, --dump-phases-to and --emit run whole phases and cannot be combined with passes
// RUN: env TILEGPT_PTXAS=off %expect-exit 1 tilegpt-opt %s --emit=cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// PTXAS: tilegpt-opt: error: --emit: cubins and reports need ptxas, which is neither in PATH nor in /usr/local/cuda/bin; set $TILEGPT_PTXAS
