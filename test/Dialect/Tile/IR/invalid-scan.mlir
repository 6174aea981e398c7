// Every way to misuse a scan that does not apply to reductions, with the message it gets; common errors are in
// invalid-reduce.mlir.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

func.func @scan_argmax(%x: tensor<8xf32>) {
  // expected-error@below {{'tile.scan' op argmax is for tile.reduce; scan the elements and their positions by region}}
  %0 = tile.scan argmax %x axis 0 : tensor<8xf32>
  return
}

// -----

func.func @scan_twice_reverse(%x: tensor<8xf32>) {
  // expected-error@below {{'reverse' is given twice}}
  %0 = tile.scan add %x axis 0 reverse exclusive reverse : tensor<8xf32>
  return
}

// -----

func.func @scan_axis(%x: tensor<8xf32>) {
  // expected-error@below {{'tile.scan' op axis 1 is out of range: 'tensor<8xf32>' has 1 axis}}
  %0 = tile.scan add %x axis 1 : tensor<8xf32>
  return
}

// -----

func.func @scan_type_variable(%x: tensor<8x!tile.elt<X>>) {
  // expected-error@below {{'tile.scan' op cannot scan elements of type '!tile.elt<X>'; use tile.cast first}}
  %0 = tile.scan add %x axis 0 : tensor<8x!tile.elt<X>>
  return
}

// -----

func.func @scan_impure(%x: tensor<8xi32>, %v: !tile.view<8xi32>) {
  %c = arith.constant 0 : index
  // expected-error@below {{'tile.scan' op expected a pure region, but it contains 'tile.store'; combine values only}}
  %0 = tile.scan %x axis 0 identities [0 : i32] {
  ^bb0(%a: i32, %b: i32):
    tile.store %x, %v[%c] : tensor<8xi32>, !tile.view<8xi32>
    tile.yield %a : i32
  } : tensor<8xi32>
  return
}

// -----

func.func @scan_result_shape(%x: tensor<8xi32>) {
  // expected-error@below {{'tile.scan' op expected result of type 'tensor<8xi32>', found 'tensor<4xi32>': axis 0 is 8, not 4}}
  %0 = "tile.scan"(%x) <{axis = 0 : i64, kind = #tile<reduce_kind add>}> ({}) : (tensor<8xi32>) -> tensor<4xi32>
  return
}
