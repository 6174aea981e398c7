// RUN: tilegpt-opt %s --cpu-place-tile-buffers=budget=4096 -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @out_of_the_loop(
// CHECK-NEXT:    %[[TILE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloc
// CHECK:           memref.store %{{.*}}, %[[TILE]]
func.func @out_of_the_loop(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<8xf32>
    memref.store %x, %t[%c0] : memref<8xf32>
  }
  return
}

// -----

// expected-error@+1 {{the tiles of kernel 'too_large' need 8256 bytes, a block has 4096; choose smaller tile parameters}}
func.func @too_large(%x: f32) {
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<4xf32>
  // expected-note@+1 {{the largest tile is 'memref<2048xf32>', 8192 bytes}}
  %t = memref.alloc() : memref<2048xf32>
  memref.store %x, %t[%c0] : memref<2048xf32>
  memref.store %x, %s[%c0] : memref<4xf32>
  return
}

// -----

func.func @open_size(%n: index) {
  // expected-error@+1 {{'memref.alloc' op expected a tile of static sizes, found 'memref<?xf32>'}}
  %t = memref.alloc(%n) : memref<?xf32>
  return
}
