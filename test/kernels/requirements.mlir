// Every size that the kernels of the library require, broken by a launch.
// RUN: tilegpt-opt %s --tile-link-library --verify-diagnostics --split-input-file

func.func @head_norm_ok(%x: tensor<12x64xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32, %n: i32,
    %m: i32, %y: tensor<12x64xbf16>) {
  %r:1 = tile.launch @head_norm ins(%x, %gq, %gk, %e, %o, %n, %m) outs(%y)
    : (tensor<12x64xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, i32, i32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @head_norm_rows(%x: tensor<12x64xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32,
    %n: i32, %m: i32, %y: tensor<13x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 7 of 'head_norm' to be 12 (axis 0 of argument 0), found 13}}
  %r:1 = tile.launch @head_norm ins(%x, %gq, %gk, %e, %o, %n, %m) outs(%y)
    : (tensor<12x64xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, i32, i32, tensor<13x64xbf16>)
      -> (tensor<13x64xbf16>)
  return
}

// -----

func.func @head_norm_columns(%x: tensor<12x64xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32,
    %n: i32, %m: i32, %y: tensor<12x65xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 7 of 'head_norm' to be 64 (axis 1 of argument 0), found 65}}
  %r:1 = tile.launch @head_norm ins(%x, %gq, %gk, %e, %o, %n, %m) outs(%y)
    : (tensor<12x64xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, i32, i32, tensor<12x65xbf16>)
      -> (tensor<12x65xbf16>)
  return
}

// -----

func.func @head_norm_gains(%x: tensor<12x64xbf16>, %gq: tensor<16xf32>, %gk: tensor<17xf32>, %e: f32, %o: f32,
    %n: i32, %m: i32, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 2 of 'head_norm' to be 16 (axis 0 of argument 1), found 17}}
  %r:1 = tile.launch @head_norm ins(%x, %gq, %gk, %e, %o, %n, %m) outs(%y)
    : (tensor<12x64xbf16>, tensor<16xf32>, tensor<17xf32>, f32, f32, i32, i32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @rotary_angles_ok(%pos: tensor<3xi32>, %t: tensor<0xf32>, %s0: f32, %s1: f32, %s2: f32, %s3: f32, %s4: f32,
    %s5: f32, %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>) {
  %r:2 = tile.launch @rotary_angles ins(%pos, %t, %s0, %s1, %s2, %s3, %s4, %s5) outs(%cos, %sin)
    : (tensor<3xi32>, tensor<0xf32>, f32, f32, f32, f32, f32, f32, tensor<12x16xf32>, tensor<12x16xf32>)
      -> (tensor<12x16xf32>, tensor<12x16xf32>)
  return
}

// -----

func.func @rotary_angles_rows(%pos: tensor<3xi32>, %t: tensor<0xf32>, %s0: f32, %s1: f32, %s2: f32, %s3: f32,
    %s4: f32, %s5: f32, %cos: tensor<12x16xf32>, %sin: tensor<13x16xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 9 of 'rotary_angles' to be 12 (axis 0 of argument 8), found 13}}
  %r:2 = tile.launch @rotary_angles ins(%pos, %t, %s0, %s1, %s2, %s3, %s4, %s5) outs(%cos, %sin)
    : (tensor<3xi32>, tensor<0xf32>, f32, f32, f32, f32, f32, f32, tensor<12x16xf32>, tensor<13x16xf32>)
      -> (tensor<12x16xf32>, tensor<13x16xf32>)
  return
}

// -----

func.func @rotary_ok(%x: tensor<12x64xbf16>, %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %n: i32,
    %y: tensor<12x64xbf16>) {
  %r:1 = tile.launch @rotary ins(%x, %cos, %sin, %n) outs(%y)
    : (tensor<12x64xbf16>, tensor<12x16xf32>, tensor<12x16xf32>, i32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @rotary_rows(%x: tensor<12x64xbf16>, %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %n: i32,
    %y: tensor<13x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 4 of 'rotary' to be 12 (axis 0 of argument 0), found 13}}
  %r:1 = tile.launch @rotary ins(%x, %cos, %sin, %n) outs(%y)
    : (tensor<12x64xbf16>, tensor<12x16xf32>, tensor<12x16xf32>, i32, tensor<13x64xbf16>)
      -> (tensor<13x64xbf16>)
  return
}

