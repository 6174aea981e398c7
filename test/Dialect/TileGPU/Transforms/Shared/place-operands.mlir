// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-place-operands))' | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#fma = #tile_gpu.layout<registers = [d1:4*8, d0:4*4], lanes = [d1:8*1, d0:4*1], warps = [d0:2*16, d1:2*32]>
#fma64 = #tile_gpu.layout<registers = [d1:4*8, d0:8*4], lanes = [d1:8*1, d0:4*1], warps = [d0:2*32, d1:2*32]>
#mma = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:2*16, d1:2*32]>
#l32 = #tile_gpu.layout<registers = [d1:4*1, d0:2*16], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
#l64 = #tile_gpu.layout<registers = [d1:4*1, d0:4*16], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
#l64b = #tile_gpu.layout<registers = [d1:4*1, d0:4*8], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
#l32of48 = #tile_gpu.layout<registers = [d1:6*8, d0:2*16], lanes = [d1:8*1, d0:4*1], warps = [d0:4*4]>
#l32of96 = #tile_gpu.layout<registers = [d1:12*8, d0:2*16], lanes = [d1:8*1, d0:4*1], warps = [d0:4*4]>
#l32of112 = #tile_gpu.layout<registers = [d1:14*8, d0:2*16], lanes = [d1:8*1, d0:4*1], warps = [d0:4*4]>
#l64of48 = #tile_gpu.layout<registers = [d1:6*8, d0:4*16], lanes = [d1:8*1, d0:4*1], warps = [d0:4*4]>
#l64of96 = #tile_gpu.layout<registers = [d1:12*8, d0:4*16], lanes = [d1:8*1, d0:4*1], warps = [d0:4*4]>
#l64of112 = #tile_gpu.layout<registers = [d1:14*8, d0:4*16], lanes = [d1:8*1, d0:4*1], warps = [d0:4*4]>

// Multiply-adds read rows of an odd number of 16-byte units; loop-invariant operands are written before the loop.
// CHECK-LABEL: tile.kernel @writes_once_what_a_loop_does_not_change
// CHECK-DAG:     %[[A:.*]] = tile_gpu.alloc : !tile_gpu.shared<32x32xf32, padding = 4>
// CHECK-DAG:     %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<64x32xf32, padding = 4>
// CHECK:         tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write %{{.*}}, %[[B]]
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    scf.for
// CHECK:           arith.addf
// CHECK-NEXT:      tile_gpu.barrier
// CHECK-NEXT:      tile_gpu.write %{{.*}}, %[[A]]
// CHECK-NEXT:      tile_gpu.barrier
// CHECK-NEXT:      tile_gpu.dot %[[A]], %[[B]], %{{.*}} transpose_b
// CHECK-NEXT:      scf.yield
tile.kernel @writes_once_what_a_loop_does_not_change(%s: f32, %n: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #fma>
  %a = tile.splat %s [32, 32] : f32 -> tensor<32x32xf32, #l32>
  %b = tile.splat %s [64, 32] : f32 -> tensor<64x32xf32, #l64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> tensor<32x64xf32, #fma> {
    %x = arith.addf %a, %a : tensor<32x32xf32, #l32>
    %d = tile.dot %x, %b, %acc transpose_b
        : tensor<32x32xf32, #l32>, tensor<64x32xf32, #l64>, tensor<32x64xf32, #fma> -> tensor<32x64xf32, #fma>
    scf.yield %d : tensor<32x64xf32, #fma>
  }
}

// An operand that two dots read alike is written once.
// CHECK-LABEL: tile.kernel @writes_once_what_two_dots_read
// CHECK-COUNT-3: tile_gpu.alloc
// CHECK-NOT:     tile_gpu.alloc
// CHECK:         tile_gpu.dot %[[A:.*]], %{{.*}}, %{{.*}} transpose_b
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.dot %[[A]],
tile.kernel @writes_once_what_two_dots_read(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #fma>
  %a = tile.splat %s [32, 32] : f32 -> tensor<32x32xf32, #l32>
  %b = tile.splat %s [64, 32] : f32 -> tensor<64x32xf32, #l64>
  %c = arith.addf %b, %b : tensor<64x32xf32, #l64>
  %d = tile.dot %a, %b, %z transpose_b
      : tensor<32x32xf32, #l32>, tensor<64x32xf32, #l64>, tensor<32x64xf32, #fma> -> tensor<32x64xf32, #fma>
  %e = tile.dot %a, %c, %d transpose_b
      : tensor<32x32xf32, #l32>, tensor<64x32xf32, #l64>, tensor<32x64xf32, #fma> -> tensor<32x64xf32, #fma>
}

