// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-make-plans{plans=decode:1-1,decode:2-16,prefill:17-512,score:1-512 sequences=4}))" | FileCheck %s
// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-make-plans{plans=prefill:2-64}))" | FileCheck %s --check-prefix=ONE
// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-make-plans{plans=sample:1-1,sample:2-16}))" | FileCheck %s --check-prefix=SAMPLE

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  // CHECK: func.func @decode_1(%{{.*}}: tensor<1xi32>, %{{.*}}: tensor<1xi32>) -> tensor<1x8xf32>
  // CHECK-SAME: attributes {gpt.plan = "decode", gpt.sequences = array<i64: 1, 1>, tile.rows = array<i64: 1, 1>}
  // CHECK: gpt.embed {{.*}} -> tensor<1x8xf32>
  // CHECK: func.func @decode_2_16(%{{.*}}: tensor<?xi32>, %{{.*}}: tensor<?xi32>) -> tensor<?x8xf32>
  // CHECK-SAME: attributes {gpt.plan = "decode", gpt.sequences = array<i64: 2, 16>, tile.rows = array<i64: 2, 16>}
  // CHECK: func.func @prefill_17_512
  // CHECK-SAME: attributes {gpt.plan = "prefill", gpt.sequences = array<i64: 1, 4>, tile.rows = array<i64: 17, 512>}
  // CHECK: func.func @score_1_512
  // CHECK-NOT: func.func @forward
  // ONE: func.func @prefill_2_64(%{{.*}}: tensor<?xi32>, %{{.*}}: tensor<1xi32>) -> tensor<?x8xf32>

  // A plan that samples uses the other plans' logits.
  // SAMPLE: func.func @sample_1(%{{.*}}: tensor<1xi32>, %{{.*}}: tensor<1xi32>, %[[HOW:.*]]: tensor<1x5xf32>) -> tensor<1xi32>
  // SAMPLE-SAME: attributes {gpt.plan = "sample", gpt.sequences = array<i64: 1, 1>, tile.rows = array<i64: 1, 1>}
  // SAMPLE: %[[E:.*]] = gpt.embed
  // SAMPLE: %[[NEXT:.*]] = gpt.sample %[[E]] as %[[HOW]] : tensor<1x8xf32>, tensor<1x5xf32> -> tensor<1xi32>
  // SAMPLE: return %[[NEXT]] : tensor<1xi32>
  // SAMPLE: func.func @sample_2_16(%{{.*}}: tensor<?xi32>, %{{.*}}: tensor<?xi32>, %{{.*}}: tensor<?x5xf32>) -> tensor<?xi32>
  // SAMPLE-SAME: attributes {gpt.plan = "sample", gpt.sequences = array<i64: 2, 16>, tile.rows = array<i64: 2, 16>}
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return %e : tensor<?x8xf32>
  }
}

// Existing plans stay as they are.
// CHECK: gpt.model @has_plans
gpt.model @has_plans {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  // CHECK-NEXT: func.func private @step(tensor<1xi32>, tensor<1xi32>) -> tensor<1x8xf32> attributes {gpt.plan = "decode"}
  // CHECK-NEXT: }
  func.func private @step(tensor<1xi32>, tensor<1xi32>) -> tensor<1x8xf32> attributes {gpt.plan = "decode"}
}
