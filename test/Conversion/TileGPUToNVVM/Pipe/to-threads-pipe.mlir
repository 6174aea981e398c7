// RUN: tilegpt-opt %s --tile-gpu-to-threads --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3, producer = true>
!X = !tile.view<?x768xbf16>
!A = !tile_gpu.shared<3x128x64xbf16, swizzle = 128>
!B = !tile_gpu.shared<3x64x64xbf16, swizzle = 128>
!AccTile = tensor<128x64xf32, #acc>

// Descriptors are the last arguments; equal ones are merged.
// CHECK-LABEL: func.func @pipe(
// CHECK-SAME:    %[[MA:[^:]*]]: !llvm.ptr, %[[MB:[^:]*]]: !llvm.ptr)
// CHECK-SAME:    tile_gpu.tensor_maps = [
// CHECK-SAME:      {argument = 0 : i32, box = array<i32: 64, 128>, l2_promotion = 256 : i32, swizzle = 128 : i32, type = bf16},
// CHECK-SAME:      {argument = 0 : i32, box = array<i32: 64, 64>, l2_promotion = 256 : i32, swizzle = 128 : i32, type = bf16}]

// The producer's thread prefetches them; another one initializes three full barriers with one arrival and three empty
// ones with eight.
// CHECK:         %[[GROUP:.*]] = nvvm.shfl.sync
// CHECK-COUNT-2: "prefetch.tensormap [$0];", "l" %{{.*}} : (!llvm.ptr) -> ()
// CHECK:         scf.if
// CHECK-COUNT-3:   nvvm.mbarrier.init %{{.*}}, %c1_i32
// CHECK-COUNT-3:   nvvm.mbarrier.init %{{.*}}, %c8_i32
// CHECK-NEXT:      nvvm.fence.mbarrier.init
// CHECK:         nvvm.barrier0
// CHECK:         %[[PRODUCES:.*]] = arith.cmpi eq, %[[GROUP]], %c2_i32
// CHECK:         scf.if %[[PRODUCES]] {
// CHECK:           nvvm.setmaxregister decrease 24
// CHECK:           scf.if
// CHECK:             nvvm.mbarrier.try_wait.parity
// CHECK-NEXT:        nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c24576_i32
// CHECK:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MA]], %{{.*}}, box[
// CHECK:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MB]], %{{.*}}, box[
// CHECK:         } else {
// CHECK:           nvvm.setmaxregister increase 240
// CHECK:           nvvm.mbarrier.try_wait.parity
// A descriptor has 14 bits for an address in units of 16 bytes; the higher bits are the block's rank in its cluster.
// CHECK:           %[[ADDRESS:.*]] = arith.shrui %{{.*}}, %c4_i32 : i32
// CHECK-NEXT:      arith.andi %[[ADDRESS]], %c16383_i32 : i32
// CHECK:           nvvm.wgmma.fence.aligned
// CHECK:           nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 16>, D[<f32>, <zero>]
// CHECK-COUNT-3:   nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 16>, D[<f32>, <one>]
// CHECK-NOT:       nvvm.wgmma.mma_async
// CHECK:           nvvm.wgmma.commit.group.sync.aligned
// CHECK:           nvvm.wgmma.wait.group.sync.aligned 1
// CHECK:           llvm.inline_asm has_side_effects asm_dialect = att "wgmma.wait_group.sync.aligned 0;"
// CHECK:           nvvm.mbarrier.arrive
// CHECK:           nvvm.barrier id = %c1_i32 number_of_threads = %c256_i32
tile.kernel @pipe(%x: !X) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %a = tile_gpu.alloc {offset = 0} : !A
  %b = tile_gpu.alloc {offset = 49152} : !B
  %words = tile_gpu.alloc {offset = 73728} : !tile_gpu.shared<6xi64>
  %ma = tile_gpu.tensor_map %x : !X -> !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
  %mb = tile_gpu.tensor_map %x : !X -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  %p = tile_gpu.pipe %words readers 8 : !tile_gpu.shared<6xi64> -> !tile_gpu.pipe<3>
  tile_gpu.roles registers [24, 240] producer {
    %c = tile_gpu.cursor at %c0 : !tile_gpu.cursor<3>
    tile_gpu.acquire %p[%c] bytes 24576 : !tile_gpu.pipe<3>
    %sa = tile_gpu.slot %a[%c] : !A
    tile_gpu.tma_load %ma[%c0, %c0] to %sa on %p[%c]
        : !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>, !tile_gpu.shared<128x64xbf16, swizzle = 128>, !tile_gpu.pipe<3>
    %sb = tile_gpu.slot %b[%c] : !B
    tile_gpu.tma_load %mb[%c0, %c0] to %sb on %p[%c]
        : !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<64x64xbf16, swizzle = 128>, !tile_gpu.pipe<3>
  } consumer {
    %c = tile_gpu.cursor : !tile_gpu.cursor<3>
    tile_gpu.await %p[%c] : !tile_gpu.pipe<3>
    %sa = tile_gpu.slot %a[%c] : !A
    %sb = tile_gpu.slot %b[%c] : !B
    %d = tile_gpu.async_dot %sa, %sb : !tile_gpu.shared<128x64xbf16, swizzle = 128>,
        !tile_gpu.shared<64x64xbf16, swizzle = 128> -> !tile_gpu.pending<!AccTile>
    tile_gpu.limit_dots 1
    %t = tile_gpu.finish_dot %d : !tile_gpu.pending<!AccTile>
    tile_gpu.release %p[%c] : !tile_gpu.pipe<3>
    tile_gpu.barrier
    %ok = arith.cmpf oeq, %t, %t : !AccTile
    tile.assert %ok, "no NaN" : tensor<128x64xi1, #acc>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// With two pipes arrivals are predicated: branches would be merged around the code between them.
// CHECK-LABEL: func.func @two_pipes(
// CHECK:         nvvm.mbarrier.try_wait.parity
// CHECK:         llvm.inline_asm {{.*}} "@$1 mbarrier.arrive.shared.b64 _, [$0];"
// CHECK:         nvvm.mbarrier.try_wait.parity
// CHECK:         llvm.inline_asm {{.*}} "@$1 mbarrier.arrive.shared.b64 _, [$0];"
tile.kernel @two_pipes() grid [1] attributes {tile_gpu.plan = #plan} {
  %keys = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<4xi64>
  %values = tile_gpu.alloc {offset = 32} : !tile_gpu.shared<4xi64>
  %k = tile_gpu.pipe %keys readers 8 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2>
  %v = tile_gpu.pipe %values readers 8 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2>
  tile_gpu.roles registers [24, 240] producer {
  } consumer {
    %c = tile_gpu.cursor : !tile_gpu.cursor<2>
    tile_gpu.await %k[%c] : !tile_gpu.pipe<2>
    tile_gpu.release %k[%c] : !tile_gpu.pipe<2>
    tile_gpu.await %v[%c] : !tile_gpu.pipe<2>
    tile_gpu.release %v[%c] : !tile_gpu.pipe<2>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// A probe tests once, without waiting.
// CHECK-LABEL: func.func @probed(
// CHECK:         %[[IN:.*]] = llvm.inline_asm has_side_effects {{.*}}mbarrier.test_wait.parity.shared.b64 complete, [$1], $2;{{.*}} "=r,r,r"
// CHECK-NEXT:    %[[LATE:.*]] = arith.cmpi eq, %[[IN]], %c0_i32 : i32
// CHECK-NEXT:    scf.if %[[LATE]] {
// CHECK-NEXT:      nvvm.mbarrier.try_wait.parity
tile.kernel @probed() grid [1] attributes {tile_gpu.plan = #plan} {
  %words = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<4xi64>
  %p = tile_gpu.pipe %words readers 8 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2>
  tile_gpu.roles registers [24, 240] producer {
  } consumer {
    %c = tile_gpu.cursor : !tile_gpu.cursor<2>
    %in = tile_gpu.probe %p[%c] : !tile_gpu.pipe<2>
    %true = arith.constant true
    %late = arith.xori %in, %true : i1
    scf.if %late {
      tile_gpu.await %p[%c] : !tile_gpu.pipe<2>
    }
    tile_gpu.release %p[%c] : !tile_gpu.pipe<2>
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8, d0:2*64], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Rows of 256 bytes are two panels of 128; 128 rows of one warp group are two instructions per step along K.
// CHECK-LABEL: func.func @panels(
// CHECK:         nvvm.wgmma.fence.aligned
// CHECK-COUNT-16: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 8>{{.*}}A[<tf32>
// CHECK-NOT:     nvvm.wgmma.mma_async
// CHECK:         "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2
tile.kernel @panels() grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<128x64xf32, swizzle = 128>
  %b = tile_gpu.alloc {offset = 32768} : !tile_gpu.shared<16x64xf32, swizzle = 128>
  %d = tile_gpu.async_dot %a, %b : !tile_gpu.shared<128x64xf32, swizzle = 128>,
      !tile_gpu.shared<16x64xf32, swizzle = 128> -> !tile_gpu.pending<tensor<128x16xf32, #acc>>
  %t = tile_gpu.finish_dot %d : !tile_gpu.pending<tensor<128x16xf32, #acc>>
  %ok = arith.cmpf oeq, %t, %t : tensor<128x16xf32, #acc>
  tile.assert %ok, "no NaN" : tensor<128x16xi1, #acc>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Bytes may be unsigned on either side.
// CHECK-LABEL: func.func @bytes(
// CHECK-COUNT-2: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 32>{{.*}}A[<u8>{{.*}}B[<s8>
// CHECK-COUNT-2: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 32>{{.*}}A[<s8>{{.*}}B[<u8>
tile.kernel @bytes() grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<64x64xi8, swizzle = 64>
  %b = tile_gpu.alloc {offset = 4096} : !tile_gpu.shared<16x64xi8, swizzle = 64>
  %left = tile_gpu.async_dot %a, %b unsigned_lhs : !tile_gpu.shared<64x64xi8, swizzle = 64>,
      !tile_gpu.shared<16x64xi8, swizzle = 64> -> !tile_gpu.pending<tensor<64x16xi32, #acc>>
  %both = tile_gpu.async_dot %a, %b unsigned_rhs onto %left : !tile_gpu.pending<tensor<64x16xi32, #acc>>
      : !tile_gpu.shared<64x64xi8, swizzle = 64>, !tile_gpu.shared<16x64xi8, swizzle = 64>
      -> !tile_gpu.pending<tensor<64x16xi32, #acc>>
  %t = tile_gpu.finish_dot %both : !tile_gpu.pending<tensor<64x16xi32, #acc>>
  %ok = arith.cmpi eq, %t, %t : tensor<64x16xi32, #acc>
  tile.assert %ok, "equal" : tensor<64x16xi1, #acc>
}

// -----

#other = #tile_gpu.layout<registers = [d1:16*1, d0:4*16], lanes = [rep:2, d0:16*1], warps = [d0:4*64]>
tile.kernel @other_layout() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>} {
  %a = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %b = tile_gpu.alloc {offset = 8192} : !tile_gpu.shared<16x64xbf16, swizzle = 128>
  // expected-error @below {{expected the layout of a wgmma accumulator on 4 warps, found 'tensor<64x16xf32,}}
  // expected-error @below {{failed to legalize}}
  %d = tile_gpu.async_dot %a, %b : !tile_gpu.shared<64x64xbf16, swizzle = 128>,
      !tile_gpu.shared<16x64xbf16, swizzle = 128> -> !tile_gpu.pending<tensor<64x16xf32, #other>>
  %t = tile_gpu.finish_dot %d : !tile_gpu.pending<tensor<64x16xf32, #other>>
}

// -----

// Rows aligned to odd multiples of 16 bytes: L2 prefetches no second line.
// CHECK-LABEL: func.func @unaligned_rows(
// CHECK-SAME:    l2_promotion = 128 : i32
tile.kernel @unaligned_rows(%x: !tile.view<?x776xbf16>) outs(%y: !tile.view<?x776xbf16>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>} {
  %map = tile_gpu.tensor_map %x : !tile.view<?x776xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %words = tile_gpu.alloc {offset = 8192} : !tile_gpu.shared<4xi64>
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.roles producer {
    tile_gpu.tma_load %map[%c0, %c0] to %s on %pipe[%c]
        : !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<64x64xbf16, swizzle = 128>, !tile_gpu.pipe<2>
  } consumer {
  }
}

// -----

// A multicast: each block copies the box of its rank of every panel, for both blocks; lane 0 and lane 1 of a warp
// release the stage in one block each.
// CHECK-LABEL: func.func @multicast(
// CHECK:       %[[ALL:.*]] = llvm.mlir.constant(3 : i16) : i16
// CHECK:       nvvm.mbarrier.init %{{.*}}, %c8_i32
// CHECK:       nvvm.cluster.arrive.relaxed
// CHECK:       nvvm.cluster.wait
// CHECK:       %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank : i32
// CHECK:       %[[ROW:.*]] = arith.muli %[[RANK]], %c64_i32
// CHECK:       %[[BYTES:.*]] = arith.muli %[[RANK]], %c8192_i32
// CHECK:       llvm.getelementptr %{{.*}}[%[[BYTES]]]
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} multicast_mask = %[[ALL]]
// CHECK-NOT:   multicast_mask
// CHECK:       %[[LANE:.*]] = arith.andi %{{.*}}, %c31
// CHECK:       arith.cmpi ult, %[[LANE]], %c2_i32
// CHECK:         %[[THERE:.*]] = nvvm.mapa %{{.*}}, %[[LANE]]
// CHECK:         nvvm.mbarrier.arrive %[[THERE]] : !llvm.ptr<7>
// CHECK:       nvvm.cluster.arrive
// CHECK:       nvvm.cluster.wait
tile.kernel @multicast(%x: !tile.view<?x776xbf16>) outs(%y: !tile.view<?x776xbf16>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, persistent = true,
                                               multicast = 2>} {
  %map = tile_gpu.tensor_map %x : !tile.view<?x776xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<128x128xbf16, swizzle = 128>
  %words = tile_gpu.alloc {offset = 32768} : !tile_gpu.shared<4xi64>
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2, blocks = 2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.roles producer {
    tile_gpu.tma_load %map[%c0, %c0] to %s on %pipe[%c] multicast along 0
        : !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<128x128xbf16, swizzle = 128>,
          !tile_gpu.pipe<2, blocks = 2>
  } consumer {
    tile_gpu.release %pipe[%c] : !tile_gpu.pipe<2, blocks = 2>
  }
  tile_gpu.arrive_cluster
  tile_gpu.await_cluster
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>
!S = tensor<64x16xf32, #acc>

// Computed initial accumulators pass through the fence, so that nothing writes them after it.
// CHECK-LABEL: func.func @computed_sum(
// CHECK:         arith.mulf
// CHECK-NOT:     nvvm.wgmma.fence.aligned
// CHECK:         "wgmma.fence.sync.aligned;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"
// CHECK:         nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>, D[<f32>, <one>]
tile.kernel @computed_sum(%v: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %x = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %w = tile_gpu.alloc {offset = 8192} : !tile_gpu.shared<16x64xbf16, swizzle = 128>
  %s = tile.splat %v [64, 16] : f32 -> !S
  %sum = arith.mulf %s, %s : !S
  %d = tile_gpu.async_dot %x, %w onto %sum : !S : !tile_gpu.shared<64x64xbf16, swizzle = 128>,
      !tile_gpu.shared<16x64xbf16, swizzle = 128> -> !tile_gpu.pending<!S>
  %t = tile_gpu.finish_dot %d : !tile_gpu.pending<!S>
  %ok = arith.cmpf oeq, %t, %t : !S
  tile.assert %ok, "no NaN" : tensor<64x16xi1, #acc>
}

// -----

// A square of four blocks: those side by side along axis 1 are ranks r and r + 2. Each copies half of the rows to both,
// and warps release the stage in all four.
// CHECK-LABEL: func.func @square(
// CHECK:       nvvm.mbarrier.init %{{.*}}, %c16_i32
// CHECK:       %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank : i32
// CHECK:       %[[HALF:.*]] = arith.divui %[[RANK]], %c2_i32
// CHECK:       %[[BESIDE:.*]] = arith.remui %[[HALF]], %c2_i32
// CHECK:       arith.muli %[[BESIDE]], %c64_i32
// CHECK:       %[[BELOW:.*]] = arith.remui %{{.*}}, %c2_i32
// CHECK:       %[[FIRST:.*]] = arith.trunci %[[BELOW]] : i32 to i16
// CHECK:       %[[BOTH:.*]] = arith.shli %{{.*}}, %[[FIRST]] : i16
// CHECK:       nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} multicast_mask = %[[BOTH]]
// CHECK:       arith.cmpi ult, %{{.*}}, %c4_i32
tile.kernel @square(%x: !tile.view<?x776xbf16>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, persistent = true,
                                               multicast = 4, multicastAxis = 2>} {
  %map = tile_gpu.tensor_map %x : !tile.view<?x776xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<128x64xbf16, swizzle = 128>
  %words = tile_gpu.alloc {offset = 32768} : !tile_gpu.shared<4xi64>
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2, blocks = 4>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.roles producer {
    tile_gpu.tma_load %map[%c0, %c0] to %s on %pipe[%c] multicast along 1
        : !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<128x64xbf16, swizzle = 128>,
          !tile_gpu.pipe<2, blocks = 4>
  } consumer {
    tile_gpu.release %pipe[%c] : !tile_gpu.pipe<2, blocks = 4>
  }
  tile_gpu.arrive_cluster
  tile_gpu.await_cluster
}
