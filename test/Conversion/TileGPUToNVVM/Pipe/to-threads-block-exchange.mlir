// RUN: tilegpt-opt %s --tile-gpu-to-threads --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#own = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#all = #tile_gpu.layout<registers = [], lanes = [d0:16*1, rep:2], warps = [rep:4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 13, blocks = 2, throughMemory = true>
!W = !tile.view<2x19x32xi64>
!B = !tile_gpu.shared<13xi64>

// The mark is one more than the upper half of the block's own word. Thread 0 sends number and mark in one word, 13 threads
// wait for the marks of all blocks, and every lane reads one of the numbers.
// CHECK:         llvm.mlir.global internal @exchange_workspace_0({{.*}} : !llvm.array<9728 x i8>
// CHECK-LABEL: func.func @exchange(
// CHECK:         %[[LAST:.*]] = llvm.inline_asm has_side_effects {{.*}}ld.relaxed.gpu.global.b64 word, [$1];\0Amov.b64 {low, high}, word;\0Amov.b32 $0, high;
// CHECK:         %[[MARK:.*]] = arith.addi %[[LAST]], %c1_i32
// CHECK:         scf.if
// CHECK:           llvm.inline_asm {{.*}}mov.b64 word, {$1, $2};\0Ast.relaxed.gpu.global.b64 [$0], word;{{.*}} %[[MARK]]
// CHECK-NOT:       st.relaxed
// CHECK:         %[[READS:.*]] = arith.cmpi ult, %[[THREAD:.*]], %c13_i32
// CHECK:         scf.if %[[READS]]
// CHECK:           %[[THEIRS:.*]] = llvm.inline_asm {{.*}}AWAIT_WORDS:\0Ald.relaxed.gpu.global.b64 word0, [$1];{{.*}}setp.ne.u32 wait, late, 0;\0A@wait bra AWAIT_WORDS;{{.*}} %[[MARK]]
// CHECK-NOT:       AWAIT_WORDS
// CHECK:           llvm.store
// CHECK:         nvvm.barrier
// CHECK:         llvm.load {{.*}} -> i64
// CHECK-NOT:     llvm.load
tile.kernel @exchange(%v: f32) grid [247] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %c13 = arith.constant 13 : index
  %g = arith.divui %b, %c13 : index
  %p = arith.remui %b, %c13 : index
  %w = tile_gpu.workspace 0 : !W
  %m = tile_gpu.begin_exchange of %g part %p in %w : !W
  %s = tile_gpu.alloc {offset = 0} : !B
  %t = tile.splat %v [1, 1] : f32 -> tensor<1x1xf32, #own>
  %all = tile_gpu.gather_blocks %t of %g part %p mark %m exchange 1 in %w through %s
      : tensor<1x1xf32, #own>, !W, !B -> tensor<13x1xf32, #all>
  %ok = arith.cmpf oeq, %all, %all : tensor<13x1xf32, #all>
  tile.assert %ok, "no NaN" : tensor<13x1xi1, #all>
}

// -----

#own = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#all = #tile_gpu.layout<registers = [d0:2*32], lanes = [d0:32*1], warps = [rep:4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 40, blocks = 2, throughMemory = true>
!W = !tile.view<1x3x80xi64>
!B = !tile_gpu.shared<40xi64>

// Numbers of 64 bits take two words, each with the mark; lanes have two numbers of more than 32 blocks.
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-2: st.relaxed.gpu.global.b64
// CHECK:         AWAIT_WORDS:\0Ald.relaxed.gpu.global.b64 word0, [$2];\0Ald.relaxed.gpu.global.b64 word1, [$3];
// CHECK:         arith.shli
// CHECK:         llvm.store
// CHECK-COUNT-2: llvm.load {{.*}} -> i64
// CHECK-NOT:     llvm.load
tile.kernel @wide(%v: i64) grid [120] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %c40 = arith.constant 40 : index
  %g = arith.divui %b, %c40 : index
  %p = arith.remui %b, %c40 : index
  %w = tile_gpu.workspace 0 : !W
  %m = tile_gpu.begin_exchange of %g part %p in %w : !W
  %s = tile_gpu.alloc {offset = 0} : !B
  %t = tile.splat %v [1, 1] : i64 -> tensor<1x1xi64, #own>
  %all = tile_gpu.gather_blocks %t of %g part %p mark %m exchange 0 in %w through %s
      : tensor<1x1xi64, #own>, !W, !B -> tensor<40x1xi64, #all>
  %zero = arith.constant dense<0> : tensor<40x1xi64, #all>
  %ok = arith.cmpi ne, %all, %zero : tensor<40x1xi64, #all>
  tile.assert %ok, "not zero" : tensor<40x1xi1, #all>
}

// -----

#own = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:2]>
#all = #tile_gpu.layout<registers = [d0:3*32], lanes = [d0:32*1], warps = [rep:2]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 2, parts = 70, blocks = 2, throughMemory = true>
!W = !tile.view<1x1x144xi64>
!B = !tile_gpu.shared<70xi64>

tile.kernel @few_threads(%v: f32, %g: index, %p: index, %m: i32) grid [70] attributes {tile_gpu.plan = #plan} {
  %w = tile_gpu.workspace 0 : !W
  %s = tile_gpu.alloc {offset = 0} : !B
  %t = tile.splat %v [1, 1] : f32 -> tensor<1x1xf32, #own>
  // expected-error@below {{expected a thread for each of 70 blocks, found 64}}
  // expected-error@below {{failed to legalize operation 'tile_gpu.gather_blocks'}}
  %all = tile_gpu.gather_blocks %t of %g part %p mark %m exchange 0 in %w through %s
      : tensor<1x1xf32, #own>, !W, !B -> tensor<70x1xf32, #all>
  %ok = arith.cmpf oeq, %all, %all : tensor<70x1xf32, #all>
  tile.assert %ok, "no NaN" : tensor<70x1xi1, #all>
}