// Both operands of a dot may be the same tile.
// CHECK-LABEL: tile.kernel @writes_once_what_a_dot_reads_twice
// CHECK:         %[[A:.*]] = tile_gpu.alloc
// CHECK-NOT:     tile_gpu.alloc
// CHECK:         tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write %{{.*}}, %[[A]]
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.dot %[[A]], %[[A]], %{{.*}} transpose_b
tile.kernel @writes_once_what_a_dot_reads_twice(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [64, 64] : f32 -> tensor<64x64xf32, #fma64>
  %a = tile.splat %s [64, 32] : f32 -> tensor<64x32xf32, #l64>
  %d = tile.dot %a, %a, %z transpose_b
      : tensor<64x32xf32, #l64>, tensor<64x32xf32, #l64>, tensor<64x64xf32, #fma64> -> tensor<64x64xf32, #fma64>
}

// A row that no thread reads along needs no padding.
// CHECK-LABEL: tile.kernel @widens_for_multiply_adds
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<32x32xf32, padding = 4>
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<32x64xf32>
// CHECK:         tile.cast %{{.*}} : tensor<32x64xbf16, {{.*}}> to tensor<32x64xf32,
tile.kernel @widens_for_multiply_adds(%s: f32, %h: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #fma>
  %a = tile.splat %s [32, 32] : f32 -> tensor<32x32xf32, #l32>
  %b = tile.splat %h [32, 64] : bf16 -> tensor<32x64xbf16, #l64b>
  %d = tile.dot %a, %b, %z
      : tensor<32x32xf32, #l32>, tensor<32x64xbf16, #l64b>, tensor<32x64xf32, #fma> -> tensor<32x64xf32, #fma>
}

// Rows of 64 bytes get a swizzle of 64, rows of 128 bytes one of 128; element types do not change.
// CHECK-LABEL: tile.kernel @swizzles_for_matrix_instructions
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<32x32xbf16, swizzle = 64>
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<32x64xbf16, swizzle = 128>
// CHECK-NOT:     tile.cast
tile.kernel @swizzles_for_matrix_instructions(%s: f32, %h: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #mma>
  %a = tile.splat %h [32, 32] : bf16 -> tensor<32x32xbf16, #l32>
  %b = tile.splat %h [32, 64] : bf16 -> tensor<32x64xbf16, #l64b>
  %d = tile.dot %a, %b, %z
      : tensor<32x32xbf16, #l32>, tensor<32x64xbf16, #l64b>, tensor<32x64xf32, #mma> -> tensor<32x64xf32, #mma>
}

// Rows of 32-byte panels, wider than all banks, are padded, so that writes along a row spread over the banks.
// CHECK-LABEL: tile.kernel @pads_rows_of_narrow_panels
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<32x112xbf16, padding = 8>
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<64x112xbf16, padding = 8>
tile.kernel @pads_rows_of_narrow_panels(%s: f32, %h: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #mma>
  %a = tile.splat %h [32, 112] : bf16 -> tensor<32x112xbf16, #l32of112>
  %b = tile.splat %h [64, 112] : bf16 -> tensor<64x112xbf16, #l64of112>
  %d = tile.dot %a, %b, %z transpose_b
      : tensor<32x112xbf16, #l32of112>, tensor<64x112xbf16, #l64of112>, tensor<32x64xf32, #mma> -> tensor<32x64xf32, #mma>
}

