// Arithmetic that flushes subnormal operands and results to zero, compared bit by bit.
// TYPES: i32:f32
!V = !tile.view<?x!T>
!M = !tile.view<?x?x!T>
!M1 = !tile.view<?x!T>
!X = tensor<16x16x!U>
!B = tensor<16x16x!T>

// CASE @add [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @add [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1048576000:1082130432 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @add [i32:f32]: 40xT=random:1:1:25165824 40xT=random:2:1:25165824 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @add [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:864026624:880803840 -> 40x40xT 40x40xT 40x40xT 40x40xT
tile.kernel @add(%a: !V, %b: !V) outs(%even: !M, %zero: !M, %down: !M, %up: !M) grid [ceildiv(dim(%even, 0), 16), ceildiv(dim(%even, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_bits = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %a_row = arith.bitcast %a_bits : tensor<16x!T> to tensor<16x!U>
  %a_col = tile.expand_dims %a_row, 1 : tensor<16x!U> -> tensor<16x1x!U>
  %a_x = tile.broadcast %a_col [16, 16] : tensor<16x1x!U> -> !X
  %b_bits = tile.load %b[%j] [16] : !V -> tensor<16x!T>
  %b_row = arith.bitcast %b_bits : tensor<16x!T> to tensor<16x!U>
  %b_x = tile.broadcast %b_row [16, 16] : tensor<16x!U> -> !X
  %nan = arith.constant dense<-1> : !B
  %r_even = tile.rounded add %a_x, %b_x mode(even) ftz : !X
  %q_even = arith.cmpf uno, %r_even, %r_even : !X
  %s_even = arith.bitcast %r_even : !X to !B
  %t_even = arith.select %q_even, %nan, %s_even : tensor<16x16xi1>, !B
  tile.store %t_even, %even[%i, %j] : !B, !M
  %r_zero = tile.rounded add %a_x, %b_x mode(zero) ftz : !X
  %q_zero = arith.cmpf uno, %r_zero, %r_zero : !X
  %s_zero = arith.bitcast %r_zero : !X to !B
  %t_zero = arith.select %q_zero, %nan, %s_zero : tensor<16x16xi1>, !B
  tile.store %t_zero, %zero[%i, %j] : !B, !M
  %r_down = tile.rounded add %a_x, %b_x mode(down) ftz : !X
  %q_down = arith.cmpf uno, %r_down, %r_down : !X
  %s_down = arith.bitcast %r_down : !X to !B
  %t_down = arith.select %q_down, %nan, %s_down : tensor<16x16xi1>, !B
  tile.store %t_down, %down[%i, %j] : !B, !M
  %r_up = tile.rounded add %a_x, %b_x mode(up) ftz : !X
  %q_up = arith.cmpf uno, %r_up, %r_up : !X
  %s_up = arith.bitcast %r_up : !X to !B
  %t_up = arith.select %q_up, %nan, %s_up : tensor<16x16xi1>, !B
  tile.store %t_up, %up[%i, %j] : !B, !M
}
// CASE @sub [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @sub [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1048576000:1082130432 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @sub [i32:f32]: 40xT=random:1:1:25165824 40xT=random:2:1:25165824 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @sub [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:864026624:880803840 -> 40x40xT 40x40xT 40x40xT 40x40xT
tile.kernel @sub(%a: !V, %b: !V) outs(%even: !M, %zero: !M, %down: !M, %up: !M) grid [ceildiv(dim(%even, 0), 16), ceildiv(dim(%even, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_bits = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %a_row = arith.bitcast %a_bits : tensor<16x!T> to tensor<16x!U>
  %a_col = tile.expand_dims %a_row, 1 : tensor<16x!U> -> tensor<16x1x!U>
  %a_x = tile.broadcast %a_col [16, 16] : tensor<16x1x!U> -> !X
  %b_bits = tile.load %b[%j] [16] : !V -> tensor<16x!T>
  %b_row = arith.bitcast %b_bits : tensor<16x!T> to tensor<16x!U>
  %b_x = tile.broadcast %b_row [16, 16] : tensor<16x!U> -> !X
  %nan = arith.constant dense<-1> : !B
  %r_even = tile.rounded sub %a_x, %b_x mode(even) ftz : !X
  %q_even = arith.cmpf uno, %r_even, %r_even : !X
  %s_even = arith.bitcast %r_even : !X to !B
  %t_even = arith.select %q_even, %nan, %s_even : tensor<16x16xi1>, !B
  tile.store %t_even, %even[%i, %j] : !B, !M
  %r_zero = tile.rounded sub %a_x, %b_x mode(zero) ftz : !X
  %q_zero = arith.cmpf uno, %r_zero, %r_zero : !X
  %s_zero = arith.bitcast %r_zero : !X to !B
  %t_zero = arith.select %q_zero, %nan, %s_zero : tensor<16x16xi1>, !B
  tile.store %t_zero, %zero[%i, %j] : !B, !M
  %r_down = tile.rounded sub %a_x, %b_x mode(down) ftz : !X
  %q_down = arith.cmpf uno, %r_down, %r_down : !X
  %s_down = arith.bitcast %r_down : !X to !B
  %t_down = arith.select %q_down, %nan, %s_down : tensor<16x16xi1>, !B
  tile.store %t_down, %down[%i, %j] : !B, !M
  %r_up = tile.rounded sub %a_x, %b_x mode(up) ftz : !X
  %q_up = arith.cmpf uno, %r_up, %r_up : !X
  %s_up = arith.bitcast %r_up : !X to !B
  %t_up = arith.select %q_up, %nan, %s_up : tensor<16x16xi1>, !B
  tile.store %t_up, %up[%i, %j] : !B, !M
}
// CASE @mul [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @mul [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1048576000:1082130432 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @mul [i32:f32]: 40xT=random:1:427819008:461373440 40xT=random:2:427819008:461373440 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @mul [i32:f32]: 40xT=random:1:1593835520:1610612736 40xT=random:2:1593835520:1610612736 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @mul [i32:f32]: 40xT=random:1:536870912:553648128 40xT=random:2:343932928:553648128 -> 40x40xT 40x40xT 40x40xT 40x40xT
tile.kernel @mul(%a: !V, %b: !V) outs(%even: !M, %zero: !M, %down: !M, %up: !M) grid [ceildiv(dim(%even, 0), 16), ceildiv(dim(%even, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_bits = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %a_row = arith.bitcast %a_bits : tensor<16x!T> to tensor<16x!U>
  %a_col = tile.expand_dims %a_row, 1 : tensor<16x!U> -> tensor<16x1x!U>
  %a_x = tile.broadcast %a_col [16, 16] : tensor<16x1x!U> -> !X
  %b_bits = tile.load %b[%j] [16] : !V -> tensor<16x!T>
  %b_row = arith.bitcast %b_bits : tensor<16x!T> to tensor<16x!U>
  %b_x = tile.broadcast %b_row [16, 16] : tensor<16x!U> -> !X
  %nan = arith.constant dense<-1> : !B
  %r_even = tile.rounded mul %a_x, %b_x mode(even) ftz : !X
  %q_even = arith.cmpf uno, %r_even, %r_even : !X
  %s_even = arith.bitcast %r_even : !X to !B
  %t_even = arith.select %q_even, %nan, %s_even : tensor<16x16xi1>, !B
  tile.store %t_even, %even[%i, %j] : !B, !M
  %r_zero = tile.rounded mul %a_x, %b_x mode(zero) ftz : !X
  %q_zero = arith.cmpf uno, %r_zero, %r_zero : !X
  %s_zero = arith.bitcast %r_zero : !X to !B
  %t_zero = arith.select %q_zero, %nan, %s_zero : tensor<16x16xi1>, !B
  tile.store %t_zero, %zero[%i, %j] : !B, !M
  %r_down = tile.rounded mul %a_x, %b_x mode(down) ftz : !X
  %q_down = arith.cmpf uno, %r_down, %r_down : !X
  %s_down = arith.bitcast %r_down : !X to !B
  %t_down = arith.select %q_down, %nan, %s_down : tensor<16x16xi1>, !B
  tile.store %t_down, %down[%i, %j] : !B, !M
  %r_up = tile.rounded mul %a_x, %b_x mode(up) ftz : !X
  %q_up = arith.cmpf uno, %r_up, %r_up : !X
  %s_up = arith.bitcast %r_up : !X to !B
  %t_up = arith.select %q_up, %nan, %s_up : tensor<16x16xi1>, !B
  tile.store %t_up, %up[%i, %j] : !B, !M
}
// CASE @div [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @div [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1048576000:1082130432 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @div [i32:f32]: 40xT=random:1:1:25165824 40xT=random:2:1048576000:1082130432 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @div [i32:f32]: 40xT=random:1:1:25165824 40xT=random:2:1249902592:1275068416 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @div [i32:f32]: 40xT=random:1:1593835520:1610612736 40xT=random:2:427819008:461373440 -> 40x40xT 40x40xT 40x40xT 40x40xT
tile.kernel @div(%a: !V, %b: !V) outs(%even: !M, %zero: !M, %down: !M, %up: !M) grid [ceildiv(dim(%even, 0), 16), ceildiv(dim(%even, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_bits = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %a_row = arith.bitcast %a_bits : tensor<16x!T> to tensor<16x!U>
  %a_col = tile.expand_dims %a_row, 1 : tensor<16x!U> -> tensor<16x1x!U>
  %a_x = tile.broadcast %a_col [16, 16] : tensor<16x1x!U> -> !X
  %b_bits = tile.load %b[%j] [16] : !V -> tensor<16x!T>
  %b_row = arith.bitcast %b_bits : tensor<16x!T> to tensor<16x!U>
  %b_x = tile.broadcast %b_row [16, 16] : tensor<16x!U> -> !X
  %nan = arith.constant dense<-1> : !B
  %r_even = tile.rounded div %a_x, %b_x mode(even) ftz : !X
  %q_even = arith.cmpf uno, %r_even, %r_even : !X
  %s_even = arith.bitcast %r_even : !X to !B
  %t_even = arith.select %q_even, %nan, %s_even : tensor<16x16xi1>, !B
  tile.store %t_even, %even[%i, %j] : !B, !M
  %r_zero = tile.rounded div %a_x, %b_x mode(zero) ftz : !X
  %q_zero = arith.cmpf uno, %r_zero, %r_zero : !X
  %s_zero = arith.bitcast %r_zero : !X to !B
  %t_zero = arith.select %q_zero, %nan, %s_zero : tensor<16x16xi1>, !B
  tile.store %t_zero, %zero[%i, %j] : !B, !M
  %r_down = tile.rounded div %a_x, %b_x mode(down) ftz : !X
  %q_down = arith.cmpf uno, %r_down, %r_down : !X
  %s_down = arith.bitcast %r_down : !X to !B
  %t_down = arith.select %q_down, %nan, %s_down : tensor<16x16xi1>, !B
  tile.store %t_down, %down[%i, %j] : !B, !M
  %r_up = tile.rounded div %a_x, %b_x mode(up) ftz : !X
  %q_up = arith.cmpf uno, %r_up, %r_up : !X
  %s_up = arith.bitcast %r_up : !X to !B
  %t_up = arith.select %q_up, %nan, %s_up : tensor<16x16xi1>, !B
  tile.store %t_up, %up[%i, %j] : !B, !M
}
// CASE @sqrt [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 -> 20xT 20xT 20xT 20xT
// CASE @sqrt [i32:f32]: 40xT=random:1:1048576000:1082130432 -> 40xT 40xT 40xT 40xT
// CASE @sqrt [i32:f32]: 40xT=random:1:1:25165824 -> 40xT 40xT 40xT 40xT
// CASE @sqrt [i32:f32]: 40xT=random:1:1:2139095039 -> 40xT 40xT 40xT 40xT
tile.kernel @sqrt(%a: !V) outs(%even: !M1, %zero: !M1, %down: !M1, %up: !M1) grid [ceildiv(dim(%even, 0), 16)] {
  %i = tile.block_id 0
  %a_bits = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %a_row = arith.bitcast %a_bits : tensor<16x!T> to tensor<16x!U>
  %nan = arith.constant dense<-1> : tensor<16x!T>
  %r_even = tile.rounded sqrt %a_row mode(even) ftz : tensor<16x!U>
  %q_even = arith.cmpf uno, %r_even, %r_even : tensor<16x!U>
  %s_even = arith.bitcast %r_even : tensor<16x!U> to tensor<16x!T>
  %t_even = arith.select %q_even, %nan, %s_even : tensor<16xi1>, tensor<16x!T>
  tile.store %t_even, %even[%i] : tensor<16x!T>, !M1
  %r_zero = tile.rounded sqrt %a_row mode(zero) ftz : tensor<16x!U>
  %q_zero = arith.cmpf uno, %r_zero, %r_zero : tensor<16x!U>
  %s_zero = arith.bitcast %r_zero : tensor<16x!U> to tensor<16x!T>
  %t_zero = arith.select %q_zero, %nan, %s_zero : tensor<16xi1>, tensor<16x!T>
  tile.store %t_zero, %zero[%i] : tensor<16x!T>, !M1
  %r_down = tile.rounded sqrt %a_row mode(down) ftz : tensor<16x!U>
  %q_down = arith.cmpf uno, %r_down, %r_down : tensor<16x!U>
  %s_down = arith.bitcast %r_down : tensor<16x!U> to tensor<16x!T>
  %t_down = arith.select %q_down, %nan, %s_down : tensor<16xi1>, tensor<16x!T>
  tile.store %t_down, %down[%i] : tensor<16x!T>, !M1
  %r_up = tile.rounded sqrt %a_row mode(up) ftz : tensor<16x!U>
  %q_up = arith.cmpf uno, %r_up, %r_up : tensor<16x!U>
  %s_up = arith.bitcast %r_up : tensor<16x!U> to tensor<16x!T>
  %t_up = arith.select %q_up, %nan, %s_up : tensor<16xi1>, tensor<16x!T>
  tile.store %t_up, %up[%i] : tensor<16x!T>, !M1
}
// CASE @fma [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @fma [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521,0,1,8388607,8388608 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @fma [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521,0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @fma [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521,0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @fma [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=-8388609,-2139095040,2143289344,1069547521,0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @fma [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1048576000:1082130432 40xT=random:3:1048576000:1082130432 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @fma [i32:f32]: 40xT=random:1:427819008:461373440 40xT=random:2:427819008:461373440 40xT=random:3:1:25165824 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @fma [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1048576000:1082130432 40xT=random:3:1249902592:1266679808 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @fma [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1048576000:1082130432 40xT=random:3:855638016:889192448 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @fma [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1:25165824 40xT=random:3:1:25165824 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @fma [i32:f32]: 40xT=random:1:1593835520:1610612736 40xT=random:2:1593835520:1610612736 40xT=random:3:2122317824:2130706432 -> 40x40xT 40x40xT 40x40xT 40x40xT
tile.kernel @fma(%a: !V, %b: !V, %c: !V) outs(%even: !M, %zero: !M, %down: !M, %up: !M) grid [ceildiv(dim(%even, 0), 16), ceildiv(dim(%even, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_bits = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %a_row = arith.bitcast %a_bits : tensor<16x!T> to tensor<16x!U>
  %a_col = tile.expand_dims %a_row, 1 : tensor<16x!U> -> tensor<16x1x!U>
  %a_x = tile.broadcast %a_col [16, 16] : tensor<16x1x!U> -> !X
  %b_bits = tile.load %b[%j] [16] : !V -> tensor<16x!T>
  %b_row = arith.bitcast %b_bits : tensor<16x!T> to tensor<16x!U>
  %b_x = tile.broadcast %b_row [16, 16] : tensor<16x!U> -> !X
  %c_bits = tile.load %c[%i] [16] : !V -> tensor<16x!T>
  %c_row = arith.bitcast %c_bits : tensor<16x!T> to tensor<16x!U>
  %c_col = tile.expand_dims %c_row, 1 : tensor<16x!U> -> tensor<16x1x!U>
  %c_x = tile.broadcast %c_col [16, 16] : tensor<16x1x!U> -> !X
  %nan = arith.constant dense<-1> : !B
  %r_even = tile.rounded fma %a_x, %b_x, %c_x mode(even) ftz : !X
  %q_even = arith.cmpf uno, %r_even, %r_even : !X
  %s_even = arith.bitcast %r_even : !X to !B
  %t_even = arith.select %q_even, %nan, %s_even : tensor<16x16xi1>, !B
  tile.store %t_even, %even[%i, %j] : !B, !M
  %r_zero = tile.rounded fma %a_x, %b_x, %c_x mode(zero) ftz : !X
  %q_zero = arith.cmpf uno, %r_zero, %r_zero : !X
  %s_zero = arith.bitcast %r_zero : !X to !B
  %t_zero = arith.select %q_zero, %nan, %s_zero : tensor<16x16xi1>, !B
  tile.store %t_zero, %zero[%i, %j] : !B, !M
  %r_down = tile.rounded fma %a_x, %b_x, %c_x mode(down) ftz : !X
  %q_down = arith.cmpf uno, %r_down, %r_down : !X
  %s_down = arith.bitcast %r_down : !X to !B
  %t_down = arith.select %q_down, %nan, %s_down : tensor<16x16xi1>, !B
  tile.store %t_down, %down[%i, %j] : !B, !M
  %r_up = tile.rounded fma %a_x, %b_x, %c_x mode(up) ftz : !X
  %q_up = arith.cmpf uno, %r_up, %r_up : !X
  %s_up = arith.bitcast %r_up : !X to !B
  %t_up = arith.select %q_up, %nan, %s_up : tensor<16x16xi1>, !B
  tile.store %t_up, %up[%i, %j] : !B, !M
}
// CASE @fma_of_rest [i32:f32]: 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 20xT=0,1,8388607,8388608,8388609,1065353216,1065353217,1065353215,1077936128,2139095040,2139095039,-2147483648,-2147483645,-2139095041,-1082130431,-8388608,-8388609,-2139095040,2143289344,1069547521 -> 20x20xT 20x20xT 20x20xT 20x20xT
// CASE @fma_of_rest [i32:f32]: 40xT=random:1:1048576000:1082130432 40xT=random:2:1048576000:1082130432 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @fma_of_rest [i32:f32]: 40xT=random:1:427819008:461373440 40xT=random:2:427819008:461373440 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @fma_of_rest [i32:f32]: 40xT=random:1:1593835520:1610612736 40xT=random:2:1568669696:1593835520 -> 40x40xT 40x40xT 40x40xT 40x40xT
// CASE @fma_of_rest [i32:f32]: 40xT=random:1:411041792:536870912 40xT=random:2:411041792:536870912 -> 40x40xT 40x40xT 40x40xT 40x40xT
tile.kernel @fma_of_rest(%a: !V, %b: !V) outs(%even: !M, %zero: !M, %down: !M, %up: !M) grid [ceildiv(dim(%even, 0), 16), ceildiv(dim(%even, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_bits = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %a_row = arith.bitcast %a_bits : tensor<16x!T> to tensor<16x!U>
  %a_col = tile.expand_dims %a_row, 1 : tensor<16x!U> -> tensor<16x1x!U>
  %a_x = tile.broadcast %a_col [16, 16] : tensor<16x1x!U> -> !X
  %b_bits = tile.load %b[%j] [16] : !V -> tensor<16x!T>
  %b_row = arith.bitcast %b_bits : tensor<16x!T> to tensor<16x!U>
  %b_x = tile.broadcast %b_row [16, 16] : tensor<16x!U> -> !X
  %p = arith.mulf %a_x, %b_x : !X
  %rest = arith.negf %p : !X
  %nan = arith.constant dense<-1> : !B
  %r_even = tile.rounded fma %a_x, %b_x, %rest mode(even) ftz : !X
  %q_even = arith.cmpf uno, %r_even, %r_even : !X
  %s_even = arith.bitcast %r_even : !X to !B
  %t_even = arith.select %q_even, %nan, %s_even : tensor<16x16xi1>, !B
  tile.store %t_even, %even[%i, %j] : !B, !M
  %r_zero = tile.rounded fma %a_x, %b_x, %rest mode(zero) ftz : !X
  %q_zero = arith.cmpf uno, %r_zero, %r_zero : !X
  %s_zero = arith.bitcast %r_zero : !X to !B
  %t_zero = arith.select %q_zero, %nan, %s_zero : tensor<16x16xi1>, !B
  tile.store %t_zero, %zero[%i, %j] : !B, !M
  %r_down = tile.rounded fma %a_x, %b_x, %rest mode(down) ftz : !X
  %q_down = arith.cmpf uno, %r_down, %r_down : !X
  %s_down = arith.bitcast %r_down : !X to !B
  %t_down = arith.select %q_down, %nan, %s_down : tensor<16x16xi1>, !B
  tile.store %t_down, %down[%i, %j] : !B, !M
  %r_up = tile.rounded fma %a_x, %b_x, %rest mode(up) ftz : !X
  %q_up = arith.cmpf uno, %r_up, %r_up : !X
  %s_up = arith.bitcast %r_up : !X to !B
  %t_up = arith.select %q_up, %nan, %s_up : tensor<16x16xi1>, !B
  tile.store %t_up, %up[%i, %j] : !B, !M
}
