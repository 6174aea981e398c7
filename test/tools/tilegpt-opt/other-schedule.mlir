// Gradients of keys and values of causal attention: beside the scores of the next iteration, ptxas has no registers for the
// dots of the sums and serializes all of them; it does not if they complete in their iteration.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --arch=sm_90a --arg=q=64x2048x64xbf16,kk=64x2048x64xbf16,vv=64x2048x64xbf16,dy=64x2048x64xbf16,lse=64x2048xf32,dl=64x2048xf32,dk=64x2048x64xbf16,dv=64x2048x64xbf16 --emit=report | FileCheck %s

// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: C75
// CHECK: dot: dots complete in their iteration: beside those of the next one, ptxas serializes them

tile.kernel @gradients(%q: !tile.view<?x?x64xbf16>, %kk: !tile.view<?x?x64xbf16>, %vv: !tile.view<?x?x64xbf16>, %dy: !tile.view<?x?x64xbf16>, %lse: !tile.view<?x?xf32>, %dl: !tile.view<?x?xf32>) outs(%dk: !tile.view<?x?x64xbf16>, %dv: !tile.view<?x?x64xbf16>)
    grid [ceildiv(dim(%kk, 1), 64), dim(%q, 0)] {
  %v1 = tile.block_id 0
  %v2 = tile.block_id 1
  %v3 = arith.constant 0 : index
  %v4 = tile.load %kk[%v2, %v1, %v3] [1, 64, 64] : !tile.view<?x?x64xbf16> -> tensor<1x64x64xbf16>
  %v5 = tile.reshape %v4 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
  %v6 = arith.constant 0 : index
  %v7 = tile.load %vv[%v2, %v1, %v6] [1, 64, 64] : !tile.view<?x?x64xbf16> -> tensor<1x64x64xbf16>
  %v8 = tile.reshape %v7 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
  %v9 = arith.constant 64 : index
  %v10 = tile.iota [64] : tensor<64xi32>
  %v11 = arith.muli %v1, %v9 : index
  %v12 = arith.index_cast %v11 : index to i32
  %v13 = tile.splat %v12 [64] : i32 -> tensor<64xi32>
  %v14 = arith.addi %v10, %v13 : tensor<64xi32>
  %v15 = tile.expand_dims %v14, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %v16 = arith.constant dense<0.0> : tensor<64x64xf32>
  %v17 = arith.constant 64 : index
  %v18 = arith.muli %v1, %v17 : index
  %v19 = arith.constant 64 : index
  %v20 = arith.divui %v18, %v19 : index
  %v21 = tile.num_tiles %q, 1 by [64] : !tile.view<?x?x64xbf16>
  %v22 = arith.constant 1 : index
  %v26, %v27 = scf.for %v23 = %v20 to %v21 step %v22 iter_args(%v24 = %v16, %v25 = %v16) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %v28 = arith.constant 0 : index
    %v29 = tile.load %q[%v2, %v23, %v28] [1, 64, 64] : !tile.view<?x?x64xbf16> -> tensor<1x64x64xbf16>
    %v30 = tile.reshape %v29 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %v31 = arith.constant 0 : index
    %v32 = tile.load %dy[%v2, %v23, %v31] [1, 64, 64] : !tile.view<?x?x64xbf16> -> tensor<1x64x64xbf16>
    %v33 = tile.reshape %v32 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %v34 = tile.load %lse[%v2, %v23] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %v35 = tile.reshape %v34 [64] : tensor<1x64xf32> -> tensor<64xf32>
    %v36 = tile.expand_dims %v35, 1 : tensor<64xf32> -> tensor<64x1xf32>
    %v37 = tile.load %dl[%v2, %v23] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %v38 = tile.reshape %v37 [64] : tensor<1x64xf32> -> tensor<64xf32>
    %v39 = tile.expand_dims %v38, 1 : tensor<64xf32> -> tensor<64x1xf32>
    %v40 = arith.constant dense<0.0> : tensor<64x64xf32>
    %v41 = tile.dot %v30, %v5, %v40 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %v42 = arith.constant dense<0.125> : tensor<64x64xf32>
    %v43 = arith.mulf %v41, %v42 : tensor<64x64xf32>
    %v44 = tile.broadcast %v36 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %v45 = arith.subf %v43, %v44 : tensor<64x64xf32>
    %v46 = math.exp %v45 : tensor<64x64xf32>
    %v47 = arith.constant 64 : index
    %v48 = tile.iota [64] : tensor<64xi32>
    %v49 = arith.muli %v23, %v47 : index
    %v50 = arith.index_cast %v49 : index to i32
    %v51 = tile.splat %v50 [64] : i32 -> tensor<64xi32>
    %v52 = arith.addi %v48, %v51 : tensor<64xi32>
    %v53 = tile.expand_dims %v52, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %v54 = tile.broadcast %v53 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %v55 = tile.broadcast %v15 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %v56 = arith.cmpi sge, %v54, %v55 : tensor<64x64xi32>
    %v57 = arith.constant dense<0.0> : tensor<64x64xf32>
    %v58 = arith.select %v56, %v46, %v57 : tensor<64x64xi1>, tensor<64x64xf32>
    %v59 = tile.cast %v58 : tensor<64x64xf32> to tensor<64x64xbf16>
    %v60 = tile.dot %v59, %v33, %v25 transpose_a : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %v61 = arith.constant dense<0.0> : tensor<64x64xf32>
    %v62 = tile.dot %v33, %v8, %v61 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %v63 = tile.broadcast %v39 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %v64 = arith.subf %v62, %v63 : tensor<64x64xf32>
    %v65 = arith.mulf %v58, %v64 : tensor<64x64xf32>
    %v66 = arith.constant dense<0.125> : tensor<64x64xf32>
    %v67 = arith.mulf %v65, %v66 : tensor<64x64xf32>
    %v68 = tile.cast %v67 : tensor<64x64xf32> to tensor<64x64xbf16>
    %v69 = tile.dot %v68, %v30, %v24 transpose_a : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %v69, %v60 : tensor<64x64xf32>, tensor<64x64xf32>
  }
  %v70 = tile.cast %v26 : tensor<64x64xf32> to tensor<64x64xbf16>
  %v71 = tile.reshape %v70 [1, 64, 64] : tensor<64x64xbf16> -> tensor<1x64x64xbf16>
  %v72 = arith.constant 0 : index
  tile.store %v71, %dk[%v2, %v1, %v72] : tensor<1x64x64xbf16>, !tile.view<?x?x64xbf16>
  %v73 = tile.cast %v27 : tensor<64x64xf32> to tensor<64x64xbf16>
  %v74 = tile.reshape %v73 [1, 64, 64] : tensor<64x64xbf16> -> tensor<1x64x64xbf16>
  %v75 = arith.constant 0 : index
  tile.store %v74, %dv[%v2, %v1, %v75] : tensor<1x64x64xbf16>, !tile.view<?x?x64xbf16>
}
