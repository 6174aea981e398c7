// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics

// Subviews of buffers and asynchronous copies.
tile.kernel @slice_of_another_shape(%i: index) grid [1] {
  %r = tile_gpu.alloc : !tile_gpu.shared<3x16x16xbf16>
  // expected-error @+1 {{expected the result to be '!tile_gpu.shared<3x16x16xbf16>' without its first axis, found '!tile_gpu.shared<16x8xbf16>'}}
  %s = tile_gpu.slice %r[%i] : !tile_gpu.shared<3x16x16xbf16> -> !tile_gpu.shared<16x8xbf16>
}

// -----

tile.kernel @copy_of_another_type(%x: !tile.view<?x?xf32>, %i: index) grid [1] {
  %s = tile_gpu.alloc : !tile_gpu.shared<16x16xbf16>
  // expected-error @+1 {{expected a view, indices and 'inside' to suit '!tile_gpu.shared<16x16xbf16>', found '!tile.view<?x?xf32>', 2 indices and 2 entries}}
  tile_gpu.copy %x[%i, %i] to %s inside [true, true] : !tile.view<?x?xf32>, !tile_gpu.shared<16x16xbf16>
}

// -----

tile.kernel @copy_of_half_units(%x: !tile.view<?x?xbf16>, %i: index) grid [1] {
  %s = tile_gpu.alloc : !tile_gpu.shared<16x12xbf16>
  // expected-error @+1 {{expected rows of whole units of 16 bytes, found '!tile_gpu.shared<16x12xbf16>'}}
  tile_gpu.copy %x[%i, %i] to %s inside [true, true] : !tile.view<?x?xbf16>, !tile_gpu.shared<16x12xbf16>
}

// -----

tile.kernel @clipped_copy_in_bounds(%x: !tile.view<?x64xbf16>, %i: index) grid [1] {
  %s = tile_gpu.alloc : !tile_gpu.shared<16x16xbf16>
  // expected-error @+1 {{expected 'clipped' only where columns may be out of bounds, and not with 'covering'}}
  tile_gpu.copy %x[%i, %i] to %s inside [false, true] clipped : !tile.view<?x64xbf16>, !tile_gpu.shared<16x16xbf16>
}

// -----

tile.kernel @copy_of_a_longer_row(%x: !tile.view<8x505xbf16>, %i: index) grid [1] {
  %s = tile_gpu.alloc : !tile_gpu.shared<1x504xbf16>
  // expected-error @+1 {{expected one row that has room in '!tile_gpu.shared<1x504xbf16>', found '!tile.view<8x505xbf16>'}}
  tile_gpu.copy %x[%i, %i] to %s covering %i inside [true, true] : !tile.view<8x505xbf16>, !tile_gpu.shared<1x504xbf16>
}

// -----

tile.kernel @row_wider_than_its_tile(%z: f32, %i: index) grid [1] {
  %t = tile.splat %z [1, 504] : f32 -> tensor<1x504xf32>
  // expected-error @+1 {{expected a row of 505 columns to fit a tile of rank 2, found 'tensor<1x504xf32>'}}
  %f = tile_gpu.fill_outside %t, %z from %i columns 505 : tensor<1x504xf32>
}

// -----

tile.kernel @row_of_several(%z: bf16, %i: index) outs(%y: !tile.view<8x505xbf16>) grid [1] {
  %t = tile.splat %z [2, 512] : bf16 -> tensor<2x512xbf16>
  // expected-error @+1 {{expected one row that is as wide as the rows of '!tile.view<8x505xbf16>' or wider, found 'tensor<2x512xbf16>'}}
  tile_gpu.store_covering %t from %i, %y[%i] : tensor<2x512xbf16>, !tile.view<8x505xbf16>
}

// -----

tile.kernel @part_of_another_width(%v: f32, %p: index) grid [2] {
  %t = tile.splat %v [8, 32] : f32 -> tensor<8x32xf32>
  %b = tile_gpu.alloc : !tile_gpu.shared<16x64xf32>
  // expected-error @+1 {{expected a buffer of several tiles one below the other, found 'tensor<8x32xf32>' and '!tile_gpu.shared<16x64xf32>'}}
  tile_gpu.write_part %t, %b[%p] : tensor<8x32xf32>, !tile_gpu.shared<16x64xf32>
}

// -----

tile.kernel @rows_of_parts(%v: f32, %p: index) grid [2] {
  %t = tile.splat %v [2, 1] : f32 -> tensor<2x1xf32>
  %m = tile_gpu.alloc : !tile_gpu.shared<4xi64>
  // expected-error @+1 {{expected a number of up to 64 bits and a column of such, found 'tensor<2x1xf32>' and 'tensor<2x1xf32>'}}
  %a = tile_gpu.gather_parts %t part %p through %m : !tile_gpu.shared<4xi64> : tensor<2x1xf32> -> tensor<2x1xf32>
}

// -----

