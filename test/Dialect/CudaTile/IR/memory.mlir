// Every op on views, pointers, globals and tokens, in custom and generic form.
// RUN: tilegpt-opt %s | FileCheck %s
// RUN: tilegpt-opt %s > %t.short
// RUN: tilegpt-opt %t.short | diff %t.short -
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | diff %t.short -

// Hints may have a name.
#hints = #cuda_tile.optimization_hints<sm_90 = {latency = 4 : i32}>

cuda_tile.module @memory {
  // CHECK: global @table alignment = 16 <f32: [1.000000e+00, 2.000000e+00]> : tile<2xf32>
  global @table alignment = 16 <f32: [1.0, 2.0]> : tile<2xf32>
  // CHECK: global @zeros <i1: false> : tile<16xi1>
  global @zeros <i1: false> : tile<16xi1>

  // CHECK-LABEL: entry @views
  entry @views(%p: tile<ptr<f32>>, %n: tile<i64>, %i: tile<i32>) {
    // CHECK: make_tensor_view %{{.*}}, shape = [%{{.*}}, 64], strides = [%{{.*}}, 1] : tile<i64> -> tensor_view<?x64xf32, strides=[?,1]>
    %v = make_tensor_view %p, shape = [%n, 64], strides = [%n, 1] : tile<i64> -> tensor_view<?x64xf32, strides=[?,1]>
    // CHECK-NEXT: make_tensor_view %{{.*}}, shape = [], strides = [] : tensor_view<f32>
    %scalar = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
    // CHECK-NEXT: get_tensor_shape %{{.*}} : tensor_view<?x64xf32, strides=[?,1]> -> tile<i32>
    %s:2 = get_tensor_shape %v : tensor_view<?x64xf32, strides=[?,1]> -> tile<i32>
    // CHECK-NEXT: make_partition_view %{{.*}} : partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>
    %t = make_partition_view %v : partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>
    // CHECK-NEXT: get_index_space_shape
    %g:2 = get_index_space_shape %t : partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]> -> tile<i64>
    // CHECK-NEXT: make_token : token
    %k = make_token : token
    // CHECK-NEXT: load_view_tko weak %{{.*}}[%{{.*}}, %{{.*}}] token = %{{.*}} optimization_hints = <sm_90 = {allow_tma = false, latency = 3 : i32}> : partition_view<{{.*}}>, tile<i32> -> tile<8x16xf32>, token
    %x, %k1 = load_view_tko weak %t[%i, %i] token = %k optimization_hints = <sm_90 = {allow_tma = false, latency = 3 : i32}> : partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<8x16xf32>, token
    // CHECK-NEXT: load_view_tko acquire device %{{.*}}[%{{.*}}, %{{.*}}] : partition_view<{{.*}}>, tile<i64> -> tile<8x16xf32>, token
    %y, %k2 = load_view_tko acquire device %t[%n, %n] : partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i64>, tile<i64> -> tile<8x16xf32>, token
    // CHECK-NEXT: join_tokens %{{.*}}, %{{.*}} : token
    %k3 = join_tokens %k1, %k2 : token
    // CHECK-NEXT: store_view_tko release sys %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token = %{{.*}} : tile<8x16xf32>, partition_view<{{.*}}>, tile<i32> -> token
    %k4 = store_view_tko release sys %x, %t[%i, %i] token=%k3 : tile<8x16xf32>, partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @pointers
  entry @pointers(%p: tile<ptr<i32>>) {
    %i = iota : tile<8xi32>
    %m = constant <i1: true> : tile<8xi1>
    %r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<8xptr<i32>>
    // CHECK: offset %{{.*}}, %{{.*}} : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %q = offset %b, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    // CHECK-NEXT: load_ptr_tko weak %{{.*}} : tile<8xptr<i32>> -> tile<8xi32>, token
    %0, %k0 = load_ptr_tko weak %q : tile<8xptr<i32>> -> tile<8xi32>, token
    // CHECK-NEXT: load_ptr_tko relaxed tl_blk %{{.*}}, %{{.*}}, %{{.*}} token=%{{.*}} optimization_hints = <default = {latency = 2 : i32}> : tile<8xptr<i32>>, tile<8xi1>, tile<8xi32> -> tile<8xi32>, token
    %1, %k1 = load_ptr_tko relaxed tl_blk %q, %m, %i token=%k0 optimization_hints = <default = {latency = 2 : i32}> : tile<8xptr<i32>>, tile<8xi1>, tile<8xi32> -> tile<8xi32>, token
    // CHECK-NEXT: store_ptr_tko weak %{{.*}}, %{{.*}}, %{{.*}} token=%{{.*}} : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> token
    %k2 = store_ptr_tko weak %q, %1, %m token = %k1 : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> token
    // CHECK-NEXT: load_ptr_tko weak %{{.*}} optimization_hints = <sm_90 = {latency = 4 : i32}> :
    %4, %k5 = load_ptr_tko weak %q optimization_hints = #hints : tile<8xptr<i32>> -> tile<8xi32>, token
    // CHECK-NEXT: store_ptr_tko weak %{{.*}}, %{{.*}} optimization_hints = <sm_90 = {latency = 4 : i32}> :
    %k6 = store_ptr_tko weak %q, %4 optimization_hints = #hints : tile<8xptr<i32>>, tile<8xi32> -> token
    // CHECK-NEXT: atomic_rmw_tko relaxed device %{{.*}}, add, %{{.*}}, %{{.*}} token=%{{.*}} : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> tile<8xi32>, token
    %2, %k3 = atomic_rmw_tko relaxed device %q, add, %i, %m token=%k2 : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> tile<8xi32>, token
    // CHECK-NEXT: atomic_cas_tko acq_rel sys %{{.*}}, %{{.*}}, %{{.*}} : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
    %3, %k4 = atomic_cas_tko acq_rel sys %q, %i, %0 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
    // CHECK-NEXT: get_global @table : tile<ptr<f32>>
    %5 = get_global @table : tile<ptr<f32>>
  }
}

