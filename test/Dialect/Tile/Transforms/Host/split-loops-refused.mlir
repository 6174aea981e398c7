// RUN: tilegpt-opt %s --tile-split-loops --explain --split-input-file 2>&1 | FileCheck %s --implicit-check-not=.part
// RUN: not tilegpt-opt %s --tile-split-loops="most-blocks=1" --split-input-file 2>&1 | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: error: tile-split-loops: expected most-blocks of 2 or more, least-ns of 1 or more and least-ratio of 0 or more, found 1, 8000 and 16

// Why a loop with few blocks is not split. Nothing is split here.

// CHECK: remark: @chained: grid missed: few blocks, and their loop is not split: the loop carries a value that is neither a reduction nor a sum weighted by a maximum
tile.kernel @chained(%x: !tile.view<65536x256xf32>) outs(%y: !tile.view<256xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  %z = arith.constant dense<0.0> : tensor<256xf32>
  %half = arith.constant dense<0.5> : tensor<256xf32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z) -> (tensor<256xf32>) {
    %t = tile.load %x[%i, %c0] [1, 256] : !tile.view<65536x256xf32> -> tensor<1x256xf32>
    %u = tile.reshape %t [256] : tensor<1x256xf32> -> tensor<256xf32>
    %h = arith.mulf %a, %half : tensor<256xf32>
    %n = arith.addf %h, %u : tensor<256xf32>
    scf.yield %n : tensor<256xf32>
  }
  tile.store %r, %y[%c0] : tensor<256xf32>, !tile.view<256xf32>
}
func.func @a(%x: tensor<65536x256xf32>, %e: tensor<256xf32>) -> tensor<256xf32> {
  %y = tile.launch @chained ins(%x) outs(%e) : (tensor<65536x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %y : tensor<256xf32>
}

// -----

// A sum that is rescaled by another power than its terms.
// CHECK: remark: @otherwise: grid missed: {{.*}}: the loop carries a value that is neither a reduction nor a sum weighted by a maximum
tile.kernel @otherwise(%x: !tile.view<65536x256xf32>) outs(%y: !tile.view<256xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  %z = arith.constant dense<0.0> : tensor<256xf32>
  %low = arith.constant dense<0xFF800000> : tensor<256xf32>
  %two = arith.constant dense<2.0> : tensor<256xf32>
  %r:2 = scf.for %i = %c0 to %rows step %c1 iter_args(%m = %low, %l = %z) -> (tensor<256xf32>, tensor<256xf32>) {
    %t = tile.load %x[%i, %c0] [1, 256] : !tile.view<65536x256xf32> -> tensor<1x256xf32>
    %u = tile.reshape %t [256] : tensor<1x256xf32> -> tensor<256xf32>
    %mn = arith.maximumf %m, %u : tensor<256xf32>
    %d = arith.subf %u, %mn : tensor<256xf32>
    %d2 = arith.mulf %d, %two : tensor<256xf32>
    %e = math.exp %d2 : tensor<256xf32>
    %md = arith.subf %m, %mn : tensor<256xf32>
    %a = math.exp %md : tensor<256xf32>
    %la = arith.mulf %l, %a : tensor<256xf32>
    %ln = arith.addf %la, %e : tensor<256xf32>
    scf.yield %mn, %ln : tensor<256xf32>, tensor<256xf32>
  }
  tile.store %r#1, %y[%c0] : tensor<256xf32>, !tile.view<256xf32>
}
func.func @b(%x: tensor<65536x256xf32>, %e: tensor<256xf32>) -> tensor<256xf32> {
  %y = tile.launch @otherwise ins(%x) outs(%e) : (tensor<65536x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %y : tensor<256xf32>
}

// -----

// The reduced values depend on carried ones: rows above the sum of the previous ones.
// CHECK: remark: @above: grid missed: {{.*}}: an iteration depends on previous ones
tile.kernel @above(%x: !tile.view<65536x256xf32>) outs(%y: !tile.view<256xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  %z = arith.constant dense<0.0> : tensor<256xf32>
  %c = arith.constant dense<0> : tensor<256xi32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z) -> (tensor<256xf32>) {
    %t = tile.load %x[%i, %c0] [1, 256] : !tile.view<65536x256xf32> -> tensor<1x256xf32>
    %u = tile.reshape %t [256] : tensor<1x256xf32> -> tensor<256xf32>
    %n = arith.addf %a, %u : tensor<256xf32>
    %seen = arith.negf %n : tensor<256xf32>
    scf.yield %n : tensor<256xf32>
  }
  tile.store %r, %y[%c0] : tensor<256xf32>, !tile.view<256xf32>
}
func.func @c(%x: tensor<65536x256xf32>, %e: tensor<256xf32>) -> tensor<256xf32> {
  %y = tile.launch @above ins(%x) outs(%e) : (tensor<65536x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %y : tensor<256xf32>
}

// -----

// CHECK: remark: @stores: grid missed: {{.*}}: the kernel does more than load and compute before the loop
tile.kernel @stores(%x: !tile.view<65536x256xf32>) outs(%y: !tile.view<256xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  %z = arith.constant dense<0.0> : tensor<256xf32>
  tile.store %z, %y[%c0] : tensor<256xf32>, !tile.view<256xf32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z) -> (tensor<256xf32>) {
    %t = tile.load %x[%i, %c0] [1, 256] : !tile.view<65536x256xf32> -> tensor<1x256xf32>
    %u = tile.reshape %t [256] : tensor<1x256xf32> -> tensor<256xf32>
    %n = arith.addf %a, %u : tensor<256xf32>
    scf.yield %n : tensor<256xf32>
  }
  tile.store %r, %y[%c0] : tensor<256xf32>, !tile.view<256xf32>
}
func.func @d(%x: tensor<65536x256xf32>, %e: tensor<256xf32>) -> tensor<256xf32> {
  %y = tile.launch @stores ins(%x) outs(%e) : (tensor<65536x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %y : tensor<256xf32>
}

// -----

// CHECK: remark: @unbounded: grid missed: {{.*}}: its trip count has no known bound
tile.kernel @unbounded(%x: !tile.view<?x256xf32>) outs(%y: !tile.view<256xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tile.dim %x, 0 : !tile.view<?x256xf32>
  %z = arith.constant dense<0.0> : tensor<256xf32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z) -> (tensor<256xf32>) {
    %t = tile.load %x[%i, %c0] [1, 256] : !tile.view<?x256xf32> -> tensor<1x256xf32>
    %u = tile.reshape %t [256] : tensor<1x256xf32> -> tensor<256xf32>
    %n = arith.addf %a, %u : tensor<256xf32>
    scf.yield %n : tensor<256xf32>
  }
  tile.store %r, %y[%c0] : tensor<256xf32>, !tile.view<256xf32>
}
func.func @e(%x: tensor<?x256xf32>, %e: tensor<256xf32>) -> tensor<256xf32> {
  %y = tile.launch @unbounded ins(%x) outs(%e) : (tensor<?x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %y : tensor<256xf32>
}

// -----

// CHECK: remark: @own: grid missed: {{.*}}: the size of an out is not that of any input
tile.kernel @own(%x: !tile.view<65536x256xf32>) outs(%y: !tile.view<?x256xf32>) grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  %z = arith.constant dense<0.0> : tensor<1x256xf32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z) -> (tensor<1x256xf32>) {
    %t = tile.load %x[%i, %c0] [1, 256] : !tile.view<65536x256xf32> -> tensor<1x256xf32>
    %n = arith.addf %a, %t : tensor<1x256xf32>
    scf.yield %n : tensor<1x256xf32>
  }
  tile.store %r, %y[%m, %c0] : tensor<1x256xf32>, !tile.view<?x256xf32>
}
func.func @f(%x: tensor<65536x256xf32>, %e: tensor<?x256xf32>) -> tensor<?x256xf32> attributes {tile.rows = array<i64: 1, 4>} {
  %y = tile.launch @own ins(%x) outs(%e) : (tensor<65536x256xf32>, tensor<?x256xf32>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}

// -----

// CHECK: remark: @made: grid missed: {{.*}}: the loop reads what the kernel writes
tile.kernel @made(%x: !tile.view<256xf32>) outs(%y: !tile.view<65536x256xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  %z = arith.constant dense<0.0> : tensor<1x256xf32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z) -> (tensor<1x256xf32>) {
    %t = tile.load %y[%i, %c0] [1, 256] : !tile.view<65536x256xf32> -> tensor<1x256xf32>
    %n = arith.addf %a, %t : tensor<1x256xf32>
    scf.yield %n : tensor<1x256xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<1x256xf32>, !tile.view<65536x256xf32>
}
func.func @g(%x: tensor<256xf32>) -> tensor<65536x256xf32> {
  %e = tensor.empty() : tensor<65536x256xf32>
  %y = tile.launch @made ins(%x) outs(%e) : (tensor<256xf32>, tensor<65536x256xf32>) -> tensor<65536x256xf32>
  return %y : tensor<65536x256xf32>
}

// -----

// CHECK: remark: @product: grid missed: {{.*}}: it only accumulates products, whose tiles are already chosen for the number of threads
tile.kernel @product(%x: !tile.view<16x65536xf32>, %w: !tile.view<16x65536xf32>) outs(%y: !tile.view<16x16xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 1024 : index
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %z) -> (tensor<16x16xf32>) {
    %t = tile.load %x[%c0, %i] [16, 64] : !tile.view<16x65536xf32> -> tensor<16x64xf32>
    %u = tile.load %w[%c0, %i] [16, 64] : !tile.view<16x65536xf32> -> tensor<16x64xf32>
    %n = tile.dot %t, %u, %a transpose_b : tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %n : tensor<16x16xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<16x16xf32>
}
func.func @h(%x: tensor<16x65536xf32>, %w: tensor<16x65536xf32>, %e: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %y = tile.launch @product ins(%x, %w) outs(%e) : (tensor<16x65536xf32>, tensor<16x65536xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
