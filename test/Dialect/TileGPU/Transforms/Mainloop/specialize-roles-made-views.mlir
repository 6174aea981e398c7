// Main loops in loops that carry scalars, on views whose addresses the kernel reads: the producer runs the same loops and
// encodes descriptors, where it copies and only when views have changed.
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-assign-layouts --canonicalize --cse --tile-gpu-specialize-roles \
// RUN:   --canonicalize --cse | FileCheck %s

!M = !tile.view<?x?xbf16, strides=[?, 1]>
!T = !tile.view<?x4xi64>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true>

// CHECK-LABEL: tile.kernel @groups(
// CHECK:         %[[PIPE:.*]] = tile_gpu.pipe
// CHECK-NEXT:    tile_gpu.roles registers [56, 224] producer {
// CHECK:           %[[SLOT:.*]] = tile_gpu.claim_maps
// CHECK-NEXT:      %[[B:.*]] = tile_gpu.make_map %[[SLOT]] number 0 : !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
// CHECK-NEXT:      %[[A:.*]] = tile_gpu.make_map %[[SLOT]] number 1 : !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
// CHECK:           %[[END:.*]]:2 = scf.for {{.*}} -> (!tile_gpu.cursor<4>, i32) {
// CHECK-DAG:         %[[VIEW_A:.*]] = tile.view_at {{.*}} -> !tile.view<?x?xbf16
// CHECK-DAG:         %[[VIEW_B:.*]] = tile.view_at {{.*}} -> !tile.view<?x?xbf16
// CHECK:             scf.while ({{.*}} = %true, {{.*}}) : (!tile_gpu.cursor<4>, i1, i32) -> (!tile_gpu.cursor<4>, i1, i32) {
// CHECK:               arith.cmpi slt
// CHECK-NEXT:          scf.condition
// CHECK:             ^bb0(%[[CURSOR:[^:]*]]: !tile_gpu.cursor<4>, %[[STALE:[^:]*]]: i1, %{{[^:]*}}: i32):
// CHECK:               scf.if %[[STALE]] {
// CHECK-NEXT:            tile_gpu.finish_copies %[[PIPE]][%[[CURSOR]]]
// CHECK-NEXT:            tile_gpu.encode_map %[[B]], %
// CHECK-NEXT:            tile_gpu.encode_map %[[A]], %
// CHECK-NEXT:          }
// CHECK:               scf.for
// CHECK:                 tile_gpu.acquire
// CHECK-DAG:             tile_gpu.tma_load %[[A]]
// CHECK-DAG:             tile_gpu.tma_load %[[B]]
// CHECK:               scf.yield %{{.*}}, %false, %
// CHECK:           tile_gpu.finish_copies %[[PIPE]][%[[END]]#0]
// CHECK-NEXT:      tile_gpu.release_maps %[[SLOT]]
// CHECK-NEXT:    } consumer {
// CHECK:           scf.for {{.*}} -> (i32, !tile_gpu.cursor<4>) {
// CHECK:             scf.while {{.*}} : (i32, !tile_gpu.cursor<4>) -> (i32, !tile_gpu.cursor<4>) {
// CHECK:               tile_gpu.await
// CHECK:               tile.store
tile.kernel @groups(%table: !tile.ptr<i64>, %count: i32) grid launch attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %step = arith.constant 132 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %n = arith.index_castui %count : i32 to index
  %t = tile.view_at %table sizes [%n, 4] : !tile.ptr<i64> -> !T
  %id = tile.block_id 0
  %first = arith.index_cast %id : index to i32
  %last = scf.for %g = %c0 to %n step %c1 iter_args(%at = %first) -> (i32) {
    %l0 = tile.load %t[%g, %c0] [1, 1] : !T -> tensor<1x1xi64>
    %w0 = tensor.extract %l0[%c0, %c0] : tensor<1x1xi64>
    %l1 = tile.load %t[%g, %c1] [1, 1] : !T -> tensor<1x1xi64>
    %w1 = tensor.extract %l1[%c0, %c0] : tensor<1x1xi64>
    %l2 = tile.load %t[%g, %c2] [1, 1] : !T -> tensor<1x1xi64>
    %w2 = tensor.extract %l2[%c0, %c0] : tensor<1x1xi64>
    %l3 = tile.load %t[%g, %c3] [1, 1] : !T -> tensor<1x1xi64>
    %w3 = tensor.extract %l3[%c0, %c0] : tensor<1x1xi64>
    %size = arith.index_castui %w3 : i64 to index
    %pitch = tile.assume %size div_by 8 : index
    %q0 = tile.int_to_ptr %w0 : !tile.ptr<bf16>
    %p0 = tile.assume %q0 div_by 16 : !tile.ptr<bf16>
    %q1 = tile.int_to_ptr %w1 : !tile.ptr<bf16>
    %p1 = tile.assume %q1 div_by 16 : !tile.ptr<bf16>
    %p2 = tile.int_to_ptr %w2 : !tile.ptr<bf16>
    %a = tile.view_at %p0 sizes [%size, %size] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
    %b = tile.view_at %p1 sizes [%size, %size] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
    %c = tile.view_at %p2 sizes [%size, %size] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
    %tiles = tile.num_tiles %a, 0 by [128] : !M
    %depth = tile.num_tiles %a, 1 by [64] : !M
    %end = arith.index_cast %tiles : index to i32
    %rest = scf.while (%i = %at) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %m = arith.index_castui %i : i32 to index
      %sum = scf.for %k = %c0 to %depth step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
        %at_ = tile.load %a[%m, %k] [128, 64] {tile.settled} : !M -> tensor<128x64xbf16>
        %bt = tile.load %b[%k, %c0] [64, 128] {tile.settled} : !M -> tensor<64x128xbf16>
        %d = tile.dot %at_, %bt, %acc : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
        scf.yield %d : tensor<128x128xf32>
      }
      %r = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.store %r, %c[%m, %c0] : tensor<128x128xbf16>, !M
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    scf.yield %rest : i32
  }
}