// Since 13.3.
cuda_tile.module @memory_13_3 {
  // CHECK: global private constant @powers <i32: [1, 2, 4, 8]> : tile<4xi32>
  global private constant @powers <i32: [1, 2, 4, 8]> : tile<4xi32>
  // CHECK-LABEL: entry @younger
  entry @younger(%p: tile<ptr<f32>>, %i: tile<i32>) {
    // CHECK: alloca num_elem = 16, alignment = 8 global : tile<ptr<f32>>
    %a = alloca num_elem = 16, alignment = 8 global : tile<ptr<f32>>
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    // CHECK: make_strided_view %{{.*}} : strided_view<tile=(8), traversal_strides=[4], tensor_view<64xf32, strides=[1]>>
    %s = make_strided_view %v : strided_view<tile=(8), traversal_strides=[4], tensor_view<64xf32, strides=[1]>>
    // CHECK-NEXT: make_gather_scatter_view %{{.*}} : gather_scatter_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>, sparse_dim=0>
    %g = make_gather_scatter_view %v : gather_scatter_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>, sparse_dim=0>
    %rows = iota : tile<8xi32>
    %x, %k = load_view_tko weak %g[%rows] : gather_scatter_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>, sparse_dim=0>, tile<8xi32> -> tile<8xf32>, token
    // CHECK: atomic_red_view_tko relaxed device %{{.*}}[%{{.*}}], addf, %{{.*}} token = %{{.*}} : tile<8xf32>, strided_view<{{.*}}>, tile<i32> -> token
    %k1 = atomic_red_view_tko relaxed device %s[%i], addf, %x token = %k : tile<8xf32>, strided_view<tile=(8), traversal_strides=[4], tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    %v2 = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %t2 = make_partition_view %v2 : partition_view<tile=(1x8), tensor_view<8x8xf32, strides=[8,1]>>
    %j = constant <i64: 0> : tile<i64>
    %x2 = reshape %x : tile<8xf32> -> tile<1x8xf32>
    // CHECK: atomic_red_view_tko relaxed device %{{.*}}[%{{.*}}, %{{.*}}], addf, %{{.*}} : tile<1x8xf32>, partition_view<{{.*}}>, tile<i32>, tile<i64> -> token
    %k2 = atomic_red_view_tko relaxed device %t2[%i, %j], addf, %x2 : tile<1x8xf32>, partition_view<tile=(1x8), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32>, tile<i64> -> token
  }
}

