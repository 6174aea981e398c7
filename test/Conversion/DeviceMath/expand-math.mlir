// RUN: tilegpt-opt %s --tile-gpu-expand-math | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-expand-math=exact | FileCheck %s --check-prefix=EXACT

// CHECK-LABEL: func.func @power(
// CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%arg0)
func.func @power(%x: f32) -> f32 {
  %y = math.exp2 %x : f32
  return %y : f32
}

// Approximations may flush subnormal results to zero.
// CHECK-LABEL: func.func @rough_power(
// CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%arg0)
func.func @rough_power(%x: f32) -> f32 {
  %y = math.exp2 %x fastmath<afn> : f32
  return %y : f32
}

// CHECK-LABEL: func.func @extremes(
// CHECK:         %[[A:.*]] = llvm.intr.maximum(%arg0, %arg1)
// CHECK:         llvm.intr.minimum(%[[A]], %arg1)
func.func @extremes(%x: f32, %y: f32) -> f32 {
  %a = arith.maximumf %x, %y : f32
  %b = arith.minimumf %a, %y : f32
  return %b : f32
}

// CHECK-LABEL: func.func @extremes_but_nan(
// CHECK:         %[[A:.*]] = llvm.intr.maxnum(%arg0, %arg1)
// CHECK:         llvm.intr.minnum(%[[A]], %arg1)
func.func @extremes_but_nan(%x: f32, %y: f32) -> f32 {
  %a = arith.maxnumf %x, %y : f32
  %b = arith.minnumf %a, %y : f32
  return %b : f32
}

// There is none for f64.
// CHECK-LABEL: func.func @extremes_of_f64(
// CHECK:         arith.maximumf
func.func @extremes_of_f64(%x: f64, %y: f64) -> f64 {
  %a = arith.maximumf %x, %y : f64
  return %a : f64
}

// The reciprocal square root of f32 is one instruction as well.
// CHECK-LABEL: func.func @reciprocal_roots(
// CHECK-SAME:    %[[X:.*]]: f32, %[[D:.*]]: f64)
// CHECK-DAG:     %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[X]]) : (f32) -> f32
// CHECK-DAG:     %[[S:.*]] = math.rsqrt %[[D]] : f64
// CHECK:         return %[[R]], %[[S]]
func.func @reciprocal_roots(%x: f32, %d: f64) -> (f32, f64) {
  %r = math.rsqrt %x : f32
  %s = math.rsqrt %d : f64
  return %r, %s : f32, f64
}

// GELU's tanh: one exponential and one reciprocal, which includes the factor of a half. Rounded to 16 bits, the
// constants before the exponential are merged, and their sum with a product is rounded once.
// CHECK-LABEL: func.func @gelu(
// CHECK-SAME:    %[[H:.*]]: f32)
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[K:.*]] = arith.constant -2.30220819 : f32
// CHECK-DAG:     %[[CUBIC:.*]] = arith.constant 4.471500e-02 : f32
// CHECK:         %[[P:.*]] = arith.mulf %{{.*}}, %[[CUBIC]] fastmath<contract> : f32
// CHECK:         %[[Q:.*]] = arith.addf %[[H]], %[[P]] fastmath<contract> : f32
// CHECK:         %[[X:.*]] = arith.mulf %[[Q]], %[[K]] : f32
// CHECK:         %[[E:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%[[X]])
// CHECK:         %[[S:.*]] = arith.addf %[[E]], %[[ONE]] : f32
// CHECK:         %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[S]])
// CHECK:         %[[Y:.*]] = arith.mulf %[[H]], %[[R]] : f32
// CHECK:         arith.truncf %[[Y]]
func.func @gelu(%h: f32) -> bf16 {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608028654 : f32
  %h2 = arith.mulf %h, %h : f32
  %h3 = arith.mulf %h2, %h : f32
  %p = arith.mulf %h3, %cubic : f32
  %q = arith.addf %h, %p : f32
  %u = arith.mulf %q, %root : f32
  %t = math.tanh %u : f32
  %s = arith.addf %t, %one : f32
  %hh = arith.mulf %h, %half : f32
  %r = arith.mulf %hh, %s : f32
  %y = arith.truncf %r : f32 to bf16
  return %y : bf16
}

// An approximate tanh is one instruction.
// CHECK-LABEL: func.func @rough_tanh(
// CHECK-NEXT:    %[[Y:.*]] = llvm.intr.tanh(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
// CHECK-NEXT:    return %[[Y]]
func.func @rough_tanh(%x: f32) -> f32 {
  %y = math.tanh %x fastmath<afn> : f32
  return %y : f32
}