// -----

func.func @rotary_columns(%x: tensor<12x65xbf16>, %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %n: i32,
    %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 4 of 'rotary' to be 65 (axis 1 of argument 0), found 64}}
  %r:1 = tile.launch @rotary ins(%x, %cos, %sin, %n) outs(%y)
    : (tensor<12x65xbf16>, tensor<12x16xf32>, tensor<12x16xf32>, i32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @rotary_cosines(%x: tensor<12x64xbf16>, %cos: tensor<13x16xf32>, %sin: tensor<12x16xf32>, %n: i32,
    %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 4 of 'rotary' to be 13 (axis 0 of argument 1), found 12}}
  %r:1 = tile.launch @rotary ins(%x, %cos, %sin, %n) outs(%y)
    : (tensor<12x64xbf16>, tensor<13x16xf32>, tensor<12x16xf32>, i32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @rotary_sines(%x: tensor<12x64xbf16>, %cos: tensor<12x16xf32>, %sin: tensor<13x16xf32>, %n: i32,
    %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 4 of 'rotary' to be 13 (axis 0 of argument 2), found 12}}
  %r:1 = tile.launch @rotary ins(%x, %cos, %sin, %n) outs(%y)
    : (tensor<12x64xbf16>, tensor<12x16xf32>, tensor<13x16xf32>, i32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @kv_append_ok(%x: tensor<12x128xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32,
    %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %pos: tensor<3xi32>, %k: tensor<3x2x40x16xbf16>,
    %v: tensor<3x2x40x16xbf16>, %q: tensor<12x64xbf16>) {
  %r:3 = tile.launch @kv_append ins(%x, %gq, %gk, %e, %o, %cos, %sin, %pos) outs(%k, %v, %q)
    : (tensor<12x128xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, tensor<12x16xf32>, tensor<12x16xf32>, tensor<3xi32>, tensor<3x2x40x16xbf16>, tensor<3x2x40x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<3x2x40x16xbf16>, tensor<3x2x40x16xbf16>, tensor<12x64xbf16>)
  return
}

// -----

func.func @kv_append_rows(%x: tensor<12x128xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32,
    %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %pos: tensor<3xi32>, %k: tensor<3x2x40x16xbf16>,
    %v: tensor<3x2x40x16xbf16>, %q: tensor<13x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 10 of 'kv_append' to be 12 (axis 0 of argument 0), found 13}}
  %r:3 = tile.launch @kv_append ins(%x, %gq, %gk, %e, %o, %cos, %sin, %pos) outs(%k, %v, %q)
    : (tensor<12x128xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, tensor<12x16xf32>, tensor<12x16xf32>, tensor<3xi32>, tensor<3x2x40x16xbf16>, tensor<3x2x40x16xbf16>, tensor<13x64xbf16>)
      -> (tensor<3x2x40x16xbf16>, tensor<3x2x40x16xbf16>, tensor<13x64xbf16>)
  return
}

// -----

func.func @kv_append_sequences(%x: tensor<12x128xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32,
    %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %pos: tensor<3xi32>, %k: tensor<3x2x40x16xbf16>,
    %v: tensor<4x2x40x16xbf16>, %q: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 9 of 'kv_append' to be 3 (axis 0 of argument 8), found 4}}
  %r:3 = tile.launch @kv_append ins(%x, %gq, %gk, %e, %o, %cos, %sin, %pos) outs(%k, %v, %q)
    : (tensor<12x128xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, tensor<12x16xf32>, tensor<12x16xf32>, tensor<3xi32>, tensor<3x2x40x16xbf16>, tensor<4x2x40x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<3x2x40x16xbf16>, tensor<4x2x40x16xbf16>, tensor<12x64xbf16>)
  return
}

