// Gated linear attention with a gate for each key element: beside the state of a warp group, threads would hold chunks of
// gates, queries and keys in f32; ptxas says so, and the kernel is planned with twice as many warps and no producer.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --arch=sm_90a --arg=q=128x2048x128xbf16,kk=128x2048x128xbf16,vv=128x2048x128xbf16,o=128x2048x128xbf16,g=128x2048x128xf32,beta=128x2048xf32 --emit=report | FileCheck %s

// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK: tile: 8 warps without a producer: with 4 and a producer, ptxas reports problems

tile.kernel @gated(%q: !tile.view<?x?x128xbf16>, %kk: !tile.view<?x?x128xbf16>, %vv: !tile.view<?x?x128xbf16>, %g: !tile.view<?x?x128xf32>, %beta: !tile.view<?x?xf32>) outs(%o: !tile.view<?x?x128xbf16>)
    grid [2, dim(%q, 0)] {
  %v1 = tile.block_id 0
  %v2 = tile.block_id 1
  %v3 = tile.iota [64] : tensor<64xi32>
  %v4 = tile.expand_dims %v3, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %v5 = tile.iota [64] : tensor<64xi32>
  %v6 = tile.expand_dims %v5, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %v7 = tile.num_tiles %q, 1 by [64] : !tile.view<?x?x128xbf16>
  %v8 = arith.constant dense<0.0> : tensor<128x64xf32>
  %v9 = arith.constant 0 : index
  %v10 = arith.constant 1 : index
  %v13 = scf.for %v11 = %v9 to %v7 step %v10 iter_args(%v12 = %v8) -> (tensor<128x64xf32>) {
    %v14 = arith.constant 0 : index
    %v15 = tile.load %q[%v2, %v11, %v14] [1, 64, 128] : !tile.view<?x?x128xbf16> -> tensor<1x64x128xbf16>
    %v16 = tile.reshape %v15 [64, 128] : tensor<1x64x128xbf16> -> tensor<64x128xbf16>
    %v17 = arith.constant 0 : index
    %v18 = tile.load %kk[%v2, %v11, %v17] [1, 64, 128] : !tile.view<?x?x128xbf16> -> tensor<1x64x128xbf16>
    %v19 = tile.reshape %v18 [64, 128] : tensor<1x64x128xbf16> -> tensor<64x128xbf16>
    %v20 = tile.load %vv[%v2, %v11, %v1] [1, 64, 64] : !tile.view<?x?x128xbf16> -> tensor<1x64x64xbf16>
    %v21 = tile.reshape %v20 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %v22 = arith.constant 0 : index
    %v23 = tile.load %g[%v2, %v11, %v22] [1, 64, 128] : !tile.view<?x?x128xf32> -> tensor<1x64x128xf32>
    %v24 = tile.reshape %v23 [64, 128] : tensor<1x64x128xf32> -> tensor<64x128xf32>
    %v25 = tile.scan add %v24 axis 0 : tensor<64x128xf32>
    %v26 = tile.reduce add %v24 axis 0 keepdims : tensor<64x128xf32> -> tensor<1x128xf32>
    %v27 = tile.cast %v16 : tensor<64x128xbf16> to tensor<64x128xf32>
    %v28 = math.exp %v25 : tensor<64x128xf32>
    %v29 = arith.mulf %v27, %v28 : tensor<64x128xf32>
    %v30 = tile.cast %v29 : tensor<64x128xf32> to tensor<64x128xbf16>
    %v31 = tile.cast %v19 : tensor<64x128xbf16> to tensor<64x128xf32>
    %v32 = arith.negf %v25 : tensor<64x128xf32>
    %v33 = math.exp %v32 : tensor<64x128xf32>
    %v34 = arith.mulf %v31, %v33 : tensor<64x128xf32>
    %v35 = tile.cast %v34 : tensor<64x128xf32> to tensor<64x128xbf16>
    %v36 = tile.broadcast %v4 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %v37 = tile.broadcast %v6 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %v38 = arith.cmpi sge, %v36, %v37 : tensor<64x64xi32>
    %v39 = arith.constant dense<0.0> : tensor<64x64xf32>
    %v40 = tile.dot %v30, %v35, %v39 transpose_b : tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %v41 = arith.constant dense<0.0> : tensor<64x64xf32>
    %v42 = arith.select %v38, %v40, %v41 : tensor<64x64xi1>, tensor<64x64xf32>
    %v43 = tile.cast %v42 : tensor<64x64xf32> to tensor<64x64xbf16>
    %v44 = tile.cast %v12 : tensor<128x64xf32> to tensor<128x64xbf16>
    %v45 = arith.constant dense<0.0> : tensor<64x64xf32>
    %v46 = tile.dot %v30, %v44, %v45 : tensor<64x128xbf16>, tensor<128x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %v47 = tile.dot %v43, %v21, %v46 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %v48 = tile.cast %v19 : tensor<64x128xbf16> to tensor<64x128xf32>
    %v49 = tile.broadcast %v26 [64, 128] : tensor<1x128xf32> -> tensor<64x128xf32>
    %v50 = arith.subf %v49, %v25 : tensor<64x128xf32>
    %v51 = math.exp %v50 : tensor<64x128xf32>
    %v52 = arith.mulf %v48, %v51 : tensor<64x128xf32>
    %v53 = tile.cast %v52 : tensor<64x128xf32> to tensor<64x128xbf16>
    %v54 = math.exp %v26 : tensor<1x128xf32>
    %v55 = tile.reshape %v54 [128, 1] : tensor<1x128xf32> -> tensor<128x1xf32>
    %v56 = tile.broadcast %v55 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %v57 = arith.mulf %v12, %v56 : tensor<128x64xf32>
    %v58 = tile.dot %v53, %v21, %v57 transpose_a : tensor<64x128xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %v59 = tile.cast %v47 : tensor<64x64xf32> to tensor<64x64xbf16>
    %v60 = tile.reshape %v59 [1, 64, 64] : tensor<64x64xbf16> -> tensor<1x64x64xbf16>
    tile.store %v60, %o[%v2, %v11, %v1] : tensor<1x64x64xbf16>, !tile.view<?x?x128xbf16>
    scf.yield %v58 : tensor<128x64xf32>
  }
}
