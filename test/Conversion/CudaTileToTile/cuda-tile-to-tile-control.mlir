// RUN: tilegpt-opt %s --cuda-tile-to-tile --canonicalize | FileCheck %s

cuda_tile.module @control {
  // A loop that exits at a test becomes a loop with that test.
  // CHECK-LABEL: tile.kernel @tested
  // CHECK: scf.while
  // CHECK-NEXT: %[[MORE:.*]] = arith.cmpi sgt
  // CHECK-NEXT: scf.condition(%[[MORE]])
  // CHECK: arith.divsi
  // CHECK-NEXT: scf.yield
  entry @tested(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %s = loop iter_values(%v = %n) : tile<i32> -> tile<i32> {
      %more = cmpi greater_than %v, %zero, signed : tile<i32> -> tile<i1>
      if %more {
      } else {
        break %v : tile<i32>
      }
      %h = divi %v, %two signed : tile<i32>
      continue %h : tile<i32>
    }
    %k = store_ptr_tko weak %y, %s : tile<ptr<i32>>, tile<i32> -> token
  }
  // Ops after a branch that ends the kernel move into the other branch.
  // CHECK-LABEL: tile.kernel @left
  // CHECK: scf.if
  // CHECK: tile.store_at
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  entry @left(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = cmpi equal %n, %zero, signed : tile<i32> -> tile<i1>
    if %none {
      return
    }
    %k = store_ptr_tko weak %y, %n : tile<ptr<i32>>, tile<i32> -> token
  }
  // A loop that may end the kernel yields a flag to skip the ops after it.
  // CHECK-LABEL: tile.kernel @returned
  // CHECK: %[[LEFT:.*]]:2 = scf.while {{.*}} -> (i1, i32)
  // CHECK: scf.if %[[LEFT]]#0
  // CHECK-NEXT: tile.store_at
  entry @returned(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    loop iter_values(%v = %zero) : tile<i32> {
      %end = cmpi equal %v, %n, signed : tile<i32> -> tile<i1>
      if %end {
        return
      }
      %ten = constant <i32: 10> : tile<i32>
      %far = cmpi greater_than %v, %ten, signed : tile<i32> -> tile<i1>
      if %far {
        break
      }
      %next = addi %v, %one : tile<i32>
      continue %next : tile<i32>
    }
    %k = store_ptr_tko weak %y, %one : tile<ptr<i32>>, tile<i32> -> token
  }
}
