// The number of columns per block, as every element.
tile.kernel @columns(%x: !tile.view<?x?xi32>) outs(%y: !tile.view<?x?xi32>)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4], BN = 256 in [64, 256, 1024]} grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !tile.view<?x?xi32> -> tensor<?x?xi32>
  %bn = tile.param BN
  %c = arith.index_cast %bn : index to i32
  %cs = tile.splat %c [BM, BN] : i32 -> tensor<?x?xi32>
  %s = arith.addi %t, %cs : tensor<?x?xi32>
  tile.store %s, %y[%m, %n] : tensor<?x?xi32>, !tile.view<?x?xi32>
}