// Near misses: rows of three panels, and of panels of 64 bytes.
// CHECK-LABEL: tile.kernel @swizzles_few_and_wider_panels
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<32x48xbf16, swizzle = 32>
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<64x96xbf16, swizzle = 64>
tile.kernel @swizzles_few_and_wider_panels(%s: f32, %h: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #mma>
  %a = tile.splat %h [32, 48] : bf16 -> tensor<32x48xbf16, #l32of48>
  %b = tile.splat %h [64, 48] : bf16 -> tensor<64x48xbf16, #l64of48>
  %d = tile.dot %a, %b, %z transpose_b
      : tensor<32x48xbf16, #l32of48>, tensor<64x48xbf16, #l64of48>, tensor<32x64xf32, #mma> -> tensor<32x64xf32, #mma>
  %c = tile.splat %h [32, 96] : bf16 -> tensor<32x96xbf16, #l32of96>
  %w = tile.splat %h [64, 96] : bf16 -> tensor<64x96xbf16, #l64of96>
  %e = tile.dot %c, %w, %d transpose_b
      : tensor<32x96xbf16, #l32of96>, tensor<64x96xbf16, #l64of96>, tensor<32x64xf32, #mma> -> tensor<32x64xf32, #mma>
}

// tf32 is rounded from f32 on the way to the instruction; 4-byte elements across the depth are loaded one by one.
// CHECK-LABEL: tile.kernel @widens_for_tf32
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<32x32xf32, swizzle = 128>
// CHECK-DAG:     tile_gpu.alloc : !tile_gpu.shared<32x64xf32, padding = 8>
// CHECK:         tile.cast
tile.kernel @widens_for_tf32(%s: f32, %h: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #mma>
  %a = tile.splat %h [32, 32] : bf16 -> tensor<32x32xbf16, #l32>
  %b = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #l64b>
  %d = tile.dot %a, %b, %z precision(tf32)
      : tensor<32x32xbf16, #l32>, tensor<32x64xf32, #l64b>, tensor<32x64xf32, #mma> -> tensor<32x64xf32, #mma>
}

#rows = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#v = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>

// A dot's result in registers becomes another dot's operand there.
// CHECK-LABEL: tile.kernel @leaves_fragments_where_they_are
// CHECK:         %[[V:.*]] = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16, swizzle = 128>
// CHECK-NOT:     tile_gpu.alloc
// CHECK:         %[[P:.*]] = tile.cast
// CHECK:         tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write %{{.*}}, %[[V]]
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.dot %[[P]], %[[V]], %{{.*}} : tensor<64x64xbf16,
tile.kernel @leaves_fragments_where_they_are(%s: f32, %h: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [64, 64] : f32 -> tensor<64x64xf32, #rows>
  %p = tile.cast %z : tensor<64x64xf32, #rows> to tensor<64x64xbf16, #rows>
  %b = tile.splat %h [64, 64] : bf16 -> tensor<64x64xbf16, #v>
  %d = tile.dot %p, %b, %z
      : tensor<64x64xbf16, #rows>, tensor<64x64xbf16, #v>, tensor<64x64xf32, #rows> -> tensor<64x64xf32, #rows>
}

// Bytes across the depth cannot be transposed on the way; f16 can. Of two types the wider is multiplied.
// CHECK-LABEL: tile.kernel @widens_f8_across_the_sum
// CHECK-DAG:     %[[A:.*]] = tile_gpu.alloc : !tile_gpu.shared<32x32xf16, swizzle = 64>
// CHECK-DAG:     %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<32x64xf16, swizzle = 128>
// CHECK-DAG:     %[[C:.*]] = tile_gpu.alloc : !tile_gpu.shared<32x32xbf16, swizzle = 64>
// CHECK-DAG:     %[[D:.*]] = tile_gpu.alloc : !tile_gpu.shared<32x64xbf16, swizzle = 128>
// CHECK:         tile_gpu.dot %[[A]], %[[B]]
// CHECK:         tile_gpu.dot %[[C]], %[[D]]
tile.kernel @widens_f8_across_the_sum(%s: f32, %h: bf16, %q: f8E4M3FN) grid [1] attributes {tile_gpu.plan = #plan} {
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #mma>
  %a = tile.splat %q [32, 32] : f8E4M3FN -> tensor<32x32xf8E4M3FN, #l32>
  %b = tile.splat %q [32, 64] : f8E4M3FN -> tensor<32x64xf8E4M3FN, #l64b>
  %c = tile.splat %h [32, 32] : bf16 -> tensor<32x32xbf16, #l32>
  %d = tile.dot %a, %b, %z
      : tensor<32x32xf8E4M3FN, #l32>, tensor<32x64xf8E4M3FN, #l64b>, tensor<32x64xf32, #mma> -> tensor<32x64xf32, #mma>
  %e = tile.dot %c, %b, %d
      : tensor<32x32xbf16, #l32>, tensor<32x64xf8E4M3FN, #l64b>, tensor<32x64xf32, #mma> -> tensor<32x64xf32, #mma>
}