tile.kernel @mailbox_of_fewer_parts(%v: f32, %p: index) grid [2] {
  %t = tile.splat %v [1, 1] : f32 -> tensor<1x1xf32>
  %m = tile_gpu.alloc : !tile_gpu.shared<4xi64>
  // expected-error @+1 {{expected a mailbox '!tile_gpu.shared<10xi64>', found '!tile_gpu.shared<4xi64>'}}
  %a = tile_gpu.gather_parts %t part %p through %m : !tile_gpu.shared<4xi64> : tensor<1x1xf32> -> tensor<8x1xf32>
}

// -----

func.func @run_of_strided(%x: !tile.view<?x75xbf16, strides=[80, 1]>, %m: index) {
  // expected-error@+1 {{'tile_gpu.run' op expected a dense view to have a dense run of one axis, found '!tile.view<?x75xbf16, strides=[80, 1]>' and '!tile.view<?xbf16>'}}
  %r = tile_gpu.run %x[%m] length 600 : !tile.view<?x75xbf16, strides=[80, 1]> -> !tile.view<?xbf16>
  return
}

// -----

func.func @copy_run_of_cut_units(%r: !tile.view<?xbf16>, %f: index) {
  %b = tile_gpu.alloc : !tile_gpu.shared<604xbf16>
  // expected-error@+1 {{'tile_gpu.copy_run' op expected whole units of 16 bytes that hold 600 elements of '!tile.view<?xbf16>', found '!tile_gpu.shared<604xbf16>'}}
  tile_gpu.copy_run %r to %b from %f length 600 : !tile.view<?xbf16>, !tile_gpu.shared<604xbf16>
  return
}

// -----

func.func @store_run_without_room(%r: !tile.view<?xbf16>, %f: index) {
  %b = tile_gpu.alloc : !tile_gpu.shared<592xbf16>
  // expected-error@+1 {{'tile_gpu.store_run' op expected whole units of 16 bytes that hold 600 elements of '!tile.view<?xbf16>', found '!tile_gpu.shared<592xbf16>'}}
  tile_gpu.store_run %r of %b from %f length 600 : !tile.view<?xbf16>, !tile_gpu.shared<592xbf16>
  return
}

// -----

func.func @store_known_units_behind_the_tile(%t: tensor<1x512xbf16>, %r: !tile.view<?xbf16>, %p: index) {
  // expected-error@+1 {{'tile_gpu.store_units' op expected 'known' to be the first column and the one behind the last, in order and in 'tensor<1x512xbf16>', found [8, 520]}}
  tile_gpu.store_units %t at %p of %r from %p known [8, 520] : tensor<1x512xbf16>, !tile.view<?xbf16>
  return
}

// -----

func.func @load_units_of_open_rows(%x: !tile.view<4x?xbf16>, %p: index) {
  // expected-error@+1 {{'tile_gpu.load_units' op expected one row of the elements of a dense view with rows of known length, found '!tile.view<4x?xbf16>' and 'tensor<1x512xbf16>'}}
  %t = tile_gpu.load_units %x[%p] at %p from %p : !tile.view<4x?xbf16> -> tensor<1x512xbf16>
  return
}

// -----

func.func @store_units_of_two_rows(%t: tensor<2x512xbf16>, %r: !tile.view<?xbf16>, %p: index) {
  // expected-error@+1 {{'tile_gpu.store_units' op expected one row of the elements of '!tile.view<?xbf16>', found 'tensor<2x512xbf16>'}}
  tile_gpu.store_units %t at %p of %r from %p : tensor<2x512xbf16>, !tile.view<?xbf16>
  return
}

// -----

func.func @rows_without_room(%f: index) {
  %b = tile_gpu.alloc : !tile_gpu.shared<592xbf16>
  // expected-error@+1 {{'tile_gpu.rows' op expected dense rows that have room in '!tile_gpu.shared<592xbf16>', found '!tile_gpu.shared<8x75xbf16>'}}
  %t = tile_gpu.rows %b from %f : !tile_gpu.shared<592xbf16> -> !tile_gpu.shared<8x75xbf16>
  return
}

// -----

tile.kernel @two_bytes(%x: !tile.view<?x769xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc : !tile_gpu.shared<4x16xbf16>
  // expected-error @below {{expected units of 16 bytes, or of 8 or 4 that hold whole elements of a row that begins with a unit, found 2 for '!tile_gpu.shared<4x16xbf16>'}}
  tile_gpu.copy %x[%c0, %c0] to %s inside [false, false] unit 2 : !tile.view<?x769xbf16>, !tile_gpu.shared<4x16xbf16>
}

// -----

tile.kernel @workspace_of_an_open_size() outs(%y: !tile.view<?xf32>) grid [1] {
  // expected-error @+1 {{expected a dense view of static sizes, found '!tile.view<?x32xf32>'}}
  %w = tile_gpu.workspace 0 : !tile.view<?x32xf32>
}

// -----