// With full precision the exponential is exact; without a factor of a half the result is doubled.
// CHECK-LABEL: func.func @one_plus_tanh(
// CHECK-SAME:    %[[U:.*]]: f32)
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant -2.000000e+00 : f32
// CHECK:         arith.mulf %[[U]], %[[MINUS]]
// CHECK:         math.fma
// CHECK:         %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK:         %[[Y:.*]] = arith.mulf %[[R]], %[[TWO]] : f32
// CHECK:         return %[[Y]]
func.func @one_plus_tanh(%u: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %t = math.tanh %u : f32
  %s = arith.addf %t, %one : f32
  return %s : f32
}

// A position times a slope: threads multiply the part that their elements share once, if rounding is free.
// CHECK-LABEL: func.func @positions(
// CHECK-SAME:    %[[J:.*]]: i32, %[[Q:.*]]: i32, %[[L:.*]]: index, %[[S:.*]]: f32)
// CHECK-DAG:     %[[C:.*]] = arith.constant 1.300000e+01 : f32
// CHECK-DAG:     %[[LI:.*]] = arith.index_cast %[[L]] : index to i32
// CHECK-DAG:     %[[K:.*]] = arith.addi %[[J]], %[[LI]] : i32
// CHECK-DAG:     %[[D:.*]] = arith.subi %[[K]], %[[Q]] : i32
// CHECK-DAG:     %[[F:.*]] = arith.sitofp %[[D]] : i32 to f32
// CHECK:         %[[X:.*]] = arith.mulf %[[F]], %[[S]] : f32
// CHECK:         math.fma %[[C]], %[[S]], %[[X]] : f32
// EXACT-LABEL: func.func @positions(
// EXACT:         arith.mulf
// EXACT-NOT:     math.fma
// EXACT:         return
func.func @positions(%j: i32, %q: i32, %l: index, %s: f32) -> f32 {
  %c16 = arith.constant 16 : index
  %c3 = arith.constant 3 : i32
  %i = arith.addi %l, %c16 : index
  %ii = arith.index_cast %i : index to i32
  %k = arith.addi %j, %ii : i32
  %p = arith.addi %q, %c3 : i32
  %d = arith.subi %k, %p : i32
  %f = arith.sitofp %d : i32 to f32
  %y = arith.mulf %s, %f fastmath<contract> : f32
  return %y : f32
}

// The same with a sum, which is part of what adjacent elements share.
// CHECK-LABEL: func.func @positions_and_row(
// CHECK-SAME:    %[[J:.*]]: i32, %[[S:.*]]: f32, %[[T:.*]]: f32)
// CHECK-DAG:     %[[C:.*]] = arith.constant 5.000000e+00 : f32
// CHECK-DAG:     %[[F:.*]] = arith.sitofp %[[J]] : i32 to f32
// CHECK:         %[[ROW:.*]] = math.fma %[[F]], %[[S]], %[[T]] : f32
// CHECK-NEXT:    math.fma %[[C]], %[[S]], %[[ROW]] : f32
// EXACT-LABEL: func.func @positions_and_row(
// EXACT-COUNT-1: math.fma
// EXACT-NOT:     math.fma
// EXACT:         return
func.func @positions_and_row(%j: i32, %s: f32, %t: f32) -> f32 {
  %c5 = arith.constant 5 : i32
  %k = arith.addi %j, %c5 : i32
  %f = arith.sitofp %k : i32 to f32
  %y = math.fma %f, %s, %t fastmath<contract> : f32
  return %y : f32
}

// A distance: what neighbours have in common is converted once.
// CHECK-LABEL: func.func @distances(
// CHECK-SAME:    %[[J:.*]]: i32, %[[S:.*]]: f32, %[[T:.*]]: f32)
// CHECK-DAG:     %[[C:.*]] = arith.constant 5.000000e+00 : f32
// CHECK-DAG:     %[[F:.*]] = arith.sitofp %[[J]] : i32 to f32
// CHECK:         %[[X:.*]] = arith.addf %[[F]], %[[C]] : f32
// CHECK:         %[[D:.*]] = math.absf %[[X]] : f32
// CHECK:         math.fma %[[D]], %[[S]], %[[T]]
// EXACT-LABEL: func.func @distances(
// EXACT:         math.absi
// EXACT-NOT:     math.absf
// EXACT:         return
func.func @distances(%j: i32, %s: f32, %t: f32) -> f32 {
  %c5 = arith.constant 5 : i32
  %k = arith.addi %j, %c5 : i32
  %d = math.absi %k : i32
  %f = arith.sitofp %d : i32 to f32
  %y = math.fma %f, %s, %t fastmath<contract> : f32
  return %y : f32
}

