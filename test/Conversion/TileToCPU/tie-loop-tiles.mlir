// RUN: tilegpt-opt %s --cpu-tie-loop-tiles | FileCheck %s

// CHECK-LABEL: func.func @carried(
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}, %[[KEPT:.*]] = %{{.*}})
// CHECK:           %[[NEW:.*]] = arith.addf
// CHECK:           %[[TIED:.*]] = bufferization.materialize_in_destination %[[NEW]] in %[[OLD]]
// CHECK:           scf.yield %[[TIED]], %[[KEPT]]
func.func @carried(%n: index, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = arith.addf %a, %x : tensor<4xf32>
    scf.yield %s, %b : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