// -----

func.func @kv_append_heads(%x: tensor<12x128xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32,
    %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %pos: tensor<3xi32>, %k: tensor<3x2x40x16xbf16>,
    %v: tensor<3x3x40x16xbf16>, %q: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 9 of 'kv_append' to be 2 (axis 1 of argument 8), found 3}}
  %r:3 = tile.launch @kv_append ins(%x, %gq, %gk, %e, %o, %cos, %sin, %pos) outs(%k, %v, %q)
    : (tensor<12x128xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, tensor<12x16xf32>, tensor<12x16xf32>, tensor<3xi32>, tensor<3x2x40x16xbf16>, tensor<3x3x40x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<3x2x40x16xbf16>, tensor<3x3x40x16xbf16>, tensor<12x64xbf16>)
  return
}

// -----

func.func @kv_append_capacity(%x: tensor<12x128xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32,
    %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %pos: tensor<3xi32>, %k: tensor<3x2x40x16xbf16>,
    %v: tensor<3x2x41x16xbf16>, %q: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 2 of argument 9 of 'kv_append' to be 40 (axis 2 of argument 8), found 41}}
  %r:3 = tile.launch @kv_append ins(%x, %gq, %gk, %e, %o, %cos, %sin, %pos) outs(%k, %v, %q)
    : (tensor<12x128xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, tensor<12x16xf32>, tensor<12x16xf32>, tensor<3xi32>, tensor<3x2x40x16xbf16>, tensor<3x2x41x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<3x2x40x16xbf16>, tensor<3x2x41x16xbf16>, tensor<12x64xbf16>)
  return
}

// -----

func.func @kv_append_features(%x: tensor<12x128xbf16>, %gq: tensor<16xf32>, %gk: tensor<16xf32>, %e: f32, %o: f32,
    %cos: tensor<12x16xf32>, %sin: tensor<12x16xf32>, %pos: tensor<3xi32>, %k: tensor<3x2x40x16xbf16>,
    %v: tensor<3x2x40x17xbf16>, %q: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 3 of argument 9 of 'kv_append' to be 16 (axis 3 of argument 8), found 17}}
  %r:3 = tile.launch @kv_append ins(%x, %gq, %gk, %e, %o, %cos, %sin, %pos) outs(%k, %v, %q)
    : (tensor<12x128xbf16>, tensor<16xf32>, tensor<16xf32>, f32, f32, tensor<12x16xf32>, tensor<12x16xf32>, tensor<3xi32>, tensor<3x2x40x16xbf16>, tensor<3x2x40x17xbf16>, tensor<12x64xbf16>)
      -> (tensor<3x2x40x16xbf16>, tensor<3x2x40x17xbf16>, tensor<12x64xbf16>)
  return
}

// -----

func.func @attention_ok(%x: tensor<12x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x2x40x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<12x64xbf16>) {
  %r:1 = tile.launch @attention ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<12x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x2x40x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @attention_rows(%x: tensor<12x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x2x40x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<13x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 7 of 'attention' to be 12 (axis 0 of argument 0), found 13}}
  %r:1 = tile.launch @attention ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<12x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x2x40x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<13x64xbf16>)
      -> (tensor<13x64xbf16>)
  return
}

// -----