// Constants that cancel are dropped.
// CHECK-LABEL: func.func @diagonal(
// CHECK:         %[[D:.*]] = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:    %[[F:.*]] = arith.sitofp %[[D]] : i32 to f32
// CHECK-NEXT:    %[[Y:.*]] = arith.mulf %[[F]], %arg2 : f32
// CHECK-NEXT:    return %[[Y]]
func.func @diagonal(%k: i32, %q: i32, %s: f32) -> f32 {
  %c8 = arith.constant 8 : i32
  %kk = arith.addi %k, %c8 : i32
  %qq = arith.addi %q, %c8 : i32
  %d = arith.subi %kk, %qq : i32
  %f = arith.sitofp %d : i32 to f32
  %y = arith.mulf %f, %s fastmath<contract> : f32
  return %y : f32
}

// Halves of a word: the upper one is an f32 with extra low bits, the lower one takes a shift.
// CHECK-LABEL: func.func @halves(
// CHECK-SAME:    %[[PAIR:.*]]: vector<2xbf16>)
// CHECK-DAG:     %[[BITS:.*]] = arith.constant 16 : i32
// CHECK-DAG:     %[[UPPER:.*]] = arith.constant -65536 : i32
// CHECK:         %[[WORD:.*]] = llvm.bitcast %[[PAIR]] : vector<2xbf16> to i32
// CHECK-NEXT:    %[[LOW:.*]] = arith.shli %[[WORD]], %[[BITS]] : i32
// CHECK-NEXT:    arith.bitcast %[[LOW]] : i32 to f32
// CHECK:         %[[HIGH:.*]] = arith.andi %{{.*}}, %[[UPPER]] : i32
// CHECK-NEXT:    arith.bitcast %[[HIGH]] : i32 to f32
// EXACT-LABEL: func.func @halves(
// EXACT-NOT:     arith.extf
// EXACT:         return
func.func @halves(%pair: vector<2xbf16>) -> (f32, f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = llvm.extractelement %pair[%c0 : i32] : vector<2xbf16>
  %b = llvm.extractelement %pair[%c1 : i32] : vector<2xbf16>
  %x = arith.extf %a : bf16 to f32
  %y = arith.extf %b : bf16 to f32
  return %x, %y : f32, f32
}

// A vector of several words: the halves of its second one.
// CHECK-LABEL: func.func @halves_of_words(
// CHECK-SAME:    %[[WIDE:.*]]: vector<4xbf16>)
// CHECK-DAG:     %[[BITS:.*]] = arith.constant 16 : i32
// CHECK-DAG:     %[[UPPER:.*]] = arith.constant -65536 : i32
// CHECK-DAG:     %[[SECOND:.*]] = arith.constant 1 : i32
// CHECK:         %[[WORDS:.*]] = llvm.bitcast %[[WIDE]] : vector<4xbf16> to vector<2xi32>
// CHECK:         %[[WORD:.*]] = llvm.extractelement %[[WORDS]][%[[SECOND]] : i32] : vector<2xi32>
// CHECK:         arith.shli %[[WORD]], %[[BITS]] : i32
// CHECK:         arith.andi %{{.*}}, %[[UPPER]] : i32
// CHECK-NOT:     arith.extf
// CHECK:         return
func.func @halves_of_words(%wide: vector<4xbf16>) -> (f32, f32) {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %a = llvm.extractelement %wide[%c2 : i32] : vector<4xbf16>
  %b = llvm.extractelement %wide[%c3 : i32] : vector<4xbf16>
  %x = arith.extf %a : bf16 to f32
  %y = arith.extf %b : bf16 to f32
  return %x, %y : f32, f32
}

// f16 has another exponent, and the last element of an odd number is no half of a word.
// CHECK-LABEL: func.func @no_halves(
// CHECK-COUNT-2: arith.extf
// CHECK:         return
func.func @no_halves(%pair: vector<2xf16>, %three: vector<3xbf16>) -> (f32, f32) {
  %c0 = arith.constant 0 : i32
  %a = llvm.extractelement %pair[%c0 : i32] : vector<2xf16>
  %b = llvm.extractelement %three[%c0 : i32] : vector<3xbf16>
  %x = arith.extf %a : f16 to f32
  %y = arith.extf %b : bf16 to f32
  return %x, %y : f32, f32
}

