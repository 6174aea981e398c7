// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-specialize-roles --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:16*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*32], lanes = [d1:8*8, d0:4*1], warps = [d0:8*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 5, producer = true>
!X = !tile.view<?x768xbf16>
!W = !tile.view<2304x768xbf16>
!Y = !tile.view<?x2304xf32>

// Rings of five stages, two barriers each; eight warps read a stage.
// CHECK-LABEL: tile.kernel @linear(
// CHECK-SAME:    %[[X:.*]]: !tile.view<?x768xbf16>, %[[W:.*]]: !tile.view<2304x768xbf16>)
// CHECK-DAG:   %[[MX:.*]] = tile_gpu.tensor_map %[[X]] {{.*}} -> !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
// CHECK-DAG:   %[[MW:.*]] = tile_gpu.tensor_map %[[W]] {{.*}} -> !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
// CHECK:       %[[P:.*]] = tile_gpu.pipe %{{.*}} readers 8 : !tile_gpu.shared<10xi64> -> !tile_gpu.pipe<5>

// The producer runs its own copy of the loops, and announces both tiles of a stage before it copies them.
// CHECK:       tile_gpu.roles registers [24, 240] producer {
// CHECK:         scf.for %[[K:.*]] = %c0 to %c12 step %c1 iter_args(%[[C:.*]] = %{{.*}}) -> (!tile_gpu.cursor<5>) {
// CHECK:           %[[N:.*]] = arith.muli %{{.*}}, %c128
// CHECK:           %[[KE:.*]] = arith.muli %[[K]], %c64
// CHECK:           tile_gpu.acquire %[[P]][%[[C]]] bytes 32768
// CHECK:           tile_gpu.tma_load %[[MW]][%[[N]], %[[KE]]] to %{{.*}} on %[[P]][%[[C]]]
// CHECK:           tile_gpu.tma_load %[[MX]][%{{.*}}, %[[KE]]] to %{{.*}} on %[[P]][%[[C]]]
// CHECK:           %[[NEXT:.*]] = tile_gpu.advance %[[C]]
// CHECK:           scf.yield %[[NEXT]]

