// RUN: tilegpt-opt %s --tile-specialize --split-input-file --verify-diagnostics

func.func @unknown_kernel(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tile.launch' op names the kernel 'nobody', which is neither in the module nor in the kernel library}}
  %0 = tile.launch @nobody ins() outs(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'tile.kernel' op parameter "C" depends on a size that is not static; launch the kernel on tensors whose size is static there, or give the parameter a value}}
tile.kernel @rows(%x: !tile.view<?x?xf32>) params {C = dim(%x, 1)} grid [1] {
}

// -----

tile.kernel @open_tile(%x: !tile.view<?xf32>) params {BN = 4} grid [1] {
  %c0 = arith.constant 0 : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  // expected-error @+1 {{'ub.poison' op makes a tile of unknown size ('tensor<?xf32>') although all parameters are bound; give it static sizes or sizes named by parameters}}
  %e = ub.poison : tensor<?xf32>
}

// -----

// expected-error @+1 {{'tile.kernel' op parameter "K": expected a positive divisor in floordiv, found 0}}
tile.kernel @param_divides_by_zero(%x: !tile.view<100xf32>) params {BN = 64, K = floordiv(dim(%x, 0), BN - 64)} grid [1] {}

// -----

// expected-error @+1 {{'tile.kernel' op grid: expected a positive divisor in ceildiv, found -8}}
tile.kernel @grid_divides_by_less(%x: !tile.view<?xf32>) params {BN = 64} grid [ceildiv(dim(%x, 0), BN - 72)] {}

// -----

// A product with 0 is not computed, but its divisor is checked.
// expected-error @+1 {{'tile.kernel' op grid: expected a positive divisor in mod, found 0}}
tile.kernel @hidden_division(%x: !tile.view<?xf32>) params {BN = 64} grid [(BN - 64) * mod(dim(%x, 0), BN - 64)] {}

// -----

// expected-error @+1 {{'tile.kernel' op grid: size expression does not fit 64 bits: 64 * 9223372036854775807}}
tile.kernel @grid_overflows(%x: !tile.view<?xf32>) params {BN = 64} grid [9223372036854775807 * BN + dim(%x, 0)] {}

// -----

// expected-error @+1 {{'tile.kernel' op parameter "B": expected a positive divisor in floordiv, found 0}}
tile.kernel @launched(%x: !tile.view<?xf32>) params {K = dim(%x, 0) - 4, B = floordiv(100, K - 4)} grid [B] {}
func.func @launch(%x: tensor<8xf32>) {
  tile.launch @launched ins(%x) outs() : (tensor<8xf32>) -> ()
  return
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
tile.kernel @spread_over_threads(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  // expected-error @+1 {{'tile.splat' op has a tile with a layout, 'tensor<32xf32, #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>>'; run this pass before --tile-gpu-assign-layouts}}
  %t = tile.splat %s [32] : f32 -> tensor<32xf32, #row>
}

// -----

// Conditions on parameters are checked when these are bound.
// expected-error@below {{'tile.kernel' op expected axis 0 of argument 0 of 'rows_0' to be 4 (BM), found 5}}
tile.kernel @rows(%x: !tile.view<?xf32>) requires(dim(%x, 0) == BM) params {BM = 4} grid [1] {}
func.func @graph(%x: tensor<5xf32>) {
  tile.launch @rows ins(%x) outs() : (tensor<5xf32>) -> ()
  return
}

// -----

tile.kernel @foreign_op(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) params {BN = 4} grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [BN] : !tile.view<?xf32> -> tensor<?xf32>
  // expected-error @+1 {{'linalg.exp' op is not allowed in a kernel, which computes with ops of tile, arith, math and scf, and tensor.extract; did you mean 'math.exp'?}}
  %e = linalg.exp ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  tile.store %e, %y[%c0] : tensor<?xf32>, !tile.view<?xf32>
}

// -----

tile.kernel @op_of_tensor(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [4] : !tile.view<?xf32> -> tensor<4xf32>
  %e = tensor.extract %t[%c0] : tensor<4xf32>
  // expected-error @+1 {{'tensor.splat' op is not allowed in a kernel, which computes with ops of tile, arith, math and scf, and tensor.extract; did you mean 'tile.splat'?}}
  %s = tensor.splat %e : tensor<4xf32>
  tile.store %s, %y[%c0] : tensor<4xf32>, !tile.view<?xf32>
}

// -----

tile.kernel @parallel_loop(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0] [4] : !tile.view<?xf32> -> tensor<4xf32>
  // expected-error @+1 {{'scf.parallel' op is not allowed in a kernel, which computes with ops of tile, arith, math and scf, and tensor.extract; did you mean 'scf.for'?}}
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    tile.store %t, %y[%i] : tensor<4xf32>, !tile.view<?xf32>
  }
}

// -----

// The text does not say that two tiles differ in size.
tile.kernel @swapped_sizes(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) params {BM = 16, BN = 64} grid [1] {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] [BM, BN] : !tile.view<?x?xf32> -> tensor<?x?xf32>
  %b = tile.load %x[%c0, %c0] [BN, BM] : !tile.view<?x?xf32> -> tensor<?x?xf32>
  // expected-error @+1 {{'arith.addf' op expected tiles of the same size, found 'tensor<16x64xf32>' and 'tensor<64x16xf32>' when the kernel's parameters are bound}}
  %s = arith.addf %a, %b : tensor<?x?xf32>
  tile.store %s, %y[%c0, %c0] : tensor<?x?xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @stated_size(%x: !tile.view<?x100xf32>) params {BM = 4, C = dim(%x, 1)} grid [1] {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'tile.load' op declares axis 1 of its tile as 64, but "C" is 100; write ? for a size given by a parameter}}
  %t = tile.load %x[%c0, %c0] [BM, C] : !tile.view<?x100xf32> -> tensor<?x64xf32>
}
