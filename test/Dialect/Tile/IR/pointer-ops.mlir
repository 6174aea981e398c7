// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s

// CHECK-LABEL: @views
// CHECK-SAME: !tile.ptr<bf16>
func.func @views(%p: !tile.ptr<bf16>, %m: index, %s: index) {
  // CHECK: tile.view_at %{{.*}} sizes [%{{.*}}, 64] strides [%{{.*}}, 1] : !tile.ptr<bf16> -> !tile.view<?x64xbf16, strides=[?, 1]>
  %0 = tile.view_at %p sizes [%m, 64] strides [%s, 1] : !tile.ptr<bf16> -> !tile.view<?x64xbf16, strides=[?, 1]>
  // CHECK: tile.view_at %{{.*}} sizes [%{{.*}}, 64] : !tile.ptr<bf16> -> !tile.view<?x64xbf16>
  %1 = tile.view_at %p sizes [%m, 64] : !tile.ptr<bf16> -> !tile.view<?x64xbf16>
  // CHECK: tile.view_at %{{.*}} sizes [] : !tile.ptr<bf16> -> !tile.view<bf16>
  %2 = tile.view_at %p sizes [] : !tile.ptr<bf16> -> !tile.view<bf16>
  // CHECK: tile.base %{{.*}} : !tile.view<?x64xbf16> -> !tile.ptr<bf16>
  %3 = tile.base %1 : !tile.view<?x64xbf16> -> !tile.ptr<bf16>
  // CHECK: tile.assume %{{.*}} div_by 16 : !tile.ptr<bf16>
  %4 = tile.assume %p div_by 16 : !tile.ptr<bf16>
  return
}

// CHECK-LABEL: @accesses
func.func @accesses(%p: !tile.ptr<f32>, %b: !tile.ptr<i8>, %o: tensor<8xi64>, %n: tensor<8xi32>, %m: tensor<8xi1>) {
  // CHECK: %[[V:.*]] = tile.load_at %{{.*}}[%{{.*}}] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  %v = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  // CHECK: tile.load_at %{{.*}}[%{{.*}}] pad(neg_inf) mask(%{{.*}} : tensor<8xi1>) order(acquire) scope(system) : !tile.ptr<i8>, tensor<8xi32> -> tensor<8xf32>
  %1 = tile.load_at %b[%n] pad(neg_inf) mask(%m : tensor<8xi1>) order(acquire) scope(system) : !tile.ptr<i8>, tensor<8xi32> -> tensor<8xf32>
  // CHECK: tile.store_at %[[V]], %{{.*}}[%{{.*}}] mask(%{{.*}} : tensor<8xi1>) order(release) scope(block) : tensor<8xf32>, !tile.ptr<f32>, tensor<8xi64>
  tile.store_at %v, %p[%o] mask(%m : tensor<8xi1>) order(release) scope(block) : tensor<8xf32>, !tile.ptr<f32>, tensor<8xi64>
  // The default scope, device, and order of an update, relaxed, are not printed.
  // CHECK: tile.atomic_rmw add %{{.*}}[%{{.*}}], %[[V]] : !tile.ptr<f32>, tensor<8xi64>, tensor<8xf32>
  %2 = tile.atomic_rmw add %p[%o], %v order(relaxed) scope(device) : !tile.ptr<f32>, tensor<8xi64>, tensor<8xf32>
  // CHECK: tile.atomic_rmw xchg %{{.*}}[%{{.*}}], %[[V]] mask(%{{.*}} : tensor<8xi1>) order(acq_rel) : !tile.ptr<f32>, tensor<8xi64>, tensor<8xf32>
  %3 = tile.atomic_rmw xchg %p[%o], %v mask(%m : tensor<8xi1>) order(acq_rel) : !tile.ptr<f32>, tensor<8xi64>, tensor<8xf32>
  // CHECK: tile.atomic_cas %{{.*}}[%{{.*}}], %[[V]], %{{.*}} order(acquire) : !tile.ptr<f32>, tensor<8xi64>, tensor<8xf32>
  %4 = tile.atomic_cas %p[%o], %v, %3 order(acquire) : !tile.ptr<f32>, tensor<8xi64>, tensor<8xf32>
  return
}

// CHECK-LABEL: @memory
func.func @memory() {
  // CHECK: tile.data dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16> -> !tile.ptr<bf16>
  %0 = tile.data dense<[1.0, 2.0]> : tensor<2xbf16> -> !tile.ptr<bf16>
  // CHECK: tile.data shared "lock" align 64 dense<0> : tensor<1xi32> -> !tile.ptr<i32>
  %2 = tile.data shared "lock" align 64 dense<0> : tensor<1xi32> -> !tile.ptr<i32>
  // CHECK: tile.scratch 128 : !tile.ptr<i1>
  %1 = tile.scratch 128 : !tile.ptr<i1>
  return
}

// CHECK-LABEL: @addresses
func.func @addresses(%p: !tile.ptr<f32>) -> (i64, !tile.ptr<i32>) {
  // CHECK: %[[A:.*]] = tile.ptr_to_int %{{.*}} : !tile.ptr<f32>
  %0 = tile.ptr_to_int %p : !tile.ptr<f32>
  // CHECK: tile.int_to_ptr %[[A]] : !tile.ptr<i32>
  %1 = tile.int_to_ptr %0 : !tile.ptr<i32>
  return %0, %1 : i64, !tile.ptr<i32>
}
