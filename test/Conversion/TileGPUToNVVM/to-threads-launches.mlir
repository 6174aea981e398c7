// A kernel that overlaps with other launches: asm that memory accesses cannot cross, and only loads of constants are
// marked invariant.
// RUN: tilegpt-opt %s --tile-gpu-to-threads | FileCheck %s

#l = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
!V = !tile.view<32xf32>

// CHECK-LABEL: func.func @overlaps
// CHECK:       nvvm.griddepcontrol launch_dependents
// CHECK:       llvm.load {{.*}} invariant
// CHECK:       llvm.inline_asm has_side_effects asm_dialect = att "griddepcontrol.wait;", "~{memory}"
// CHECK:       llvm.load
// CHECK-NOT:   invariant
// CHECK:       llvm.store
tile.kernel @overlaps(%x: !V, %w: !V) outs(%y: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.overlaps, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  tile_gpu.release_launch
  %w0 = tile.load %w[%c0] [32] : !V -> tensor<32xf32, #l>
  tile_gpu.await_launch
  %x0 = tile.load %x[%c0] [32] : !V -> tensor<32xf32, #l>
  %s = arith.addf %x0, %w0 : tensor<32xf32, #l>
  tile.store %s, %y[%c0] : tensor<32xf32, #l>, !V
}
