// Dot operands computed in the loop: products with a state, computed tiles on either side, loop-carried operands.
// TYPES: bf16 f16

// The right operand is an f32 state, rounded; each iteration stores its result.
// CASE @state_right rounded K=264: 200x64xT=random:1 200x64xT=random:2 200x96xT=random:3 -> 200x96xf32
tile.kernel @state_right(%q: !tile.view<?x64x!T>, %k: !tile.view<?x64x!T>, %v: !tile.view<?x96x!T>) outs(%y: !tile.view<?x96xf32>) grid [1] {
  %x1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %x2 = tile.num_tiles %q, 0 by [64] : !tile.view<?x64x!T>
  %x3 = arith.constant 0 : index
  %x4 = arith.constant 1 : index
  %x6 = scf.for %x5 = %x3 to %x2 step %x4 iter_args(%x7 = %x1) -> (tensor<64x96xf32>) {
    %x8 = arith.constant 0 : index
    %x9 = tile.load %q[%x5, %x8] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %x10 = arith.constant 0 : index
    %x11 = tile.load %k[%x5, %x10] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %x12 = arith.constant 0 : index
    %x13 = tile.load %v[%x5, %x12] [64, 96] : !tile.view<?x96x!T> -> tensor<64x96x!T>
    %x14 = tile.cast %x7 : tensor<64x96xf32> to tensor<64x96x!T>
    %x15 = arith.constant dense<0.0> : tensor<64x96xf32>
    %x16 = tile.dot %x9, %x14, %x15 : tensor<64x64x!T>, tensor<64x96x!T>, tensor<64x96xf32> -> tensor<64x96xf32>
    %x17 = arith.constant 0 : index
    tile.store %x16, %y[%x5, %x17] : tensor<64x96xf32>, !tile.view<?x96xf32>
    %x18 = tile.permute %x11 [1, 0] : tensor<64x64x!T> -> tensor<64x64x!T>
    %x19 = arith.constant dense<0.125> : tensor<64x96xf32>
    %x20 = arith.mulf %x7, %x19 : tensor<64x96xf32>
    %x21 = tile.dot %x18, %x13, %x20 : tensor<64x64x!T>, tensor<64x96x!T>, tensor<64x96xf32> -> tensor<64x96xf32>
    scf.yield %x21 : tensor<64x96xf32>
  }
}

// Two warp groups each write half of a right operand that both multiply.
// CASE @two_groups rounded K=192: 300x192xT=random:1 192x48xT=random:2 -> 300x48xf32
tile.kernel @two_groups(%x: !tile.view<?x192x!T>, %s: !tile.view<?x48x!T>) outs(%y: !tile.view<?x48xf32>) grid [ceildiv(dim(%y,0),128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0.0> : tensor<128x48xf32>
  %x3 = arith.constant dense<0.0> : tensor<64x48xf32>
  %x4 = tile.num_tiles %x, 1 by [64] : !tile.view<?x192x!T>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8, %x9 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x10 = %x2, %x11 = %x3) -> (tensor<128x48xf32>, tensor<64x48xf32>) {
    %x12 = arith.constant dense<0.5> : tensor<64x48xf32>
    %x13 = arith.mulf %x11, %x12 : tensor<64x48xf32>
    %x14 = arith.constant 0 : index
    %x15 = tile.load %s[%x7, %x14] [64, 48] : !tile.view<?x48x!T> -> tensor<64x48x!T>
    %x16 = tile.cast %x15 : tensor<64x48x!T> to tensor<64x48xf32>
    %x17 = arith.addf %x13, %x16 : tensor<64x48xf32>
    %x18 = tile.load %x[%x1, %x7] [128, 64] : !tile.view<?x192x!T> -> tensor<128x64x!T>
    %x19 = tile.cast %x17 : tensor<64x48xf32> to tensor<64x48x!T>
    %x20 = arith.constant dense<0.75> : tensor<128x48xf32>
    %x21 = arith.mulf %x10, %x20 : tensor<128x48xf32>
    %x22 = tile.dot %x18, %x19, %x21 : tensor<128x64x!T>, tensor<64x48x!T>, tensor<128x48xf32> -> tensor<128x48xf32>
    scf.yield %x22, %x17 : tensor<128x48xf32>, tensor<64x48xf32>
  }
  %x23 = arith.constant 0 : index
  tile.store %x8, %y[%x1, %x23] : tensor<128x48xf32>, !tile.view<?x48xf32>
}

