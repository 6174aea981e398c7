// RUN: tilegpt-opt %s --tile-gpu-overlap-launches --split-input-file --verify-diagnostics | FileCheck %s

#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:4*128]>
#long = #tile_gpu.layout<registers = [d0:4*1, d0:4*512], lanes = [d0:32*4], warps = [d0:4*128]>
#longer = #tile_gpu.layout<registers = [d0:4*1, d0:8*512], lanes = [d0:32*4], warps = [d0:4*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
#k = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
#few = #tile_gpu.layout<registers = [d0:4*1], lanes = [rep:32], warps = [rep:4]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
!V = !tile.view<1024xf32>
!K = !tile.view<?x64xf32>

// The weight is copied before the wait, with the ops that compute its address; everything that needs the wait stays
// after it.
// CHECK-LABEL: @weights_first
// CHECK:       tile_gpu.overlaps
// CHECK:       tile_gpu.release_launch
// CHECK:       %[[N:.*]] = tile.block_id 0
// CHECK:       %[[M:.*]] = arith.addi %[[N]]
// CHECK-NEXT:  %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<512xf32>
// CHECK-NEXT:  tile_gpu.copy %arg1[%[[M]]] to %[[B]]
// CHECK-NEXT:  tile_gpu.commit_copies
// CHECK-NEXT:  tile_gpu.await_launch
// CHECK-NEXT:  %[[X:.*]] = tile.load %arg0[%[[N]]]
// CHECK-NEXT:  tile_gpu.wait_copies 0
// CHECK-NEXT:  tile_gpu.barrier
// CHECK-NEXT:  %[[W:.*]] = tile_gpu.read %[[B]]
// CHECK-NEXT:  arith.addf %[[X]], %[[W]]
// CHECK-NOT:   tile_gpu.await_launch
tile.kernel @weights_first(%x: !V, %w: !V) outs(%y: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c1 = arith.constant 1 : index
  %n = tile.block_id 0
  %x0 = tile.load %x[%n] [512] : !V -> tensor<512xf32, #l>
  %m = arith.addi %n, %c1 : index
  %w0 = tile.load %w[%m] [512] : !V -> tensor<512xf32, #l>
  %s = arith.addf %x0, %w0 : tensor<512xf32, #l>
  tile.store %s, %y[%n] : tensor<512xf32, #l>, !V
}

// The copied tile is written to another buffer, which may overlap the copy's: all threads must have read it.
// CHECK-LABEL: @written_again
// CHECK:       tile_gpu.await_launch
// CHECK:       tile_gpu.wait_copies 0
// CHECK-NEXT:  tile_gpu.barrier
// CHECK-NEXT:  %[[W:.*]] = tile_gpu.read
// CHECK-NEXT:  tile_gpu.barrier
// CHECK-NEXT:  tile_gpu.write %[[W]]
tile.kernel @written_again(%x: !V, %w: !V) outs(%y: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %b = tile_gpu.alloc : !tile_gpu.shared<512xf32>
  %x0 = tile.load %x[%n] [512] : !V -> tensor<512xf32, #l>
  %w0 = tile.load %w[%n] [512] : !V -> tensor<512xf32, #l>
  tile_gpu.write %w0, %b : tensor<512xf32, #l>, !tile_gpu.shared<512xf32>
  tile_gpu.barrier
  %v = tile_gpu.read %b : !tile_gpu.shared<512xf32> -> tensor<512xf32, #l>
  %s = arith.addf %x0, %v : tensor<512xf32, #l>
  tile.store %s, %y[%n] : tensor<512xf32, #l>, !V
}

// The plan says that an early start does not pay off.
// CHECK-LABEL: @alone
// CHECK-NOT:   tile_gpu.overlaps
// CHECK-NOT:   tile_gpu.await_launch
// CHECK:       tile.load
tile.kernel @alone(%x: !V) outs(%y: !V) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, overlap = false>} {
  %n = tile.block_id 0
  %x0 = tile.load %x[%n] [512] : !V -> tensor<512xf32, #l>
  tile.store %x0, %y[%n] : tensor<512xf32, #l>, !V
}

// A weight with an address from the previous launch is loaded after the wait.
// CHECK-LABEL: @place_from_memory
// CHECK:       tile_gpu.await_launch
// CHECK:       tile.load %arg0
// CHECK:       tile.load %arg1
tile.kernel @place_from_memory(%i: !tile.view<?xi32>, %w: !V) outs(%y: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %p = tile.load %i[%c0] [1] : !tile.view<?xi32> -> tensor<1xi32, #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>>
  %e = tensor.extract %p[%c0] : tensor<1xi32, #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>>
  %n = arith.index_cast %e : i32 to index
  %w0 = tile.load %w[%n] [512] : !V -> tensor<512xf32, #l>
  tile.store %w0, %y[%c0] : tensor<512xf32, #l>, !V
}

// The previous launch may still read what this one writes.
// CHECK-LABEL: @write_after_read
// CHECK:       tile_gpu.copy %arg0
// CHECK:       tile_gpu.await_launch
// CHECK:       tile_gpu.read
// CHECK-NEXT:  tile.store
tile.kernel @write_after_read(%w: !V) outs(%y: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 0>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %w0 = tile.load %w[%c0] [512] : !V -> tensor<512xf32, #l>
  tile.store %w0, %y[%c0] : tensor<512xf32, #l>, !V
}

