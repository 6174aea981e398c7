// RUN: tilegpt-opt %s --tile-gpu-stage-rows --split-input-file | FileCheck %s

#row = #tile_gpu.layout<registers = [d1:99*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, blocks = 2>
!X = !tile.view<4096x50257xbf16>
!F = !tile.view<4096x1xf32>

// Pairs combined by a region: the row is read once, and out-of-bounds elements change neither.
// CHECK-LABEL: tile.kernel @pairs
// CHECK:         %[[X:.*]] = tile_gpu.read
// CHECK-NOT:     tile_gpu.read
// CHECK:         %[[A:.*]] = tile_gpu.fill_outside %{{.*}} columns 50257
// CHECK:         %[[B:.*]] = tile_gpu.fill_outside %{{.*}} columns 50257
// CHECK:         %[[R:.*]]:2 = tile.reduce %[[A]], %[[B]] axis 1 keepdims identities
tile.kernel @pairs(%x: !X) outs(%y: !F) grid [dim(%x, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %half = arith.constant 5.0e-01 : f32
  %t = tile.load %x[%m, %c0] [1, 50257] : !X -> tensor<1x50257xbf16, #row>
  %f = tile.cast %t : tensor<1x50257xbf16, #row> to tensor<1x50257xf32, #row>
  %q = arith.mulf %f, %f : tensor<1x50257xf32, #row>
  %r:2 = tile.reduce %f, %q axis 1 keepdims identities [0xFF800000 : f32, 0.0 : f32] {
    ^bb0(%ma: f32, %sa: f32, %mb: f32, %sb: f32):
      %g = arith.maximumf %ma, %mb : f32
      %p = arith.addf %sa, %sb : f32
      %k = arith.mulf %p, %half : f32
      tile.yield %g, %k : f32, f32
  } : tensor<1x50257xf32, #row>, tensor<1x50257xf32, #row> -> (tensor<1x1xf32, #sum>, tensor<1x1xf32, #sum>)
  %o = arith.addf %r#0, %r#1 : tensor<1x1xf32, #sum>
  tile.store %o, %y[%m, %c0] : tensor<1x1xf32, #sum>, !F
}

// -----

#row = #tile_gpu.layout<registers = [d1:391*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 4, blocks = 1>
!X = !tile.view<?x200000xbf16>
!F = !tile.view<?x1xf32>

// Four blocks have a part each. A thread reduces its units of eight, carries pairs from piece to piece, beginning
// with those of the first, and a pair is one word of the single exchange.
// CHECK-LABEL: tile.kernel @pairs_of_parts
// CHECK:         tile_gpu.init_mailbox
// CHECK-NOT:     tile_gpu.init_mailbox
// CHECK:         %[[U:.*]] = tile.reshape %{{.*}} [1, 893, 8]
// CHECK:         tile.reduce %[[U]], %{{.*}} axis 2 identities
// CHECK-NOT:     arith.maximumf %{{.*}} : tensor<1x893xf32
// CHECK:         scf.for
// CHECK:         tile.reduce %{{.*}} axis 2 identities
// CHECK:         arith.maximumf %{{.*}} : tensor<1x893xf32
// CHECK:         arith.mulf %{{.*}} : tensor<1x893xf32
// CHECK:         %[[OWN:.*]]:2 = tile.reduce %{{.*}}, %{{.*}} axis 1 keepdims
// CHECK:         %[[H:.*]] = arith.shli
// CHECK:         %[[W:.*]] = arith.ori %{{.*}}, %[[H]] : tensor<1x1xi64
// CHECK:         %[[ALL:.*]] = tile_gpu.gather_parts %[[W]]
// CHECK-NOT:     tile_gpu.gather_parts
// CHECK:         tile.reduce %{{.*}}, %{{.*}} axis 0 keepdims
tile.kernel @pairs_of_parts(%x: !X) outs(%y: !F) grid [dim(%x, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %half = arith.constant 5.0e-01 : f32
  %t = tile.load %x[%m, %c0] [1, 200000] : !X -> tensor<1x200000xbf16, #row>
  %f = tile.cast %t : tensor<1x200000xbf16, #row> to tensor<1x200000xf32, #row>
  %q = arith.mulf %f, %f : tensor<1x200000xf32, #row>
  %r:2 = tile.reduce %f, %q axis 1 keepdims identities [0xFF800000 : f32, 0.0 : f32] {
    ^bb0(%ma: f32, %sa: f32, %mb: f32, %sb: f32):
      %g = arith.maximumf %ma, %mb : f32
      %p = arith.addf %sa, %sb : f32
      %k = arith.mulf %p, %half : f32
      tile.yield %g, %k : f32, f32
  } : tensor<1x200000xf32, #row>, tensor<1x200000xf32, #row> -> (tensor<1x1xf32, #sum>, tensor<1x1xf32, #sum>)
  %o = arith.addf %r#0, %r#1 : tensor<1x1xf32, #sum>
  tile.store %o, %y[%m, %c0] : tensor<1x1xf32, #sum>, !F
}

// -----

#row = #tile_gpu.layout<registers = [d1:99*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, blocks = 2>
!X = !tile.view<4096x50000xf32>
!F = !tile.view<4096x1xf32>

// Near miss: a region with a branch cannot be applied to tiles.
// CHECK-LABEL: tile.kernel @branches
// CHECK-NOT:     tile_gpu.copy
tile.kernel @branches(%x: !X) outs(%y: !F) grid [4096] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 50000] : !X -> tensor<1x50000xf32, #row>
  %r = tile.reduce %t axis 1 keepdims identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      %is = arith.cmpf ogt, %a, %b : f32
      %g = scf.if %is -> (f32) {
        scf.yield %a : f32
      } else {
        scf.yield %b : f32
      }
      tile.yield %g : f32
  } : tensor<1x50000xf32, #row> -> tensor<1x1xf32, #sum>
  tile.store %r, %y[%m, %c0] : tensor<1x1xf32, #sum>, !F
}
