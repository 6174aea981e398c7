// A left operand that a main loop computes and stores transposed is written to shared memory from the layout in which it is
// computed: threads hold both nibbles of adjacent bytes, and write 16 bytes of a row at a time.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: tile.kernel @packed_rows
// CHECK-NOT:     tile_gpu.convert_layout
// CHECK:         tile_gpu.write %{{.*}} : tensor<64x128xbf16,
// CHECK-NOT:     tile_gpu.convert_layout
// CHECK:         tile_gpu.async_dot %{{.*}} along_m
// PTX-LABEL: .entry kernel_packed_rows
// PTX:         ld.shared.v4.b32
// PTX-COUNT-4: st.shared.v4
// PTX-NOT:     st.shared
// PTX:         wgmma.mma_async
tile.kernel @packed_rows(%x: !tile.view<2048x4096xbf16>, %w: !tile.view<2048x4096xi8>) outs(%y: !tile.view<2048x4096xbf16>) grid [32, 32] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<15> : tensor<32x128xi32>
  %bits = arith.constant dense<4> : tensor<32x128xi32>
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %z) -> (tensor<64x128xf32>) {
    %xt = tile.load %x[%m, %k] [64, 64] : !tile.view<2048x4096xbf16> -> tensor<64x64xbf16>
    %q = tile.load %w[%k, %n] [32, 128] : !tile.view<2048x4096xi8> -> tensor<32x128xi8>
    %u = arith.extui %q : tensor<32x128xi8> to tensor<32x128xi32>
    %a = arith.andi %u, %low : tensor<32x128xi32>
    %b = arith.shrui %u, %bits : tensor<32x128xi32>
    %ae = tile.expand_dims %a, 1 : tensor<32x128xi32> -> tensor<32x1x128xi32>
    %be = tile.expand_dims %b, 1 : tensor<32x128xi32> -> tensor<32x1x128xi32>
    %c = tile.cat %ae, %be axis 1 : tensor<32x1x128xi32>, tensor<32x1x128xi32> -> tensor<32x2x128xi32>
    %r = tile.reshape %c [64, 128] : tensor<32x2x128xi32> -> tensor<64x128xi32>
    %wt = arith.sitofp %r : tensor<64x128xi32> to tensor<64x128xbf16>
    %d = tile.dot %xt, %wt, %acc : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  %h = tile.cast %s : tensor<64x128xf32> to tensor<64x128xbf16>
  tile.store %h, %y[%m, %n] : tensor<64x128xbf16>, !tile.view<2048x4096xbf16>
}