// State that only this launch accesses is read early, but not what the kernel itself writes first: the windows [0, p)
// and [p, p + 1) differ.
// CHECK-LABEL: @own_state
// CHECK:       %[[OLD:.*]] = tile.subview %arg1 [0, 0] [%[[P:.*]], 64]
// CHECK:       tile_gpu.copy %[[OLD]]
// CHECK-NEXT:  tile_gpu.commit_copies
// CHECK-NEXT:  tile_gpu.await_launch
// CHECK:       tile.store %{{.*}}, %[[NEW:.*]][
// CHECK-NEXT:  tile.load %[[NEW]]
// CHECK-NEXT:  tile_gpu.wait_copies 0
// CHECK-NEXT:  tile_gpu.barrier
// CHECK-NEXT:  tile_gpu.read
tile.kernel @own_state(%x: !K) outs(%k: !K) grid [dim(%x, 0)]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %p = tile.block_id 0
  %x0 = tile.load %x[%c0, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
  %old = tile.subview %k[0, 0] [%p, 64] : !K -> !K
  %new = tile.subview %k[%p, 0] [1, 64] : !K -> !tile.view<1x64xf32>
  tile.store %x0, %new[%c0, %c0] : tensor<8x64xf32, #k>, !tile.view<1x64xf32>
  %n = tile.load %new[%c0, %c0] [8, 64] : !tile.view<1x64xf32> -> tensor<8x64xf32, #k>
  %o = tile.load %old[%c0, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
  %s = arith.addf %o, %n : tensor<8x64xf32, #k>
  tile.store %s, %k[%c0, %c0] : tensor<8x64xf32, #k>, !K
}

// A load that is used in a loop is waited for before it.
// CHECK-LABEL: @used_in_a_loop
// CHECK:       tile_gpu.copy %arg1
// CHECK:       tile_gpu.await_launch
// CHECK:       tile.store
// CHECK-NEXT:  tile_gpu.wait_copies 0
// CHECK-NEXT:  tile_gpu.barrier
// CHECK-NEXT:  tile_gpu.read
// CHECK-NEXT:  scf.for
tile.kernel @used_in_a_loop(%x: !K, %w: !K) outs(%y: !K) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = tile.load %x[%c0, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
  tile.store %t, %y[%c0, %c0] : tensor<8x64xf32, #k>, !K
  %w0 = tile.load %w[%c0, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
  scf.for %i = %c0 to %c2 step %c1 {
    tile.store %w0, %y[%i, %c0] : tensor<8x64xf32, #k>, !K
  }
}

// Few bytes, rows that are no whole units, and unused loads are not copied.
// CHECK-LABEL: @not_worth_it
// CHECK-NOT:   tile_gpu.copy
tile.kernel @not_worth_it(%x: !V, %w: !V, %o: !tile.view<?x50257xf32>) outs(%y: !V, %z: !tile.view<?x50257xf32>) grid [1]
    attributes {tile.launch_invariant = array<i64: 1, 2>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [512] : !V -> tensor<512xf32, #l>
  %w0 = tile.load %w[%c0] [4] : !V -> tensor<4xf32, #few>
  %w1 = tile.load %w[%c0] [512] : !V -> tensor<512xf32, #l>
  %o0 = tile.load %o[%c0, %c0] [8, 64] : !tile.view<?x50257xf32> -> tensor<8x64xf32, #k>
  tile.store %t, %y[%c0] : tensor<512xf32, #l>, !V
  tile.store %w0, %y[%c0] : tensor<4xf32, #few>, !V
  tile.store %o0, %z[%c0, %c0] : tensor<8x64xf32, #k>, !tile.view<?x50257xf32>
}

// Small loads long after the wait do not expose their latency: launch-invariant ones are hoisted above the wait, the
// others below the loads after it, with their address computation; large ones stay.
// CHECK-LABEL: @bias_and_residual
// CHECK:       tile_gpu.commit_copies
// CHECK:       %[[B:.*]] = tile.load %arg2[%{{.*}}] [4] {tile_gpu.early}
// CHECK-NEXT:  %[[M:.*]] = arith.addi
// CHECK-NEXT:  tile_gpu.await_launch
// CHECK-NEXT:  tile.load %arg0[%{{.*}}] [4] :
// CHECK-NEXT:  %[[R:.*]] = tile.load %arg3[%[[M]]] [4] :
// CHECK-NEXT:  tile_gpu.wait_copies 0
// CHECK:       tile.reduce
// CHECK-NEXT:  tile.broadcast
// CHECK-NEXT:  arith.addf %{{.*}}, %[[B]]
// CHECK-NEXT:  arith.addf %{{.*}}, %[[R]]
// CHECK-NEXT:  tile.load %arg0[%[[M]]] [512]
tile.kernel @bias_and_residual(%x: !V, %w: !V, %b: !V, %r: !V) outs(%y: !V, %z: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 1, 2>, tile_gpu.plan = #plan} {
  %c1 = arith.constant 1 : index
  %n = tile.block_id 0
  %x0 = tile.load %x[%n] [4] : !V -> tensor<4xf32, #few>
  %w0 = tile.load %w[%n] [512] : !V -> tensor<512xf32, #l>
  %s = tile.reduce add %w0 axis 0 keepdims : tensor<512xf32, #l> -> tensor<1xf32, #one>
  %t = tile.broadcast %s [4] : tensor<1xf32, #one> -> tensor<4xf32, #few>
  %b0 = tile.load %b[%n] [4] : !V -> tensor<4xf32, #few>
  %u = arith.addf %t, %b0 : tensor<4xf32, #few>
  %m = arith.addi %n, %c1 : index
  %r0 = tile.load %r[%m] [4] : !V -> tensor<4xf32, #few>
  %v = arith.addf %u, %r0 : tensor<4xf32, #few>
  %x1 = tile.load %x[%m] [512] : !V -> tensor<512xf32, #l>
  %q = arith.addf %v, %x0 : tensor<4xf32, #few>
  tile.store %q, %y[%n] : tensor<4xf32, #few>, !V
  tile.store %x1, %z[%n] : tensor<512xf32, #l>, !V
}

// A second row that is loaded after a sum of the first is in flight with it; a third one would take
// more registers than a thread should hold meanwhile.
// CHECK-LABEL: @second_row
// CHECK:       tile_gpu.await_launch
// CHECK-NEXT:  %[[X:.*]] = tile.load %arg0
// CHECK-NEXT:  %[[W:.*]] = tile.load %arg1[%{{.*}}] [2048]
// CHECK-NEXT:  tile.reduce add %[[X]]
// CHECK-NEXT:  tile.broadcast
// CHECK-NEXT:  arith.addf %{{.*}}, %[[W]]
// CHECK-NEXT:  tile.load %arg1[%{{.*}}] [4096]
tile.kernel @second_row(%x: !V, %w: !V) outs(%y: !V, %z: !V) grid [1] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %x0 = tile.load %x[%n] [512] : !V -> tensor<512xf32, #l>
  %s = tile.reduce add %x0 axis 0 keepdims : tensor<512xf32, #l> -> tensor<1xf32, #one>
  %t = tile.broadcast %s [2048] : tensor<1xf32, #one> -> tensor<2048xf32, #long>
  %w0 = tile.load %w[%n] [2048] : !V -> tensor<2048xf32, #long>
  %u = arith.addf %t, %w0 : tensor<2048xf32, #long>
  %w1 = tile.load %w[%n] [4096] : !V -> tensor<4096xf32, #longer>
  tile.store %u, %y[%n] : tensor<2048xf32, #long>, !V
  tile.store %w1, %z[%n] : tensor<4096xf32, #longer>, !V
}

// Not if most blocks start long after the previous launch has finished.
// CHECK-LABEL: @bias_of_many_blocks
// CHECK:       tile_gpu.await_launch
// CHECK-NOT:   tile_gpu.early
// CHECK:       tile.store
tile.kernel @bias_of_many_blocks(%x: !V, %b: !V) outs(%y: !V) grid [513]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %x0 = tile.load %x[%n] [512] : !V -> tensor<512xf32, #l>
  %s = tile.reduce add %x0 axis 0 keepdims : tensor<512xf32, #l> -> tensor<1xf32, #one>
  %t = tile.broadcast %s [4] : tensor<1xf32, #one> -> tensor<4xf32, #few>
  %b0 = tile.load %b[%n] [4] : !V -> tensor<4xf32, #few>
  %u = arith.addf %t, %b0 : tensor<4xf32, #few>
  tile.store %u, %y[%n] : tensor<4xf32, #few>, !V
}

