// RUN: tilegpt-opt %s --tile-gpu-kernel-abi | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// CHECK-LABEL: llvm.func @kernel_plain()
// CHECK-SAME:    nvvm.kernel
// CHECK-SAME:    nvvm.reqntid = array<i32: 128>
// CHECK-SAME:    tile_gpu.launch = {threads = 128 : i32}
llvm.func @plain() attributes {tile_gpu.plan = #plan} {
  llvm.return
}

// CHECK-LABEL: llvm.func @kernel_overlapping()
// CHECK-SAME:    tile_gpu.launch = {dependent_launch, shared_bytes = 512 : i32, threads = 128 : i32}
// CHECK-NOT:     tile_gpu.overlaps
llvm.func @overlapping() attributes {tile_gpu.overlaps, tile_gpu.plan = #plan, tile_gpu.shared_bytes = 512 : i64} {
  llvm.return
}

// Shared memory for one block per multiprocessor: ptxas need not leave registers for others.
// CHECK-LABEL: llvm.func @kernel_alone()
// CHECK-SAME:    nvvm.minctasm = 1 : i32
llvm.func @alone() attributes {tile_gpu.plan = #plan, tile_gpu.shared_bytes = 120000 : i64} {
  llvm.return
}

// Four such blocks fit, whose threads cannot all have that many registers.
// CHECK-LABEL: llvm.func @kernel_four()
// CHECK-NOT:     nvvm.minctasm
// CHECK-SAME:    nvvm.reqntid
llvm.func @four() attributes {tile_gpu.plan = #plan, tile_gpu.shared_bytes = 50000 : i64} {
  llvm.return
}

// Blocks that move registers between their roles have the limit of as many as share a multiprocessor. Persistent ones are
// launched as often.
// CHECK-LABEL: llvm.func @kernel_one_walks()
// CHECK-SAME:    nvvm.minctasm = 1 : i32
// CHECK-SAME:    tile_gpu.launch = {persistent, shared_bytes = 50000 : i32, threads = 256 : i32}
llvm.func @one_walks() attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true, persistent = true>, tile_gpu.shared_bytes = 50000 : i64} {
  llvm.return
}
// CHECK-LABEL: llvm.func @kernel_two_walk()
// CHECK-SAME:    nvvm.minctasm = 2 : i32
// CHECK-SAME:    tile_gpu.launch = {blocks_per_multiprocessor = 2 : i32, persistent, shared_bytes = 50000 : i32, threads = 256 : i32}
llvm.func @two_walk() attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true, persistent = true, blocks = 2>, tile_gpu.shared_bytes = 50000 : i64} {
  llvm.return
}

// Kernels without a plan are not converted.
// CHECK-LABEL: llvm.func @helper() {
llvm.func @helper() {
  llvm.return
}

// Registers for the resident blocks that the kernel specifies, however many its shared memory allows.
// CHECK-LABEL: llvm.func @kernel_residents()
// CHECK-NOT:     tile_gpu.least_residents
// CHECK-SAME:    nvvm.minctasm = 6 : i32
llvm.func @residents() attributes {tile_gpu.least_residents = 6 : i64, tile_gpu.plan = #plan, tile_gpu.shared_bytes = 120000 : i64} {
  llvm.return
}
