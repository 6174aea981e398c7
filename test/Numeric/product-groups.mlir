// Products that three warp groups share: 192 rows, or 192 columns if the product is computed transposed, and the last tile ends
// with the data or extends past it.
// TYPES: bf16 f16
!X = !tile.view<?x?x!T>

// CASE @rows rounded K=200: 400x200xT=random:1 232x200xT=random:2 -> 400x232xT
// CASE @rows rounded K=328: 70x328xT=random:1 96x328xT=random:2 -> 70x96xT
tile.kernel @rows(%x: !X, %w: !X) outs(%y: !tile.view<?x?x!T>) grid [ceildiv(dim(%y, 0), 192), ceildiv(dim(%y, 1), 104)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<192x104xf32>
  %steps = tile.num_tiles %x, 1 by [64] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<192x104xf32>) {
    %a = tile.load %x[%m, %k] [192, 64] : !X -> tensor<192x64x!T>
    %b = tile.load %w[%n, %k] [104, 64] : !X -> tensor<104x64x!T>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<192x64x!T>, tensor<104x64x!T>, tensor<192x104xf32> -> tensor<192x104xf32>
    scf.yield %s : tensor<192x104xf32>
  }
  %out = tile.cast %sum : tensor<192x104xf32> to tensor<192x104x!T>
  tile.store %out, %y[%m, %n] : tensor<192x104x!T>, !tile.view<?x?x!T>
}

// CASE @columns rounded K=200: 230x200xT=random:1 400x200xT=random:2 -> 230x400xT
// CASE @columns rounded K=64: 33x64xT=random:1 200x64xT=random:2 -> 33x200xT
tile.kernel @columns(%x: !X, %w: !X) outs(%y: !tile.view<?x?x!T>) grid [ceildiv(dim(%y, 0), 104), ceildiv(dim(%y, 1), 192)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<104x192xf32>
  %steps = tile.num_tiles %x, 1 by [64] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<104x192xf32>) {
    %a = tile.load %x[%m, %k] [104, 64] : !X -> tensor<104x64x!T>
    %b = tile.load %w[%n, %k] [192, 64] : !X -> tensor<192x64x!T>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<104x64x!T>, tensor<192x64x!T>, tensor<104x192xf32> -> tensor<104x192xf32>
    scf.yield %s : tensor<104x192xf32>
  }
  %out = tile.cast %sum : tensor<104x192xf32> to tensor<104x192x!T>
  tile.store %out, %y[%m, %n] : tensor<104x192x!T>, !tile.view<?x?x!T>
}

// CASE @wide_rows K=136: 384x136xT=random:1 176x136xT=random:2 -> 384x176xf32
// CASE @wide_rows K=136: 300x136xT=random:1 177x136xT=random:2 -> 300x177xf32
tile.kernel @wide_rows(%x: !X, %w: !X) outs(%y: !tile.view<?x?xf32>) grid [ceildiv(dim(%y, 0), 192), ceildiv(dim(%y, 1), 160)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<192x160xf32>
  %steps = tile.num_tiles %x, 1 by [64] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<192x160xf32>) {
    %a = tile.load %x[%m, %k] [192, 64] : !X -> tensor<192x64x!T>
    %b = tile.load %w[%n, %k] [160, 64] : !X -> tensor<160x64x!T>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<192x64x!T>, tensor<160x64x!T>, tensor<192x160xf32> -> tensor<192x160xf32>
    scf.yield %s : tensor<192x160xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<192x160xf32>, !tile.view<?x?xf32>
}

// Two instructions share 208 columns, whose accumulators do not fit what a thread starts with.
// CASE @halved_rows rounded K=200: 400x200xT=random:1 432x200xT=random:2 -> 400x432xT
// CASE @halved_rows rounded K=328: 70x328xT=random:1 96x328xT=random:2 -> 70x96xT
tile.kernel @halved_rows(%x: !X, %w: !X) outs(%y: !tile.view<?x?x!T>) grid [ceildiv(dim(%y, 0), 192), ceildiv(dim(%y, 1), 208)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<192x208xf32>
  %steps = tile.num_tiles %x, 1 by [64] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<192x208xf32>) {
    %a = tile.load %x[%m, %k] [192, 64] : !X -> tensor<192x64x!T>
    %b = tile.load %w[%n, %k] [208, 64] : !X -> tensor<208x64x!T>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<192x64x!T>, tensor<208x64x!T>, tensor<192x208xf32> -> tensor<192x208xf32>
    scf.yield %s : tensor<192x208xf32>
  }
  %out = tile.cast %sum : tensor<192x208xf32> to tensor<192x208x!T>
  tile.store %out, %y[%m, %n] : tensor<192x208x!T>, !tile.view<?x?x!T>
}

// CASE @halved_columns rounded K=200: 430x200xT=random:1 400x200xT=random:2 -> 430x400xT
// CASE @halved_columns rounded K=64: 33x64xT=random:1 200x64xT=random:2 -> 33x200xT
tile.kernel @halved_columns(%x: !X, %w: !X) outs(%y: !tile.view<?x?x!T>) grid [ceildiv(dim(%y, 0), 208), ceildiv(dim(%y, 1), 192)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<208x192xf32>
  %steps = tile.num_tiles %x, 1 by [64] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<208x192xf32>) {
    %a = tile.load %x[%m, %k] [208, 64] : !X -> tensor<208x64x!T>
    %b = tile.load %w[%n, %k] [192, 64] : !X -> tensor<192x64x!T>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<208x64x!T>, tensor<192x64x!T>, tensor<208x192xf32> -> tensor<208x192xf32>
    scf.yield %s : tensor<208x192xf32>
  }
  %out = tile.cast %sum : tensor<208x192xf32> to tensor<208x192x!T>
  tile.store %out, %y[%m, %n] : tensor<208x192x!T>, !tile.view<?x?x!T>
}