// Since 13.4.
cuda_tile.module @memory_13_4 {
  // CHECK-LABEL: entry @younger
  entry @younger(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %t = make_partition_view %v : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // CHECK: gdc_wait_tko -> token
    %k = gdc_wait_tko -> token
    // CHECK-NEXT: load_view_tko weak %{{.*}}[%{{.*}}] token = %{{.*}} inbounds = [true] :
    %x, %k1 = load_view_tko weak %t[%i] inbounds = [true] token = %k : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    // CHECK-NEXT: store_view_tko weak %{{.*}}, %{{.*}}[%{{.*}}] inbounds = [true] :
    %k2 = store_view_tko weak %x, %t[%i] inbounds = [true] : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    // A list of only false is the default; bytecode does not tell the two apart.
    // CHECK-NEXT: store_view_tko weak %{{[^ ]*}}, %{{[^ ]*}}[%{{[^ ]*}}] : tile<8xf32>,
    store_view_tko weak %x, %t[%i] inbounds = [false] : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    // CHECK-NEXT: memory_fence_alias_tko %{{[0-9]+$}}
    %k3 = memory_fence_alias_tko %k2
    // CHECK-NEXT: gdc_launch_dependents_tko token = %{{.*}} -> token
    %k4 = gdc_launch_dependents_tko token = %k3 -> token
  }
  // CHECK-LABEL: entry @classes(%{{.*}}: tile<ptr<f32, <none>>>, %{{.*}}: tile<ptr<f32, <none>>>)
  entry @classes(%p: tile<ptr<f32, <none>>>, %q: !cuda_tile.tile<!cuda_tile.ptr<f32, #cuda_tile.ptr_attr<none>>>) {
    // CHECK: make_tensor_view %{{.*}}, shape = [64], strides = [1] : tile<ptr<f32, <none>>> -> tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<none>>
    %v = make_tensor_view %p, shape = [64], strides = [1] : tile<ptr<f32, <none>>> -> tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<none>>
  }
}

