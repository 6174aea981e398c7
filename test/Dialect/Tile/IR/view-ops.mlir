// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s

// CHECK-LABEL: @types_of_views
// CHECK-SAME: !tile.view<f32>
// CHECK-SAME: !tile.view<4x?xbf16>
// CHECK-SAME: !tile.view<?x?xi32, strides=[?, 1]>
// CHECK-SAME: !tile.view<8x!tile.elt<W>>
func.func @types_of_views(%a: !tile.view<f32>, %b: !tile.view<4x?xbf16>,
                          %c: !tile.view<?x?xi32, strides=[?, 1]>, %d: !tile.view<8x!tile.elt<W>>) {
  return
}

// CHECK-LABEL: @sizes_of_views
func.func @sizes_of_views(%x: !tile.view<?x768xf32>) -> (index, index) {
  // CHECK: tile.dim %{{.*}}, 0 : !tile.view<?x768xf32>
  %0 = tile.dim %x, 0 : !tile.view<?x768xf32>
  // CHECK: tile.num_tiles %{{.*}}, 1 by [64] : !tile.view<?x768xf32>
  %1 = tile.num_tiles %x, 1 by [64] : !tile.view<?x768xf32>
  return %0, %1 : index, index
}

// CHECK-LABEL: @tiles_are_counted_in_parameters
tile.kernel @tiles_are_counted_in_parameters(%x: !tile.view<?xf32>) params {BN = 64} grid [1] {
  // CHECK: tile.num_tiles %{{.*}}, 0 by [BN]
  %0 = tile.num_tiles %x, 0 by [BN] : !tile.view<?xf32>
}

// CHECK-LABEL: @windows
func.func @windows(%x: !tile.view<?x192xf32>, %row: index, %rows: index) {
  // CHECK: tile.subview %{{.*}}[%{{.*}}, 64] [%{{.*}}, 64] : !tile.view<?x192xf32> -> !tile.view<?x64xf32, strides=[192, 1]>
  %0 = tile.subview %x[%row, 64] [%rows, 64] : !tile.view<?x192xf32> -> !tile.view<?x64xf32, strides=[192, 1]>
  // Whole rows of a dense view are dense.
  // CHECK: tile.subview %{{.*}}[2, 0] [8, 192] : !tile.view<?x192xf32> -> !tile.view<8x192xf32>
  %1 = tile.subview %x[2, 0] [8, 192] : !tile.view<?x192xf32> -> !tile.view<8x192xf32>
  // A result type may be less specific than what is known.
  // CHECK: -> !tile.view<?x?xf32, strides=[?, 1]>
  %2 = tile.subview %x[0, 0] [8, 64] : !tile.view<?x192xf32> -> !tile.view<?x?xf32, strides=[?, 1]>
  return
}

// CHECK-LABEL: @entries
func.func @entries(%k: !tile.view<?x12x?x64xf32>, %s: !tile.view<4x8xf32, strides=[9, 1]>, %b: index, %h: index) {
  // CHECK: tile.select %{{.*}}[%{{.*}}, %{{.*}}] : !tile.view<?x12x?x64xf32> -> !tile.view<?x64xf32>
  %0 = tile.select %k[%b, %h] : !tile.view<?x12x?x64xf32> -> !tile.view<?x64xf32>
  // CHECK: tile.select %{{.*}}[%{{.*}}] : !tile.view<4x8xf32, strides=[9, 1]> -> !tile.view<8xf32>
  %1 = tile.select %s[%b] : !tile.view<4x8xf32, strides=[9, 1]> -> !tile.view<8xf32>
  // CHECK: tile.select %{{.*}}[] : !tile.view<4x8xf32, strides=[9, 1]> -> !tile.view<4x8xf32, strides=[9, 1]>
  %2 = tile.select %s[] : !tile.view<4x8xf32, strides=[9, 1]> -> !tile.view<4x8xf32, strides=[9, 1]>
  return
}

// CHECK-LABEL: @transposes
func.func @transposes(%w: !tile.view<?x?xf32>, %c: !tile.view<2x3x4xf32>) {
  // CHECK: tile.transpose %{{.*}} [1, 0] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[1, ?]>
  %0 = tile.transpose %w [1, 0] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[1, ?]>
  // CHECK: tile.transpose %{{.*}} [2, 0, 1] : !tile.view<2x3x4xf32> -> !tile.view<4x2x3xf32, strides=[1, 12, 4]>
  %1 = tile.transpose %c [2, 0, 1] : !tile.view<2x3x4xf32> -> !tile.view<4x2x3xf32, strides=[1, 12, 4]>
  // CHECK: tile.transpose %{{.*}} [0, 1] : !tile.view<?x?xf32> -> !tile.view<?x?xf32>
  %2 = tile.transpose %w [0, 1] : !tile.view<?x?xf32> -> !tile.view<?x?xf32>
  return
}
