// Bit-counting functions of the math dialect.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>

// CASE @counts [i8]: 5xT=0,1,-1,6,-128 -> 5xT=0,1,8,2,1 5xT=8,7,0,5,0 5xT=8,0,0,1,7
// CASE @counts [i16]: 5xT=0,1,-1,6,-128 -> 5xT=0,1,16,2,9 5xT=16,15,0,13,0 5xT=16,0,0,1,7
// CASE @counts [i32]: 5xT=0,1,-1,6,-128 -> 5xT=0,1,32,2,25 5xT=32,31,0,29,0 5xT=32,0,0,1,7
// CASE @counts [i64]: 5xT=0,1,-1,6,-128 -> 5xT=0,1,64,2,57 5xT=64,63,0,61,0 5xT=64,0,0,1,7
tile.kernel @counts(%a: !V) outs(%p: !V, %l: !V, %t: !V) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i] [5] : !V -> tensor<5x!T>
  %1 = math.ctpop %0 : tensor<5x!T>
  %2 = math.ctlz %0 : tensor<5x!T>
  %3 = math.cttz %0 : tensor<5x!T>
  tile.store %1, %p[%i] : tensor<5x!T>, !V
  tile.store %2, %l[%i] : tensor<5x!T>, !V
  tile.store %3, %t[%i] : tensor<5x!T>, !V
}
