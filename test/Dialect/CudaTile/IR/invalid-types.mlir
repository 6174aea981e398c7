// Errors of types.
// RUN: tilegpt-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected

// expected-error @below {{expected sizes of a tile that are powers of two, found 3 along axis 0}}
%0 = "a.value"() : () -> !cuda_tile.tile<3xf32>

// -----

// expected-error @below {{expected sizes of a tile that are powers of two, found 0 along axis 0}}
%0 = "a.value"() : () -> !cuda_tile.tile<0xf32>

// -----

// expected-error @below {{expected a tile of at most 16777216 elements, found shape [4096, 8192]}}
%0 = "a.value"() : () -> !cuda_tile.tile<4096x8192xf32>

// -----

// expected-error @below {{expected a tile of numbers or pointers, found 'index'}}
%0 = "a.value"() : () -> !cuda_tile.tile<4xindex>

// -----

// expected-error @below {{expected a tile of numbers or pointers, found 'i7'}}
%0 = "a.value"() : () -> !cuda_tile.tile<4xi7>

// -----

// expected-error @below {{expected an even number of elements in a tile of 'f4E2M1FN', which are two to a byte}}
%0 = "a.value"() : () -> !cuda_tile.tile<1xf4E2M1FN>

// -----

// expected-error @below {{expected an even number of elements in a tile of 'f4E2M1FN', which are two to a byte}}
%0 = "a.value"() : () -> !cuda_tile.tile<f4E2M1FN>

// -----

// expected-error @below {{expected static shape}}
%0 = "a.value"() : () -> !cuda_tile.tile<?xf32>

// -----

// expected-error @below {{expected a pointer to a number of i1, i8, i16, i32, i64 or a floating-point type, found 'i4'}}
%0 = "a.value"() : () -> !cuda_tile.ptr<i4>

// -----

// expected-error @below {{expected a pointer to a number of i1, i8, i16, i32, i64 or a floating-point type, found '!cuda_tile.ptr<f32>'}}
%0 = "a.value"() : () -> !cuda_tile.ptr<ptr<f32>>

// -----

// expected-error @below {{expected ','}}
%0 = "a.value"() : () -> !cuda_tile.tensor_view<4xf32>

// -----

// expected-error @below {{expected no strides in a tensor of rank 0}}
%0 = "a.value"() : () -> !cuda_tile.tensor_view<f32, strides=[1]>

// -----

// expected-error @below {{expected a positive stride, found 0}}
%0 = "a.value"() : () -> !cuda_tile.tensor_view<4xf32, strides=[0]>

// -----

// expected-error @below {{expected a positive stride, found -1}}
%0 = "a.value"() : () -> !cuda_tile.tensor_view<4xf32, strides=[-1]>

// -----

// expected-error @below {{expected as many strides as axes, 2, found 1}}
%0 = "a.value"() : () -> !cuda_tile.tensor_view<4x4xf32, strides=[1]>

// -----

// expected-error @below {{expected a positive size or '?', found 0 along axis 0}}
%0 = "a.value"() : () -> !cuda_tile.tensor_view<0xf32, strides=[1]>

// -----

// expected-error @below {{expected a tensor of numbers, found 'i4'}}
%0 = "a.value"() : () -> !cuda_tile.tensor_view<4xi4, strides=[1]>

// -----

// expected-error @below {{expected tiles of the tensor's rank, at least 1; found rank 2 of a tensor of rank 1}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4x4), tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{expected sizes of a tile that are powers of two, found 3 along axis 0}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(3), tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{expected sizes of a tile from 1 to 2147483647, found 4294967296}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4294967296), tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{expected sizes of a tile from 1 to 2147483647, found 0}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(0), tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{expected padding_value zero, neg_zero, nan, pos_inf or neg_inf, found 'one'}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4), padding_value = one, tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{expected padding zero for elements 'i32', found nan}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4), padding_value = nan, tensor_view<4xi32, strides=[1]>>

// -----

// expected-error @below {{expected either 'masked' or 'padding_value', found both}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<masked tile=(4), padding_value = nan, tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{expected a tensor_view, found 'f32'}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4), f32>

// -----

// expected-error @below {{expected tiles of the tensor's rank, at least 1; found rank 0 of a tensor of rank 0}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(), tensor_view<f32>>

// -----

// expected-error @below {{expected dim_map to name each of 1 axes once, found [1]}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>, dim_map=[1]>

// -----

// expected-error @below {{expected dim_map to name each of 2 axes once, found [0, 0]}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0, 0]>

// -----

// expected-error @below {{expected dim_map to name each of 2 axes once, found [0]}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0]>

// -----

// expected-error @below {{expected dim_map to name each of 1 axes once, found [-1]}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>, dim_map=[-1]>

// -----

// expected-error @below {{expected a tile of at most 16777216 elements, found shape [8192, 4096]}}
%0 = "a.value"() : () -> !cuda_tile.partition_view<tile=(8192x4096), tensor_view<4x4xf32, strides=[4,1]>>

// -----

// expected-error @below {{expected positive traversal_strides, found 0}}
%0 = "a.value"() : () -> !cuda_tile.strided_view<tile=(4), traversal_strides=[0], tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{expected 1 traversal_strides, found 2}}
%0 = "a.value"() : () -> !cuda_tile.strided_view<tile=(4), traversal_strides=[1, 1], tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{expected sparse_dim below the rank, 1, found 1}}
%0 = "a.value"() : () -> !cuda_tile.gather_scatter_view<tile=(4), tensor_view<4xf32, strides=[1]>, sparse_dim=1>

// -----

// expected-error @below {{expected padding zero for elements 'i8', found pos_inf}}
%0 = "a.value"() : () -> !cuda_tile.gather_scatter_view<tile=(4), padding_value = pos_inf, tensor_view<4xi8, strides=[1]>, sparse_dim=0>

// -----

// expected-error @below {{expected ','}}
%0 = "a.value"() : () -> !cuda_tile.gather_scatter_view<tile=(4), tensor_view<4xf32, strides=[1]>>

// -----

// expected-error @below {{unknown  type `nothing` in dialect `cuda_tile`}}
%0 = "a.value"() : () -> !cuda_tile.nothing

// -----

// expected-error @below {{expected a single pointer to 'f4E2M1FN', whose elements views access, found shape [1]}}
cuda_tile.testing$func @f(%p: tile<1xptr<f4E2M1FN>>) {
}
