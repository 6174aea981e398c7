// Replaces the library's gelu.
tile.kernel @gelu(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    implements(gpt.gelu)
    params {MINE = 1}
    grid [dim(%y, 0)] {
}
