// Every elementwise op round-trips, in custom and generic form. The bytecode tests also write these modules: each holds
// ops of one version.
// RUN: tilegpt-opt %s | FileCheck %s
// RUN: tilegpt-opt %s > %t.short
// RUN: tilegpt-opt %t.short | diff %t.short -
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | diff %t.short -

cuda_tile.module @elementwise {
  // CHECK-LABEL: entry @integers
  entry @integers() {
    %a = iota : tile<8xi32>
    %b = constant <i32: 3> : tile<8xi32>
    // CHECK: absi %{{.*}} : tile<8xi32>
    %0 = absi %a : tile<8xi32>
    // CHECK-NEXT: addi %{{.*}}, %{{.*}} : tile<8xi32>
    %1 = addi %a, %b : tile<8xi32>
    // CHECK-NEXT: addi %{{.*}}, %{{.*}} overflow<no_wrap> : tile<8xi32>
    %2 = addi %a, %b overflow<no_wrap> : tile<8xi32>
    // CHECK-NEXT: subi %{{.*}}, %{{.*}} overflow<no_signed_wrap> : tile<8xi32>
    %3 = subi %a, %b overflow<no_signed_wrap> : tile<8xi32>
    // CHECK-NEXT: muli %{{.*}}, %{{.*}} overflow<no_unsigned_wrap> : tile<8xi32>
    %4 = muli %a, %b overflow<no_unsigned_wrap> : tile<8xi32>
    // CHECK-NEXT: divi %{{.*}}, %{{.*}} signed rounding<negative_inf> : tile<8xi32>
    %5 = divi %a, %b signed rounding<negative_inf> : tile<8xi32>
    // CHECK-NEXT: divi %{{.*}}, %{{.*}} unsigned : tile<8xi32>
    %6 = divi %a, %b unsigned : tile<8xi32>
    // CHECK-NEXT: remi %{{.*}}, %{{.*}} unsigned : tile<8xi32>
    %7 = remi %a, %b unsigned : tile<8xi32>
    // CHECK-NEXT: maxi %{{.*}}, %{{.*}} signed : tile<8xi32>
    %8 = maxi %a, %b signed : tile<8xi32>
    // CHECK-NEXT: mini %{{.*}}, %{{.*}} unsigned : tile<8xi32>
    %9 = mini %a, %b unsigned : tile<8xi32>
    // CHECK-NEXT: mulhii %{{.*}}, %{{.*}} : tile<8xi32>
    %10 = mulhii %a, %b : tile<8xi32>
    // CHECK-NEXT: negi %{{.*}} : tile<8xi32>
    %11 = negi %a : tile<8xi32>
    // CHECK-NEXT: andi
    %12 = andi %a, %b : tile<8xi32>
    // CHECK-NEXT: ori
    %13 = ori %a, %b : tile<8xi32>
    // CHECK-NEXT: xori
    %14 = xori %a, %b : tile<8xi32>
    // CHECK-NEXT: shli %{{.*}}, %{{.*}} overflow<no_signed_wrap> : tile<8xi32>
    %15 = shli %a, %b overflow<no_signed_wrap> : tile<8xi32>
    // CHECK-NEXT: shri %{{.*}}, %{{.*}} unsigned : tile<8xi32>
    %16 = shri %a, %b unsigned : tile<8xi32>
    // CHECK-NEXT: cmpi less_than_or_equal %{{.*}}, %{{.*}}, signed : tile<8xi32> -> tile<8xi1>
    %17 = cmpi less_than_or_equal %a, %b, signed : tile<8xi32> -> tile<8xi1>
    // CHECK-NEXT: select %{{.*}}, %{{.*}}, %{{.*}} : tile<8xi1>, tile<8xi32>
    %18 = select %17, %a, %b : tile<8xi1>, tile<8xi32>
  }

  // CHECK-LABEL: entry @floats
  entry @floats() {
    %a = constant <f32: [1.0, 2.5, -0.0, 0x7FC00000]> : tile<4xf32>
    %b = constant <f32: 0.5> : tile<4xf32>
    // CHECK: addf %{{.*}}, %{{.*}} : tile<4xf32>
    %0 = addf %a, %b rounding<nearest_even> : tile<4xf32>
    // CHECK-NEXT: addf %{{.*}}, %{{.*}} rounding<zero> flush_to_zero : tile<4xf32>
    %1 = addf %a, %b rounding<zero> flush_to_zero : tile<4xf32>
    // CHECK-NEXT: subf %{{.*}}, %{{.*}} rounding<negative_inf> : tile<4xf32>
    %2 = subf %a, %b rounding<negative_inf> : tile<4xf32>
    // CHECK-NEXT: mulf %{{.*}}, %{{.*}} rounding<positive_inf> : tile<4xf32>
    %3 = mulf %a, %b rounding<positive_inf> : tile<4xf32>
    // CHECK-NEXT: divf %{{.*}}, %{{.*}} rounding<approx> flush_to_zero : tile<4xf32>
    %4 = divf %a, %b rounding<approx> flush_to_zero : tile<4xf32>
    // CHECK-NEXT: divf %{{.*}}, %{{.*}} rounding<full> : tile<4xf32>
    %5 = divf %a, %b rounding<full> : tile<4xf32>
    // CHECK-NEXT: remf
    %6 = remf %a, %b : tile<4xf32>
    // CHECK-NEXT: maxf %{{.*}}, %{{.*}} flush_to_zero propagate_nan : tile<4xf32>
    %7 = maxf %a, %b propagate_nan flush_to_zero : tile<4xf32>
    // CHECK-NEXT: minf %{{.*}}, %{{.*}} : tile<4xf32>
    %8 = minf %a, %b : tile<4xf32>
    // CHECK-NEXT: fma %{{.*}}, %{{.*}}, %{{.*}} rounding<zero> : tile<4xf32>
    %9 = fma %a, %b, %a rounding<zero> : tile<4xf32>
    // CHECK-NEXT: sqrt %{{.*}} rounding<approx> : tile<4xf32>
    %10 = sqrt %a rounding<approx> : tile<4xf32>
    // CHECK-NEXT: exp %{{.*}} : tile<4xf32>
    %11 = exp %a : tile<4xf32>
    // CHECK-NEXT: tanh %{{.*}} : tile<4xf32>
    %12 = tanh %a rounding<full> : tile<4xf32>
    // CHECK-NEXT: exp2 %{{.*}} flush_to_zero : tile<4xf32>
    %13 = exp2 %a flush_to_zero : tile<4xf32>
    // CHECK-NEXT: rsqrt %{{.*}} : tile<4xf32>
    %14 = rsqrt %a : tile<4xf32>
    %15 = absf %a : tile<4xf32>
    %16 = negf %a : tile<4xf32>
    %17 = ceil %a : tile<4xf32>
    %18 = floor %a : tile<4xf32>
    %19 = cos %a : tile<4xf32>
    %20 = cosh %a : tile<4xf32>
    %21 = sin %a : tile<4xf32>
    %22 = sinh %a : tile<4xf32>
    %23 = tan %a : tile<4xf32>
    %24 = log %a : tile<4xf32>
    %25 = log2 %a : tile<4xf32>
    // CHECK: pow %{{.*}}, %{{.*}} : tile<4xf32>
    %26 = pow %a, %b : tile<4xf32>
    // CHECK-NEXT: pow %{{.*}}, %{{.*}} : tile<4xf32>
    %27 = fpowf %a, %b : tile<4xf32>
    // CHECK-NEXT: cmpf not_equal unordered %{{.*}}, %{{.*}} : tile<4xf32> -> tile<4xi1>
    %28 = cmpf not_equal unordered %a, %b : tile<4xf32> -> tile<4xi1>
  }

  // CHECK-LABEL: entry @casts
  entry @casts() {
    %f = constant <f32: 1.5> : tile<8xf32>
    // CHECK: ftoi %{{.*}} signed : tile<8xf32> -> tile<8xi8>
    %0 = ftoi %f signed rounding<nearest_int_to_zero> : tile<8xf32> -> tile<8xi8>
    // CHECK-NEXT: exti %{{.*}} unsigned : tile<8xi8> -> tile<8xi64>
    %1 = exti %0 unsigned : tile<8xi8> -> tile<8xi64>
    // CHECK-NEXT: trunci %{{.*}} overflow<no_signed_wrap> : tile<8xi64> -> tile<8xi1>
    %2 = trunci %1 overflow<no_signed_wrap> : tile<8xi64> -> tile<8xi1>
    // CHECK-NEXT: itof %{{.*}} unsigned : tile<8xi1> -> tile<8xbf16>
    %3 = itof %2 unsigned : tile<8xi1> -> tile<8xbf16>
    // CHECK-NEXT: ftof %{{.*}} : tile<8xf32> -> tile<8xtf32>
    %4 = ftof %f : tile<8xf32> -> tile<8xtf32>
    // CHECK-NEXT: ftof %{{.*}} : tile<8xf32> -> tile<8xf8E4M3FN>
    %5 = ftof %f : tile<8xf32> -> tile<8xf8E4M3FN>
    // CHECK-NEXT: bitcast %{{.*}} : tile<8xf32> -> tile<8xi32>
    %6 = bitcast %f : tile<8xf32> -> tile<8xi32>
    // CHECK-NEXT: int_to_ptr %{{.*}} : tile<8xi64> -> tile<8xptr<f32>>
    %7 = int_to_ptr %1 : tile<8xi64> -> tile<8xptr<f32>>
    // CHECK-NEXT: ptr_to_ptr %{{.*}} : tile<8xptr<f32>> -> tile<8xptr<i1>>
    %8 = ptr_to_ptr %7 : tile<8xptr<f32>> -> tile<8xptr<i1>>
    // CHECK-NEXT: ptr_to_int %{{.*}} : tile<8xptr<i1>> -> tile<8xi64>
    %9 = ptr_to_int %8 : tile<8xptr<i1>> -> tile<8xi64>
  }
}