func.func @attention_sequences(%x: tensor<12x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<4x2x40x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 2 of 'attention' to be 3 (axis 0 of argument 1), found 4}}
  %r:1 = tile.launch @attention ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<12x128xbf16>, tensor<3x2x40x16xbf16>, tensor<4x2x40x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @attention_heads(%x: tensor<12x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x3x40x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 2 of 'attention' to be 2 (axis 1 of argument 1), found 3}}
  %r:1 = tile.launch @attention ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<12x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x3x40x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @attention_capacity(%x: tensor<12x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x2x41x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 2 of argument 2 of 'attention' to be 40 (axis 2 of argument 1), found 41}}
  %r:1 = tile.launch @attention ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<12x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x2x41x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @attention_features(%x: tensor<12x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x2x40x17xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 3 of argument 2 of 'attention' to be 16 (axis 3 of argument 1), found 17}}
  %r:1 = tile.launch @attention ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<12x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x2x40x17xbf16>, tensor<3xi32>, f32, i32, f32, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @attention_decode_ok(%x: tensor<3x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x2x40x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<3x64xbf16>) {
  %r:1 = tile.launch @attention_decode ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<3x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x2x40x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<3x64xbf16>)
      -> (tensor<3x64xbf16>)
  return
}

// -----

func.func @attention_decode_rows(%x: tensor<3x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x2x40x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<4x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 7 of 'attention_decode' to be 3 (axis 0 of argument 0), found 4}}
  %r:1 = tile.launch @attention_decode ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<3x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x2x40x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<4x64xbf16>)
      -> (tensor<4x64xbf16>)
  return
}

// -----

func.func @attention_decode_sequences(%x: tensor<3x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<4x2x40x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<3x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 2 of 'attention_decode' to be 3 (axis 0 of argument 1), found 4}}
  %r:1 = tile.launch @attention_decode ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<3x128xbf16>, tensor<3x2x40x16xbf16>, tensor<4x2x40x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<3x64xbf16>)
      -> (tensor<3x64xbf16>)
  return
}

// -----

func.func @attention_decode_heads(%x: tensor<3x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x3x40x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<3x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 2 of 'attention_decode' to be 2 (axis 1 of argument 1), found 3}}
  %r:1 = tile.launch @attention_decode ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<3x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x3x40x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<3x64xbf16>)
      -> (tensor<3x64xbf16>)
  return
}

// -----

func.func @attention_decode_capacity(%x: tensor<3x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x2x41x16xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<3x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 2 of argument 2 of 'attention_decode' to be 40 (axis 2 of argument 1), found 41}}
  %r:1 = tile.launch @attention_decode ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<3x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x2x41x16xbf16>, tensor<3xi32>, f32, i32, f32, tensor<3x64xbf16>)
      -> (tensor<3x64xbf16>)
  return
}

// -----

func.func @attention_decode_features(%x: tensor<3x128xbf16>, %k: tensor<3x2x40x16xbf16>, %v: tensor<3x2x40x17xbf16>,
    %pos: tensor<3xi32>, %c: f32, %w: i32, %t: f32, %y: tensor<3x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 3 of argument 2 of 'attention_decode' to be 16 (axis 3 of argument 1), found 17}}
  %r:1 = tile.launch @attention_decode ins(%x, %k, %v, %pos, %c, %w, %t) outs(%y)
    : (tensor<3x128xbf16>, tensor<3x2x40x16xbf16>, tensor<3x2x40x17xbf16>, tensor<3xi32>, f32, i32, f32, tensor<3x64xbf16>)
      -> (tensor<3x64xbf16>)
  return
}

// -----

