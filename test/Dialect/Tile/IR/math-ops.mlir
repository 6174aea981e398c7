// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s

// CHECK-LABEL: @casts
func.func @casts(%x: tensor<?x8xbf16>, %w: tensor<4x!tile.elt<W>>) {
  // CHECK: tile.cast %{{.*}} : tensor<?x8xbf16> to tensor<?x8xf32>
  %0 = tile.cast %x : tensor<?x8xbf16> to tensor<?x8xf32>
  // CHECK: tile.cast %{{.*}} : tensor<4x!tile.elt<W>> to tensor<4xf64>
  %1 = tile.cast %w : tensor<4x!tile.elt<W>> to tensor<4xf64>
  // CHECK: tile.cast %{{.*}} : tensor<4xf64> to tensor<4x!tile.elt<W>>
  %2 = tile.cast %1 : tensor<4xf64> to tensor<4x!tile.elt<W>>
  return
}

// CHECK-LABEL: @dots
func.func @dots(%a: tensor<8x16xbf16>, %b: tensor<16x4xbf16>, %c: tensor<8x4xf32>, %at: tensor<16x8xbf16>,
                %bt: tensor<4x16xbf16>) {
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x16xbf16>, tensor<16x4xbf16>, tensor<8x4xf32> -> tensor<8x4xf32>
  %0 = tile.dot %a, %b, %c : tensor<8x16xbf16>, tensor<16x4xbf16>, tensor<8x4xf32> -> tensor<8x4xf32>
  // CHECK: transpose_a : tensor<16x8xbf16>
  %1 = tile.dot %at, %b, %c transpose_a : tensor<16x8xbf16>, tensor<16x4xbf16>, tensor<8x4xf32> -> tensor<8x4xf32>
  // CHECK: transpose_b : tensor<8x16xbf16>, tensor<4x16xbf16>
  %2 = tile.dot %a, %bt, %c transpose_b : tensor<8x16xbf16>, tensor<4x16xbf16>, tensor<8x4xf32> -> tensor<8x4xf32>
  // CHECK: transpose_a transpose_b : tensor<16x8xbf16>, tensor<4x16xbf16>
  %3 = tile.dot %at, %bt, %c transpose_a transpose_b : tensor<16x8xbf16>, tensor<4x16xbf16>, tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @dots_of_batches
func.func @dots_of_batches(%a: tensor<2x8x16xf32>, %b: tensor<?x4x16xf32>, %c: tensor<?x8x?xf32>) {
  // CHECK: tile.dot %{{.*}} transpose_b precision(tf32) : tensor<2x8x16xf32>, tensor<?x4x16xf32>, tensor<?x8x?xf32> -> tensor<2x8x4xf32>
  %0 = tile.dot %a, %b, %c transpose_b precision(tf32) : tensor<2x8x16xf32>, tensor<?x4x16xf32>, tensor<?x8x?xf32> -> tensor<2x8x4xf32>
  // IEEE is the default precision and not printed.
  // CHECK: tile.dot %{{.*}} transpose_b : tensor<2x8x16xf32>
  %1 = tile.dot %a, %b, %c transpose_b precision(ieee) : tensor<2x8x16xf32>, tensor<?x4x16xf32>, tensor<?x8x?xf32> -> tensor<?x8x?xf32>
  return
}

// CHECK-LABEL: @dots_of_every_type
func.func @dots_of_every_type(%f16: tensor<4x4xf16>, %f32: tensor<4x4xf32>, %f64: tensor<4x4xf64>, %w: tensor<4x4x!tile.elt<W>>,
                              %i8: tensor<4x4xi8>, %i16: tensor<4x4xi16>, %i32: tensor<4x4xi32>) {
  // CHECK: tensor<4x4xf16>, tensor<4x4x!tile.elt<W>>, tensor<4x4xf32>
  %0 = tile.dot %f16, %w, %f32 : tensor<4x4xf16>, tensor<4x4x!tile.elt<W>>, tensor<4x4xf32> -> tensor<4x4xf32>
  // CHECK: tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf64>
  %1 = tile.dot %f32, %f64, %f64 : tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  // CHECK: tensor<4x4xi8>, tensor<4x4xi16>, tensor<4x4xi32>
  %2 = tile.dot %i8, %i16, %i32 : tensor<4x4xi8>, tensor<4x4xi16>, tensor<4x4xi32> -> tensor<4x4xi32>
  // CHECK: unsigned_lhs : tensor<4x4xi8>, tensor<4x4xi32>
  %3 = tile.dot %i8, %i32, %i32 unsigned_lhs : tensor<4x4xi8>, tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xi32>
  // CHECK: unsigned_lhs unsigned_rhs : tensor<4x4xi8>, tensor<4x4xi8>
  %4 = tile.dot %i8, %i8, %i32 unsigned_lhs unsigned_rhs : tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi32> -> tensor<4x4xi32>
  return
}

// CHECK-LABEL: @facts
func.func @facts(%one: i1, %all: tensor<4xi1>, %n: index, %i: i32) {
  // CHECK: tile.assert %{{.*}}, "id outside the vocabulary" : i1
  tile.assert %one, "id outside the vocabulary" : i1
  // CHECK: tile.assert %{{.*}}, "say \22why\22" : tensor<4xi1>
  tile.assert %all, "say \"why\"" : tensor<4xi1>
  // CHECK: tile.assume %{{.*}} div_by 16 : index
  %0 = tile.assume %n div_by 16 : index
  // CHECK: tile.assume %{{.*}} bounded [-1, 4095] : i32
  %1 = tile.assume %i bounded [-1, 4095] : i32
  // CHECK: tile.assume %{{.*}} div_by 1 bounded [0, 0] : index
  %2 = tile.assume %n div_by 1 bounded [0, 0] : index
  return
}

// CHECK-LABEL: @rounded
func.func @rounded(%x: tensor<?x8xf32>, %h: tensor<4xbf16>, %d: f64, %v: vector<8xf16>) {
  // CHECK: tile.rounded add %{{.*}}, %{{.*}} mode(even) : tensor<?x8xf32>
  %0 = tile.rounded add %x, %x mode(even) : tensor<?x8xf32>
  // CHECK: tile.rounded sub %{{.*}}, %{{.*}} mode(zero) ftz : tensor<?x8xf32>
  %1 = tile.rounded sub %x, %x mode(zero) ftz : tensor<?x8xf32>
  // CHECK: tile.rounded mul %{{.*}}, %{{.*}} mode(down) {note = 1 : i64} : tensor<4xbf16>
  %2 = tile.rounded mul %h, %h mode(down) {note = 1} : tensor<4xbf16>
  // CHECK: tile.rounded div %{{.*}}, %{{.*}} mode(up) : f64
  %3 = tile.rounded div %d, %d mode(up) : f64
  // CHECK: tile.rounded fma %{{.*}}, %{{.*}}, %{{.*}} mode(up) : vector<8xf16>
  %4 = tile.rounded fma %v, %v, %v mode(up) : vector<8xf16>
  // CHECK: tile.rounded sqrt %{{.*}} mode(down) ftz : tensor<?x8xf32>
  %5 = tile.rounded sqrt %x mode(down) ftz : tensor<?x8xf32>
  return
}

// CHECK-LABEL: @prints
func.func @prints(%x: tensor<4x8xf32>, %n: index, %b: tensor<4x8xi1>, %h: f16) {
  // CHECK: tile.print "nothing but 100%%\0A"
  tile.print "nothing but 100%%\0A"
  // CHECK: tile.print "%+8.3f of %d: %x, %e\0A", %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xf32>, index, tensor<4x8xi1>, f16
  tile.print "%+8.3f of %d: %x, %e\0A", %x, %n, %b, %h : tensor<4x8xf32>, index, tensor<4x8xi1>, f16
  return
}
