// Grids, parameters, control flow with tiles, assertions and assumptions.
// TYPES: f32 bf16
!V = !tile.view<?x!T>
!I = !tile.view<?x?xi64>
!I1 = !tile.view<?xi64>

// CASE @grid: 2x3xT=0 -> 2x3xi64=32,33,34,42,43,44
tile.kernel @grid(%a: !tile.view<?x?x!T>) outs(%y: !I) grid [dim(%a, 1), dim(%a, 0)] {
  %x = tile.block_id 0
  %z = tile.block_id 1
  %nx = tile.num_blocks 0
  %c10 = arith.constant 10 : index
  %0 = arith.muli %nx, %c10 : index
  %1 = arith.muli %z, %c10 : index
  %2 = arith.addi %1, %x : index
  %3 = arith.addi %0, %2 : index
  %c2 = arith.constant 2 : index
  %4 = arith.addi %3, %c2 : index
  %5 = arith.index_cast %4 : index to i64
  %6 = tile.splat %5 [1, 1] : i64 -> tensor<1x1xi64>
  tile.store %6, %y[%z, %x] : tensor<1x1xi64>, !I
}
// CASE @params BM=2: 5xT=1,2,3,4,5 -> 5xT=2,3,4,5,6 2xi64=2,5
// CASE @params BM=4: 5xT=1,2,3,4,5 -> 5xT=2,3,4,5,6 2xi64=4,5
tile.kernel @params(%a: !V) outs(%y: !V, %n: !I1) params {BM = 2 in [2, 4], N = dim(%a, 0)}
    grid [ceildiv(dim(%y, 0), BM)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : !T
  %0 = tile.load %a[%i] [BM] : !V -> tensor<?x!T>
  %1 = tile.splat %one [BM] : !T -> tensor<?x!T>
  %2 = arith.addf %0, %1 : tensor<?x!T>
  tile.store %2, %y[%i] : tensor<?x!T>, !V
  %bm = tile.param BM
  %all = tile.param N
  %3 = arith.index_cast %bm : index to i64
  %4 = arith.index_cast %all : index to i64
  %5 = tile.splat %3 [1] : i64 -> tensor<1xi64>
  %6 = tile.splat %4 [1] : i64 -> tensor<1xi64>
  %7 = tile.cat %5, %6 axis 0 : tensor<1xi64>, tensor<1xi64> -> tensor<2xi64>
  tile.store %7, %n[%c0] : tensor<2xi64>, !I1
}
// A sum along the rows, four at a time, with a loop-carried tile.
// CASE @loop K=6: 6x2xT=1,2,3,4,5,6,7,8,-1,-2,1,1 -> 2xT=16,19
// CASE @loop K=1: 0x2xT -> 2xT=0,0
tile.kernel @loop(%a: !tile.view<?x?x!T>) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<2x!T>
  %n = tile.num_tiles %a, 0 by [4] : !tile.view<?x?x!T>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<2x!T>) {
    %0 = tile.load %a[%k, %c0] [4, 2] : !tile.view<?x?x!T> -> tensor<4x2x!T>
    %1 = tile.reduce add %0 axis 0 : tensor<4x2x!T> -> tensor<2x!T>
    %2 = arith.addf %acc, %1 : tensor<2x!T>
    scf.yield %2 : tensor<2x!T>
  }
  tile.store %s, %y[%c0] : tensor<2x!T>, !V
}
// CASE @branch: 3xT=1,2,3 index=1 -> 3xT=2,4,6
// CASE @branch: 3xT=1,2,3 index=0 -> 3xT=1,2,3
tile.kernel @branch(%a: !V, %n: index) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi ne, %n, %c0 : index
  %0 = tile.load %a[%c0] [3] : !V -> tensor<3x!T>
  %1 = scf.if %p -> (tensor<3x!T>) {
    %2 = arith.addf %0, %0 : tensor<3x!T>
    scf.yield %2 : tensor<3x!T>
  } else {
    scf.yield %0 : tensor<3x!T>
  }
  tile.store %1, %y[%c0] : tensor<3x!T>, !V
}
// CASE @choose: 3xT=1,2,3 index=2 -> 3xT=2,4,6
// CASE @choose: 3xT=1,2,3 index=5 -> 3xT=-1,-2,-3
// CASE @choose: 3xT=1,2,3 index=0 -> 3xT=1,2,3
tile.kernel @choose(%a: !V, %n: index) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0] [3] : !V -> tensor<3x!T>
  %1 = scf.index_switch %n -> tensor<3x!T>
  case 2 {
    %2 = arith.addf %0, %0 : tensor<3x!T>
    scf.yield %2 : tensor<3x!T>
  }
  case 5 {
    %2 = arith.negf %0 : tensor<3x!T>
    scf.yield %2 : tensor<3x!T>
  }
  default {
    scf.yield %0 : tensor<3x!T>
  }
  tile.store %1, %y[%c0] : tensor<3x!T>, !V
}
// The number of halvings until zero.
// CASE @while: 1xT=0 index=40 -> 1xi64=6
// CASE @while: 1xT=0 index=0 -> 1xi64=0
tile.kernel @while(%a: !V, %n: index) outs(%y: !I1) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.while (%v = %n, %count = %c0) : (index, index) -> (index, index) {
    %more = arith.cmpi ugt, %v, %c0 : index
    scf.condition(%more) %v, %count : index, index
  } do {
  ^bb0(%v: index, %count: index):
    %half = arith.divui %v, %c2 : index
    %next = arith.addi %count, %c1 : index
    scf.yield %half, %next : index, index
  }
  %0 = arith.index_cast %r#1 : index to i64
  %1 = tile.splat %0 [1] : i64 -> tensor<1xi64>
  tile.store %1, %y[%c0] : tensor<1xi64>, !I1
}
// CASE @assert: 4xT=1,2,3,4 -> 4xT=1,2,3,4
// CASE @assert: 4xT=1,2,-3,4 -> error "every element must be positive"
tile.kernel @assert(%a: !V) outs(%y: !V) grid [ceildiv(dim(%a, 0), 2)] {
  %i = tile.block_id 0
  %zero = arith.constant dense<0.0> : tensor<2x!T>
  %0 = tile.load %a[%i] [2] : !V -> tensor<2x!T>
  %1 = arith.cmpf ogt, %0, %zero : tensor<2x!T>
  tile.assert %1, "every element must be positive" : tensor<2xi1>
  tile.store %0, %y[%i] : tensor<2x!T>, !V
}
// CASE @assume: 4xT=1,2,3,4 -> 4xT=1,2,3,4
tile.kernel @assume(%a: !V) outs(%y: !V) grid [ceildiv(dim(%a, 0), 4)] {
  %i = tile.block_id 0
  %n = tile.dim %a, 0 : !V
  %m = tile.assume %n div_by 4 : index
  %k = tile.assume %m bounded [1, 1024] : index
  %w = tile.subview %a[0] [%k] : !V -> !tile.view<?x!T, strides=[1]>
  %0 = tile.load %w[%i] [4] : !tile.view<?x!T, strides=[1]> -> tensor<4x!T>
  tile.store %0, %y[%i] : tensor<4x!T>, !V
}
// Nested loops; both carry the tile, and the outer one also its previous value.
// CASE @nested: 2x3xT=1,2,3,1,1,1 -> 2xT=8,12
tile.kernel @nested(%a: !tile.view<?x?x!T>) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<2x!T>
  %n = tile.dim %a, 0 : !tile.view<?x?x!T>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<2x!T>) {
    %t = scf.for %j = %c0 to %c2 step %c1 iter_args(%in = %acc) -> (tensor<2x!T>) {
      %w = tile.subview %a[%k, %j] [1, 2] : !tile.view<?x?x!T> -> !tile.view<1x2x!T, strides=[?, 1]>
      %0 = tile.load %w[%c0, %c0] [1, 2] : !tile.view<1x2x!T, strides=[?, 1]> -> tensor<1x2x!T>
      %1 = tile.reshape %0 [2] : tensor<1x2x!T> -> tensor<2x!T>
      %2 = arith.addf %in, %1 : tensor<2x!T>
      scf.yield %2 : tensor<2x!T>
    }
    %3 = arith.addf %t, %acc : tensor<2x!T>
    scf.yield %3 : tensor<2x!T>
  }
  %4 = arith.addf %s, %zero : tensor<2x!T>
  tile.store %4, %y[%c0] : tensor<2x!T>, !V
}
// Doubles a tile while its sum is small; the condition passes on other values than it is given.
// CASE @while_tile: 4xT=1,2,3,4 -> 4xT=16,32,48,64 1xi64=4
// CASE @while_tile: 4xT=1,2,3,200 -> 4xT=1,2,3,200 1xi64=0
tile.kernel @while_tile(%a: !V) outs(%y: !V, %m: !I1) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 100.0 : f32
  %x = tile.load %a[%c0] [4] : !V -> tensor<4x!T>
  %r:2 = scf.while (%t = %x, %i = %c0) : (tensor<4x!T>, index) -> (index, tensor<4x!T>) {
    %0 = tile.cast %t : tensor<4x!T> to tensor<4xf32>
    %1 = tile.reduce add %0 axis 0 : tensor<4xf32> -> tensor<f32>
    %2 = tensor.extract %1[] : tensor<f32>
    %more = arith.cmpf olt, %2, %limit : f32
    scf.condition(%more) %i, %t : index, tensor<4x!T>
  } do {
  ^bb0(%i: index, %t: tensor<4x!T>):
    %d = arith.addf %t, %t : tensor<4x!T>
    %n = arith.addi %i, %c1 : index
    scf.yield %d, %n : tensor<4x!T>, index
  }
  tile.store %r#1, %y[%c0] : tensor<4x!T>, !V
  %3 = arith.index_cast %r#0 : index to i64
  %4 = tile.splat %3 [1] : i64 -> tensor<1xi64>
  tile.store %4, %m[%c0] : tensor<1xi64>, !I1
}
// A while loop that swaps two tiles.
// CASE @while_swap: 2xT=1,2 index=3 -> 2xT=3,3 2xT=1,2
// CASE @while_swap: 2xT=1,2 index=0 -> 2xT=1,2 2xT=3,3
tile.kernel @while_swap(%a: !V, %m: index) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.load %a[%c0] [2] : !V -> tensor<2x!T>
  %three = arith.constant dense<3.0> : tensor<2x!T>
  %r:3 = scf.while (%p = %x, %q = %three, %i = %c0) : (tensor<2x!T>, tensor<2x!T>, index) -> (tensor<2x!T>, tensor<2x!T>, index) {
    %more = arith.cmpi slt, %i, %m : index
    scf.condition(%more) %p, %q, %i : tensor<2x!T>, tensor<2x!T>, index
  } do {
  ^bb0(%p: tensor<2x!T>, %q: tensor<2x!T>, %i: index):
    %n = arith.addi %i, %c1 : index
    scf.yield %q, %p, %n : tensor<2x!T>, tensor<2x!T>, index
  }
  tile.store %r#0, %y[%c0] : tensor<2x!T>, !V
  tile.store %r#1, %z[%c0] : tensor<2x!T>, !V
}
// A branch that yields the tiles of a loop in either order.
// CASE @branch_swap: 2xT=1,2 index=3 -> 2xT=3,3 2xT=4,5
// CASE @branch_swap: 2xT=1,2 index=2 -> 2xT=3,3 2xT=1,2
tile.kernel @branch_swap(%a: !V, %m: index) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.load %a[%c0] [2] : !V -> tensor<2x!T>
  %three = arith.constant dense<3.0> : tensor<2x!T>
  %r:2 = scf.for %k = %c0 to %m step %c1 iter_args(%p = %x, %q = %three) -> (tensor<2x!T>, tensor<2x!T>) {
    %b = arith.cmpi eq, %k, %c1 : index
    %o:2 = scf.if %b -> (tensor<2x!T>, tensor<2x!T>) {
      scf.yield %q, %p : tensor<2x!T>, tensor<2x!T>
    } else {
      %s = arith.addf %p, %q : tensor<2x!T>
      %late = arith.cmpi sgt, %k, %c1 : index
      %t = arith.select %late, %s, %q : tensor<2x!T>
      scf.yield %p, %t : tensor<2x!T>, tensor<2x!T>
    }
    scf.yield %o#0, %o#1 : tensor<2x!T>, tensor<2x!T>
  }
  tile.store %r#0, %y[%c0] : tensor<2x!T>, !V
  tile.store %r#1, %z[%c0] : tensor<2x!T>, !V
}