// Both operands are computed; the right one is contiguous along K.
// CASE @both_computed rounded K=160: 100x160xT=random:1 100x160xT=random:2 -> 100x100xf32
tile.kernel @both_computed(%x: !tile.view<?x160x!T>, %w: !tile.view<?x160x!T>) outs(%y: !tile.view<?x100xf32>) grid [ceildiv(dim(%y,0),64), ceildiv(dim(%y,1),96)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<64x96xf32>
  %x4 = tile.num_tiles %x, 1 by [32] : !tile.view<?x160x!T>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x9 = %x3) -> (tensor<64x96xf32>) {
    %x10 = tile.load %x[%x1, %x7] [64, 32] : !tile.view<?x160x!T> -> tensor<64x32x!T>
    %x11 = tile.cast %x10 : tensor<64x32x!T> to tensor<64x32xf32>
    %x12 = tile.load %w[%x2, %x7] [96, 32] : !tile.view<?x160x!T> -> tensor<96x32x!T>
    %x13 = tile.cast %x12 : tensor<96x32x!T> to tensor<96x32xf32>
    %x14 = arith.constant dense<2.0> : tensor<64x32xf32>
    %x15 = arith.mulf %x11, %x14 : tensor<64x32xf32>
    %x16 = tile.cast %x15 : tensor<64x32xf32> to tensor<64x32x!T>
    %x17 = arith.mulf %x13, %x13 : tensor<96x32xf32>
    %x18 = tile.cast %x17 : tensor<96x32xf32> to tensor<96x32x!T>
    %x19 = tile.dot %x16, %x18, %x9 transpose_b : tensor<64x32x!T>, tensor<96x32x!T>, tensor<64x96xf32> -> tensor<64x96xf32>
    scf.yield %x19 : tensor<64x96xf32>
  }
  tile.store %x8, %y[%x1, %x2] : tensor<64x96xf32>, !tile.view<?x100xf32>
}

// A computed left operand that is contiguous along its rows.
// CASE @left_along_rows rounded K=200: 200x128xT=random:1 200x64xT=random:2 -> 128x64xf32
tile.kernel @left_along_rows(%k: !tile.view<?x128x!T>, %v: !tile.view<?x64x!T>) outs(%y: !tile.view<?x64xf32>) grid [1] {
  %x1 = arith.constant dense<0.0> : tensor<128x64xf32>
  %x2 = tile.num_tiles %k, 0 by [32] : !tile.view<?x128x!T>
  %x3 = arith.constant 0 : index
  %x4 = arith.constant 1 : index
  %x6 = scf.for %x5 = %x3 to %x2 step %x4 iter_args(%x7 = %x1) -> (tensor<128x64xf32>) {
    %x8 = arith.constant 0 : index
    %x9 = tile.load %k[%x5, %x8] [32, 128] : !tile.view<?x128x!T> -> tensor<32x128x!T>
    %x10 = tile.cast %x9 : tensor<32x128x!T> to tensor<32x128xf32>
    %x11 = arith.constant dense<0.5> : tensor<32x128xf32>
    %x12 = arith.mulf %x10, %x11 : tensor<32x128xf32>
    %x13 = tile.cast %x12 : tensor<32x128xf32> to tensor<32x128x!T>
    %x14 = tile.permute %x13 [1, 0] : tensor<32x128x!T> -> tensor<128x32x!T>
    %x15 = arith.constant 0 : index
    %x16 = tile.load %v[%x5, %x15] [32, 64] : !tile.view<?x64x!T> -> tensor<32x64x!T>
    %x17 = arith.constant dense<0.875> : tensor<128x64xf32>
    %x18 = arith.mulf %x7, %x17 : tensor<128x64xf32>
    %x19 = tile.dot %x14, %x16, %x18 : tensor<128x32x!T>, tensor<32x64x!T>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %x19 : tensor<128x64xf32>
  }
  %x20 = arith.constant 0 : index
  %x21 = arith.constant 0 : index
  tile.store %x6, %y[%x20, %x21] : tensor<128x64xf32>, !tile.view<?x64xf32>
}

