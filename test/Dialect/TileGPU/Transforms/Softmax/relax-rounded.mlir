// RUN: tilegpt-opt %s --tile-gpu-relax-rounded | FileCheck %s

// Weights of a softmax, divided by their sum and rounded to 16 bits.
// CHECK-LABEL: tile.kernel @weights
// CHECK:         math.exp %{{.*}} fastmath<afn>
tile.kernel @weights(%xs: !tile.view<?x768xf32>) outs(%y: !tile.view<?x768xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %x = tile.load %xs[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %e = math.exp %x : tensor<1x768xf32>
  %s = tile.reduce add %e axis 1 keepdims : tensor<1x768xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %s [1, 768] : tensor<1x1xf32> -> tensor<1x768xf32>
  %d = arith.divf %e, %b : tensor<1x768xf32>
  %r = tile.cast %d : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %r, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
}

// Exponentials that are stored as they are, added to something, or summed after a product that may be negative stay
// exact.
// CHECK-LABEL: tile.kernel @exact
// CHECK-NOT:     fastmath
tile.kernel @exact(%xs: !tile.view<?x768xf32>) outs(%y: !tile.view<?x768xf32>, %z: !tile.view<?x768xbf16>, %w: !tile.view<?x1xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %x = tile.load %xs[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %a = math.exp %x : tensor<1x768xf32>
  tile.store %a, %y[%c0, %c0] : tensor<1x768xf32>, !tile.view<?x768xf32>
  %b = math.exp %x : tensor<1x768xf32>
  %bs = arith.subf %b, %x : tensor<1x768xf32>
  %br = tile.cast %bs : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %br, %z[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
  %c = math.exp %x : tensor<1x768xf32>
  %cp = arith.mulf %c, %x : tensor<1x768xf32>
  %cs = tile.reduce add %cp axis 1 keepdims : tensor<1x768xf32> -> tensor<1x1xf32>
  %cr = tile.cast %cs : tensor<1x1xf32> to tensor<1x1xbf16>
  tile.store %cr, %w[%c0, %c0] : tensor<1x1xbf16>, !tile.view<?x1xbf16>
}

// A loop-carried sum.
// CHECK-LABEL: tile.kernel @carried(
// CHECK:         math.exp %{{.*}} fastmath<afn>
tile.kernel @carried(%xs: !tile.view<?x768xf32>, %n: index) outs(%y: !tile.view<?x768xbf16>, %z: !tile.view<?x1xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %zero = arith.constant dense<0.0> : tensor<1x768xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %x = tile.load %xs[%i, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
    %e = math.exp %x : tensor<1x768xf32>
    %s = tile.reduce add %e axis 1 keepdims : tensor<1x768xf32> -> tensor<1x1xf32>
    %next = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %next : tensor<1x1xf32>
  }
  %b = tile.broadcast %l [1, 768] : tensor<1x1xf32> -> tensor<1x768xf32>
  %one = arith.constant dense<1.0> : tensor<1x768xf32>
  %d = arith.divf %one, %b : tensor<1x768xf32>
  %r = tile.cast %d : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %r, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
}

// Near misses: a sum that starts below zero may cancel, and one that is stored in between is not rounded.
// CHECK-LABEL: tile.kernel @may_cancel(
// CHECK-NOT:     fastmath
tile.kernel @may_cancel(%xs: !tile.view<?x768xf32>, %n: index) outs(%y: !tile.view<?x768xbf16>, %z: !tile.view<?x1xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<-5.0> : tensor<1x1xf32>
  %zero = arith.constant dense<0.0> : tensor<1x768xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %x = tile.load %xs[%i, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
    %e = math.exp %x : tensor<1x768xf32>
    %s = tile.reduce add %e axis 1 keepdims : tensor<1x768xf32> -> tensor<1x1xf32>
    %next = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %next : tensor<1x1xf32>
  }
  %b = tile.broadcast %l [1, 768] : tensor<1x1xf32> -> tensor<1x768xf32>
  %one = arith.constant dense<1.0> : tensor<1x768xf32>
  %d = arith.divf %one, %b : tensor<1x768xf32>
  %r = tile.cast %d : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %r, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
}

// CHECK-LABEL: tile.kernel @stored_on_its_way(
// CHECK-NOT:     fastmath
tile.kernel @stored_on_its_way(%xs: !tile.view<?x768xf32>, %n: index) outs(%y: !tile.view<?x768xbf16>, %z: !tile.view<?x1xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %zero = arith.constant dense<0.0> : tensor<1x768xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %x = tile.load %xs[%i, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
    %e = math.exp %x : tensor<1x768xf32>
    %s = tile.reduce add %e axis 1 keepdims : tensor<1x768xf32> -> tensor<1x1xf32>
    %next = arith.addf %sum, %s : tensor<1x1xf32>
    tile.store %next, %z[%i, %c0] : tensor<1x1xf32>, !tile.view<?x1xf32>
    scf.yield %next : tensor<1x1xf32>
  }
  %b = tile.broadcast %l [1, 768] : tensor<1x1xf32> -> tensor<1x768xf32>
  %one = arith.constant dense<1.0> : tensor<1x768xf32>
  %d = arith.divf %one, %b : tensor<1x768xf32>
  %r = tile.cast %d : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %r, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
}

// 1/(1 + e^-x), hidden by a mask: the error of the exponential is not amplified.
// CHECK-LABEL: tile.kernel @gate(
// CHECK:         math.exp %{{.*}} fastmath<afn>
tile.kernel @gate(%xs: !tile.view<?x768xf32>, %isMasked: i1, %n: f32) outs(%y: !tile.view<?x768xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<1x768xf32>
  %zero = arith.constant dense<0.0> : tensor<1x768xf32>
  %x = tile.load %xs[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %m = arith.negf %x : tensor<1x768xf32>
  %e = math.exp %m : tensor<1x768xf32>
  %s = arith.addf %e, %one : tensor<1x768xf32>
  %p = arith.divf %one, %s : tensor<1x768xf32>
  %h = scf.if %isMasked -> (tensor<1x768xf32>) {
    %seen = arith.cmpf olt, %x, %zero : tensor<1x768xf32>
    %q = arith.select %seen, %p, %zero : tensor<1x768xi1>, tensor<1x768xf32>
    scf.yield %q : tensor<1x768xf32>
  } else {
    scf.yield %p : tensor<1x768xf32>
  }
  %r = tile.cast %h : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %r, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
}

// Near misses: a sum with a negative constant or with a tile may cancel, and a select that is stored is not rounded.
// CHECK-LABEL: tile.kernel @no_gate(
// CHECK-NOT:     fastmath
tile.kernel @no_gate(%xs: !tile.view<?x768xf32>) outs(%y: !tile.view<?x768xbf16>, %z: !tile.view<?x768xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %less = arith.constant dense<-1.0> : tensor<1x768xf32>
  %zero = arith.constant dense<0.0> : tensor<1x768xf32>
  %x = tile.load %xs[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %a = math.exp %x : tensor<1x768xf32>
  %as = arith.addf %a, %less : tensor<1x768xf32>
  %ar = tile.cast %as : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %ar, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
  %b = math.exp %x : tensor<1x768xf32>
  %bs = arith.addf %b, %x : tensor<1x768xf32>
  %br = tile.cast %bs : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %br, %y[%c1, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
  %c = math.exp %x : tensor<1x768xf32>
  %seen = arith.cmpf olt, %x, %zero : tensor<1x768xf32>
  %cs = arith.select %seen, %c, %zero : tensor<1x768xi1>, tensor<1x768xf32>
  tile.store %cs, %z[%c0, %c0] : tensor<1x768xf32>, !tile.view<?x768xf32>
}

// In a loop, the exponent of a sigmoid is one FMA, with factors computed before the loop.
// CHECK-LABEL: tile.kernel @sigmoid_in_loop(
// CHECK-SAME:    %[[BIAS:[^:]*]]: f32, %[[N:[^:]*]]: index)
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant -1.44269502 : f32
// CHECK-DAG:     %[[BY:.*]] = arith.constant -0.180336878 : f32
// CHECK-DAG:     %[[T:.*]] = arith.mulf %[[BIAS]], %[[MINUS]] : f32
// CHECK-DAG:     %[[SUM:.*]] = tile.splat %[[T]] [1, 768]
// CHECK-DAG:     %[[SCALE:.*]] = tile.splat %[[BY]] [1, 768]
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = tile.load
// CHECK:           %[[E:.*]] = math.fma %[[X]], %[[SCALE]], %[[SUM]]
// CHECK-NEXT:      math.exp2 %[[E]] fastmath<afn>
tile.kernel @sigmoid_in_loop(%xs: !tile.view<?x768xf32>, %bias: f32, %n: index) outs(%y: !tile.view<?x768xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<1x768xf32>
  %scale = arith.constant dense<0.125> : tensor<1x768xf32>
  %bs = tile.splat %bias [1, 768] : f32 -> tensor<1x768xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = tile.load %xs[%i, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
    %c = arith.mulf %x, %scale : tensor<1x768xf32>
    %b = arith.addf %c, %bs : tensor<1x768xf32>
    %m = arith.negf %b : tensor<1x768xf32>
    %e = math.exp %m : tensor<1x768xf32>
    %s = arith.addf %e, %one : tensor<1x768xf32>
    %p = arith.divf %one, %s : tensor<1x768xf32>
    %r = tile.cast %p : tensor<1x768xf32> to tensor<1x768xbf16>
    tile.store %r, %y[%i, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
  }
}

// Softplus, as max(x, 0) + log(1 + e^-|x|): neither logarithm nor sum amplifies relative errors of positive numbers.
// CHECK-LABEL: tile.kernel @softplus(
// CHECK:         math.exp %{{.*}} fastmath<afn>
// CHECK:         math.log1p %{{.*}} fastmath<afn>
tile.kernel @softplus(%xs: !tile.view<?x768xf32>) outs(%y: !tile.view<?x768xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<1x768xf32>
  %x = tile.load %xs[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %a = math.absf %x : tensor<1x768xf32>
  %m = arith.negf %a : tensor<1x768xf32>
  %e = math.exp %m : tensor<1x768xf32>
  %l = math.log1p %e : tensor<1x768xf32>
  %p = arith.maximumf %x, %zero : tensor<1x768xf32>
  %s = arith.addf %p, %l : tensor<1x768xf32>
  %r = tile.cast %s : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %r, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
}

// Near misses: added to a number of unknown sign, a softplus may cancel; the logarithm of a sum, close to 1, is small.
// CHECK-LABEL: tile.kernel @amplified(
// CHECK-NOT:     fastmath
// CHECK:         tile.store
tile.kernel @amplified(%xs: !tile.view<?x768xf32>) outs(%y: !tile.view<?x768xbf16>, %z: !tile.view<?x768xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<1x768xf32>
  %x = tile.load %xs[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %e = math.exp %x : tensor<1x768xf32>
  %l = math.log1p %e : tensor<1x768xf32>
  %s = arith.addf %x, %l : tensor<1x768xf32>
  %r = tile.cast %s : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %r, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
  %f = math.exp %x : tensor<1x768xf32>
  %fx = arith.mulf %f, %x : tensor<1x768xf32>
  %fl = math.exp %fx : tensor<1x768xf32>
  %fr = arith.addf %fl, %one : tensor<1x768xf32>
  %fs = math.log %fr : tensor<1x768xf32>
  %fc = tile.cast %fs : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %fc, %z[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
}
