// Every way to misuse a pointer, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

// expected-error@below {{expected a signless integer, a float or a type variable to point to, found 'index'}}
func.func private @pointee(!tile.ptr<index>)

// -----

func.func @base_type(%v: !tile.view<?xf32>) {
  // expected-error@below {{'tile.base' op expected a pointer to 'f32', the elements of '!tile.view<?xf32>', found '!tile.ptr<i32>'}}
  %0 = tile.base %v : !tile.view<?xf32> -> !tile.ptr<i32>
  return
}

// -----

func.func @view_count(%p: !tile.ptr<f32>, %n: index) {
  // expected-error@below {{'tile.view_at' op expected as many sizes as '!tile.view<?x4xf32>' has axes (2), found 1}}
  %0 = tile.view_at %p sizes [%n] : !tile.ptr<f32> -> !tile.view<?x4xf32>
  return
}

// -----

func.func @view_stride(%p: !tile.ptr<f32>, %n: index) {
  // expected-error@below {{'tile.view_at' op expected a positive stride of axis 0, found 0}}
  %0 = tile.view_at %p sizes [%n] strides [0] : !tile.ptr<f32> -> !tile.view<?xf32, strides=[?]>
  return
}

// -----

func.func @view_size(%p: !tile.ptr<f32>) {
  // expected-error@below {{'tile.view_at' op expected result of type '!tile.view<8xf32>', found '!tile.view<4xf32>': axis 0 is 8, not 4}}
  %0 = tile.view_at %p sizes [8] : !tile.ptr<f32> -> !tile.view<4xf32>
  return
}

// -----

func.func @view_dense(%p: !tile.ptr<f32>, %s: index) {
  // expected-error@below {{'tile.view_at' op expected result of type '!tile.view<8x8xf32, strides=[?, 1]>', found '!tile.view<8x8xf32>': it may not be dense; declare its strides}}
  %0 = tile.view_at %p sizes [8, 8] strides [%s, 1] : !tile.ptr<f32> -> !tile.view<8x8xf32>
  return
}

// -----

func.func @view_element(%p: !tile.ptr<i8>) {
  // expected-error@below {{'tile.view_at' op expected a view of 'i8' like '!tile.ptr<i8>', found '!tile.view<8xf32>'}}
  %0 = tile.view_at %p sizes [8] : !tile.ptr<i8> -> !tile.view<8xf32>
  return
}

// -----

func.func @load_element(%p: !tile.ptr<f32>, %o: tensor<8xi64>) {
  // expected-error@below {{'tile.load_at' op expected elements of type 'f32' like '!tile.ptr<f32>', found 'i32'}}
  %0 = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xi32>
  return
}

// -----

func.func @load_shape(%p: !tile.ptr<f32>, %o: tensor<8xi64>) {
  // expected-error@below {{'tile.load_at' op expected result of type 'tensor<8xf32>', found 'tensor<4xf32>': axis 0 is 8, not 4}}
  %0 = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<8xi64> -> tensor<4xf32>
  return
}

// -----

func.func @load_order(%p: !tile.ptr<f32>, %o: tensor<8xi64>) {
  // expected-error@below {{'tile.load_at' op expected order weak, relaxed, acquire, found release}}
  %0 = tile.load_at %p[%o] order(release) : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  return
}

// -----

func.func @load_pad(%p: !tile.ptr<f32>, %o: tensor<8xi64>, %m: tensor<8xi1>) {
  // expected-error@below {{'tile.load_at' op pad(minus_one) needs integer elements, but '!tile.ptr<f32>' holds floats; use pad(zero), neg_zero, neg_inf, pos_inf or nan}}
  %0 = tile.load_at %p[%o] pad(minus_one) mask(%m : tensor<8xi1>) : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  return
}

// -----

func.func @load_pad_i1(%p: !tile.ptr<i1>, %o: tensor<8xi64>, %m: tensor<8xi1>) {
  // expected-error@below {{'tile.load_at' op pad(minus_one) needs integers of more than one bit, but '!tile.ptr<i1>' holds i1; use pad(zero)}}
  %0 = tile.load_at %p[%o] pad(minus_one) mask(%m : tensor<8xi1>) : !tile.ptr<i1>, tensor<8xi64> -> tensor<8xi1>
  return
}

// -----