// A recurrence along the rows: loads run ahead of stores.
// CASE @recurrence [f32] K=40: 37x70xf32=random:1 37x70xf32=random:2 -> 37x70xf32
// CASE @recurrence [f32] K=40: 3x70xf32=random:1 3x70xf32=random:2 -> 3x70xf32
tile.kernel @recurrence(%a: !tile.view<?x?xf32>, %x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [ceildiv(dim(%y, 1), 64)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<1x64xf32>
  %rows = tile.dim %x, 0 : !tile.view<?x?xf32>
  %last = scf.for %t = %c0 to %rows step %c1 iter_args(%h = %zero) -> (tensor<1x64xf32>) {
    %at = tile.load %a[%t, %n] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %xt = tile.load %x[%t, %n] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %next = math.fma %h, %at, %xt : tensor<1x64xf32>
    tile.store %next, %y[%t, %n] : tensor<1x64xf32>, !tile.view<?x?xf32>
    scf.yield %next : tensor<1x64xf32>
  }
}
// Nested loops that carry several tiles: side by side, swapped, and with one that the outer loop uses itself.
// CASE @nested_tiles: 3xT=1,2,-1 -> 2xT=6,6 2xT=18,18 2xT=4,4
!X = tensor<2x!T>
tile.kernel @nested_tiles(%a: !V) outs(%y: !V, %z: !V, %w: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : !X
  %s:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %zero, %q = %zero, %o = %zero) -> (!X, !X, !X) {
    %r:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%u = %p, %v = %q) -> (!X, !X) {
      %t = tile.load %a[%j] [1] : !V -> tensor<1x!T>
      %b = tile.broadcast %t [2] : tensor<1x!T> -> !X
      %u1 = arith.addf %u, %b : !X
      %bb = arith.mulf %b, %b : !X
      %v1 = arith.addf %v, %bb : !X
      scf.yield %u1, %v1 : !X, !X
    }
    scf.yield %r#0, %r#1, %p : !X, !X, !X
  }
  tile.store %s#0, %y[%c0] : !X, !V
  tile.store %s#1, %z[%c0] : !X, !V
  tile.store %s#2, %w[%c0] : !X, !V
}
// CASE @nested_exchanged: 2xT=1,2 -> 2xT=10,10 2xT=14,14
tile.kernel @nested_exchanged(%a: !V) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : !X
  %s:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %zero, %q = %zero) -> (!X, !X) {
    %r:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %p, %v = %q) -> (!X, !X) {
      %t = tile.load %a[%j] [1] : !V -> tensor<1x!T>
      %b = tile.broadcast %t [2] : tensor<1x!T> -> !X
      %u1 = arith.addf %u, %b : !X
      %v1 = arith.addf %v, %u1 : !X
      scf.yield %v1, %u1 : !X, !X
    }
    scf.yield %r#1, %r#0 : !X, !X
  }
  tile.store %s#0, %y[%c0] : !X, !V
  tile.store %s#1, %z[%c0] : !X, !V
}
// A tile becomes two of the carried ones.
// CASE @yielded_twice: 2xT=1,2 -> 2xT=9,15 2xT=9,15
tile.kernel @yielded_twice(%a: !V) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant dense<1.0> : !X
  %x = tile.load %a[%c0] [2] : !V -> !X
  %s:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %one, %q = %x) -> (!X, !X) {
    %0 = arith.addf %q, %q : !X
    %1 = arith.addf %0, %p : !X
    scf.yield %1, %1 : !X, !X
  }
  tile.store %s#0, %y[%c0] : !X, !V
  tile.store %s#1, %z[%c0] : !X, !V
}
// A loop that starts with the result of a branch: the surrounding tile, or another one.
// CASE @begins_with_a_branch N=5: 4xT=1,2,3,4 i1=0 -> 4xT=21,22,23,24
// CASE @begins_with_a_branch N=5: 4xT=1,2,3,4 i1=1 -> 4xT=26,27,28,29
// CASE @begins_with_a_branch N=1: 4xT=1,2,3,4 i1=1 -> 4xT=3,4,5,6
tile.kernel @begins_with_a_branch(%a: !V, %more: i1) outs(%y: !V) params {N = 5 in [1, 5]} grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tile.param N
  %f = arith.constant 1.0 : !T
  %one = tile.splat %f [4] : !T -> tensor<4x!T>
  %x = tile.load %a[%c0] [4] : !V -> tensor<4x!T>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4x!T>) {
    %b = scf.if %more -> (tensor<4x!T>) {
      %0 = arith.addf %s, %one : tensor<4x!T>
      scf.yield %0 : tensor<4x!T>
    } else {
      scf.yield %s : tensor<4x!T>
    }
    %t = scf.for %j = %c0 to %n step %c1 iter_args(%u = %b) -> (tensor<4x!T>) {
      %skip = arith.cmpi eq, %j, %c2 : index
      %v = scf.if %skip -> (tensor<4x!T>) {
        scf.yield %u : tensor<4x!T>
      } else {
        %0 = arith.addf %u, %one : tensor<4x!T>
        scf.yield %0 : tensor<4x!T>
      }
      scf.yield %v : tensor<4x!T>
    }
    scf.yield %t : tensor<4x!T>
  }
  tile.store %r, %y[%c0] : tensor<4x!T>, !V
}
// A branch in a loop returns to a tile from before the loop.
// CASE @returns_to_older: 4xT=1,2,3,4 2xi1=1,1 -> 4xT=1,8,27,64 4xT=1,2,3,4
// CASE @returns_to_older: 4xT=1,2,3,4 2xi1=1,0 -> 4xT=1,2,3,4 4xT=1,2,3,4
// CASE @returns_to_older: 4xT=1,2,3,4 2xi1=0,1 -> 4xT=1,4,9,16 4xT=1,2,3,4
tile.kernel @returns_to_older(%a: !V, %on: !tile.view<?xi1>) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.dim %on, 0 : !tile.view<?xi1>
  %x = tile.load %a[%c0] [4] : !V -> tensor<4x!T>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4x!T>) {
    %t = tile.load %on[%i] [1] : !tile.view<?xi1> -> tensor<1xi1>
    %c = tensor.extract %t[%c0] : tensor<1xi1>
    %b = scf.if %c -> (tensor<4x!T>) {
      %0 = arith.mulf %s, %x : tensor<4x!T>
      scf.yield %0 : tensor<4x!T>
    } else {
      scf.yield %x : tensor<4x!T>
    }
    scf.yield %b : tensor<4x!T>
  }
  tile.store %r, %y[%c0] : tensor<4x!T>, !V
  tile.store %x, %z[%c0] : tensor<4x!T>, !V
}