func.func @embed_ok(%ids: tensor<12xi32>, %pos: tensor<3xi32>, %wte: tensor<50x64xbf16>, %wpe: tensor<40x64xbf16>,
    %v: tensor<0xi32>, %s: tensor<0xi32>, %y: tensor<12x64xbf16>) {
  %r:1 = tile.launch @embed ins(%ids, %pos, %wte, %wpe, %v, %s) outs(%y)
    : (tensor<12xi32>, tensor<3xi32>, tensor<50x64xbf16>, tensor<40x64xbf16>, tensor<0xi32>, tensor<0xi32>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @embed_rows(%ids: tensor<13xi32>, %pos: tensor<3xi32>, %wte: tensor<50x64xbf16>, %wpe: tensor<40x64xbf16>,
    %v: tensor<0xi32>, %s: tensor<0xi32>, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 6 of 'embed' to be 13 (axis 0 of argument 0), found 12}}
  %r:1 = tile.launch @embed ins(%ids, %pos, %wte, %wpe, %v, %s) outs(%y)
    : (tensor<13xi32>, tensor<3xi32>, tensor<50x64xbf16>, tensor<40x64xbf16>, tensor<0xi32>, tensor<0xi32>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @embed_columns(%ids: tensor<12xi32>, %pos: tensor<3xi32>, %wte: tensor<50x65xbf16>,
    %wpe: tensor<40x64xbf16>, %v: tensor<0xi32>, %s: tensor<0xi32>, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 6 of 'embed' to be 65 (axis 1 of argument 2), found 64}}
  %r:1 = tile.launch @embed ins(%ids, %pos, %wte, %wpe, %v, %s) outs(%y)
    : (tensor<12xi32>, tensor<3xi32>, tensor<50x65xbf16>, tensor<40x64xbf16>, tensor<0xi32>, tensor<0xi32>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @embed_positions(%ids: tensor<12xi32>, %pos: tensor<3xi32>, %wte: tensor<50x64xbf16>,
    %wpe: tensor<40x65xbf16>, %v: tensor<0xi32>, %s: tensor<0xi32>, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 6 of 'embed' to be 65 (axis 1 of argument 3), found 64}}
  %r:1 = tile.launch @embed ins(%ids, %pos, %wte, %wpe, %v, %s) outs(%y)
    : (tensor<12xi32>, tensor<3xi32>, tensor<50x64xbf16>, tensor<40x65xbf16>, tensor<0xi32>, tensor<0xi32>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @embed_tokens_ok(%ids: tensor<12xi32>, %wte: tensor<50x64xbf16>, %s: f32, %v: tensor<0xi32>,
    %y: tensor<12x64xbf16>) {
  %r:1 = tile.launch @embed_tokens ins(%ids, %wte, %s, %v) outs(%y)
    : (tensor<12xi32>, tensor<50x64xbf16>, f32, tensor<0xi32>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @embed_tokens_rows(%ids: tensor<13xi32>, %wte: tensor<50x64xbf16>, %s: f32, %v: tensor<0xi32>,
    %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 4 of 'embed_tokens' to be 13 (axis 0 of argument 0), found 12}}
  %r:1 = tile.launch @embed_tokens ins(%ids, %wte, %s, %v) outs(%y)
    : (tensor<13xi32>, tensor<50x64xbf16>, f32, tensor<0xi32>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @embed_tokens_columns(%ids: tensor<12xi32>, %wte: tensor<50x65xbf16>, %s: f32, %v: tensor<0xi32>,
    %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 4 of 'embed_tokens' to be 65 (axis 1 of argument 1), found 64}}
  %r:1 = tile.launch @embed_tokens ins(%ids, %wte, %s, %v) outs(%y)
    : (tensor<12xi32>, tensor<50x65xbf16>, f32, tensor<0xi32>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @last_rows_ok(%x: tensor<12x64xbf16>, %pos: tensor<3xi32>, %y: tensor<3x64xbf16>) {
  %r:1 = tile.launch @last_rows ins(%x, %pos) outs(%y)
    : (tensor<12x64xbf16>, tensor<3xi32>, tensor<3x64xbf16>)
      -> (tensor<3x64xbf16>)
  return
}

// -----

func.func @last_rows_sequences(%x: tensor<12x64xbf16>, %pos: tensor<4xi32>, %y: tensor<3x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 2 of 'last_rows' to be 4 (axis 0 of argument 1), found 3}}
  %r:1 = tile.launch @last_rows ins(%x, %pos) outs(%y)
    : (tensor<12x64xbf16>, tensor<4xi32>, tensor<3x64xbf16>)
      -> (tensor<3x64xbf16>)
  return
}

// -----

func.func @last_rows_columns(%x: tensor<12x65xbf16>, %pos: tensor<3xi32>, %y: tensor<3x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 2 of 'last_rows' to be 65 (axis 1 of argument 0), found 64}}
  %r:1 = tile.launch @last_rows ins(%x, %pos) outs(%y)
    : (tensor<12x65xbf16>, tensor<3xi32>, tensor<3x64xbf16>)
      -> (tensor<3x64xbf16>)
  return
}

