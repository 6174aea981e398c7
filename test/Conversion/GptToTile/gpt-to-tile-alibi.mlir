// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile --split-input-file | FileCheck %s

// 6 heads: those of the largest power of two, 4, then heads between these. The slopes are weights with their values as
// names.
gpt.model @m {layers = 1, heads = 6, width = 24, context = 16, vocab = 32} {
  // CHECK: tile.global @"[0.25,0.0625,0.015625,0.00390625,0.5,0.125]" weight : tensor<6xf32>
  // CHECK: tile.global @"[2,1,0.5,0.25,2.828427,1.4142135]" weight : tensor<6xf32>

  // CHECK-LABEL: func.func @decode
  // CHECK:       %[[SLOPES:.*]] = tile.get_global @"[0.25,
  // CHECK:       tile.launch @attention_alibi_decode ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[SLOPES]], %{{.*}}) {{.*}} tensor<6xf32>, tensor<0xi32>,
  func.func @decode(%q: tensor<1x72xf32>, %pos: tensor<1xi32>) -> tensor<1x24xf32>
      attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %a = gpt.attention %q at %pos cache("h.0") alibi(8.0) : tensor<1x72xf32>, tensor<1xi32> -> tensor<1x24xf32>
    return %a : tensor<1x24xf32>
  }

  // Another exponent and scale.
  // CHECK-LABEL: func.func @prefill
  // CHECK:       %[[SLOPES:.*]] = tile.get_global @"[2,1,
  // CHECK:       %[[FACTOR:.*]] = arith.constant 3.000000e+00 : f32
  // CHECK:       tile.launch @attention_alibi ins(%{{.*}}, %[[FACTOR]], %[[SLOPES]], %{{.*}})
  func.func @prefill(%q: tensor<8x72xf32>, %pos: tensor<1xi32>) -> tensor<8x24xf32>
      attributes {tile.rows = array<i64: 8, 8>, gpt.sequences = array<i64: 1, 1>} {
    %a = gpt.attention %q at %pos cache("h.1") scale(3.0) alibi(4) alibi_scale(4) : tensor<8x72xf32>, tensor<1xi32> -> tensor<8x24xf32>
    return %a : tensor<8x24xf32>
  }

  // 0 means none, for the slopes and for the limit of values.
  // CHECK-LABEL: func.func @without
  // CHECK:       %[[C:.*]] = tile.launch @clamp ins(%{{.*}}, %{{.*}})
  // CHECK-NOT:   @clamp
  // CHECK:       tile.launch @attention_decode ins(
  func.func @without(%q: tensor<1x72xf32>, %pos: tensor<1xi32>) -> tensor<1x24xf32>
      attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %c = gpt.clamp %q within(8.0) : tensor<1x72xf32> -> tensor<1x72xf32>
    %d = gpt.clamp %c within(0) : tensor<1x72xf32> -> tensor<1x72xf32>
    %a = gpt.attention %d at %pos cache("h.2") alibi(0) : tensor<1x72xf32>, tensor<1xi32> -> tensor<1x24xf32>
    return %a : tensor<1x24xf32>
  }
}

// -----

// Two ranks with 3 of 6 heads each: both have all slopes, and which of them come first.
gpt.model @ranks {layers = 1, heads = 3, head_dim = 4, width = 24, context = 16, vocab = 32} {
  // CHECK: tile.global @"[0.25,0.0625,0.015625,0.00390625,0.5,0.125]" weight : tensor<6xf32>
  // CHECK: tile.global @"slopes[begin 6/2]" weight : tensor<1xi32>
  // CHECK: %[[FIRST:.*]] = tile.get_global @"slopes[begin 6/2]"
  // CHECK: tile.launch @attention_alibi_decode ins({{.*}}, %[[FIRST]])
  func.func @decode(%q: tensor<1x36xf32>, %pos: tensor<1xi32>) -> tensor<1x12xf32>
      attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %a = gpt.attention %q at %pos cache("h.0") alibi(8.0) shard("rows 6/2") : tensor<1x36xf32>, tensor<1xi32> -> tensor<1x12xf32>
    return %a : tensor<1x12xf32>
  }
}

// -----

// Packed weights of experts are tensors of the checkpoint.
gpt.model @packed {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK: tile.global @units.weight weight : tensor<48x8xf32>
  // CHECK: tile.global @down.weight weight : tensor<32x6xf32>
  func.func @experts(%x: tensor<1x8xf32>, %i: tensor<1x2xi32>, %s: tensor<1x2xf32>) -> tensor<1x8xf32>
      attributes {tile.rows = array<i64: 1, 1>} {
    %y = gpt.experts %x by %i, %s weights("units", "down") experts(4) inner(6) activation(silu)
        : tensor<1x8xf32>, tensor<1x2xi32>, tensor<1x2xf32> -> tensor<1x8xf32>
    return %y : tensor<1x8xf32>
  }
}

// -----

// A rank reads the sinks of its heads.
gpt.model @sinks {layers = 1, heads = 3, head_dim = 4, width = 24, context = 16, vocab = 32} {
  // CHECK: tile.global @"s[rows 6/2]" weight : tensor<3xf32>
  // CHECK: %[[SINKS:.*]] = tile.get_global @"s[rows 6/2]"
  // CHECK: %[[WINDOW:.*]] = arith.constant 8 : i32
  // CHECK: tile.launch @attention_sinks_decode ins({{.*}}, %[[WINDOW]], %[[SINKS]])
  func.func @decode(%q: tensor<1x36xf32>, %pos: tensor<1xi32>) -> tensor<1x12xf32>
      attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %a = gpt.attention %q at %pos cache("h.0") window(8) sinks("s") shard("rows 6/2") : tensor<1x36xf32>, tensor<1xi32> -> tensor<1x12xf32>
    return %a : tensor<1x12xf32>
  }
}
