// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile | FileCheck %s

// 4 experts of 6 units; a row uses 2 of them.
gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  // The weights of all experts are one matrix, gates before the gated units.
  // CHECK-DAG: tile.global @"e.0.gate.weight+e.0.up.weight+e.1.gate.weight+e.1.up.weight+{{.*}}+e.3.up.weight" weight : tensor<48x8xf32>
  // CHECK-DAG: tile.global @"e.0.down.weight+e.1.down.weight+e.2.down.weight+e.3.down.weight" weight : tensor<32x6xf32>

  // A norm that experts also read is not fused into the linear layer.
  // CHECK-LABEL: func.func @experts
  // CHECK:       %[[N:.*]] = tile.launch @rms_norm
  // CHECK:       %[[Z:.*]] = tile.launch @linear_decode ins(%[[N]],
  // CHECK:       %[[ROUTE:.*]]:2 = tile.launch @route ins(%[[Z]], %{{.*}}) outs(%{{.*}}, %{{.*}}) {{.*}} : (tensor<1x4xf32>, f32, tensor<1x2xi32>, tensor<1x2xf32>)
  // CHECK:       %[[H:.*]] = tile.launch @experts_silu_glu ins(%[[N]], %[[ROUTE]]#0, %{{.*}}) {{.*}} : (tensor<1x8xf32>, tensor<1x2xi32>, tensor<48x8xf32>, tensor<1x12xf32>)
  // CHECK:       %[[Y:.*]] = tile.launch @experts_sum ins(%[[H]], %[[ROUTE]]#0, %[[ROUTE]]#1, %{{.*}})
  func.func @experts(%x: tensor<1x8xf32>) -> tensor<1x8xf32> attributes {tile.rows = array<i64: 1, 1>} {
    %n = gpt.rms_norm %x weights("n") : tensor<1x8xf32> -> tensor<1x8xf32>
    %z = gpt.linear %n weights("gate") to 4 bias(0) : tensor<1x8xf32> -> tensor<1x4xf32>
    %e, %s = gpt.route %z top(2) normalize(1) : tensor<1x4xf32> -> tensor<1x2xi32>, tensor<1x2xf32>
    %y = gpt.experts %n by %e, %s weights("e.{e}.gate", "e.{e}.up", "e.{e}.down") experts(4) inner(6) activation(silu)
        : tensor<1x8xf32>, tensor<1x2xi32>, tensor<1x2xf32> -> tensor<1x8xf32>
    return %y : tensor<1x8xf32>
  }

  // Scores with a bias, or not of a softmax, have a kernel of their own.
  // CHECK-LABEL: func.func @scores
  // CHECK:       %[[BIAS:.*]] = tile.get_global @b : tensor<4xf32>
  // CHECK:       tile.launch @route_scores ins(%{{.*}}, %{{.*}}, %[[BIAS]], %{{.*}}, %{{.*}}) {{.*}} : (tensor<1x4xf32>, f32, tensor<4xf32>, f32, f32, tensor<1x2xi32>, tensor<1x2xf32>)
  func.func @scores(%z: tensor<1x4xf32>) -> (tensor<1x2xi32>, tensor<1x2xf32>) attributes {tile.rows = array<i64: 1, 1>} {
    %e, %s = gpt.route %z top(2) normalize(1) sigmoid bias("b") scale(2.5) : tensor<1x4xf32> -> tensor<1x2xi32>, tensor<1x2xf32>
    return %e, %s : tensor<1x2xi32>, tensor<1x2xf32>
  }

  // So has the choice from some groups; all of them are no choice.
  // CHECK-LABEL: func.func @groups
  // CHECK:       %[[N:.*]] = arith.constant 1 : i32
  // CHECK:       tile.launch @route_groups ins({{.*}}, %[[N]]) {{.*}} tensor<2xf32>, i32, tensor<1x2xi32>, tensor<1x2xf32>)
  // CHECK:       tile.launch @route ins(
  func.func @groups(%z: tensor<1x4xf32>) -> (tensor<1x2xi32>, tensor<1x2xi32>) attributes {tile.rows = array<i64: 1, 1>} {
    %e, %s = gpt.route %z top(2) normalize(1) sigmoid bias("b") groups(2, 1) : tensor<1x4xf32> -> tensor<1x2xi32>, tensor<1x2xf32>
    %f, %t = gpt.route %z top(2) groups(1, 1) : tensor<1x4xf32> -> tensor<1x2xi32>, tensor<1x2xf32>
    return %e, %f : tensor<1x2xi32>, tensor<1x2xi32>
  }

  // Biases and clamped gates have kernels of their own. The units of all experts have one vector of biases.
  // CHECK-LABEL: func.func @clamped
  // CHECK-DAG:   %[[UNITS:.*]] = tile.get_global @ub : tensor<48xf32>
  // CHECK-DAG:   %[[DOWN:.*]] = tile.get_global @db : tensor<4x8xf32>
  // CHECK-DAG:   %[[SLOPE:.*]] = arith.constant 1.702000e+00 : f32
  // CHECK-DAG:   %[[LIMIT:.*]] = arith.constant 7.000000e+00 : f32
  // CHECK:       %[[H:.*]] = tile.launch @experts_clamped_glu ins(%{{.*}}, %{{.*}}, %{{.*}}, %[[UNITS]], %[[SLOPE]], %[[LIMIT]])
  // CHECK:       tile.launch @experts_biased_sum ins(%[[H]], %{{.*}}, %{{.*}}, %{{.*}}, %[[DOWN]])
  func.func @clamped(%x: tensor<1x8xf32>, %i: tensor<1x2xi32>, %s: tensor<1x2xf32>) -> tensor<1x8xf32>
      attributes {tile.rows = array<i64: 1, 1>} {
    %y = gpt.experts %x by %i, %s weights("u", "d") experts(4) inner(6) activation(silu) biases("ub", "db") clamped(7.0, 1.702)
        : tensor<1x8xf32>, tensor<1x2xi32>, tensor<1x2xf32> -> tensor<1x8xf32>
    return %y : tensor<1x8xf32>
  }

  // A cap of 0 means none.
  // CHECK-LABEL: func.func @caps
  // CHECK:       %[[CAP:.*]] = arith.constant 5.000000e+01 : f32
  // CHECK:       tile.launch @attention_decode {{.*}}, %[[CAP]]) outs
  // CHECK-NOT:   arith.constant 5.000000e+01
  // CHECK:       tile.launch @attention_decode
  // CHECK:       %[[C:.*]] = tile.launch @softcap
  // CHECK-NOT:   tile.launch @softcap
  // CHECK:       return %{{.*}}, %{{.*}}, %[[C]], %{{.*}}
  func.func @caps(%q: tensor<1x32xf32>, %pos: tensor<1xi32>)
      -> (tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>) attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %a = gpt.attention %q at %pos cache("h.0") softcap(50.0) : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x16xf32>
    %b = gpt.attention %q at %pos cache("h.1") softcap(0) : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x16xf32>
    %c = gpt.softcap %b cap(30.0) : tensor<1x16xf32> -> tensor<1x16xf32>
    %d = gpt.softcap %b cap(0) : tensor<1x16xf32> -> tensor<1x16xf32>
    return %a, %b, %c, %d : tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>
  }

  // A shared expert is a gated MLP that its gate scales.
  // CHECK-LABEL: func.func @shared_expert
  // CHECK:       %[[D:.*]] = tile.launch @linear_decode {{.*}} {tile.label = "down"}
  // CHECK:       %[[Z:.*]] = tile.launch @linear_decode {{.*}} {tile.label = "shared_gate"} : {{.*}} -> tensor<1x1xf32>
  // CHECK:       tile.launch @gate ins(%[[D]], %[[Z]]) {{.*}} : (tensor<1x8xf32>, tensor<1x1xf32>, tensor<1x8xf32>)
  func.func @shared_expert(%x: tensor<1x8xf32>) -> tensor<1x8xf32> attributes {tile.rows = array<i64: 1, 1>} {
    %d = gpt.linear %x weights("down") to 8 bias(0) : tensor<1x8xf32> -> tensor<1x8xf32>
    %z = gpt.linear %x weights("shared_gate") to 1 bias(0) : tensor<1x8xf32> -> tensor<1x1xf32>
    %g = gpt.gate %d by %z : tensor<1x8xf32>, tensor<1x1xf32>
    return %g : tensor<1x8xf32>
  }
}