// Loops that count by integers: the bounds of narrow ones may be negative, those of others beyond an index.
// CASE @integer_loops: 1xT=0 i16=-3 i16=4 i64=5000000000 i64=5000000009 i32=-6 i32=-1 -> 3xi64=0,15000000009,12884901876
// CASE @integer_loops: 1xT=0 i16=4 i16=-3 i64=9 i64=-9 i32=-1 i32=6 -> 3xi64=0,0,0
tile.kernel @integer_loops(%x: !tile.view<?x!T>, %a: i16, %b: i16, %c: i64, %d: i64, %e: i32, %f: i32)
    outs(%y: !tile.view<3xi64>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %i0 = arith.constant 0 : i16
  %i1 = arith.constant 2 : i16
  %l1 = arith.constant 3 : i64
  %w1 = arith.constant 2 : i32
  %s = scf.for %i = %a to %b step %i1 iter_args(%n = %zero) -> (i64) : i16 {
    %v = arith.extsi %i : i16 to i64
    %m = arith.addi %n, %v : i64
    scf.yield %m : i64
  }
  %t = scf.for %i = %c to %d step %l1 iter_args(%n = %zero) -> (i64) : i64 {
    %m = arith.addi %n, %i : i64
    scf.yield %m : i64
  }
  %u = scf.for unsigned %i = %e to %f step %w1 iter_args(%n = %zero) -> (i64) : i32 {
    %v = arith.extui %i : i32 to i64
    %m = arith.addi %n, %v : i64
    scf.yield %m : i64
  }
  %s1 = tile.splat %s [1] : i64 -> tensor<1xi64>
  %t1 = tile.splat %t [1] : i64 -> tensor<1xi64>
  %u1 = tile.splat %u [1] : i64 -> tensor<1xi64>
  %st = tile.cat %s1, %t1 axis 0 : tensor<1xi64>, tensor<1xi64> -> tensor<2xi64>
  %stu = tile.cat %st, %u1 axis 0 : tensor<2xi64>, tensor<1xi64> -> tensor<3xi64>
  tile.store %stu, %y[%c0] : tensor<3xi64>, !tile.view<3xi64>
}
