// Kernels whose indices are data: routed, sparse, paged and recurrent ones.
// TYPES: bf16

// A product with the weights of an expert, for tiles of rows sorted by expert: sizes that only the launch knows.
// CASE @grouped_gemm rounded K=100: 175x100xf16=random:1 3x70x100xf16=random:2 5xi32=0,1,1,2,2 5xi32=0,10,74,110,174 4xi32=0,10,110,175 -> 175x70xf32
// CASE @grouped_gemm rounded K=32: 1x32xf16=random:1 1x64x32xf16=random:2 1xi32=0 1xi32=0 2xi32=0,1 -> 1x64xf32
tile.kernel @grouped_gemm(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?x?xf16>, %te: !tile.view<?xi32>, %tr: !tile.view<?xi32>, %off: !tile.view<?xi32>)
    outs(%y: !tile.view<?x?xf32>)
    grid [dim(%te, 0), ceildiv(dim(%y, 1), 64)] {
  %v0 = tile.block_id 0
  %v1 = tile.block_id 1
  %v2 = tile.load %te[%v0] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %v3 = arith.constant 0 : index
  %v4 = tensor.extract %v2[%v3] : tensor<1xi32>
  %v5 = arith.index_cast %v4 : i32 to index
  %v6 = tile.load %tr[%v0] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %v7 = arith.constant 0 : index
  %v8 = tensor.extract %v6[%v7] : tensor<1xi32>
  %v9 = arith.constant 1 : index
  %v10 = arith.addi %v5, %v9 : index
  %v11 = tile.load %off[%v10] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %v12 = arith.constant 0 : index
  %v13 = tensor.extract %v11[%v12] : tensor<1xi32>
  %v14 = tile.iota [64] : tensor<64xi32>
  %v15 = tile.splat %v8 [64] : i32 -> tensor<64xi32>
  %v16 = arith.addi %v14, %v15 : tensor<64xi32>
  %v17 = tile.splat %v13 [64] : i32 -> tensor<64xi32>
  %v18 = arith.cmpi slt, %v16, %v17 : tensor<64xi32>
  %v19 = arith.constant dense<-1> : tensor<64xi32>
  %v20 = arith.select %v18, %v16, %v19 : tensor<64xi1>, tensor<64xi32>
  %v21 = tile.num_tiles %x, 1 by [32] : !tile.view<?x?xf16>
  %v22 = arith.constant dense<0.0> : tensor<64x64xf32>
  %v23 = arith.constant 0 : index
  %v24 = arith.constant 1 : index
  %r26:1 = scf.for %i26 = %v23 to %v21 step %v24 iter_args(%a26_0 = %v22) -> (tensor<64x64xf32>) {
    %v26 = tile.gather %x[%i26] at %v20 axis 0 [64, 32] : !tile.view<?x?xf16>, tensor<64xi32> -> tensor<64x32xf16>
    %v27 = tile.load %w[%v5, %v1, %i26] [1, 64, 32] : !tile.view<?x?x?xf16> -> tensor<1x64x32xf16>
    %v28 = tile.reshape %v27 [64, 32] : tensor<1x64x32xf16> -> tensor<64x32xf16>
    %v29 = tile.dot %v26, %v28, %a26_0 transpose_b : tensor<64x32xf16>, tensor<64x32xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %v29 : tensor<64x64xf32>
  }
  tile.scatter %r26#0, %y[%v1] at %v20 axis 0 : tensor<64x64xf32>, !tile.view<?x?xf32>, tensor<64xi32>
}

