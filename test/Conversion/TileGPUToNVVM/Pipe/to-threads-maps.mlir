// Descriptors that a block encodes lie in global memory that it claims; their addresses are generic.
// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3, producer = true>
!M = !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>

// CHECK-DAG:   llvm.mlir.global internal @maps_map_claims{{.*}} : !llvm.array<512 x i32>
// CHECK-DAG:   llvm.mlir.global internal @maps_map_0{{.*}} alignment = 128 : i64{{.*}} : !llvm.array<65536 x i8>
// CHECK-LABEL: func.func @maps(
// The next claim is tried until one is free.
// CHECK:         scf.while
// CHECK:           %[[HELD:.*]] = llvm.inline_asm {{.*}} "atom.acquire.gpu.global.cas.b32 $0, [$1], 0, 1;"
// CHECK-NEXT:      %[[IS_HELD:.*]] = arith.cmpi ne, %[[HELD]], %c0_i32
// CHECK-NEXT:      scf.condition(%[[IS_HELD]])
// CHECK:           arith.andi %{{.*}}, %c511_i32
// CHECK:         "tensormap.replace.tile.rank.global.b1024.b32 [$0], 1;"
// CHECK:         "tensormap.replace.tile.box_dim.global.b1024.b32 [$0], 0, 64;"
// CHECK:         "tensormap.replace.tile.element_stride.global.b1024.b32 [$0], 0, 1;"
// CHECK:         "tensormap.replace.tile.box_dim.global.b1024.b32 [$0], 1, 128;"
// CHECK:         "tensormap.replace.tile.elemtype.global.b1024.b32 [$0], 1;"
// CHECK:         "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [$0], 3;"
// Copies to stages before the cursor belong to its round, others to the one before.
// CHECK-COUNT-3: nvvm.mbarrier.try_wait.parity
// CHECK:         "tensormap.replace.tile.global_address.global.b1024.b64 [$0], $1;"
// CHECK:         %[[COLUMNS:.*]] = arith.maxui %{{.*}}, %c1
// CHECK:         "tensormap.replace.tile.global_dim.global.b1024.b32 [$0], 0, $1;"
// CHECK:         "tensormap.replace.tile.global_dim.global.b1024.b32 [$0], 1, $1;"
// CHECK:         %[[BYTES:.*]] = arith.muli %{{.*}}, %c2
// CHECK:         "tensormap.replace.tile.global_stride.global.b1024.b64 [$0], 0, $1;"
// CHECK:         "fence.proxy.tensormap::generic.release.gpu;\0Afence.proxy.tensormap::generic.acquire.gpu [$0], 128;"
// CHECK:         "st.release.gpu.global.b32 [$0], 0;"
tile.kernel @maps(%p: !tile.ptr<bf16>, %m: index, %n: index, %pitch: index) grid launch attributes {tile_gpu.plan = #plan} {
  %words = tile_gpu.alloc {offset = 73728} : !tile_gpu.shared<6xi64>
  %pipe = tile_gpu.pipe %words readers 8 : !tile_gpu.shared<6xi64> -> !tile_gpu.pipe<3>
  tile_gpu.roles producer {
    %slot = tile_gpu.claim_maps
    %map = tile_gpu.make_map %slot number 0 : !M
    %c = tile_gpu.cursor : !tile_gpu.cursor<3>
    %v = tile.view_at %p sizes [%m, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, strides=[?, 1]>
    tile_gpu.finish_copies %pipe[%c] : !tile_gpu.pipe<3>
    tile_gpu.encode_map %map, %v : !M, !tile.view<?x?xbf16, strides=[?, 1]>
    tile_gpu.release_maps %slot
  } consumer {
  }
}
