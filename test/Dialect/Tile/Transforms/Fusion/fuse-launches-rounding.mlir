// Fusion removes the rounding to the type of the tensor between two kernels, not the roundings that a kernel asks for.
// RUN: tilegpt-opt %s --tile-fuse-launches --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-fuse-launches=exact --split-input-file | FileCheck %s --check-prefix=EXACT

!V = !tile.view<?x?xbf16>
tile.kernel @double(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> tensor<?x?xbf16>
  %f = tile.cast %t : tensor<?x?xbf16> to tensor<?x?xf32>
  %r = arith.addf %f, %f : tensor<?x?xf32>
  %o = tile.cast %r : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %o, %y[%m, %n] : tensor<?x?xbf16>, !V
}
// CHECK-LABEL: tile.kernel @double.quantize
// CHECK:         %[[SUM:.*]] = arith.addf
// CHECK-NEXT:    %[[QUANTIZED:.*]] = tile.cast %[[SUM]] : tensor<?x?xf32> to tensor<?x?xf8E5M2>
// CHECK-NEXT:    %[[F:.*]] = tile.cast %[[QUANTIZED]] : tensor<?x?xf8E5M2> to tensor<?x?xf32>
// CHECK-NEXT:    %[[NEG:.*]] = arith.negf %[[F]]
// CHECK-NEXT:    %[[OUT:.*]] = tile.cast %[[NEG]] : tensor<?x?xf32> to tensor<?x?xbf16>
// CHECK-NEXT:    tile.store %[[OUT]]

// EXACT-LABEL: tile.kernel @double.quantize
// EXACT:         %[[SUM:.*]] = arith.addf
// EXACT-NEXT:    %[[ROUNDED:.*]] = tile.cast %[[SUM]] : tensor<?x?xf32> to tensor<?x?xbf16>
// EXACT-NEXT:    %[[READ:.*]] = tile.cast %[[ROUNDED]] : tensor<?x?xbf16> to tensor<?x?xf32>
// EXACT-NEXT:    %[[QUANTIZED:.*]] = tile.cast %[[READ]] : tensor<?x?xf32> to tensor<?x?xf8E5M2>
// EXACT-NEXT:    tile.cast %[[QUANTIZED]] : tensor<?x?xf8E5M2> to tensor<?x?xf32>
tile.kernel @quantize(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> tensor<?x?xbf16>
  %f = tile.cast %t : tensor<?x?xbf16> to tensor<?x?xf32>
  %q = tile.cast %f : tensor<?x?xf32> to tensor<?x?xf8E5M2>
  %g = tile.cast %q : tensor<?x?xf8E5M2> to tensor<?x?xf32>
  %r = arith.negf %g : tensor<?x?xf32>
  %o = tile.cast %r : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %o, %y[%m, %n] : tensor<?x?xbf16>, !V
}
func.func @asked_for(%x: tensor<8x128xbf16>) -> tensor<8x128xbf16> {
  %e = tensor.empty() : tensor<8x128xbf16>
  %0 = tile.launch @double ins(%x) outs(%e) : (tensor<8x128xbf16>, tensor<8x128xbf16>) -> tensor<8x128xbf16>
  %1 = tile.launch @quantize ins(%0) outs(%e) : (tensor<8x128xbf16>, tensor<8x128xbf16>) -> tensor<8x128xbf16>
  return %1 : tensor<8x128xbf16>
}

// -----

// A producer of a fixed type, whose consumer has a variable for it and starts with a cast.
!V = !tile.view<?x?xf32>
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @double(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> tensor<?x?xf32>
  %r = arith.addf %t, %t : tensor<?x?xf32>
  tile.store %r, %y[%m, %n] : tensor<?x?xf32>, !V
}
// CHECK-LABEL: tile.kernel @double.max_row
// CHECK:         %[[SUM:.*]] = arith.addf
// CHECK:         tile.reduce max %[[SUM]] axis 1 keepdims
tile.kernel @max_row(%x: !X) outs(%y: !V)
    params {BM = 4 in [1, 4], C = dim(%x, 1), X: type = f32 in [f32, bf16]} grid [ceildiv(dim(%x, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %f = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %s = tile.reduce max %f axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %b = tile.broadcast %s [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  tile.store %b, %y[%m, %c0] : tensor<?x?xf32>, !V
}
func.func @variable(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %e = tensor.empty() : tensor<8x128xf32>
  %0 = tile.launch @double ins(%x) outs(%e) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  %1 = tile.launch @max_row ins(%0) outs(%e) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  return %1 : tensor<8x128xf32>
}
