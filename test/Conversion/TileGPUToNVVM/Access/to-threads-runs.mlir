// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<?x75xbf16>
!R = !tile.view<?xbf16>
!B = !tile_gpu.shared<608xbf16>

// 76 units for 32 threads. The remaining length of the tensor is a 64-bit number. Units that are fully in or out of the
// run are copied or skipped, the elements of the one it ends in are copied by one thread each.
// CHECK-LABEL: func.func @copies
// CHECK:         arith.muli {{.*}} : i64
// CHECK:         arith.minsi {{.*}} : i64
// CHECK:         arith.maxsi {{.*}} : i64
// CHECK-COUNT-3: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK:         scf.if {{.*}} -> (bf16)
// CHECK:           llvm.load {{.*}} -> bf16
// CHECK:         llvm.store {{.*}} : bf16, !llvm.ptr<3>
// CHECK-NOT:     nvvm.cp.async.shared
tile.kernel @copies(%x: !X, %m: index, %f: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !B
  %r = tile_gpu.run %x[%m] length 600 : !X -> !R
  tile_gpu.copy_run %r to %b from %f length 600 : !R, !B
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<8x75xbf16>
!R = !tile.view<?xbf16>
!B = !tile_gpu.shared<608xbf16>

// If the run is known to be in bounds, only the last units are uncertain.
// CHECK-LABEL: func.func @copies_whole
// CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
tile.kernel @copies_whole(%x: !X, %m: index, %f: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !B
  %r = tile_gpu.run %x[%m] length 600 : !X -> !R
  tile_gpu.copy_run %r to %b from %f length 600 whole : !R, !B
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<8x75xbf16>
!R = !tile.view<?xbf16>
!B = !tile_gpu.shared<608xbf16>

// The inverse: whole units by 16 bytes, elements of the first and the last unit one by one.
// CHECK-LABEL: func.func @stores
// CHECK-COUNT-3: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK-COUNT-2: llvm.store {{.*}} : bf16, !llvm.ptr<1>
// CHECK-NOT:     llvm.store
tile.kernel @stores(%m: index, %f: index) outs(%y: !X) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !B
  %r = tile_gpu.run %y[%m] length 600 : !X -> !R
  tile_gpu.store_run %r of %b from %f length 600 whole : !R, !B
}

// -----

#l = #tile_gpu.layout<registers = [d0:4*1, d0:2*128], lanes = [d0:32*4], warps = []>
#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<?x75xf32>
!R = !tile.view<?xf32>

// Four adjacent elements at once if the tensor has all of them; at its end, those that it has.
// CHECK-LABEL: func.func @cut
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-2: scf.if {{.*}} -> (f32, f32, f32, f32)
tile.kernel @cut(%x: !X, %m: index) outs(%y: !X) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %r = tile_gpu.run %x[%m] length 256 : !X -> !R
  %t = tile.load %r[%c0] [256] : !R -> tensor<256xf32, #l>
  %s = tile_gpu.run %y[%m] length 256 : !X -> !R
  tile.store %t, %s[%c0] : tensor<256xf32, #l>, !R
}
