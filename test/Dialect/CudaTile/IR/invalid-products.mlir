// Errors of products, reductions and scans.
// RUN: tilegpt-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected

cuda_tile.testing$func @f(%l: tile<8xf16>, %r: tile<8xf16>, %c: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected tiles of rank 2 or 3, found '!cuda_tile.tile<8xf16>'}}
  %0 = mmaf %l, %r, %c : tile<8xf16>, tile<8xf16>, tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf16>, %r: tile<8x4xf16>, %c: tile<1x4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected tiles of one rank, found '!cuda_tile.tile<4x8xf16>' and '!cuda_tile.tile<1x4x4xf32>'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf16>, tile<8x4xf16>, tile<1x4x4xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf16>, %r: tile<16x4xf16>, %c: tile<4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected one K, found 8 of '!cuda_tile.tile<4x8xf16>' and 16 of '!cuda_tile.tile<16x4xf16>'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf16>, tile<16x4xf16>, tile<4x4xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf16>, %r: tile<8x4xf16>, %c: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected one M, found 4 of '!cuda_tile.tile<4x8xf16>' and 8 of '!cuda_tile.tile<8x4xf32>'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf16>, tile<8x4xf16>, tile<8x4xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf16>, %r: tile<8x4xf16>, %c: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected one N, found 4 of '!cuda_tile.tile<8x4xf16>' and 8 of '!cuda_tile.tile<4x8xf32>'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf16>, tile<8x4xf16>, tile<4x8xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<2x4x8xf16>, %r: tile<4x8x4xf16>, %c: tile<2x4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected one batch, found 2 of '!cuda_tile.tile<2x4x8xf16>' and 4 of '!cuda_tile.tile<4x8x4xf16>'}}
  %0 = mmaf %l, %r, %c : tile<2x4x8xf16>, tile<4x8x4xf16>, tile<2x4x4xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<2x4x8xf16>, %r: tile<2x8x4xf16>, %c: tile<4x4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected one batch, found 2 of '!cuda_tile.tile<2x4x8xf16>' and 4 of '!cuda_tile.tile<4x4x4xf32>'}}
  %0 = mmaf %l, %r, %c : tile<2x4x8xf16>, tile<2x8x4xf16>, tile<4x4x4xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf16>, %r: tile<8x4xbf16>, %c: tile<4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected factors of one type, found '!cuda_tile.tile<4x8xf16>' and '!cuda_tile.tile<8x4xbf16>'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf16>, tile<8x4xbf16>, tile<4x4xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xbf16>, %r: tile<8x4xbf16>, %c: tile<4x4xf16>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected f8 or f16 summed in f16 or f32, bf16, tf32 or f32 summed in f32, or f64 summed in f64; found 'bf16' summed in 'f16'}}
  %0 = mmaf %l, %r, %c : tile<4x8xbf16>, tile<8x4xbf16>, tile<4x4xf16>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf32>, %r: tile<8x4xf32>, %c: tile<4x4xf16>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected f8 or f16 summed in f16 or f32, bf16, tf32 or f32 summed in f32, or f64 summed in f64; found 'f32' summed in 'f16'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf32>, tile<8x4xf32>, tile<4x4xf16>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf64>, %r: tile<8x4xf64>, %c: tile<4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected f8 or f16 summed in f16 or f32, bf16, tf32 or f32 summed in f32, or f64 summed in f64; found 'f64' summed in 'f32'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf64>, tile<8x4xf64>, tile<4x4xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf16>, %r: tile<8x4xf16>, %c: tile<4x4xf64>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected f8 or f16 summed in f16 or f32, bf16, tf32 or f32 summed in f32, or f64 summed in f64; found 'f16' summed in 'f64'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf16>, tile<8x4xf16>, tile<4x4xf64>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xf8E8M0FNU>, %r: tile<8x4xf8E8M0FNU>, %c: tile<4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected f8 or f16 summed in f16 or f32, bf16, tf32 or f32 summed in f32, or f64 summed in f64; found 'f8E8M0FNU' summed in 'f32'}}
  %0 = mmaf %l, %r, %c : tile<4x8xf8E8M0FNU>, tile<8x4xf8E8M0FNU>, tile<4x4xf32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xtf32>, %r: tile<8x4xtf32>, %c: tile<4x4xf64>) {
  // expected-error @below {{'cuda_tile.mmaf' op expected f8 or f16 summed in f16 or f32, bf16, tf32 or f32 summed in f32, or f64 summed in f64; found 'tf32' summed in 'f64'}}
  %0 = mmaf %l, %r, %c : tile<4x8xtf32>, tile<8x4xtf32>, tile<4x4xf64>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xi8>, %r: tile<8x4xi8>, %c: tile<4x4xi64>) {
  // expected-error @below {{'cuda_tile.mmai' op operand #2 must be tile of i32, but got '!cuda_tile.tile<4x4xi64>'}}
  %0 = mmai %l, %r, %c signed signed : tile<4x8xi8>, tile<8x4xi8>, tile<4x4xi64>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xi16>, %r: tile<8x4xi16>, %c: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.mmai' op operand #0 must be tile of i8, but got '!cuda_tile.tile<4x8xi16>'}}
  %0 = mmai %l, %r, %c signed signed : tile<4x8xi16>, tile<8x4xi16>, tile<4x4xi32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x8xi8>, %r: tile<4x4xi8>, %c: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.mmai' op expected one K, found 8 of '!cuda_tile.tile<4x8xi8>' and 4 of '!cuda_tile.tile<4x4xi8>'}}
  %0 = mmai %l, %r, %c signed signed : tile<4x8xi8>, tile<4x4xi8>, tile<4x4xi32>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf8E4M3FN>, %r: tile<64x4xf8E4M3FN>, %c: tile<4x4xf16>, %s: tile<4x2xf8E8M0FNU>, %t: tile<2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected sums in f32, found '!cuda_tile.tile<4x4xf16>'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf16>, tile<4x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf8E4M3FN>, %r: tile<64x4xf8E4M3FN>, %c: tile<4x4xf32>, %s: tile<4x4xf8E8M0FNU>, %t: tile<4x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected a scale for every 32 elements along K, found 4 scales of 64 elements}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<4x4xf8E8M0FNU>, tile<4x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf8E4M3FN>, %r: tile<64x4xf8E4M3FN>, %c: tile<4x4xf32>, %s: tile<4x2xf8E4M3FN>, %t: tile<2x4xf8E4M3FN>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected f8E4M3FN, f8E5M2 or f4E2M1FN scaled by f8E8M0FNU, or f4E2M1FN scaled by f8E4M3FN or f8E5M3FNU; found 'f8E4M3FN' scaled by 'f8E4M3FN'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<4x2xf8E4M3FN>, tile<2x4xf8E4M3FN>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf4E2M1FN>, %r: tile<64x4xf4E2M1FN>, %c: tile<4x4xf32>, %s: tile<4x2xf8E4M3FN>, %t: tile<2x4xf8E4M3FN>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected a scale for every 16 elements along K, found 2 scales of 64 elements}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf4E2M1FN>, tile<64x4xf4E2M1FN>, tile<4x4xf32>, tile<4x2xf8E4M3FN>, tile<2x4xf8E4M3FN>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf4E2M1FN>, %r: tile<64x4xf4E2M1FN>, %c: tile<4x4xf32>, %s: tile<4x8xf8E8M0FNU>, %t: tile<8x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected a scale for every 16 or 32 elements along K, found 8 scales of 64 elements}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf4E2M1FN>, tile<64x4xf4E2M1FN>, tile<4x4xf32>, tile<4x8xf8E8M0FNU>, tile<8x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf8E4M3FN>, %r: tile<64x4xf8E4M3FN>, %c: tile<4x4xf32>, %s: tile<8x2xf8E8M0FNU>, %t: tile<2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected one M, found 4 of '!cuda_tile.tile<4x64xf8E4M3FN>' and 8 of '!cuda_tile.tile<8x2xf8E8M0FNU>'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<8x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf8E4M3FN>, %r: tile<64x4xf8E4M3FN>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<2x8xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected one N, found 4 of '!cuda_tile.tile<64x4xf8E4M3FN>' and 8 of '!cuda_tile.tile<2x8xf8E8M0FNU>'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf8E4M3FN>, %r: tile<64x4xf8E4M3FN>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<4x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected one number of scales along K, found 2 of '!cuda_tile.tile<4x2xf8E8M0FNU>' and 4 of '!cuda_tile.tile<4x4xf8E8M0FNU>'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<4x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf8E4M3FN>, %r: tile<64x4xf8E4M3FN>, %c: tile<4x4xf32>, %s: tile<1x4x2xf8E8M0FNU>, %t: tile<2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected scales of rank 2, found '!cuda_tile.tile<1x4x2xf8E8M0FNU>'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<1x4x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf4E2M1FN>, %r: tile<64x4xf4E2M1FN>, %c: tile<4x4xf32>, %s: tile<4x4xf8E8M0FNU>, %t: tile<4x4xf8E4M3FN>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected scales of one type, found '!cuda_tile.tile<4x4xf8E8M0FNU>' and '!cuda_tile.tile<4x4xf8E4M3FN>'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf4E2M1FN>, tile<64x4xf4E2M1FN>, tile<4x4xf32>, tile<4x4xf8E8M0FNU>, tile<4x4xf8E4M3FN>
}