// Consumers start with a dot that overwrites; then one dot is in flight while the next stage is awaited, and the
// previous stage is released.
// CHECK:       } consumer {
// CHECK:         %[[FIRST:.*]] = tile_gpu.cursor
// CHECK:         tile_gpu.await %[[P]][%[[FIRST]]]
// CHECK:         %[[D0:.*]] = tile_gpu.async_dot %{{.*}}, %{{.*}} :
// CHECK:         %[[R:.*]]:3 = scf.for %{{.*}} = %c1 to %c12 step %c1 iter_args(%[[ACC:.*]] = %[[D0]], %[[NOW:.*]] = %{{.*}}, %[[BEFORE:.*]] = %[[FIRST]])
// CHECK:           tile_gpu.await %[[P]][%[[NOW]]]
// CHECK:           %[[D:.*]] = tile_gpu.async_dot %{{.*}}, %{{.*}} onto %[[ACC]]
// CHECK-NEXT:      tile_gpu.limit_dots 1
// CHECK-NEXT:      tile_gpu.release %[[P]][%[[BEFORE]]]
// CHECK:           scf.yield %[[D]], %{{.*}}, %[[NOW]]
// CHECK:         %[[SUM:.*]] = tile_gpu.finish_dot %[[R]]#0
// CHECK-NEXT:    tile_gpu.release %[[P]][%[[R]]#2]
// CHECK-NEXT:    tile.store %[[SUM]]
tile.kernel @linear(%x: !X, %w: !W) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 18]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %init = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %sum = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init) -> (tensor<128x128xf32, #acc>) {
    %xt = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16, #in>
    %wt = tile.load %w[%n, %k] [128, 64] : !W -> tensor<128x64xbf16, #in>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<128x64xbf16, #in>, tensor<128x64xbf16, #in>,
        tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
    scf.yield %next : tensor<128x128xf32, #acc>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x128xf32, #acc>, !Y
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>
!X = !tile.view<?x768xf16>

// Outer loops carry cursors. A loop that may have no iterations is guarded, and its initial accumulator kept. A single
// warp group needs no registers from the producer.
// CHECK-LABEL: tile.kernel @loops(
// CHECK:       tile_gpu.roles producer {
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (!tile_gpu.cursor<3>)
// CHECK:           %[[B:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[A]]) -> (!tile_gpu.cursor<3>)
// CHECK:           scf.yield %[[B]]
// CHECK:       } consumer {
// CHECK:         scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}}) -> (!tile_gpu.cursor<3>)
// CHECK:           %[[RUNS:.*]] = arith.cmpi sgt, %{{.*}}, %c0 : index
// CHECK:           %[[R:.*]]:2 = scf.if %[[RUNS]]
// CHECK:             tile_gpu.async_dot %{{.*}}, %{{.*}} onto %[[INIT:.*]] : tensor<64x64xf32
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[INIT]], %[[C]]
// CHECK:           scf.yield %[[R]]#1
tile.kernel @loops(%x: !X, %tiles: index, %steps: index, %s: f32) outs(%y: !tile.view<?x64xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tile.splat %s [64, 64] : f32 -> tensor<64x64xf32, #acc>
  scf.for %m = %c0 to %tiles step %c1 {
    %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
      %a = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xf16, #in>
      %b = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xf16, #in>
      %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xf16, #in>, tensor<64x64xf16, #in>,
          tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      scf.yield %next : tensor<64x64xf32, #acc>
    }
    tile.store %sum, %y[%m, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>
!X = !tile.view<?x768xf16>

// The producer computes loop-invariant load indices before the loop, too.
// CHECK-LABEL: tile.kernel @quotient(
// CHECK:       tile_gpu.roles producer {
// CHECK:         scf.for %[[T:.*]] = %c0 to %{{.*}} step %c1
// CHECK:           %[[Q:.*]] = arith.divui %[[T]], %{{.*}} : index
// CHECK:           scf.for
// CHECK-NOT:         arith.divui
// CHECK:             arith.muli %[[Q]], %c64
// CHECK:       } consumer {
tile.kernel @quotient(%x: !X, %tiles: index, %height: index) outs(%y: !tile.view<?x64xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.for %t = %c0 to %tiles step %c1 {
    %m = arith.divui %t, %height : index
    %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %sum = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
      %a = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xf16, #in>
      %b = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xf16, #in>
      %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xf16, #in>, tensor<64x64xf16, #in>,
          tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      scf.yield %next : tensor<64x64xf32, #acc>
    }
    tile.store %sum, %y[%m, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>

// A loaded index selects the matrix: the producer loads it itself, before its loop.
// CHECK-LABEL: tile.kernel @chosen(
// CHECK-SAME:    %[[CHOICE:[^:]*]]: !tile.view<?xi32>
// CHECK:       producer {
// CHECK:         %[[T:.*]] = tile.load %[[CHOICE]]
// CHECK:         %[[I:.*]] = tensor.extract %[[T]]
// CHECK:         %[[E:.*]] = arith.index_cast %[[I]]
// CHECK:         scf.for
// CHECK:           tile_gpu.tma_load %{{.*}}[%[[E]], %c0, %{{.*}}]
// CHECK:       } consumer {
tile.kernel @chosen(%x: !tile.view<?x576xf16>, %w: !tile.view<8x64x576xf16>, %choice: !tile.view<?xi32>)
    outs(%y: !tile.view<?x64xf32>, %last: !tile.view<1xi32>) grid [ceildiv(dim(%x, 0), 64)]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %et = tile.load %choice[%m] [1] : !tile.view<?xi32> -> tensor<1xi32, #one>
  %ei = tensor.extract %et[%c0] : tensor<1xi32, #one>
  %e = arith.index_cast %ei : i32 to index
  %own = tile.select %w[%e] : !tile.view<8x64x576xf16> -> !tile.view<64x576xf16>
  %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
    %xt = tile.load %x[%m, %k] [64, 64] : !tile.view<?x576xf16> -> tensor<64x64xf16, #in>
    %wt = tile.load %own[%c0, %k] [64, 64] : !tile.view<64x576xf16> -> tensor<64x64xf16, #in>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xf16, #in>, tensor<64x64xf16, #in>,
        tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    scf.yield %next : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
// Data that the kernel writes may not be available yet.
// expected-error @below {{has a plan with a producer, but no main loop: the index of a tile depends on more than sizes and single elements of inputs}}
tile.kernel @chosen_by_output(%x: !tile.view<?x576xf16>, %w: !tile.view<8x64x576xf16>, %choice: !tile.view<?xi32>)
    outs(%y: !tile.view<?x64xf32>, %last: !tile.view<1xi32>) grid [ceildiv(dim(%x, 0), 64)]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %et = tile.load %last[%c0] [1] : !tile.view<1xi32> -> tensor<1xi32, #one>
  %ei = tensor.extract %et[%c0] : tensor<1xi32, #one>
  %e = arith.index_cast %ei : i32 to index
  %own = tile.select %w[%e] : !tile.view<8x64x576xf16> -> !tile.view<64x576xf16>
  %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
    %xt = tile.load %x[%m, %k] [64, 64] : !tile.view<?x576xf16> -> tensor<64x64xf16, #in>
    // expected-note @below {{here}}
    %wt = tile.load %own[%c0, %k] [64, 64] : !tile.view<64x576xf16> -> tensor<64x64xf16, #in>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xf16, #in>, tensor<64x64xf16, #in>,
        tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    scf.yield %next : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
!X = !tile.view<?x767xf16>
// expected-error @below {{has a plan with a producer, but no main loop: rows of a view are not known to start at multiples of 16 bytes}}
tile.kernel @odd_rows(%x: !X) outs(%y: !tile.view<?x64xf32>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
    %a = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xf16, #in>
    // expected-note @below {{here}}
    %b = tile.load %x[%c1, %k] [64, 64] : !X -> tensor<64x64xf16, #in>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xf16, #in>, tensor<64x64xf16, #in>,
        tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    scf.yield %next : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#one = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true>
#two = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true, blocks = 2>
!X = !tile.view<?x768xbf16>

// Threads of one warp group have all registers that an instruction can address, unless two blocks share a multiprocessor.
// CHECK-LABEL: tile.kernel @one_group(
// CHECK:       tile_gpu.roles producer {
// CHECK-LABEL: tile.kernel @two_blocks(
// CHECK:       tile_gpu.roles registers [24, 232] producer {
tile.kernel @one_group(%x: !X) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y, 0), 64)] attributes {tile_gpu.plan = #one} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %sum = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
    %t = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xbf16, #in>
    %next = tile.dot %t, %t, %acc transpose_b : tensor<64x64xbf16, #in>, tensor<64x64xbf16, #in>,
        tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    scf.yield %next : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
}
tile.kernel @two_blocks(%x: !X) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y, 0), 64)] attributes {tile_gpu.plan = #two} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %sum = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
    %t = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xbf16, #in>
    %next = tile.dot %t, %t, %acc transpose_b : tensor<64x64xbf16, #in>, tensor<64x64xbf16, #in>,
        tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    scf.yield %next : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
}

