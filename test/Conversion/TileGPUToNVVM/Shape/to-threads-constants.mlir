// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

// Non-splat constants are in global memory, shared by equal tiles; an i1 takes a byte. Past the end of the tile a
// thread reads the last element.
#l = #tile_gpu.layout<registers = [], lanes = [d1:4*1, d0:8*1], warps = []>
#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// CHECK-DAG:   llvm.mlir.global internal constant @[[BITS:.*]](dense<[1, 0, 0, 1, 1, 0]> : tensor<6xi8>) {addr_space = 1 : i32
// CHECK-DAG:   llvm.mlir.global internal constant @[[NUMBERS:.*]](dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<6xf32>) {addr_space = 1 : i32
// CHECK-DAG:   llvm.mlir.global internal constant @{{.*}}(dense<[4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00]> : tensor<4xf32>) {addr_space = 1 : i32
// CHECK-NOT:   llvm.mlir.global internal
// CHECK-LABEL: func.func @constants(
// CHECK-DAG:     %[[N:.*]] = llvm.mlir.addressof @[[NUMBERS]]
// CHECK-DAG:     %[[B:.*]] = llvm.mlir.addressof @[[BITS]]
// CHECK:         %[[I:.*]] = arith.minui %{{.*}}, %c5
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[N]]
// CHECK:         llvm.load %[[AT]] : !llvm.ptr<1> -> f32
// CHECK:         %[[BIT:.*]] = llvm.getelementptr %[[B]]
// CHECK:         %[[BYTE:.*]] = llvm.load %[[BIT]] : !llvm.ptr<1> -> i8
// CHECK:         arith.cmpi ne, %[[BYTE]]
tile.kernel @constants() grid [1] attributes {tile_gpu.plan = #plan} {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32, #l>
  %b = arith.constant dense<[[true, false, false], [true, true, false]]> : tensor<2x3xi1, #l>
  %c = arith.constant dense<2.0> : tensor<2x3xf32, #l>
  %d = arith.cmpf olt, %a, %c : tensor<2x3xf32, #l>
  %e = arith.andi %b, %d : tensor<2x3xi1, #l>
  tile.assert %e, "used" : tensor<2x3xi1, #l>
}

// Constants behind pointers are stored like those of tiles.
// CHECK-LABEL: func.func @data(
// CHECK:         %[[P:.*]] = llvm.mlir.addressof @{{.*}} : !llvm.ptr<1>
// CHECK:         llvm.load
#v = #tile_gpu.layout<registers = [], lanes = [d0:4*1, rep:8], warps = []>
tile.kernel @data() outs(%y: !tile.view<4xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %i = tile.block_id 0
  %p = tile.data dense<[4.0, 5.0, 6.0, 7.0]> : tensor<4xf32> -> !tile.ptr<f32>
  %o = tile.iota [4] : tensor<4xi32, #v>
  %t = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<4xi32, #v> -> tensor<4xf32, #v>
  tile.store %t, %y[%i] : tensor<4xf32, #v>, !tile.view<4xf32>
}
