// RUN: tilegpt-opt %s --tile-gpu-prefetch-loads --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// The next iteration's tile is loaded before this one's is summed.
// CHECK-LABEL: @sum
// CHECK:       %[[FIRST:.*]] = tile.load %[[X:.*]][%[[ZERO:.*]]] [64]
// CHECK:       scf.for %[[K:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[TILE:.*]] = %[[FIRST]])
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[K]], %{{.*}}
// CHECK-NEXT:    %[[AHEAD:.*]] = tile.load %[[X]][%[[NEXT]]] [64]
// CHECK-NEXT:    %[[MORE:.*]] = arith.addf %[[SUM]], %[[TILE]]
// CHECK-NEXT:    scf.yield %[[MORE]], %[[AHEAD]]
tile.kernel @sum(%x: !tile.view<?xf32>) outs(%y: !tile.view<64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %n = tile.num_tiles %x, 0 by [64] : !tile.view<?xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) {
    %t = tile.load %x[%k] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %r = arith.addf %acc, %t : tensor<64xf32>
    scf.yield %r : tensor<64xf32>
  }
  tile.store %s, %y[%c0] : tensor<64xf32>, !tile.view<64xf32>
}

// Several small tiles are in flight in a loop that stores; the store is to another tensor. The loop is unrolled, so that each
// iteration loads into the registers that it has read.
// CHECK-LABEL: @recurrence
// CHECK-COUNT-8: tile.load %{{.*}}[%{{.*}}, %{{.*}}] [1, 64]
// CHECK:       %[[EIGHT:.*]] = arith.constant 8
// CHECK:       scf.for %[[K:.*]] = {{.*}} iter_args(%[[STATE:[^ ]*]] = %{{[^,]*}}, %[[TILE:[^ ]*]] = %
// CHECK-NEXT:    %[[MORE:.*]] = math.fma %[[STATE]], %{{.*}}, %[[TILE]]
// CHECK-NEXT:    tile.store %[[MORE]]
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[K]], %[[EIGHT]]
// CHECK-NEXT:    %[[AHEAD:.*]] = tile.load %{{.*}}[%[[NEXT]], %{{.*}}] [1, 64]
// CHECK:         math.fma %[[MORE]]
// CHECK-COUNT-6: math.fma
// CHECK:         scf.yield %{{.*}}, %[[AHEAD]],
// The remaining iterations, one by one.
// CHECK:       scf.for
// CHECK-COUNT-1: math.fma
// CHECK-NOT:   math.fma
// CHECK:         scf.yield
tile.kernel @recurrence(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<1x64xf32>
  %half = arith.constant dense<0.5> : tensor<1x64xf32>
  %n = tile.dim %x, 0 : !tile.view<?x?xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%h = %zero) -> (tensor<1x64xf32>) {
    %t = tile.load %x[%k, %c0] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %r = math.fma %h, %half, %t : tensor<1x64xf32>
    tile.store %r, %y[%k, %c0] : tensor<1x64xf32>, !tile.view<?x?xf32>
    scf.yield %r : tensor<1x64xf32>
  }
}

// A tile whose only use is a reshape is carried in that shape.
// CHECK-LABEL: @parts
// CHECK:       scf.for {{.*}} -> (tensor<8xf32>, tensor<8x8xf32>)
// CHECK:         tile.load
// CHECK-NEXT:    tile.reshape
// CHECK:         tile.reduce
tile.kernel @parts(%x: !tile.view<?xf32>) outs(%y: !tile.view<8xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %n = tile.num_tiles %x, 0 by [64] : !tile.view<?xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8xf32>) {
    %t = tile.load %x[%k] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %p = tile.reshape %t [8, 8] : tensor<64xf32> -> tensor<8x8xf32>
    %q = tile.reduce add %p axis 1 : tensor<8x8xf32> -> tensor<8xf32>
    %r = arith.addf %acc, %q : tensor<8xf32>
    scf.yield %r : tensor<8xf32>
  }
  tile.store %s, %y[%c0] : tensor<8xf32>, !tile.view<8xf32>
}

