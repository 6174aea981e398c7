// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics

// Slices of buffers and asynchronous copies.
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

tile.kernel @covers_too_little(%x: !tile.view<?x799xbf16>, %i: index) grid [1] {
  %s = tile_gpu.alloc : !tile_gpu.shared<1x800xbf16>
  // expected-error @+1 {{expected a buffer for one row of the view and what its units have around it, found '!tile_gpu.shared<1x800xbf16>' for '!tile.view<?x799xbf16>'}}
  tile_gpu.copy %x[%i, %i] to %s inside [true, true] covering : !tile.view<?x799xbf16>, !tile_gpu.shared<1x800xbf16>
}