// Loads are not hoisted above writes.
// CHECK-LABEL: @small_load_stays
// CHECK:       tile_gpu.await_launch
// CHECK-NEXT:  tile.load %arg0
// CHECK-NEXT:  tile.reduce
// CHECK:       tile.store
// CHECK-NEXT:  tile.load %arg1
tile.kernel @small_load_stays(%x: !V, %b: !V) outs(%y: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %n = tile.block_id 0
  %x0 = tile.load %x[%n] [512] : !V -> tensor<512xf32, #l>
  %s = tile.reduce add %x0 axis 0 keepdims : tensor<512xf32, #l> -> tensor<1xf32, #one>
  %t = tile.broadcast %s [4] : tensor<1xf32, #one> -> tensor<4xf32, #few>
  tile.store %t, %y[%n] : tensor<4xf32, #few>, !V
  %b0 = tile.load %b[%n] [4] : !V -> tensor<4xf32, #few>
  tile.store %b0, %y[%c0] : tensor<4xf32, #few>, !V
}

// Hoisted once above the loop; a weight that moves with each iteration stays.
// CHECK-LABEL: @loop
// CHECK:       tile_gpu.await_launch
// CHECK-NEXT:  scf.for
// CHECK-NEXT:    tile.load %arg1
// CHECK-NEXT:    tile.load %arg0
// CHECK-NOT:   tile_gpu.await_launch
tile.kernel @loop(%x: !V, %w: !V) outs(%y: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %k = %c0 to %c2 step %c1 {
    %w0 = tile.load %w[%k] [512] : !V -> tensor<512xf32, #l>
    %x0 = tile.load %x[%k] [512] : !V -> tensor<512xf32, #l>
    %s = arith.addf %x0, %w0 : tensor<512xf32, #l>
    tile.store %s, %y[%k] : tensor<512xf32, #l>, !V
  }
}

// Later launches rely on this one to wait for earlier ones.
// CHECK-LABEL: @touches_nothing
// CHECK:       tile_gpu.release_launch
// CHECK-NEXT:  tile_gpu.await_launch
// CHECK-NEXT:  }
tile.kernel @touches_nothing() grid [1] attributes {tile_gpu.plan = #plan} {
}

