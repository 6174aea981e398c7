// RUN: tilegpt-opt %s --tile-gpu-order-memory | FileCheck %s

#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:4*128]>
#o = #tile_gpu.layout<registers = [d0:4*128], lanes = [d0:32*1], warps = [d0:4*32]>
#r = #tile_gpu.layout<registers = [d0:16*1], lanes = [d0:32*16], warps = [rep:4]>
!V = !tile.view<?xf32>

// Another tile of the same argument.
// CHECK-LABEL: @read_what_others_wrote
// CHECK:         tile.store
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile.load
// CHECK-NOT:     tile_gpu.barrier
tile.kernel @read_what_others_wrote(%x: !V) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0] [512] : !V -> tensor<512xf32, #l>
  tile.store %t, %y[%c0] : tensor<512xf32, #l>, !V
  %u = tile.load %y[%c1] [512] : !V -> tensor<512xf32, #l>
  tile.store %u, %z[%c0] : tensor<512xf32, #l>, !V
}

// A thread sees its own writes, and may overwrite what it read itself.
// CHECK-LABEL: @same_threads
// CHECK-NOT:     tile_gpu.barrier
tile.kernel @same_threads() outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %y[%c0] [512] : !V -> tensor<512xf32, #l>
  %s = arith.addf %t, %t : tensor<512xf32, #l>
  tile.store %s, %y[%c0] : tensor<512xf32, #l>, !V
  %u = tile.load %y[%c0] [512] : !V -> tensor<512xf32, #l>
  %v = arith.addf %u, %u : tensor<512xf32, #l>
  tile.store %v, %y[%c0] : tensor<512xf32, #l>, !V
}

// Another layout, and replicated elements that one thread stores: other threads.
// CHECK-LABEL: @other_threads
// CHECK:         tile.store
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile.load
// CHECK:         tile.store
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile.load
// CHECK-NOT:     tile_gpu.barrier
tile.kernel @other_threads(%x: !V) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [512] : !V -> tensor<512xf32, #l>
  tile.store %t, %y[%c0] : tensor<512xf32, #l>, !V
  %u = tile.load %y[%c0] [512] : !V -> tensor<512xf32, #o>
  %v = tile.load %x[%c0] [512] : !V -> tensor<512xf32, #r>
  tile.store %v, %z[%c0] : tensor<512xf32, #r>, !V
  %w = tile.load %z[%c0] [512] : !V -> tensor<512xf32, #r>
}

// Tiles indexed by the induction variable do not conflict across iterations, nor does one tile that stays with its
// threads.
// CHECK-LABEL: @iterations_apart
// CHECK-NOT:     tile_gpu.barrier
tile.kernel @iterations_apart(%x: !V) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 0 by [512] : !V
  scf.for %k = %c0 to %n step %c1 {
    %t = tile.load %x[%k] [512] : !V -> tensor<512xf32, #l>
    tile.store %t, %y[%k] : tensor<512xf32, #l>, !V
    %a = tile.load %z[%c0] [512] : !V -> tensor<512xf32, #l>
    %s = arith.addf %a, %t : tensor<512xf32, #l>
    tile.store %s, %z[%c0] : tensor<512xf32, #l>, !V
  }
}

// Each iteration reads what the previous one wrote, and then overwrites what others may still read.
// CHECK-LABEL: @iterations_meet
// CHECK:         scf.for
// CHECK-NEXT:      tile_gpu.barrier
// CHECK-NEXT:      tile.load
// CHECK-NEXT:      tile_gpu.barrier
// CHECK-NEXT:      tile.store
// CHECK-NEXT:    }
tile.kernel @iterations_meet(%n: index) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %t = tile.load %y[%k] [512] : !V -> tensor<512xf32, #l>
    tile.store %t, %y[%c0] : tensor<512xf32, #l>, !V
  }
}

// A loop's conflicts with earlier accesses take one barrier.
// CHECK-LABEL: @in_front_of_the_loop
// CHECK:         tile.store
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      tile.load
// CHECK-NOT:     tile_gpu.barrier
tile.kernel @in_front_of_the_loop(%x: !V, %n: index) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0] [512] : !V -> tensor<512xf32, #l>
  tile.store %t, %y[%c0] : tensor<512xf32, #l>, !V
  scf.for %k = %c0 to %n step %c1 {
    %u = tile.load %y[%k] [512] : !V -> tensor<512xf32, #l>
    tile.store %u, %z[%k] : tensor<512xf32, #l>, !V
  }
}

// A branch may or may not have written.
// CHECK-LABEL: @behind_a_branch
// CHECK:         scf.if
// CHECK:           tile.store
// CHECK-NEXT:    }
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile.load
tile.kernel @behind_a_branch(%x: !V, %p: i1) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0] [512] : !V -> tensor<512xf32, #l>
  scf.if %p {
    tile.store %t, %y[%c0] : tensor<512xf32, #l>, !V
  }
  %u = tile.load %y[%c1] [512] : !V -> tensor<512xf32, #l>
}

// A scatter may write anywhere.
// CHECK-LABEL: @scattered
// CHECK:         tile.scatter
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile.scatter
tile.kernel @scattered(%x: !V, %i: !tile.view<?xi32>) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [512] : !V -> tensor<512xf32, #l>
  %at = tile.load %i[%c0] [512] : !tile.view<?xi32> -> tensor<512xi32, #l>
  tile.scatter %t, %y[] at %at axis 0 : tensor<512xf32, #l>, !V, tensor<512xi32, #l>
  tile.scatter %t, %y[] at %at axis 0 : tensor<512xf32, #l>, !V, tensor<512xi32, #l>
}

// Adjacent windows do not overlap.
// CHECK-LABEL: @windows_apart
// CHECK:         tile.store
// CHECK-NEXT:    tile.load
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile.load
// CHECK-NOT:     tile_gpu.barrier
tile.kernel @windows_apart(%t0: !V) outs(%y: !V, %z: !V) grid [dim(%y, 0)] {
  %c0 = arith.constant 0 : index
  %p = tile.block_id 0
  %old = tile.subview %y[0] [%p] : !V -> !V
  %new = tile.subview %y[%p] [1] : !V -> !tile.view<1xf32>
  %t = tile.load %t0[%c0] [512] : !V -> tensor<512xf32, #l>
  tile.store %t, %new[%c0] : tensor<512xf32, #l>, !tile.view<1xf32>
  %u = tile.load %old[%c0] [512] : !V -> tensor<512xf32, #l>
  %v = tile.load %y[%c0] [512] : !V -> tensor<512xf32, #l>
  %s = arith.addf %u, %v : tensor<512xf32, #l>
  tile.store %s, %z[%c0] : tensor<512xf32, #l>, !V
}