// Bytes of a word are placed below the upper bytes of 1024, both at once, or of
// 2²³, and that power is subtracted.
// CHECK-LABEL: func.func @bytes(
// CHECK-SAME:    %[[PAIR:.*]]: vector<2xi8>)
// CHECK-DAG:     %[[BASES:.*]] = arith.constant dense<1.152000e+03> : vector<2xf16>
// CHECK-DAG:     %[[BASE:.*]] = arith.constant 0x4B000080 : f32
// CHECK-DAG:     %[[HALF:.*]] = arith.constant 16704 : i32
// CHECK-DAG:     %[[SINGLE:.*]] = arith.constant 29761 : i32
// CHECK-DAG:     %[[SIGNS:.*]] = arith.constant 32896 : i32
// CHECK:         %[[WORD:.*]] = arith.extui %{{.*}} : i16 to i32
// CHECK:         %[[BITS:.*]] = arith.xori %[[WORD]], %[[SIGNS]]
// CHECK:         %[[P:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[BITS]], %{{.*}}, %[[HALF]])
// CHECK:         %[[V:.*]] = llvm.bitcast %[[P]] : i32 to vector<2xf16>
// CHECK:         %[[D:.*]] = arith.subf %[[V]], %[[BASES]] : vector<2xf16>
// CHECK:         %[[A:.*]] = llvm.extractelement %[[D]]
// CHECK:         %[[Q:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %{{.*}}, %[[SINGLE]])
// CHECK:         %[[W:.*]] = arith.bitcast %[[Q]] : i32 to f32
// CHECK:         %[[B:.*]] = arith.subf %[[W]], %[[BASE]] : f32
// CHECK:         return %[[A]], %[[B]]
func.func @bytes(%pair: vector<2xi8>) -> (f16, f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = llvm.extractelement %pair[%c0 : i32] : vector<2xi8>
  %b = llvm.extractelement %pair[%c1 : i32] : vector<2xi8>
  %x = arith.sitofp %a : i8 to f16
  %y = arith.sitofp %b : i8 to f32
  return %x, %y : f16, f32
}

// Unsigned ones need no offset.
// CHECK-LABEL: func.func @unsigned_bytes(
// CHECK:         arith.constant dense<1.024000e+03> : vector<2xf16>
// CHECK-NOT:     arith.xori
// CHECK:         return
func.func @unsigned_bytes(%four: vector<4xi8>) -> f16 {
  %c3 = arith.constant 3 : i32
  %a = llvm.extractelement %four[%c3 : i32] : vector<4xi8>
  %x = arith.uitofp %a : i8 to f16
  return %x : f16
}

// Bytes that are rounded to f16 are converted to it.
// CHECK-LABEL: func.func @rounded_bytes(
// CHECK:         arith.subf %{{.*}} : vector<2xf16>
// CHECK-NOT:     arith.truncf
// CHECK:         return
func.func @rounded_bytes(%pair: vector<2xi8>) -> f16 {
  %c0 = arith.constant 0 : i32
  %a = llvm.extractelement %pair[%c0 : i32] : vector<2xi8>
  %x = arith.sitofp %a : i8 to f32
  %y = arith.truncf %x : f32 to f16
  return %y : f16
}

// The low bits of a word become those of 2^23 plus them; not those that would change its exponent.
// CHECK-LABEL: func.func @low_bits(
// CHECK-DAG:     %[[BASE:.*]] = arith.constant 0x4B000000 : f32
// CHECK-DAG:     %[[BITS:.*]] = arith.constant 1258291200 : i32
// CHECK:         %[[LOW:.*]] = arith.andi
// CHECK:         %[[OR:.*]] = arith.ori %[[LOW]], %[[BITS]]
// CHECK:         %[[SUM:.*]] = arith.bitcast %[[OR]] : i32 to f32
// CHECK:         arith.subf %[[SUM]], %[[BASE]]
// CHECK:         arith.uitofp
// CHECK:         return
func.func @low_bits(%word: i32) -> (f32, f32) {
  %c15 = arith.constant 15 : i32
  %c8388608 = arith.constant 8388608 : i32
  %a = arith.andi %word, %c15 : i32
  %b = arith.andi %word, %c8388608 : i32
  %x = arith.sitofp %a : i32 to f32
  %y = arith.uitofp %b : i32 to f32
  return %x, %y : f32, f32
}

// Single bytes, those of odd vectors, other types.
// CHECK-LABEL: func.func @no_bytes(
// CHECK-NOT:     prmt
// CHECK:         return
func.func @no_bytes(%byte: i8, %three: vector<3xi8>, %pair: vector<2xi8>, %wide: vector<2xi16>) -> (f16, f16, f64, f32) {
  %c0 = arith.constant 0 : i32
  %b = llvm.extractelement %three[%c0 : i32] : vector<3xi8>
  %c = llvm.extractelement %pair[%c0 : i32] : vector<2xi8>
  %d = llvm.extractelement %wide[%c0 : i32] : vector<2xi16>
  %w = arith.sitofp %byte : i8 to f16
  %x = arith.sitofp %b : i8 to f16
  %y = arith.sitofp %c : i8 to f64
  %z = arith.sitofp %d : i16 to f32
  return %w, %x, %y, %z : f16, f16, f64, f32
}