// The right operand is the result of the previous iteration.
// CASE @handed_on rounded K=256: 100x256xT=random:1 64x64xT=random:2 -> 100x64xf32
tile.kernel @handed_on(%x: !tile.view<?x256x!T>, %w: !tile.view<?x64x!T>) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y,0),64)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x3 = arith.constant 0 : index
  %x4 = arith.constant 0 : index
  %x5 = tile.load %w[%x3, %x4] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
  %x6 = tile.num_tiles %x, 1 by [64] : !tile.view<?x256x!T>
  %x7 = arith.constant 0 : index
  %x8 = arith.constant 1 : index
  %x10, %x11 = scf.for %x9 = %x7 to %x6 step %x8 iter_args(%x12 = %x2, %x13 = %x5) -> (tensor<64x64xf32>, tensor<64x64x!T>) {
    %x14 = tile.load %x[%x1, %x9] [64, 64] : !tile.view<?x256x!T> -> tensor<64x64x!T>
    %x15 = tile.dot %x14, %x13, %x12 : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x16 = tile.cast %x13 : tensor<64x64x!T> to tensor<64x64xf32>
    %x17 = arith.constant dense<0.5> : tensor<64x64xf32>
    %x18 = arith.mulf %x16, %x17 : tensor<64x64xf32>
    %x19 = tile.cast %x18 : tensor<64x64xf32> to tensor<64x64x!T>
    scf.yield %x15, %x19 : tensor<64x64xf32>, tensor<64x64x!T>
  }
  %x20 = arith.constant 0 : index
  tile.store %x10, %y[%x1, %x20] : tensor<64x64xf32>, !tile.view<?x64xf32>
}

// Two dots multiply the operand that an iteration writes, one of them twice.
// CASE @read_twice rounded K=192: 100x192xT=random:1 192x64xT=random:2 -> 100x64xf32 64x64xf32
tile.kernel @read_twice(%x: !tile.view<?x192x!T>, %w: !tile.view<?x64x!T>) outs(%y: !tile.view<?x64xf32>, %u: !tile.view<?x64xf32>) grid [ceildiv(dim(%y,0),64)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x3 = tile.num_tiles %x, 1 by [64] : !tile.view<?x192x!T>
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x7, %x8 = scf.for %x6 = %x4 to %x3 step %x5 iter_args(%x9 = %x2, %x10 = %x2) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %x11 = arith.constant 0 : index
    %x12 = tile.load %w[%x6, %x11] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %x13 = tile.cast %x12 : tensor<64x64x!T> to tensor<64x64xf32>
    %x14 = arith.constant dense<0.25> : tensor<64x64xf32>
    %x15 = arith.mulf %x13, %x14 : tensor<64x64xf32>
    %x16 = tile.cast %x15 : tensor<64x64xf32> to tensor<64x64x!T>
    %x17 = tile.load %x[%x1, %x6] [64, 64] : !tile.view<?x192x!T> -> tensor<64x64x!T>
    %x18 = arith.constant dense<0.5> : tensor<64x64xf32>
    %x19 = arith.mulf %x9, %x18 : tensor<64x64xf32>
    %x20 = tile.dot %x17, %x16, %x19 : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x21 = tile.permute %x16 [1, 0] : tensor<64x64x!T> -> tensor<64x64x!T>
    %x22 = arith.constant dense<0.5> : tensor<64x64xf32>
    %x23 = arith.mulf %x10, %x22 : tensor<64x64xf32>
    %x24 = tile.dot %x21, %x16, %x23 : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x20, %x24 : tensor<64x64xf32>, tensor<64x64xf32>
  }
  %x25 = arith.constant 0 : index
  tile.store %x7, %y[%x1, %x25] : tensor<64x64xf32>, !tile.view<?x64xf32>
  %x26 = arith.constant 0 : index
  %x27 = arith.constant 0 : index
  tile.store %x8, %u[%x26, %x27] : tensor<64x64xf32>, !tile.view<?x64xf32>
}