// A store in the loop may write what a prefetch would read.
// CHECK-LABEL: @in_place
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
// CHECK-NEXT:    tile.load
// CHECK:         tile.store
tile.kernel @in_place() outs(%y: !tile.view<?xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %y, 0 by [64] : !tile.view<?xf32>
  scf.for %k = %c0 to %n step %c1 {
    %t = tile.load %y[%k] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %r = arith.addf %t, %t : tensor<64xf32>
    tile.store %r, %y[%k] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// A ring of copies feeds the loop, except for rows that are no whole 16-byte units.
// CHECK-LABEL: @copied
// CHECK-NOT:   tile.load
// CHECK:       tile.load {{.*}} [8, 65]
// CHECK:       scf.for
// CHECK:         tile.load {{.*}} [8, 65]
// CHECK:         tile.load {{.*}} [8, 64]
tile.kernel @copied(%x: !tile.view<?x64xf32>, %w: !tile.view<?x65xf32>) outs(%y: !tile.view<8x1xf32>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x1xf32>
  %n = tile.num_tiles %x, 0 by [8] : !tile.view<?x64xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x1xf32>) {
    %t = tile.load %x[%k, %c0] [8, 64] : !tile.view<?x64xf32> -> tensor<8x64xf32>
    %u = tile.load %w[%k, %c0] [8, 65] : !tile.view<?x65xf32> -> tensor<8x65xf32>
    %q = tile.reduce add %t axis 1 keepdims : tensor<8x64xf32> -> tensor<8x1xf32>
    %p = tile.reduce add %u axis 1 keepdims : tensor<8x65xf32> -> tensor<8x1xf32>
    %r = arith.addf %acc, %q : tensor<8x1xf32>
    %v = arith.addf %r, %p : tensor<8x1xf32>
    scf.yield %v : tensor<8x1xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<8x1xf32>, !tile.view<8x1xf32>
}

// Gathered operands of a dot are prefetched through registers; copies load the others.
// CHECK-LABEL: @gathered
// CHECK:       %[[FIRST:.*]] = tile.gather %[[X:.*]][%{{.*}}] at %[[ROWS:.*]] axis 0 [64, 64]
// CHECK:       scf.for %[[K:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[TILE:.*]] = %[[FIRST]])
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[K]], %{{.*}}
// CHECK-NEXT:    %[[AHEAD:.*]] = tile.gather %[[X]][%[[NEXT]]] at %[[ROWS]] axis 0 [64, 64]
// CHECK-NEXT:    %[[W:.*]] = tile.load %{{.*}}[%[[K]], %{{.*}}] [64, 64]
// CHECK-NEXT:    %[[MORE:.*]] = tile.dot %[[TILE]], %[[W]], %[[SUM]]
// CHECK-NEXT:    scf.yield %[[MORE]], %[[AHEAD]]
tile.kernel @gathered(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x64xbf16>, %rows: !tile.view<64xi32>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.load %rows[%c0] [64] : !tile.view<64xi32> -> tensor<64xi32>
  %n = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xbf16>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a = tile.gather %x[%k] at %r axis 0 [64, 64] : !tile.view<?x?xbf16>, tensor<64xi32> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// Pages of a cache are gathered an iteration ahead, and the entries of the table that name them another one earlier.
// CHECK-LABEL: @gathered_pages
// CHECK:       %[[P0:.*]] = tile.load %[[TABLE:.*]][%{{.*}}] [4] pad(minus_one)
// CHECK:       %[[G0:.*]] = tile.gather %[[X:.*]][%{{.*}}, %{{.*}}] at %[[P0]] axis 0 [4, 16, 64]
// CHECK:       %[[FIRST:.*]] = tile.reshape %[[G0]] [64, 64]
// CHECK:       %[[P1:.*]] = tile.load %[[TABLE]][%{{.*}}] [4] pad(minus_one)
// CHECK:       scf.for %[[K:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[TILE:.*]] = %[[FIRST]], %[[PAGES:.*]] = %[[P1]])
// CHECK:         %[[P:.*]] = tile.load %[[TABLE]][%{{.*}}] [4] pad(minus_one)
// CHECK:         %[[G:.*]] = tile.gather %[[X]][%{{.*}}, %{{.*}}] at %[[PAGES]] axis 0 [4, 16, 64]
// CHECK-NEXT:    %[[AHEAD:.*]] = tile.reshape %[[G]] [64, 64]
// CHECK:         %[[MORE:.*]] = tile.dot %{{.*}}, %[[TILE]], %[[SUM]]
// CHECK-NEXT:    scf.yield %[[MORE]], %[[AHEAD]], %[[P]]
tile.kernel @gathered_pages(%q: !tile.view<64x?xbf16>, %x: !tile.view<?x16x64xbf16>, %table: !tile.view<?xi32>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.num_tiles %table, 0 by [4] : !tile.view<?xi32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %q[%c0, %k] [64, 64] : !tile.view<64x?xbf16> -> tensor<64x64xbf16>
    %p = tile.load %table[%k] [4] pad(minus_one) : !tile.view<?xi32> -> tensor<4xi32>
    %g = tile.gather %x[%c0, %c0] at %p axis 0 [4, 16, 64] : !tile.view<?x16x64xbf16>, tensor<4xi32> -> tensor<4x16x64xbf16>
    %b = tile.reshape %g [64, 64] : tensor<4x16x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// Rows for a dot that waits for another one arrive meanwhile, without registers for them.
// CHECK-LABEL: @gathered_values
// CHECK:       scf.for {{.*}} iter_args(%[[SUM:[^,]*]] = %{{[^,]*}}, %[[KEYS:[^,]*]] = %{{[^,]*}}, %[[PAGES:[^,]*]] = %{{[^,]*}}) ->
// CHECK:         tile.gather %{{.*}} at %[[PAGES]]
// CHECK:         %[[VALUES:.*]] = tile.gather
// CHECK:         tile.dot %{{.*}}, %[[KEYS]], %{{.*}} transpose_b
// CHECK:         tile.dot %{{.*}}, %[[VALUES]], %[[SUM]]
tile.kernel @gathered_values(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %table: !tile.view<?xi32>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.num_tiles %table, 0 by [64] : !tile.view<?xi32>
  %a = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %p = tile.load %table[%i] [64] pad(minus_one) : !tile.view<?xi32> -> tensor<64xi32>
    %b = tile.gather %k[%c0] at %p axis 0 [64, 64] : !tile.view<?x64xbf16>, tensor<64xi32> -> tensor<64x64xbf16>
    %c = tile.gather %v[%c0] at %p axis 0 [64, 64] : !tile.view<?x64xbf16>, tensor<64xi32> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %w = tile.cast %d : tensor<64x64xf32> to tensor<64x64xbf16>
    %e = tile.dot %w, %c, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %e : tensor<64x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// Rows that depend on what the loop computes are not known ahead.
// CHECK-LABEL: @gathered_by_result
// CHECK:       scf.for {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}, %[[ROWS:.*]] = %{{[^,]*}}, %{{.*}} = %{{.*}})
// CHECK:         tile.gather %{{.*}} at %[[ROWS]] axis 0 [64, 64]
// CHECK-NEXT:    tile.dot
tile.kernel @gathered_by_result(%q: !tile.view<64x?xbf16>, %x: !tile.view<?x64xbf16>, %next: !tile.view<64x?xi32>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0> : tensor<64xi32>
  %n = tile.num_tiles %q, 1 by [64] : !tile.view<64x?xbf16>
  %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %rows = %none) -> (tensor<64x64xf32>, tensor<64xi32>) {
    %a = tile.load %q[%c0, %k] [64, 64] : !tile.view<64x?xbf16> -> tensor<64x64xbf16>
    %b = tile.gather %x[%c0] at %rows axis 0 [64, 64] : !tile.view<?x64xbf16>, tensor<64xi32> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %m = tile.load %next[%c0, %k] [64, 1] : !tile.view<64x?xi32> -> tensor<64x1xi32>
    %r = tile.reshape %m [64] : tensor<64x1xi32> -> tensor<64xi32>
    %f = arith.addi %rows, %r : tensor<64xi32>
    scf.yield %d, %f : tensor<64x64xf32>, tensor<64xi32>
  }
  tile.store %s#0, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// Scales of a dot's weights are prefetched, as nothing copies them; the weights are copied. The single element of a
// table stays, as copies find their address by it.
// CHECK-LABEL: @scaled
// CHECK:       %[[FIRST:.*]] = tile.load %[[S:.*]][%{{.*}}, %[[ZERO:.*]]] [32, 1]
// CHECK:       scf.for %[[K:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[SCALES:.*]] = %[[FIRST]])
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[K]], %{{.*}}
// CHECK-NEXT:    %[[AHEAD:.*]] = tile.load %[[S]][%{{.*}}, %[[NEXT]]] [32, 1]
// CHECK-NEXT:    tile.load %{{.*}}[%[[K]]] [1]
// CHECK:         tile.load %{{.*}} [32, 128]
// CHECK:         tile.broadcast %[[SCALES]] [32, 128]
// CHECK:         scf.yield %{{.*}}, %[[AHEAD]]
tile.kernel @scaled(%x: !tile.view<16x?xf16>, %w: !tile.view<?x?xf16>, %s: !tile.view<?x?xf16>, %t: !tile.view<?xi32>) outs(%y: !tile.view<16x32xf32>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %n = tile.num_tiles %x, 1 by [128] : !tile.view<16x?xf16>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf32>) {
    %number = tile.load %t[%k] [1] : !tile.view<?xi32> -> tensor<1xi32>
    %scalar = tensor.extract %number[%c0] : tensor<1xi32>
    %block = arith.index_cast %scalar : i32 to index
    %q = tile.load %w[%c0, %block] [32, 128] : !tile.view<?x?xf16> -> tensor<32x128xf16>
    %scales = tile.load %s[%c0, %k] [32, 1] : !tile.view<?x?xf16> -> tensor<32x1xf16>
    %all = tile.broadcast %scales [32, 128] : tensor<32x1xf16> -> tensor<32x128xf16>
    %weights = arith.mulf %q, %all : tensor<32x128xf16>
    %rows = tile.load %x[%c0, %k] [16, 128] : !tile.view<16x?xf16> -> tensor<16x128xf16>
    %d = tile.dot %rows, %weights, %acc transpose_b : tensor<16x128xf16>, tensor<32x128xf16>, tensor<16x32xf32> -> tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<16x32xf32>, !tile.view<16x32xf32>
}

// A reduction loop of known length loads the tiles of several iterations at once, 16 KB or as many as registers hold:
// nine iterations are three batches of three. Sums of out-of-bounds tiles are zero anyway.
// CHECK-LABEL: @batch
// CHECK-DAG:   %[[C3:.*]] = arith.constant 3 : index
// CHECK:       scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %[[C3]] iter_args(%[[SUM:.*]] = %{{.*}})
// CHECK-DAG:     %[[SECOND:.*]] = arith.addi %[[K]], %{{.*}}
// CHECK-DAG:     %[[THIRD:.*]] = arith.addi %[[K]], %[[C2:.*]] : index
// CHECK:         %[[A:.*]] = tile.load %[[X:.*]][%[[K]], %{{.*}}] [32, 32]
// CHECK-NEXT:    %[[B:.*]] = tile.load %[[X]][%[[SECOND]], %{{.*}}] [32, 32]
// CHECK-NEXT:    %[[C:.*]] = tile.load %[[X]][%[[THIRD]], %{{.*}}] [32, 32]
// CHECK-NEXT:    %[[ONE:.*]] = arith.addf %[[SUM]], %[[A]]
// CHECK-NEXT:    %[[TWO:.*]] = arith.addf %[[ONE]], %[[B]]
// CHECK-NEXT:    %[[ALL:.*]] = arith.addf %[[TWO]], %[[C]]
// CHECK-NEXT:    scf.yield %[[ALL]]
tile.kernel @batch(%x: !tile.view<270x33xf32>) outs(%y: !tile.view<32x32xf32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.least_residents = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %s = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
    %t = tile.load %x[%k, %c0] [32, 32] : !tile.view<270x33xf32> -> tensor<32x32xf32>
    %r = arith.addf %acc, %t : tensor<32x32xf32>
    scf.yield %r : tensor<32x32xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32>
}

// An iteration that computes hundreds of elements per thread hides the latency of its loads.
// CHECK-LABEL: @computes
// CHECK:       %[[C1:.*]] = arith.constant 1 : index
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[C1]]
// CHECK-COUNT-1: tile.load %{{.*}} [1, 64]
// CHECK-NOT:   tile.load
// CHECK:       scf.yield
tile.kernel @computes(%x: !tile.view<9x64xf32>) outs(%y: !tile.view<512x64xf32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.least_residents = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant dense<0.0> : tensor<512x64xf32>
  %s = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (tensor<512x64xf32>) {
    %t = tile.load %x[%k, %c0] [1, 64] : !tile.view<9x64xf32> -> tensor<1x64xf32>
    %b = tile.broadcast %t [512, 64] : tensor<1x64xf32> -> tensor<512x64xf32>
    %q = arith.mulf %b, %b : tensor<512x64xf32>
    %c = arith.mulf %q, %b : tensor<512x64xf32>
    %r = arith.addf %acc, %c : tensor<512x64xf32>
    scf.yield %r : tensor<512x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<512x64xf32>, !tile.view<512x64xf32>
}

// Iterations past the last one are masked: for maxima, for values that do not preserve zeros, and if the loop ends
// before the view.
// CHECK-LABEL: @masked
// CHECK-COUNT-4: tile.load
// CHECK:       %[[HAS:.*]] = arith.cmpi slt, %{{.*}}, %[[END:.*]] : index
// CHECK:       arith.select %[[HAS]], %{{.*}}, %{{.*}} : tensor<32x32xf32>
// CHECK:       arith.maximumf
// CHECK-LABEL: @exponentials
// CHECK:       arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x32xf32>
// CHECK-LABEL: @ends_early
// CHECK:       arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x32xf32>
tile.kernel @masked(%x: !tile.view<224x33xf32>) outs(%y: !tile.view<32x32xf32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.least_residents = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %least = arith.constant dense<-1.0> : tensor<32x32xf32>
  %s = scf.for %k = %c0 to %c7 step %c1 iter_args(%acc = %least) -> (tensor<32x32xf32>) {
    %t = tile.load %x[%k, %c0] [32, 32] : !tile.view<224x33xf32> -> tensor<32x32xf32>
    %r = arith.maximumf %acc, %t : tensor<32x32xf32>
    scf.yield %r : tensor<32x32xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32>
}
tile.kernel @exponentials(%x: !tile.view<224x33xf32>) outs(%y: !tile.view<32x32xf32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.least_residents = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %s = scf.for %k = %c0 to %c7 step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
    %t = tile.load %x[%k, %c0] [32, 32] : !tile.view<224x33xf32> -> tensor<32x32xf32>
    %e = math.exp %t : tensor<32x32xf32>
    %r = arith.addf %acc, %e : tensor<32x32xf32>
    scf.yield %r : tensor<32x32xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32>
}
tile.kernel @ends_early(%x: !tile.view<256x33xf32>) outs(%y: !tile.view<32x32xf32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.least_residents = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %s = scf.for %k = %c0 to %c7 step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
    %t = tile.load %x[%k, %c0] [32, 32] : !tile.view<256x33xf32> -> tensor<32x32xf32>
    %r = arith.addf %acc, %t : tensor<32x32xf32>
    scf.yield %r : tensor<32x32xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32>
}

// A warp that reads a row in several narrow pieces has one iteration's loads in flight, and so has one without more
// registers.
// CHECK-LABEL: @narrow_pieces
// CHECK:       scf.for {{.*}} -> (tensor<16x64xf32>, tensor<16x64xf32>)
// CHECK-LABEL: @few_registers
// CHECK:       scf.for {{.*}} -> (tensor<32x32xf32>, tensor<32x32xf32>)
tile.kernel @narrow_pieces(%x: !tile.view<144x67xf32>) outs(%y: !tile.view<16x64xf32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.least_residents = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %s = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32>) {
    %t = tile.load %x[%k, %c0] [16, 64] : !tile.view<144x67xf32> -> tensor<16x64xf32>
    %r = arith.addf %acc, %t : tensor<16x64xf32>
    scf.yield %r : tensor<16x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<16x64xf32>, !tile.view<16x64xf32>
}
tile.kernel @few_registers(%x: !tile.view<270x33xf32>) outs(%y: !tile.view<32x32xf32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.least_residents = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %s = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
    %t = tile.load %x[%k, %c0] [32, 32] : !tile.view<270x33xf32> -> tensor<32x32xf32>
    %r = arith.addf %acc, %t : tensor<32x32xf32>
    scf.yield %r : tensor<32x32xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32>
}

// A loop that also copies a tile asynchronously keeps its iterations, over which the copies are pipelined.
// CHECK-LABEL: @with_copies
// CHECK:       scf.for {{.*}} -> (tensor<1x64x128xf32>, tensor<1x128xbf16>)
// CHECK-COUNT-1: tile.load %{{.*}} [64, 128]
// CHECK-NOT:   tile.load
// CHECK:       scf.yield
tile.kernel @with_copies(%x: !tile.view<1x2048xbf16>, %w: !tile.view<64x2048xbf16>) outs(%y: !tile.view<1x64x128xf32>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 16, stages = 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<1x64x128xf32>
  %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (tensor<1x64x128xf32>) {
    %a = tile.load %x[%c0, %k] [1, 128] : !tile.view<1x2048xbf16> -> tensor<1x128xbf16>
    %b = tile.load %w[%c0, %k] [64, 128] : !tile.view<64x2048xbf16> -> tensor<64x128xbf16>
    %af = arith.extf %a : tensor<1x128xbf16> to tensor<1x128xf32>
    %a1 = tile.expand_dims %af, 1 : tensor<1x128xf32> -> tensor<1x1x128xf32>
    %as = tile.broadcast %a1 [1, 64, 128] : tensor<1x1x128xf32> -> tensor<1x64x128xf32>
    %bf = arith.extf %b : tensor<64x128xbf16> to tensor<64x128xf32>
    %b1 = tile.expand_dims %bf, 0 : tensor<64x128xf32> -> tensor<1x64x128xf32>
    %p = arith.mulf %as, %b1 : tensor<1x64x128xf32>
    %v = arith.addf %acc, %p : tensor<1x64x128xf32>
    scf.yield %v : tensor<1x64x128xf32>
  }
  tile.store %s, %y[%c0, %c0, %c0] : tensor<1x64x128xf32>, !tile.view<1x64x128xf32>
}

// Scales of keys beside a dot, in a view that each iteration selects.
// CHECK-LABEL: @selected_scales
// CHECK:       %[[ROW:.*]] = tile.select
// CHECK:       %[[FIRST:.*]] = tile.load %[[ROW]]
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SCALES:.*]] = %[[FIRST]])
// CHECK:         tile.load %[[ROW]]
// CHECK:         tile.broadcast %[[SCALES]] [16, 64]
tile.kernel @selected_scales(%q: !tile.view<16x64xbf16>, %k: !tile.view<?x64xbf16>, %s: !tile.view<?x?xf32>, %h: index) outs(%y: !tile.view<16x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %n = tile.num_tiles %k, 0 by [64] : !tile.view<?x64xbf16>
  %qt = tile.load %q[%c0, %c0] [16, 64] : !tile.view<16x64xbf16> -> tensor<16x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<16x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %qt, %kt, %zero transpose_b : tensor<16x64xbf16>, tensor<64x64xbf16>, tensor<16x64xf32> -> tensor<16x64xf32>
    %row = tile.select %s[%h] : !tile.view<?x?xf32> -> !tile.view<?xf32>
    %st = tile.load %row[%j] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %sb = tile.broadcast %st [16, 64] : tensor<64xf32> -> tensor<16x64xf32>
    %x = arith.mulf %d, %sb : tensor<16x64xf32>
    %next = arith.addf %sum, %x : tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<16x64xf32>, !tile.view<16x64xf32>
}

// Near miss: the view changes with the iteration.
// CHECK-LABEL: @changing_scales
// CHECK:       scf.for {{.*}} iter_args(%{{[^,]*}})
// CHECK:         %[[ROW:.*]] = tile.select
// CHECK:         tile.load %[[ROW]]
tile.kernel @changing_scales(%q: !tile.view<16x64xbf16>, %k: !tile.view<?x64xbf16>, %s: !tile.view<?x?xf32>) outs(%y: !tile.view<16x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %n = tile.num_tiles %k, 0 by [64] : !tile.view<?x64xbf16>
  %qt = tile.load %q[%c0, %c0] [16, 64] : !tile.view<16x64xbf16> -> tensor<16x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<16x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %qt, %kt, %zero transpose_b : tensor<16x64xbf16>, tensor<64x64xbf16>, tensor<16x64xf32> -> tensor<16x64xf32>
    %row = tile.select %s[%j] : !tile.view<?x?xf32> -> !tile.view<?xf32>
    %st = tile.load %row[%j] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %sb = tile.broadcast %st [16, 64] : tensor<64xf32> -> tensor<16x64xf32>
    %x = arith.mulf %d, %sb : tensor<16x64xf32>
    %next = arith.addf %sum, %x : tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<16x64xf32>, !tile.view<16x64xf32>
}

// Operands at offsets are prefetched, too. No view bounds them, so those of an iteration that does not exist are masked.
// CHECK-LABEL: @at_offsets
// CHECK-SAME:  %[[X:[^:]*]]: !tile.view<?xbf16>
// CHECK:       %[[ANY:.*]] = arith.cmpi sgt, %[[N:.*]], %{{.*}} : index
// CHECK:       %[[BEGUN:.*]] = tile.splat %[[ANY]] [64, 64]
// CHECK:       %[[FIRST:.*]] = tile.load_at %[[P:.*]][%{{.*}}] mask(%[[BEGUN]]
// CHECK:       scf.for %[[K:.*]] = %{{.*}} to %[[N]] {{.*}} %[[A:[^ ]*]] = %[[FIRST]])
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[K]]
// CHECK:         %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK:         %[[GOES_ON:.*]] = tile.splat %[[MORE]] [64, 64]
// CHECK:         %[[AHEAD:.*]] = tile.load_at %[[P]][%{{.*}}] mask(%[[GOES_ON]]
// CHECK:         tile.dot %[[A]],
// CHECK:         scf.yield %{{.*}}, %[[AHEAD]]
tile.kernel @at_offsets(%x: !tile.view<?xbf16>, %w: !tile.view<?x64xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = tile.base %x : !tile.view<?xbf16> -> !tile.ptr<bf16>
  %o = tile.iota [4096] : tensor<4096xi32>
  %square = tile.reshape %o [64, 64] : tensor<4096xi32> -> tensor<64x64xi32>
  %n = tile.num_tiles %w, 0 by [64] : !tile.view<?x64xbf16>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %ki = arith.index_cast %k : index to i32
    %ks = tile.splat %ki [64, 64] : i32 -> tensor<64x64xi32>
    %at = arith.addi %square, %ks : tensor<64x64xi32>
    %a = tile.load_at %p[%at] : !tile.ptr<bf16>, tensor<64x64xi32> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// A mask of the load itself holds besides. The first of a known number of iterations exists.
// CHECK-LABEL: @at_masked_offsets
// CHECK:       %[[OWN:.*]] = arith.cmpi slt, %{{.*}} : tensor<64x64xi32>
// CHECK:       tile.load_at %{{.*}} mask(%[[OWN]]
// CHECK:       scf.for
// CHECK:         %[[MORE:.*]] = arith.cmpi slt, %{{.*}} : index
// CHECK:         %[[GOES_ON:.*]] = tile.splat %[[MORE]] [64, 64]
// CHECK:         %[[BOTH:.*]] = arith.andi %{{.*}}, %[[GOES_ON]]
// CHECK:         tile.load_at %{{.*}} mask(%[[BOTH]]
// CHECK:         tile.dot
tile.kernel @at_masked_offsets(%x: !tile.view<?xbf16>, %w: !tile.view<?x64xbf16>, %m: i32) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = tile.base %x : !tile.view<?xbf16> -> !tile.ptr<bf16>
  %o = tile.iota [4096] : tensor<4096xi32>
  %square = tile.reshape %o [64, 64] : tensor<4096xi32> -> tensor<64x64xi32>
  %ms = tile.splat %m [64, 64] : i32 -> tensor<64x64xi32>
  %s = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %ki = arith.index_cast %k : index to i32
    %ks = tile.splat %ki [64, 64] : i32 -> tensor<64x64xi32>
    %at = arith.addi %square, %ks : tensor<64x64xi32>
    %in = arith.cmpi slt, %at, %ms : tensor<64x64xi32>
    %a = tile.load_at %p[%at] mask(%in : tensor<64x64xi1>) : !tile.ptr<bf16>, tensor<64x64xi32> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// An ordered access stays where it is.
// CHECK-LABEL: @at_ordered_offsets
// CHECK-NOT:   tile.load_at
// CHECK:       scf.for
// CHECK:         tile.load_at
// CHECK-NOT:     tile.load_at
// CHECK:         tile.dot
tile.kernel @at_ordered_offsets(%x: !tile.view<?xbf16>, %w: !tile.view<?x64xbf16>) outs(%y: !tile.view<64x64xf32>, %t: !tile.view<?xi32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = arith.constant dense<1> : tensor<64xi32>
  %p = tile.base %x : !tile.view<?xbf16> -> !tile.ptr<bf16>
  %q = tile.base %t : !tile.view<?xi32> -> !tile.ptr<i32>
  %i = tile.iota [64] : tensor<64xi32>
  %o = tile.iota [4096] : tensor<4096xi32>
  %square = tile.reshape %o [64, 64] : tensor<4096xi32> -> tensor<64x64xi32>
  %n = tile.num_tiles %w, 0 by [64] : !tile.view<?x64xbf16>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %ki = arith.index_cast %k : index to i32
    %ks = tile.splat %ki [64, 64] : i32 -> tensor<64x64xi32>
    %at = arith.addi %square, %ks : tensor<64x64xi32>
    %a = tile.load_at %p[%at] order(acquire) : !tile.ptr<bf16>, tensor<64x64xi32> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// So does a load in a loop that updates memory.
// CHECK-LABEL: @at_offsets_beside_an_update
// CHECK-NOT:   tile.load_at
// CHECK:       scf.for
// CHECK:         tile.load_at
// CHECK-NOT:     tile.load_at
// CHECK:         tile.dot
tile.kernel @at_offsets_beside_an_update(%x: !tile.view<?xbf16>, %w: !tile.view<?x64xbf16>) outs(%y: !tile.view<64x64xf32>, %t: !tile.view<?xi32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = arith.constant dense<1> : tensor<64xi32>
  %p = tile.base %x : !tile.view<?xbf16> -> !tile.ptr<bf16>
  %q = tile.base %t : !tile.view<?xi32> -> !tile.ptr<i32>
  %i = tile.iota [64] : tensor<64xi32>
  %o = tile.iota [4096] : tensor<4096xi32>
  %square = tile.reshape %o [64, 64] : tensor<4096xi32> -> tensor<64x64xi32>
  %n = tile.num_tiles %w, 0 by [64] : !tile.view<?x64xbf16>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %ki = arith.index_cast %k : index to i32
    %ks = tile.splat %ki [64, 64] : i32 -> tensor<64x64xi32>
    %at = arith.addi %square, %ks : tensor<64x64xi32>
    %was = tile.atomic_rmw add %q[%i], %one : !tile.ptr<i32>, tensor<64xi32>, tensor<64xi32>
    %a = tile.load_at %p[%at] : !tile.ptr<bf16>, tensor<64x64xi32> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// In a loop that stores at offsets into another tensor, rows by offset are carried as well. The pointer is derived in front of
// the loop, and a row behind its end is masked.
// CHECK-LABEL: @rows_by_offset
// CHECK:       %[[P:.*]] = tile.base %[[X:.*]] :
// CHECK:       %[[FIRST:.*]] = tile.load_at %[[P]]
// CHECK:       scf.for %[[I:.*]] = %{{.*}} to %[[N:.*]] step %{{.*}} iter_args(%[[ROW:.*]] = %[[FIRST]])
// CHECK:         %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK:         %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK:         %[[GOES_ON:.*]] = tile.splat %[[MORE]] [1024]
// CHECK:         %[[BOTH:.*]] = arith.andi %{{.*}}, %[[GOES_ON]]
// CHECK:         %[[AHEAD:.*]] = tile.load_at %[[P]][%{{.*}}] mask(%[[BOTH]]
// CHECK:         arith.addf %[[ROW]], %[[ROW]]
// CHECK:         tile.store_at
// CHECK:         scf.yield %[[AHEAD]]
tile.kernel @rows_by_offset(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [132] attributes {tile_gpu.plan = #plan} {
  %n = tile.dim %x, 0 : !tile.view<?x?xf32>
  %width = tile.dim %x, 1 : !tile.view<?x?xf32>
  %w = arith.index_cast %width : index to i32
  %b = tile.block_id 0
  %c132 = arith.constant 132 : index
  %col = tile.iota [1024] : tensor<1024xi32>
  %ws = tile.splat %w [1024] : i32 -> tensor<1024xi32>
  %in = arith.cmpi slt, %col, %ws : tensor<1024xi32>
  scf.for %i = %b to %n step %c132 {
    %xp = tile.base %x : !tile.view<?x?xf32> -> !tile.ptr<f32>
    %yp = tile.base %y : !tile.view<?x?xf32> -> !tile.ptr<f32>
    %i32 = arith.index_cast %i : index to i32
    %first = arith.muli %i32, %w : i32
    %fs = tile.splat %first [1024] : i32 -> tensor<1024xi32>
    %at = arith.addi %col, %fs : tensor<1024xi32>
    %t = tile.load_at %xp[%at] mask(%in : tensor<1024xi1>) : !tile.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
    %r = arith.addf %t, %t : tensor<1024xf32>
    tile.store_at %r, %yp[%at] mask(%in : tensor<1024xi1>) : tensor<1024xf32>, !tile.ptr<f32>, tensor<1024xi32>
  }
}

// Eight blocks in each multiprocessor load 32 KB while one stores.
// CHECK-LABEL: @rows_of_many_blocks
// CHECK-NOT:   tile.load_at
// CHECK:       scf.for
// CHECK-NOT:     iter_args
// CHECK:         tile.load_at
// CHECK-NOT:     tile.load_at
// CHECK:         tile.store_at
tile.kernel @rows_of_many_blocks(%x: !tile.view<?x1024xf32>) outs(%y: !tile.view<?x1024xf32>) grid [1056] attributes {tile_gpu.plan = #plan} {
  %n = tile.dim %x, 0 : !tile.view<?x1024xf32>
  %xp = tile.base %x : !tile.view<?x1024xf32> -> !tile.ptr<f32>
  %yp = tile.base %y : !tile.view<?x1024xf32> -> !tile.ptr<f32>
  %b = tile.block_id 0
  %c1056 = arith.constant 1056 : index
  %c1024 = arith.constant 1024 : i32
  %col = tile.iota [1024] : tensor<1024xi32>
  scf.for %i = %b to %n step %c1056 {
    %i32 = arith.index_cast %i : index to i32
    %first = arith.muli %i32, %c1024 : i32
    %fs = tile.splat %first [1024] : i32 -> tensor<1024xi32>
    %at = arith.addi %col, %fs : tensor<1024xi32>
    %t = tile.load_at %xp[%at] : !tile.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
    %r = arith.addf %t, %t : tensor<1024xf32>
    tile.store_at %r, %yp[%at] : tensor<1024xf32>, !tile.ptr<f32>, tensor<1024xi32>
  }
}

// The loop writes what it reads.
// CHECK-LABEL: @rows_in_place
// CHECK-NOT:   tile.load_at
// CHECK:       scf.for
// CHECK:         tile.load_at
// CHECK-NOT:     tile.load_at
// CHECK:         tile.store_at
tile.kernel @rows_in_place() outs(%y: !tile.view<?x1024xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %n = tile.dim %y, 0 : !tile.view<?x1024xf32>
  %yp = tile.base %y : !tile.view<?x1024xf32> -> !tile.ptr<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : i32
  %col = tile.iota [1024] : tensor<1024xi32>
  scf.for %i = %c0 to %n step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %first = arith.muli %i32, %c1024 : i32
    %fs = tile.splat %first [1024] : i32 -> tensor<1024xi32>
    %at = arith.addi %col, %fs : tensor<1024xi32>
    %t = tile.load_at %yp[%at] : !tile.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
    %r = arith.addf %t, %t : tensor<1024xf32>
    tile.store_at %r, %yp[%at] : tensor<1024xf32>, !tile.ptr<f32>, tensor<1024xi32>
  }
}

// An atomic may order the accesses of other threads.
// CHECK-LABEL: @rows_beside_an_update
// CHECK-NOT:   tile.load_at
// CHECK:       scf.for
// CHECK:         tile.atomic_rmw
// CHECK:         tile.load_at
// CHECK-NOT:     tile.load_at
// CHECK:         tile.store_at
tile.kernel @rows_beside_an_update(%x: !tile.view<?x1024xf32>) outs(%y: !tile.view<?x1024xf32>, %t: !tile.view<1xi32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %n = tile.dim %x, 0 : !tile.view<?x1024xf32>
  %xp = tile.base %x : !tile.view<?x1024xf32> -> !tile.ptr<f32>
  %yp = tile.base %y : !tile.view<?x1024xf32> -> !tile.ptr<f32>
  %tp = tile.base %t : !tile.view<1xi32> -> !tile.ptr<i32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : i32
  %one = arith.constant dense<1> : tensor<1xi32>
  %zero = arith.constant dense<0> : tensor<1xi32>
  %col = tile.iota [1024] : tensor<1024xi32>
  scf.for %i = %c0 to %n step %c1 {
    %was = tile.atomic_rmw add %tp[%zero], %one : !tile.ptr<i32>, tensor<1xi32>, tensor<1xi32>
    %i32 = arith.index_cast %i : index to i32
    %first = arith.muli %i32, %c1024 : i32
    %fs = tile.splat %first [1024] : i32 -> tensor<1024xi32>
    %at = arith.addi %col, %fs : tensor<1024xi32>
    %l = tile.load_at %xp[%at] : !tile.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
    %r = arith.addf %l, %l : tensor<1024xf32>
    tile.store_at %r, %yp[%at] : tensor<1024xf32>, !tile.ptr<f32>, tensor<1024xi32>
  }
}

// Rows whose ends are loaded are mostly short.
// CHECK-LABEL: @rows_with_loaded_ends
// CHECK-NOT:   tile.load_at
// CHECK:       scf.for
// CHECK:         tile.load_at
// CHECK-NOT:     tile.load_at
// CHECK:         tile.store_at
tile.kernel @rows_with_loaded_ends(%x: !tile.view<?xf32>, %ends: !tile.view<?xi32>) outs(%y: !tile.view<?xf32>) grid [132] attributes {tile_gpu.plan = #plan} {
  %xp = tile.base %x : !tile.view<?xf32> -> !tile.ptr<f32>
  %yp = tile.base %y : !tile.view<?xf32> -> !tile.ptr<f32>
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %col = tile.iota [64] : tensor<64xi32>
  %e = tile.load %ends[%b] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %e32 = tensor.extract %e[%c0] : tensor<1xi32>
  %end = arith.index_cast %e32 : i32 to index
  %es = tile.splat %e32 [64] : i32 -> tensor<64xi32>
  scf.for %i = %c0 to %end step %c64 {
    %i32 = arith.index_cast %i : index to i32
    %fs = tile.splat %i32 [64] : i32 -> tensor<64xi32>
    %at = arith.addi %col, %fs : tensor<64xi32>
    %in = arith.cmpi slt, %at, %es : tensor<64xi32>
    %t = tile.load_at %xp[%at] mask(%in : tensor<64xi1>) : !tile.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %r = arith.addf %t, %t : tensor<64xf32>
    tile.store_at %r, %yp[%at] mask(%in : tensor<64xi1>) : tensor<64xf32>, !tile.ptr<f32>, tensor<64xi32>
  }
}

// The blocks of a larger grid do not all run together.
// CHECK-LABEL: @rows_of_a_large_grid
// CHECK:       tile.load_at
// CHECK:       scf.for {{.*}} iter_args
tile.kernel @rows_of_a_large_grid(%x: !tile.view<?x1024xf32>) outs(%y: !tile.view<?x1024xf32>) grid [10560] attributes {tile_gpu.plan = #plan} {
  %n = tile.dim %x, 0 : !tile.view<?x1024xf32>
  %xp = tile.base %x : !tile.view<?x1024xf32> -> !tile.ptr<f32>
  %yp = tile.base %y : !tile.view<?x1024xf32> -> !tile.ptr<f32>
  %b = tile.block_id 0
  %c10560 = arith.constant 10560 : index
  %c1024 = arith.constant 1024 : i32
  %col = tile.iota [1024] : tensor<1024xi32>
  scf.for %i = %b to %n step %c10560 {
    %i32 = arith.index_cast %i : index to i32
    %first = arith.muli %i32, %c1024 : i32
    %fs = tile.splat %first [1024] : i32 -> tensor<1024xi32>
    %at = arith.addi %col, %fs : tensor<1024xi32>
    %t = tile.load_at %xp[%at] : !tile.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
    %r = arith.addf %t, %t : tensor<1024xf32>
    tile.store_at %r, %yp[%at] : tensor<1024xf32>, !tile.ptr<f32>, tensor<1024xi32>
  }
}