// A product of a sparse matrix (CSR) and a dense one; the first row is empty.
// CASE @csr_spmm rounded K=40: 4xi32=0,0,3,40 40xi32=0,7,9,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36 40xf32=random:1 50x70xf32=random:2 -> 3x70xf32
tile.kernel @csr_spmm(%ptr: !tile.view<?xi32>, %col: !tile.view<?xi32>, %val: !tile.view<?xf32>, %x: !tile.view<?x?xf32>)
    outs(%y: !tile.view<?x?xf32>)
    grid [dim(%y, 0), ceildiv(dim(%y, 1), 64)] {
  %v0 = tile.block_id 0
  %v1 = tile.block_id 1
  %v2 = tile.load %ptr[%v0] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %v3 = arith.constant 0 : index
  %v4 = tensor.extract %v2[%v3] : tensor<1xi32>
  %v5 = arith.index_cast %v4 : i32 to index
  %v6 = arith.constant 1 : index
  %v7 = arith.addi %v0, %v6 : index
  %v8 = tile.load %ptr[%v7] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %v9 = arith.constant 0 : index
  %v10 = tensor.extract %v8[%v9] : tensor<1xi32>
  %v11 = arith.index_cast %v10 : i32 to index
  %v12 = tile.base %col : !tile.view<?xi32> -> !tile.ptr<i32>
  %v13 = tile.base %val : !tile.view<?xf32> -> !tile.ptr<f32>
  %v14 = arith.constant dense<0.0> : tensor<1x64xf32>
  %v15 = arith.constant 32 : index
  %r17:1 = scf.for %i17 = %v5 to %v11 step %v15 iter_args(%a17_0 = %v14) -> (tensor<1x64xf32>) {
    %v17 = tile.iota [32] : tensor<32xi32>
    %v18 = arith.index_cast %i17 : index to i32
    %v19 = tile.splat %v18 [32] : i32 -> tensor<32xi32>
    %v20 = arith.addi %v17, %v19 : tensor<32xi32>
    %v21 = arith.index_cast %v11 : index to i32
    %v22 = tile.splat %v21 [32] : i32 -> tensor<32xi32>
    %v23 = arith.cmpi slt, %v20, %v22 : tensor<32xi32>
    %v24 = tile.load_at %v12[%v20] pad(minus_one) mask(%v23 : tensor<32xi1>) : !tile.ptr<i32>, tensor<32xi32> -> tensor<32xi32>
    %v25 = tile.load_at %v13[%v20] mask(%v23 : tensor<32xi1>) : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
    %v26 = tile.gather %x[%v1] at %v24 axis 0 [32, 64] : !tile.view<?x?xf32>, tensor<32xi32> -> tensor<32x64xf32>
    %v27 = tile.expand_dims %v25, 1 : tensor<32xf32> -> tensor<32x1xf32>
    %v28 = tile.broadcast %v27 [32, 64] : tensor<32x1xf32> -> tensor<32x64xf32>
    %v29 = arith.mulf %v26, %v28 : tensor<32x64xf32>
    %v30 = tile.reduce add %v29 axis 0 keepdims : tensor<32x64xf32> -> tensor<1x64xf32>
    %v31 = arith.addf %a17_0, %v30 : tensor<1x64xf32>
    scf.yield %v31 : tensor<1x64xf32>
  }
  tile.store %r17#0, %y[%v0, %v1] : tensor<1x64xf32>, !tile.view<?x?xf32>
}