// A load that shifts its rows into place, with twice the registers of its tile, follows the writes of other operands if a
// multiprocessor is to run several blocks, unless the tile has another use.
// CHECK-LABEL: tile.kernel @loads_realigned_tiles_late
// CHECK:         scf.for
// CHECK-NEXT:      %[[A:.*]] = tile.load
// CHECK-NEXT:      tile_gpu.barrier
// CHECK-NEXT:      tile_gpu.write %[[A]]
// CHECK-NEXT:      %[[B:.*]] = tile.load
// CHECK-NEXT:      tile_gpu.write %[[B]]
// CHECK-NEXT:      tile_gpu.barrier
// CHECK:         %[[C:.*]] = tile.load
// CHECK-NEXT:    %[[D:.*]] = tile.load
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write %[[C]]
// CHECK-NEXT:    tile_gpu.write %[[D]]
tile.kernel @loads_realigned_tiles_late(%x: !tile.view<64x33xf32>, %n: index, %s: f32) outs(%y: !tile.view<64x32xf32>)
    grid [1] attributes {tile_gpu.least_residents = 2 : i64, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #fma>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> tensor<32x64xf32, #fma> {
    %a = tile.load %x[%c0, %k] [32, 32] {tile_gpu.realigned} : !tile.view<64x33xf32> -> tensor<32x32xf32, #l32>
    %b = tile.load %x[%c0, %k] [64, 32] {tile_gpu.realigned} : !tile.view<64x33xf32> -> tensor<64x32xf32, #l64>
    %d = tile.dot %a, %b, %acc transpose_b
        : tensor<32x32xf32, #l32>, tensor<64x32xf32, #l64>, tensor<32x64xf32, #fma> -> tensor<32x64xf32, #fma>
    scf.yield %d : tensor<32x64xf32, #fma>
  }
  %c = tile.load %x[%c0, %c0] [32, 32] {tile_gpu.realigned} : !tile.view<64x33xf32> -> tensor<32x32xf32, #l32>
  %d = tile.load %x[%c0, %c0] [64, 32] {tile_gpu.realigned} : !tile.view<64x33xf32> -> tensor<64x32xf32, #l64>
  %e = tile.dot %c, %d, %r transpose_b
      : tensor<32x32xf32, #l32>, tensor<64x32xf32, #l64>, tensor<32x64xf32, #fma> -> tensor<32x64xf32, #fma>
  tile.store %d, %y[%c0, %c0] : tensor<64x32xf32, #l64>, !tile.view<64x32xf32>
}

// With one block, all loads are under way at once.
// CHECK-LABEL: tile.kernel @loads_realigned_tiles_together
// CHECK:         %[[A:.*]] = tile.load
// CHECK-NEXT:    %[[B:.*]] = tile.load
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write %[[A]]
// CHECK-NEXT:    tile_gpu.write %[[B]]
tile.kernel @loads_realigned_tiles_together(%x: !tile.view<64x33xf32>, %s: f32) outs(%y: !tile.view<32x64xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #fma>
  %a = tile.load %x[%c0, %c0] [32, 32] {tile_gpu.realigned} : !tile.view<64x33xf32> -> tensor<32x32xf32, #l32>
  %b = tile.load %x[%c0, %c0] [64, 32] {tile_gpu.realigned} : !tile.view<64x33xf32> -> tensor<64x32xf32, #l64>
  %d = tile.dot %a, %b, %z transpose_b
      : tensor<32x32xf32, #l32>, tensor<64x32xf32, #l64>, tensor<32x64xf32, #fma> -> tensor<32x64xf32, #fma>
  tile.store %d, %y[%c0, %c0] : tensor<32x64xf32, #fma>, !tile.view<32x64xf32>
}
