// Accesses of the same memory take effect in program order, also where a tile could be computed in the memory that it is
// stored to.
// TYPES: f32 bf16
!V = !tile.view<?x!T>
!X = tensor<4x!T>

// CASE @stored_after_pointer: 4xT=1,2,3,4 -> 4xT=2,4,6,8
tile.kernel @stored_after_pointer(%a: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %i = tile.iota [4] : tensor<4xi32>
  %c3 = arith.constant dense<3> : tensor<4xi32>
  %o = arith.subi %c3, %i : tensor<4xi32>
  %x = tile.load %a[%c0] [4] : !V -> !X
  %v = arith.addf %x, %x : !X
  tile.store_at %v, %p[%o] : !X, !tile.ptr<!T>, tensor<4xi32>
  tile.store %v, %y[%c0] : !X, !V
}
// CASE @loaded_before_store: 4xT=1,2,3,4 -> 4xT=2,4,6,8 4xT=1,2,3,4
tile.kernel @loaded_before_store(%a: !V) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] [4] : !V -> !X
  tile.store %x, %y[%c0] : !X, !V
  %v = arith.addf %x, %x : !X
  %s = tile.scan add %v axis 0 : !X
  %w = tile.load %y[%c0] [4] : !V -> !X
  tile.store %v, %y[%c0] : !X, !V
  %d = arith.subf %s, %s : !X
  %u = arith.addf %w, %d : !X
  tile.store %u, %z[%c0] : !X, !V
}
// CASE @used_after_overwriting: 4xT=1,2,3,4 -> 4xT=1,2,3,4 4xT=4,6,8,2
tile.kernel @used_after_overwriting(%a: !V) outs(%y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.base %z : !V -> !tile.ptr<!T>
  %i = tile.iota [4] : tensor<4xi32>
  %c3 = arith.constant dense<3> : tensor<4xi32>
  %up = arith.addi %i, %c3 : tensor<4xi32>
  %o = arith.andi %up, %c3 : tensor<4xi32>
  %x = tile.load %a[%c0] [4] : !V -> !X
  %v = arith.addf %x, %x : !X
  tile.store %v, %y[%c0] : !X, !V
  tile.store %x, %y[%c0] : !X, !V
  tile.store_at %v, %p[%o] : !X, !tile.ptr<!T>, tensor<4xi32>
}
// Windows of the same memory.
// CASE @overlapping_windows: 4xT=1,2,3,4 -> 6xT=2,4,2,4,6,8
tile.kernel @overlapping_windows(%a: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] [4] : !V -> !X
  %v = arith.addf %x, %x : !X
  %w = tile.subview %y[0] [4] : !V -> !tile.view<4x!T>
  %u = tile.subview %y[2] [4] : !V -> !tile.view<4x!T>
  tile.store %v, %w[%c0] : !X, !tile.view<4x!T>
  tile.store %x, %u[%c0] : !X, !tile.view<4x!T>
  tile.store %v, %u[%c0] : !X, !tile.view<4x!T>
}