// Weights of 4 bits (e2m1) in blocks of 32 with a power of two as scale.
// CASE @mxfp4_linear rounded K=128: 33x128xf16=random:1 70x64xi8=random:2 70x4xi8=127 -> 33x70xf32
tile.kernel @mxfp4_linear(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xi8>, %s: !tile.view<?x?xi8>)
    outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 64)] {
  %v0 = tile.block_id 0
  %v1 = tile.block_id 1
  %v2 = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xf16>
  %v3 = arith.constant dense<0.0> : tensor<64x64xf32>
  %v4 = arith.constant 0 : index
  %v5 = arith.constant 1 : index
  %r7:1 = scf.for %i7 = %v4 to %v2 step %v5 iter_args(%a7_0 = %v3) -> (tensor<64x64xf32>) {
    %v7 = tile.load %x[%v0, %i7] [64, 64] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %v8 = tile.load %w[%v1, %i7] [64, 32] : !tile.view<?x?xi8> -> tensor<64x32xi8>
    %v9 = tile.load %s[%v1, %i7] [64, 2] : !tile.view<?x?xi8> -> tensor<64x2xi8>
    %v10 = arith.constant dense<15> : tensor<64x32xi8>
    %v11 = arith.andi %v8, %v10 : tensor<64x32xi8>
    %v12 = arith.constant dense<4> : tensor<64x32xi8>
    %v13 = arith.shrui %v8, %v12 : tensor<64x32xi8>
    %v14 = arith.constant dense<15> : tensor<64x32xi8>
    %v15 = arith.andi %v13, %v14 : tensor<64x32xi8>
    %v16 = arith.extsi %v11 : tensor<64x32xi8> to tensor<64x32xi32>
    %v17 = arith.constant dense<7> : tensor<64x32xi32>
    %v18 = arith.andi %v16, %v17 : tensor<64x32xi32>
    %v19 = arith.constant dense<1> : tensor<64x32xi32>
    %v20 = arith.shrui %v18, %v19 : tensor<64x32xi32>
    %v21 = arith.constant dense<1> : tensor<64x32xi32>
    %v22 = arith.andi %v18, %v21 : tensor<64x32xi32>
    %v23 = arith.constant dense<126> : tensor<64x32xi32>
    %v24 = arith.addi %v20, %v23 : tensor<64x32xi32>
    %v25 = arith.constant dense<23> : tensor<64x32xi32>
    %v26 = arith.shli %v24, %v25 : tensor<64x32xi32>
    %v27 = arith.constant dense<22> : tensor<64x32xi32>
    %v28 = arith.shli %v22, %v27 : tensor<64x32xi32>
    %v29 = arith.ori %v26, %v28 : tensor<64x32xi32>
    %v30 = arith.constant dense<0> : tensor<64x32xi32>
    %v31 = arith.cmpi eq, %v20, %v30 : tensor<64x32xi32>
    %v32 = arith.sitofp %v22 : tensor<64x32xi32> to tensor<64x32xf32>
    %v33 = arith.constant dense<0.5> : tensor<64x32xf32>
    %v34 = arith.mulf %v32, %v33 : tensor<64x32xf32>
    %v35 = arith.bitcast %v29 : tensor<64x32xi32> to tensor<64x32xf32>
    %v36 = arith.select %v31, %v34, %v35 : tensor<64x32xi1>, tensor<64x32xf32>
    %v37 = arith.constant dense<8> : tensor<64x32xi32>
    %v38 = arith.andi %v16, %v37 : tensor<64x32xi32>
    %v39 = arith.constant dense<0> : tensor<64x32xi32>
    %v40 = arith.cmpi eq, %v38, %v39 : tensor<64x32xi32>
    %v41 = arith.negf %v36 : tensor<64x32xf32>
    %v42 = arith.select %v40, %v36, %v41 : tensor<64x32xi1>, tensor<64x32xf32>
    %v43 = tile.expand_dims %v42, 2 : tensor<64x32xf32> -> tensor<64x32x1xf32>
    %v44 = arith.extsi %v15 : tensor<64x32xi8> to tensor<64x32xi32>
    %v45 = arith.constant dense<7> : tensor<64x32xi32>
    %v46 = arith.andi %v44, %v45 : tensor<64x32xi32>
    %v47 = arith.constant dense<1> : tensor<64x32xi32>
    %v48 = arith.shrui %v46, %v47 : tensor<64x32xi32>
    %v49 = arith.constant dense<1> : tensor<64x32xi32>
    %v50 = arith.andi %v46, %v49 : tensor<64x32xi32>
    %v51 = arith.constant dense<126> : tensor<64x32xi32>
    %v52 = arith.addi %v48, %v51 : tensor<64x32xi32>
    %v53 = arith.constant dense<23> : tensor<64x32xi32>
    %v54 = arith.shli %v52, %v53 : tensor<64x32xi32>
    %v55 = arith.constant dense<22> : tensor<64x32xi32>
    %v56 = arith.shli %v50, %v55 : tensor<64x32xi32>
    %v57 = arith.ori %v54, %v56 : tensor<64x32xi32>
    %v58 = arith.constant dense<0> : tensor<64x32xi32>
    %v59 = arith.cmpi eq, %v48, %v58 : tensor<64x32xi32>
    %v60 = arith.sitofp %v50 : tensor<64x32xi32> to tensor<64x32xf32>
    %v61 = arith.constant dense<0.5> : tensor<64x32xf32>
    %v62 = arith.mulf %v60, %v61 : tensor<64x32xf32>
    %v63 = arith.bitcast %v57 : tensor<64x32xi32> to tensor<64x32xf32>
    %v64 = arith.select %v59, %v62, %v63 : tensor<64x32xi1>, tensor<64x32xf32>
    %v65 = arith.constant dense<8> : tensor<64x32xi32>
    %v66 = arith.andi %v44, %v65 : tensor<64x32xi32>
    %v67 = arith.constant dense<0> : tensor<64x32xi32>
    %v68 = arith.cmpi eq, %v66, %v67 : tensor<64x32xi32>
    %v69 = arith.negf %v64 : tensor<64x32xf32>
    %v70 = arith.select %v68, %v64, %v69 : tensor<64x32xi1>, tensor<64x32xf32>
    %v71 = tile.expand_dims %v70, 2 : tensor<64x32xf32> -> tensor<64x32x1xf32>
    %v72 = tile.cat %v43, %v71 axis 2 : tensor<64x32x1xf32>, tensor<64x32x1xf32> -> tensor<64x32x2xf32>
    %v73 = tile.reshape %v72 [64, 64] : tensor<64x32x2xf32> -> tensor<64x64xf32>
    %v74 = arith.extui %v9 : tensor<64x2xi8> to tensor<64x2xi32>
    %v75 = arith.constant dense<23> : tensor<64x2xi32>
    %v76 = arith.shli %v74, %v75 : tensor<64x2xi32>
    %v77 = arith.bitcast %v76 : tensor<64x2xi32> to tensor<64x2xf32>
    %v78 = tile.expand_dims %v77, 2 : tensor<64x2xf32> -> tensor<64x2x1xf32>
    %v79 = tile.broadcast %v78 [64, 2, 32] : tensor<64x2x1xf32> -> tensor<64x2x32xf32>
    %v80 = tile.reshape %v79 [64, 64] : tensor<64x2x32xf32> -> tensor<64x64xf32>
    %v81 = arith.mulf %v73, %v80 : tensor<64x64xf32>
    %v82 = tile.cast %v81 : tensor<64x64xf32> to tensor<64x64xf16>
    %v83 = tile.dot %v7, %v82, %a7_0 transpose_b : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %v83 : tensor<64x64xf32>
  }
  tile.store %r7#0, %y[%v0, %v1] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// The CTC forward recurrence in log space: states are shifted through scratch memory.
// CASE @ctc_alpha rounded K=64: 2x20x10xf32=random:1 2x64xi32=0,3,0,5,0,5,0,2,0,7,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 2xi32=20,17 2xi32=13,1 -> 2xf32
tile.kernel @ctc_alpha(%lp: !tile.view<?x?x?xf32>, %lab: !tile.view<?x64xi32>, %tl: !tile.view<?xi32>, %sl: !tile.view<?xi32>)
    outs(%loss: !tile.view<?xf32>)
    grid [dim(%lp, 0)] {
  %v0 = tile.block_id 0
  %v1 = arith.constant 0 : index
  %v2 = tile.load %lab[%v0, %v1] [1, 64] : !tile.view<?x64xi32> -> tensor<1x64xi32>
  %v3 = tile.reshape %v2 [64] : tensor<1x64xi32> -> tensor<64xi32>
  %v4 = tile.load %tl[%v0] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.extract %v4[%v5] : tensor<1xi32>
  %v7 = arith.index_cast %v6 : i32 to index
  %v8 = tile.load %sl[%v0] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %v9 = arith.constant 0 : index
  %v10 = tensor.extract %v8[%v9] : tensor<1xi32>
  %v11 = tile.iota [64] : tensor<64xi32>
  %v12 = tile.scratch 64 : !tile.ptr<f32>
  %v13 = tile.scratch 64 : !tile.ptr<i32>
  tile.store_at %v3, %v13[%v11] : tensor<64xi32>, !tile.ptr<i32>, tensor<64xi32>
  %v14 = arith.constant dense<2> : tensor<64xi32>
  %v15 = arith.subi %v11, %v14 : tensor<64xi32>
  %v16 = arith.constant dense<2> : tensor<64xi32>
  %v17 = arith.cmpi sge, %v11, %v16 : tensor<64xi32>
  %v18 = tile.load_at %v13[%v15] mask(%v17 : tensor<64xi1>) : !tile.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %v19 = arith.constant dense<2> : tensor<64xi32>
  %v20 = arith.cmpi sge, %v11, %v19 : tensor<64xi32>
  %v21 = arith.cmpi ne, %v3, %v18 : tensor<64xi32>
  %v22 = arith.andi %v20, %v21 : tensor<64xi1>
  %v23 = arith.constant dense<0> : tensor<64xi32>
  %v24 = arith.cmpi ne, %v3, %v23 : tensor<64xi32>
  %v25 = arith.andi %v22, %v24 : tensor<64xi1>
  %v26 = tile.select %lp[%v0] : !tile.view<?x?x?xf32> -> !tile.view<?x?xf32>
  %v27 = arith.constant dense<2> : tensor<64xi32>
  %v28 = arith.cmpi slt, %v11, %v27 : tensor<64xi32>
  %v29 = tile.splat %v10 [64] : i32 -> tensor<64xi32>
  %v30 = arith.cmpi slt, %v11, %v29 : tensor<64xi32>
  %v31 = arith.andi %v28, %v30 : tensor<64xi1>
  %v32 = arith.constant 0 : index
  %v33 = tile.gather %v26[%v32] at %v3 axis 1 [1, 64] : !tile.view<?x?xf32>, tensor<64xi32> -> tensor<1x64xf32>
  %v34 = tile.reshape %v33 [64] : tensor<1x64xf32> -> tensor<64xf32>
  %v35 = arith.constant dense<0xFF800000> : tensor<64xf32>
  %v36 = arith.select %v31, %v34, %v35 : tensor<64xi1>, tensor<64xf32>
  %v37 = arith.constant 1 : index
  %v38 = arith.constant 1 : index
  %r40:1 = scf.for %i40 = %v37 to %v7 step %v38 iter_args(%a40_0 = %v36) -> (tensor<64xf32>) {
    tile.store_at %a40_0, %v12[%v11] : tensor<64xf32>, !tile.ptr<f32>, tensor<64xi32>
    %v40 = arith.constant dense<1> : tensor<64xi32>
    %v41 = arith.subi %v11, %v40 : tensor<64xi32>
    %v42 = arith.constant dense<1> : tensor<64xi32>
    %v43 = arith.cmpi sge, %v11, %v42 : tensor<64xi32>
    %v44 = tile.load_at %v12[%v41] pad(neg_inf) mask(%v43 : tensor<64xi1>) : !tile.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %v45 = arith.constant dense<2> : tensor<64xi32>
    %v46 = arith.subi %v11, %v45 : tensor<64xi32>
    %v47 = tile.load_at %v12[%v46] pad(neg_inf) mask(%v25 : tensor<64xi1>) : !tile.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %v48 = arith.maximumf %a40_0, %v44 : tensor<64xf32>
    %v49 = arith.maximumf %v48, %v47 : tensor<64xf32>
    %v50 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %v51 = arith.cmpf oeq, %v49, %v50 : tensor<64xf32>
    %v52 = arith.constant dense<0.0> : tensor<64xf32>
    %v53 = arith.select %v51, %v52, %v49 : tensor<64xi1>, tensor<64xf32>
    %v54 = arith.subf %a40_0, %v53 : tensor<64xf32>
    %v55 = math.exp %v54 : tensor<64xf32>
    %v56 = arith.subf %v44, %v53 : tensor<64xf32>
    %v57 = math.exp %v56 : tensor<64xf32>
    %v58 = arith.addf %v55, %v57 : tensor<64xf32>
    %v59 = arith.subf %v47, %v53 : tensor<64xf32>
    %v60 = math.exp %v59 : tensor<64xf32>
    %v61 = arith.addf %v58, %v60 : tensor<64xf32>
    %v62 = tile.splat %v10 [64] : i32 -> tensor<64xi32>
    %v63 = arith.cmpi slt, %v11, %v62 : tensor<64xi32>
    %v64 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %v65 = arith.cmpf ogt, %v49, %v64 : tensor<64xf32>
    %v66 = arith.andi %v63, %v65 : tensor<64xi1>
    %v67 = math.log %v61 : tensor<64xf32>
    %v68 = arith.addf %v67, %v53 : tensor<64xf32>
    %v69 = tile.gather %v26[%i40] at %v3 axis 1 [1, 64] : !tile.view<?x?xf32>, tensor<64xi32> -> tensor<1x64xf32>
    %v70 = tile.reshape %v69 [64] : tensor<1x64xf32> -> tensor<64xf32>
    %v71 = arith.addf %v68, %v70 : tensor<64xf32>
    %v72 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %v73 = arith.select %v66, %v71, %v72 : tensor<64xi1>, tensor<64xf32>
    scf.yield %v73 : tensor<64xf32>
  }
  %v74 = tile.splat %v10 [64] : i32 -> tensor<64xi32>
  %v75 = arith.cmpi slt, %v11, %v74 : tensor<64xi32>
  %v76 = arith.constant 2 : i32
  %v77 = arith.subi %v10, %v76 : i32
  %v78 = tile.splat %v77 [64] : i32 -> tensor<64xi32>
  %v79 = arith.cmpi sge, %v11, %v78 : tensor<64xi32>
  %v80 = arith.andi %v75, %v79 : tensor<64xi1>
  %v81 = arith.constant dense<0xFF800000> : tensor<64xf32>
  %v82 = arith.select %v80, %r40#0, %v81 : tensor<64xi1>, tensor<64xf32>
  %v83 = tile.reduce max %v82 axis 0 keepdims : tensor<64xf32> -> tensor<1xf32>
  %v84 = tile.broadcast %v83 [64] : tensor<1xf32> -> tensor<64xf32>
  %v85 = arith.subf %v82, %v84 : tensor<64xf32>
  %v86 = math.exp %v85 : tensor<64xf32>
  %v87 = tile.reduce add %v86 axis 0 keepdims : tensor<64xf32> -> tensor<1xf32>
  %v88 = math.log %v87 : tensor<1xf32>
  %v89 = arith.addf %v88, %v83 : tensor<1xf32>
  %v90 = arith.negf %v89 : tensor<1xf32>
  tile.store %v90, %loss[%v0] : tensor<1xf32>, !tile.view<?xf32>
}

// Causal attention with soft-capped scores and a sink logit a head.
// CASE @attn_sink rounded K=257: 2x100x64xf16=random:1 2x100x64xf16=random:2 2x100x64xf16=random:3 2xf32=random:4 -> 2x100x64xf32
tile.kernel @attn_sink(%q: !tile.view<?x?x64xf16>, %k: !tile.view<?x?x64xf16>, %v: !tile.view<?x?x64xf16>, %sink: !tile.view<?xf32>)
    outs(%o: !tile.view<?x?x64xf32>)
    grid [ceildiv(dim(%o, 1), 64), dim(%o, 0)] {
  %v0 = tile.block_id 0
  %v1 = tile.block_id 1
  %v2 = arith.constant 0 : index
  %v3 = tile.load %q[%v1, %v0, %v2] [1, 64, 64] : !tile.view<?x?x64xf16> -> tensor<1x64x64xf16>
  %v4 = tile.reshape %v3 [64, 64] : tensor<1x64x64xf16> -> tensor<64x64xf16>
  %v5 = tile.load %sink[%v1] [1] : !tile.view<?xf32> -> tensor<1xf32>
  %v6 = tile.reshape %v5 [1, 1] : tensor<1xf32> -> tensor<1x1xf32>
  %v7 = arith.constant 64 : index
  %v8 = arith.muli %v0, %v7 : index
  %v9 = tile.iota [64] : tensor<64xi32>
  %v10 = arith.index_cast %v8 : index to i32
  %v11 = tile.splat %v10 [64] : i32 -> tensor<64xi32>
  %v12 = arith.addi %v9, %v11 : tensor<64xi32>
  %v13 = tile.expand_dims %v12, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %v14 = tile.broadcast %v6 [64, 1] : tensor<1x1xf32> -> tensor<64x1xf32>
  %v15 = arith.constant dense<1.0> : tensor<64x1xf32>
  %v16 = arith.constant dense<0.0> : tensor<64x64xf32>
  %v17 = arith.constant 1 : index
  %v18 = arith.addi %v0, %v17 : index
  %v19 = arith.constant 0 : index
  %v20 = arith.constant 1 : index
  %r22:3 = scf.for %i22 = %v19 to %v18 step %v20 iter_args(%a22_0 = %v14, %a22_1 = %v15, %a22_2 = %v16) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %v22 = arith.constant 0 : index
    %v23 = tile.load %k[%v1, %i22, %v22] [1, 64, 64] : !tile.view<?x?x64xf16> -> tensor<1x64x64xf16>
    %v24 = tile.reshape %v23 [64, 64] : tensor<1x64x64xf16> -> tensor<64x64xf16>
    %v25 = arith.constant 0 : index
    %v26 = tile.load %v[%v1, %i22, %v25] [1, 64, 64] : !tile.view<?x?x64xf16> -> tensor<1x64x64xf16>
    %v27 = tile.reshape %v26 [64, 64] : tensor<1x64x64xf16> -> tensor<64x64xf16>
    %v28 = arith.constant dense<0.0> : tensor<64x64xf32>
    %v29 = tile.dot %v4, %v24, %v28 transpose_b : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %v30 = arith.constant dense<0.125> : tensor<64x64xf32>
    %v31 = arith.mulf %v29, %v30 : tensor<64x64xf32>
    %v32 = arith.constant dense<0.03333333333333333> : tensor<64x64xf32>
    %v33 = arith.mulf %v31, %v32 : tensor<64x64xf32>
    %v34 = math.tanh %v33 : tensor<64x64xf32>
    %v35 = arith.constant dense<30.0> : tensor<64x64xf32>
    %v36 = arith.mulf %v34, %v35 : tensor<64x64xf32>
    %v37 = arith.constant 64 : index
    %v38 = arith.muli %i22, %v37 : index
    %v39 = tile.iota [64] : tensor<64xi32>
    %v40 = arith.index_cast %v38 : index to i32
    %v41 = tile.splat %v40 [64] : i32 -> tensor<64xi32>
    %v42 = arith.addi %v39, %v41 : tensor<64xi32>
    %v43 = tile.expand_dims %v42, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %v44 = tile.broadcast %v43 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %v45 = tile.broadcast %v13 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %v46 = arith.cmpi sle, %v44, %v45 : tensor<64x64xi32>
    %v47 = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %v48 = arith.select %v46, %v36, %v47 : tensor<64x64xi1>, tensor<64x64xf32>
    %v49 = tile.reduce max %v48 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %v50 = arith.maximumf %a22_0, %v49 : tensor<64x1xf32>
    %v51 = tile.broadcast %v50 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %v52 = arith.subf %v48, %v51 : tensor<64x64xf32>
    %v53 = math.exp %v52 : tensor<64x64xf32>
    %v54 = arith.subf %a22_0, %v50 : tensor<64x1xf32>
    %v55 = math.exp %v54 : tensor<64x1xf32>
    %v56 = arith.mulf %a22_1, %v55 : tensor<64x1xf32>
    %v57 = tile.reduce add %v53 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %v58 = arith.addf %v56, %v57 : tensor<64x1xf32>
    %v59 = tile.cast %v53 : tensor<64x64xf32> to tensor<64x64xf16>
    %v60 = tile.broadcast %v55 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %v61 = arith.mulf %a22_2, %v60 : tensor<64x64xf32>
    %v62 = tile.dot %v59, %v27, %v61 : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %v50, %v58, %v62 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %v63 = tile.broadcast %r22#1 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %v64 = arith.divf %r22#2, %v63 : tensor<64x64xf32>
  %v65 = tile.reshape %v64 [1, 64, 64] : tensor<64x64xf32> -> tensor<1x64x64xf32>
  %v66 = arith.constant 0 : index
  tile.store %v65, %o[%v1, %v0, %v66] : tensor<1x64x64xf32>, !tile.view<?x?x64xf32>
}

// Products with the weights of groups of rows, with blocks for the most rows a group can have: most of them write nothing.
// CASE @groups_by_starts rounded K=200: 150x200xbf16=random:1 4x72x200xbf16=random:2 5xi32=0,70,70,149,150 -> 150x72xf32
// CASE @groups_by_starts rounded K=64: 3x64xbf16=random:1 2x8x64xbf16=random:2 3xi32=0,0,3 -> 3x8xf32
tile.kernel @groups_by_starts(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?x?xbf16>, %starts: !tile.view<?xi32>)
    outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 64), dim(%w, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %g = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %next = arith.addi %g, %c1 : index
  %firsts = tile.load %starts[%g] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %ends = tile.load %starts[%next] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %first32 = tensor.extract %firsts[%c0] : tensor<1xi32>
  %end32 = tensor.extract %ends[%c0] : tensor<1xi32>
  %first = arith.index_cast %first32 : i32 to index
  %end = arith.index_cast %end32 : i32 to index
  %rows = arith.subi %end, %first : index
  %k = tile.dim %x, 1 : !tile.view<?x?xbf16>
  %columns = tile.dim %y, 1 : !tile.view<?x?xf32>
  %xs = tile.subview %x[%first, 0] [%rows, %k] : !tile.view<?x?xbf16> -> !tile.view<?x?xbf16, strides=[?, 1]>
  %ws = tile.select %w[%g] : !tile.view<?x?x?xbf16> -> !tile.view<?x?xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %steps = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xbf16>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %xt = tile.load %xs[%m, %i] [64, 64] : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<64x64xbf16>
    %wt = tile.load %ws[%n, %i] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %r = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %r : tensor<64x64xf32>
  }
  %ys = tile.subview %y[%first, 0] [%rows, %columns] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[?, 1]>
  tile.store %sum, %ys[%m, %n] : tensor<64x64xf32>, !tile.view<?x?xf32, strides=[?, 1]>
}