// Each role waits separately. The next launch starts when the producer has issued all copies.
// CHECK-LABEL: @roles
// CHECK-NOT:   tile_gpu.release_launch
// CHECK:       tile_gpu.roles producer {
// CHECK-NEXT:    tile_gpu.await_launch
// CHECK-NEXT:    tile_gpu.tma_load
// CHECK-NEXT:    tile_gpu.release_launch
// CHECK-NEXT:  } consumer {
// CHECK-NEXT:    tile_gpu.await %
// CHECK-NEXT:    tile_gpu.await_launch
// CHECK-NEXT:    tile.load %arg1
tile.kernel @roles(%x: !tile.view<64x64xbf16>, %b: !V) outs(%y: !V) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>} {
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %words = tile_gpu.alloc : !tile_gpu.shared<4xi64>
  %map = tile_gpu.tensor_map %x : !tile.view<64x64xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.roles producer {
    tile_gpu.tma_load %map[%c0, %c0] to %s on %pipe[%c]
        : !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<64x64xbf16, swizzle = 128>, !tile_gpu.pipe<2>
  } consumer {
    tile_gpu.await %pipe[%c] : !tile_gpu.pipe<2>
    %t = tile.load %b[%c0] [512] : !V -> tensor<512xf32, #l>
    tile.store %t, %y[%c0] : tensor<512xf32, #l>, !V
  }
}

// -----

#l = #tile_gpu.layout<registers = [d0:4*1, d0:16*512], lanes = [d0:32*4], warps = [d0:4*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!V = !tile.view<8192xf32>

// More than 64 KB would leave no room for the previous launch.
// CHECK-LABEL: @as_far_as_memory_lasts
// CHECK:       tile_gpu.copy %arg1
// CHECK:       tile_gpu.copy %arg2
// CHECK-NEXT:  tile_gpu.commit_copies
// CHECK-NEXT:  tile_gpu.await_launch
// CHECK-NEXT:  tile.load %arg0
// CHECK-NEXT:  tile.load %arg3
tile.kernel @as_far_as_memory_lasts(%x: !V, %u: !V, %v: !V, %w: !V) outs(%y: !V) grid [1]
    attributes {tile.launch_invariant = array<i64: 1, 2, 3>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0] [8192] : !V -> tensor<8192xf32, #l>
  %u0 = tile.load %u[%c0] [8192] : !V -> tensor<8192xf32, #l>
  %v0 = tile.load %v[%c0] [8192] : !V -> tensor<8192xf32, #l>
  %w0 = tile.load %w[%c0] [8192] : !V -> tensor<8192xf32, #l>
  %s = arith.addf %x0, %u0 : tensor<8192xf32, #l>
  %t = arith.addf %s, %v0 : tensor<8192xf32, #l>
  %r = arith.addf %t, %w0 : tensor<8192xf32, #l>
  tile.store %r, %y[%c0] : tensor<8192xf32, #l>, !V
}

// -----

#k = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3>
!K = !tile.view<?x64xf32>
!S = !tile_gpu.shared<8x64xf32>

// The first copies of a loop are issued before the wait, group by group; the second one reads memory that is not
// launch-invariant.
// CHECK-LABEL: @first_copies
// CHECK:       scf.if
// CHECK:         tile_gpu.copy %arg1
// CHECK:       tile_gpu.commit_copies
// CHECK-NEXT:  tile_gpu.await_launch
// CHECK:       tile.load %arg0
// CHECK:       tile_gpu.copy %arg0
// CHECK:       tile_gpu.commit_copies
tile.kernel @first_copies(%x: !K, %w: !K) outs(%y: !K) grid [dim(%x, 0)]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tile_gpu.alloc : !S
  %t = tile.load %x[%c0, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
  tile.store %t, %y[%c0, %c0] : tensor<8x64xf32, #k>, !K
  %n = tile.num_tiles %w, 0 by [8] : !K
  tile_gpu.barrier
  %any = arith.cmpi slt, %c0, %n : index
  scf.if %any {
    tile_gpu.copy %w[%c0, %c0] to %s inside [false, true] : !K, !S
  }
  tile_gpu.commit_copies
  scf.if %any {
    tile_gpu.copy %x[%c1, %c0] to %s inside [false, true] : !K, !S
  }
  tile_gpu.commit_copies
}

// -----

#k = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3>
!K = !tile.view<?x64xf32>
!S = !tile_gpu.shared<8x64xf32>
!R = !tile_gpu.shared<2x8x64xf32>

// If groups have copies of both kinds, those of the weight are issued before the wait and join the first group; the
// others stay, as do the commits of all groups, which the loop counts. Copies that need the loop's values stay.
// CHECK-LABEL: @groups_of_both_kinds
// CHECK:       tile_gpu.barrier
// CHECK:       scf.if
// CHECK-NOT:     tile_gpu.copy %arg0
// CHECK:         tile_gpu.copy %arg1
// CHECK:       scf.if
// CHECK-NOT:     tile_gpu.copy %arg0
// CHECK:         tile_gpu.copy %arg1
// CHECK-NOT:   tile_gpu.copy
// CHECK-NOT:   tile_gpu.commit_copies
// CHECK:       tile_gpu.await_launch
// CHECK:       scf.if
// CHECK-NOT:     tile_gpu.copy %arg1
// CHECK:         tile_gpu.copy %arg0
// CHECK:       tile_gpu.commit_copies
// CHECK:       scf.if
// CHECK-NOT:     tile_gpu.copy %arg1
// CHECK:         tile_gpu.copy %arg0
// CHECK:       tile_gpu.commit_copies
// CHECK:       scf.for
// CHECK:         tile_gpu.wait_copies 1
// CHECK:         tile_gpu.copy %arg1
tile.kernel @groups_of_both_kinds(%x: !K, %w: !K) outs(%y: !K) grid [dim(%x, 0)]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xs = tile_gpu.alloc : !R
  %ws = tile_gpu.alloc : !R
  %n = tile.num_tiles %w, 0 by [8] : !K
  tile_gpu.barrier
  %first = arith.cmpi slt, %c0, %n : index
  scf.if %first {
    %s = tile_gpu.slice %xs[%c0] : !R -> !S
    tile_gpu.copy %x[%c0, %c0] to %s inside [false, true] : !K, !S
    %t = tile_gpu.slice %ws[%c0] : !R -> !S
    tile_gpu.copy %w[%c0, %c0] to %t inside [false, true] : !K, !S
  }
  tile_gpu.commit_copies
  %second = arith.cmpi slt, %c1, %n : index
  scf.if %second {
    %s = tile_gpu.slice %xs[%c1] : !R -> !S
    tile_gpu.copy %x[%c1, %c0] to %s inside [false, true] : !K, !S
    %t = tile_gpu.slice %ws[%c1] : !R -> !S
    tile_gpu.copy %w[%c1, %c0] to %t inside [false, true] : !K, !S
  }
  tile_gpu.commit_copies
  scf.for %i = %c0 to %n step %c1 {
    tile_gpu.wait_copies 1
    %t = tile_gpu.slice %ws[%c0] : !R -> !S
    tile_gpu.copy %w[%i, %c0] to %t inside [false, true] : !K, !S
    tile_gpu.commit_copies
  }
}

