// A kernel that is not in the library.
tile.kernel @twice(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [dim(%y, 0)] {
}