// -----

// expected-error @below {{has a plan with a producer, but no main loop: it has no loop with a dot}}
tile.kernel @no_loop() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>} {
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:16*8, d0:2*64], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:8*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 5, producer = true, persistent = true, teams = 2>
!X = !tile.view<?x768xbf16>

// The four warps of one team read a stage. Tile n of a block belongs to team n mod 2; its ring position follows from
// its number. A turn is taken before the first wait and passed once the last dot is issued.
// CHECK-LABEL: tile.kernel @teams(
// CHECK:       tile_gpu.pipe %{{.*}} readers 4
// CHECK:       tile_gpu.init_turns %[[T:.*]] : !tile_gpu.shared<2xi64>
// CHECK:       tile_gpu.roles registers [24, 240] producer {
// CHECK:         scf.for %{{.*}} = %[[FROM:.*]] to %[[TO:.*]] step %[[STEP:.*]] iter_args
// CHECK:       } consumer {
// CHECK:         %[[TEAM:.*]] = tile_gpu.team
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[NUMBER:.*]] = %[[TEAM]]) -> (index) {
// CHECK:           tile_gpu.take_turn %[[T]][%[[NUMBER]]]
// CHECK:           %[[POSITION:.*]] = arith.muli %[[NUMBER]], %c12
// CHECK:           %[[C:.*]] = tile_gpu.cursor at %[[POSITION]]
// CHECK:           tile_gpu.await %{{.*}}[%[[C]]]
// CHECK:           scf.for
// CHECK:           tile_gpu.pass_turn %[[T]]
// CHECK-NEXT:      tile_gpu.finish_dot
// CHECK:           %[[NEXT:.*]] = arith.addi %[[NUMBER]], %c2
// CHECK:           scf.yield %[[NEXT]]
tile.kernel @teams(%x: !X, %tiles: index) outs(%y: !tile.view<?x128xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %init = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %first = tile_gpu.worker
  %step = tile_gpu.num_workers
  scf.for %m = %first to %tiles step %step {
    %sum = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init) -> (tensor<128x128xf32, #acc>) {
      %a = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16, #in>
      %b = tile.load %x[%c0, %k] [128, 64] : !X -> tensor<128x64xbf16, #in>
      %next = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16, #in>, tensor<128x64xbf16, #in>,
          tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
      scf.yield %next : tensor<128x128xf32, #acc>
    }
    tile.store %sum, %y[%m, %c0] : tensor<128x128xf32, #acc>, !tile.view<?x128xf32>
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:16*8, d0:2*64], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:8*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 5, producer = true, persistent = true, teams = 2>
!X = !tile.view<?x768xbf16>

// Threads also compute with the left tile, which is released at another time than the right one: each has a ring, at the
// same position.
// CHECK-LABEL: tile.kernel @teams_of_two_rings(
// CHECK:       %[[A:.*]] = tile_gpu.pipe
// CHECK:       %[[B:.*]] = tile_gpu.pipe
// CHECK:         %[[TEAM:.*]] = tile_gpu.team
// CHECK:         scf.for %{{.*}} iter_args(%[[NUMBER:.*]] = %[[TEAM]]) -> (index) {
// CHECK:           %[[POSITION:.*]] = arith.muli %[[NUMBER]], %c12
// CHECK:           %[[C:.*]] = tile_gpu.cursor at %[[POSITION]]
// CHECK-DAG:       tile_gpu.await %[[A]][%[[C]]]
// CHECK-DAG:       tile_gpu.await %[[B]][%[[C]]]
tile.kernel @teams_of_two_rings(%x: !X, %tiles: index) outs(%y: !tile.view<?x128xf32>, %z: !tile.view<?x64xbf16>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %init = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %none = arith.constant dense<0.0> : tensor<128x64xbf16, #in>
  %first = tile_gpu.worker
  %step = tile_gpu.num_workers
  scf.for %m = %first to %tiles step %step {
    %sum, %most = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init, %max = %none) -> (tensor<128x128xf32, #acc>, tensor<128x64xbf16, #in>) {
      %a = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16, #in>
      %b = tile.load %x[%c0, %k] [128, 64] : !X -> tensor<128x64xbf16, #in>
      %next = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16, #in>, tensor<128x64xbf16, #in>,
          tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
      %larger = arith.maximumf %max, %a : tensor<128x64xbf16, #in>
      scf.yield %next, %larger : tensor<128x128xf32, #acc>, tensor<128x64xbf16, #in>
    }
    tile.store %sum, %y[%m, %c0] : tensor<128x128xf32, #acc>, !tile.view<?x128xf32>
    tile.store %most, %z[%m, %c0] : tensor<128x64xbf16, #in>, !tile.view<?x64xbf16>
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
!X = !tile.view<?x768xf16>
// expected-error @below {{has a plan with two teams; expected one loop with dots, which runs at least once, inside one loop over tiles}}
tile.kernel @one_tile(%x: !X) outs(%y: !tile.view<?x64xf32>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true,
                                               persistent = true, teams = 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
    %a = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xf16, #in>
    %b = tile.load %x[%c1, %k] [64, 64] : !X -> tensor<64x64xf16, #in>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xf16, #in>, tensor<64x64xf16, #in>,
        tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    scf.yield %next : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#share = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
!X = !tile.view<64x768xbf16>

// Mailboxes for other blocks are allocated before anything else.
// CHECK-LABEL: tile.kernel @parts(
// CHECK:       tile_gpu.init_mailbox %[[M:.*]] : !tile_gpu.shared<514xi64>
// CHECK:       tile_gpu.roles producer {
// CHECK:       } consumer {
// CHECK:         %[[WIDE:.*]] = tile_gpu.finish_dot
// CHECK:         tile_gpu.sum_parts %[[WIDE]] part %{{.*}} through %[[M]]
tile.kernel @parts(%x: !X) outs(%y: !tile.view<64x32xf32>) grid [1, 2]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, parts = 2>} {
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %init = arith.constant dense<0.0> : tensor<64x32xf32, #acc>
  %wide = scf.for %k = %c0 to %c6 step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32, #acc>) {
    %a = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xbf16, #in>
    %b = tile.load %x[%c0, %k] [32, 64] : !X -> tensor<32x64xbf16, #in>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16, #in>, tensor<32x64xbf16, #in>,
        tensor<64x32xf32, #acc> -> tensor<64x32xf32, #acc>
    scf.yield %next : tensor<64x32xf32, #acc>
  }
  %sum = tile_gpu.sum_parts %wide part %n : tensor<64x32xf32, #acc> -> tensor<64x16xf32, #share>
  tile.store %sum, %y[%c0, %n] : tensor<64x16xf32, #share>, !tile.view<64x32xf32>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:16*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#in = #tile_gpu.layout<registers = [d1:16*1, d0:4*32], lanes = [d1:8*16, d0:4*1], warps = [d0:8*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 5, producer = true>
!X = !tile.view<?x768xf8E4M3FN>

// f8 dots would truncate their accumulator: each is waited for and added in f32, starting with the first iteration.
// CHECK-LABEL: tile.kernel @f8(
// CHECK:       %[[ZERO:.*]] = arith.constant dense<0.0
// CHECK:       } consumer {
// CHECK:         %[[R:.*]]:2 = scf.for %{{.*}} = %c0 to %c6 step %c1 iter_args(%[[ACC:.*]] = %[[ZERO]], %[[NOW:.*]] = %{{.*}})
// CHECK:           tile_gpu.await %[[P:.*]][%[[NOW]]]
// CHECK:           %[[D:.*]] = tile_gpu.async_dot %{{.*}}, %{{[^ ]*}} :
// CHECK-NEXT:      %[[PART:.*]] = tile_gpu.finish_dot %[[D]]
// CHECK-NEXT:      tile_gpu.release %[[P]][%[[NOW]]]
// CHECK-NEXT:      %[[NEXT:.*]] = tile_gpu.advance %[[NOW]]
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[ACC]], %[[PART]]
// CHECK-NEXT:      scf.yield %[[SUM]], %[[NEXT]]
// CHECK:         tile.store %[[R]]#0
tile.kernel @f8(%x: !X, %w: !X) outs(%y: !tile.view<?x?xf32>) grid [2, 2] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %init = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %sum = scf.for %k = %c0 to %c6 step %c1 iter_args(%acc = %init) -> (tensor<128x128xf32, #acc>) {
    %xt = tile.load %x[%m, %k] [128, 128] : !X -> tensor<128x128xf8E4M3FN, #in>
    %wt = tile.load %w[%n, %k] [128, 128] : !X -> tensor<128x128xf8E4M3FN, #in>
    %next = tile.dot %xt, %wt, %acc transpose_b precision(fast) : tensor<128x128xf8E4M3FN, #in>,
        tensor<128x128xf8E4M3FN, #in>, tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
    scf.yield %next : tensor<128x128xf32, #acc>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x128xf32, #acc>, !tile.view<?x?xf32>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:16*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*32], lanes = [d1:8*8, d0:4*1], warps = [d0:8*4]>
#shared = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 5, producer = true, persistent = true, multicast = 2>
!X = !tile.view<?x776xbf16>
!Y = !tile.view<?x2304xf32>

// Both blocks of a cluster use the same tile of %w: each copies half of its rows, for both. Barriers count the readers
// of both, and neither block exits before the other.
// CHECK-LABEL: tile.kernel @multicast(
// CHECK-SAME:    %[[X:.*]]: !tile.view<?x776xbf16>, %[[W:.*]]: !tile.view<?x776xbf16>)
// CHECK-DAG:   %[[MX:.*]] = tile_gpu.tensor_map %[[X]] {{.*}} -> !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
// CHECK-DAG:   %[[MW:.*]] = tile_gpu.tensor_map %[[W]] {{.*}} -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
// CHECK:       %[[P:.*]] = tile_gpu.pipe %{{.*}} readers 8 : !tile_gpu.shared<10xi64> -> !tile_gpu.pipe<5, blocks = 2>
// CHECK:           tile_gpu.acquire %[[P]][%[[C:.*]]] bytes 32768
// CHECK:           tile_gpu.tma_load %[[MW]][%{{.*}}, %{{.*}}] to %{{.*}} on %[[P]][%[[C]]] multicast along 0 :
// CHECK:           tile_gpu.tma_load %[[MX]][%{{.*}}, %{{.*}}] to %{{.*}} on %[[P]][%[[C]]] :
// CHECK:       } consumer {
// CHECK:         tile_gpu.release %[[P]]
// CHECK:         tile.store
// CHECK:       tile_gpu.arrive_cluster
// CHECK-NEXT:  tile_gpu.await_cluster
tile.kernel @multicast(%x: !X, %w: !X) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 18] attributes {tile_gpu.plan = #shared} {
  %m = tile_gpu.cluster_rank along 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %init = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %sum = scf.for %k = %c0 to %c13 step %c1 iter_args(%acc = %init) -> (tensor<128x128xf32, #acc>) {
    %xt = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16, #in>
    %wt = tile.load %w[%n, %k] [128, 64] : !X -> tensor<128x64xbf16, #in>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<128x64xbf16, #in>, tensor<128x64xbf16, #in>,
        tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
    scf.yield %next : tensor<128x128xf32, #acc>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x128xf32, #acc>, !Y
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:13*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:4*32], lanes = [d1:8*8, d0:4*1], warps = [d0:8*4]>
#right = #tile_gpu.layout<registers = [d1:8*1, d0:13*8], lanes = [d1:8*8, d0:4*1], warps = [d0:2*4, rep:4]>
#shared = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 5, producer = true, persistent = true, multicast = 4>
!X = !tile.view<?x776xbf16>
!Y = !tile.view<?x2288xf32>

// Four blocks copy 26 rows of %w each, though the swizzle pattern has eight.
// CHECK-LABEL: tile.kernel @quarters(
// CHECK-DAG:   %[[MW:.*]] = tile_gpu.tensor_map %{{.*}} -> !tile_gpu.tensor_map<26x64xbf16, swizzle = 128>
// CHECK:           tile_gpu.tma_load %[[MW]][%{{.*}}, %{{.*}}] to %{{.*}} multicast along 0 :
tile.kernel @quarters(%x: !X, %w: !X) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 22] attributes {tile_gpu.plan = #shared} {
  %m = tile_gpu.cluster_rank along 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %init = arith.constant dense<0.0> : tensor<128x104xf32, #acc>
  %sum = scf.for %k = %c0 to %c13 step %c1 iter_args(%acc = %init) -> (tensor<128x104xf32, #acc>) {
    %xt = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16, #in>
    %wt = tile.load %w[%n, %k] [104, 64] : !X -> tensor<104x64xbf16, #right>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<128x64xbf16, #in>, tensor<104x64xbf16, #right>,
        tensor<128x104xf32, #acc> -> tensor<128x104xf32, #acc>
    scf.yield %next : tensor<128x104xf32, #acc>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x104xf32, #acc>, !Y
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:8*1], lanes = [d0:32*1], warps = [d0:2*32, rep:2]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>
!X = !tile.view<?x128xbf16>

// A step of half an instruction: the next tile's columns follow and must not be counted twice.
// CHECK-LABEL: tile.kernel @narrow_steps(
// CHECK:       } consumer {
// CHECK:         tile_gpu.await
// CHECK-COUNT-2: tile_gpu.clear_columns %{{.*}} from 8
// CHECK:         tile_gpu.async_dot
// CHECK:         scf.for
// CHECK-COUNT-2: tile_gpu.clear_columns %{{.*}} from 8
// CHECK:           tile_gpu.async_dot
tile.kernel @narrow_steps(%x: !X, %w: !X) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y, 0), 64)]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
    %xt = tile.load %x[%m, %k] [64, 8] : !X -> tensor<64x8xbf16, #in>
    %wt = tile.load %w[%c0, %k] [64, 8] : !X -> tensor<64x8xbf16, #in>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<64x8xbf16, #in>, tensor<64x8xbf16, #in>,
        tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    scf.yield %next : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#in = #tile_gpu.layout<registers = [d1:32*1], lanes = [d0:32*1], warps = [d0:2*32, rep:2]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true>
!X = !tile.view<?x24xbf16>

// A tile of all columns needs no clearing: TMA reads zeros past them.
// CHECK-LABEL: tile.kernel @whole_rows(
// CHECK-NOT:     tile_gpu.clear_columns
// CHECK:         tile_gpu.async_dot
tile.kernel @whole_rows(%x: !X, %w: !X) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y, 0), 64)]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %init = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32, #acc>) {
    %xt = tile.load %x[%k, %c0] [64, 24] : !X -> tensor<64x24xbf16, #in>
    %wt = tile.load %w[%k, %c0] [64, 24] : !X -> tensor<64x24xbf16, #in>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<64x24xbf16, #in>, tensor<64x24xbf16, #in>,
        tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    scf.yield %next : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32, #acc>, !tile.view<?x64xf32>
}