// The other copy's kernel computes the weight's address: it stays.
// CHECK-LABEL: @group_that_reads_what_is_written
// CHECK:       tile_gpu.await_launch
// CHECK:       tile.store
// CHECK:       scf.if
// CHECK:         tile_gpu.copy %arg1
tile.kernel @group_that_reads_what_is_written(%x: !K) outs(%w: !K) grid [dim(%x, 0)]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xs = tile_gpu.alloc : !S
  %ws = tile_gpu.alloc : !S
  %t = tile.load %x[%c0, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
  tile.store %t, %w[%c0, %c0] : tensor<8x64xf32, #k>, !K
  %n = tile.num_tiles %w, 0 by [8] : !K
  %any = arith.cmpi slt, %c0, %n : index
  scf.if %any {
    tile_gpu.copy %x[%c0, %c0] to %xs inside [false, true] : !K, !S
    tile_gpu.copy %w[%c0, %c0] to %ws inside [false, true] : !K, !S
  }
  tile_gpu.commit_copies
}

// -----

#row = #tile_gpu.layout<registers = [d1:4*1, d1:16*128], lanes = [d1:32*4], warps = [d0:16*1]>
#all = #tile_gpu.layout<registers = [d1:4*1, d1:16*128, d0:4*4], lanes = [d1:32*4], warps = [d0:4*1, rep:4]>
#v = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:16*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16>
!V = !tile.view<2048xf32>
!W = !tile.view<?x2048xf32>
!Z = !tile.view<?x2048xf32>

// A tile that exceeds the copies allowed before the wait: its first 32 bytes per thread are prefetched there.
// CHECK-LABEL: @large_load
// CHECK:       tile.load %arg1{{.*}}tile_gpu.early = 32 : i64
// CHECK:       tile_gpu.await_launch
// CHECK:       tile.load %arg0
tile.kernel @large_load(%x: !V, %w: !W) outs(%y: !Z) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [2048] : !V -> tensor<2048xf32, #v>
  %w0 = tile.load %w[%c0, %c0] [16, 2048] : !W -> tensor<16x2048xf32, #row>
  tile.store %w0, %y[%c0, %c0] : tensor<16x2048xf32, #row>, !Z
}

// Two that take all registers of a multiprocessor: 128 bytes of each.
// CHECK-LABEL: @loads_of_a_block_alone
// CHECK:       tile.load %arg1{{.*}}tile_gpu.early = 128 : i64
// CHECK:       tile.load %arg2{{.*}}tile_gpu.early = 128 : i64
// CHECK:       tile_gpu.await_launch
tile.kernel @loads_of_a_block_alone(%x: !V, %w: !W, %u: !W) outs(%y: !Z, %z: !Z) grid [1]
    attributes {tile.launch_invariant = array<i64: 1, 2>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [2048] : !V -> tensor<2048xf32, #v>
  %w0 = tile.load %w[%c0, %c0] [16, 2048] : !W -> tensor<16x2048xf32, #row>
  %u0 = tile.load %u[%c0, %c0] [16, 2048] : !W -> tensor<16x2048xf32, #row>
  tile.store %w0, %y[%c0, %c0] : tensor<16x2048xf32, #row>, !Z
  tile.store %u0, %z[%c0, %c0] : tensor<16x2048xf32, #row>, !Z
}

// Loads of memory that the kernel itself has written stay after the write.
// CHECK-LABEL: @large_load_of_own_state
// CHECK:       tile_gpu.await_launch
// CHECK-NOT:   tile_gpu.early
// CHECK:       tile.store
// CHECK-NOT:   tile_gpu.early
tile.kernel @large_load_of_own_state(%x: !W) outs(%w: !W, %y: !Z) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [16, 2048] : !W -> tensor<16x2048xf32, #row>
  tile.store %t, %w[%c0, %c0] : tensor<16x2048xf32, #row>, !W
  %w0 = tile.load %w[%c0, %c0] [16, 2048] : !W -> tensor<16x2048xf32, #row>
  tile.store %w0, %y[%c0, %c0] : tensor<16x2048xf32, #row>, !Z
}