// What is computed in f32 from narrow values and rounded is the same in the
// narrow type.
// CHECK-LABEL: func.func @narrow(
// CHECK-SAME:    %[[A:[^:]*]]: f16, %[[B:[^:]*]]: f16, %[[C:[^:]*]]: bf16)
// CHECK-DAG:     %[[HALF:.*]] = arith.constant 5.000000e-01 : bf16
// CHECK-DAG:     %[[S:.*]] = arith.addf %[[A]], %[[B]] : f16
// CHECK-DAG:     %[[P:.*]] = arith.mulf %[[C]], %[[HALF]] : bf16
// CHECK:         return %[[S]], %[[P]]
func.func @narrow(%a: f16, %b: f16, %c: bf16) -> (f16, bf16) {
  %half = arith.constant 0.5 : f32
  %x = arith.extf %a : f16 to f32
  %y = arith.extf %b : f16 to f32
  %z = arith.extf %c : bf16 to f32
  %s = arith.addf %x, %y : f32
  %p = arith.mulf %z, %half : f32
  %sr = arith.truncf %s : f32 to f16
  %pr = arith.truncf %p : f32 to bf16
  return %sr, %pr : f16, bf16
}

// f32 operands, constants that would be rounded, integers, another narrow
// type, a sum that is used twice, and quotients.
// CHECK-LABEL: func.func @no_narrow(
// CHECK-COUNT-5: arith.truncf
// CHECK:         return
func.func @no_narrow(%a: f16, %b: f32, %c: bf16, %n: i32) -> (f16, f16, f16, f16, f16, f32) {
  %third = arith.constant 0.333333343 : f32
  %mask = arith.constant 4095 : i32
  %x = arith.extf %a : f16 to f32
  %y = arith.extf %c : bf16 to f32
  %large = arith.andi %n, %mask : i32
  %l = arith.sitofp %large : i32 to f32
  %p = arith.mulf %x, %b : f32
  %q = arith.mulf %x, %third : f32
  %r = arith.mulf %x, %l : f32
  %s = arith.addf %x, %y : f32
  %t = arith.addf %x, %x : f32
  %pr = arith.truncf %p : f32 to f16
  %qr = arith.truncf %q : f32 to f16
  %rr = arith.truncf %r : f32 to f16
  %sr = arith.truncf %s : f32 to f16
  %tr = arith.truncf %t : f32 to f16
  return %pr, %qr, %rr, %sr, %tr, %t : f16, f16, f16, f16, f16, f32
}

// A quotient that is rounded to 16 bits, directly or as a factor: a gate and the gated value. One that is not always
// rounded stays exact.
// CHECK-LABEL: func.func @quotients(
// CHECK:         arith.divf %{{.*}} fastmath<arcp,afn> : f32
// CHECK:         arith.divf %{{.*}} fastmath<arcp,afn> : f32
// CHECK-NOT:     fastmath
// CHECK:         return
// EXACT-LABEL: func.func @quotients(
// EXACT-NOT:     fastmath
// EXACT:         return
func.func @quotients(%x: f32, %y: f32, %z: f32) -> (bf16, bf16, bf16, f32) {
  %a = arith.divf %x, %y : f32
  %ar = arith.truncf %a : f32 to bf16
  %b = arith.divf %x, %z : f32
  %bp = arith.mulf %b, %y : f32
  %br = arith.truncf %bp : f32 to bf16
  %d = arith.divf %z, %x : f32
  %dp = arith.mulf %d, %y : f32
  %dr = arith.truncf %dp : f32 to bf16
  return %ar, %br, %dr, %dp : bf16, bf16, bf16, f32
}

// A quotient that is added to something before it is rounded is corrected by its remainder, unless it or the reciprocal
// of the divisor may be out of range. A sum that is also returned keeps its exact quotient.
// CHECK-LABEL: func.func @quotients_in_sums(
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f32)
// CHECK-DAG:     %[[SMALL:.*]] = arith.constant 9.53674316E-7 : f32
// CHECK:         %[[Q:.*]] = arith.divf %[[X]], %[[Y]] fastmath<arcp,afn> : f32
// CHECK:         %[[NEG:.*]] = arith.negf %[[Y]] : f32
// CHECK:         %[[R:.*]] = math.fma %[[NEG]], %[[Q]], %[[X]] : f32
// CHECK:         %[[I:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[Y]])
// CHECK:         %[[C:.*]] = arith.mulf %[[R]], %[[I]] : f32
// CHECK:         %[[CA:.*]] = math.absf %[[C]] : f32
// CHECK:         %[[QA:.*]] = math.absf %[[Q]] : f32
// CHECK:         %[[MOST:.*]] = arith.mulf %[[QA]], %[[SMALL]] : f32
// CHECK:         %[[IS:.*]] = arith.cmpf olt, %[[CA]], %[[MOST]] : f32
// CHECK:         %[[SUM:.*]] = arith.addf %[[Q]], %[[C]] : f32
// CHECK:         arith.select %[[IS]], %[[SUM]], %[[Q]] : f32
// CHECK:         arith.divf %[[Y]], %[[X]] : f32
// CHECK:         return
// EXACT-LABEL: func.func @quotients_in_sums(
// EXACT-NOT:     fastmath
// EXACT-NOT:     llvm.nvvm.rcp
// EXACT:         return
func.func @quotients_in_sums(%x: f32, %y: f32, %z: f32) -> (f16, f16, f32) {
  %a = arith.divf %x, %y : f32
  %as = arith.subf %z, %a : f32
  %ar = arith.truncf %as : f32 to f16
  %b = arith.divf %y, %x : f32
  %bs = arith.addf %b, %z : f32
  %br = arith.truncf %bs : f32 to f16
  return %ar, %br, %bs : f16, f16, f32
}

