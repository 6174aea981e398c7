// A product that a producer feeds on an H200.
func.func @product(%x: tensor<256x512xbf16> {tile.transient}, %w: tensor<264x512xbf16>, %b: tensor<264xf32>, %y: tensor<256x264xbf16>) {
  tile.launch @linear ins(%x, %w, %b) outs(%y)
      : (tensor<256x512xbf16>, tensor<264x512xbf16>, tensor<264xf32>, tensor<256x264xbf16>) -> tensor<256x264xbf16>
  return
}
