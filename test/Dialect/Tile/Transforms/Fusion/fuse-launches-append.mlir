// A row that one launch appends and the next one reads joins the loop's sums without a round trip through memory.
// RUN: tilegpt-opt %s --tile-fuse-launches=overlaps-memory --canonicalize --cse | FileCheck %s
// RUN: tilegpt-opt %s --tile-fuse-launches="mode=list overlaps-memory" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: tilegpt-opt %s --tile-fuse-launches="exact explain" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXACT

// RUN: tilegpt-opt %s --tile-fuse-launches="mode=list" -o /dev/null 2>&1 | FileCheck %s --check-prefix=HOST

// LIST: @append and @sum_rows: append, saves 0.23 us
// HOST: @append and @sum_rows: append, not profitable: loses 0.23 us
// EXACT: @append and @sum_rows: no append: sums over the rows would be rounded in other parts

// No mask: elements past the end of a window are 0.
!S = !tile.view<?x?x?xf32>
!V = !tile.view<?x?xf32>
!W = !tile.view<?x?xf32, strides=[?, 1]>
!I = !tile.view<?xi32>
!T = tensor<?x?xf32>

tile.kernel @append(%x: !V, %at: !I) outs(%s: !S)
    params {BM = 8 in [1, 8], D = dim(%s, 2)}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%at, 0)), BM), dim(%s, 0)] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %d = tile.param D
  %n = tile.dim %x, 0 : !V
  %batch = tile.dim %at, 0 : !I
  %tokens = arith.divui %n, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %d] : !V -> !W
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %sb = tile.select %s[%b] : !S -> !V
  %sd = tile.subview %sb[%p, 0] [%tokens, %d] : !V -> !W
  %t = tile.load %xs[%m, %c0] [BM, D] : !W -> !T
  %t2 = arith.addf %t, %t : !T
  tile.store %t2, %sd[%m, %c0] : !T, !W
}
tile.kernel @sum_rows(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 2)}
    grid [dim(%s, 0)] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %sb = tile.select %s[%b] : !S -> !V
  %rows = tile.subview %sb[0, 0] [%end, %d] : !V -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %c0] : tensor<1x?xf32>, !V
}

// CHECK:       tile.kernel @append.sum_rows(%[[X:[^:]*]]: !tile.view<?x?xf32>, %[[AT:[^:]*]]: !tile.view<?xi32>)
// CHECK-SAME:    outs(%[[S:[^:]*]]: !tile.view<?x?x?xf32>, %[[Y:[^:]*]]: !tile.view<?x?xf32>)
// CHECK:       params {BN = 4 in [4, 16], D = dim(%[[S]], 2)}
// CHECK-NEXT:  grid [dim(%[[S]], 0)]
// CHECK:       %[[B:.*]] = tile.block_id 0
// CHECK:       %[[P:.*]] = arith.index_cast
// CHECK:       %[[SB:.*]] = tile.select %[[S]][%[[B]]]
// CHECK:       %[[SD:.*]] = tile.subview %[[SB]] [%[[P]], 0] [%c1,
// CHECK:       %[[T:.*]] = tile.load {{.*}} [1, D]
// CHECK:       %[[ROW:.*]] = arith.addf %[[T]], %[[T]] : tensor<1x?xf32>
// CHECK:       %[[FRONT:.*]] = tile.subview %[[SB]] [0, 0] [%[[P]],
// CHECK:       %[[STEPS:.*]] = tile.num_tiles %[[FRONT]], 0
// CHECK:       %[[SUM:.*]] = scf.for {{.*}} to %[[STEPS]]
// CHECK:         tile.load %[[FRONT]]
// CHECK:       %[[ALL:.*]] = arith.addf %[[SUM]], %[[ROW]] : tensor<1x?xf32>
// CHECK:       tile.store %[[ALL]], %[[Y]]
// CHECK:       tile.store %[[ROW]], %[[SD]]
// CHECK-LABEL: func.func @appends
// CHECK:       %[[R:.*]]:2 = tile.launch @append.sum_rows
// CHECK-NEXT:  return %[[R]]#1, %[[R]]#0
func.func @appends(%at: tensor<?xi32>, %s: tensor<?x64x8xf32>) -> (tensor<?x8xf32>, tensor<?x64x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi32>
  %y = tensor.empty(%n) : tensor<?x8xf32>
  %x1 = tensor.empty(%n) : tensor<?x8xf32>
  %a = tile.launch @append ins(%x1, %at) outs(%s) : (tensor<?x8xf32>, tensor<?xi32>, tensor<?x64x8xf32>) -> tensor<?x64x8xf32>
  %r = tile.launch @sum_rows ins(%a, %at) outs(%y) : (tensor<?x64x8xf32>, tensor<?xi32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r, %a : tensor<?x8xf32>, tensor<?x64x8xf32>
}
