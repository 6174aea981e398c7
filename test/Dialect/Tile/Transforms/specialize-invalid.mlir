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
  // expected-error @+1 {{'tensor.empty' op makes a tile of unknown size ('tensor<?xf32>') although all parameters are bound; give it static sizes or sizes named by parameters}}
  %e = tensor.empty(%n) : tensor<?xf32>
}
