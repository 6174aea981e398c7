// Integers to floats (rounded) and floats to integers (towards zero).
// TYPES: i8:f16 i8:bf16 i8:f32 i8:f64 i16:f16 i16:bf16 i16:f32 i16:f64 i32:f16 i32:bf16 i32:f32 i32:f64 i64:f16 i64:bf16 i64:f32 i64:f64
!V = !tile.view<?x!T>
!W = !tile.view<?x!U>
!X = tensor<4x!T>
!Z = tensor<4x!U>

// CASE @sitofp: 6xT=1,-2,127,-128,0,-1 -> 6xU=1,-2,127,-128,0,-1
// CASE @sitofp [i16:bf16,i32:bf16,i64:bf16]: 3xT=257,259,-257 -> 3xU=256,260,-256
// CASE @sitofp [i32:f32,i64:f32]: 2xT=16777217,16777219 -> 2xU=16777216,16777220
tile.kernel @sitofp(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.sitofp %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
// CASE @uitofp: 4xT=1,2,127,0 -> 4xU=1,2,127,0
// CASE @uitofp [i8:f16,i8:bf16,i8:f32,i8:f64]: 2xT=-1,-128 -> 2xU=255,128
// CASE @uitofp [i16:f32,i16:f64]: 1xT=-1 -> 1xU=65535
// CASE @uitofp [i32:f64]: 1xT=-1 -> 1xU=4294967295
tile.kernel @uitofp(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.uitofp %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
// CASE @fptosi: 6xU=1.5,-2.5,127,-128,0,-0.75 -> 6xT=1,-2,127,-128,0,0
// CASE @fptosi [i8:f16,i8:bf16,i8:f32,i8:f64]: 1xU=128 -> error "is undefined for 1"
tile.kernel @fptosi(%a: !W) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !W -> !Z
  %1 = arith.fptosi %0 : !Z to !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @fptoui: 4xU=1.5,127,0,-0.5 -> 4xT=1,127,0,0
// CASE @fptoui [i8:f16,i8:f32,i8:f64]: 2xU=255,200.5 -> 2xT=-1,-56
// CASE @fptoui: 1xU=-1 -> error "is undefined for -1"
tile.kernel @fptoui(%a: !W) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !W -> !Z
  %1 = arith.fptoui %0 : !Z to !X
  tile.store %1, %y[%i] : !X, !V
}