// Each warp would fetch replicated elements from L2 again; the previous launch's results are not available yet.
// CHECK-LABEL: @large_loads_that_stay
// CHECK-NOT:   tile_gpu.early
tile.kernel @large_loads_that_stay(%x: !W, %w: !W) outs(%y: !Z, %z: !Z) grid [1]
    attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [16, 2048] : !W -> tensor<16x2048xf32, #row>
  %w0 = tile.load %w[%c0, %c0] [16, 2048] : !W -> tensor<16x2048xf32, #all>
  tile.store %t, %y[%c0, %c0] : tensor<16x2048xf32, #row>, !Z
  tile.store %w0, %z[%c0, %c0] : tensor<16x2048xf32, #all>, !Z
}

// -----

// Older targets have no dependent launches.
// CHECK-LABEL: @ampere
// CHECK-NOT:   launch
tile.kernel @ampere() grid [1] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_80", warps = 4>} {
}

// -----

// expected-error @below {{'tile.kernel' op gpu: expected an architecture among sm_80, sm_86, sm_89, sm_90a, found 'sm_1'}}
tile.kernel @nowhere() grid [1] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_1", warps = 4>} {
}

// -----

// The previous launch must have drawn its last tile.
// CHECK-LABEL: @draws
// CHECK:       producer {
// CHECK-NEXT:    tile_gpu.await_launch
// CHECK-NEXT:    tile_gpu.next_tile
tile.kernel @draws(%n: index) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>} {
  tile_gpu.roles producer {
    %t = tile_gpu.next_tile of %n
  } consumer {
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true>
!X = !tile.view<64x1600xbf16>
!S = !tile_gpu.shared<64x64xbf16, swizzle = 128>
!R = !tile_gpu.shared<4x64x64xbf16, swizzle = 128>
!M = !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
!C = !tile_gpu.cursor<4>
!SX = !tile_gpu.shared<32x64xbf16, swizzle = 128>
!RX = !tile_gpu.shared<4x32x64xbf16, swizzle = 128>
!MX = !tile_gpu.tensor_map<32x64xbf16, swizzle = 128>

// The first round of stages loads its weights before the previous launch has finished, in blocks within the grid; the
// loops load the rest. The next launch may start at once.
// CHECK-LABEL: @first_stages
// CHECK:       tile_gpu.release_launch
// CHECK:       %[[W:.*]] = tile_gpu.tensor_map %arg1
// CHECK:       %[[X:.*]] = tile_gpu.tensor_map %arg0
// CHECK:       producer {
// CHECK:         %[[C:.*]] = tile_gpu.cursor
// CHECK:         %[[FIRST:.*]] = tile_gpu.worker
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %[[FIRST]], %[[PLACES:.*]] : index
// CHECK-NEXT:    scf.if %[[RUNS]] {
// CHECK-NEXT:      %[[OF:.*]] = arith.remui %[[FIRST]],
// CHECK:           %[[ROUND:.*]] = arith.muli %[[STEP:.*]], %c4
// CHECK-NEXT:      %[[BEHIND:.*]] = arith.addi %[[FROM:.*]], %[[ROUND]]
// CHECK-NEXT:      %[[TO:.*]] = arith.minsi %[[STEPS:.*]], %[[BEHIND]]
// CHECK-NEXT:      scf.for %[[K:.*]] = %[[FROM]] to %[[TO]] step %[[STEP]] iter_args(%[[P:.*]] = %[[C]])
// CHECK-NOT:         %[[X]]
// CHECK:             tile_gpu.acquire %{{.*}}[%[[P]]] bytes 12288
// CHECK-NOT:         %[[X]]
// CHECK:             tile_gpu.tma_load %[[W]][%[[OF]], %[[K]]]
// CHECK-NOT:         %[[X]]
// CHECK:             tile_gpu.advance %[[P]]
// CHECK:         tile_gpu.await_launch
// CHECK-NEXT:    scf.for %[[T:.*]] = %[[FIRST]] to %[[PLACES]] step %{{.*}} iter_args(%{{.*}} = %[[C]])
// CHECK:           %[[IS:.*]] = arith.cmpi eq, %[[T]], %[[FIRST]]
// CHECK-NEXT:      %[[END:.*]] = arith.select %[[IS]], %{{.*}}, %[[FROM]]
// CHECK-NEXT:      scf.for %[[K:.*]] = %[[FROM]] to %[[STEPS]]
// CHECK:             %[[REST:.*]] = arith.cmpi sge, %[[K]], %[[END]]
// CHECK-NEXT:        scf.if %[[REST]] {
// CHECK-NEXT:          tile_gpu.acquire
// CHECK-NEXT:          tile_gpu.tma_load %[[W]]
// CHECK-NEXT:        }
// CHECK-NEXT:        tile_gpu.tma_load %[[X]]
tile.kernel @first_stages(%x: !X, %w: !X) grid [1] attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !RX
  %b = tile_gpu.alloc : !R
  %words = tile_gpu.alloc : !tile_gpu.shared<8xi64>
  %wm = tile_gpu.tensor_map %w : !X -> !M
  %xm = tile_gpu.tensor_map %x : !X -> !MX
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<8xi64> -> !tile_gpu.pipe<4>
  tile_gpu.roles producer {
    %c = tile_gpu.cursor : !C
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c25 = arith.constant 25 : index
    %c150 = arith.constant 150 : index
    %first = tile_gpu.worker
    %workers = tile_gpu.num_workers
    %end = scf.for %t = %first to %c150 step %workers iter_args(%p = %c) -> (!C) {
      %m = arith.remui %t, %c25 : index
      %last = scf.for %k = %c0 to %c25 step %c1 iter_args(%q = %p) -> (!C) {
        tile_gpu.acquire %pipe[%q] bytes 12288 : !tile_gpu.pipe<4>
        %to = tile_gpu.slot %a[%q] : !RX
        tile_gpu.tma_load %xm[%m, %k] to %to on %pipe[%q] : !MX, !SX, !tile_gpu.pipe<4>
        %tob = tile_gpu.slot %b[%q] : !R
        tile_gpu.tma_load %wm[%m, %k] to %tob on %pipe[%q] : !M, !S, !tile_gpu.pipe<4>
        %n = tile_gpu.advance %q : !C
        scf.yield %n : !C
      }
      scf.yield %last : !C
    }
  } consumer {
  }
}

// With many rows, a block that starts late would copy the weights of all stages before the first rows: two stages are filled.
// CHECK-LABEL: @many_rows
// CHECK:         tile_gpu.release_launch
// CHECK:         tile_gpu.num_workers
// CHECK:         scf.if
// CHECK:           %[[TWO:.*]] = arith.muli %{{.*}}, %c2
// CHECK-NEXT:      %[[BEHIND:.*]] = arith.addi %{{.*}}, %[[TWO]]
// CHECK-NEXT:      %[[END:.*]] = arith.minsi %{{.*}}, %[[BEHIND]]
// CHECK-NEXT:      scf.for %{{.*}} = %{{.*}} to %[[END]]
// CHECK:             tile_gpu.tma_load
// CHECK-NOT:         tile_gpu.tma_load
// CHECK:         tile_gpu.await_launch
// CHECK-NEXT:    scf.for
tile.kernel @many_rows(%x: !X, %w: !X) grid [1] attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !R
  %b = tile_gpu.alloc : !R
  %words = tile_gpu.alloc : !tile_gpu.shared<8xi64>
  %wm = tile_gpu.tensor_map %w : !X -> !M
  %xm = tile_gpu.tensor_map %x : !X -> !M
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<8xi64> -> !tile_gpu.pipe<4>
  tile_gpu.roles producer {
    %c = tile_gpu.cursor : !C
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c25 = arith.constant 25 : index
    %c150 = arith.constant 150 : index
    %first = tile_gpu.worker
    %workers = tile_gpu.num_workers
    %end = scf.for %t = %first to %c150 step %workers iter_args(%p = %c) -> (!C) {
      %m = arith.remui %t, %c25 : index
      %last = scf.for %k = %c0 to %c25 step %c1 iter_args(%q = %p) -> (!C) {
        tile_gpu.acquire %pipe[%q] bytes 16384 : !tile_gpu.pipe<4>
        %to = tile_gpu.slot %a[%q] : !R
        tile_gpu.tma_load %xm[%m, %k] to %to on %pipe[%q] : !M, !S, !tile_gpu.pipe<4>
        %tob = tile_gpu.slot %b[%q] : !R
        tile_gpu.tma_load %wm[%m, %k] to %tob on %pipe[%q] : !M, !S, !tile_gpu.pipe<4>
        %n = tile_gpu.advance %q : !C
        scf.yield %n : !C
      }
      scf.yield %last : !C
    }
  } consumer {
  }
}

