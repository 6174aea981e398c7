// ptxas would use 40 registers for this kernel and spill; an occupancy of 16 warps, for loads in flight, leaves enough.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --arch=sm_90a --emit=report | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX

// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// PTX: .reqntid 128
// PTX-NEXT: .minnctapersm 4

cuda_tile.module @kernels {
  entry @transpose(%a: tile<ptr<bf16>>, %a_n0: tile<i32>, %a_n1: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %b: tile<ptr<bf16>>, %b_n0: tile<i32>, %b_n1: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>) {
    %a_view = make_tensor_view %a, shape = [%a_n0, %a_n1], strides = [%a_s0, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?, 1]>
    %b_view = make_tensor_view %b, shape = [%b_n0, %b_n1], strides = [%b_s0, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?, 1]>>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?, 1]>>
    %t, %ak = load_view_tko weak %a_tiles[%x, %y] token = %root : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?, 1]>>, tile<i32> -> tile<64x64xbf16>, token
    %r = permute %t [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
    %bk = store_view_tko weak %r, %b_tiles[%y, %x] token = %root : tile<64x64xbf16>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?, 1]>>, tile<i32> -> token
  }
}
