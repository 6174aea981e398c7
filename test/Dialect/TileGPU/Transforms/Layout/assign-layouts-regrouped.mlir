// A reshape that neither only splits nor only merges axes moves no element between threads, if a layout of its source has
// the digits of one of its result: nibbles of packed rows become groups that share a scale.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX

// The sum follows what is loaded.
// CHECK-LABEL: tile.kernel @groups
// CHECK-NOT:     convert_layout
// CHECK:         tile.reshape %{{.*}} [8, 4, 64] : tensor<8x128x2xf32, #[[PAIRS:.*]]> -> tensor<8x4x64xf32, #[[GROUPS:.*]]>
// CHECK-NOT:     convert_layout
// CHECK:         tile.store
// PTX-NOT: st.shared
// PTX-NOT: bar.sync
tile.kernel @groups(%w: !tile.view<1024x128xi8>, %s: !tile.view<1024x4xf32>) outs(%y: !tile.view<1024x4xf32>) grid [128] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %low = arith.constant dense<15> : tensor<8x128xi32>
  %bits = arith.constant dense<4> : tensor<8x128xi32>
  %q = tile.load %w[%n, %c0] [8, 128] : !tile.view<1024x128xi8> -> tensor<8x128xi8>
  %u = arith.extui %q : tensor<8x128xi8> to tensor<8x128xi32>
  %a = arith.andi %u, %low : tensor<8x128xi32>
  %b = arith.shrui %u, %bits : tensor<8x128xi32>
  %ae = tile.expand_dims %a, 2 : tensor<8x128xi32> -> tensor<8x128x1xi32>
  %be = tile.expand_dims %b, 2 : tensor<8x128xi32> -> tensor<8x128x1xi32>
  %c = tile.cat %ae, %be axis 2 : tensor<8x128x1xi32>, tensor<8x128x1xi32> -> tensor<8x128x2xi32>
  %f = arith.sitofp %c : tensor<8x128x2xi32> to tensor<8x128x2xf32>
  %g = tile.reshape %f [8, 4, 64] : tensor<8x128x2xf32> -> tensor<8x4x64xf32>
  %sum = tile.reduce add %g axis 2 : tensor<8x4x64xf32> -> tensor<8x4xf32>
  %t = tile.load %s[%n, %c0] [8, 4] : !tile.view<1024x4xf32> -> tensor<8x4xf32>
  %p = arith.mulf %sum, %t : tensor<8x4xf32>
  tile.store %p, %y[%n, %c0] : tensor<8x4xf32>, !tile.view<1024x4xf32>
}