// Attention that rotates keys and scales values in the loop.
// CASE @rotated_keys rounded K=256: 300x64xT=random:1 192x64xT=random:2 192x64xf32=random:4 192x64xT=random:3 -> 300x64xf32
tile.kernel @rotated_keys(%q: !tile.view<?x64x!T>, %k: !tile.view<?x64x!T>, %c: !tile.view<?x64xf32>, %v: !tile.view<?x64x!T>) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y,0),128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 64] : !tile.view<?x64x!T> -> tensor<128x64x!T>
  %x4 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x5 = arith.constant dense<-1.0e+30> : tensor<128x1xf32>
  %x6 = arith.constant dense<0.0> : tensor<128x64xf32>
  %x7 = tile.num_tiles %k, 0 by [64] : !tile.view<?x64x!T>
  %x8 = arith.constant 0 : index
  %x9 = arith.constant 1 : index
  %x11, %x12, %x13 = scf.for %x10 = %x8 to %x7 step %x9 iter_args(%x14 = %x5, %x15 = %x4, %x16 = %x6) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %x17 = arith.constant 0 : index
    %x18 = tile.load %k[%x10, %x17] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %x19 = tile.cast %x18 : tensor<64x64x!T> to tensor<64x64xf32>
    %x20 = arith.constant 0 : index
    %x21 = tile.load %c[%x10, %x20] [64, 64] : !tile.view<?x64xf32> -> tensor<64x64xf32>
    %x22 = arith.mulf %x19, %x21 : tensor<64x64xf32>
    %x23 = tile.cast %x22 : tensor<64x64xf32> to tensor<64x64x!T>
    %x24 = arith.constant 0 : index
    %x25 = tile.load %v[%x10, %x24] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %x26 = tile.cast %x25 : tensor<64x64x!T> to tensor<64x64xf32>
    %x27 = arith.constant dense<0.5> : tensor<64x64xf32>
    %x28 = arith.mulf %x26, %x27 : tensor<64x64xf32>
    %x29 = tile.cast %x28 : tensor<64x64xf32> to tensor<64x64x!T>
    %x30 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x31 = tile.dot %x3, %x23, %x30 transpose_b : tensor<128x64x!T>, tensor<64x64x!T>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x32 = arith.constant dense<0.125> : tensor<128x64xf32>
    %x33 = arith.mulf %x31, %x32 : tensor<128x64xf32>
    %x34 = tile.reduce max %x33 axis 1 keepdims : tensor<128x64xf32> -> tensor<128x1xf32>
    %x35 = arith.maximumf %x14, %x34 : tensor<128x1xf32>
    %x36 = tile.broadcast %x35 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %x37 = arith.subf %x33, %x36 : tensor<128x64xf32>
    %x38 = math.exp %x37 : tensor<128x64xf32>
    %x39 = arith.subf %x14, %x35 : tensor<128x1xf32>
    %x40 = math.exp %x39 : tensor<128x1xf32>
    %x41 = arith.mulf %x15, %x40 : tensor<128x1xf32>
    %x42 = tile.reduce add %x38 axis 1 keepdims : tensor<128x64xf32> -> tensor<128x1xf32>
    %x43 = arith.addf %x41, %x42 : tensor<128x1xf32>
    %x44 = tile.cast %x38 : tensor<128x64xf32> to tensor<128x64x!T>
    %x45 = tile.broadcast %x40 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %x46 = arith.mulf %x16, %x45 : tensor<128x64xf32>
    %x47 = tile.dot %x44, %x29, %x46 : tensor<128x64x!T>, tensor<64x64x!T>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %x35, %x43, %x47 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %x48 = tile.broadcast %x12 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %x49 = arith.divf %x13, %x48 : tensor<128x64xf32>
  %x50 = arith.constant 0 : index
  tile.store %x49, %y[%x1, %x50] : tensor<128x64xf32>, !tile.view<?x64xf32>
}

// Both operands of an integer product are computed.
// CASE @computed_integers rounded K=128: 100x128xi8=random:1 32x128xi8=random:2 -> 100x32xi32
tile.kernel @computed_integers(%x: !tile.view<?x128xi8>, %w: !tile.view<?x128xi8>) outs(%y: !tile.view<?x32xi32>) grid [ceildiv(dim(%y,0),64)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0> : tensor<64x32xi32>
  %x3 = tile.num_tiles %x, 1 by [64] : !tile.view<?x128xi8>
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x7 = scf.for %x6 = %x4 to %x3 step %x5 iter_args(%x8 = %x2) -> (tensor<64x32xi32>) {
    %x9 = arith.constant 0 : index
    %x10 = tile.load %w[%x9, %x6] [32, 64] : !tile.view<?x128xi8> -> tensor<32x64xi8>
    %x11 = tile.load %x[%x1, %x6] [64, 64] : !tile.view<?x128xi8> -> tensor<64x64xi8>
    %x12 = arith.constant dense<1> : tensor<32x64xi8>
    %x13 = arith.xori %x10, %x12 : tensor<32x64xi8>
    %x14 = arith.constant dense<1> : tensor<64x32xi32>
    %x15 = arith.addi %x8, %x14 : tensor<64x32xi32>
    %x16 = tile.dot %x11, %x13, %x15 transpose_b : tensor<64x64xi8>, tensor<32x64xi8>, tensor<64x32xi32> -> tensor<64x32xi32>
    scf.yield %x16 : tensor<64x32xi32>
  }
  %x17 = arith.constant 0 : index
  tile.store %x7, %y[%x1, %x17] : tensor<64x32xi32>, !tile.view<?x32xi32>
}