// Nor are any if each stage has two matrices of weights: they would delay the rows.
// CHECK-LABEL: @many_rows_of_two
// CHECK:         tile_gpu.num_workers
// CHECK-NEXT:    tile_gpu.await_launch
// CHECK-NOT:     tile_gpu.tma_load
// CHECK:         scf.for
// CHECK:         tile_gpu.release_launch
// CHECK-NEXT:  } consumer
tile.kernel @many_rows_of_two(%x: !X, %w: !X, %v: !X) grid [1] attributes {tile.launch_invariant = array<i64: 1, 2>, tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !R
  %b = tile_gpu.alloc : !R
  %g = tile_gpu.alloc : !R
  %words = tile_gpu.alloc : !tile_gpu.shared<8xi64>
  %wm = tile_gpu.tensor_map %w : !X -> !M
  %vm = tile_gpu.tensor_map %v : !X -> !M
  %xm = tile_gpu.tensor_map %x : !X -> !M
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<8xi64> -> !tile_gpu.pipe<4>
  tile_gpu.roles producer {
    %c = tile_gpu.cursor : !C
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c25 = arith.constant 25 : index
    %c150 = arith.constant 150 : index
    %first = tile_gpu.worker
    %workers = tile_gpu.num_workers
    %end = scf.for %t = %first to %c150 step %workers iter_args(%p = %c) -> (!C) {
      %m = arith.remui %t, %c25 : index
      %last = scf.for %k = %c0 to %c25 step %c1 iter_args(%q = %p) -> (!C) {
        tile_gpu.acquire %pipe[%q] bytes 24576 : !tile_gpu.pipe<4>
        %to = tile_gpu.slot %a[%q] : !R
        tile_gpu.tma_load %xm[%m, %k] to %to on %pipe[%q] : !M, !S, !tile_gpu.pipe<4>
        %tob = tile_gpu.slot %b[%q] : !R
        tile_gpu.tma_load %wm[%m, %k] to %tob on %pipe[%q] : !M, !S, !tile_gpu.pipe<4>
        %tog = tile_gpu.slot %g[%q] : !R
        tile_gpu.tma_load %vm[%m, %k] to %tog on %pipe[%q] : !M, !S, !tile_gpu.pipe<4>
        %n = tile_gpu.advance %q : !C
        scf.yield %n : !C
      }
      scf.yield %last : !C
    }
  } consumer {
  }
}

