// RUN: tilegpt-opt %s --cuda-tile-to-tile | FileCheck %s

// Pointers with accesses that tokens order, one of which writes, are in one class. Classes are given only if they say
// more than that one written pointer has no aliases.

cuda_tile.module @tokens {
  // Reads before a write that no token orders.
  // CHECK-LABEL: tile.kernel @apart
  // CHECK-NOT:   alias_classes
  entry @apart(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %root = make_token : token
    %v, %k = load_ptr_tko weak %x token = %root : tile<ptr<i32>> -> tile<i32>, token
    %s = store_ptr_tko weak %y, %v token = %root : tile<ptr<i32>>, tile<i32> -> token
  }
  // CHECK-LABEL: tile.kernel @reads
  // CHECK-NOT:   alias_classes
  entry @reads(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %z: tile<ptr<i32>>) {
    %v, %k = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %w, %l = load_ptr_tko weak %y token = %k : tile<ptr<i32>> -> tile<i32>, token
    %s = store_ptr_tko weak %z, %v : tile<ptr<i32>>, tile<i32> -> token
  }
  // CHECK-LABEL: tile.kernel @ordered
  // CHECK:       tile.alias_classes = array<i64: 0, 0>
  entry @ordered(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %s = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
    %v, %k = load_ptr_tko weak %y token = %s : tile<ptr<i32>> -> tile<i32>, token
    %t = store_ptr_tko weak %x, %v token = %k : tile<ptr<i32>>, tile<i32> -> token
  }
  // Two written pointers that are not ordered with each other: each is in its own class.
  // CHECK-LABEL: tile.kernel @two
  // CHECK:       tile.alias_classes = array<i64: 0, 1, 2>
  entry @two(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %z: tile<ptr<i32>>) {
    %v, %k = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %s = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
    %t = store_ptr_tko weak %z, %v : tile<ptr<i32>>, tile<i32> -> token
  }
  // A loop-carried token, and one after a branch and a join.
  // CHECK-LABEL: tile.kernel @carried
  // CHECK:       tile.alias_classes = array<i64: 0, 0, 2, 0
  entry @carried(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %z: tile<ptr<i32>>, %u: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %root = make_token : token
    %last = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%before = %root) -> (token) {
      %v, %k = load_ptr_tko weak %y token = %before : tile<ptr<i32>> -> tile<i32>, token
      %s = store_ptr_tko weak %x, %v token = %root : tile<ptr<i32>>, tile<i32> -> token
      continue %s : token
    }
    %w, %l = load_ptr_tko weak %z token = %root : tile<ptr<i32>> -> tile<i32>, token
    %both = join_tokens %last, %root : token
    %after = if %c -> (token) {
      yield %both : token
    } else {
      yield %root : token
    }
    %r, %q = load_ptr_tko weak %u token = %after : tile<ptr<i32>> -> tile<i32>, token
  }
  // A loop-carried pointer may be any, if a token leads there.
  // CHECK-LABEL: tile.kernel @unknown
  // CHECK:       tile.alias_classes = array<i64: 0, -1, 2>
  entry @unknown(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %root = make_token : token
    %end, %last = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%p = %x, %before = %root) -> (tile<ptr<i32>>, token) {
      %s = store_ptr_tko weak %p, %one token = %before : tile<ptr<i32>>, tile<i32> -> token
      %next = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      continue %next, %s : tile<ptr<i32>>, token
    }
    %v, %l = load_ptr_tko weak %y token = %last : tile<ptr<i32>> -> tile<i32>, token
  }
  // Loads of views are settled if no token orders them after a write, or after a load that may wait for another block.
  // CHECK-LABEL: tile.kernel @settled
  // CHECK:       tile.load {{.*}} {tile.settled}
  // CHECK:       tile.load
  // CHECK-NOT:   tile.settled
  // CHECK-SAME:  !tile.view
  // CHECK:       tile.load_at {{.*}} order(acquire)
  // CHECK:       tile.load
  // CHECK-NOT:   tile.settled
  // CHECK-SAME:  !tile.view
  entry @settled(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %root = make_token : token
    %xs = make_tensor_view %x, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %xv = make_partition_view %xs : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %v, %k = load_view_tko weak %xv[%zero] token = %root : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %s = store_view_tko weak %v, %xv[%zero] token = %k : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
    %w, %l = load_view_tko weak %xv[%zero] token = %s : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %f, %g = load_ptr_tko acquire device %y token = %root : tile<ptr<i32>> -> tile<i32>, token
    %u, %m = load_view_tko weak %xv[%zero] token = %g : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %sum = addi %w, %u : tile<8xi32>
    %e = store_view_tko weak %sum, %xv[%zero] token = %m : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}
