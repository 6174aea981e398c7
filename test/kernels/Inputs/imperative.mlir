// What a kernel must not look like.
tile.kernel @imperative(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [1] {
  %i = tile.block_id 0
  %t = memref.alloc() : memref<64xf32>
  %b = ub.poison : i32
}
