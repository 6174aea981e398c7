// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-allocate-shared))' --split-input-file --verify-diagnostics | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#resident = #tile_gpu.plan<target = "sm_90a", warps = 1, blocks = 2>
#hopper = #tile_gpu.plan<target = "sm_90a", warps = 1>
#l = #tile_gpu.layout<registers = [d1:32*1], lanes = [d0:32*1], warps = []>
#t = #tile_gpu.layout<registers = [d0:32*1], lanes = [d1:32*1], warps = []>
!A = tensor<32x32xf32, #l>
!S = !tile_gpu.shared<32x32xf32>

// The first buffer is read for the last time before the second is written.
// CHECK-LABEL: tile.kernel @shares_places_in_time
// CHECK:         tile_gpu.shared_bytes = 4096
// CHECK:         tile_gpu.alloc {offset = 0 : i64}
// CHECK-NEXT:    tile_gpu.alloc {offset = 0 : i64}
tile.kernel @shares_places_in_time(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !S
  %b = tile_gpu.alloc : !S
  %x = tile.splat %s [32, 32] : f32 -> !A
  tile_gpu.write %x, %a : !A, !S
  tile_gpu.barrier
  %y = tile_gpu.read %a : !S -> !A
  tile_gpu.barrier
  tile_gpu.write %y, %b : !A, !S
  tile_gpu.barrier
  %z = tile_gpu.read %b : !S -> !A
}

// A multiprocessor with 228 KB has no room for a third block.
// CHECK-LABEL: tile.kernel @keeps_others_out
// CHECK:         tile_gpu.shared_bytes = 115712
tile.kernel @keeps_others_out(%s: f32) grid [1] attributes {tile_gpu.plan = #hopper, tile_gpu.resident = 2} {
  %a = tile_gpu.alloc : !S
  %x = tile.splat %s [32, 32] : f32 -> !A
  tile_gpu.write %x, %a : !A, !S
}

// Kernels of long rows, which are loaded through L1, take no more than keeps a third block out: 76 KB.
// CHECK-LABEL: tile.kernel @leaves_room_for_l1
// CHECK:         tile_gpu.shared_bytes = 77056
tile.kernel @leaves_room_for_l1(%s: f32) grid [1] attributes {tile_gpu.plan = #resident, tile_gpu.resident = 2} {
  %a = tile_gpu.alloc : !S
  %x = tile.splat %s [32, 32] : f32 -> !A
  tile_gpu.write %x, %a : !A, !S
}

// Read by every iteration: live throughout the loop.
// CHECK-LABEL: tile.kernel @keeps_what_a_loop_reads
// CHECK:         tile_gpu.shared_bytes = 8192
// CHECK:         tile_gpu.alloc {offset = 0 : i64}
// CHECK-NEXT:    tile_gpu.alloc {offset = 4096 : i64}
tile.kernel @keeps_what_a_loop_reads(%s: f32, %n: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !S
  %b = tile_gpu.alloc : !S
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.splat %s [32, 32] : f32 -> !A
  tile_gpu.write %x, %a : !A, !S
  tile_gpu.barrier
  scf.for %i = %c0 to %n step %c1 {
    %y = tile_gpu.read %a : !S -> !A
    tile_gpu.barrier
    tile_gpu.write %y, %b : !A, !S
    tile_gpu.barrier
    %z = tile_gpu.read %b : !S -> !A
  }
}

// The scratch of a layout conversion follows the buffers; swizzled ones are aligned to 1024.
// CHECK-LABEL: tile.kernel @places_scratch_last
// CHECK:         tile_gpu.scratch = 7424 : i64
// CHECK:         tile_gpu.alloc {offset = 7168 : i64} : !tile_gpu.shared<8x8xf32>
// CHECK-NEXT:    tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<32x32xf32, swizzle = 128>
// CHECK-NEXT:    tile_gpu.alloc {offset = 4096 : i64} : !tile_gpu.shared<24x32xf32, swizzle = 128>
tile.kernel @places_scratch_last(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %c = tile_gpu.alloc : !tile_gpu.shared<8x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.shared<32x32xf32, swizzle = 128>
  %b = tile_gpu.alloc : !tile_gpu.shared<24x32xf32, swizzle = 128>
  %x = tile.splat %s [32, 32] : f32 -> !A
  %u = tile.splat %s [24, 32] : f32 -> tensor<24x32xf32, #l>
  %v = tile.splat %s [8, 8] : f32 -> tensor<8x8xf32, #l>
  tile_gpu.write %x, %a : !A, !tile_gpu.shared<32x32xf32, swizzle = 128>
  tile_gpu.write %u, %b : tensor<24x32xf32, #l>, !tile_gpu.shared<24x32xf32, swizzle = 128>
  tile_gpu.write %v, %c : tensor<8x8xf32, #l>, !tile_gpu.shared<8x8xf32>
  %y = tile_gpu.read %a : !tile_gpu.shared<32x32xf32, swizzle = 128> -> !A
  %d = tile_gpu.read %b : !tile_gpu.shared<24x32xf32, swizzle = 128> -> tensor<24x32xf32, #l>
  %w = tile_gpu.read %c : !tile_gpu.shared<8x8xf32> -> tensor<8x8xf32, #l>
  %t = tile_gpu.convert_layout %y : !A -> tensor<32x32xf32, #t>
}