// Since 13.2.
cuda_tile.module @elementwise_13_2 {
  // CHECK-LABEL: entry @younger
  entry @younger() {
    %i = iota : tile<8xi32>
    %f = constant <f32: 1.5> : tile<8xf32>
    // CHECK: atan2 %{{.*}}, %{{.*}} : tile<8xf32>
    %0 = atan2 %f, %f : tile<8xf32>
    // CHECK-NEXT: tanh %{{.*}} rounding<approx> : tile<8xf32>
    %1 = tanh %f rounding<approx> : tile<8xf32>
    // CHECK-NEXT: negi %{{.*}} overflow<no_signed_wrap> : tile<8xi32>
    %2 = negi %i overflow<no_signed_wrap> : tile<8xi32>
    // CHECK-NEXT: ftof %{{.*}} rounding<zero> : tile<8xf32> -> tile<8xf8E8M0FNU>
    %3 = ftof %f rounding<zero> : tile<8xf32> -> tile<8xf8E8M0FNU>
  }
}

// Since 13.3.
cuda_tile.module @elementwise_13_3 attributes {producer = "a test"} {
  // CHECK-LABEL: entry @younger
  entry @younger() {
    %i = iota : tile<8xi8>
    %f = constant <f32: 1.5> : tile<8xf32>
    // CHECK: exp %{{.*}} rounding<approx> : tile<8xf32>
    %0 = exp %f rounding<approx> : tile<8xf32>
    // CHECK-NEXT: trunci %{{.*}} : tile<8xi8> -> tile<8xi4>
    %1 = trunci %i : tile<8xi8> -> tile<8xi4>
    // CHECK-NEXT: exti %{{.*}} signed : tile<8xi4> -> tile<8xi32>
    %2 = exti %1 signed : tile<8xi4> -> tile<8xi32>
    // CHECK-NEXT: ftof %{{.*}} : tile<8xf32> -> tile<8xf4E2M1FN>
    %3 = ftof %f : tile<8xf32> -> tile<8xf4E2M1FN>
  }
}

