// ptxas spills this kernel with room for two blocks; as for a cubin, the PTX leaves room for one.
// RUN: %if ptxas %{ tilegpt-opt %s --arg=x=512x2048xf32 --emit=ptx 2>/dev/null | FileCheck %s --check-prefix=PTX %}
// PTX: .reqntid 512
// PTX-NEXT: .minnctapersm 1

// Without ptxas, or with one that does not know the architecture, the limit is an estimate.
// RUN: env TILEGPT_PTXAS=off tilegpt-opt %s --arg=x=512x2048xf32 --emit=ptx 2>&1 | FileCheck %s --check-prefix=ESTIMATE --implicit-check-not=warning
// RUN: env TILEGPT_PTXAS=/bin/false tilegpt-opt %s --arg=x=512x2048xf32 --emit=ptx 2>&1 | FileCheck %s --check-prefixes=NONE,ESTIMATE
// RUN: rm -rf %t && mkdir %t && printf '#!/bin/sh\ntest "$1" = --version && echo "Cuda compilation tools, release 9.0, V9.0.1"\n' > %t/ptxas && chmod +x %t/ptxas
// RUN: env TILEGPT_PTXAS=%t/ptxas tilegpt-opt %s --arg=x=512x2048xf32 --emit=ptx 2>&1 | FileCheck %s --check-prefixes=OLD,ESTIMATE
// NONE: tilegpt-opt: warning: ptxas: '/bin/false --version' does not answer as ptxas does; register limits of PTX are estimates
// OLD: tilegpt-opt: warning: ptxas: {{.*}}/ptxas 9.0.1 does not support sm_90a; register limits of PTX are estimates
// ESTIMATE: .reqntid 512
// ESTIMATE-NEXT: .minnctapersm 2

tile.kernel @rank_sort(%x: !tile.view<?x?xf32>) outs(%s: !tile.view<?x?xf32>, %ix: !tile.view<?x?xi32>)
    params {C = dim(%x, 1)}
    grid [dim(%x, 0)] {
  %v1 = tile.block_id 0
  %v2 = arith.constant 0 : index
  %v3 = tile.load %x[%v1, %v2] [1, C] : !tile.view<?x?xf32> -> tensor<1x?xf32>
  %v4 = tile.iota [C] : tensor<?xi32>
  %v5 = tile.param C
  %v6 = tile.num_tiles %x, 1 by [16] : !tile.view<?x?xf32>
  %v7 = tile.select %x[%v1] : !tile.view<?x?xf32> -> !tile.view<?xf32>
  %v8 = arith.constant 0 : i32
  %v9 = tile.splat %v8 [1, C] : i32 -> tensor<1x?xi32>
  %v10 = arith.constant 0 : index
  %v11 = arith.constant 1 : index
  %v14:1 = scf.for %v12 = %v10 to %v6 step %v11 iter_args(%v13 = %v9) -> (tensor<1x?xi32>) {
    %v15 = tile.load %v7[%v12] [16] pad(pos_inf) : !tile.view<?xf32> -> tensor<16xf32>
    %v16 = tile.expand_dims %v15, 1 : tensor<16xf32> -> tensor<16x1xf32>
    %v17 = tile.iota [16] : tensor<16xi32>
    %v18 = arith.constant 16 : index
    %v19 = arith.muli %v12, %v18 : index
    %v20 = arith.index_cast %v19 : index to i32
    %v21 = tile.splat %v20 [16] : i32 -> tensor<16xi32>
    %v22 = arith.addi %v17, %v21 : tensor<16xi32>
    %v23 = tile.expand_dims %v22, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %v24 = arith.index_cast %v5 : index to i32
    %v25 = tile.splat %v24 [16, 1] : i32 -> tensor<16x1xi32>
    %v26 = arith.cmpi slt, %v23, %v25 : tensor<16x1xi32>
    %v27 = tile.broadcast %v16 [16, C] : tensor<16x1xf32> -> tensor<16x?xf32>
    %v28 = tile.broadcast %v3 [16, C] : tensor<1x?xf32> -> tensor<16x?xf32>
    %v29 = arith.cmpf olt, %v27, %v28 : tensor<16x?xf32>
    %v30 = tile.broadcast %v16 [16, C] : tensor<16x1xf32> -> tensor<16x?xf32>
    %v31 = tile.broadcast %v3 [16, C] : tensor<1x?xf32> -> tensor<16x?xf32>
    %v32 = arith.cmpf oeq, %v30, %v31 : tensor<16x?xf32>
    %v33 = tile.broadcast %v23 [16, C] : tensor<16x1xi32> -> tensor<16x?xi32>
    %v34 = tile.broadcast %v4 [16, C] : tensor<?xi32> -> tensor<16x?xi32>
    %v35 = arith.cmpi slt, %v33, %v34 : tensor<16x?xi32>
    %v36 = arith.andi %v32, %v35 : tensor<16x?xi1>
    %v37 = arith.ori %v29, %v36 : tensor<16x?xi1>
    %v38 = tile.broadcast %v26 [16, C] : tensor<16x1xi1> -> tensor<16x?xi1>
    %v39 = arith.andi %v37, %v38 : tensor<16x?xi1>
    %v40 = arith.extui %v39 : tensor<16x?xi1> to tensor<16x?xi32>
    %v41 = tile.reduce add %v40 axis 0 keepdims : tensor<16x?xi32> -> tensor<1x?xi32>
    %v42 = arith.addi %v13, %v41 : tensor<1x?xi32>
    scf.yield %v42 : tensor<1x?xi32>
  }
  %v43 = tile.reshape %v14#0 [C] : tensor<1x?xi32> -> tensor<?xi32>
  %v44 = tile.reshape %v3 [C] : tensor<1x?xf32> -> tensor<?xf32>
  %v45 = tile.select %s[%v1] : !tile.view<?x?xf32> -> !tile.view<?xf32>
  tile.scatter %v44, %v45[] at %v43 axis 0 : tensor<?xf32>, !tile.view<?xf32>, tensor<?xi32>
  %v46 = tile.select %ix[%v1] : !tile.view<?x?xi32> -> !tile.view<?xi32>
  tile.scatter %v4, %v46[] at %v43 axis 0 : tensor<?xi32>, !tile.view<?xi32>, tensor<?xi32>
}