func.func @store_mask(%p: !tile.ptr<f32>, %o: tensor<8xi64>, %v: tensor<8xf32>, %m: tensor<4xi1>) {
  // expected-error@below {{'tile.store_at' op expected a mask of shape 8 like the tile, found 4}}
  tile.store_at %v, %p[%o] mask(%m : tensor<4xi1>) : tensor<8xf32>, !tile.ptr<f32>, tensor<8xi64>
  return
}

// -----

func.func @store_offsets(%p: !tile.ptr<f32>, %o: tensor<4xi64>, %v: tensor<8xf32>) {
  // expected-error@below {{'tile.store_at' op expected offsets of shape 8 like the tile, found 4}}
  tile.store_at %v, %p[%o] : tensor<8xf32>, !tile.ptr<f32>, tensor<4xi64>
  return
}

// -----

tile.kernel @store_to_input(%x: !tile.view<?xf32>) grid [1] {
  %p = tile.base %x : !tile.view<?xf32> -> !tile.ptr<f32>
  %o = tile.iota [4] : tensor<4xi32>
  %v = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error@below {{'tile.store_at' op writes argument 0, which the kernel only reads; move it to outs}}
  tile.store_at %v, %p[%o] : tensor<4xf32>, !tile.ptr<f32>, tensor<4xi32>
}

// -----

func.func @rmw_max(%p: !tile.ptr<f32>, %o: tensor<8xi64>, %v: tensor<8xf32>) {
  // expected-error@below {{'tile.atomic_rmw' op max is for i32 and i64, found 'f32'}}
  %0 = tile.atomic_rmw max %p[%o], %v : !tile.ptr<f32>, tensor<8xi64>, tensor<8xf32>
  return
}

// -----

func.func @rmw_add(%p: !tile.ptr<i8>, %o: tensor<8xi64>, %v: tensor<8xi8>) {
  // expected-error@below {{'tile.atomic_rmw' op add is for i32, i64, f16, bf16, f32 and f64, found 'i8'}}
  %0 = tile.atomic_rmw add %p[%o], %v : !tile.ptr<i8>, tensor<8xi64>, tensor<8xi8>
  return
}

// -----

func.func @rmw_xchg(%p: !tile.ptr<f16>, %o: tensor<8xi64>, %v: tensor<8xf16>) {
  // expected-error@below {{'tile.atomic_rmw' op xchg is for i32, i64, f32 and f64, found 'f16'}}
  %0 = tile.atomic_rmw xchg %p[%o], %v : !tile.ptr<f16>, tensor<8xi64>, tensor<8xf16>
  return
}

// -----

func.func @rmw_kind(%p: !tile.ptr<i32>, %o: tensor<8xi64>, %v: tensor<8xi32>) {
  // expected-error@below {{expected one of add, max, min, umax, umin, and, or, xor, xchg, found 'sub'}}
  %0 = tile.atomic_rmw sub %p[%o], %v : !tile.ptr<i32>, tensor<8xi64>, tensor<8xi32>
  return
}

// -----

func.func @rmw_order(%p: !tile.ptr<i32>, %o: tensor<8xi64>, %v: tensor<8xi32>) {
  // expected-error@below {{'tile.atomic_rmw' op expected order relaxed, acquire, release, acq_rel, found weak}}
  %0 = tile.atomic_rmw add %p[%o], %v order(weak) : !tile.ptr<i32>, tensor<8xi64>, tensor<8xi32>
  return
}

// -----

func.func @cas_element(%p: !tile.ptr<i8>, %o: tensor<8xi64>, %v: tensor<8xi8>) {
  // expected-error@below {{'tile.atomic_cas' op is for i32, i64, f32 and f64, found 'i8'}}
  %0 = tile.atomic_cas %p[%o], %v, %v : !tile.ptr<i8>, tensor<8xi64>, tensor<8xi8>
  return
}

// -----

func.func @assume_bounds(%p: !tile.ptr<f32>) {
  // expected-error@below {{'tile.assume' op cannot bound an address; bound the offsets from it}}
  %0 = tile.assume %p bounded [0, 8] : !tile.ptr<f32>
  return
}

// -----

func.func @data_of_another_type() {
  // expected-error@below {{'tile.data' op expected a pointer to 'f32', the type of the elements, found '!tile.ptr<f16>'}}
  %0 = tile.data dense<1.0> : tensor<4xf32> -> !tile.ptr<f16>
  return
}

// -----

