// One row a warp.
tile.kernel @words() grid [1] {