// A quotient that a branch hides or passes through, like a mask that not all tiles need. One that is also returned
// stays exact.
// CHECK-LABEL: func.func @quotients_of_branches(
// CHECK:         arith.divf %{{.*}} fastmath<arcp,afn> : f32
// CHECK:         arith.divf
// CHECK-NOT:     fastmath
// CHECK:         return
// EXACT-LABEL: func.func @quotients_of_branches(
// EXACT-NOT:     fastmath
// EXACT:         return
func.func @quotients_of_branches(%x: f32, %y: f32, %seen: i1, %isMasked: i1) -> (bf16, bf16, f32) {
  %zero = arith.constant 0.0 : f32
  %a = arith.divf %x, %y : f32
  %b = arith.divf %y, %x : f32
  %p:2 = scf.if %isMasked -> (f32, f32) {
    %as = arith.select %seen, %a, %zero : f32
    %bs = arith.select %seen, %b, %zero : f32
    scf.yield %as, %bs : f32, f32
  } else {
    scf.yield %a, %b : f32, f32
  }
  %ar = arith.truncf %p#0 : f32 to bf16
  %br = arith.truncf %p#1 : f32 to bf16
  return %ar, %br, %p#1 : bf16, bf16, f32
}

// A product with prescribed rounding stays, and so does a position without a constant.
// CHECK-LABEL: func.func @as_written(
// CHECK-NOT:     math.fma
// CHECK:         return
func.func @as_written(%k: i32, %s: f32) -> (f32, f32) {
  %c8 = arith.constant 8 : i32
  %kk = arith.addi %k, %c8 : i32
  %f = arith.sitofp %kk : i32 to f32
  %y = arith.mulf %f, %s : f32
  %g = arith.sitofp %k : i32 to f32
  %z = arith.mulf %g, %s fastmath<contract> : f32
  return %y, %z : f32, f32
}

// An i1 is the lowest bit of an integer.
// CHECK-LABEL: func.func @bit(
// CHECK:         %[[U:.*]] = arith.fptoui %{{.*}} : f32 to i32
// CHECK:         arith.trunci %[[U]] : i32 to i1
// CHECK:         %[[S:.*]] = arith.fptosi %{{.*}} : f64 to i32
// CHECK:         arith.trunci %[[S]] : i32 to i1
func.func @bit(%x: f32, %y: f64) -> (i1, i1) {
  %0 = arith.fptoui %x : f32 to i1
  %1 = arith.fptosi %y : f64 to i1
  return %0, %1 : i1, i1
}

// Approximate logarithms are one instruction and a product; log1p keeps its digits near 0.
// CHECK-LABEL: func.func @rough_logarithms(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK-DAG:     %[[LN2:.*]] = arith.constant 0.693147182 : f32
// CHECK:         llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[X]])
// CHECK:         %[[A:.*]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[X]])
// CHECK:         arith.mulf %[[A]], %[[LN2]]
// CHECK:         llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[X]])
// CHECK:         math.fma
// CHECK:         %[[SERIES:.*]] = math.fma
// CHECK:         %[[NEAR:.*]] = arith.cmpf olt
// CHECK:         %[[ONE:.*]] = arith.addf %[[X]], %{{.*}}
// CHECK:         %[[B:.*]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[ONE]])
// CHECK:         %[[C:.*]] = arith.mulf %[[B]], %[[LN2]]
// CHECK:         arith.select %[[NEAR]], %[[SERIES]], %[[C]]
func.func @rough_logarithms(%x: f32) -> (f32, f32, f32, f32) {
  %a = math.log2 %x fastmath<afn> : f32
  %b = math.log %x fastmath<afn> : f32
  %c = math.log10 %x fastmath<afn> : f32
  %d = math.log1p %x fastmath<afn> : f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}