// -----

cuda_tile.testing$func @f(%l: tile<2x4x64xf8E4M3FN>, %r: tile<2x64x4xf8E4M3FN>, %c: tile<2x4x4xf32>, %s: tile<1x4x2xf8E8M0FNU>, %t: tile<2x2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected one batch, found 2 of '!cuda_tile.tile<2x4x64xf8E4M3FN>' and 1 of '!cuda_tile.tile<1x4x2xf8E8M0FNU>'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<2x4x64xf8E4M3FN>, tile<2x64x4xf8E4M3FN>, tile<2x4x4xf32>, tile<1x4x2xf8E8M0FNU>, tile<2x2x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x64xf16>, %r: tile<64x4xf16>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected f8E4M3FN, f8E5M2 or f4E2M1FN scaled by f8E8M0FNU, or f4E2M1FN scaled by f8E4M3FN or f8E5M3FNU; found 'f16' scaled by 'f8E8M0FNU'}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x64xf16>, tile<64x4xf16>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%l: tile<4x16xf8E4M3FN>, %r: tile<16x4xf8E4M3FN>, %c: tile<4x4xf32>, %s: tile<4x32xf8E8M0FNU>, %t: tile<32x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op expected a scale for every 32 elements along K, found 32 scales of 16 elements}}
  %0 = mmaf_scaled %l, %r, %c, %s, %t : tile<4x16xf8E4M3FN>, tile<16x4xf8E4M3FN>, tile<4x4xf32>, tile<4x32xf8E8M0FNU>, tile<32x4xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected a result of type '!cuda_tile.tile<4xf32>', found '!cuda_tile.tile<8xf32>'}}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<8xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected a result of type '!cuda_tile.tile<4xf32>', found '!cuda_tile.tile<4xf16>'}}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf16>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected dim below the rank, 2, found 2}}
  %0 = reduce %x dim=2 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op attribute 'dim' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = reduce %x dim=-1 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected an identity of type 'f32' for operand 0, found 0.000000e+00 : f64}}
  %0 = reduce %x dim=0 identities=[0.0 : f64] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

