// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics

tile.kernel @clears_plain_rows(%n: index) grid [1] {
  %b = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16>
  // expected-error @below {{expected a buffer of 2 axes with a swizzle, found '!tile_gpu.shared<64x64xbf16>'}}
  tile_gpu.clear_rows %b from %n : !tile_gpu.shared<64x64xbf16>
}

// -----

tile.kernel @clears_plain_columns() grid [1] {
  %b = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16>
  // expected-error @below {{expected a buffer of 2 axes with a swizzle, found '!tile_gpu.shared<64x64xbf16>'}}
  tile_gpu.clear_columns %b from 56 : !tile_gpu.shared<64x64xbf16>
}

// -----

tile.kernel @clears_odd_columns() grid [1] {
  %b = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  // expected-error @below {{expected a column of '!tile_gpu.shared<64x64xbf16, swizzle = 128>' that begins at a multiple of 16 bytes, found 60}}
  tile_gpu.clear_columns %b from 60 : !tile_gpu.shared<64x64xbf16, swizzle = 128>
}

// -----

func.func @any_number(%t: tensor<64xf32>) {
  // expected-error @below {{expected a tile of i1, found 'tensor<64xf32>'}}
  %a = tile_gpu.any %t : tensor<64xf32>
  return
}

// -----

func.func @packs_another_tile(%t: tensor<64x32xf32>) {
  // expected-error @below {{expected the same tile, or one of f32, found 'tensor<64x32xf32>' and 'tensor<64x16xbf16>'}}
  %p = tile_gpu.pack %t : tensor<64x32xf32> -> !tile_gpu.packed<tensor<64x16xbf16>>
  return
}

// -----

// expected-error @below {{expected a tile of bf16, f16 or f32, found 'tensor<64x32xf64>'}}
func.func @packed_words(%p: !tile_gpu.packed<tensor<64x32xf64>>) {
  return
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @along_k() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<64x32xbf16, swizzle = 64>
  %b = tile_gpu.alloc : !tile_gpu.shared<64x32xbf16, swizzle = 64>
  // expected-error @below {{expected MxK and KxN to make MxN, found}}
  %d = tile_gpu.async_dot %a, %b along_n : !tile_gpu.shared<64x32xbf16, swizzle = 64>,
      !tile_gpu.shared<64x32xbf16, swizzle = 64> -> !tile_gpu.pending<tensor<64x64xf32, #l>>
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @bytes_across() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<64x64xf8E5M2, swizzle = 64>
  %b = tile_gpu.alloc : !tile_gpu.shared<64x32xf8E5M2, swizzle = 32>
  // expected-error @below {{expected operands along M or N to have 16-bit elements, found}}
  %d = tile_gpu.async_dot %a, %b along_n : !tile_gpu.shared<64x64xf8E5M2, swizzle = 64>,
      !tile_gpu.shared<64x32xf8E5M2, swizzle = 32> -> !tile_gpu.pending<tensor<64x32xf32, #l>>
}

// -----

tile.kernel @matches_wide_numbers(%k: !tile.view<?xi64>, %r: !tile.view<?xi32>, %n: index) grid [1] {
  // expected-error @below {{expected views of one axis of i32, found '!tile.view<?xi64>'}}
  %f, %e = tile_gpu.match_range %k[%n, %n] with %r[%n, %n] : !tile.view<?xi64>, !tile.view<?xi32>
}

// -----

tile.kernel @matches_rows_of_two_axes(%k: !tile.view<?xi32>, %r: !tile.view<?x?xi32>, %n: index) grid [1] {
  // expected-error @below {{expected views of one axis of i32, found '!tile.view<?x?xi32>'}}
  %f, %e = tile_gpu.match_range %k[%n, %n] with %r[%n, %n] : !tile.view<?xi32>, !tile.view<?x?xi32>
}

// -----

func.func @mark_of_numbers(%g: index, %p: index) -> i32 {
  %w = tile_gpu.workspace 0 : !tile.view<2x19x32xf32>
  // expected-error @+1 {{expected a dense workspace [exchanges, groups, words] of i64, found '!tile.view<2x19x32xf32>'}}
  %m = tile_gpu.begin_exchange of %g part %p in %w : !tile.view<2x19x32xf32>
  return %m : i32
}

// -----

func.func @exchange_of_a_row(%t: tensor<1x4xf32>, %g: index, %p: index, %m: i32, %b: !tile_gpu.shared<13xi64>) {
  %w = tile_gpu.workspace 0 : !tile.view<2x19x32xi64>
  // expected-error @+1 {{expected a number of up to 64 bits and a column of such, found 'tensor<1x4xf32>' and 'tensor<13x1xf32>'}}
  %all = tile_gpu.gather_blocks %t of %g part %p mark %m exchange 1 in %w through %b
      : tensor<1x4xf32>, !tile.view<2x19x32xi64>, !tile_gpu.shared<13xi64> -> tensor<13x1xf32>
  return
}

// -----

func.func @third_exchange_of_two(%t: tensor<1x1xf32>, %g: index, %p: index, %m: i32, %b: !tile_gpu.shared<13xi64>) {
  %w = tile_gpu.workspace 0 : !tile.view<2x19x32xi64>
  // expected-error @+1 {{expected a workspace for exchange 2 of 13 blocks, found '!tile.view<2x19x32xi64>'}}
  %all = tile_gpu.gather_blocks %t of %g part %p mark %m exchange 2 in %w through %b
      : tensor<1x1xf32>, !tile.view<2x19x32xi64>, !tile_gpu.shared<13xi64> -> tensor<13x1xf32>
  return
}

// -----

func.func @workspace_of_fewer_blocks(%t: tensor<1x1xf32>, %g: index, %p: index, %m: i32, %b: !tile_gpu.shared<17xi64>) {
  %w = tile_gpu.workspace 0 : !tile.view<2x19x32xi64>
  // expected-error @+1 {{expected a workspace for exchange 0 of 17 blocks, found '!tile.view<2x19x32xi64>'}}
  %all = tile_gpu.gather_blocks %t of %g part %p mark %m exchange 0 in %w through %b
      : tensor<1x1xf32>, !tile.view<2x19x32xi64>, !tile_gpu.shared<17xi64> -> tensor<17x1xf32>
  return
}

// -----

func.func @buffer_of_fewer_blocks(%t: tensor<1x1xf32>, %g: index, %p: index, %m: i32, %b: !tile_gpu.shared<12xi64>) {
  %w = tile_gpu.workspace 0 : !tile.view<2x19x32xi64>
  // expected-error @+1 {{expected a buffer of 13 words of i64, found '!tile_gpu.shared<12xi64>'}}
  %all = tile_gpu.gather_blocks %t of %g part %p mark %m exchange 1 in %w through %b
      : tensor<1x1xf32>, !tile.view<2x19x32xi64>, !tile_gpu.shared<12xi64> -> tensor<13x1xf32>
  return
}
