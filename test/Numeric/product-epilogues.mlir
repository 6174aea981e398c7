// Products whose accumulators are exchanged between threads before they are stored: sliced, transposed, reduced or
// multiplied again. GPUs with main loops need shared memory for this beside the pipeline.
// TYPES: bf16 f16
!V = !tile.view<?x?x!T>
!Y = !tile.view<?x?xf32>
!A = tensor<128x64x!T>
!S = tensor<128x128xf32>
!H = tensor<128x64xf32>

// The halves of a tile, multiplied.
// CASE @halves K=136: 200x136xT=random:1 256x136xT=random:2 -> 200x128xf32
tile.kernel @halves(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%a, 0), 128), ceildiv(dim(%b, 0), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [128, 64] : !V -> !A
    %d = tile.dot %x, %w, %acc transpose_b : !A, !A, !S -> !S
    scf.yield %d : !S
  }
  %p = tile.extract %r[%c0, %c0] [128, 64] : !S -> !H
  %q = tile.extract %r[%c0, %c1] [128, 64] : !S -> !H
  %o = arith.mulf %p, %q : !H
  tile.store %o, %y[%m, %n] : !H, !Y
}

// Swaps halves with a sign: the rotation of heads.
// CASE @rotated K=136: 200x136xT=random:1 256x136xT=random:2 -> 200x256xf32
tile.kernel @rotated(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%a, 0), 128), ceildiv(dim(%b, 0), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [128, 64] : !V -> !A
    %d = tile.dot %x, %w, %acc transpose_b : !A, !A, !S -> !S
    scf.yield %d : !S
  }
  %p = tile.extract %r[%c0, %c0] [128, 64] : !S -> !H
  %q = tile.extract %r[%c0, %c1] [128, 64] : !S -> !H
  %nq = arith.negf %q : !H
  %t = tile.cat %nq, %p axis 1 : !H, !H -> !S
  %half = arith.constant dense<0.5> : !S
  %th = arith.mulf %t, %half : !S
  %o = arith.addf %r, %th : !S
  tile.store %o, %y[%m, %n] : !S, !Y
}

// Neighbouring columns, multiplied.
// CASE @pairs K=136: 200x136xT=random:1 256x136xT=random:2 -> 200x128xf32
tile.kernel @pairs(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%a, 0), 128), ceildiv(dim(%b, 0), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [128, 64] : !V -> !A
    %d = tile.dot %x, %w, %acc transpose_b : !A, !A, !S -> !S
    scf.yield %d : !S
  }
  %p = tile.reshape %r [128, 64, 2] : !S -> tensor<128x64x2xf32>
  %e = tile.extract %p[%c0, %c0, %c0] [128, 64, 1] : tensor<128x64x2xf32> -> tensor<128x64x1xf32>
  %f = tile.extract %p[%c0, %c0, %c1] [128, 64, 1] : tensor<128x64x2xf32> -> tensor<128x64x1xf32>
  %g = arith.mulf %e, %f : tensor<128x64x1xf32>
  %o = tile.reshape %g [128, 64] : tensor<128x64x1xf32> -> !H
  tile.store %o, %y[%m, %n] : !H, !Y
}

// Stored transposed.
// CASE @turned K=136: 200x136xT=random:1 256x136xT=random:2 -> 256x200xf32
tile.kernel @turned(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%a, 0), 128), ceildiv(dim(%b, 0), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [128, 64] : !V -> !A
    %d = tile.dot %x, %w, %acc transpose_b : !A, !A, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.permute %r [1, 0] : !S -> !S
  tile.store %o, %y[%n, %m] : !S, !Y
}

// Columns minus their mean: warps combine their partial sums. Many tiles, because a block may start one while it stores
// another.
// CASE @columns_off K=64: 1536x64xT=random:1 1408x64xT=random:2 -> 1536x1408xf32
tile.kernel @columns_off(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%a, 0), 128), ceildiv(dim(%b, 0), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [128, 64] : !V -> !A
    %d = tile.dot %x, %w, %acc transpose_b : !A, !A, !S -> !S
    scf.yield %d : !S
  }
  %s = tile.reduce add %r axis 0 keepdims : !S -> tensor<1x128xf32>
  %c = arith.constant dense<0.0078125> : tensor<1x128xf32>
  %mean = arith.mulf %s, %c : tensor<1x128xf32>
  %t = tile.broadcast %mean [128, 128] : tensor<1x128xf32> -> !S
  %o = arith.subf %r, %t : !S
  tile.store %o, %y[%m, %n] : !S, !Y
}

// Sums of the rows above.
// CASE @cumulated K=136: 200x136xT=random:1 256x136xT=random:2 -> 200x256xf32
tile.kernel @cumulated(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%a, 0), 128), ceildiv(dim(%b, 0), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [128, 64] : !V -> !A
    %d = tile.dot %x, %w, %acc transpose_b : !A, !A, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.scan add %r axis 0 : !S
  tile.store %o, %y[%m, %n] : !S, !Y
}

// A second product after the loop, of the first one's by-product: x·wᵀ + (x·uᵀ)·vᵀ.
// CASE @low_rank [bf16] rounded K=136: 200x136xT=random:1 256x136xT=random:2 16x136xT=random:3 256x16xT=random:4 -> 200x256xf32
tile.kernel @low_rank(%a: !V, %b: !V, %u: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%a, 0), 128), ceildiv(dim(%b, 0), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [128, 64] : !V -> !A
    %d = tile.dot %x, %w, %acc transpose_b : !A, !A, !S -> !S
    scf.yield %d : !S
  }
  %r0 = tile.num_tiles %u, 1 by [64] : !V
  %z16 = arith.constant dense<0.0> : tensor<128x16xf32>
  %lo = scf.for %k = %c0 to %r0 step %c1 iter_args(%acc = %z16) -> (tensor<128x16xf32>) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %ut = tile.load %u[%c0, %k] [16, 64] : !V -> tensor<16x64x!T>
    %d = tile.dot %x, %ut, %acc transpose_b : !A, tensor<16x64x!T>, tensor<128x16xf32> -> tensor<128x16xf32>
    scf.yield %d : tensor<128x16xf32>
  }
  %lt = tile.cast %lo : tensor<128x16xf32> to tensor<128x16x!T>
  %vt = tile.load %v[%n, %c0] [128, 16] : !V -> tensor<128x16x!T>
  %o = tile.dot %lt, %vt, %r transpose_b : tensor<128x16x!T>, tensor<128x16x!T>, !S -> !S
  tile.store %o, %y[%m, %n] : !S, !Y
}
