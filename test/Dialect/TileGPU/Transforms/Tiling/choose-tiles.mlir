// RUN: tilegpt-opt %s --tile-link-library --tile-bind-operands --tile-fuse-launches="element-ps=0 overlaps-memory" --tile-gpu-choose-tiles | FileCheck %s
// RUN: tilegpt-opt %s --tile-link-library --tile-bind-operands --tile-fuse-launches="element-ps=0 overlaps-memory" --tile-gpu-choose-tiles=tf32 | FileCheck %s --check-prefix=TF32
// RUN: not tilegpt-opt %s --tile-link-library --tile-gpu-choose-tiles=target=sm_1 2>&1 | FileCheck %s --check-prefix=NOWHERE

// NOWHERE: 'builtin.module' op gpu: expected an architecture among sm_80, {{.*}}, found 'sm_1'

// 1024 × 768 results: 128 tiles of 64 × 96 are one wave on 132 multiprocessors, all fully in bounds.
// CHECK-LABEL: @forward
// CHECK:       tile.launch @linear {{.*}} params {BK = 64 : i64, BM = 64 : i64, BN = 96 : i64}
func.func @forward(%x: tensor<1024x768xbf16>, %w: tensor<768x768xbf16>, %b: tensor<768xf32>) -> tensor<1024x768xbf16> {
  %e = tensor.empty() : tensor<1024x768xbf16>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<1024x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<1024x768xbf16>) -> tensor<1024x768xbf16>
  return %y : tensor<1024x768xbf16>
}

// f32 has half as many elements in 128 bytes; open rows count as their upper bound; given sizes are kept.
// CHECK-LABEL: @plan
// CHECK:       tile.launch @linear {{.*}} params {BK = 32 : i64, BM = 32 : i64, BN = 96 : i64}
func.func @plan(%x: tensor<?x768xf32>, %w: tensor<50257x768xf32>, %b: tensor<50257xf32>, %e: tensor<?x50257xf32>) -> tensor<?x50257xf32>
    attributes {tile.rows = array<i64: 17, 64>} {
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e) params {BM = 32}
    : (tensor<?x768xf32>, tensor<50257x768xf32>, tensor<50257xf32>, tensor<?x50257xf32>) -> tensor<?x50257xf32>
  return %y : tensor<?x50257xf32>
}

// One row: a block for every multiprocessor if the weights of all fit shared memory, also after a norm; otherwise as
// many columns per block as leave two blocks for every multiprocessor, also if one block would leave half of them idle.
// CHECK-LABEL: @decode
// CHECK:       tile.launch @linear_decode {{.*}} params {BN = 32 : i64}
// CHECK:       tile.launch @rms_norm.linear_decode {{.*}} params {BM = 1 : i64, BN = 8 : i64}
// CHECK:       tile.launch @linear_decode {{.*}} params {BN = 8 : i64}
// CHECK:       tile.launch @linear_decode {{.*}} params {BN = 2 : i64}
func.func @decode(%x: tensor<1x768xbf16>, %w: tensor<2304x768xbf16>, %b: tensor<2304xf32>, %g: tensor<768xf32>,
                  %v: tensor<960x768xbf16>, %c: tensor<960xf32>, %l: tensor<1x2048xbf16>, %u: tensor<3072x2048xbf16>,
                  %d: tensor<3072xf32>, %k: tensor<1x192xbf16>, %t: tensor<96x192xbf16>, %a: tensor<96xf32>, %eps: f32)
    -> (tensor<1x2304xbf16>, tensor<1x960xbf16>, tensor<1x3072xbf16>, tensor<1x96xbf16>) {
  %e = tensor.empty() : tensor<1x2304xbf16>
  %y = tile.launch @linear_decode ins(%x, %w, %b) outs(%e)
    : (tensor<1x768xbf16>, tensor<2304x768xbf16>, tensor<2304xf32>, tensor<1x2304xbf16>) -> tensor<1x2304xbf16>
  %n = tensor.empty() : tensor<1x768xbf16>
  %m = tile.launch @rms_norm ins(%x, %g, %eps, %eps) outs(%n)
    : (tensor<1x768xbf16>, tensor<768xf32>, f32, f32, tensor<1x768xbf16>) -> tensor<1x768xbf16>
  %f = tensor.empty() : tensor<1x960xbf16>
  %z = tile.launch @linear_decode ins(%m, %v, %c) outs(%f)
    : (tensor<1x768xbf16>, tensor<960x768xbf16>, tensor<960xf32>, tensor<1x960xbf16>) -> tensor<1x960xbf16>
  %h = tensor.empty() : tensor<1x3072xbf16>
  %p = tile.launch @linear_decode ins(%l, %u, %d) outs(%h)
    : (tensor<1x2048xbf16>, tensor<3072x2048xbf16>, tensor<3072xf32>, tensor<1x3072xbf16>) -> tensor<1x3072xbf16>
  %i = tensor.empty() : tensor<1x96xbf16>
  %q = tile.launch @linear_decode ins(%k, %t, %a) outs(%i)
    : (tensor<1x192xbf16>, tensor<96x192xbf16>, tensor<96xf32>, tensor<1x96xbf16>) -> tensor<1x96xbf16>
  return %y, %z, %p, %q : tensor<1x2304xbf16>, tensor<1x960xbf16>, tensor<1x3072xbf16>, tensor<1x96xbf16>
}