// A rounded quotient by 1 + e^x multiplies by the reciprocal, without scaling. Other divisors may be subnormal.
// CHECK-LABEL: func.func @sigmoids(
// CHECK:         %[[A:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK:         arith.truncf %[[A]]
// CHECK:         %[[B:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK:         %[[Y:.*]] = arith.mulf %{{.*}}, %[[B]]
// CHECK:         arith.truncf %[[Y]]
// CHECK-NOT:     llvm.nvvm.rcp
// CHECK:         arith.divf
// CHECK-NOT:     llvm.nvvm.rcp
// CHECK:         return
// EXACT-LABEL: func.func @sigmoids(
// EXACT-NOT:     llvm.nvvm.rcp
// EXACT:         return
func.func @sigmoids(%x: f32) -> (bf16, bf16, bf16) {
  %one = arith.constant 1.0 : f32
  %e = math.exp %x : f32
  %s = arith.addf %e, %one : f32
  %a = arith.divf %one, %s : f32
  %ar = arith.truncf %a : f32 to bf16
  %b = arith.divf %x, %s : f32
  %br = arith.truncf %b : f32 to bf16
  %c = arith.divf %x, %e : f32
  %cr = arith.truncf %c : f32 to bf16
  return %ar, %br, %cr : bf16, bf16, bf16
}

// One that keeps all its bits is corrected by its remainder, which is NaN for infinite numbers. 1 + x may be anything.
// CHECK-LABEL: func.func @precise_sigmoids(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         %[[S:.*]] = arith.addf %{{.*}}, %[[ONE]] : f32
// CHECK:         %[[I:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[S]])
// CHECK:         %[[Q:.*]] = arith.mulf %[[X]], %[[I]] : f32
// CHECK:         %[[NEG:.*]] = arith.negf %[[S]] : f32
// CHECK:         %[[R:.*]] = math.fma %[[NEG]], %[[Q]], %[[X]] : f32
// CHECK:         %[[IS:.*]] = arith.cmpf one, %[[R]], %[[ZERO]] : f32
// CHECK:         %[[C:.*]] = math.fma %[[R]], %[[I]], %[[Q]] : f32
// CHECK:         %[[Y:.*]] = arith.select %[[IS]], %[[C]], %[[Q]] : f32
// CHECK-NOT:     llvm.nvvm.rcp
// CHECK:         %[[D:.*]] = arith.divf
// CHECK:         return %[[Y]], %[[D]]
// EXACT-LABEL: func.func @precise_sigmoids(
// EXACT-NOT:     llvm.nvvm.rcp
// EXACT:         return
func.func @precise_sigmoids(%x: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %e = math.exp %x : f32
  %s = arith.addf %e, %one : f32
  %a = arith.divf %x, %s : f32
  %t = arith.addf %x, %one : f32
  %b = arith.divf %x, %t : f32
  return %a, %b : f32, f32
}

// Four quotients by one divisor have its reciprocal, scaled in case that overflows, and are corrected by their remainders.
// CHECK-LABEL: func.func @shared_divisor(
// CHECK-SAME:    %[[X:[^:]*]]: f32, %{{[^:]*}}: f32, %{{[^:]*}}: f32, %{{[^:]*}}: f32, %[[S:[^:]*]]: f32)
// CHECK:         %[[ABS:.*]] = math.absf %[[S]] : f32
// CHECK:         %[[SMALL:.*]] = arith.cmpf olt, %[[ABS]], %{{.*}} : f32
// CHECK:         %[[POWER:.*]] = arith.select %[[SMALL]], %{{.*}}, %{{.*}} : f32
// CHECK:         %[[SCALE:.*]] = math.copysign %[[POWER]], %[[S]] : f32
// CHECK:         %[[D:.*]] = arith.mulf %[[S]], %[[SCALE]] : f32
// CHECK:         %[[I:.*]] = arith.divf %{{.*}}, %[[D]] : f32
// CHECK-NOT:     arith.divf
// CHECK:         %[[A:.*]] = arith.mulf %[[X]], %[[SCALE]] : f32
// CHECK:         %[[Q:.*]] = arith.mulf %[[A]], %[[I]] : f32
// CHECK:         %[[NEG:.*]] = arith.negf %[[A]] : f32
// CHECK:         %[[E:.*]] = math.fma %[[D]], %[[Q]], %[[NEG]] : f32
// CHECK:         %[[LESS:.*]] = arith.negf %[[E]] : f32
// CHECK:         %[[C:.*]] = math.fma %[[LESS]], %[[I]], %[[Q]] : f32
// CHECK:         %[[IS:.*]] = arith.cmpf ord, %[[C]], %[[C]] : f32
// CHECK:         arith.select %[[IS]], %[[C]], %[[Q]] : f32
// CHECK-NOT:     arith.divf
// CHECK:         return
// EXACT-LABEL: func.func @shared_divisor(
// EXACT-COUNT-4: arith.divf
// EXACT:         return
func.func @shared_divisor(%x: f32, %y: f32, %z: f32, %w: f32, %s: f32) -> (f32, f32, f32, f32) {
  %a = arith.divf %x, %s : f32
  %b = arith.divf %y, %s : f32
  %c = arith.divf %z, %s : f32
  %d = arith.divf %w, %s : f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}

