// Launches that the records beside this file are for, in static sizes: GPT-2's products of benchmarks/gpu (jobs.py)
// and gated units (form_jobs.py). Measured and verified by
//
//   tilegpt-run tune tuning/launches.mlir --device cuda --budget 120 --out records.json
//   tilegpt-run tune tuning/launches.mlir --device cuda --verify records.json

func.func @gemm_bf16_1024x768x3072(%i0: tensor<1024x3072xbf16> {tile.transient}, %i1: tensor<768x3072xbf16>, %i2: tensor<768xf32>, %o0: tensor<1024x768xbf16> {tile.transient}) -> (tensor<1024x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<1024x3072xbf16>, tensor<768x3072xbf16>, tensor<768xf32>, tensor<1024x768xbf16>) -> (tensor<1024x768xbf16>)
  return %r#0 : tensor<1024x768xbf16>
}
func.func @gemm_bf16_16384x1600x6400(%i0: tensor<16384x6400xbf16> {tile.transient}, %i1: tensor<1600x6400xbf16>, %i2: tensor<1600xf32>, %o0: tensor<16384x1600xbf16> {tile.transient}) -> (tensor<16384x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<16384x6400xbf16>, tensor<1600x6400xbf16>, tensor<1600xf32>, tensor<16384x1600xbf16>) -> (tensor<16384x1600xbf16>)
  return %r#0 : tensor<16384x1600xbf16>
}
func.func @gemm_bf16_16384x768x3072(%i0: tensor<16384x3072xbf16> {tile.transient}, %i1: tensor<768x3072xbf16>, %i2: tensor<768xf32>, %o0: tensor<16384x768xbf16> {tile.transient}) -> (tensor<16384x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<16384x3072xbf16>, tensor<768x3072xbf16>, tensor<768xf32>, tensor<16384x768xbf16>) -> (tensor<16384x768xbf16>)
  return %r#0 : tensor<16384x768xbf16>
}
func.func @gemm_bf16_8192x768x3072(%i0: tensor<8192x3072xbf16> {tile.transient}, %i1: tensor<768x3072xbf16>, %i2: tensor<768xf32>, %o0: tensor<8192x768xbf16> {tile.transient}) -> (tensor<8192x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x3072xbf16>, tensor<768x3072xbf16>, tensor<768xf32>, tensor<8192x768xbf16>) -> (tensor<8192x768xbf16>)
  return %r#0 : tensor<8192x768xbf16>
}
func.func @gemm_bf16_4096x768x3072(%i0: tensor<4096x3072xbf16> {tile.transient}, %i1: tensor<768x3072xbf16>, %i2: tensor<768xf32>, %o0: tensor<4096x768xbf16> {tile.transient}) -> (tensor<4096x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x3072xbf16>, tensor<768x3072xbf16>, tensor<768xf32>, tensor<4096x768xbf16>) -> (tensor<4096x768xbf16>)
  return %r#0 : tensor<4096x768xbf16>
}
func.func @gemm_bf16_512x2304x768(%i0: tensor<512x768xbf16> {tile.transient}, %i1: tensor<2304x768xbf16>, %i2: tensor<2304xf32>, %o0: tensor<512x2304xbf16> {tile.transient}) -> (tensor<512x2304xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<512x768xbf16>, tensor<2304x768xbf16>, tensor<2304xf32>, tensor<512x2304xbf16>) -> (tensor<512x2304xbf16>)
  return %r#0 : tensor<512x2304xbf16>
}
func.func @gemm_bf16_16384x4800x1600(%i0: tensor<16384x1600xbf16> {tile.transient}, %i1: tensor<4800x1600xbf16>, %i2: tensor<4800xf32>, %o0: tensor<16384x4800xbf16> {tile.transient}) -> (tensor<16384x4800xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<16384x1600xbf16>, tensor<4800x1600xbf16>, tensor<4800xf32>, tensor<16384x4800xbf16>) -> (tensor<16384x4800xbf16>)
  return %r#0 : tensor<16384x4800xbf16>
}
func.func @gemm_bf16_16384x6400x1600(%i0: tensor<16384x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<16384x6400xbf16> {tile.transient}) -> (tensor<16384x6400xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<16384x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<16384x6400xbf16>) -> (tensor<16384x6400xbf16>)
  return %r#0 : tensor<16384x6400xbf16>
}
func.func @gemm_bf16_1024x2304x768(%i0: tensor<1024x768xbf16> {tile.transient}, %i1: tensor<2304x768xbf16>, %i2: tensor<2304xf32>, %o0: tensor<1024x2304xbf16> {tile.transient}) -> (tensor<1024x2304xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<1024x768xbf16>, tensor<2304x768xbf16>, tensor<2304xf32>, tensor<1024x2304xbf16>) -> (tensor<1024x2304xbf16>)
  return %r#0 : tensor<1024x2304xbf16>
}
func.func @gemm_bf16_4096x2304x768(%i0: tensor<4096x768xbf16> {tile.transient}, %i1: tensor<2304x768xbf16>, %i2: tensor<2304xf32>, %o0: tensor<4096x2304xbf16> {tile.transient}) -> (tensor<4096x2304xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x768xbf16>, tensor<2304x768xbf16>, tensor<2304xf32>, tensor<4096x2304xbf16>) -> (tensor<4096x2304xbf16>)
  return %r#0 : tensor<4096x2304xbf16>
}
func.func @gemm_bf16_8192x2304x768(%i0: tensor<8192x768xbf16> {tile.transient}, %i1: tensor<2304x768xbf16>, %i2: tensor<2304xf32>, %o0: tensor<8192x2304xbf16> {tile.transient}) -> (tensor<8192x2304xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x768xbf16>, tensor<2304x768xbf16>, tensor<2304xf32>, tensor<8192x2304xbf16>) -> (tensor<8192x2304xbf16>)
  return %r#0 : tensor<8192x2304xbf16>
}
func.func @gemm_bf16_16384x2304x768(%i0: tensor<16384x768xbf16> {tile.transient}, %i1: tensor<2304x768xbf16>, %i2: tensor<2304xf32>, %o0: tensor<16384x2304xbf16> {tile.transient}) -> (tensor<16384x2304xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<16384x768xbf16>, tensor<2304x768xbf16>, tensor<2304xf32>, tensor<16384x2304xbf16>) -> (tensor<16384x2304xbf16>)
  return %r#0 : tensor<16384x2304xbf16>
}
func.func @gemm_bf16_512x768x768(%i0: tensor<512x768xbf16> {tile.transient}, %i1: tensor<768x768xbf16>, %i2: tensor<768xf32>, %o0: tensor<512x768xbf16> {tile.transient}) -> (tensor<512x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<512x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<512x768xbf16>) -> (tensor<512x768xbf16>)
  return %r#0 : tensor<512x768xbf16>
}
func.func @gemm_bf16_1024x768x768(%i0: tensor<1024x768xbf16> {tile.transient}, %i1: tensor<768x768xbf16>, %i2: tensor<768xf32>, %o0: tensor<1024x768xbf16> {tile.transient}) -> (tensor<1024x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<1024x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<1024x768xbf16>) -> (tensor<1024x768xbf16>)
  return %r#0 : tensor<1024x768xbf16>
}
func.func @gemm_bf16_4096x768x768(%i0: tensor<4096x768xbf16> {tile.transient}, %i1: tensor<768x768xbf16>, %i2: tensor<768xf32>, %o0: tensor<4096x768xbf16> {tile.transient}) -> (tensor<4096x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<4096x768xbf16>) -> (tensor<4096x768xbf16>)
  return %r#0 : tensor<4096x768xbf16>
}
func.func @gemm_bf16_8192x768x768(%i0: tensor<8192x768xbf16> {tile.transient}, %i1: tensor<768x768xbf16>, %i2: tensor<768xf32>, %o0: tensor<8192x768xbf16> {tile.transient}) -> (tensor<8192x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<8192x768xbf16>) -> (tensor<8192x768xbf16>)
  return %r#0 : tensor<8192x768xbf16>
}
func.func @gemm_bf16_16384x768x768(%i0: tensor<16384x768xbf16> {tile.transient}, %i1: tensor<768x768xbf16>, %i2: tensor<768xf32>, %o0: tensor<16384x768xbf16> {tile.transient}) -> (tensor<16384x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<16384x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<16384x768xbf16>) -> (tensor<16384x768xbf16>)
  return %r#0 : tensor<16384x768xbf16>
}
func.func @gemm_bf16_512x3072x768(%i0: tensor<512x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<512x3072xbf16> {tile.transient}) -> (tensor<512x3072xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<512x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<512x3072xbf16>) -> (tensor<512x3072xbf16>)
  return %r#0 : tensor<512x3072xbf16>
}
func.func @gemm_bf16_1024x3072x768(%i0: tensor<1024x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<1024x3072xbf16> {tile.transient}) -> (tensor<1024x3072xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<1024x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<1024x3072xbf16>) -> (tensor<1024x3072xbf16>)
  return %r#0 : tensor<1024x3072xbf16>
}
func.func @gemm_bf16_4096x3072x768(%i0: tensor<4096x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<4096x3072xbf16> {tile.transient}) -> (tensor<4096x3072xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<4096x3072xbf16>) -> (tensor<4096x3072xbf16>)
  return %r#0 : tensor<4096x3072xbf16>
}
func.func @gemm_bf16_8192x3072x768(%i0: tensor<8192x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<8192x3072xbf16> {tile.transient}) -> (tensor<8192x3072xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<8192x3072xbf16>) -> (tensor<8192x3072xbf16>)
  return %r#0 : tensor<8192x3072xbf16>
}
func.func @gemm_bf16_16384x3072x768(%i0: tensor<16384x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<16384x3072xbf16> {tile.transient}) -> (tensor<16384x3072xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<16384x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<16384x3072xbf16>) -> (tensor<16384x3072xbf16>)
  return %r#0 : tensor<16384x3072xbf16>
}
func.func @gemm_bf16_512x768x3072(%i0: tensor<512x3072xbf16> {tile.transient}, %i1: tensor<768x3072xbf16>, %i2: tensor<768xf32>, %o0: tensor<512x768xbf16> {tile.transient}) -> (tensor<512x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<512x3072xbf16>, tensor<768x3072xbf16>, tensor<768xf32>, tensor<512x768xbf16>) -> (tensor<512x768xbf16>)
  return %r#0 : tensor<512x768xbf16>
}
func.func @gemm_bf16_512x4800x1600(%i0: tensor<512x1600xbf16> {tile.transient}, %i1: tensor<4800x1600xbf16>, %i2: tensor<4800xf32>, %o0: tensor<512x4800xbf16> {tile.transient}) -> (tensor<512x4800xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<512x1600xbf16>, tensor<4800x1600xbf16>, tensor<4800xf32>, tensor<512x4800xbf16>) -> (tensor<512x4800xbf16>)
  return %r#0 : tensor<512x4800xbf16>
}
func.func @gemm_bf16_1024x4800x1600(%i0: tensor<1024x1600xbf16> {tile.transient}, %i1: tensor<4800x1600xbf16>, %i2: tensor<4800xf32>, %o0: tensor<1024x4800xbf16> {tile.transient}) -> (tensor<1024x4800xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<1024x1600xbf16>, tensor<4800x1600xbf16>, tensor<4800xf32>, tensor<1024x4800xbf16>) -> (tensor<1024x4800xbf16>)
  return %r#0 : tensor<1024x4800xbf16>
}
func.func @gemm_bf16_4096x4800x1600(%i0: tensor<4096x1600xbf16> {tile.transient}, %i1: tensor<4800x1600xbf16>, %i2: tensor<4800xf32>, %o0: tensor<4096x4800xbf16> {tile.transient}) -> (tensor<4096x4800xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x1600xbf16>, tensor<4800x1600xbf16>, tensor<4800xf32>, tensor<4096x4800xbf16>) -> (tensor<4096x4800xbf16>)
  return %r#0 : tensor<4096x4800xbf16>
}
func.func @gemm_bf16_8192x4800x1600(%i0: tensor<8192x1600xbf16> {tile.transient}, %i1: tensor<4800x1600xbf16>, %i2: tensor<4800xf32>, %o0: tensor<8192x4800xbf16> {tile.transient}) -> (tensor<8192x4800xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x1600xbf16>, tensor<4800x1600xbf16>, tensor<4800xf32>, tensor<8192x4800xbf16>) -> (tensor<8192x4800xbf16>)
  return %r#0 : tensor<8192x4800xbf16>
}
func.func @gemm_bf16_512x1600x1600(%i0: tensor<512x1600xbf16> {tile.transient}, %i1: tensor<1600x1600xbf16>, %i2: tensor<1600xf32>, %o0: tensor<512x1600xbf16> {tile.transient}) -> (tensor<512x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<512x1600xbf16>, tensor<1600x1600xbf16>, tensor<1600xf32>, tensor<512x1600xbf16>) -> (tensor<512x1600xbf16>)
  return %r#0 : tensor<512x1600xbf16>
}
func.func @gemm_bf16_1024x1600x1600(%i0: tensor<1024x1600xbf16> {tile.transient}, %i1: tensor<1600x1600xbf16>, %i2: tensor<1600xf32>, %o0: tensor<1024x1600xbf16> {tile.transient}) -> (tensor<1024x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<1024x1600xbf16>, tensor<1600x1600xbf16>, tensor<1600xf32>, tensor<1024x1600xbf16>) -> (tensor<1024x1600xbf16>)
  return %r#0 : tensor<1024x1600xbf16>
}
func.func @gemm_bf16_4096x1600x1600(%i0: tensor<4096x1600xbf16> {tile.transient}, %i1: tensor<1600x1600xbf16>, %i2: tensor<1600xf32>, %o0: tensor<4096x1600xbf16> {tile.transient}) -> (tensor<4096x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x1600xbf16>, tensor<1600x1600xbf16>, tensor<1600xf32>, tensor<4096x1600xbf16>) -> (tensor<4096x1600xbf16>)
  return %r#0 : tensor<4096x1600xbf16>
}
func.func @gemm_bf16_8192x1600x1600(%i0: tensor<8192x1600xbf16> {tile.transient}, %i1: tensor<1600x1600xbf16>, %i2: tensor<1600xf32>, %o0: tensor<8192x1600xbf16> {tile.transient}) -> (tensor<8192x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x1600xbf16>, tensor<1600x1600xbf16>, tensor<1600xf32>, tensor<8192x1600xbf16>) -> (tensor<8192x1600xbf16>)
  return %r#0 : tensor<8192x1600xbf16>
}
func.func @gemm_bf16_16384x1600x1600(%i0: tensor<16384x1600xbf16> {tile.transient}, %i1: tensor<1600x1600xbf16>, %i2: tensor<1600xf32>, %o0: tensor<16384x1600xbf16> {tile.transient}) -> (tensor<16384x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<16384x1600xbf16>, tensor<1600x1600xbf16>, tensor<1600xf32>, tensor<16384x1600xbf16>) -> (tensor<16384x1600xbf16>)
  return %r#0 : tensor<16384x1600xbf16>
}
func.func @gemm_bf16_512x6400x1600(%i0: tensor<512x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<512x6400xbf16> {tile.transient}) -> (tensor<512x6400xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<512x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<512x6400xbf16>) -> (tensor<512x6400xbf16>)
  return %r#0 : tensor<512x6400xbf16>
}
func.func @gemm_bf16_1024x6400x1600(%i0: tensor<1024x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<1024x6400xbf16> {tile.transient}) -> (tensor<1024x6400xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<1024x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<1024x6400xbf16>) -> (tensor<1024x6400xbf16>)
  return %r#0 : tensor<1024x6400xbf16>
}
func.func @gemm_bf16_4096x6400x1600(%i0: tensor<4096x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<4096x6400xbf16> {tile.transient}) -> (tensor<4096x6400xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<4096x6400xbf16>) -> (tensor<4096x6400xbf16>)
  return %r#0 : tensor<4096x6400xbf16>
}
func.func @gemm_bf16_8192x6400x1600(%i0: tensor<8192x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<8192x6400xbf16> {tile.transient}) -> (tensor<8192x6400xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<8192x6400xbf16>) -> (tensor<8192x6400xbf16>)
  return %r#0 : tensor<8192x6400xbf16>
}
func.func @gemm_bf16_512x1600x6400(%i0: tensor<512x6400xbf16> {tile.transient}, %i1: tensor<1600x6400xbf16>, %i2: tensor<1600xf32>, %o0: tensor<512x1600xbf16> {tile.transient}) -> (tensor<512x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<512x6400xbf16>, tensor<1600x6400xbf16>, tensor<1600xf32>, tensor<512x1600xbf16>) -> (tensor<512x1600xbf16>)
  return %r#0 : tensor<512x1600xbf16>
}
func.func @gemm_bf16_1024x1600x6400(%i0: tensor<1024x6400xbf16> {tile.transient}, %i1: tensor<1600x6400xbf16>, %i2: tensor<1600xf32>, %o0: tensor<1024x1600xbf16> {tile.transient}) -> (tensor<1024x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<1024x6400xbf16>, tensor<1600x6400xbf16>, tensor<1600xf32>, tensor<1024x1600xbf16>) -> (tensor<1024x1600xbf16>)
  return %r#0 : tensor<1024x1600xbf16>
}
func.func @gemm_bf16_4096x1600x6400(%i0: tensor<4096x6400xbf16> {tile.transient}, %i1: tensor<1600x6400xbf16>, %i2: tensor<1600xf32>, %o0: tensor<4096x1600xbf16> {tile.transient}) -> (tensor<4096x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x6400xbf16>, tensor<1600x6400xbf16>, tensor<1600xf32>, tensor<4096x1600xbf16>) -> (tensor<4096x1600xbf16>)
  return %r#0 : tensor<4096x1600xbf16>
}
func.func @gemm_bf16_8192x1600x6400(%i0: tensor<8192x6400xbf16> {tile.transient}, %i1: tensor<1600x6400xbf16>, %i2: tensor<1600xf32>, %o0: tensor<8192x1600xbf16> {tile.transient}) -> (tensor<8192x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x6400xbf16>, tensor<1600x6400xbf16>, tensor<1600xf32>, tensor<8192x1600xbf16>) -> (tensor<8192x1600xbf16>)
  return %r#0 : tensor<8192x1600xbf16>
}
func.func @square_bf16_2048x2048x2048(%i0: tensor<2048x2048xbf16> {tile.transient}, %i1: tensor<2048x2048xbf16>, %i2: tensor<2048xf32>, %o0: tensor<2048x2048xbf16> {tile.transient}) -> (tensor<2048x2048xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>, tensor<2048xf32>, tensor<2048x2048xbf16>) -> (tensor<2048x2048xbf16>)
  return %r#0 : tensor<2048x2048xbf16>
}
func.func @square_bf16_4096x4096x4096(%i0: tensor<4096x4096xbf16> {tile.transient}, %i1: tensor<4096x4096xbf16>, %i2: tensor<4096xf32>, %o0: tensor<4096x4096xbf16> {tile.transient}) -> (tensor<4096x4096xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096xf32>, tensor<4096x4096xbf16>) -> (tensor<4096x4096xbf16>)
  return %r#0 : tensor<4096x4096xbf16>
}
func.func @square_bf16_8192x8192x8192(%i0: tensor<8192x8192xbf16> {tile.transient}, %i1: tensor<8192x8192xbf16>, %i2: tensor<8192xf32>, %o0: tensor<8192x8192xbf16> {tile.transient}) -> (tensor<8192x8192xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<8192x8192xbf16>, tensor<8192x8192xbf16>, tensor<8192xf32>, tensor<8192x8192xbf16>) -> (tensor<8192x8192xbf16>)
  return %r#0 : tensor<8192x8192xbf16>
}
func.func @square_f16_4096x4096x4096(%i0: tensor<4096x4096xf16> {tile.transient}, %i1: tensor<4096x4096xf16>, %i2: tensor<4096xf32>, %o0: tensor<4096x4096xf16> {tile.transient}) -> (tensor<4096x4096xf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<4096x4096xf16>, tensor<4096x4096xf16>, tensor<4096xf32>, tensor<4096x4096xf16>) -> (tensor<4096x4096xf16>)
  return %r#0 : tensor<4096x4096xf16>
}
func.func @gelu_bf16_1024x3072x768(%i0: tensor<1024x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<1024x3072xbf16> {tile.transient}) -> (tensor<1024x3072xbf16>) {
  %e0 = tensor.empty() : tensor<1024x3072xbf16>
  %m0 = tile.launch @linear ins(%i0, %i1, %i2) outs(%e0) : (tensor<1024x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<1024x3072xbf16>) -> tensor<1024x3072xbf16>
  %e1 = tensor.empty() : tensor<1024x3072xbf16>
  %m1 = tile.launch @gelu ins(%m0) outs(%e1) : (tensor<1024x3072xbf16>, tensor<1024x3072xbf16>) -> tensor<1024x3072xbf16>
  return %m1 : tensor<1024x3072xbf16>
}
func.func @gelu_bf16_8192x3072x768(%i0: tensor<8192x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<8192x3072xbf16> {tile.transient}) -> (tensor<8192x3072xbf16>) {
  %e0 = tensor.empty() : tensor<8192x3072xbf16>
  %m0 = tile.launch @linear ins(%i0, %i1, %i2) outs(%e0) : (tensor<8192x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<8192x3072xbf16>) -> tensor<8192x3072xbf16>
  %e1 = tensor.empty() : tensor<8192x3072xbf16>
  %m1 = tile.launch @gelu ins(%m0) outs(%e1) : (tensor<8192x3072xbf16>, tensor<8192x3072xbf16>) -> tensor<8192x3072xbf16>
  return %m1 : tensor<8192x3072xbf16>
}
func.func @gelu_bf16_16384x3072x768(%i0: tensor<16384x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<16384x3072xbf16> {tile.transient}) -> (tensor<16384x3072xbf16>) {
  %e0 = tensor.empty() : tensor<16384x3072xbf16>
  %m0 = tile.launch @linear ins(%i0, %i1, %i2) outs(%e0) : (tensor<16384x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<16384x3072xbf16>) -> tensor<16384x3072xbf16>
  %e1 = tensor.empty() : tensor<16384x3072xbf16>
  %m1 = tile.launch @gelu ins(%m0) outs(%e1) : (tensor<16384x3072xbf16>, tensor<16384x3072xbf16>) -> tensor<16384x3072xbf16>
  return %m1 : tensor<16384x3072xbf16>
}
func.func @few_bf16_64x2304x768(%i0: tensor<64x768xbf16> {tile.transient}, %i1: tensor<2304x768xbf16>, %i2: tensor<2304xf32>, %o0: tensor<64x2304xbf16> {tile.transient}) -> (tensor<64x2304xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<64x768xbf16>, tensor<2304x768xbf16>, tensor<2304xf32>, tensor<64x2304xbf16>) -> (tensor<64x2304xbf16>)
  return %r#0 : tensor<64x2304xbf16>
}
func.func @few_bf16_64x768x768(%i0: tensor<64x768xbf16> {tile.transient}, %i1: tensor<768x768xbf16>, %i2: tensor<768xf32>, %o0: tensor<64x768xbf16> {tile.transient}) -> (tensor<64x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<64x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<64x768xbf16>) -> (tensor<64x768xbf16>)
  return %r#0 : tensor<64x768xbf16>
}
func.func @few_bf16_64x3072x768(%i0: tensor<64x768xbf16> {tile.transient}, %i1: tensor<3072x768xbf16>, %i2: tensor<3072xf32>, %o0: tensor<64x3072xbf16> {tile.transient}) -> (tensor<64x3072xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<64x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<64x3072xbf16>) -> (tensor<64x3072xbf16>)
  return %r#0 : tensor<64x3072xbf16>
}
func.func @few_bf16_64x768x3072(%i0: tensor<64x3072xbf16> {tile.transient}, %i1: tensor<768x3072xbf16>, %i2: tensor<768xf32>, %o0: tensor<64x768xbf16> {tile.transient}) -> (tensor<64x768xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<64x3072xbf16>, tensor<768x3072xbf16>, tensor<768xf32>, tensor<64x768xbf16>) -> (tensor<64x768xbf16>)
  return %r#0 : tensor<64x768xbf16>
}
func.func @head_bf16_1024x50257x768(%i0: tensor<1024x768xbf16> {tile.transient}, %i1: tensor<50257x768xbf16>, %o0: tensor<1024x50257xf32> {tile.transient}) -> (tensor<1024x50257xf32>) {
  %g0 = tensor.empty() : tensor<0xf32>
  %r:1 = tile.launch @linear ins(%i0, %i1, %g0) outs(%o0) : (tensor<1024x768xbf16>, tensor<50257x768xbf16>, tensor<0xf32>, tensor<1024x50257xf32>) -> (tensor<1024x50257xf32>)
  return %r#0 : tensor<1024x50257xf32>
}
func.func @head_bf16_1024x50257x768_bf16(%i0: tensor<1024x768xbf16> {tile.transient}, %i1: tensor<50257x768xbf16>, %o0: tensor<1024x50257xbf16> {tile.transient}) -> (tensor<1024x50257xbf16>) {
  %g0 = tensor.empty() : tensor<0xf32>
  %r:1 = tile.launch @linear ins(%i0, %i1, %g0) outs(%o0) : (tensor<1024x768xbf16>, tensor<50257x768xbf16>, tensor<0xf32>, tensor<1024x50257xbf16>) -> (tensor<1024x50257xbf16>)
  return %r#0 : tensor<1024x50257xbf16>
}
func.func @gelu_bf16_1024x6400x1600(%i0: tensor<1024x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<1024x6400xbf16> {tile.transient}) -> (tensor<1024x6400xbf16>) {
  %e0 = tensor.empty() : tensor<1024x6400xbf16>
  %m0 = tile.launch @linear ins(%i0, %i1, %i2) outs(%e0) : (tensor<1024x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<1024x6400xbf16>) -> tensor<1024x6400xbf16>
  %e1 = tensor.empty() : tensor<1024x6400xbf16>
  %m1 = tile.launch @gelu ins(%m0) outs(%e1) : (tensor<1024x6400xbf16>, tensor<1024x6400xbf16>) -> tensor<1024x6400xbf16>
  return %m1 : tensor<1024x6400xbf16>
}
func.func @gelu_bf16_8192x6400x1600(%i0: tensor<8192x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<8192x6400xbf16> {tile.transient}) -> (tensor<8192x6400xbf16>) {
  %e0 = tensor.empty() : tensor<8192x6400xbf16>
  %m0 = tile.launch @linear ins(%i0, %i1, %i2) outs(%e0) : (tensor<8192x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<8192x6400xbf16>) -> tensor<8192x6400xbf16>
  %e1 = tensor.empty() : tensor<8192x6400xbf16>
  %m1 = tile.launch @gelu ins(%m0) outs(%e1) : (tensor<8192x6400xbf16>, tensor<8192x6400xbf16>) -> tensor<8192x6400xbf16>
  return %m1 : tensor<8192x6400xbf16>
}
func.func @gelu_bf16_16384x6400x1600(%i0: tensor<16384x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<16384x6400xbf16> {tile.transient}) -> (tensor<16384x6400xbf16>) {
  %e0 = tensor.empty() : tensor<16384x6400xbf16>
  %m0 = tile.launch @linear ins(%i0, %i1, %i2) outs(%e0) : (tensor<16384x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<16384x6400xbf16>) -> tensor<16384x6400xbf16>
  %e1 = tensor.empty() : tensor<16384x6400xbf16>
  %m1 = tile.launch @gelu ins(%m0) outs(%e1) : (tensor<16384x6400xbf16>, tensor<16384x6400xbf16>) -> tensor<16384x6400xbf16>
  return %m1 : tensor<16384x6400xbf16>
}
func.func @few_bf16_64x4800x1600(%i0: tensor<64x1600xbf16> {tile.transient}, %i1: tensor<4800x1600xbf16>, %i2: tensor<4800xf32>, %o0: tensor<64x4800xbf16> {tile.transient}) -> (tensor<64x4800xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<64x1600xbf16>, tensor<4800x1600xbf16>, tensor<4800xf32>, tensor<64x4800xbf16>) -> (tensor<64x4800xbf16>)
  return %r#0 : tensor<64x4800xbf16>
}
func.func @few_bf16_64x1600x1600(%i0: tensor<64x1600xbf16> {tile.transient}, %i1: tensor<1600x1600xbf16>, %i2: tensor<1600xf32>, %o0: tensor<64x1600xbf16> {tile.transient}) -> (tensor<64x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<64x1600xbf16>, tensor<1600x1600xbf16>, tensor<1600xf32>, tensor<64x1600xbf16>) -> (tensor<64x1600xbf16>)
  return %r#0 : tensor<64x1600xbf16>
}
func.func @few_bf16_64x6400x1600(%i0: tensor<64x1600xbf16> {tile.transient}, %i1: tensor<6400x1600xbf16>, %i2: tensor<6400xf32>, %o0: tensor<64x6400xbf16> {tile.transient}) -> (tensor<64x6400xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<64x1600xbf16>, tensor<6400x1600xbf16>, tensor<6400xf32>, tensor<64x6400xbf16>) -> (tensor<64x6400xbf16>)
  return %r#0 : tensor<64x6400xbf16>
}
func.func @few_bf16_64x1600x6400(%i0: tensor<64x6400xbf16> {tile.transient}, %i1: tensor<1600x6400xbf16>, %i2: tensor<1600xf32>, %o0: tensor<64x1600xbf16> {tile.transient}) -> (tensor<64x1600xbf16>) {
  %r:1 = tile.launch @linear ins(%i0, %i1, %i2) outs(%o0) : (tensor<64x6400xbf16>, tensor<1600x6400xbf16>, tensor<1600xf32>, tensor<64x1600xbf16>) -> (tensor<64x1600xbf16>)
  return %r#0 : tensor<64x1600xbf16>
}
func.func @head_bf16_1024x50257x1600(%i0: tensor<1024x1600xbf16> {tile.transient}, %i1: tensor<50257x1600xbf16>, %o0: tensor<1024x50257xf32> {tile.transient}) -> (tensor<1024x50257xf32>) {
  %g0 = tensor.empty() : tensor<0xf32>
  %r:1 = tile.launch @linear ins(%i0, %i1, %g0) outs(%o0) : (tensor<1024x1600xbf16>, tensor<50257x1600xbf16>, tensor<0xf32>, tensor<1024x50257xf32>) -> (tensor<1024x50257xf32>)
  return %r#0 : tensor<1024x50257xf32>
}
func.func @head_bf16_1024x50257x1600_bf16(%i0: tensor<1024x1600xbf16> {tile.transient}, %i1: tensor<50257x1600xbf16>, %o0: tensor<1024x50257xbf16> {tile.transient}) -> (tensor<1024x50257xbf16>) {
  %g0 = tensor.empty() : tensor<0xf32>
  %r:1 = tile.launch @linear ins(%i0, %i1, %g0) outs(%o0) : (tensor<1024x1600xbf16>, tensor<50257x1600xbf16>, tensor<0xf32>, tensor<1024x50257xbf16>) -> (tensor<1024x50257xbf16>)
  return %r#0 : tensor<1024x50257xbf16>
}
func.func @head_bf16_4096x50257x48(%i0: tensor<4096x48xbf16> {tile.transient}, %i1: tensor<50257x48xbf16>, %o0: tensor<4096x50257xf32> {tile.transient}) -> (tensor<4096x50257xf32>) {
  %g0 = tensor.empty() : tensor<0xf32>
  %r:1 = tile.launch @linear ins(%i0, %i1, %g0) outs(%o0) : (tensor<4096x48xbf16>, tensor<50257x48xbf16>, tensor<0xf32>, tensor<4096x50257xf32>) -> (tensor<4096x50257xf32>)
  return %r#0 : tensor<4096x50257xf32>
}
func.func @head_bf16_4096x50257x48_bf16(%i0: tensor<4096x48xbf16> {tile.transient}, %i1: tensor<50257x48xbf16>, %o0: tensor<4096x50257xbf16> {tile.transient}) -> (tensor<4096x50257xbf16>) {
  %g0 = tensor.empty() : tensor<0xf32>
  %r:1 = tile.launch @linear ins(%i0, %i1, %g0) outs(%o0) : (tensor<4096x48xbf16>, tensor<50257x48xbf16>, tensor<0xf32>, tensor<4096x50257xbf16>) -> (tensor<4096x50257xbf16>)
  return %r#0 : tensor<4096x50257xbf16>
}
func.func @gated_512x3072x1024(%i0: tensor<512x1024xbf16> {tile.transient}, %i1: tensor<6144x1024xbf16>, %i2: tensor<0xf32>, %o0: tensor<512x3072xbf16> {tile.transient}) -> (tensor<512x3072xbf16>) {
  %e0 = tensor.empty() : tensor<512x6144xbf16>
  %m0 = tile.launch @linear ins(%i0, %i1, %i2) outs(%e0) : (tensor<512x1024xbf16>, tensor<6144x1024xbf16>, tensor<0xf32>, tensor<512x6144xbf16>) -> tensor<512x6144xbf16>
  %e1 = tensor.empty() : tensor<512x3072xbf16>
  %m1 = tile.launch @silu_glu ins(%m0) outs(%e1) : (tensor<512x6144xbf16>, tensor<512x3072xbf16>) -> tensor<512x3072xbf16>
  return %m1 : tensor<512x3072xbf16>
}
func.func @gated_8192x3072x1024(%i0: tensor<8192x1024xbf16> {tile.transient}, %i1: tensor<6144x1024xbf16>, %i2: tensor<0xf32>, %o0: tensor<8192x3072xbf16> {tile.transient}) -> (tensor<8192x3072xbf16>) {
  %e0 = tensor.empty() : tensor<8192x6144xbf16>
  %m0 = tile.launch @linear ins(%i0, %i1, %i2) outs(%e0) : (tensor<8192x1024xbf16>, tensor<6144x1024xbf16>, tensor<0xf32>, tensor<8192x6144xbf16>) -> tensor<8192x6144xbf16>
  %e1 = tensor.empty() : tensor<8192x3072xbf16>
  %m1 = tile.launch @silu_glu ins(%m0) outs(%e1) : (tensor<8192x6144xbf16>, tensor<8192x3072xbf16>) -> tensor<8192x3072xbf16>
  return %m1 : tensor<8192x3072xbf16>
}