// A loop multiplies what the previous loop has stored.
// CASE @reads_what_it_stores rounded K=256: 256x128xT=random:1 64x256xT=random:2 -> 256x128xT 64x128xf32
tile.kernel @reads_what_it_stores(%x: !tile.view<?x128x!T>, %w: !tile.view<?x256x!T>) outs(%h: !tile.view<?x128x!T>, %y: !tile.view<?x128xf32>) grid [1] {
  %x1 = tile.num_tiles %x, 0 by [64] : !tile.view<?x128x!T>
  %x2 = arith.constant 0 : index
  %x3 = arith.constant 1 : index
  scf.for %x4 = %x2 to %x1 step %x3 {
    %x5 = arith.constant 0 : index
    %x6 = tile.load %x[%x4, %x5] [64, 128] : !tile.view<?x128x!T> -> tensor<64x128x!T>
    %x7 = tile.cast %x6 : tensor<64x128x!T> to tensor<64x128xf32>
    %x8 = arith.constant dense<2.0> : tensor<64x128xf32>
    %x9 = arith.mulf %x7, %x8 : tensor<64x128xf32>
    %x10 = tile.cast %x9 : tensor<64x128xf32> to tensor<64x128x!T>
    %x11 = arith.constant 0 : index
    tile.store %x10, %h[%x4, %x11] : tensor<64x128x!T>, !tile.view<?x128x!T>
  }
  %x12 = arith.constant dense<0.0> : tensor<64x128xf32>
  %x13 = tile.num_tiles %x, 0 by [64] : !tile.view<?x128x!T>
  %x14 = arith.constant 0 : index
  %x15 = arith.constant 1 : index
  %x17 = scf.for %x16 = %x14 to %x13 step %x15 iter_args(%x18 = %x12) -> (tensor<64x128xf32>) {
    %x19 = arith.constant 0 : index
    %x20 = tile.load %w[%x19, %x16] [64, 64] : !tile.view<?x256x!T> -> tensor<64x64x!T>
    %x21 = arith.constant 0 : index
    %x22 = tile.load %h[%x16, %x21] [64, 128] : !tile.view<?x128x!T> -> tensor<64x128x!T>
    %x23 = tile.dot %x20, %x22, %x18 : tensor<64x64x!T>, tensor<64x128x!T>, tensor<64x128xf32> -> tensor<64x128xf32>
    scf.yield %x23 : tensor<64x128xf32>
  }
  %x24 = arith.constant 0 : index
  %x25 = arith.constant 0 : index
  tile.store %x17, %y[%x24, %x25] : tensor<64x128xf32>, !tile.view<?x128xf32>
}

// 4-bit weights, eight per word, with a scale and a zero point per 128.
// CASE @packed_weights rounded K=320: 20x320xT=random:1 72x40xi32=random:2 72x3xT=random:3 72x3xT=random:4 -> 20x72xf32
tile.kernel @packed_weights(%x: !tile.view<?x?x!T>, %w: !tile.view<?x?xi32>, %s: !tile.view<?x?x!T>, %z: !tile.view<?x?x!T>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 32)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %four = arith.constant dense<4> : tensor<8xi32>
  %mask = arith.constant dense<15> : tensor<32x16x8xi32>
  %groups = tile.num_tiles %w, 1 by [16] : !tile.view<?x?xi32>
  %sum = scf.for %k = %c0 to %groups step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf32>) {
    %words = tile.load %w[%n, %k] [32, 16] : !tile.view<?x?xi32> -> tensor<32x16xi32>
    %words1 = tile.expand_dims %words, 2 : tensor<32x16xi32> -> tensor<32x16x1xi32>
    %words8 = tile.broadcast %words1 [32, 16, 8] : tensor<32x16x1xi32> -> tensor<32x16x8xi32>
    %numbers = tile.iota [8] : tensor<8xi32>
    %bits = arith.muli %numbers, %four : tensor<8xi32>
    %shifts = tile.broadcast %bits [32, 16, 8] : tensor<8xi32> -> tensor<32x16x8xi32>
    %shifted = arith.shrui %words8, %shifts : tensor<32x16x8xi32>
    %parts = arith.andi %shifted, %mask : tensor<32x16x8xi32>
    %joined = tile.reshape %parts [32, 128] : tensor<32x16x8xi32> -> tensor<32x128xi32>
    %q = arith.sitofp %joined : tensor<32x128xi32> to tensor<32x128xf32>
    %zeros = tile.load %z[%n, %k] [32, 1] : !tile.view<?x?x!T> -> tensor<32x1x!T>
    %zeros32 = tile.cast %zeros : tensor<32x1x!T> to tensor<32x1xf32>
    %zeros128 = tile.broadcast %zeros32 [32, 128] : tensor<32x1xf32> -> tensor<32x128xf32>
    %centred = arith.subf %q, %zeros128 : tensor<32x128xf32>
    %scales = tile.load %s[%n, %k] [32, 1] : !tile.view<?x?x!T> -> tensor<32x1x!T>
    %scales32 = tile.cast %scales : tensor<32x1x!T> to tensor<32x1xf32>
    %scales128 = tile.broadcast %scales32 [32, 128] : tensor<32x1xf32> -> tensor<32x128xf32>
    %scaled = arith.mulf %centred, %scales128 : tensor<32x128xf32>
    %weights = tile.cast %scaled : tensor<32x128xf32> to tensor<32x128x!T>
    %rows = tile.load %x[%m, %k] [16, 128] : !tile.view<?x?x!T> -> tensor<16x128x!T>
    %d = tile.dot %rows, %weights, %acc transpose_b : tensor<16x128x!T>, tensor<32x128x!T>, tensor<16x32xf32> -> tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<16x32xf32>, !tile.view<?x?xf32>
}