// After a norm: blocks of 8 columns of 2048 share a multiprocessor, those of 16 columns of 4096 have one alone, for
// which 8 would be too few; f32 does not fit that many.
// CHECK-LABEL: @normed
// CHECK:       tile.launch @rms_norm.linear_decode2 {{.*}} params {BM = 1 : i64, BN = 8 : i64}
// CHECK:       tile.launch @rms_norm.linear_decode2 {{.*}} params {BM = 1 : i64, BN = 16 : i64}
// CHECK:       tile.launch @rms_norm.linear_decode22 {{.*}} params {BM = 1 : i64, BN = 4 : i64}
func.func @normed(%x: tensor<1x2048xbf16>, %w: tensor<3072x2048xbf16>, %y: tensor<1x4096xbf16>, %v: tensor<6144x4096xbf16>,
                  %z: tensor<1x4096xf32>, %u: tensor<6144x4096xf32>, %b: tensor<0xf32>, %g: tensor<2048xf32>, %h: tensor<4096xf32>,
                  %eps: f32) -> (tensor<1x3072xbf16>, tensor<1x6144xbf16>, tensor<1x6144xf32>) {
  %d = tensor.empty() : tensor<1x3072xbf16>
  %e = tensor.empty() : tensor<1x6144xbf16>
  %f = tensor.empty() : tensor<1x6144xf32>
  %np = tensor.empty() : tensor<1x2048xbf16>
  %mp = tile.launch @rms_norm ins(%x, %g, %eps, %eps) outs(%np)
    : (tensor<1x2048xbf16>, tensor<2048xf32>, f32, f32, tensor<1x2048xbf16>) -> tensor<1x2048xbf16>
  %p = tile.launch @linear_decode ins(%mp, %w, %b) outs(%d)
    : (tensor<1x2048xbf16>, tensor<3072x2048xbf16>, tensor<0xf32>, tensor<1x3072xbf16>) -> tensor<1x3072xbf16>
  %nq = tensor.empty() : tensor<1x4096xbf16>
  %mq = tile.launch @rms_norm ins(%y, %h, %eps, %eps) outs(%nq)
    : (tensor<1x4096xbf16>, tensor<4096xf32>, f32, f32, tensor<1x4096xbf16>) -> tensor<1x4096xbf16>
  %q = tile.launch @linear_decode ins(%mq, %v, %b) outs(%e)
    : (tensor<1x4096xbf16>, tensor<6144x4096xbf16>, tensor<0xf32>, tensor<1x6144xbf16>) -> tensor<1x6144xbf16>
  %nr = tensor.empty() : tensor<1x4096xf32>
  %mr = tile.launch @rms_norm ins(%z, %h, %eps, %eps) outs(%nr)
    : (tensor<1x4096xf32>, tensor<4096xf32>, f32, f32, tensor<1x4096xf32>) -> tensor<1x4096xf32>
  %r = tile.launch @linear_decode ins(%mr, %u, %b) outs(%f)
    : (tensor<1x4096xf32>, tensor<6144x4096xf32>, tensor<0xf32>, tensor<1x6144xf32>) -> tensor<1x6144xf32>
  return %p, %q, %r : tensor<1x3072xbf16>, tensor<1x6144xbf16>, tensor<1x6144xf32>
}

// The same for gates; if blocks share a multiprocessor, eight columns of each.
// CHECK-LABEL: @gates
// CHECK:       tile.launch @rms_norm.linear_decode2.silu_glu {{.*}} params {BM = 1 : i64, BN = 16 : i64}
// CHECK:       tile.launch @rms_norm.linear_decode2.silu_glu {{.*}} params {BM = 1 : i64, BN = 8 : i64}
func.func @gates(%x: tensor<1x4096xbf16>, %w: tensor<28672x4096xbf16>, %g: tensor<4096xf32>, %y: tensor<1x2048xbf16>,
                 %v: tensor<16384x2048xbf16>, %h: tensor<2048xf32>, %b: tensor<0xf32>, %eps: f32) -> (tensor<1x14336xbf16>, tensor<1x8192xbf16>) {
  %np = tensor.empty() : tensor<1x4096xbf16>
  %mp = tile.launch @rms_norm ins(%x, %g, %eps, %eps) outs(%np)
    : (tensor<1x4096xbf16>, tensor<4096xf32>, f32, f32, tensor<1x4096xbf16>) -> tensor<1x4096xbf16>
  %bp = tensor.empty() : tensor<1x28672xbf16>
  %gp = tile.launch @linear_decode ins(%mp, %w, %b) outs(%bp)
    : (tensor<1x4096xbf16>, tensor<28672x4096xbf16>, tensor<0xf32>, tensor<1x28672xbf16>) -> tensor<1x28672xbf16>
  %dp = tensor.empty() : tensor<1x14336xbf16>
  %p = tile.launch @silu_glu ins(%gp) outs(%dp) : (tensor<1x28672xbf16>, tensor<1x14336xbf16>) -> tensor<1x14336xbf16>
  %nq = tensor.empty() : tensor<1x2048xbf16>
  %mq = tile.launch @rms_norm ins(%y, %h, %eps, %eps) outs(%nq)
    : (tensor<1x2048xbf16>, tensor<2048xf32>, f32, f32, tensor<1x2048xbf16>) -> tensor<1x2048xbf16>
  %bq = tensor.empty() : tensor<1x16384xbf16>
  %gq = tile.launch @linear_decode ins(%mq, %v, %b) outs(%bq)
    : (tensor<1x2048xbf16>, tensor<16384x2048xbf16>, tensor<0xf32>, tensor<1x16384xbf16>) -> tensor<1x16384xbf16>
  %dq = tensor.empty() : tensor<1x8192xbf16>
  %q = tile.launch @silu_glu ins(%gq) outs(%dq) : (tensor<1x16384xbf16>, tensor<1x8192xbf16>) -> tensor<1x8192xbf16>
  return %p, %q : tensor<1x14336xbf16>, tensor<1x8192xbf16>
}

