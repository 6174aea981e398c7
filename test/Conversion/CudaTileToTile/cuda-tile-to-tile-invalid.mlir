// RUN: tilegpt-opt %s --cuda-tile-to-tile -split-input-file -verify-diagnostics

cuda_tile.module @m {
  entry @memory() {
    %0 = alloca num_elem = 4, alignment = 16 : tile<ptr<f32>>
    // expected-error @below {{'cuda_tile.alloca' op cannot be compiled: the tile dialect lacks memory of a block that others may reach}}
    %1 = alloca num_elem = 4, alignment = 16 global : tile<ptr<f32>>
    // expected-error @below {{'cuda_tile.alloca' op cannot be compiled: the tile dialect lacks memory of a block that begins at multiples of 256 bytes, more than 16}}
    %2 = alloca num_elem = 4, alignment = 256 : tile<ptr<f32>>
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
  entry @flags() {
    %a = constant <i1: true> : tile<8xi1>
    // expected-error @below {{'cuda_tile.pack' op cannot be compiled: the tile dialect lacks bytes of i1}}
    %0 = pack %a : tile<8xi1> -> tile<1xi8>
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
  entry @print() {
    %a = constant <f32: 0.0> : tile<4xf32>
    %b = constant <f32: 0.0> : tile<2xf32>
    // expected-error @below {{'cuda_tile.print_tko' op cannot be compiled: the tile dialect lacks prints of tiles of several shapes}}
    %0 = print_tko "%f %f", %a, %b : tile<4xf32>, tile<2xf32> -> token
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
