// RUN: tilegpt-opt %s --cuda-tile-to-tile --canonicalize --cse | FileCheck %s

cuda_tile.module @kernels {
  // Sizes, strides and assumptions reach the view; tokens and index casts are dropped, so that the loop looks like that
  // of a library kernel.
  // CHECK-LABEL: tile.kernel @product(%arg0: !tile.ptr<bf16>, %arg1: !tile.ptr<bf16>, %arg2: i32, %arg3: i32)
  // CHECK-NEXT:   grid launch
  // CHECK-DAG: %[[P:.*]] = tile.assume %arg0 div_by 16 : !tile.ptr<bf16>
  // CHECK-DAG: %[[N:.*]] = tile.assume %arg2 bounded [0, 2147483647] : i32
  // CHECK-DAG: %[[S:.*]] = arith.index_castui %[[N]] : i32 to index
  // CHECK: %[[A:.*]] = tile.view_at %[[P]] sizes [128, %[[S]]] strides [%{{.*}}, 1]
  // CHECK: %[[STEPS:.*]] = tile.num_tiles %[[A]], 1 by [64]
  // CHECK: scf.for %[[K:.*]] = %c0 to %[[STEPS]] step %c1 iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<128x128xf32>) {
  // CHECK-NEXT: %[[L:.*]] = tile.load %[[A]][%[[ROW:.*]], %[[K]]] [128, 64]
  // CHECK-NEXT: tile.dot %[[L]], %[[L]], %[[ACC]] transpose_b
  entry @product(%a: tile<ptr<bf16>>, %y: tile<ptr<bf16>>, %n: tile<i32>, %s: tile<i32>) {
    %p = assume div_by<16>, %a : tile<ptr<bf16>>
    %size = assume bounded<0, ?>, %n : tile<i32>
    %x, %xy, %xz = get_tile_block_id : tile<i32>
    %av = make_tensor_view %p, shape = [128, %size], strides = [%s, 1] : tile<i32> -> tensor_view<128x?xbf16, strides=[?,1]>
    %at = make_partition_view %av : partition_view<tile=(128x64), tensor_view<128x?xbf16, strides=[?,1]>>
    %rows, %steps = get_index_space_shape %at : partition_view<tile=(128x64), tensor_view<128x?xbf16, strides=[?,1]>> -> tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %start = make_token : token
    %r, %end = for %k in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none, %t = %start) -> (tile<128x128xf32>, token) {
      %l, %done = load_view_tko weak %at[%x, %k] token = %t : partition_view<tile=(128x64), tensor_view<128x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %lt = permute %l [1, 0] : tile<128x64xbf16> -> tile<64x128xbf16>
      %d = mmaf %l, %lt, %acc : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      %both = join_tokens %t, %done : token
      continue %d, %both : tile<128x128xf32>, token
    }
    %b = ftof %r : tile<128x128xf32> -> tile<128x128xbf16>
    %ys = make_tensor_view %y, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xbf16, strides=[128,1]>
    %yt = make_partition_view %ys : partition_view<tile=(128x128), tensor_view<128x128xbf16, strides=[128,1]>>
    %k = store_view_tko weak %b, %yt[%zero, %zero] token = %end : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<128x128xbf16, strides=[128,1]>>, tile<i32> -> token
  }

  // A tile of pointers is a base and offsets; 32-bit offsets stay narrow.
  // CHECK-LABEL: tile.kernel @pointers
  // CHECK: %[[I:.*]] = tile.iota [64] : tensor<64xi32>
  // CHECK: tile.load_at %arg0[%[[I]]] pad(neg_inf) mask(%[[M:.*]] : tensor<64xi1>) : !tile.ptr<f32>, tensor<64xi32>
  entry @pointers(%a: tile<ptr<f32>>, %n: tile<i32>) {
    %i = iota : tile<64xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nn = broadcast %n1 : tile<1xi32> -> tile<64xi32>
    %m = cmpi less_than %i, %nn, signed : tile<64xi32> -> tile<64xi1>
    %a1 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %an = broadcast %a1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %p = offset %an, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %pad = constant <f32: 0xFF800000> : tile<64xf32>
    %v, %k = load_ptr_tko weak %p, %m, %pad : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token
    %s = store_ptr_tko weak %p, %v : tile<64xptr<f32>>, tile<64xf32> -> token
  }

  // So is a padding that is broadcast, which loads have a name for; others are selected.
  // CHECK-LABEL: tile.kernel @paddings
  // CHECK: %[[V:.*]] = tile.load_at %arg0[%{{.*}}] mask(%[[M:.*]] : tensor<64xi1>) : !tile.ptr<bf16>
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[M]], %[[V]],
  // CHECK: arith.addf %[[V]], %[[S]]
  entry @paddings(%a: tile<ptr<bf16>>, %n: tile<i32>) {
    %i = iota : tile<64xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nn = broadcast %n1 : tile<1xi32> -> tile<64xi32>
    %m = cmpi less_than %i, %nn, signed : tile<64xi32> -> tile<64xi1>
    %a1 = reshape %a : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %an = broadcast %a1 : tile<1xptr<bf16>> -> tile<64xptr<bf16>>
    %p = offset %an, %i : tile<64xptr<bf16>>, tile<64xi32> -> tile<64xptr<bf16>>
    %zero = constant <bf16: 0.0> : tile<bf16>
    %zero1 = reshape %zero : tile<bf16> -> tile<1xbf16>
    %zeros = broadcast %zero1 : tile<1xbf16> -> tile<64xbf16>
    %one = constant <bf16: 1.0> : tile<bf16>
    %one1 = reshape %one : tile<bf16> -> tile<1xbf16>
    %ones = broadcast %one1 : tile<1xbf16> -> tile<64xbf16>
    %v, %k = load_ptr_tko weak %p, %m, %zeros : tile<64xptr<bf16>>, tile<64xi1>, tile<64xbf16> -> tile<64xbf16>, token
    %w, %l = load_ptr_tko weak %p, %m, %ones : tile<64xptr<bf16>>, tile<64xi1>, tile<64xbf16> -> tile<64xbf16>, token
    %sum = addf %v, %w : tile<64xbf16>
    %s = store_ptr_tko weak %p, %sum : tile<64xptr<bf16>>, tile<64xbf16> -> token
  }

  // Axes of size 1 are selected, wherever they are; the rest is two-dimensional.
  // CHECK-LABEL: tile.kernel @unit_axes
  // CHECK: %[[V:.*]] = tile.view_at %arg0 sizes [4, 64, 8, 32]
  // CHECK: %[[T:.*]] = tile.transpose %[[V]] [0, 2, 1, 3]
  // CHECK: %[[W:.*]] = tile.select %[[T]][%[[X:.*]], %[[Y:.*]]] : {{.*}} -> !tile.view<64x32xf16, strides=[256, 1]>
  // CHECK: tile.load %[[W]][%{{.*}}, %{{.*}}] [16, 32]
  entry @unit_axes(%a: tile<ptr<f16>>, %y: tile<ptr<f16>>) {
    %x, %h, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %av = make_tensor_view %a, shape = [4, 64, 8, 32], strides = [16384, 256, 32, 1] : tensor_view<4x64x8x32xf16, strides=[16384,256,32,1]>
    %at = make_partition_view %av : partition_view<tile=(1x16x1x32), tensor_view<4x64x8x32xf16, strides=[16384,256,32,1]>>
    %l, %k = load_view_tko weak %at[%x, %zero, %h, %zero] : partition_view<tile=(1x16x1x32), tensor_view<4x64x8x32xf16, strides=[16384,256,32,1]>>, tile<i32> -> tile<1x16x1x32xf16>, token
    %m = reshape %l : tile<1x16x1x32xf16> -> tile<16x32xf16>
    %ys = make_tensor_view %y, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf16, strides=[32,1]>
    %yt = make_partition_view %ys : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32,1]>>
    %s = store_view_tko weak %m, %yt[%zero, %zero] : tile<16x32xf16>, partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32,1]>>, tile<i32> -> token
  }

  // A region with a single op has a name; one whose identity changes the result has none.
  // CHECK-LABEL: tile.kernel @reductions
  // CHECK: tile.reduce max %{{.*}} axis 0 nan(ignore) : tensor<8xf32> -> tensor<f32>
  // CHECK: tile.reduce %{{.*}} axis 0 identities [5.000000e+00 : f32]
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[X:.*]]: f32):
  // CHECK-NEXT: arith.subf %[[ACC]], %[[X]]
  entry @reductions(%y: tile<ptr<f32>>, %a: tile<f32>) {
    %a1 = reshape %a : tile<f32> -> tile<1xf32>
    %t = broadcast %a1 : tile<1xf32> -> tile<8xf32>
    %m = reduce %t dim=0 identities=[0xFF800000 : f32] : tile<8xf32> -> tile<f32> (%acc: tile<f32>, %x: tile<f32>) {
      %c = maxf %acc, %x : tile<f32>
      yield %c : tile<f32>
    }
    %s = reduce %t dim=0 identities=[5.0 : f32] : tile<8xf32> -> tile<f32> (%acc: tile<f32>, %x: tile<f32>) {
      %c = subf %acc, %x rounding<nearest_even> : tile<f32>
      yield %c : tile<f32>
    }
    %k = store_ptr_tko weak %y, %m : tile<ptr<f32>>, tile<f32> -> token
    %l = store_ptr_tko weak %y, %s : tile<ptr<f32>>, tile<f32> -> token
  }
  // Dots round their operands to tf32 themselves; other uses of the numbers see them rounded.
  // CHECK-LABEL: tile.kernel @tf32
  // CHECK-NOT:   arith.shrui
  // CHECK:       tile.dot %[[X:.*]], %[[X]], %{{.*}} precision(tf32)
  // CHECK:       arith.shrui
  // CHECK:       tile.dot %[[R:.*]], %[[R]], %{{.*}} precision(tf32)
  entry @tf32(%y: tile<ptr<f32>>, %a: tile<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<16x16xf32>
    %ys = make_tensor_view %y, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %yv = make_partition_view %ys : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %x, %k = load_view_tko weak %yv[%zero, %zero] : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> tile<16x16xf32>, token
    %r = ftof %x : tile<16x16xf32> -> tile<16x16xtf32>
    %d = mmaf %r, %r, %none : tile<16x16xtf32>, tile<16x16xtf32>, tile<16x16xf32>
    %s = ftof %d : tile<16x16xf32> -> tile<16x16xtf32>
    %e = mmaf %s, %s, %d : tile<16x16xtf32>, tile<16x16xtf32>, tile<16x16xf32>
    %w = ftof %s : tile<16x16xtf32> -> tile<16x16xf32>
    %sum = addf %e, %w : tile<16x16xf32>
    %l = store_view_tko weak %sum, %yv[%zero, %zero] token = %k : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
  }
  // Undefined accesses compile: the code may be dead.
  // CHECK-LABEL: tile.kernel @undefined
  // CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-DAG:   %[[ONE:.*]] = arith.constant 1 : index
  // CHECK-DAG:   tile.scratch 1 : !tile.ptr<f32>
  // CHECK-DAG:   %[[THREE:.*]] = arith.constant 3 : index
  // CHECK-DAG:   tile.subview %{{.*}} [0, %[[THREE]]]
  // CHECK:       %[[PIECE:.*]] = tile.extract %{{.*}}[%[[ONE]], %[[ZERO]]] [4, 8]
  // CHECK:       tile.insert %[[PIECE]] into %{{.*}}[%[[ZERO]], %[[ZERO]]]
  entry @undefined(%p: tile<ptr<f32>>, %c: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %minus = constant <i32: -1> : tile<i32>
    %v = make_tensor_view %p, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf32, strides=[16,1]>
    %tiles = make_partition_view %v : partition_view<tile=(8x16), tensor_view<8x16xf32, strides=[16,1]>>
    %x, %k = load_view_tko weak %tiles[%zero, %zero] : partition_view<tile=(8x16), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> tile<8x16xf32>, token
    if %c {
      %none = alloca num_elem = 0, alignment = 4 : tile<ptr<f32>>
      %e, %t = load_ptr_tko weak %none : tile<ptr<f32>> -> tile<f32>, token
      %s = store_ptr_tko weak %p, %e : tile<ptr<f32>>, tile<f32> -> token
      %strided = make_strided_view %v : strided_view<tile=(4x2), traversal_strides=[3,3], tensor_view<8x16xf32, strides=[16,1]>>
      %far = constant <i64: -1> : tile<i64>
      %near = constant <i64: 1> : tile<i64>
      %w, %u = load_view_tko weak %strided[%far, %near] : strided_view<tile=(4x2), traversal_strides=[3,3], tensor_view<8x16xf32, strides=[16,1]>>, tile<i64> -> tile<4x2xf32>, token
      %piece = extract %x[%one, %two] : tile<8x16xf32> -> tile<4x8xf32>
      %z = insert %w, %x[%zero, %zero] : tile<4x2xf32>, tile<8x16xf32>
      %y = insert %piece, %z[%minus, %zero] : tile<4x8xf32>, tile<8x16xf32>
      %l = store_view_tko weak %y, %tiles[%zero, %zero] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> token
    }
  }
  // A view may begin before its pointer.
  // CHECK-LABEL: tile.kernel @before
  // CHECK-DAG:   %[[BYTES:.*]] = arith.constant -12 : i64
  // CHECK-DAG:   %[[P:.*]] = tile.ptr_to_int %arg0
  // CHECK:       %[[AT:.*]] = arith.addi %[[P]], %[[BYTES]]
  // CHECK:       %[[FROM:.*]] = tile.int_to_ptr %[[AT]]
  // CHECK:       tile.view_at %[[FROM]] sizes [4]
  entry @before(%p: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %minus = constant <i32: -1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %distance = muli %minus, %three : tile<i32>
    %from = offset %p, %distance : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v = make_tensor_view %from, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %vt = make_partition_view %v : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %x, %k = load_view_tko weak %vt[%zero] : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %w = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %wt = make_partition_view %w : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %l = store_view_tko weak %x, %wt[%zero] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
  }
}