// A quotient may be a divisor.
// CHECK-LABEL: func.func @divisors(
// CHECK-COUNT-2: arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         return
func.func @divisors(%x: f32, %y: f32, %z: f32, %w: f32, %s: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  %a = arith.divf %x, %s : f32
  %b = arith.divf %y, %s : f32
  %c = arith.divf %z, %s : f32
  %d = arith.divf %w, %s : f32
  %e = arith.divf %a, %d : f32
  %f = arith.divf %b, %d : f32
  %g = arith.divf %c, %d : f32
  %h = arith.divf %w, %d : f32
  return %a, %b, %c, %e, %f, %g, %h : f32, f32, f32, f32, f32, f32, f32
}

// Three do not pay for the reciprocal, and the reciprocal of a power of two is exact.
// CHECK-LABEL: func.func @few_or_exact(
// CHECK-COUNT-7: arith.divf
// CHECK-NOT:     math.fma
// CHECK:         return
func.func @few_or_exact(%x: f32, %y: f32, %z: f32, %w: f32, %s: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  %two = arith.constant 2.0 : f32
  %a = arith.divf %x, %s : f32
  %b = arith.divf %y, %s : f32
  %c = arith.divf %z, %s : f32
  %d = arith.divf %x, %two : f32
  %e = arith.divf %y, %two : f32
  %f = arith.divf %z, %two : f32
  %g = arith.divf %w, %two : f32
  return %a, %b, %c, %d, %e, %f, %g : f32, f32, f32, f32, f32, f32, f32
}

// The quotient of erf has no branch. The result has the sign of the operand, also for -0.
// CHECK-LABEL: func.func @error_function(
// CHECK-SAME:      %[[X:.*]]: f32)
// CHECK-NOT:     math.erf
// CHECK-NOT:     arith.divf
// CHECK:         llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-NOT:     arith.divf
// CHECK:         %[[Y:.*]] = math.copysign %{{.*}}, %[[X]]
// CHECK:         return %[[Y]]
// EXACT-LABEL: func.func @error_function(
// EXACT-NOT:     arith.divf
// EXACT:         math.copysign
// EXACT:         return
func.func @error_function(%x: f32) -> f32 {
  %y = math.erf %x : f32
  return %y : f32
}

// GELU's 1 + erf, of which 16 bits are kept: one reciprocal and one exponential, also of what is added to a residual. It is
// a quotient of polynomials if all bits are kept.
// CHECK-LABEL: func.func @one_plus_erf(
// CHECK-SAME:    %[[X:.*]]: f32, %[[R:.*]]: f32)
// CHECK:         %[[A:.*]] = math.absf %[[X]] : f32
// CHECK:         %[[T:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-COUNT-9: math.fma
// CHECK:         %[[E:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
// CHECK:         %[[TAIL:.*]] = arith.mulf %[[T]], %[[E]] : f32
// CHECK:         %[[ABOVE:.*]] = arith.subf %{{.*}}, %[[TAIL]] : f32
// CHECK:         %[[Y:.*]] = arith.select %{{.*}}, %[[TAIL]], %[[ABOVE]] : f32
// CHECK:         %[[P:.*]] = arith.mulf %[[Y]], %[[X]] : f32
// CHECK:         arith.addf %[[P]], %[[R]] : f32
// CHECK:         llvm.nvvm.rcp
// CHECK-NOT:     llvm.nvvm.ex2
// CHECK:         return
// EXACT-LABEL: func.func @one_plus_erf(
// EXACT-NOT:     llvm.nvvm.ex2
// EXACT:         return
func.func @one_plus_erf(%x: f32, %r: f32) -> (bf16, f32) {
  %one = arith.constant 1.0 : f32
  %e = math.erf %x : f32
  %s = arith.addf %e, %one : f32
  %p = arith.mulf %s, %x : f32
  %q = arith.addf %p, %r : f32
  %a = arith.truncf %q : f32 to bf16
  %f = math.erf %r : f32
  %b = arith.addf %f, %one : f32
  return %a, %b : bf16, f32
}