// The same, with all of a block's work in a condition.
// CASE @groups_guarded rounded K=200: 150x200xbf16=random:1 4x72x200xbf16=random:2 5xi32=0,70,70,149,150 -> 150x72xf32
tile.kernel @groups_guarded(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?x?xbf16>, %starts: !tile.view<?xi32>)
    outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 64), dim(%w, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %g = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %next = arith.addi %g, %c1 : index
  %firsts = tile.load %starts[%g] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %ends = tile.load %starts[%next] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %first32 = tensor.extract %firsts[%c0] : tensor<1xi32>
  %end32 = tensor.extract %ends[%c0] : tensor<1xi32>
  %first = arith.index_cast %first32 : i32 to index
  %end = arith.index_cast %end32 : i32 to index
  %rows = arith.subi %end, %first : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %begin = arith.muli %m, %c64 : index
  %some = arith.cmpi slt, %begin, %rows : index
  scf.if %some {
    %k = tile.dim %x, 1 : !tile.view<?x?xbf16>
    %columns = tile.dim %y, 1 : !tile.view<?x?xf32>
    %xs = tile.subview %x[%first, 0] [%rows, %k] : !tile.view<?x?xbf16> -> !tile.view<?x?xbf16, strides=[?, 1]>
    %ws = tile.select %w[%g] : !tile.view<?x?x?xbf16> -> !tile.view<?x?xbf16>
    %steps = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xbf16>
    %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %xt = tile.load %xs[%m, %i] [64, 64] : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<64x64xbf16>
      %wt = tile.load %ws[%n, %i] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
      %r = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      scf.yield %r : tensor<64x64xf32>
    }
    %ys = tile.subview %y[%first, 0] [%rows, %columns] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[?, 1]>
    tile.store %sum, %ys[%m, %n] : tensor<64x64xf32>, !tile.view<?x?xf32, strides=[?, 1]>
  }
}

