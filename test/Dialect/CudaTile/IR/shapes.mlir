// Every op on shapes, products and reductions, in custom and generic form.
// RUN: tilegpt-opt %s | FileCheck %s
// RUN: tilegpt-opt %s > %t.short
// RUN: tilegpt-opt %t.short | diff %t.short -
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | diff %t.short -

cuda_tile.module @shapes {
  // CHECK-LABEL: entry @constants
  entry @constants() {
    // CHECK: constant <i32: {{\[}}[0, 1], [2, -1]]> : tile<2x2xi32>
    %0 = constant <i32: [[0, 1], [2, 4294967295]]> : tile<2x2xi32>
    // CHECK-NEXT: constant <i8: -128> : tile<16xi8>
    %1 = constant <i8: 128> : tile<16xi8>
    // CHECK-NEXT: constant <i1: [true, false, true, true]> : tile<4xi1>
    %2 = constant <i1: [true, false, -1, 1]> : tile<4xi1>
    // CHECK-NEXT: constant <i1: true> : tile<i1>
    %3 = constant <i1: 1> : tile<i1>
    // CHECK-NEXT: constant <f32: 0x7F800000> : tile<f32>
    %4 = constant <f32: 0x7F800000> : tile<f32>
    // CHECK-NEXT: constant <f64: [-0.000000e+00, 1.000000e-01]> : tile<2xf64>
    %5 = constant <f64: [-0.0, 0.1]> : tile<2xf64>
    // CHECK-NEXT: constant <f8E5M2: 1.500000e+00> : tile<2xf8E5M2>
    %6 = constant <f8E5M2: 1.5> : tile<2xf8E5M2>
    // CHECK-NEXT: constant <tf32: [1.000000e+00, 2.500000e-01]> : tile<2xtf32>
    %7 = constant <tf32: [1.0, 0.25]> : tile<2xtf32>
    // CHECK-NEXT: constant <i64: [-9223372036854775808, 9223372036854775807]> : tile<2xi64>
    %8 = constant <i64: [-9223372036854775808, 9223372036854775807]> : tile<2xi64>
    // CHECK-NEXT: iota : tile<256xi8>
    %9 = iota : tile<256xi8>
  }

  // CHECK-LABEL: entry @moves
  entry @moves(%i: tile<i32>) {
    %s = constant <f16: 1.0> : tile<f16>
    // CHECK: reshape %{{.*}} : tile<f16> -> tile<1x1xf16>
    %0 = reshape %s : tile<f16> -> tile<1x1xf16>
    // CHECK-NEXT: broadcast %{{.*}} : tile<1x1xf16> -> tile<4x8xf16>
    %1 = broadcast %0 : tile<1x1xf16> -> tile<4x8xf16>
    // CHECK-NEXT: permute %{{.*}} [1, 0] : tile<4x8xf16> -> tile<8x4xf16>
    %2 = permute %1 [1, 0] : tile<4x8xf16> -> tile<8x4xf16>
    // CHECK-NEXT: cat %{{.*}}, %{{.*}} dim = 1 : tile<8x4xf16>, tile<8x4xf16> -> tile<8x8xf16>
    %3 = cat %2, %2 dim = 1 : tile<8x4xf16>, tile<8x4xf16> -> tile<8x8xf16>
    // CHECK-NEXT: extract %{{.*}}[%{{.*}}, %{{.*}}] : tile<8x8xf16> -> tile<2x8xf16>
    %4 = extract %3[%i, %i] : tile<8x8xf16> -> tile<2x8xf16>
  }

  // CHECK-LABEL: entry @products
  entry @products() {
    %a = constant <f16: 1.0> : tile<16x32xf16>
    %b = constant <f16: 2.0> : tile<32x8xf16>
    %c = constant <f32: 0.0> : tile<16x8xf32>
    // CHECK: mmaf %{{.*}}, %{{.*}}, %{{.*}} : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
    %0 = mmaf %a, %b, %c : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
    %d = constant <i8: 1> : tile<2x16x32xi8>
    %e = constant <i8: 2> : tile<2x32x8xi8>
    %f = constant <i32: 0> : tile<2x16x8xi32>
    // CHECK: mmai %{{.*}}, %{{.*}}, %{{.*}} signed unsigned : tile<2x16x32xi8>, tile<2x32x8xi8>, tile<2x16x8xi32>
    %1 = mmai %d, %e, %f signed unsigned : tile<2x16x32xi8>, tile<2x32x8xi8>, tile<2x16x8xi32>
  }

  // CHECK-LABEL: entry @folds
  entry @folds() {
    %x = constant <f32: 1.0> : tile<8x4xf32>
    %i = constant <i32: 1> : tile<8x4xi32>
    // CHECK: reduce %{{.*}}, %{{.*}} dim=0 identities=[0xFF800000 : f32, 0 : i32] : tile<8x4xf32>, tile<8x4xi32> -> tile<4xf32>, tile<4xi32>
    // CHECK-NEXT: (%{{.*}}: tile<f32>, %{{.*}}: tile<f32>, %{{.*}}: tile<i32>, %{{.*}}: tile<i32>) {
    %0, %1 = reduce %x, %i dim=0 identities=[0xFF800000 : f32, 0 : i32] : tile<8x4xf32>, tile<8x4xi32> -> tile<4xf32>, tile<4xi32>
    (%a: tile<f32>, %b: tile<f32>, %c: tile<i32>, %d: tile<i32>) {
      // CHECK: cmpf
      %less = cmpf less_than ordered %a, %b : tile<f32> -> tile<i1>
      %v = select %less, %b, %a : tile<i1>, tile<f32>
      %w = select %less, %d, %c : tile<i1>, tile<i32>
      // CHECK: yield %{{.*}}, %{{.*}} : tile<f32>, tile<i32>
      yield %v, %w : tile<f32>, tile<i32>
    }
    // CHECK: scan %{{.*}} dim=1 reverse=true identities=[0.000000e+00 : f32] : tile<8x4xf32> -> tile<8x4xf32>
    %2 = scan %x dim=1 reverse=true identities=[0.0 : f32] : tile<8x4xf32> -> tile<8x4xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %sum = addf %a, %b : tile<f32>
      yield %sum : tile<f32>
    }
    %h = constant <bf16: 1.0> : tile<8xbf16>
    // CHECK: reduce %{{.*}} dim=0 identities=[0.000000e+00 : f16] : tile<8xbf16> -> tile<bf16>
    %3 = reduce %h dim=0 identities=[0.0 : f16] : tile<8xbf16> -> tile<bf16>
    (%a: tile<bf16>, %b: tile<bf16>) {
      %sum = addf %a, %b : tile<bf16>
      yield %sum : tile<bf16>
    }
  }
}

