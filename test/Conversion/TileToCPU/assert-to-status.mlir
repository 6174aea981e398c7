// RUN: tilegpt-opt %s --cpu-assert-to-status | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK-SAME:    attributes {tilegpt.asserts = ["first", "second"]}
// CHECK:         cf.cond_br %{{.*}}, ^[[NEXT:.*]], ^[[FIRST:.*]]
// CHECK:       ^[[NEXT]]:
// CHECK:         cf.cond_br %{{.*}}, ^[[LAST:.*]], ^[[SECOND:.*]]
// CHECK:       ^[[LAST]]:
// CHECK:         return %c0_i32
// CHECK:       ^[[FIRST]]:
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         return %[[ONE]]
// CHECK:       ^[[SECOND]]:
// CHECK:         %[[TWO:.*]] = arith.constant 2 : i32
// CHECK:         return %[[TWO]]
func.func @two(%a: i1, %b: i1) -> i32 {
  %c0_i32 = arith.constant 0 : i32
  cf.assert %a, "first"
  cf.assert %b, "second"
  return %c0_i32 : i32
}
