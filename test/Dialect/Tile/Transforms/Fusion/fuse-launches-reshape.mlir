// A reshape that only inserts or drops unit axes keeps elements in place; others do not.
// RUN: tilegpt-opt %s --tile-fuse-launches=mode=list 2>&1 >/dev/null | FileCheck %s --check-prefix=LIST
// RUN: tilegpt-opt %s --tile-fuse-launches --canonicalize --cse | FileCheck %s

// LIST: remark: @double and @scale_rows: epilogue, saves
// LIST: remark: @double and @row: prologue, saves
// LIST: remark: @wide and @row: no epilogue: @row reduces or reorders axis 0, of which a tile of @wide has a part; no prologue
// LIST: remark: @double and @fold: no epilogue: @fold also uses its tile size D for something else; no prologue: @fold combines elements along axis 0, of which it loads a part

!V = !tile.view<?x?xf32>
!F = !tile.view<?xf32>
tile.kernel @double(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> tensor<?x?xf32>
  %r = arith.addf %t, %t : tensor<?x?xf32>
  tile.store %r, %y[%m, %n] : tensor<?x?xf32>, !V
}
tile.kernel @wide(%x: !V) outs(%y: !V) params {BM = 4 in [4, 8], C = dim(%x, 1)} grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !V -> tensor<?x?xf32>
  %s = tile.reduce add %t axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %b = tile.broadcast %s [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  tile.store %b, %y[%m, %c0] : tensor<?x?xf32>, !V
}
tile.kernel @scale_rows(%x: !V, %f: !F) outs(%y: !V)
    params {R = 2 in [2, 4], D = 32 in [16, 32]}
    grid [ceildiv(dim(%y, 0), R), ceildiv(dim(%y, 1), D)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [R, D] : !V -> tensor<?x?xf32>
  %v = tile.load %f[%m] [R] : !F -> tensor<?xf32>
  %c = tile.reshape %v [R, 1] : tensor<?xf32> -> tensor<?x1xf32>
  %b = tile.broadcast %c [R, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %r = arith.mulf %t, %b : tensor<?x?xf32>
  tile.store %r, %y[%m, %n] : tensor<?x?xf32>, !V
}
// A row as a vector: it would be wrong for a tile of several rows.
tile.kernel @row(%x: !V) outs(%y: !V) params {C = dim(%x, 1)} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, C] : !V -> tensor<1x?xf32>
  %v = tile.reshape %t [C] : tensor<1x?xf32> -> tensor<?xf32>
  %s = tile.reduce add %v axis 0 keepdims : tensor<?xf32> -> tensor<1xf32>
  %b = tile.broadcast %s [C] : tensor<1xf32> -> tensor<?xf32>
  %d = arith.subf %v, %b : tensor<?xf32>
  %r = tile.reshape %d [1, C] : tensor<?xf32> -> tensor<1x?xf32>
  tile.store %r, %y[%m, %c0] : tensor<1x?xf32>, !V
}
// Elements move.
tile.kernel @fold(%x: !V) outs(%y: !V) params {R = 4 in [4, 8], D = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), R), ceildiv(dim(%y, 1), D)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [R, D] : !V -> tensor<?x?xf32>
  %f = tile.reshape %t [D, R] : tensor<?x?xf32> -> tensor<?x?xf32>
  %r = tile.reshape %f [R, D] : tensor<?x?xf32> -> tensor<?x?xf32>
  tile.store %r, %y[%m, %n] : tensor<?x?xf32>, !V
}

// The rows' factors follow the tiles of the producer.
// CHECK: tile.kernel @double.scale_rows({{.*}}, %[[F:.*]]: !tile.view<?xf32>) outs
// CHECK: %[[V:.*]] = tile.load %[[F]][%{{.*}}] [BM] : !tile.view<?xf32> -> tensor<?xf32>
// CHECK: %[[C:.*]] = tile.reshape %[[V]] [BM, 1] : tensor<?xf32> -> tensor<?x1xf32>
// CHECK: tile.broadcast %[[C]] [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>

// CHECK-LABEL: func.func @scaled(
// CHECK: tile.launch @double.scale_rows
// CHECK-NOT: tile.launch
// CHECK: return
func.func @scaled(%x: tensor<33x80xf32>, %f: tensor<33xf32>) -> tensor<33x80xf32> {
  %e = tensor.empty() : tensor<33x80xf32>
  %y = tile.launch @double ins(%x) outs(%e) : (tensor<33x80xf32>, tensor<33x80xf32>) -> tensor<33x80xf32>
  %z = tile.launch @scale_rows ins(%y, %f) outs(%e) : (tensor<33x80xf32>, tensor<33xf32>, tensor<33x80xf32>) -> tensor<33x80xf32>
  return %z : tensor<33x80xf32>
}
// CHECK-LABEL: func.func @rows(
// CHECK: tile.launch @double.row
func.func @rows(%x: tensor<33x80xf32>) -> tensor<33x80xf32> {
  %e = tensor.empty() : tensor<33x80xf32>
  %y = tile.launch @double ins(%x) outs(%e) : (tensor<33x80xf32>, tensor<33x80xf32>) -> tensor<33x80xf32>
  %z = tile.launch @row ins(%y) outs(%e) : (tensor<33x80xf32>, tensor<33x80xf32>) -> tensor<33x80xf32>
  return %z : tensor<33x80xf32>
}
func.func @rows_of_rows(%x: tensor<33x80xf32>) -> tensor<33x80xf32> {
  %e = tensor.empty() : tensor<33x80xf32>
  %y = tile.launch @wide ins(%x) outs(%e) : (tensor<33x80xf32>, tensor<33x80xf32>) -> tensor<33x80xf32>
  %z = tile.launch @row ins(%y) outs(%e) : (tensor<33x80xf32>, tensor<33x80xf32>) -> tensor<33x80xf32>
  return %z : tensor<33x80xf32>
}
func.func @folded(%x: tensor<33x80xf32>) -> tensor<33x80xf32> {
  %e = tensor.empty() : tensor<33x80xf32>
  %y = tile.launch @double ins(%x) outs(%e) : (tensor<33x80xf32>, tensor<33x80xf32>) -> tensor<33x80xf32>
  %z = tile.launch @fold ins(%y) outs(%e) : (tensor<33x80xf32>, tensor<33x80xf32>) -> tensor<33x80xf32>
  return %z : tensor<33x80xf32>
}