// Four rows of gates: the sixteen rows of an instruction, and columns as wide as leaves few multiprocessors idle.
// CHECK-LABEL: @batch_of_gates
// CHECK:       tile.launch @linear_decode2.silu_glu {{.*}} params {BM = 16 : i64, BN = 64 : i64}
func.func @batch_of_gates(%x: tensor<4x2048xbf16>, %w: tensor<16384x2048xbf16>, %b: tensor<0xf32>) -> tensor<4x8192xbf16> {
  %e = tensor.empty() : tensor<4x16384xbf16>
  %g = tile.launch @linear_decode ins(%x, %w, %b) outs(%e)
    : (tensor<4x2048xbf16>, tensor<16384x2048xbf16>, tensor<0xf32>, tensor<4x16384xbf16>) -> tensor<4x16384xbf16>
  %d = tensor.empty() : tensor<4x8192xbf16>
  %y = tile.launch @silu_glu ins(%g) outs(%d) : (tensor<4x16384xbf16>, tensor<4x8192xbf16>) -> tensor<4x8192xbf16>
  return %y : tensor<4x8192xbf16>
}

// Many rows of gates: 128 tiles with 96 columns of both run at a time.
// CHECK-LABEL: @gates_of_one_wave
// CHECK:       tile.launch @linear{{[0-9]*}}.silu_glu {{.*}} params {BK = 64 : i64, BM = 128 : i64, BN = 96 : i64}
func.func @gates_of_one_wave(%x: tensor<512x1024xbf16>, %w: tensor<6144x1024xbf16>, %b: tensor<0xf32>) -> tensor<512x3072xbf16> {
  %e = tensor.empty() : tensor<512x6144xbf16>
  %g = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<512x1024xbf16>, tensor<6144x1024xbf16>, tensor<0xf32>, tensor<512x6144xbf16>) -> tensor<512x6144xbf16>
  %d = tensor.empty() : tensor<512x3072xbf16>
  %y = tile.launch @silu_glu ins(%g) outs(%d) : (tensor<512x6144xbf16>, tensor<512x3072xbf16>) -> tensor<512x3072xbf16>
  return %y : tensor<512x3072xbf16>
}

// If a block has several tiles, two teams take turns with 64 columns of both.
// CHECK-LABEL: @gates_of_several_waves
// CHECK:       tile.launch @linear{{[0-9]*}}.silu_glu {{.*}} params {BK = 64 : i64, BM = 128 : i64, BN = 64 : i64}
func.func @gates_of_several_waves(%x: tensor<1024x2048xbf16>, %w: tensor<16384x2048xbf16>, %b: tensor<0xf32>) -> tensor<1024x8192xbf16> {
  %e = tensor.empty() : tensor<1024x16384xbf16>
  %g = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<1024x2048xbf16>, tensor<16384x2048xbf16>, tensor<0xf32>, tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16>
  %d = tensor.empty() : tensor<1024x8192xbf16>
  %y = tile.launch @silu_glu ins(%g) outs(%d) : (tensor<1024x16384xbf16>, tensor<1024x8192xbf16>) -> tensor<1024x8192xbf16>
  return %y : tensor<1024x8192xbf16>
}

// Four rows: a producer loads weights, for the sixteen rows of an instruction, in 64 blocks, beside which the next
// launch fits. A depth of one piece stays whole.
// CHECK-LABEL: @batch
// CHECK:       tile.launch @linear_decode {{.*}} params {BM = 16 : i64, BN = 48 : i64}
// CHECK:       tile.launch @linear_decode {{.*}} params {BN = 16 : i64}
func.func @batch(%x: tensor<4x768xbf16>, %w: tensor<3072x768xbf16>, %b: tensor<3072xf32>, %f: tensor<16x256xbf16>,
                 %v: tensor<768x256xbf16>, %c: tensor<768xf32>) -> (tensor<4x3072xbf16>, tensor<16x768xbf16>) {
  %e = tensor.empty() : tensor<4x3072xbf16>
  %g = tensor.empty() : tensor<16x768xbf16>
  %y = tile.launch @linear_decode ins(%x, %w, %b) outs(%e)
    : (tensor<4x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<4x3072xbf16>) -> tensor<4x3072xbf16>
  %z = tile.launch @linear_decode ins(%f, %v, %c) outs(%g)
    : (tensor<16x256xbf16>, tensor<768x256xbf16>, tensor<768xf32>, tensor<16x768xbf16>) -> tensor<16x768xbf16>
  return %y, %z : tensor<4x3072xbf16>, tensor<16x768xbf16>
}

// Whole rows: four if elements are narrow; one of the vocabulary is more than enough.
// CHECK-LABEL: @rows
// CHECK:       tile.launch @layer_norm {{.*}} params {BM = 4 : i64}
// CHECK:       tile.launch @softmax {{.*}} params {BM = 1 : i64}
func.func @rows(%x: tensor<16384x768xbf16>, %g: tensor<768xf32>, %eps: f32, %l: tensor<4096x50257xbf16>) -> (tensor<16384x768xbf16>, tensor<4096x50257xbf16>) {
  %e = tensor.empty() : tensor<16384x768xbf16>
  %f = tensor.empty() : tensor<4096x50257xbf16>
  %y = tile.launch @layer_norm ins(%x, %g, %g, %eps) outs(%e)
    : (tensor<16384x768xbf16>, tensor<768xf32>, tensor<768xf32>, f32, tensor<16384x768xbf16>) -> tensor<16384x768xbf16>
  %z = tile.launch @softmax ins(%l) outs(%f) : (tensor<4096x50257xbf16>, tensor<4096x50257xbf16>) -> tensor<4096x50257xbf16>
  return %y, %z : tensor<16384x768xbf16>, tensor<4096x50257xbf16>
}