// Since 13.4.
cuda_tile.module @elementwise_13_4 {
  // CHECK-LABEL: entry @younger
  entry @younger() {
    %i = iota : tile<8xi8>
    %f = constant <f32: 1.5> : tile<8xf32>
    // CHECK: fpowi %{{.*}}, %{{.*}} : tile<8xf32>, tile<8xi8>
    %0 = fpowi %f, %i : tile<8xf32>, tile<8xi8>
    // CHECK-NEXT: ftoi %{{.*}} unsigned saturating : tile<8xf32> -> tile<8xi16>
    %1 = ftoi %f unsigned saturating : tile<8xf32> -> tile<8xi16>
    // CHECK-NEXT: ftof %{{.*}} : tile<8xf32> -> tile<8xf8E5M3FNU>
    %scale = ftof %f : tile<8xf32> -> tile<8xf8E5M3FNU>
    // CHECK-NEXT: ftof %{{.*}} rounding<nearest_away> : tile<8xf8E5M3FNU> -> tile<8xbf16>
    %widened = ftof %scale rounding<nearest_away> : tile<8xf8E5M3FNU> -> tile<8xbf16>
    // CHECK-NEXT: alloca num_elem = 8, alignment = 1 : tile<ptr<f8E5M3FNU>>
    %scales = alloca num_elem = 8, alignment = 1 : tile<ptr<f8E5M3FNU>>
    // CHECK-NEXT: ftof %{{.*}} rounding<nearest_away> : tile<8xf32> -> tile<8xf64>
    %wide = ftof %f rounding<nearest_away> : tile<8xf32> -> tile<8xf64>
    // CHECK-NEXT: ftof %{{.*}} rounding<positive_inf> : tile<8xf32> -> tile<8xf64>
    %wide2 = ftof %f rounding<positive_inf> : tile<8xf32> -> tile<8xf64>
    // CHECK-NEXT: ftof %{{.*}} rounding<nearest_away> : tile<8xf32> -> tile<8xtf32>
    %2 = ftof %f rounding<nearest_away> : tile<8xf32> -> tile<8xtf32>
  }
}
