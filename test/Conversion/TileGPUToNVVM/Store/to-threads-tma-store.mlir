// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:10*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true>

// Two boxes of 64 columns cover 80: the second starts at column 16. Each is four stmatrix of 16 columns between two
// barriers of the warp group; one thread issues the copies.
// CHECK-LABEL: func.func @store(
// CHECK:           nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK:         nvvm.barrier id = %[[ID:.*]] number_of_threads = %c128_i32
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK-NEXT:    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:    nvvm.barrier id = %[[ID]]
// CHECK:         scf.if
// CHECK:           nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%[[COLUMN:.*]], %[[ROW:.*]]]
// CHECK-NEXT:      nvvm.cp.async.bulk.commit.group
// CHECK:         nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK:         scf.if
// CHECK:           nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK:         scf.if
// CHECK-NEXT:      nvvm.cp.async.bulk.wait_group 0 {read}
tile.kernel @store(%s: bf16, %m: index, %n: index) outs(%y: !tile.view<?x2304xbf16>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<1x128x64xbf16, swizzle = 128>
  %map = tile_gpu.tensor_map %y : !tile.view<?x2304xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %s [128, 80] : bf16 -> tensor<128x80xbf16, #acc>
    tile_gpu.tma_store %t, %map[%m, %n] through %b : tensor<128x80xbf16, #acc>,
        !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<1x128x64xbf16, swizzle = 128>
    tile_gpu.finish_stores
  }
}

#turned = #tile_gpu.layout<registers = [d0:2*1, d1:2*8, d0:9*8], lanes = [d0:4*2, d1:8*1], warps = [d1:8*16]>

// A transposed accumulator: a warp group has 64 columns, of which it writes boxes of 64 rows; stmatrix transposes them.
// CHECK-LABEL: func.func @store_transposed(
// CHECK-COUNT-4: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK:           %[[FIRST:.*]] = arith.addi %[[COLUMN:.*]], %{{.*}} : i32
// CHECK:           nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%[[FIRST]], %[[ROW:.*]]]
// CHECK-COUNT-4: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK:           %[[SECOND:.*]] = arith.addi %[[ROW]], %c8_i32
// CHECK:           nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%{{.*}}, %[[SECOND]]]
tile.kernel @store_transposed(%s: bf16, %m: index, %n: index) outs(%y: !tile.view<?x2304xbf16>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<1x128x64xbf16, swizzle = 128>
  %map = tile_gpu.tensor_map %y : !tile.view<?x2304xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %s [72, 128] : bf16 -> tensor<72x128xbf16, #turned>
    tile_gpu.tma_store %t, %map[%m, %n] through %b : tensor<72x128xbf16, #turned>,
        !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<1x128x64xbf16, swizzle = 128>
    tile_gpu.finish_stores
  }
}

// Boxes of 16 columns: one stmatrix each. Units of 16 bytes are swizzled by the number of their line of four rows.
// CHECK-LABEL: func.func @store_narrow(
// CHECK:         %[[ROW:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK:         %[[HALF:.*]] = arith.shrui %{{.*}}, %c4_i32
// CHECK:         %[[LINE:.*]] = arith.shrui %[[ROW]], %c2_i32
// CHECK:         %[[LOW:.*]] = arith.andi %[[LINE]], %c1_i32
// CHECK:         arith.xori %[[LOW]], %[[HALF]]
// CHECK:         arith.muli %[[ROW]], %c32_i32
// CHECK-COUNT-5: nvvm.stmatrix
// CHECK-NOT:     nvvm.stmatrix
tile.kernel @store_narrow(%s: bf16, %m: index, %n: index) outs(%y: !tile.view<?x2304xbf16>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<1x128x16xbf16, swizzle = 32>
  %map = tile_gpu.tensor_map %y : !tile.view<?x2304xbf16> -> !tile_gpu.tensor_map<64x16xbf16, swizzle = 32>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %s [128, 80] : bf16 -> tensor<128x80xbf16, #acc>
    tile_gpu.tma_store %t, %map[%m, %n] through %b : tensor<128x80xbf16, #acc>,
        !tile_gpu.tensor_map<64x16xbf16, swizzle = 32>, !tile_gpu.shared<1x128x16xbf16, swizzle = 32>
    tile_gpu.finish_stores
  }
}

// Five boxes of 16 rows.
// CHECK-LABEL: func.func @store_narrow_transposed(
// CHECK-COUNT-5: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK-NOT:     nvvm.stmatrix
tile.kernel @store_narrow_transposed(%s: bf16, %m: index, %n: index) outs(%y: !tile.view<?x2304xbf16>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<1x32x64xbf16, swizzle = 128>
  %map = tile_gpu.tensor_map %y : !tile.view<?x2304xbf16> -> !tile_gpu.tensor_map<16x64xbf16, swizzle = 128>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %s [72, 128] : bf16 -> tensor<72x128xbf16, #turned>
    tile_gpu.tma_store %t, %map[%m, %n] through %b : tensor<72x128xbf16, #turned>,
        !tile_gpu.tensor_map<16x64xbf16, swizzle = 128>, !tile_gpu.shared<1x32x64xbf16, swizzle = 128>
    tile_gpu.finish_stores
  }
}

#wide = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:24*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>

// Three boxes in two buffers: the last one of an earlier tile, or of another result, may be in the first buffer.
// CHECK-LABEL: func.func @store_odd(
// CHECK:           nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK:           nvvm.cp.async.bulk.wait_group 1 {read}
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK:           nvvm.cp.async.bulk.wait_group 1 {read}
// CHECK-COUNT-4: nvvm.stmatrix
tile.kernel @store_odd(%s: bf16, %m: index, %n: index) outs(%y: !tile.view<?x2304xbf16>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<2x128x64xbf16, swizzle = 128>
  %map = tile_gpu.tensor_map %y : !tile.view<?x2304xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %s [128, 192] : bf16 -> tensor<128x192xbf16, #wide>
    tile_gpu.tma_store %t, %map[%m, %n] through %b : tensor<128x192xbf16, #wide>,
        !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<2x128x64xbf16, swizzle = 128>
  }
}
