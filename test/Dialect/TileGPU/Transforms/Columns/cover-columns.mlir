// RUN: tilegpt-opt %s --tile-gpu-cover-columns --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-cover-columns --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// The alignment of the rows repeats after eight of them: their sums meet after the loop.
// CHECK-LABEL: tile.kernel @sum
// CHECK:         attributes {tile_gpu.least_residents = 3 : i64
// CHECK:         %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<32x256xf32>
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = %[[Z]]) -> (tensor<32x256xf32>) {
// CHECK:           %[[ROW:.*]] = arith.muli %[[I]], %c32 : index
// CHECK:           %[[COLUMN:.*]] = arith.muli %{{.*}}, %c248 : index
// CHECK:           %[[T:.*]] = tile_gpu.load_covering %arg0[%[[ROW]], %[[COLUMN]]] : !tile.view<98x185535xbf16> -> tensor<32x256xbf16>
// CHECK:           %[[F:.*]] = tile.cast %[[T]] : tensor<32x256xbf16> to tensor<32x256xf32>
// CHECK:           arith.addf %[[A]], %[[F]] : tensor<32x256xf32>
// CHECK:         %[[G:.*]] = tile.reshape %[[R]] [4, 8, 256]
// CHECK:         %[[S:.*]] = tile.reduce add %[[G]] axis 0 : tensor<4x8x256xf32> -> tensor<8x256xf32>
// CHECK:         %[[Y:.*]] = tile_gpu.sum_shifted %[[S]] by 7 modulo 8 : tensor<8x256xf32> -> tensor<248xf32>
// CHECK:         tile.store %[[Y]]
// WHY: @sum: load: unaligned rows are read in units of 16 bytes; the sums of 8 alignments are shifted after the loop
tile.kernel @sum(%x: !tile.view<98x185535xbf16>) outs(%y: !tile.view<185535xf32>) grid [749] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0.0> : tensor<32x248xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> (tensor<32x248xf32>) {
    %t = tile.load %x[%i, %n] [32, 248] {tile_gpu.covered} : !tile.view<98x185535xbf16> -> tensor<32x248xbf16>
    %f = tile.cast %t : tensor<32x248xbf16> to tensor<32x248xf32>
    %b = arith.addf %a, %f : tensor<32x248xf32>
    scf.yield %b : tensor<32x248xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<32x248xf32> -> tensor<248xf32>
  tile.store %s, %y[%n] : tensor<248xf32>, !tile.view<185535xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Tiles of as many rows as alignments, of a loop that blocks share.
// CHECK-LABEL: tile.kernel @period
// CHECK:           tile_gpu.load_covering %{{.*}} -> tensor<4x64xf32>
// CHECK-NOT:     tile.reduce
// CHECK:         tile_gpu.sum_shifted %{{.*}} by 1 modulo 4 : tensor<4x64xf32> -> tensor<60xf32>
tile.kernel @period(%x: !tile.view<4001x57xf32>) outs(%y: !tile.view<57xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1001 = arith.constant 1001 : index
  %z = arith.constant dense<0.0> : tensor<4x60xf32>
  %r = scf.for %i = %n to %c1001 step %c3 iter_args(%a = %z) -> (tensor<4x60xf32>) {
    %t = tile.load %x[%i, %c0] [4, 60] {tile_gpu.covered} : !tile.view<4001x57xf32> -> tensor<4x60xf32>
    %b = arith.addf %a, %t : tensor<4x60xf32>
    scf.yield %b : tensor<4x60xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<4x60xf32> -> tensor<60xf32>
  tile.store %s, %y[%c0] : tensor<60xf32>, !tile.view<57xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Tiles that start with rows of different alignment or between two units are loaded as before, and so are those that are
// not sized for units.
// CHECK-LABEL: tile.kernel @rows
// CHECK:           tile.load %{{.*}} [6, 60]
// CHECK-LABEL: tile.kernel @columns
// CHECK:           tile.load %{{.*}} [8, 62]
// CHECK-LABEL: tile.kernel @other
// CHECK:           tile.load %{{.*}} [8, 28]
tile.kernel @rows(%x: !tile.view<4001x57xf32>) outs(%y: !tile.view<57xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c667 = arith.constant 667 : index
  %z = arith.constant dense<0.0> : tensor<6x60xf32>
  %r = scf.for %i = %c0 to %c667 step %c1 iter_args(%a = %z) -> (tensor<6x60xf32>) {
    %t = tile.load %x[%i, %c0] [6, 60] : !tile.view<4001x57xf32> -> tensor<6x60xf32>
    %b = arith.addf %a, %t : tensor<6x60xf32>
    scf.yield %b : tensor<6x60xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<6x60xf32> -> tensor<60xf32>
  tile.store %s, %y[%c0] : tensor<60xf32>, !tile.view<57xf32>
}
tile.kernel @columns(%x: !tile.view<4001x57xf32>) outs(%y: !tile.view<57xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c501 = arith.constant 501 : index
  %z = arith.constant dense<0.0> : tensor<8x62xf32>
  %r = scf.for %i = %c0 to %c501 step %c1 iter_args(%a = %z) -> (tensor<8x62xf32>) {
    %t = tile.load %x[%i, %c0] [8, 62] : !tile.view<4001x57xf32> -> tensor<8x62xf32>
    %b = arith.addf %a, %t : tensor<8x62xf32>
    scf.yield %b : tensor<8x62xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<8x62xf32> -> tensor<62xf32>
  tile.store %s, %y[%c0] : tensor<62xf32>, !tile.view<57xf32>
}
tile.kernel @other(%x: !tile.view<4001x57xf32>) outs(%y: !tile.view<57xf32>) grid [3] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c501 = arith.constant 501 : index
  %z = arith.constant dense<0.0> : tensor<8x28xf32>
  %r = scf.for %i = %c0 to %c501 step %c1 iter_args(%a = %z) -> (tensor<8x28xf32>) {
    %t = tile.load %x[%i, %n] [8, 28] : !tile.view<4001x57xf32> -> tensor<8x28xf32>
    %b = arith.addf %a, %t : tensor<8x28xf32>
    scf.yield %b : tensor<8x28xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<8x28xf32> -> tensor<28xf32>
  tile.store %s, %y[%n] : tensor<28xf32>, !tile.view<57xf32>
}
