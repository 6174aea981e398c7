// RUN: tilegpt-opt %s --cuda-tile-to-tile -split-input-file -verify-diagnostics

cuda_tile.module @m {
  entry @rounding(%a: tile<f32>) {
    // expected-error @below {{'cuda_tile.addf' op cannot be compiled: the tile dialect lacks arithmetic rounded to zero}}
    %0 = addf %a, %a rounding<zero> : tile<f32>
    // expected-error @below {{'cuda_tile.mulf' op cannot be compiled: the tile dialect lacks arithmetic that flushes subnormal numbers to zero}}
    %1 = mulf %a, %a rounding<nearest_even> flush_to_zero : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @address(%p: tile<ptr<f32>>) {
    // expected-error @below {{'cuda_tile.ptr_to_int' op cannot be compiled: the tile dialect lacks addresses as integers}}
    %0 = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
    // expected-error @below {{'cuda_tile.ptr_to_ptr' op cannot be compiled: the tile dialect lacks pointers to f32 that become pointers to i32}}
    %1 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i32>>
  }
}

// -----

cuda_tile.module @m {
  entry @narrow() {
    %a = constant <f32: 0.0> : tile<8xf32>
    // expected-error @below {{'cuda_tile.pack' op cannot be compiled: the tile dialect lacks tiles of bytes}}
    %0 = pack %a : tile<8xf32> -> tile<32xi8>
  }
}

// -----

cuda_tile.module @m {
  entry @scale(%a: tile<f32>) {
    // expected-error @below {{'cuda_tile.ftof' op cannot be compiled: the tile dialect has no type 'f8E8M0FNU'}}
    %0 = ftof %a rounding<zero> : tile<f32> -> tile<f8E8M0FNU>
  }
}

// -----

cuda_tile.module @m {
  entry @print(%a: tile<f32>) {
    // expected-error @below {{'cuda_tile.print_tko' op cannot be compiled: the tile dialect lacks printing}}
    %0 = print_tko "%f", %a : tile<f32> -> token
  }
}

// -----

cuda_tile.module @one {
  // expected-note @below {{the first is here}}
  entry @same() {
  }
}
cuda_tile.module @two {
  // expected-error @below {{'cuda_tile.entry' op expected a name of its own, found 'same' a second time}}
  entry @same() {
  }
}

// -----

// Pointers into two objects.
cuda_tile.module @m {
  entry @two_bases(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %c: tile<i1>, %v: tile<f32>) {
    // expected-error @below {{'cuda_tile.select' op joins pointers into two objects; the tile dialect has tiles of pointers with one base only}}
    // expected-error @below {{failed to legalize operation 'cuda_tile.select'}}
    %0 = select %c, %p, %q : tile<i1>, tile<ptr<f32>>
    %1 = store_ptr_tko weak %0, %v : tile<ptr<f32>>, tile<f32> -> token
  }
}
