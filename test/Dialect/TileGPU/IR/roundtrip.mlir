// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s

// CHECK-DAG: #[[L:layout.*]] = #tile_gpu.layout<registers = [d1:4*1, d1:3*32], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
#l = #tile_gpu.layout<registers = [d1:4*1, d1:3*32], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
// CHECK-DAG: #[[M:layout.*]] = #tile_gpu.layout<registers = [d0:16*1], lanes = [d1:32*1], warps = [d1:3*32, rep:2]>
#m = #tile_gpu.layout<registers = [d0:16*1], lanes = [d1:32*1], warps = [d1:3*32, rep:2]>
// CHECK-DAG: #[[A:layout.*]] = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>
#a = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>
// CHECK-DAG: #[[P:plan.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3, producer = true>
#p = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3, producer = true>
// CHECK-DAG: #[[Q:plan.*]] = #tile_gpu.plan<target = "sm_80", warps = 4>
#q = #tile_gpu.plan<target = "sm_80", warps = 4, stages = 0>

// CHECK-LABEL: func.func @attributes(
// CHECK-SAME:    tensor<16x96xf32, #[[L]]>, %{{.*}}: tensor<f32, #[[A]]>)
// CHECK-SAME:    tile_gpu.plan = #[[P]]
func.func @attributes(%t: tensor<16x96xf32, #l>, %s: tensor<f32, #a>) attributes {tile_gpu.plan = #p} {
  return
}

// CHECK-LABEL: func.func @convert_layout(
// CHECK-SAME:    tile_gpu.plan = #[[Q]]
// CHECK:         tile_gpu.convert_layout %{{.*}} : tensor<16x96xf32, #[[L]]> -> tensor<16x96xf32, #[[M]]>
func.func @convert_layout(%t: tensor<16x96xf32, #l>) attributes {tile_gpu.plan = #q} {
  %r = tile_gpu.convert_layout %t : tensor<16x96xf32, #l> -> tensor<16x96xf32, #m>
  return
}

// CHECK-LABEL: func.func @shared_memory(
// CHECK:         %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<16x96xf32, padding = 4>
// CHECK:         %[[C:.*]] = tile_gpu.alloc {offset = 8192 : i64} : !tile_gpu.shared<16x64xbf16, swizzle = 128>
// CHECK:         tile_gpu.alloc : !tile_gpu.shared<f32>
// CHECK:         tile_gpu.write %{{.*}}, %[[B]] : tensor<16x96xf32, #[[L]]>, !tile_gpu.shared<16x96xf32, padding = 4>
// CHECK:         tile_gpu.barrier
// CHECK:         tile_gpu.read %[[B]] : !tile_gpu.shared<16x96xf32, padding = 4> -> tensor<16x96xf32, #[[M]]>
func.func @shared_memory(%t: tensor<16x96xf32, #l>) {
  %b = tile_gpu.alloc : !tile_gpu.shared<16x96xf32, padding = 4>
  %c = tile_gpu.alloc {offset = 8192} : !tile_gpu.shared<16x64xbf16, swizzle = 128>
  %d = tile_gpu.alloc : !tile_gpu.shared<f32>
  tile_gpu.write %t, %b : tensor<16x96xf32, #l>, !tile_gpu.shared<16x96xf32, padding = 4>
  tile_gpu.barrier
  %r = tile_gpu.read %b : !tile_gpu.shared<16x96xf32, padding = 4> -> tensor<16x96xf32, #m>
  return
}

// CHECK-LABEL: func.func @launches(
// CHECK:         tile_gpu.release_launch
// CHECK:         tile_gpu.await_launch
func.func @launches() {
  tile_gpu.release_launch
  tile_gpu.await_launch
  return
}

// CHECK-LABEL: func.func @dot(
// CHECK:         tile_gpu.dot %{{.*}}, %{{.*}}, %{{.*}} transpose_b : !tile_gpu.shared<16x64xbf16>,
// CHECK-SAME:      !tile_gpu.shared<96x64xbf16>, tensor<16x96xf32, #[[L]]> -> tensor<16x96xf32, #[[L]]>
func.func @dot(%a: !tile_gpu.shared<16x64xbf16>, %b: !tile_gpu.shared<96x64xbf16>, %c: tensor<16x96xf32, #l>) {
  %d = tile_gpu.dot %a, %b, %c transpose_b
      : !tile_gpu.shared<16x64xbf16>, !tile_gpu.shared<96x64xbf16>, tensor<16x96xf32, #l> -> tensor<16x96xf32, #l>
  return
}