// Blocks of a cluster need several multiprocessors at a time: the next launch starts when all copies are issued.
// CHECK-LABEL: @cluster
// CHECK:       producer {
// CHECK:         scf.if
// CHECK:         tile_gpu.await_launch
// CHECK:         tile_gpu.release_launch
// CHECK-NEXT:  } consumer
tile.kernel @cluster(%x: !X, %w: !X) grid [1] attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true, parts = 2>} {
  %a = tile_gpu.alloc : !RX
  %b = tile_gpu.alloc : !R
  %words = tile_gpu.alloc : !tile_gpu.shared<8xi64>
  %wm = tile_gpu.tensor_map %w : !X -> !M
  %xm = tile_gpu.tensor_map %x : !X -> !MX
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<8xi64> -> !tile_gpu.pipe<4>
  tile_gpu.roles producer {
    %c = tile_gpu.cursor : !C
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c25 = arith.constant 25 : index
    %c150 = arith.constant 150 : index
    %first = tile_gpu.worker
    %workers = tile_gpu.num_workers
    %end = scf.for %t = %first to %c150 step %workers iter_args(%p = %c) -> (!C) {
      %m = arith.remui %t, %c25 : index
      %last = scf.for %k = %c0 to %c25 step %c1 iter_args(%q = %p) -> (!C) {
        tile_gpu.acquire %pipe[%q] bytes 12288 : !tile_gpu.pipe<4>
        %to = tile_gpu.slot %a[%q] : !RX
        tile_gpu.tma_load %xm[%m, %k] to %to on %pipe[%q] : !MX, !SX, !tile_gpu.pipe<4>
        %tob = tile_gpu.slot %b[%q] : !R
        tile_gpu.tma_load %wm[%m, %k] to %tob on %pipe[%q] : !M, !S, !tile_gpu.pipe<4>
        %n = tile_gpu.advance %q : !C
        scf.yield %n : !C
      }
      scf.yield %last : !C
    }
  } consumer {
  }
}

// Launches compute both operands.
// CHECK-LABEL: @no_weights
// CHECK:         tile_gpu.num_workers
// CHECK-NEXT:    tile_gpu.await_launch
// CHECK-NOT:     scf.if
tile.kernel @no_weights(%x: !X, %w: !X) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !RX
  %b = tile_gpu.alloc : !R
  %words = tile_gpu.alloc : !tile_gpu.shared<8xi64>
  %wm = tile_gpu.tensor_map %w : !X -> !M
  %xm = tile_gpu.tensor_map %x : !X -> !MX
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<8xi64> -> !tile_gpu.pipe<4>
  tile_gpu.roles producer {
    %c = tile_gpu.cursor : !C
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c25 = arith.constant 25 : index
    %first = tile_gpu.worker
    %workers = tile_gpu.num_workers
    %last = scf.for %k = %c0 to %c25 step %c1 iter_args(%q = %c) -> (!C) {
      tile_gpu.acquire %pipe[%q] bytes 12288 : !tile_gpu.pipe<4>
      %to = tile_gpu.slot %a[%q] : !RX
      tile_gpu.tma_load %xm[%c0, %k] to %to on %pipe[%q] : !MX, !SX, !tile_gpu.pipe<4>
      %tob = tile_gpu.slot %b[%q] : !R
      tile_gpu.tma_load %wm[%c0, %k] to %tob on %pipe[%q] : !M, !S, !tile_gpu.pipe<4>
      %n = tile_gpu.advance %q : !C
      scf.yield %n : !C
    }
  } consumer {
  }
}

// The weights have a ring of their own: the loop fills two.
// CHECK-LABEL: @two_rings
// CHECK:         tile_gpu.num_workers
// CHECK-NEXT:    tile_gpu.await_launch
// CHECK-NOT:     scf.if
tile.kernel @two_rings(%x: !X, %w: !X) grid [1] attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc : !RX
  %b = tile_gpu.alloc : !R
  %words = tile_gpu.alloc : !tile_gpu.shared<8xi64>
  %others = tile_gpu.alloc : !tile_gpu.shared<8xi64>
  %wm = tile_gpu.tensor_map %w : !X -> !M
  %xm = tile_gpu.tensor_map %x : !X -> !MX
  %pipe = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<8xi64> -> !tile_gpu.pipe<4>
  %other = tile_gpu.pipe %others readers 4 : !tile_gpu.shared<8xi64> -> !tile_gpu.pipe<4>
  tile_gpu.roles producer {
    %c = tile_gpu.cursor : !C
    %d = tile_gpu.cursor : !C
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c25 = arith.constant 25 : index
    %first = tile_gpu.worker
    %workers = tile_gpu.num_workers
    %last:2 = scf.for %k = %c0 to %c25 step %c1 iter_args(%q = %c, %r = %d) -> (!C, !C) {
      tile_gpu.acquire %pipe[%q] bytes 8192 : !tile_gpu.pipe<4>
      %to = tile_gpu.slot %a[%q] : !RX
      tile_gpu.tma_load %xm[%c0, %k] to %to on %pipe[%q] : !MX, !SX, !tile_gpu.pipe<4>
      %n = tile_gpu.advance %q : !C
      tile_gpu.acquire %other[%r] bytes 8192 : !tile_gpu.pipe<4>
      %tob = tile_gpu.slot %b[%r] : !R
      tile_gpu.tma_load %wm[%c0, %k] to %tob on %other[%r] : !M, !S, !tile_gpu.pipe<4>
      %o = tile_gpu.advance %r : !C
      scf.yield %n, %o : !C, !C
    }
  } consumer {
  }
}