tile.kernel @program_memory_of_one_kernel() grid launch {
  // expected-error@below {{'tile.data' op expected shared memory, as it has tile.program}}
  %0 = tile.data dense<1.0> : tensor<4xf32> {tile.program} -> !tile.ptr<f32>
}

// -----

tile.kernel @program_with_a_value() grid launch {
  // expected-error@below {{'tile.data' op expected tile.program without a value, found 3 : i64}}
  %0 = tile.data shared "all" dense<1.0> : tensor<4xf32> {tile.program = 3} -> !tile.ptr<f32>
}

// -----

func.func @alignment_of_data() {
  // expected-error@below {{'tile.data' op expected an alignment that is a power of two from 16 to 1048576, found 8}}
  %0 = tile.data align 8 dense<1.0> : tensor<4xf32> -> !tile.ptr<f32>
  return
}

// -----

func.func @data_of_nothing() {
  // expected-error@below {{'tile.data' op expected 1 to 16777216 elements, found 0}}
  %0 = tile.data dense<> : tensor<0xf32> -> !tile.ptr<f32>
  return
}

// -----

func.func @data_that_is_sparse() {
  // expected-error@below {{'tile.data' op expected dense elements}}
  %0 = tile.data sparse<[[0]], [1.0]> : tensor<4xf32> -> !tile.ptr<f32>
  return
}

// -----

func.func @data_is_read_only(%v: tensor<4xf32>, %o: tensor<4xi32>) {
  %p = tile.data dense<1.0> : tensor<4xf32> -> !tile.ptr<f32>
  // expected-error@below {{'tile.store_at' op writes the constants of a 'tile.data'; make it shared, or copy them to a 'tile.scratch'}}
  tile.store_at %v, %p[%o] : tensor<4xf32>, !tile.ptr<f32>, tensor<4xi32>
  return
}

// -----

func.func @views_of_data_are_read_only(%v: tensor<4xf32>, %i: index) {
  %p = tile.data dense<1.0> : tensor<4xf32> -> !tile.ptr<f32>
  %w = tile.view_at %p sizes [4] : !tile.ptr<f32> -> !tile.view<4xf32>
  // expected-error@below {{'tile.store' op writes the constants of a 'tile.data'; make it shared, or copy them to a 'tile.scratch'}}
  tile.store %v, %w[%i] : tensor<4xf32>, !tile.view<4xf32>
  return
}

// -----

func.func @scratch_of_nothing() {
  // expected-error@below {{'tile.scratch' op expected 1 to 16777216 elements, found 0}}
  %0 = tile.scratch 0 : !tile.ptr<f32>
  return
}

// -----

func.func @scratch_too_large() {
  // expected-error@below {{'tile.scratch' op expected 1 to 16777216 elements, found 16777217}}
  %0 = tile.scratch 16777217 : !tile.ptr<f32>
  return
}

// -----

// expected-error@below {{'tile.kernel' op expected no tile.program, which only 'tile.data' has}}
tile.kernel @program_of_a_kernel() grid launch attributes {tile.program} {
}

// -----

func.func @program_of_a_sum(%x: f32) {
  // expected-error@below {{'arith.addf' op expected no tile.program, which only 'tile.data' has}}
  %0 = arith.addf %x, %x {tile.program} : f32
  return
}

// -----

tile.kernel @program_of_a_load(%p: !tile.ptr<f32>) grid launch {
  %i = tile.iota [4] : tensor<4xi32>
  // expected-error@below {{'tile.load_at' op expected no tile.program, which only 'tile.data' has}}
  %0 = tile.load_at %p[%i] {tile.program} : !tile.ptr<f32>, tensor<4xi32> -> tensor<4xf32>
}

// -----

tile.kernel @scalable_sizes(%p: !tile.ptr<f32>) grid launch {
  // expected-error@below {{expected integers without brackets}}
  %v = tile.view_at %p sizes [[4]] : !tile.ptr<f32> -> !tile.view<4xf32>
}

// -----

tile.kernel @scalable_strides(%p: !tile.ptr<f32>) grid launch {
  // expected-error@below {{expected integers without brackets}}
  %v = tile.view_at %p sizes [4] strides [[1]] : !tile.ptr<f32> -> !tile.view<4xf32>
}

// -----

tile.kernel @scalable_window(%x: !tile.view<8xf32>) grid [1] {
  // expected-error@below {{expected integers without brackets}}
  %v = tile.subview %x[0] [[4]] : !tile.view<8xf32> -> !tile.view<4xf32>
}