// Tiles fed by a producer: on tiles of 128 rows and up to 200 columns (or transposed) teams take turns, which hides
// their stores if there are several waves. 64 rows are few: narrow tiles, so that half of the multiprocessors read
// weights, beside the next launch.
// CHECK-LABEL: @piped
// CHECK:       tile.launch @linear {{.*}} params {BK = 64 : i64, BM = 168 : i64, BN = 128 : i64}
// CHECK:       tile.launch @linear {{.*}} params {BK = 64 : i64, BM = 32 : i64, BN = 24 : i64}
func.func @piped(%x: tensor<8192x768xbf16>, %f: tensor<64x768xbf16>, %w: tensor<3072x768xbf16>, %b: tensor<3072xf32>,
                 %v: tensor<768x768xbf16>, %c: tensor<768xf32>) -> (tensor<8192x3072xbf16>, tensor<64x768xbf16>) {
  %e = tensor.empty() : tensor<8192x3072xbf16>
  %g = tensor.empty() : tensor<64x768xbf16>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<8192x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<8192x3072xbf16>) -> tensor<8192x3072xbf16>
  %z = tile.launch @linear ins(%f, %v, %c) outs(%g)
    : (tensor<64x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<64x768xbf16>) -> tensor<64x768xbf16>
  return %y, %z : tensor<8192x3072xbf16>, tensor<64x768xbf16>
}

// Attention fed by a producer: three warp groups if every multiprocessor gets three such tiles, else two, else one;
// never three for 128 columns of a result. Multiply-adds take few keys at a time; tf32 matrix instructions the default.
// CHECK-LABEL: @attend
// CHECK:       tile.launch @attention {{.*}} params {BM = 192 : i64, BN = 128 : i64}
// CHECK:       tile.launch @attention {{.*}} params {BM = 64 : i64, BN = 128 : i64}
// CHECK:       tile.launch @attention {{.*}} params {BM = 128 : i64, BN = 128 : i64}
// CHECK:       tile.launch @attention {{.*}} params {BN = 32 : i64}
// TF32-LABEL:  @attend
// TF32-COUNT-3: params
// TF32-NOT:    params
// TF32:        return
func.func @attend(%x: tensor<16384x2304xbf16>, %k: tensor<8x12x2048x64xbf16>, %p: tensor<8xi32>,
                     %u: tensor<256x2304xbf16>, %l: tensor<1x12x256x64xbf16>, %q: tensor<1xi32>,
                     %w: tensor<16384x6144xf16>, %m: tensor<2x16x8192x128xf16>, %r: tensor<2xi32>,
                     %f: tensor<256x2304xf32>, %g: tensor<1x12x256x64xf32>) {
  %zf = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16384x768xbf16>
  %0 = tile.launch @attention ins(%x, %k, %k, %p, %zf, %zi, %zf) outs(%e) : (tensor<16384x2304xbf16>, tensor<8x12x2048x64xbf16>,
    tensor<8x12x2048x64xbf16>, tensor<8xi32>, f32, i32, f32, tensor<16384x768xbf16>) -> tensor<16384x768xbf16>
  %h = tensor.empty() : tensor<256x768xbf16>
  %1 = tile.launch @attention ins(%u, %l, %l, %q, %zf, %zi, %zf) outs(%h) : (tensor<256x2304xbf16>, tensor<1x12x256x64xbf16>,
    tensor<1x12x256x64xbf16>, tensor<1xi32>, f32, i32, f32, tensor<256x768xbf16>) -> tensor<256x768xbf16>
  %i = tensor.empty() : tensor<16384x2048xf16>
  %2 = tile.launch @attention ins(%w, %m, %m, %r, %zf, %zi, %zf) outs(%i) : (tensor<16384x6144xf16>, tensor<2x16x8192x128xf16>,
    tensor<2x16x8192x128xf16>, tensor<2xi32>, f32, i32, f32, tensor<16384x2048xf16>) -> tensor<16384x2048xf16>
  %j = tensor.empty() : tensor<256x768xf32>
  %3 = tile.launch @attention ins(%f, %g, %g, %q, %zf, %zi, %zf) outs(%j) : (tensor<256x2304xf32>, tensor<1x12x256x64xf32>,
    tensor<1x12x256x64xf32>, tensor<1xi32>, f32, i32, f32, tensor<256x768xf32>) -> tensor<256x768xf32>
  return
}

// 48 deep: two steps of 32, because a loop of one step would not be pipelined.
// CHECK-LABEL: @shallow
// CHECK:       tile.launch @linear2 {{.*}} params {BK = 32 : i64, BM = 128 : i64, BN = 128 : i64}
func.func @shallow(%x: tensor<4096x48xbf16>, %w: tensor<50257x48xbf16>) -> tensor<4096x50257xf32> {
  %e = tensor.empty() : tensor<4096x50257xf32>
  %n = tensor.empty() : tensor<0xf32>
  %y = tile.launch @linear ins(%x, %w, %n) outs(%e)
    : (tensor<4096x48xbf16>, tensor<50257x48xbf16>, tensor<0xf32>, tensor<4096x50257xf32>) -> tensor<4096x50257xf32>
  return %y : tensor<4096x50257xf32>
}

// f32 products that may be rounded are fed by a producer like narrow ones.
// CHECK-LABEL: @single
// CHECK:       tile.launch @linear {{.*}} params {BK = 32 : i64, BM = 128 : i64, BN = 128 : i64}
// TF32-LABEL:  @single
// TF32:        tile.launch @linear {{.*}} params {BK = 32 : i64, BM = 256 : i64, BN = 128 : i64}
func.func @single(%x: tensor<4096x4096xf32>, %w: tensor<4096x4096xf32>, %b: tensor<4096xf32>) -> tensor<4096x4096xf32> {
  %e = tensor.empty() : tensor<4096x4096xf32>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %y : tensor<4096x4096xf32>
}

