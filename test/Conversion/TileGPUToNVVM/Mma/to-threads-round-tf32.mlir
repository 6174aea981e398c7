// Bitwise rounding to tf32 becomes the rounding instruction, which ties to even from sm_90 on.
// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

#hopper = #tile_gpu.plan<target = "sm_90a", warps = 1, stages = 0>
#ampere = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 0>
#l = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
!V = !tile.view<32xf32>
!F = tensor<32xf32, #l>
!I = tensor<32xi32, #l>

// CHECK-LABEL: func.func @to_even(
// CHECK-NOT:     arith.shrui
// CHECK:         %[[BITS:.*]] = nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rn>}
// CHECK:         arith.bitcast %[[BITS]] : i32 to f32
// CHECK-NOT:     arith.select
tile.kernel @to_even(%x: !V) outs(%y: !V) grid [1] attributes {tile_gpu.plan = #hopper} {
  %c0 = arith.constant 0 : index
  %c13 = arith.constant dense<13> : !I
  %c1 = arith.constant dense<1> : !I
  %half = arith.constant dense<4095> : !I
  %kept = arith.constant dense<-8192> : !I
  %v = tile.load %x[%c0] [32] : !V -> !F
  %b = arith.bitcast %v : !F to !I
  %s = arith.shrui %b, %c13 : !I
  %l = arith.andi %s, %c1 : !I
  %h = arith.addi %l, %half : !I
  %a = arith.addi %b, %h : !I
  %m = arith.andi %a, %kept : !I
  %r = arith.bitcast %m : !I to !F
  %n = arith.cmpf uno, %v, %v : !F
  %t = arith.select %n, %v, %r : tensor<32xi1, #l>, !F
  tile.store %t, %y[%c0] : !F, !V
}

// CHECK-LABEL: func.func @before_hopper(
// CHECK-NOT:     nvvm.convert.float.to.tf32
// CHECK:         arith.select
tile.kernel @before_hopper(%x: !V) outs(%y: !V) grid [1] attributes {tile_gpu.plan = #ampere} {
  %c0 = arith.constant 0 : index
  %c13 = arith.constant dense<13> : !I
  %c1 = arith.constant dense<1> : !I
  %half = arith.constant dense<4095> : !I
  %kept = arith.constant dense<-8192> : !I
  %v = tile.load %x[%c0] [32] : !V -> !F
  %b = arith.bitcast %v : !F to !I
  %s = arith.shrui %b, %c13 : !I
  %l = arith.andi %s, %c1 : !I
  %h = arith.addi %l, %half : !I
  %a = arith.addi %b, %h : !I
  %m = arith.andi %a, %kept : !I
  %r = arith.bitcast %m : !I to !F
  %n = arith.cmpf uno, %v, %v : !F
  %t = arith.select %n, %v, %r : tensor<32xi1, #l>, !F
  tile.store %t, %y[%c0] : !F, !V
}

// The low bits are not truncated; ties round away from zero; more bits are kept.
// CHECK-LABEL: func.func @near_misses(
// CHECK-NOT:     nvvm.convert.float.to.tf32
// CHECK-COUNT-3: arith.select
tile.kernel @near_misses(%x: !V) outs(%y: !V) grid [1] attributes {tile_gpu.plan = #hopper} {
  %c0 = arith.constant 0 : index
  %c13 = arith.constant dense<13> : !I
  %c12 = arith.constant dense<12> : !I
  %c1 = arith.constant dense<1> : !I
  %half = arith.constant dense<4095> : !I
  %away = arith.constant dense<4096> : !I
  %kept = arith.constant dense<-8192> : !I
  %v = tile.load %x[%c0] [32] : !V -> !F
  %b = arith.bitcast %v : !F to !I
  %n = arith.cmpf uno, %v, %v : !F
  %s = arith.shrui %b, %c13 : !I
  %l = arith.andi %s, %c1 : !I
  %h = arith.addi %l, %half : !I
  %a = arith.addi %b, %h : !I
  %r0 = arith.bitcast %a : !I to !F
  %t0 = arith.select %n, %v, %r0 : tensor<32xi1, #l>, !F
  %a1 = arith.addi %b, %away : !I
  %m1 = arith.andi %a1, %kept : !I
  %r1 = arith.bitcast %m1 : !I to !F
  %t1 = arith.select %n, %v, %r1 : tensor<32xi1, #l>, !F
  %s2 = arith.shrui %b, %c12 : !I
  %l2 = arith.andi %s2, %c1 : !I
  %h2 = arith.addi %l2, %half : !I
  %a2 = arith.addi %b, %h2 : !I
  %m2 = arith.andi %a2, %kept : !I
  %r2 = arith.bitcast %m2 : !I to !F
  %t2 = arith.select %n, %v, %r2 : tensor<32xi1, #l>, !F
  %u = arith.addf %t0, %t1 : !F
  %sum = arith.addf %u, %t2 : !F
  tile.store %sum, %y[%c0] : !F, !V
}