// -----

func.func @route_ok(%l: tensor<12x8xbf16>, %n: f32, %ids: tensor<12x2xi32>, %shares: tensor<12x2xf32>) {
  %r:2 = tile.launch @route ins(%l, %n) outs(%ids, %shares)
    : (tensor<12x8xbf16>, f32, tensor<12x2xi32>, tensor<12x2xf32>)
      -> (tensor<12x2xi32>, tensor<12x2xf32>)
  return
}

// -----

func.func @route_ids(%l: tensor<12x8xbf16>, %n: f32, %ids: tensor<13x2xi32>, %shares: tensor<12x2xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 2 of 'route' to be 12 (axis 0 of argument 0), found 13}}
  %r:2 = tile.launch @route ins(%l, %n) outs(%ids, %shares)
    : (tensor<12x8xbf16>, f32, tensor<13x2xi32>, tensor<12x2xf32>)
      -> (tensor<13x2xi32>, tensor<12x2xf32>)
  return
}

// -----

func.func @route_shares(%l: tensor<12x8xbf16>, %n: f32, %ids: tensor<12x2xi32>, %shares: tensor<13x2xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 3 of 'route' to be 12 (axis 0 of argument 0), found 13}}
  %r:2 = tile.launch @route ins(%l, %n) outs(%ids, %shares)
    : (tensor<12x8xbf16>, f32, tensor<12x2xi32>, tensor<13x2xf32>)
      -> (tensor<12x2xi32>, tensor<13x2xf32>)
  return
}

// -----

func.func @route_choices(%l: tensor<12x8xbf16>, %n: f32, %ids: tensor<12x2xi32>, %shares: tensor<12x3xf32>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 3 of 'route' to be 2 (axis 1 of argument 2), found 3}}
  %r:2 = tile.launch @route ins(%l, %n) outs(%ids, %shares)
    : (tensor<12x8xbf16>, f32, tensor<12x2xi32>, tensor<12x3xf32>)
      -> (tensor<12x2xi32>, tensor<12x3xf32>)
  return
}

// -----

func.func @experts_silu_glu_ok(%x: tensor<12x64xbf16>, %ids: tensor<12x2xi32>, %w: tensor<256x64xbf16>,
    %y: tensor<12x32xbf16>) {
  %r:1 = tile.launch @experts_silu_glu ins(%x, %ids, %w) outs(%y)
    : (tensor<12x64xbf16>, tensor<12x2xi32>, tensor<256x64xbf16>, tensor<12x32xbf16>)
      -> (tensor<12x32xbf16>)
  return
}

// -----

func.func @experts_silu_glu_ids(%x: tensor<12x64xbf16>, %ids: tensor<13x2xi32>, %w: tensor<256x64xbf16>,
    %y: tensor<12x32xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 1 of 'experts_silu_glu' to be 12 (axis 0 of argument 0), found 13}}
  %r:1 = tile.launch @experts_silu_glu ins(%x, %ids, %w) outs(%y)
    : (tensor<12x64xbf16>, tensor<13x2xi32>, tensor<256x64xbf16>, tensor<12x32xbf16>)
      -> (tensor<12x32xbf16>)
  return
}

// -----

func.func @experts_silu_glu_rows(%x: tensor<12x64xbf16>, %ids: tensor<12x2xi32>, %w: tensor<256x64xbf16>,
    %y: tensor<13x32xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 3 of 'experts_silu_glu' to be 12 (axis 0 of argument 0), found 13}}
  %r:1 = tile.launch @experts_silu_glu ins(%x, %ids, %w) outs(%y)
    : (tensor<12x64xbf16>, tensor<12x2xi32>, tensor<256x64xbf16>, tensor<13x32xbf16>)
      -> (tensor<13x32xbf16>)
  return
}

