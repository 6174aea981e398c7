// Rows of heads start at multiples of 16 bytes, however many rows a head has.
// RUN: tilegpt-opt %s --compile-to=planned | FileCheck %s
// CHECK-DAG: [[COPIED:#plan[0-9]*]] = {{.*}} producer = true
// CHECK-DAG: [[SHARED:#plan[0-9]*]] = #tile_gpu.plan<target = "sm_90a", warps = {{[0-9]+}}, stages = {{[0-9]+}}>

!H = !tile.view<?x?x64xf16>
// CHECK-LABEL: tile.kernel @scores(
// CHECK:         tile_gpu.plan = [[COPIED]]
tile.kernel @scores(%q: !H, %k: !H) outs(%y: !tile.view<?x?x64xf32>)
    grid [ceildiv(dim(%q, 1), 128), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<128x64xf32>
  %qt = tile.load %q[%h, %m, %c0] [1, 128, 64] : !H -> tensor<1x128x64xf16>
  %qs = tile.reshape %qt [128, 64] : tensor<1x128x64xf16> -> tensor<128x64xf16>
  %n = tile.num_tiles %k, 1 by [64] : !H
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<128x64xf32>) {
    %kt = tile.load %k[%h, %j, %c0] [1, 64, 64] : !H -> tensor<1x64x64xf16>
    %ks = tile.reshape %kt [64, 64] : tensor<1x64x64xf16> -> tensor<64x64xf16>
    %next = tile.dot %qs, %ks, %acc transpose_b : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  %st = tile.reshape %sum [1, 128, 64] : tensor<128x64xf32> -> tensor<1x128x64xf32>
  tile.store %st, %y[%h, %m, %c0] : tensor<1x128x64xf32>, !tile.view<?x?x64xf32>
}

// Rows of 60 do not.
// CHECK-LABEL: tile.kernel @short_rows(
// CHECK:         tile_gpu.plan = [[SHARED]]
tile.kernel @short_rows(%q: !tile.view<?x?x60xf16>, %k: !tile.view<?x?x60xf16>) outs(%y: !tile.view<?x?x64xf32>)
    grid [ceildiv(dim(%q, 1), 128), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<128x64xf32>
  %qt = tile.load %q[%h, %m, %c0] [1, 128, 64] : !tile.view<?x?x60xf16> -> tensor<1x128x64xf16>
  %qs = tile.reshape %qt [128, 64] : tensor<1x128x64xf16> -> tensor<128x64xf16>
  %n = tile.num_tiles %k, 1 by [64] : !tile.view<?x?x60xf16>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<128x64xf32>) {
    %kt = tile.load %k[%h, %j, %c0] [1, 64, 64] : !tile.view<?x?x60xf16> -> tensor<1x64x64xf16>
    %ks = tile.reshape %kt [64, 64] : tensor<1x64x64xf16> -> tensor<64x64xf16>
    %next = tile.dot %qs, %ks, %acc transpose_b : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  %st = tile.reshape %sum [1, 128, 64] : tensor<128x64xf32> -> tensor<1x128x64xf32>
  tile.store %st, %y[%h, %m, %c0] : tensor<1x128x64xf32>, !tile.view<?x?x64xf32>
}
