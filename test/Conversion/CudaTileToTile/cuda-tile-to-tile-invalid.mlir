// RUN: tilegpt-opt %s --cuda-tile-to-tile -split-input-file -verify-diagnostics

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.global' op cannot be compiled: the tile dialect lacks memory of a module that begins at multiples of 2097152 bytes, more than 1048576}}
  global @far alignment = 2097152 <i32: 0> : tile<1xi32>
}

// -----

cuda_tile.module @m {
  entry @half_bytes(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
    // expected-error @below {{'cuda_tile.offset' op cannot be compiled: the tile dialect lacks pointers to the second f4E2M1FN of a byte}}
    %0 = offset %p, %i : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>
    // expected-error @below {{'cuda_tile.make_tensor_view' op cannot be compiled: the tile dialect lacks tensors of f4E2M1FN but with an axis of stride 1 and an even size, and other strides that are even}}
    %2 = make_tensor_view %p, shape = [4, 7], strides = [7, 1] : tensor_view<4x7xf4E2M1FN, strides=[7, 1]>
  }
}

// -----

cuda_tile.module @m {
  entry @half_byte_tiles(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
    %0 = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf4E2M1FN, strides=[8, 1]>
    %1 = make_partition_view %0 : partition_view<tile=(4x1), tensor_view<8x8xf4E2M1FN, strides=[8, 1]>>
    // expected-error @below {{'cuda_tile.load_view_tko' op cannot be compiled: the tile dialect lacks tiles with an odd number of f4E2M1FN, or at odd steps, along the axis of stride 1}}
    %2, %t2 = load_view_tko weak %1[%i, %i] : partition_view<tile=(4x1), tensor_view<8x8xf4E2M1FN, strides=[8, 1]>>, tile<i32> -> tile<4x1xf4E2M1FN>, token
    // expected-error @below {{'cuda_tile.get_index_space_shape' op cannot be compiled: the tile dialect lacks tiles with an odd number of f4E2M1FN}}
    %3, %4 = get_index_space_shape %1 : partition_view<tile=(4x1), tensor_view<8x8xf4E2M1FN, strides=[8, 1]>> -> tile<i32>
    %5 = make_strided_view %0 : strided_view<tile=(4x4), traversal_strides=[4, 3], tensor_view<8x8xf4E2M1FN, strides=[8, 1]>>
    // expected-error @below {{'cuda_tile.load_view_tko' op cannot be compiled: the tile dialect lacks tiles with an odd number of f4E2M1FN}}
    %6, %t6 = load_view_tko weak %5[%i, %i] : strided_view<tile=(4x4), traversal_strides=[4, 3], tensor_view<8x8xf4E2M1FN, strides=[8, 1]>>, tile<i32> -> tile<4x4xf4E2M1FN>, token
    %7 = make_partition_view %0 : partition_view<tile=(4x2), padding_value = nan, tensor_view<8x8xf4E2M1FN, strides=[8, 1]>>
    // expected-error @below {{'cuda_tile.load_view_tko' op cannot be compiled: the tile dialect lacks a nan of f4E2M1FN}}
    %8, %t8 = load_view_tko weak %7[%i, %i] : partition_view<tile=(4x2), padding_value = nan, tensor_view<8x8xf4E2M1FN, strides=[8, 1]>>, tile<i32> -> tile<4x2xf4E2M1FN>, token
  }
}

// -----

cuda_tile.module @one {
  // expected-note @below {{the first is here}}
  entry @same() {
  }
}
cuda_tile.module @two {
  // expected-error @below {{'cuda_tile.entry' op expected a unique name, found 'same' a second time}}
  entry @same() {
  }
}

// -----

// The language allows entries with tokens, but no launch can pass one.
cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.entry' op cannot be compiled: the tile dialect lacks arguments of type !cuda_tile.token; launches pass pointers and numbers}}
  entry @ordered(%a: token, %b: token) {
    %0 = join_tokens %a, %b : token
  }
}

// -----

cuda_tile.module @steps {
  entry @downwards(%n: tile<i32>) {
    %step = constant <i32: -2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    // expected-error @below {{'cuda_tile.for' op expected a positive step, found -2}}
    for %i in (%n to %n, step %step) : tile<i32> {
    }
    for unsigned %i in (%n to %n, step %step) : tile<i32> {
    }
    // expected-error @below {{'cuda_tile.for' op expected a positive step, found 0}}
    for unsigned %i in (%n to %n, step %zero) : tile<i32> {
    }
  }
}

// -----

// The language lets anything precede the letter that ends a conversion: `%?%` is one.
cuda_tile.module @m {
  entry @strange_conversion(%n: tile<i32>) {
    // expected-error @below {{'tile.print' op format expected one of d i u x X o e E f F g G a A to end a conversion, found '?'}}
    %0 = print_tko "%?%?i", %n : tile<i32> -> token
  }
}
