// Mine.
tile.kernel @add(%x: !tile.view<?xf32>) grid [1] {
}