func.func @part_of_another_size(%t: tensor<32x64xf32>, %p: index) {
  %w = tile_gpu.workspace 0 : !tile.view<24x2048xf32>
  // expected-error @+1 {{expected a tile of f32 and a dense workspace with as many elements an entry, of 64 rows at least, found 'tensor<32x64xf32>' and '!tile.view<24x2048xf32>'}}
  tile_gpu.put_part %t, %w[%p] : tensor<32x64xf32>, !tile.view<24x2048xf32>
  return
}

// -----

func.func @share_of_another_type(%p: index) {
  %w = tile_gpu.workspace 0 : !tile.view<24x4096xf32>
  // expected-error @+1 {{expected a result of f32 with a multiple of 8 columns, and a dense workspace whose entries have a whole number of such results, of 64 rows at least, found 'tensor<64x16xi32>' and '!tile.view<24x4096xf32>'}}
  %s = tile_gpu.sum_share %p of %w[%p] parts 3 : !tile.view<24x4096xf32> -> tensor<64x16xi32>
  return
}

// -----

func.func @share_that_divides_no_entry(%p: index) {
  %w = tile_gpu.workspace 0 : !tile.view<24x4096xf32>
  // expected-error @+1 {{expected a result of f32 with a multiple of 8 columns, and a dense workspace whose entries have a whole number of such results, of 64 rows at least, found 'tensor<32x24xf32>' and '!tile.view<24x4096xf32>'}}
  %s = tile_gpu.sum_share %p of %w[%p] parts 3 : !tile.view<24x4096xf32> -> tensor<32x24xf32>
  return
}

// -----

tile.kernel @numbers_of_other_rows(%x: !tile.view<?x512xbf16>, %i: index) grid [1] {
  %r = tile_gpu.alloc : !tile_gpu.shared<8xi32>
  %s = tile_gpu.alloc : !tile_gpu.shared<16x64xbf16, swizzle = 128>
  // expected-error @+1 {{expected an integer for each row of '!tile_gpu.shared<16x64xbf16, swizzle = 128>', found '!tile_gpu.shared<8xi32>'}}
  tile_gpu.copy %x[%i] rows %r : !tile_gpu.shared<8xi32> to %s inside [false, true] : !tile.view<?x512xbf16>, !tile_gpu.shared<16x64xbf16, swizzle = 128>
}

// -----

tile.kernel @index_of_gathered_rows(%x: !tile.view<?x512xbf16>, %i: index) grid [1] {
  %r = tile_gpu.alloc : !tile_gpu.shared<16xi32>
  %s = tile_gpu.alloc : !tile_gpu.shared<16x64xbf16, swizzle = 128>
  // expected-error @+1 {{expected a view, indices and 'inside' to suit '!tile_gpu.shared<16x64xbf16, swizzle = 128>', found '!tile.view<?x512xbf16>', 2 indices and 2 entries}}
  tile_gpu.copy %x[%i, %i] rows %r : !tile_gpu.shared<16xi32> to %s inside [false, true] : !tile.view<?x512xbf16>, !tile_gpu.shared<16x64xbf16, swizzle = 128>
}

// -----

func.func @load_covering_parts_of_units(%x: !tile.view<?x75xbf16>, %p: index) {
  // expected-error@+1 {{'tile_gpu.load_covering' op expected rows of whole 16-byte units of the elements of a dense view with rows of known length, found '!tile.view<?x75xbf16>' and 'tensor<8x60xbf16>'}}
  %t = tile_gpu.load_covering %x[%p, %p] : !tile.view<?x75xbf16> -> tensor<8x60xbf16>
  return
}

// -----

func.func @sum_shifted_out_of_rows(%t: tensor<8x64xf32>) {
  // expected-error@+1 {{'tile_gpu.sum_shifted' op expected rows of floats that have 7 columns more than their sum, found 'tensor<8x64xf32>' and 'tensor<60xf32>'}}
  %s = tile_gpu.sum_shifted %t by 3 modulo 8 : tensor<8x64xf32> -> tensor<60xf32>
  return
}

// -----

tile.kernel @offsets_of_other_units(%p: !tile.ptr<bf16>) grid launch {
  %o = tile.iota [64] : tensor<64xi32>
  %s = tile_gpu.alloc : !tile_gpu.shared<64x32xbf16, swizzle = 64>
  // expected-error @+1 {{expected an offset and a mask for each of 256 units, found 'tensor<64xi32>'}}
  tile_gpu.copy_at %p[%o] to %s unit 16 : !tile.ptr<bf16>, tensor<64xi32>, !tile_gpu.shared<64x32xbf16, swizzle = 64>
}

// -----

tile.kernel @units_of_two_bytes(%p: !tile.ptr<bf16>) grid launch {
  %o = tile.iota [64] : tensor<64xi32>
  %s = tile_gpu.alloc : !tile_gpu.shared<64x32xbf16, swizzle = 64>
  // expected-error @+1 {{expected rows of whole units of 16, 8 or 4 bytes, found units of 2 for '!tile_gpu.shared<64x32xbf16, swizzle = 64>'}}
  tile_gpu.copy_at %p[%o] to %s unit 2 : !tile.ptr<bf16>, tensor<64xi32>, !tile_gpu.shared<64x32xbf16, swizzle = 64>
}