// CHECK-LABEL: func.func @runs(
// CHECK:         tile_gpu.run %{{.*}}[%{{.*}}] length 600 : !tile.view<?x75xbf16> -> !tile.view<?xbf16>
// CHECK:         tile_gpu.copy_run %{{.*}} to %{{.*}} from %{{.*}} length 600 whole : !tile.view<?xbf16>, !tile_gpu.shared<608xbf16>
// CHECK:         tile_gpu.rows %{{.*}} from %{{.*}} : !tile_gpu.shared<608xbf16> -> !tile_gpu.shared<8x75xbf16>
// CHECK:         tile_gpu.store_run %{{.*}} of %{{.*}} from %{{.*}} length 600 : !tile.view<?xbf16>, !tile_gpu.shared<608xbf16>
// CHECK:         tile_gpu.store_units %{{.*}} at %{{.*}} of %{{.*}} from %{{.*}} inside : tensor<1x256xbf16>, !tile.view<?xbf16>
// CHECK:         tile_gpu.store_units %{{.*}} at %{{.*}} of %{{.*}} from %{{.*}} known [8, 200] : tensor<1x256xbf16>, !tile.view<?xbf16>
// CHECK:         tile_gpu.load_units %{{.*}}[%{{.*}}] at %{{.*}} from %{{.*}} : !tile.view<?x75xbf16> -> tensor<1x256xbf16>
// CHECK:         tile_gpu.load_units %{{.*}}[%{{.*}}] at %{{.*}} from %{{.*}} known [0, 72] : !tile.view<?x75xbf16> -> tensor<1x256xbf16>
// CHECK:         tile_gpu.load_covering %{{.*}}[%{{.*}}, %{{.*}}] : !tile.view<?x75xbf16> -> tensor<8x64xbf16>
// CHECK:         tile_gpu.sum_shifted %{{.*}} by 3 modulo 8 : tensor<8x64xf32> -> tensor<56xf32>
func.func @runs(%x: !tile.view<?x75xbf16>, %b: !tile_gpu.shared<608xbf16>, %u: tensor<1x256xbf16>, %m: index, %f: index) {
  %r = tile_gpu.run %x[%m] length 600 : !tile.view<?x75xbf16> -> !tile.view<?xbf16>
  tile_gpu.copy_run %r to %b from %f length 600 whole : !tile.view<?xbf16>, !tile_gpu.shared<608xbf16>
  %t = tile_gpu.rows %b from %f : !tile_gpu.shared<608xbf16> -> !tile_gpu.shared<8x75xbf16>
  tile_gpu.store_run %r of %b from %f length 600 : !tile.view<?xbf16>, !tile_gpu.shared<608xbf16>
  tile_gpu.store_units %u at %m of %r from %f inside : tensor<1x256xbf16>, !tile.view<?xbf16>
  tile_gpu.store_units %u at %m of %r from %f known [8, 200] : tensor<1x256xbf16>, !tile.view<?xbf16>
  %v = tile_gpu.load_units %x[%m] at %f from %f : !tile.view<?x75xbf16> -> tensor<1x256xbf16>
  %w = tile_gpu.load_units %x[%m] at %f from %f known [0, 72] : !tile.view<?x75xbf16> -> tensor<1x256xbf16>
  %c = tile_gpu.load_covering %x[%m, %f] : !tile.view<?x75xbf16> -> tensor<8x64xbf16>
  %e = tile.cast %c : tensor<8x64xbf16> to tensor<8x64xf32>
  %s = tile_gpu.sum_shifted %e by 3 modulo 8 : tensor<8x64xf32> -> tensor<56xf32>
  return
}

// CHECK-LABEL: func.func @blocks(
// CHECK:         %[[W:.*]] = tile_gpu.workspace 1 : !tile.view<24x128xf32>
// CHECK:         tile_gpu.meet_blocks %{{.*}} of 3 parts 8 with %[[W]] : !tile.view<24x128xf32>
func.func @blocks(%g: index) -> i1 {
  %w = tile_gpu.workspace 1 : !tile.view<24x128xf32>
  %last = tile_gpu.meet_blocks %g of 3 parts 8 with %w : !tile.view<24x128xf32>
  return %last : i1
}

// CHECK-LABEL: func.func @parts(
// CHECK:         tile_gpu.put_part %{{.*}}, %[[W:.*]][%{{.*}}] : tensor<128x64xf32>, !tile.view<24x8192xf32>
// CHECK:         tile_gpu.await_blocks %{{.*}} of 8 part %[[P:.*]] of 3 with %[[W]] : !tile.view<24x8192xf32>
// CHECK:         tile_gpu.sum_share %[[P]] of %[[W]][%{{.*}}] parts 3 : !tile.view<24x8192xf32> -> tensor<128x16xf32>
func.func @parts(%t: tensor<128x64xf32>, %g: index, %p: index) -> tensor<128x16xf32> {
  %w = tile_gpu.workspace 0 : !tile.view<24x8192xf32>
  tile_gpu.put_part %t, %w[%p] : tensor<128x64xf32>, !tile.view<24x8192xf32>
  tile_gpu.await_blocks %g of 8 part %p of 3 with %w : !tile.view<24x8192xf32>
  %s = tile_gpu.sum_share %p of %w[%g] parts 3 : !tile.view<24x8192xf32> -> tensor<128x16xf32>
  return %s : tensor<128x16xf32>
}

// CHECK-LABEL: func.func @exchange(
// CHECK:         %[[M:.*]] = tile_gpu.begin_exchange of %[[G:.*]] part %[[P:.*]] in %[[W:.*]] : !tile.view<2x19x32xi64>
// CHECK:         tile_gpu.gather_blocks %{{.*}} of %[[G]] part %[[P]] mark %[[M]] exchange 1 in %[[W]] through %{{.*}} : tensor<1x1xf32>, !tile.view<2x19x32xi64>, !tile_gpu.shared<13xi64> -> tensor<13x1xf32>
func.func @exchange(%t: tensor<1x1xf32>, %g: index, %p: index, %b: !tile_gpu.shared<13xi64>) -> tensor<13x1xf32> {
  %w = tile_gpu.workspace 0 : !tile.view<2x19x32xi64>
  %m = tile_gpu.begin_exchange of %g part %p in %w : !tile.view<2x19x32xi64>
  %all = tile_gpu.gather_blocks %t of %g part %p mark %m exchange 1 in %w through %b
      : tensor<1x1xf32>, !tile.view<2x19x32xi64>, !tile_gpu.shared<13xi64> -> tensor<13x1xf32>
  return %all : tensor<13x1xf32>
}