// Appending decode attention: blocks of clusters take as many keys at a time as leave each two iterations and room for
// three stages; if a multiprocessor has several blocks, all of them fit; f32 takes twice as much.
// CHECK-LABEL: @decode_attention
// CHECK:       tile.launch @kv_append.attention_decode {{.*}} params {BN = 128 : i64}
// CHECK:       tile.launch @kv_append.attention_decode {{.*}} params {BN = 256 : i64}
// CHECK:       tile.launch @kv_append.attention_decode {{.*}} params {BN = 64 : i64}
// CHECK:       tile.launch @attention_decode {{.*}} params {BN = 32 : i64}
// CHECK:       return
func.func @decode_attention(%q: tensor<1x2304xbf16>, %p: tensor<1xi32>, %k: tensor<1x12x1024x64xbf16>, %kv: tensor<1x12x1024x64xbf16>,
                            %l: tensor<1x12x4096x64xbf16>, %lv: tensor<1x12x4096x64xbf16>,
                            %y: tensor<1x768xbf16>, %qs: tensor<32x2304xbf16>, %ps: tensor<32xi32>,
                            %ks: tensor<32x12x1024x64xbf16>, %ksv: tensor<32x12x1024x64xbf16>, %ys: tensor<32x768xbf16>, %qf: tensor<32x2048xf32>,
                            %kf: tensor<32x4x1024x256xf32>, %yf: tensor<32x1024xf32>)
    -> (tensor<1x768xbf16>, tensor<1x768xbf16>, tensor<32x768xbf16>, tensor<32x1024xf32>) {
  %zf = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %n = tensor.empty() : tensor<0xf32>
  %t1 = tensor.empty() : tensor<1x0xf32>
  %t32 = tensor.empty() : tensor<32x0xf32>
  %q1 = tensor.empty() : tensor<1x0xbf16>
  %q32 = tensor.empty() : tensor<32x0xbf16>
  %r:3 = tile.launch @kv_append ins(%q, %n, %n, %zf, %zf, %t1, %t1, %p) outs(%k, %kv, %q1)
    : (tensor<1x2304xbf16>, tensor<0xf32>, tensor<0xf32>, f32, f32, tensor<1x0xf32>, tensor<1x0xf32>, tensor<1xi32>,
      tensor<1x12x1024x64xbf16>, tensor<1x12x1024x64xbf16>, tensor<1x0xbf16>) -> (tensor<1x12x1024x64xbf16>, tensor<1x12x1024x64xbf16>, tensor<1x0xbf16>)
  %ry = tile.launch @attention_decode ins(%q, %r#0, %r#1, %p, %zf, %zi, %zf) outs(%y)
    : (tensor<1x2304xbf16>, tensor<1x12x1024x64xbf16>, tensor<1x12x1024x64xbf16>, tensor<1xi32>, f32, i32, f32, tensor<1x768xbf16>) -> tensor<1x768xbf16>
  %s:3 = tile.launch @kv_append ins(%q, %n, %n, %zf, %zf, %t1, %t1, %p) outs(%l, %lv, %q1)
    : (tensor<1x2304xbf16>, tensor<0xf32>, tensor<0xf32>, f32, f32, tensor<1x0xf32>, tensor<1x0xf32>, tensor<1xi32>,
      tensor<1x12x4096x64xbf16>, tensor<1x12x4096x64xbf16>, tensor<1x0xbf16>) -> (tensor<1x12x4096x64xbf16>, tensor<1x12x4096x64xbf16>, tensor<1x0xbf16>)
  %sy = tile.launch @attention_decode ins(%q, %s#0, %s#1, %p, %zf, %zi, %zf) outs(%y)
    : (tensor<1x2304xbf16>, tensor<1x12x4096x64xbf16>, tensor<1x12x4096x64xbf16>, tensor<1xi32>, f32, i32, f32, tensor<1x768xbf16>) -> tensor<1x768xbf16>
  %t:3 = tile.launch @kv_append ins(%qs, %n, %n, %zf, %zf, %t32, %t32, %ps) outs(%ks, %ksv, %q32)
    : (tensor<32x2304xbf16>, tensor<0xf32>, tensor<0xf32>, f32, f32, tensor<32x0xf32>, tensor<32x0xf32>, tensor<32xi32>,
      tensor<32x12x1024x64xbf16>, tensor<32x12x1024x64xbf16>, tensor<32x0xbf16>) -> (tensor<32x12x1024x64xbf16>, tensor<32x12x1024x64xbf16>, tensor<32x0xbf16>)
  %ty = tile.launch @attention_decode ins(%qs, %t#0, %t#1, %ps, %zf, %zi, %zf) outs(%ys)
    : (tensor<32x2304xbf16>, tensor<32x12x1024x64xbf16>, tensor<32x12x1024x64xbf16>, tensor<32xi32>, f32, i32, f32, tensor<32x768xbf16>) -> tensor<32x768xbf16>
  %u = tile.launch @attention_decode ins(%qf, %kf, %kf, %ps, %zf, %zi, %zf) outs(%yf)
    : (tensor<32x2048xf32>, tensor<32x4x1024x256xf32>, tensor<32x4x1024x256xf32>, tensor<32xi32>, f32, i32, f32,
      tensor<32x1024xf32>)
      -> tensor<32x1024xf32>
  return %ry, %sy, %ty, %u : tensor<1x768xbf16>, tensor<1x768xbf16>, tensor<32x768xbf16>, tensor<32x1024xf32>
}

// With up to four resident blocks, each walks few keys at a time; with more blocks, two at a time walk more.
// CHECK-LABEL: @decode_in_waves
// CHECK:       tile.launch @attention_decode {{.*}} params {BN = 32 : i64}
// CHECK:       tile.launch @attention_decode {{.*}} params {BN = 64 : i64}
func.func @decode_in_waves(%q: tensor<44x4032xbf16>, %p: tensor<44xi32>, %k: tensor<44x12x1024x112xbf16>, %y: tensor<44x1344xbf16>,
                           %qs: tensor<45x4032xbf16>, %ps: tensor<45xi32>, %ks: tensor<45x12x1024x112xbf16>,
                           %ys: tensor<45x1344xbf16>) -> (tensor<44x1344xbf16>, tensor<45x1344xbf16>) {
  %zf = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %r = tile.launch @attention_decode ins(%q, %k, %k, %p, %zf, %zi, %zf) outs(%y)
    : (tensor<44x4032xbf16>, tensor<44x12x1024x112xbf16>, tensor<44x12x1024x112xbf16>, tensor<44xi32>, f32, i32, f32,
      tensor<44x1344xbf16>) -> tensor<44x1344xbf16>
  %s = tile.launch @attention_decode ins(%qs, %ks, %ks, %ps, %zf, %zi, %zf) outs(%ys)
    : (tensor<45x4032xbf16>, tensor<45x12x1024x112xbf16>, tensor<45x12x1024x112xbf16>, tensor<45xi32>, f32, i32, f32,
      tensor<45x1344xbf16>) -> tensor<45x1344xbf16>
  return %r, %s : tensor<44x1344xbf16>, tensor<45x1344xbf16>
}

// Fused multiply-adds: small tiles, one or a few for every multiprocessor, if there are few rows. Launches with
// different numbers of resident blocks do not share a kernel.
// CHECK-LABEL: @multiply_add
// CHECK:       tile.launch @linear {{.*}} params {BK = 32 : i64, BM = 64 : i64, BN = 48 : i64} {tile.apart = 1 : i64}
// CHECK:       tile.launch @linear {{.*}} params {BK = 32 : i64, BM = 32 : i64, BN = 32 : i64} {tile.apart = 1 : i64}
func.func @multiply_add(%x: tensor<256x512xf32>, %w: tensor<1536x512xf32>, %b: tensor<1536xf32>, %h: tensor<256x2048xf32>,
                        %v: tensor<512x2048xf32>, %c: tensor<512xf32>) -> (tensor<256x1536xf32>, tensor<256x512xf32>) {
  %e = tensor.empty() : tensor<256x1536xf32>
  %f = tensor.empty() : tensor<256x512xf32>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<256x512xf32>, tensor<1536x512xf32>, tensor<1536xf32>, tensor<256x1536xf32>) -> tensor<256x1536xf32>
  %z = tile.launch @linear ins(%h, %v, %c) outs(%f)
    : (tensor<256x2048xf32>, tensor<512x2048xf32>, tensor<512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
  return %y, %z : tensor<256x1536xf32>, tensor<256x512xf32>
}

// A parameter that the kernel computes has one value, which stays computed: all columns, or from another parameter. If
// that one is open, nothing is chosen.
// CHECK-LABEL: @computed
// CHECK:       tile.launch @all_columns {{.*}} params {BK = 64 : i64, BM = 64 : i64} :
// CHECK:       tile.launch @few_columns {{.*}} outs({{.*}}) :
// CHECK:       tile.launch @square {{.*}} outs({{.*}}) :
// CHECK:       tile.launch @square {{.*}} params {BK = 64 : i64, BM = 32 : i64} :
// CHECK:       tile.launch @flat {{.*}} params {BM = 2 : i64} :
// CHECK:       tile.launch @tall {{.*}} outs({{.*}}) :
tile.kernel @all_columns(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xf32>)
    params {BM = 64 in [16, 32, 64], O = dim(%w, 0), BK = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, O] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<?x?xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<?x?xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%c0, %k] [O, BK] : !tile.view<?x?xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  tile.store %sum, %y[%m, %c0] : tensor<?x?xf32>, !tile.view<?x?xf32>
}
tile.kernel @few_columns(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xf32>)
    params {BM = 1, K = dim(%x, 1), O = dim(%w, 0)}
    grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, O] : f32 -> tensor<?x?xf32>
  %a = tile.load %x[%c0, %c0] [BM, K] : !tile.view<?x?xbf16> -> tensor<?x?xbf16>
  %b = tile.load %w[%c0, %c0] [O, K] : !tile.view<?x?xbf16> -> tensor<?x?xbf16>
  %sum = tile.dot %a, %b, %init transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
  tile.store %sum, %y[%c0, %c0] : tensor<?x?xf32>, !tile.view<?x?xf32>
}
tile.kernel @square(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xf32>)
    params {BM = 64 in [16, 32, 64], BN = 2 * BM, BK = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<?x?xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<?x?xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !tile.view<?x?xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xf32>, !tile.view<?x?xf32>
}
tile.kernel @flat(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    params {BM = 4 in [1, 2, 4, 8], C = dim(%x, 1)}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%m, %c0] [BM, C] : !tile.view<?x?xf32> -> tensor<?x?xf32>
  tile.store %a, %y[%m, %c0] : tensor<?x?xf32>, !tile.view<?x?xf32>
}
tile.kernel @tall(%x: !tile.view<?x?xf32>, %s: i32) outs(%y: !tile.view<?x?xf32>)
    params {BN = 64, R = dim(%x, 0)}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %n] [R, BN] : !tile.view<?x?xf32> -> tensor<?x?xf32>
  tile.store %a, %y[%c0, %n] : tensor<?x?xf32>, !tile.view<?x?xf32>
}
func.func @computed(%x: tensor<4096x768xbf16>, %w: tensor<48x768xbf16>, %y: tensor<4096x48xf32>, %r: tensor<1x768xbf16>,
                    %z: tensor<1x48xf32>, %f: tensor<4096x768xf32>, %s: i32) {
  %0 = tile.launch @all_columns ins(%x, %w) outs(%y)
    : (tensor<4096x768xbf16>, tensor<48x768xbf16>, tensor<4096x48xf32>) -> tensor<4096x48xf32>
  %1 = tile.launch @few_columns ins(%r, %w) outs(%z)
    : (tensor<1x768xbf16>, tensor<48x768xbf16>, tensor<1x48xf32>) -> tensor<1x48xf32>
  %2 = tile.launch @square ins(%x, %w) outs(%y)
    : (tensor<4096x768xbf16>, tensor<48x768xbf16>, tensor<4096x48xf32>) -> tensor<4096x48xf32>
  %3 = tile.launch @square ins(%x, %w) outs(%y) params {BM = 32}
    : (tensor<4096x768xbf16>, tensor<48x768xbf16>, tensor<4096x48xf32>) -> tensor<4096x48xf32>
  %4 = tile.launch @flat ins(%f) outs(%f) : (tensor<4096x768xf32>, tensor<4096x768xf32>) -> tensor<4096x768xf32>
  %5 = tile.launch @tall ins(%f, %s) outs(%f) : (tensor<4096x768xf32>, i32, tensor<4096x768xf32>) -> tensor<4096x768xf32>
  return
}