// f16 stands for bf16, f32 does not.
cuda_tile.testing$func @f(%x: tile<8x4xbf16>) {
  // expected-error @below {{'cuda_tile.reduce' op expected an identity of type 'bf16' for operand 0, found 0.000000e+00 : f32}}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xbf16> -> tile<4xbf16>
  (%a: tile<bf16>, %b: tile<bf16>) {
    %s = addf %a, %b : tile<bf16>
    yield %s : tile<bf16>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8xi16>) {
  // expected-error @below {{'cuda_tile.scan' op expected an identity of type 'i16' for operand 0, found 0.000000e+00 : f16}}
  %0 = scan %x dim=0 reverse=false identities=[0.0 : f16] : tile<8xi16> -> tile<8xi16>
  (%a: tile<i16>, %b: tile<i16>) {
    %s = addi %a, %b : tile<i16>
    yield %s : tile<i16>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected an identity for each of the 1 operands, found 2}}
  %0 = reduce %x dim=0 identities=[0.0 : f32, 1.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected an identity for each of the 1 operands, found 0}}
  %0 = reduce %x dim=0 identities=[] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>, tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected a region with arguments '!cuda_tile.tile<f32>', '!cuda_tile.tile<f32>', found '!cuda_tile.tile<f32>'}}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>) {
    yield %a : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected a region with arguments '!cuda_tile.tile<f32>', '!cuda_tile.tile<f32>', found '!cuda_tile.tile<f32>', '!cuda_tile.tile<f64>'}}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f64>) {
    yield %a : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected a region with arguments '!cuda_tile.tile<f32>', '!cuda_tile.tile<f32>', found '!cuda_tile.tile<4xf32>', '!cuda_tile.tile<4xf32>'}}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<4xf32>, %b: tile<4xf32>) {
    yield %a : tile<4xf32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected a region that yields '!cuda_tile.tile<f32>', found }}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    // expected-error @below {{'cuda_tile.print_tko' op expected only pure ops in the region of 'cuda_tile.reduce'}}
    %k = print_tko "%f", %a : tile<f32> -> token
    yield %a : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.scan' op expected a result of type '!cuda_tile.tile<8x4xf32>', found '!cuda_tile.tile<4xf32>'}}
  %0 = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.scan' op expected dim below the rank, 2, found 2}}
  %0 = scan %x dim=2 reverse=false identities=[0.0 : f32] : tile<8x4xf32> -> tile<8x4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %s = addf %a, %b : tile<f32>
    yield %s : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.scan' op expected a region that yields '!cuda_tile.tile<f32>', found '!cuda_tile.tile<f32>', '!cuda_tile.tile<f32>'}}
  %0 = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<8x4xf32> -> tile<8x4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a, %b : tile<f32>, tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>, %c: tile<i1>) {
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x4xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    // expected-error @below {{'cuda_tile.if' op expected only pure ops in the region of 'cuda_tile.reduce'}}
    if %c {
      %k = print_tko "x" -> token
    }
    yield %a : tile<f32>
  }
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  %0 = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<8x4xf32> -> tile<8x4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    // expected-error @below {{'cuda_tile.loop' op expected only pure ops in the region of 'cuda_tile.scan'}}
    loop {
      break
    }
    yield %a : tile<f32>
  }
}
