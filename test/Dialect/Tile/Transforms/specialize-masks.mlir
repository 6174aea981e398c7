// RUN: tilegpt-opt %s --tile-specialize --split-input-file | FileCheck %s

!V = !tile.view<?x?xf32>
!W = !tile.view<?x100xf32>

// Conditions that elements in bounds of a view satisfy leave masks, in whatever form: elements out of bounds read the pad
// value anyway. The size may be that of another axis that the kernel requires to be equal.
// CHECK-LABEL: tile.kernel @bounds(
// CHECK:       tile.load %arg0[%{{.*}}] [8, 16] pad(neg_inf) : !tile.view
// CHECK:       tile.store %{{.*}}, %arg2[%{{.*}}] : tensor<8x16xf32>
// CHECK:       tile.load %arg1[%{{.*}}] [8, 16] : !tile.view
tile.kernel @bounds(%x: !V, %w: !W) outs(%y: !V)
    requires(dim(%x, 1) == dim(%w, 0), dim(%x, 0) == dim(%y, 0))
    grid [ceildiv(dim(%y, 0), 8), ceildiv(dim(%y, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c8 = arith.constant 8 : index
  %c16i = arith.constant 16 : i32
  %c0 = arith.constant 0 : index
  %rows = tile.iota [8] : tensor<8xi32>
  %columns = tile.iota [16] : tensor<16xi32>
  %i0 = arith.muli %i, %c8 : index
  %i0i = arith.index_cast %i0 : index to i32
  %i0s = tile.splat %i0i [8] : i32 -> tensor<8xi32>
  %row = arith.addi %rows, %i0s : tensor<8xi32>
  %ji = arith.index_cast %j : index to i32
  %j0i = arith.muli %ji, %c16i : i32
  %j0s = tile.splat %j0i [16] : i32 -> tensor<16xi32>
  %column = arith.addi %j0s, %columns : tensor<16xi32>
  %m = tile.dim %x, 0 : !V
  %k = tile.dim %w, 0 : !W
  %mi = arith.index_cast %m : index to i32
  %ki = arith.index_cast %k : index to i32
  %ms = tile.splat %mi [8] : i32 -> tensor<8xi32>
  %one = arith.constant dense<1> : tensor<16xi32>
  %ks = tile.splat %ki [16] : i32 -> tensor<16xi32>
  %last = arith.subi %ks, %one : tensor<16xi32>
  %in = arith.cmpi slt, %row, %ms : tensor<8xi32>
  %inc = tile.expand_dims %in, 1 : tensor<8xi1> -> tensor<8x1xi1>
  %inb = tile.broadcast %inc [8, 16] : tensor<8x1xi1> -> tensor<8x16xi1>
  %cin = arith.cmpi uge, %last, %column : tensor<16xi32>
  %cinb = tile.broadcast %cin [8, 16] : tensor<16xi1> -> tensor<8x16xi1>
  %zeros = arith.constant dense<0> : tensor<8xi32>
  %front = arith.cmpi sge, %row, %zeros : tensor<8xi32>
  %frontc = tile.expand_dims %front, 1 : tensor<8xi1> -> tensor<8x1xi1>
  %frontb = tile.broadcast %frontc [8, 16] : tensor<8x1xi1> -> tensor<8x16xi1>
  %both = arith.andi %inb, %cinb : tensor<8x16xi1>
  %all = arith.andi %frontb, %both : tensor<8x16xi1>
  %t = tile.load %x[%i, %j] [8, 16] pad(neg_inf) mask(%all : tensor<8x16xi1>) : !V -> tensor<8x16xf32>
  tile.store %t, %y[%i, %j] mask(%inb : tensor<8x16xi1>) : tensor<8x16xf32>, !V
  // The size may be a constant.
  %hundred = arith.constant dense<100> : tensor<16xi32>
  %cin2 = arith.cmpi ult, %column, %hundred : tensor<16xi32>
  %cin2b = tile.broadcast %cin2 [8, 16] : tensor<16xi1> -> tensor<8x16xi1>
  %u = tile.load %w[%c0, %j] [8, 16] mask(%cin2b : tensor<8x16xi1>) : !W -> tensor<8x16xf32>
  tile.store %u, %y[%i, %c0] : tensor<8x16xf32>, !V
}

// -----

!V = !tile.view<?x?xf32>

// Others stay: of another position, with a smaller bound, of another size.
// CHECK-LABEL: tile.kernel @others(
// CHECK:       %[[NEXT:.*]] = arith.cmpi slt
// CHECK:       %[[LESS:.*]] = arith.cmpi slt
// CHECK:       %[[OTHER:.*]] = arith.cmpi slt
// CHECK:       tile.load %{{.*}} mask(%[[NEXT]] : tensor<8xi1>)
// CHECK:       tile.load %{{.*}} mask(%[[LESS]] : tensor<8xi1>)
// CHECK:       tile.load %{{.*}} mask(%[[OTHER]] : tensor<8xi1>)
tile.kernel @others(%x: !tile.view<?xf32>, %w: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>)
    grid [ceildiv(dim(%y, 0), 8)] {
  %i = tile.block_id 0
  %c8 = arith.constant 8 : index
  %rows = tile.iota [8] : tensor<8xi32>
  %i0 = arith.muli %i, %c8 : index
  %i0i = arith.index_cast %i0 : index to i32
  %i0s = tile.splat %i0i [8] : i32 -> tensor<8xi32>
  %row = arith.addi %rows, %i0s : tensor<8xi32>
  %one = arith.constant dense<1> : tensor<8xi32>
  %after = arith.addi %row, %one : tensor<8xi32>
  %m = tile.dim %x, 0 : !tile.view<?xf32>
  %n = tile.dim %w, 0 : !tile.view<?xf32>
  %mi = arith.index_cast %m : index to i32
  %ni = arith.index_cast %n : index to i32
  %ms = tile.splat %mi [8] : i32 -> tensor<8xi32>
  %ns = tile.splat %ni [8] : i32 -> tensor<8xi32>
  %less = arith.subi %ms, %one : tensor<8xi32>
  %a = arith.cmpi slt, %after, %ms : tensor<8xi32>
  %b = arith.cmpi slt, %row, %less : tensor<8xi32>
  %c = arith.cmpi slt, %row, %ns : tensor<8xi32>
  %u = tile.load %x[%i] [8] mask(%a : tensor<8xi1>) : !tile.view<?xf32> -> tensor<8xf32>
  %v = tile.load %x[%i] [8] mask(%b : tensor<8xi1>) : !tile.view<?xf32> -> tensor<8xf32>
  %t = tile.load %x[%i] [8] mask(%c : tensor<8xi1>) : !tile.view<?xf32> -> tensor<8xf32>
  %s = arith.addf %u, %v : tensor<8xf32>
  %r = arith.addf %s, %t : tensor<8xf32>
  tile.store %r, %y[%i] : tensor<8xf32>, !tile.view<?xf32>
}