// Two teams that take turns may exchange elements at the same time: each has its own scratch.
// CHECK-LABEL: tile.kernel @gives_each_team_scratch
// CHECK:         tile_gpu.scratch = 0 : i64
// CHECK-SAME:    tile_gpu.scratch_bytes = 18432 : i64
// CHECK-SAME:    tile_gpu.shared_bytes = 36864 : i64
#teams = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true, persistent = true, teams = 2>
#rows = #tile_gpu.layout<registers = [d1:32*1], lanes = [d0:32*1], warps = [d0:4*32]>
#columns = #tile_gpu.layout<registers = [d0:32*1], lanes = [d1:32*1], warps = [d0:4*32]>
tile.kernel @gives_each_team_scratch(%s: f32) grid [1] attributes {tile_gpu.plan = #teams} {
  %x = tile.splat %s [128, 32] : f32 -> tensor<128x32xf32, #rows>
  %t = tile_gpu.convert_layout %x : tensor<128x32xf32, #rows> -> tensor<128x32xf32, #columns>
}

// -----

#plan = #tile_gpu.plan<target = "sm_86", warps = 1>
// expected-error @+1 {{needs 131072 bytes of shared memory (0 of them to exchange elements), but a block of sm_86 has 101376; use smaller tiles or fewer stages}}
tile.kernel @large() grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !tile_gpu.shared<256x128xf32>
}

// -----

// expected-error @+1 {{has no plan; run --tile-gpu-make-plan first}}
tile.kernel @planless() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<256x128xf32>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>
!A = !tile_gpu.shared<16x64xbf16, swizzle = 128>
!B = !tile_gpu.shared<8x64xbf16, swizzle = 128>

// A wgmma reads 64 rows: 48 of 128 bytes past the last stage of a ring of 16.
// CHECK-LABEL: tile.kernel @overhang
// CHECK:         tile_gpu.shared_bytes = 10240
tile.kernel @overhang() grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !tile_gpu.shared<2x16x64xbf16, swizzle = 128>
  %b = tile_gpu.alloc : !tile_gpu.shared<2x8x64xbf16, swizzle = 128>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %sa = tile_gpu.slot %a[%c] : !tile_gpu.shared<2x16x64xbf16, swizzle = 128>
  %sb = tile_gpu.slot %b[%c] : !tile_gpu.shared<2x8x64xbf16, swizzle = 128>
  %d = tile_gpu.async_dot %sa, %sb : !A, !B -> !tile_gpu.pending<tensor<16x8xf32, #acc>>
  %t = tile_gpu.finish_dot %d : !tile_gpu.pending<tensor<16x8xf32, #acc>>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 2>
#rows = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>

// Buffers that other blocks write at any time overlap no others.
// CHECK-LABEL: tile.kernel @parts
// CHECK:         tile_gpu.alloc {offset = 4096 : i64} : !tile_gpu.shared<8x64xf32>
// CHECK:         tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<16x64xf32>
tile.kernel @parts(%p: index, %v: f32) grid [2] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %v [8, 64] : f32 -> tensor<8x64xf32, #rows>
  %a = tile_gpu.alloc : !tile_gpu.shared<8x64xf32>
  tile_gpu.write %t, %a : tensor<8x64xf32, #rows>, !tile_gpu.shared<8x64xf32>
  %b = tile_gpu.alloc : !tile_gpu.shared<16x64xf32>
  tile_gpu.write_part %t, %b[%p] : tensor<8x64xf32, #rows>, !tile_gpu.shared<16x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, persistent = true>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>

// TMA reads a result after the op that issues the store, and warps store results independently.
// CHECK-LABEL: tile.kernel @two_results
// CHECK:         tile_gpu.alloc {offset = 9216 : i64} : !tile_gpu.shared<1x64x64xbf16, swizzle = 128>
// CHECK:         tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<4x8x64xf32, padding = 4>
tile.kernel @two_results(%v: f32) outs(%y: !tile.view<640x64xbf16>, %z: !tile.view<640x64xf32>) grid [10]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %map = tile_gpu.tensor_map %y : !tile.view<640x64xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  %a = tile_gpu.alloc : !tile_gpu.shared<1x64x64xbf16, swizzle = 128>
  %b = tile_gpu.alloc : !tile_gpu.shared<4x8x64xf32, padding = 4>
  scf.for %i = %c0 to %c10 step %c1 {
    %t = tile.splat %v [64, 64] : f32 -> tensor<64x64xf32, #acc>
    %n = tile.cast %t : tensor<64x64xf32, #acc> to tensor<64x64xbf16, #acc>
    tile_gpu.tma_store %n, %map[%i, %c0] through %a : tensor<64x64xbf16, #acc>,
        !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<1x64x64xbf16, swizzle = 128>
    tile_gpu.row_store %t, %z[%i, %c0] through %b : tensor<64x64xf32, #acc>, !tile.view<640x64xf32>,
        !tile_gpu.shared<4x8x64xf32, padding = 4>
  }
  tile_gpu.finish_stores
}