// Two rows: a producer loads the weights. Rows aligned to odd multiples of 16 bytes take two cache lines, so tiles are
// larger than with line-aligned rows, and pairs of blocks multicast: clusters of four lose time if blocks compute several tiles.
// CHECK-LABEL: @alignment
// CHECK:       tile.launch @linear_decode {{.*}} params {BM = 16 : i64, BN = 88 : i64}
// CHECK:       tile.launch @linear {{.*}} params {BK = 64 : i64, BM = 256 : i64, BN = 176 : i64}
// CHECK:       tile.launch @linear {{.*}} params {BK = 64 : i64, BM = 128 : i64, BN = 128 : i64}
func.func @alignment(%r: tensor<2x5464xbf16>, %v: tensor<8264x5464xbf16>, %c: tensor<8264xf32>, %d: tensor<2x8264xbf16>,
                     %x: tensor<4096x4104xbf16>, %w: tensor<4096x4104xbf16>, %b: tensor<4096xf32>,
                     %s: tensor<4096x4096xbf16>, %t: tensor<4096x4096xbf16>, %e: tensor<4096x4096xbf16>) {
  %0 = tile.launch @linear_decode ins(%r, %v, %c) outs(%d)
    : (tensor<2x5464xbf16>, tensor<8264x5464xbf16>, tensor<8264xf32>, tensor<2x8264xbf16>) -> tensor<2x8264xbf16>
  %1 = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<4096x4104xbf16>, tensor<4096x4104xbf16>, tensor<4096xf32>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %2 = tile.launch @linear ins(%s, %t, %b) outs(%e)
    : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096xf32>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return
}

