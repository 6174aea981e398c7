// RUN: tilegpt-opt %s --tile-mark-launch-invariant | FileCheck %s

!V = !tile.view<64xf32>
tile.global @w weight : tensor<64xf32>
tile.global @own state : tensor<64xf32>
tile.global @shared state : tensor<64xf32>

// The step's input and a weight in one launch, the weight in the other: argument 1 is invariant in both.
// CHECK-LABEL: tile.kernel @madd
// CHECK:       grid [1] attributes {tile.launch_invariant = array<i64: 1>}
tile.kernel @madd(%x: !V, %w: !V, %b: !V) outs(%y: !V) grid [1] {
}

// State is launch-invariant, read or written, if no other launch accesses it. A scalar is no memory.
// CHECK-LABEL: tile.kernel @append
// CHECK:       grid [1] attributes {tile.launch_invariant = array<i64: 3>}
tile.kernel @append(%x: !V, %f: f32, %s: !V) outs(%k: !V) grid [1] {
}

// CHECK-LABEL: tile.kernel @touch
// CHECK:       grid [1] {
tile.kernel @touch(%x: !V) outs(%s: !V) grid [1] {
}

// An argument that a launch updates is not launch-invariant, neither in that launch nor elsewhere.
// CHECK-LABEL: tile.kernel @update
// CHECK:       grid [1] {
tile.kernel @update(%x: !V) outs(%y: !V) grid [1] {
}

// Others write the first argument while the function runs.
// CHECK-LABEL: tile.kernel @behind_others
// CHECK:       grid [1] attributes {tile.launch_invariant = array<i64: 1>}
tile.kernel @behind_others(%x: !V, %w: !V) outs(%y: !V) grid [1] {
}

// CHECK-LABEL: tile.kernel @unused
// CHECK:       grid [1] {
tile.kernel @unused(%x: !V) outs(%y: !V) grid [1] {
}

func.func @step(%x: tensor<64xf32>, %f: f32) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %w = tile.get_global @w : tensor<64xf32>
  %own = tile.get_global @own : tensor<64xf32>
  %shared = tile.get_global @shared : tensor<64xf32>
  %open = tensor.cast %w : tensor<64xf32> to tensor<?xf32>
  %cast = tensor.cast %open : tensor<?xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %0 = tile.launch @madd ins(%x, %w, %w) outs(%e)
    : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %1 = tile.launch @madd ins(%0, %cast, %0) outs(%e)
    : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %2 = tile.launch @touch ins(%1) outs(%shared) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %3 = tile.launch @append ins(%1, %f, %2) outs(%own)
    : (tensor<64xf32>, f32, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

func.func @in_place(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tile.launch @update ins(%x) outs(%x) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

func.func @behind(%x: tensor<64xf32> {tile.transient}, %w: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = tile.launch @behind_others ins(%x, %w) outs(%e) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Open sizes are bounded by the longest range of rows. Without a range they are unknown.
// CHECK-LABEL: tile.kernel @many
// CHECK:       tile.most_rows = 1024 : i64
tile.kernel @many(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [1] {
}
func.func @short(%x: tensor<?xf32>) -> tensor<?xf32> attributes {tile.rows = array<i64: 1, 16>} {
  %0 = tile.launch @many ins(%x) outs(%x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @long(%x: tensor<?xf32>) -> tensor<?xf32> attributes {tile.rows = array<i64: 17, 1024>} {
  %0 = tile.launch @many ins(%x) outs(%x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
