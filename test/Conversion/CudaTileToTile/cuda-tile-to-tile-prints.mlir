// RUN: tilegpt-opt %s --cuda-tile-to-tile --canonicalize | FileCheck %s
// RUN: tilegpt-run %s --function shapes --grid 1 --device reference | FileCheck %s --check-prefix=OUTPUT --match-full-lines --strict-whitespace
// RUN: tilegpt-run %s --function shapes --grid 1 --device cpu | FileCheck %s --check-prefix=OUTPUT --match-full-lines --strict-whitespace

cuda_tile.module @prints {
  // A print for each shape. Scalars join adjacent tiles, and every print ends its line.
  // CHECK-LABEL: tile.kernel @shapes
  // CHECK: tile.print "100%% n %3d a %.1f\0A", %{{.*}}, %{{.*}} : i32, tensor<2xf32>
  // CHECK-NEXT: tile.print " b %d n %i\0A", %{{.*}}, %{{.*}} : tensor<4xi16>, i32
  // CHECK-NEXT: tile.print " c %g end\0A", %{{.*}} : tensor<2xf32>
  // CHECK-NEXT: tile.print "no values\0A"
  //      OUTPUT:[0] 100% n   3 a 1.0
  // OUTPUT-NEXT:[1] 100% n   3 a 2.0
  // OUTPUT-NEXT:[0]  b -1 n 3
  // OUTPUT-NEXT:[1]  b 7 n 3
  // OUTPUT-NEXT:[2]  b 8 n 3
  // OUTPUT-NEXT:[3]  b 9 n 3
  // OUTPUT-NEXT:[0]  c 1 end
  // OUTPUT-NEXT:[1]  c 2 end
  // OUTPUT-NEXT:no values
  // OUTPUT-NEXT:[0] -1 15 f
  // OUTPUT-NEXT:[1] 7 7 7
  entry @shapes() {
    %a = constant <f32: [1.0, 2.0]> : tile<2xf32>
    %b = constant <i16: [-1, 7, 8, 9]> : tile<4xi16>
    %n = constant <i32: 3> : tile<i32>
    %0 = print_tko "100%% n %3d a %.1f b %hd n %i\n c %g end\n", %n, %a, %b, %n, %a : tile<i32>, tile<2xf32>, tile<4xi16>, tile<i32>, tile<2xf32> -> token
    %1 = print_tko "no values\n" -> token
    // An i4 is the low bits of an i8.
    %bytes = constant <i8: [-1, 7]> : tile<2xi8>
    %q = trunci %bytes : tile<2xi8> -> tile<2xi4>
    %2 = print_tko "%i %u %x\n", %q, %q, %q : tile<2xi4>, tile<2xi4>, tile<2xi4> -> token
  }

  // CHECK-LABEL: tile.kernel @address
  // CHECK: %[[ADDRESS:.*]] = tile.ptr_to_int %{{.*}} : !tile.ptr<f32>
  // CHECK: tile.print "at %#18x\0A", %[[ADDRESS]] : i64
  entry @address(%p: tile<ptr<f32>>) {
    %0 = print_tko "at %18p\n", %p : tile<ptr<f32>> -> token
  }
}