// 142 rows: two transposed tiles of 72 instead of two of 128. Not for 32-bit results, which could not be stored in
// boxes.
// CHECK-LABEL: @uneven_rows
// CHECK:       tile.launch @linear {{.*}} params {BK = 64 : i64, BM = 72 : i64, BN = 128 : i64}
// CHECK:       tile.launch @linear2 {{.*}} BM = {{40|48|64|128|256}} : i64
func.func @uneven_rows(%x: tensor<142x1944xbf16>, %w: tensor<6248x1944xbf16>, %b: tensor<6248xf32>)
    -> (tensor<142x6248xbf16>, tensor<142x6248xf32>) {
  %e = tensor.empty() : tensor<142x6248xbf16>
  %f = tensor.empty() : tensor<142x6248xf32>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<142x1944xbf16>, tensor<6248x1944xbf16>, tensor<6248xf32>, tensor<142x6248xbf16>) -> tensor<142x6248xbf16>
  %n = tensor.empty() : tensor<0xf32>
  %z = tile.launch @linear ins(%x, %w, %n) outs(%f)
    : (tensor<142x1944xbf16>, tensor<6248x1944xbf16>, tensor<0xf32>, tensor<142x6248xf32>) -> tensor<142x6248xf32>
  return %y, %z : tensor<142x6248xbf16>, tensor<142x6248xf32>
}

// A batch: 8 products of 1000 × 776, entries of the arguments, are as many tiles as one of 8000 rows.
// CHECK-LABEL: @batched
// CHECK:       tile.launch @batch_product {{.*}} params {BK = 64 : i64, BM = 128 : i64, BN = 128 : i64}
!V = !tile.view<?x?x?xbf16>
!M = !tile.view<?x?xbf16>
tile.kernel @batch_product(%a: !V, %b: !V) outs(%c: !V)
    params {BM = 64 in [16, 32, 64, 128], BN = 64 in [16, 32, 64, 128], BK = 32 in [16, 32, 64]}
    grid [ceildiv(dim(%c, 1), BM), ceildiv(dim(%c, 2), BN), dim(%c, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ae = tile.select %a[%z] : !V -> !M
  %be = tile.select %b[%z] : !V -> !M
  %ce = tile.select %c[%z] : !V -> !M
  %s0 = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %k = tile.num_tiles %ae, 1 by [BK] : !M
  %s = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %s0) -> (tensor<?x?xf32>) {
    %at = tile.load %ae[%m, %i] [BM, BK] : !M -> tensor<?x?xbf16>
    %bt = tile.load %be[%i, %n] [BK, BN] : !M -> tensor<?x?xbf16>
    %d = tile.dot %at, %bt, %acc : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %d : tensor<?x?xf32>
  }
  %o = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %o, %ce[%m, %n] : tensor<?x?xbf16>, !M
}
func.func @batched(%a: tensor<8x1000x520xbf16>, %b: tensor<8x520x776xbf16>) -> tensor<8x1000x776xbf16> {
  %e = tensor.empty() : tensor<8x1000x776xbf16>
  %c = tile.launch @batch_product ins(%a, %b) outs(%e)
    : (tensor<8x1000x520xbf16>, tensor<8x520x776xbf16>, tensor<8x1000x776xbf16>) -> tensor<8x1000x776xbf16>
  return %c : tensor<8x1000x776xbf16>
}

