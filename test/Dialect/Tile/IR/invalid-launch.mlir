// Every way to misuse a launch or a global, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

tile.kernel @scale(%x: !tile.view<?xf32>, %by: f32) outs(%y: !tile.view<?xf32>) grid [1] {}
func.func @count_of_results(%x: tensor<?xf32>, %s: f32) {
  // expected-error@below {{'tile.launch' op expected one result for each of the 1 outs, of the same type}}
  tile.launch @scale ins(%x, %s) outs(%x) : (tensor<?xf32>, f32, tensor<?xf32>) -> ()
  return
}

// -----

tile.kernel @scale(%x: !tile.view<?xf32>, %by: f32) outs(%y: !tile.view<?xf32>) grid [1] {}
func.func @type_of_result(%x: tensor<?xf32>, %s: f32) {
  // expected-error@below {{'tile.launch' op expected one result for each of the 1 outs, of the same type}}
  %0 = tile.launch @scale ins(%x, %s) outs(%x) : (tensor<?xf32>, f32, tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

tile.kernel @scale(%x: !tile.view<?xf32>, %by: f32) outs(%y: !tile.view<?xf32>) grid [1] {}
func.func @count_of_outs(%x: tensor<?xf32>, %s: f32) {
  // expected-error@below {{'tile.launch' op expected 1 outs for 'scale', found 0}}
  tile.launch @scale ins(%x, %s, %x) outs() : (tensor<?xf32>, f32, tensor<?xf32>) -> ()
  return
}

// -----

tile.kernel @scale(%x: !tile.view<?xf32>, %by: f32) outs(%y: !tile.view<?xf32>) grid [1] {}
func.func @count_of_operands(%x: tensor<?xf32>) {
  // expected-error@below {{'tile.launch' op expected 3 operands for 'scale' (2 ins, 1 outs), found 2}}
  %0 = tile.launch @scale ins(%x) outs(%x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

tile.kernel @scale(%x: !tile.view<?xf32>, %by: f32) outs(%y: !tile.view<?xf32>) grid [1] {}
func.func @rank(%x: tensor<?x4xf32>, %y: tensor<?xf32>, %s: f32) {
  // expected-error@below {{'tile.launch' op expected a tensor of rank 1 for argument 0 of 'scale', found 'tensor<?x4xf32>'}}
  %0 = tile.launch @scale ins(%x, %s) outs(%y) : (tensor<?x4xf32>, f32, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

tile.kernel @scale(%x: !tile.view<?xf32>, %by: f32) outs(%y: !tile.view<?xf32>) grid [1] {}
func.func @scalar_for_a_view(%y: tensor<?xf32>, %s: f32) {
  // expected-error@below {{'tile.launch' op expected a tensor of rank 1 for argument 0 of 'scale', found 'f32'}}
  %0 = tile.launch @scale ins(%s, %s) outs(%y) : (f32, f32, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

tile.kernel @scale(%x: !tile.view<?xf32>, %by: f32) outs(%y: !tile.view<?xf32>) grid [1] {}
func.func @type_of_scalar(%x: tensor<?xf32>, %s: f64) {
  // expected-error@below {{'tile.launch' op expected 'f32' for argument 1 of 'scale', found 'f64'}}
  %0 = tile.launch @scale ins(%x, %s) outs(%x) : (tensor<?xf32>, f64, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

tile.kernel @scale(%x: !tile.view<?xf32>, %by: f32) outs(%y: !tile.view<?xf32>) grid [1] {}
func.func @element_type(%x: tensor<?xbf16>, %y: tensor<?xf32>, %s: f32) {
  // expected-error@below {{'tile.launch' op expected elements of type 'f32' for argument 0 of 'scale', found 'bf16'}}
  %0 = tile.launch @scale ins(%x, %s) outs(%y) : (tensor<?xbf16>, f32, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

tile.kernel @copy(%x: !tile.view<?x4x!tile.elt<X>>) outs(%y: !tile.view<?x4x!tile.elt<X>>)
    params {BM = 8 in [8, 16], X: type = f32 in [bf16]} grid [1] {}
func.func @static_size(%x: tensor<?x5xf32>, %y: tensor<?x4xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 0 of 'copy' to be 4, found 5}}
  %0 = tile.launch @copy ins(%x) outs(%y) : (tensor<?x5xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

tile.kernel @copy(%x: !tile.view<?x4x!tile.elt<X>>) outs(%y: !tile.view<?x4x!tile.elt<X>>)
    params {BM = 8 in [8, 16], X: type = f32 in [bf16]} grid [1] {}
func.func @type_is_no_candidate(%x: tensor<?x4xf16>) {
  // expected-error@below {{'tile.launch' op argument 0 of 'copy' has elements of type 'f16', but parameter "X" admits only its candidates}}
  %0 = tile.launch @copy ins(%x) outs(%x) : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf16>
  return
}

// -----

tile.kernel @copy(%x: !tile.view<?x4x!tile.elt<X>>) outs(%y: !tile.view<?x4x!tile.elt<X>>)
    params {BM = 8 in [8, 16], X: type = f32 in [bf16]} grid [1] {}
func.func @variable_bound_twice(%x: tensor<?x4xf32>, %y: tensor<?x4xbf16>) {
  // expected-error@below {{'tile.launch' op argument 1 of 'copy' binds "X" to 'bf16', but an earlier argument bound it to 'f32'}}
  %0 = tile.launch @copy ins(%x) outs(%y) : (tensor<?x4xf32>, tensor<?x4xbf16>) -> tensor<?x4xbf16>
  return
}

// -----

tile.kernel @copy(%x: !tile.view<?x4x!tile.elt<X>>) outs(%y: !tile.view<?x4x!tile.elt<X>>)
    params {BM = 8 in [8, 16], X: type = f32 in [bf16]} grid [1] {}
func.func @unknown_parameter(%x: tensor<?x4xf32>) {
  // expected-error@below {{'tile.launch' op 'copy' declares no size parameter "BN"}}
  %0 = tile.launch @copy ins(%x) outs(%x) params {BN = 8} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

tile.kernel @copy(%x: !tile.view<?x4x!tile.elt<X>>) outs(%y: !tile.view<?x4x!tile.elt<X>>)
    params {BM = 8 in [8, 16], X: type = f32 in [bf16]} grid [1] {}
func.func @type_parameter(%x: tensor<?x4xf32>) {
  // expected-error@below {{'tile.launch' op 'copy' declares no size parameter "X"}}
  %0 = tile.launch @copy ins(%x) outs(%x) params {X = bf16} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

tile.kernel @copy(%x: !tile.view<?x4x!tile.elt<X>>) outs(%y: !tile.view<?x4x!tile.elt<X>>)
    params {BM = 8 in [8, 16], X: type = f32 in [bf16]} grid [1] {}
func.func @size_is_no_candidate(%x: tensor<?x4xf32>) {
  // expected-error@below {{'tile.launch' op parameter "BM" of 'copy' does not admit 32 : i64; its candidates are [8, 16], its default 8 : i64}}
  %0 = tile.launch @copy ins(%x) outs(%x) params {BM = 32} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

tile.kernel @columns(%x: !tile.view<?x4xf32, strides=[8, 1]>) outs(%y: !tile.view<?x4xf32>) grid [1] {}
func.func @stride(%x: tensor<?x4xf32>) {
  // expected-error@below {{'tile.launch' op expected stride 8 on axis 0 of argument 0 of 'columns', but the tensor is dense with stride 4}}
  %0 = tile.launch @columns ins(%x) outs(%x) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

// expected-error@below {{'tile.global' op expected a static size on axis 0 of weight 'weight', found 'tensor<?x4xf32>'; a weight has a static shape}}
tile.global @weight weight : tensor<?x4xf32>

// -----

// expected-error@below {{'tile.global' op expected a static size on axis 2 of state 'state', found 'tensor<?x12x?x64xf32>'; only axis 0, the sequences, may be ?}}
tile.global @state state : tensor<?x12x?x64xf32>

// -----

// expected-error@below {{custom op 'tile.global' expected one of weight, state, found 'constant'}}
tile.global @neither constant : tensor<4xf32>

// -----

func.func @global_is_missing() {
  // expected-error@below {{'tile.get_global' op names 'wte', but there is no tile.global of that name}}
  %0 = tile.get_global @wte : tensor<4xf32>
  return
}

// -----

tile.global @wte weight : tensor<4xf32>
func.func @global_has_another_type() {
  // expected-error@below {{'tile.get_global' op expected the type of tile.global 'wte' ('tensor<4xf32>'), found 'tensor<8xf32>'}}
  %0 = tile.get_global @wte : tensor<8xf32>
  return
}

// -----

func.func @operand_too_large(%x: tensor<4294967296x4294967296xi8>) {
  // expected-error@below {{'tile.launch' op a tensor of 4294967296x4294967296 has more elements than 63 bits can address; use smaller sizes}}
  tile.launch @elsewhere ins(%x) outs() : (tensor<4294967296x4294967296xi8>) -> ()
  return
}

// -----

// expected-error@below {{'tile.global' op a tensor of 9223372036854775807x9223372036854775807 has more elements than 63 bits can address; use smaller sizes}}
tile.global @too_large weight : tensor<9223372036854775807x9223372036854775807xf32>

// -----

tile.kernel @raw(%p: !tile.ptr<f32>) grid launch {}
func.func @launch_of_a_raw_kernel(%x: tensor<?xf32>) {
  // expected-error@below {{'tile.launch' op launches 'raw', which takes its grid from a caller with pointers ('grid launch'); launch a kernel that declares its grid}}
  tile.launch @raw ins(%x) outs() : (tensor<?xf32>) -> ()
  return
}

// -----

tile.kernel @follows(%x: !tile.view<?x!tile.elt<X>>) outs(%y: !tile.view<?x!tile.elt<Y>>)
    params {X: type = f32 in [bf16], Y: type = !tile.elt<X> in [f16]} grid [1] {}
func.func @as_it_follows(%x: tensor<8xbf16>, %y: tensor<8xbf16>, %z: tensor<8xf32>) {
  %0 = tile.launch @follows ins(%x) outs(%y) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  // expected-error@+1 {{argument 1 of 'follows' has elements of type 'f32', but parameter "Y" admits only its candidates}}
  %1 = tile.launch @follows ins(%x) outs(%z) : (tensor<8xbf16>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

tile.kernel @add(%a: !tile.view<?x?xf32>, %b: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 0) == dim(%y, 0), dim(%a, 1) == dim(%b, 1)) grid [1] {}
func.func @sizes_that_disagree(%a: tensor<4x5xf32>, %b: tensor<4x6xf32>, %y: tensor<4x5xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 1 of 'add' to be 5 (axis 1 of argument 0), found 6}}
  %0 = tile.launch @add ins(%a, %b) outs(%y) : (tensor<4x5xf32>, tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

tile.kernel @halve(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) requires(2 * dim(%y, 1) == dim(%x, 1)) grid [1] {}
func.func @size_and_expression(%x: tensor<?x8xf32>, %y: tensor<?x3xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 0 of 'halve' to be 6 (axis 1 of argument 1 * 2), found 8}}
  %0 = tile.launch @halve ins(%x) outs(%y) : (tensor<?x8xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return
}

// -----

tile.kernel @append(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>)
    requires(dim(%x, 0) + 1 <= dim(%y, 0), dim(%y, 0) == 8) grid [1] {}
func.func @inequality(%x: tensor<8xf32>, %y: tensor<8xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 0 + 1 <= axis 0 of argument 1 in a launch of 'append', found 9 and 8}}
  %0 = tile.launch @append ins(%x) outs(%y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

tile.kernel @append(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>)
    requires(dim(%x, 0) + 1 <= dim(%y, 0), dim(%y, 0) == 8) grid [1] {}
func.func @number(%x: tensor<7xf32>, %y: tensor<9xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 1 of 'append' to be 8, found 9}}
  %0 = tile.launch @append ins(%x) outs(%y) : (tensor<7xf32>, tensor<9xf32>) -> tensor<9xf32>
  return
}