// Since 13.3.
cuda_tile.module @shapes_13_3 {
  // CHECK-LABEL: entry @younger
  entry @younger() {
    %x = constant <f32: 1.0> : tile<8xf32>
    // CHECK: pack %{{.*}} : tile<8xf32> -> tile<32xi8>
    %0 = pack %x : tile<8xf32> -> tile<32xi8>
    // CHECK-NEXT: unpack %{{.*}} : tile<32xi8> -> tile<64xf4E2M1FN>
    %1 = unpack %0 : tile<32xi8> -> tile<64xf4E2M1FN>
    %a = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %b = constant <f8E4M3FN: 1.0> : tile<64x8xf8E4M3FN>
    %c = constant <f32: 0.0> : tile<16x8xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %t = constant <f8E8M0FNU: 1.0> : tile<2x8xf8E8M0FNU>
    // CHECK: mmaf_scaled %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
    %2 = mmaf_scaled %a, %b, %c, %s, %t : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
    // CHECK-NEXT: mmaf %{{.*}}, %{{.*}}, %{{.*}} fast_acc :
    %3 = mmaf %a, %b, %c fast_acc : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>
  }
}

// Since 13.4.
cuda_tile.module @shapes_13_4 {
  // CHECK-LABEL: entry @younger
  entry @younger(%i: tile<i32>) {
    %x = constant <f32: 1.0> : tile<4x8xf32>
    %y = constant <f32: 2.0> : tile<16x16xf32>
    // CHECK: insert %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tile<4x8xf32>, tile<16x16xf32>
    %0 = insert %x, %y[%i, %i] : tile<4x8xf32>, tile<16x16xf32>
  }
}