// A kernel that distributes the rows of a window over parts: blocks of a cluster compute the same result, as many as
// leave some multiprocessors free and have 256 rows each; never with many windows, which read fewer rows at a time so
// that two blocks fit a multiprocessor.
// CHECK-LABEL: @parts
// CHECK:       tile.launch @largest {{.*}} params {BN = 32 : i64, P = 32 : i64, Z = 4 : i64}
// CHECK:       tile.launch @largest {{.*}} params {BN = 16 : i64}
!R = !tile.view<?x?x64xbf16>
!W = !tile.view<?x64xbf16>
!Y = !tile.view<?x64xf32>
tile.kernel @largest(%x: !R, %end: index) outs(%y: !Y)
    params {Z = 1 in [1, 2, 3, 4, 5, 6, 7, 8], P = 8 in [8, 16, 24, 32, 40, 48, 56, 64], BN = 64 in [8, 16, 32, 64], R = P * BN}
    grid [dim(%y, 0) * Z] {
  %z = tile.param Z
  %r = tile.param R
  %i = tile.block_id 0
  %h = arith.divui %i, %z : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant -1.0e30 : f32
  %xh = tile.select %x[%h] : !R -> !W
  %rows = tile.subview %xh[0, 0] [%end, %c64] : !W -> !W
  %m0 = tile.splat %low [P, 64] : f32 -> tensor<?x64xf32>
  %n = tile.num_tiles %rows, 0 by [R] : !W
  %m = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %m0) -> (tensor<?x64xf32>) {
    %t = tile.load %rows[%j, %c0] [R, 64] : !W -> tensor<?x64xbf16>
    %p = tile.reshape %t [P, BN, 64] : tensor<?x64xbf16> -> tensor<?x?x64xbf16>
    %f = tile.cast %p : tensor<?x?x64xbf16> to tensor<?x?x64xf32>
    %l = tile.reduce max %f axis 1 : tensor<?x?x64xf32> -> tensor<?x64xf32>
    %mn = arith.maximumf %mi, %l : tensor<?x64xf32>
    scf.yield %mn : tensor<?x64xf32>
  }
  %o = tile.reduce max %m axis 0 keepdims : tensor<?x64xf32> -> tensor<1x64xf32>
  tile.store %o, %y[%h, %c0] : tensor<1x64xf32>, !Y
}
func.func @parts(%x: tensor<12x1024x64xbf16>, %xs: tensor<300x1024x64xbf16>, %n: index) -> (tensor<12x64xf32>, tensor<300x64xf32>) {
  %e = tensor.empty() : tensor<12x64xf32>
  %es = tensor.empty() : tensor<300x64xf32>
  %y = tile.launch @largest ins(%x, %n) outs(%e) : (tensor<12x1024x64xbf16>, index, tensor<12x64xf32>) -> tensor<12x64xf32>
  %ys = tile.launch @largest ins(%xs, %n) outs(%es) : (tensor<300x1024x64xbf16>, index, tensor<300x64xf32>) -> tensor<300x64xf32>
  return %y, %ys : tensor<12x64xf32>, tensor<300x64xf32>
}

// Rows of an odd number of 16-bit elements are read through registers: where one wave has all tiles, more and smaller ones
// of longer steps; many tiles stay as they are; of rows that begin at words two blocks divide the depth.
// CHECK-LABEL: @odd_rows
// CHECK:       tile.launch @linear {{.*}} params {BK = 128 : i64, BM = 64 : i64, BN = 64 : i64}
// CHECK:       tile.launch @linear {{.*}} params {BK = 64 : i64, BM = 128 : i64, BN = 128 : i64}
// CHECK:       tile.launch @linear {{.*}} params {BK = 64 : i64, BM = 128 : i64, BN = 128 : i64}
func.func @odd_rows(%x: tensor<1003x1045xbf16>, %w: tensor<1019x1045xbf16>, %b: tensor<1019xf32>, %y: tensor<1003x1019xbf16>,
                    %lx: tensor<4096x1045xbf16>, %lw: tensor<4096x1045xbf16>, %lb: tensor<4096xf32>, %ly: tensor<4096x4096xbf16>,
                    %ex: tensor<1003x1046xbf16>, %ew: tensor<1019x1046xbf16>) {
  tile.launch @linear ins(%x, %w, %b) outs(%y)
    : (tensor<1003x1045xbf16>, tensor<1019x1045xbf16>, tensor<1019xf32>, tensor<1003x1019xbf16>) -> tensor<1003x1019xbf16>
  tile.launch @linear ins(%lx, %lw, %lb) outs(%ly)
    : (tensor<4096x1045xbf16>, tensor<4096x1045xbf16>, tensor<4096xf32>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  tile.launch @linear ins(%ex, %ew, %b) outs(%y)
    : (tensor<1003x1046xbf16>, tensor<1019x1046xbf16>, tensor<1019xf32>, tensor<1003x1019xbf16>) -> tensor<1003x1019xbf16>
  return
}