// Sums of the keys that each query of its sequence sees, weighted by scores; blocks behind a sequence's end have no work, and
// the window of the last one would lie behind the queries.
// CASE @sequences_guarded rounded K=70: 150x64xbf16=random:1 150x64xbf16=random:2 5xi32=0,70,70,149,150 -> 150x64xf32
tile.kernel @sequences_guarded(%q: !tile.view<?x64xbf16>, %k: !tile.view<?x64xbf16>, %starts: !tile.view<?xi32>)
    outs(%y: !tile.view<?x64xf32>)
    grid [ceildiv(dim(%y, 0), 64), 5] {
  %m = tile.block_id 0
  %s = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %is = arith.cmpi slt, %s, %c4 : index
  scf.if %is {
    %next = arith.addi %s, %c1 : index
    %firsts = tile.load %starts[%s] [1] : !tile.view<?xi32> -> tensor<1xi32>
    %ends = tile.load %starts[%next] [1] : !tile.view<?xi32> -> tensor<1xi32>
    %first32 = tensor.extract %firsts[%c0] : tensor<1xi32>
    %end32 = tensor.extract %ends[%c0] : tensor<1xi32>
    %first = arith.index_cast %first32 : i32 to index
    %end = arith.index_cast %end32 : i32 to index
    %rows = arith.subi %end, %first : index
    %begin = arith.muli %m, %c64 : index
    %some = arith.cmpi slt, %begin, %rows : index
    scf.if %some {
      %qs = tile.subview %q[%first, 0] [%rows, 64] : !tile.view<?x64xbf16> -> !tile.view<?x64xbf16>
      %ks = tile.subview %k[%first, 0] [%rows, 64] : !tile.view<?x64xbf16> -> !tile.view<?x64xbf16>
      %qt = tile.load %qs[%m, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
      %steps = tile.num_tiles %ks, 0 by [64] : !tile.view<?x64xbf16>
      %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
        %kt = tile.load %ks[%i, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
        %x = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
        %xb = tile.cast %x : tensor<64x64xf32> to tensor<64x64xbf16>
        %r = tile.dot %xb, %kt, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
        scf.yield %r : tensor<64x64xf32>
      }
      %ys = tile.subview %y[%first, 0] [%rows, 64] : !tile.view<?x64xf32> -> !tile.view<?x64xf32>
      tile.store %sum, %ys[%m, %c0] : tensor<64x64xf32>, !tile.view<?x64xf32>
    }
  }
}
// Causal attention of packed sequences, whose windows are made before the condition that a block has rows.
// CASE @packed_sequences rounded K=70: 200x64xbf16=random:1 200x64xbf16=random:2 4xi32=0,70,131,200 i32=70 -> 200x64xf32
tile.kernel @packed_sequences(%q: !tile.view<?x64xbf16>, %k: !tile.view<?x64xbf16>, %starts: !tile.view<?xi32>, %longest: i32)
    outs(%y: !tile.view<?x64xf32>) grid [ceildiv(%longest, 64), dim(%starts, 0) - 1] {
  %m = tile.block_id 0
  %s = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %next = arith.addi %s, %c1 : index
  %ft = tile.load %starts[%s] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %et = tile.load %starts[%next] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %fi = tensor.extract %ft[%c0] : tensor<1xi32>
  %ei = tensor.extract %et[%c0] : tensor<1xi32>
  %from = arith.index_cast %fi : i32 to index
  %end = arith.index_cast %ei : i32 to index
  %n = arith.subi %end, %from : index
  %qs = tile.subview %q[%from, 0] [%n, 64] : !tile.view<?x64xbf16> -> !tile.view<?x64xbf16>
  %ks = tile.subview %k[%from, 0] [%n, 64] : !tile.view<?x64xbf16> -> !tile.view<?x64xbf16>
  %ys = tile.subview %y[%from, 0] [%n, 64] : !tile.view<?x64xf32> -> !tile.view<?x64xf32>
  %first = arith.muli %m, %c64 : index
  %some = arith.cmpi ult, %first, %n : index
  scf.if %some {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = tile.iota [64] : tensor<64xi32>
    %rows = tile.expand_dims %r, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %row = tile.broadcast %rows [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %columns = tile.broadcast %r [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %qt = tile.load %qs[%m, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %stop = arith.addi %m, %c1 : index
    %sum = scf.for %j = %c0 to %stop step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %kt = tile.load %ks[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
      %0 = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      %ahead = arith.subi %j, %m : index
      %offset = arith.muli %ahead, %c64 : index
      %oi = arith.index_cast %offset : index to i32
      %os = tile.splat %oi [64, 64] : i32 -> tensor<64x64xi32>
      %column = arith.addi %columns, %os : tensor<64x64xi32>
      %seen = arith.cmpi sle, %column, %row : tensor<64x64xi32>
      %1 = arith.select %seen, %0, %zero : tensor<64x64xi1>, tensor<64x64xf32>
      %2 = tile.cast %1 : tensor<64x64xf32> to tensor<64x64xbf16>
      %3 = tile.dot %2, %kt, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      scf.yield %3 : tensor<64x64xf32>
    }
    tile.store %sum, %ys[%m, %c0] : tensor<64x64xf32>, !tile.view<?x64xf32>
  }
}