// Since 13.5.
cuda_tile.module @memory_13_5 {
  // CHECK-LABEL: entry @younger
  entry @younger(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %t = make_partition_view %v : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %x = constant <f32: 1.0> : tile<8xf32>
    // CHECK: atomic_red_view_tko relaxed tl_blk %{{.*}}[%{{.*}}], addf, %{{.*}} inbounds = [true] :
    %k3 = atomic_red_view_tko relaxed tl_blk %t[%i], addf, %x inbounds = [true] : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @multicast(%{{.*}}: tile<ptr<f16, <multicast>>>, %{{.*}}: tile<i32>)
  entry @multicast(%p: tile<ptr<f16, <multicast>>>, %i: tile<i32>) {
    // CHECK: make_tensor_view %{{.*}}, shape = [%{{.*}}, 64], strides = [64, 1] : tile<ptr<f16, <multicast>>>, tile<i32> -> tensor_view<?x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %v = make_tensor_view %p, shape = [%i, 64], strides = [64, 1] : tile<ptr<f16, <multicast>>>, tile<i32> -> tensor_view<?x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    // The type of the pointer is optional.
    // CHECK-NEXT: make_tensor_view %{{.*}}, shape = [%{{.*}}, 64], strides = [64, 1] : tile<ptr<f16, <multicast>>>, tile<i32> -> tensor_view<?x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %v2 = make_tensor_view %p, shape = [%i, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1], <multicast>>
    // CHECK-NEXT: make_tensor_view %{{.*}}, shape = [], strides = [] : tile<ptr<f16, <multicast>>> -> tensor_view<f16, #cuda_tile.ptr_attr<multicast>>
    %v0 = make_tensor_view %p, shape = [], strides = [] : tile<ptr<f16, <multicast>>> -> tensor_view<f16, #cuda_tile.ptr_attr<multicast>>
    %t = make_partition_view %v : partition_view<tile=(8x2), tensor_view<?x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    // CHECK: multimem_load_reduce_view_tko relaxed device %{{[^ ]*}}[%{{[^ ]*}}, %{{[^ ]*}}] : partition_view<{{.*}}>, tile<i32> -> tile<8x2xf16>, token
    %x, %k = multimem_load_reduce_view_tko relaxed device %t[%i, %i] : partition_view<tile=(8x2), tensor_view<?x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, tile<i32> -> tile<8x2xf16>, token
    // CHECK-NEXT: multimem_load_reduce_view_tko weak %{{[^ ]*}}[%{{[^ ]*}}, %{{[^ ]*}}] token = %{{[^ ]*}} attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<{{.*}}>, tile<i32>, token -> tile<8x2xf16>, token
    %m, %k1 = multimem_load_reduce_view_tko weak %t[%i, %i] token = %k attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8x2), tensor_view<?x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<8x2xf16>, token
    // CHECK-NEXT: multimem_reduce_view_tko release sys %{{[^ ]*}}, %{{[^ ]*}}[%{{[^ ]*}}, %{{[^ ]*}}] token = %{{[^ ]*}} inbounds = [true, false] : partition_view<{{.*}}>, tile<8x2xf16>, tile<i32>, token -> token
    %k2 = multimem_reduce_view_tko release sys %t, %x[%i, %i] token = %k1 inbounds = [true, false] : partition_view<tile=(8x2), tensor_view<?x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x2xf16>, tile<i32>, token -> token
    // CHECK-NEXT: multimem_store_view_tko weak %{{[^ ]*}}, %{{[^ ]*}}[%{{[^ ]*}}, %{{[^ ]*}}] : partition_view<{{.*}}>, tile<8x2xf16>, tile<i32> -> token
    %k3 = multimem_store_view_tko weak %t, %x[%i, %i] : partition_view<tile=(8x2), tensor_view<?x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x2xf16>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @unicast
  entry @unicast(%p: tile<ptr<i32, <unicast>>>, %i: tile<i32>) {
    // CHECK: offset %{{.*}}, %{{.*}} : tile<ptr<i32, <unicast>>>, tile<i32> -> tile<ptr<i32, <unicast>>>
    %q = offset %p, %i : tile<ptr<i32, <unicast>>>, tile<i32> -> tile<ptr<i32, <unicast>>>
    // CHECK-NEXT: atomic_cas_tko acq_rel sys %{{.*}} : tile<ptr<i32, <unicast>>>, tile<i32> -> tile<i32>, token
    %x, %k = atomic_cas_tko acq_rel sys %q, %i, %i : tile<ptr<i32, <unicast>>>, tile<i32> -> tile<i32>, token
    // CHECK-NEXT: ptr_to_ptr %{{.*}} : tile<ptr<i32, <unicast>>> -> tile<ptr<f32, <multicast>>>
    %m = ptr_to_ptr %q : tile<ptr<i32, <unicast>>> -> tile<ptr<f32, <multicast>>>
  }
}

// Before 13.1: `masked` pads with zero.
cuda_tile.module @memory_before_13_1 {
  // CHECK-LABEL: entry @masked
  entry @masked(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64,1]>
    // CHECK: make_partition_view %{{.*}} : partition_view<tile=(8x16), padding_value = zero, tensor_view<8x64xf32, strides=[64,1]>>
    %t = make_partition_view %v : partition_view<masked tile=(8x16), tensor_view<8x64xf32, strides=[64,1]>, dim_map=[0, 1]>
  }
}
