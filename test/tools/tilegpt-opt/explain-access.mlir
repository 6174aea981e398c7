// Remarks on accesses that move few bytes at a time, with what limits them.
// RUN: tilegpt-opt %s --emit=ptx --explain -o /dev/null 2>&1 | grep 'remark: .*\(load\|store\)' | FileCheck %s
// RUN: tilegpt-opt %s --function=wide --emit=ptx --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=' at a time'
// RUN: tilegpt-opt %s --function=small --emit=ptx --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=' at a time'
// NONE: remark: {{.*}}: plan:

// CHECK-DAG: :[[# @LINE + 6]]:8: remark: @rows: load missed: 4 bytes at a time: rows are not known to be multiples of 16 bytes; make the size of the last axis of the view static, and such a multiple
// CHECK-DAG: :[[# @LINE + 7]]:3: remark: @rows: store missed: 4 bytes at a time: rows of 4012 bytes are not multiples of 16; pad them
tile.kernel @rows(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x1003xf32>) params {BM = 8, BN = 256}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %0 = tile.load %x[%m, %n] [BM, BN] : !tile.view<?x?xf32> -> tensor<?x?xf32>
  %1 = math.exp %0 : tensor<?x?xf32>
  tile.store %1, %y[%m, %n] : tensor<?x?xf32>, !tile.view<?x1003xf32>
}

// CHECK-DAG: :[[# @LINE + 5]]:8: remark: @picked: load missed: 1 byte at a time: an index tile selects the elements, whose positions are not known to be adjacent
tile.kernel @picked(%x: !tile.view<?x1024xi8>, %i: !tile.view<1024xi32>) outs(%y: !tile.view<?x1024xi8>) grid [ceildiv(dim(%y, 0), 8)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %i[%c0] [1024] : !tile.view<1024xi32> -> tensor<1024xi32>
  %0 = tile.gather %x[%m] at %t axis 1 [8, 1024] : !tile.view<?x1024xi8>, tensor<1024xi32> -> tensor<8x1024xi8>
  tile.store %0, %y[%m, %c0] : tensor<8x1024xi8>, !tile.view<?x1024xi8>
}

// CHECK-DAG: :[[# @LINE + 6]]:8: remark: @starts: load missed: 2 bytes at a time: the view is not known to start at a multiple of 16 bytes; tile.assume states what divides an offset or a pointer
tile.kernel @starts(%x: !tile.view<?xbf16>, %from: index) outs(%y: !tile.view<?xbf16>) requires(dim(%x, 0) == dim(%y, 0) + %from)
    grid [ceildiv(dim(%y, 0), 2048)] {
  %b = tile.block_id 0
  %n = tile.dim %y, 0 : !tile.view<?xbf16>
  %w = tile.subview %x[%from] [%n] : !tile.view<?xbf16> -> !tile.view<?xbf16>
  %0 = tile.load %w[%b] [2048] : !tile.view<?xbf16> -> tensor<2048xbf16>
  %1 = arith.addf %0, %0 : tensor<2048xbf16>
  tile.store %1, %y[%b] : tensor<2048xbf16>, !tile.view<?xbf16>
}

// CHECK-DAG: :[[# @LINE + 7]]:8: remark: @across: load missed: 4 bytes at a time: no axis of more than one element is contiguous in memory
tile.kernel @across(%x: !tile.view<?x64xf32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 1024)] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %n = tile.dim %x, 0 : !tile.view<?x64xf32>
  %p = tile.base %x : !tile.view<?x64xf32> -> !tile.ptr<f32>
  %v = tile.view_at %p sizes [%n] strides [64] : !tile.ptr<f32> -> !tile.view<?xf32, strides=[64]>
  %0 = tile.load %v[%b] [1024] : !tile.view<?xf32, strides=[64]> -> tensor<1024xf32>
  tile.store %0, %y[%b] : tensor<1024xf32>, !tile.view<?xf32>
}

// CHECK-DAG: :[[# @LINE + 7]]:8: remark: @offsets: load missed: 4 bytes at a time: pointer, offsets and mask are not known to suit vectors of 16 bytes; tile.assume states what divides a size, an offset or a pointer
// CHECK-DAG: :[[# @LINE + 7]]:3: remark: @offsets: store missed: 4 bytes at a time: its offsets are not known to advance by one along an axis
tile.kernel @offsets(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) grid launch {
  %i = tile.iota [1024] : tensor<1024xi32>
  %s = tile.splat %n [1024] : i32 -> tensor<1024xi32>
  %o = arith.addi %i, %s : tensor<1024xi32>
  %q = arith.muli %i, %s : tensor<1024xi32>
  %0 = tile.load_at %x[%o] : !tile.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  tile.store_at %0, %y[%q] : tensor<1024xf32>, !tile.ptr<f32>, tensor<1024xi32>
}

tile.kernel @wide(%x: !tile.view<?x1024xf32>) outs(%y: !tile.view<?x1024xf32>) grid [ceildiv(dim(%y, 0), 4)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%m, %c0] [4, 1024] : !tile.view<?x1024xf32> -> tensor<4x1024xf32>
  tile.store %0, %y[%m, %c0] : tensor<4x1024xf32>, !tile.view<?x1024xf32>
}

// Threads that move one element each do not need wider accesses.
tile.kernel @small(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [ceildiv(dim(%y, 0), 4), ceildiv(dim(%y, 1), 32)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %0 = tile.load %x[%m, %n] [4, 32] : !tile.view<?x?xf32> -> tensor<4x32xf32>
  tile.store %0, %y[%m, %n] : tensor<4x32xf32>, !tile.view<?x?xf32>
}