// Two dots in flight: one to six steps, so that pairs of them end with or without another one.
// CASE @summed rounded K=64: 70x64xT=random:1 70x64xT=random:2 72x64xT=random:3 -> 70x72xf32
// CASE @summed rounded K=104: 70x104xT=random:1 70x104xT=random:2 72x104xT=random:3 -> 70x72xf32
// CASE @summed rounded K=192: 70x192xT=random:1 70x192xT=random:2 72x192xT=random:3 -> 70x72xf32
// CASE @summed rounded K=256: 70x256xT=random:1 70x256xT=random:2 72x256xT=random:3 -> 70x72xf32
// CASE @summed rounded K=384: 70x384xT=random:1 70x384xT=random:2 72x384xT=random:3 -> 70x72xf32
tile.kernel @summed(%x: !tile.view<?x?x!T>, %z: !tile.view<?x?x!T>, %w: !tile.view<?x?x!T>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %steps = tile.num_tiles %x, 1 by [64] : !tile.view<?x?x!T>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !tile.view<?x?x!T> -> tensor<128x64x!T>
    %b = tile.load %z[%m, %k] [128, 64] : !tile.view<?x?x!T> -> tensor<128x64x!T>
    %af = tile.cast %a : tensor<128x64x!T> to tensor<128x64xf32>
    %bf = tile.cast %b : tensor<128x64x!T> to tensor<128x64xf32>
    %sf = arith.addf %af, %bf : tensor<128x64xf32>
    %ab = tile.cast %sf : tensor<128x64xf32> to tensor<128x64x!T>
    %c = tile.load %w[%n, %k] [64, 64] : !tile.view<?x?x!T> -> tensor<64x64x!T>
    %next = tile.dot %ab, %c, %acc transpose_b : tensor<128x64x!T>, tensor<64x64x!T>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x64xf32>, !tile.view<?x?xf32>
}

// The weights are contiguous along the columns; many steps of few tiles.
// CASE @weights_across rounded K=2048: 20x2048xT=random:1 2048x80xi8=random:2:-128:127 -> 20x80xf32
// CASE @weights_across rounded K=200: 20x200xT=random:1 200x80xi8=random:2:-128:127 -> 20x80xf32
tile.kernel @weights_across(%x: !tile.view<?x?x!T>, %w: !tile.view<?x?xi8>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 32), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %steps = tile.num_tiles %x, 1 by [64] : !tile.view<?x?x!T>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<32x64xf32>) {
    %a = tile.load %x[%m, %k] [32, 64] : !tile.view<?x?x!T> -> tensor<32x64x!T>
    %q = tile.load %w[%k, %n] [64, 64] : !tile.view<?x?xi8> -> tensor<64x64xi8>
    %f = arith.sitofp %q : tensor<64x64xi8> to tensor<64x64xf32>
    %b = tile.cast %f : tensor<64x64xf32> to tensor<64x64x!T>
    %next = tile.dot %a, %b, %acc : tensor<32x64x!T>, tensor<64x64x!T>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %next : tensor<32x64xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<32x64xf32>, !tile.view<?x?xf32>
}