// -----

func.func @experts_silu_glu_columns(%x: tensor<12x64xbf16>, %ids: tensor<12x2xi32>, %w: tensor<256x65xbf16>,
    %y: tensor<12x32xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 2 of 'experts_silu_glu' to be 64 (axis 1 of argument 0), found 65}}
  %r:1 = tile.launch @experts_silu_glu ins(%x, %ids, %w) outs(%y)
    : (tensor<12x64xbf16>, tensor<12x2xi32>, tensor<256x65xbf16>, tensor<12x32xbf16>)
      -> (tensor<12x32xbf16>)
  return
}

// -----

func.func @experts_sum_ok(%x: tensor<12x32xbf16>, %ids: tensor<12x2xi32>, %shares: tensor<12x2xf32>,
    %w: tensor<512x16xbf16>, %y: tensor<12x64xbf16>) {
  %r:1 = tile.launch @experts_sum ins(%x, %ids, %shares, %w) outs(%y)
    : (tensor<12x32xbf16>, tensor<12x2xi32>, tensor<12x2xf32>, tensor<512x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @experts_sum_rows(%x: tensor<13x32xbf16>, %ids: tensor<12x2xi32>, %shares: tensor<12x2xf32>,
    %w: tensor<512x16xbf16>, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 4 of 'experts_sum' to be 13 (axis 0 of argument 0), found 12}}
  %r:1 = tile.launch @experts_sum ins(%x, %ids, %shares, %w) outs(%y)
    : (tensor<13x32xbf16>, tensor<12x2xi32>, tensor<12x2xf32>, tensor<512x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @experts_sum_ids(%x: tensor<12x32xbf16>, %ids: tensor<13x2xi32>, %shares: tensor<12x2xf32>,
    %w: tensor<512x16xbf16>, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 4 of 'experts_sum' to be 13 (axis 0 of argument 1), found 12}}
  %r:1 = tile.launch @experts_sum ins(%x, %ids, %shares, %w) outs(%y)
    : (tensor<12x32xbf16>, tensor<13x2xi32>, tensor<12x2xf32>, tensor<512x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @experts_sum_shares(%x: tensor<12x32xbf16>, %ids: tensor<12x2xi32>, %shares: tensor<13x2xf32>,
    %w: tensor<512x16xbf16>, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 0 of argument 4 of 'experts_sum' to be 13 (axis 0 of argument 2), found 12}}
  %r:1 = tile.launch @experts_sum ins(%x, %ids, %shares, %w) outs(%y)
    : (tensor<12x32xbf16>, tensor<12x2xi32>, tensor<13x2xf32>, tensor<512x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @experts_sum_choices(%x: tensor<12x32xbf16>, %ids: tensor<12x2xi32>, %shares: tensor<12x3xf32>,
    %w: tensor<512x16xbf16>, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 2 of 'experts_sum' to be 2 (axis 1 of argument 1), found 3}}
  %r:1 = tile.launch @experts_sum ins(%x, %ids, %shares, %w) outs(%y)
    : (tensor<12x32xbf16>, tensor<12x2xi32>, tensor<12x3xf32>, tensor<512x16xbf16>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}

// -----

func.func @experts_sum_columns(%x: tensor<12x32xbf16>, %ids: tensor<12x2xi32>, %shares: tensor<12x2xf32>,
    %w: tensor<512x17xbf16>, %y: tensor<12x64xbf16>) {
  // expected-error@below {{'tile.launch' op expected axis 1 of argument 0 of 'experts_sum' to be 34 (axis 1 of argument 1 * axis 1 of argument 3), found 32}}
  %r:1 = tile.launch @experts_sum ins(%x, %ids, %shares, %w) outs(%y)
    : (tensor<12x32xbf16>, tensor<12x2xi32>, tensor<12x2xf32>, tensor<512x17xbf16>, tensor<12x64xbf16>)
      -> (tensor<12x64xbf16>)
  return
}
