// Loops, branches and early exits of CUDA Tile IR. Results go to a view of four numbers.
// TYPES: i32 i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!N = !cuda_tile.tile<!T>
cuda_tile.module @control {
  // The sum of the first n numbers.
// CASE @counted grid=1: out0 T=5 -> 1xT=10
// CASE @counted grid=1: out0 T=0 -> 1xT=0
// CASE @counted grid=1: out0 T=-3 -> 1xT=0
  entry @counted(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    %s = for %i in (%zero to %n, step %one) : !N iter_values(%x = %zero) -> (!N) {
      %0 = addi %x, %i : !N
      continue %0 : !N
    }
    %k = store_ptr_tko weak %y, %s : !P, !N -> token
  }
  // A second number is counted up by threes.
// CASE @threes grid=1: out0 T=4 -> 1xT=-16
// CASE @threes grid=1: out0 T=-4 -> 1xT=0
  entry @threes(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %first = constant <!T: -4> : !N
    %two = constant <!T: 2> : !N
    %three = constant <!T: 3> : !N
    %seven = constant <!T: 7> : !N
    %s, %last = for %i in (%first to %n, step %two) : !N iter_values(%x = %zero, %c = %seven) -> (!N, !N) {
      %0 = muli %c, %i : !N
      %1 = addi %x, %0 : !N
      %2 = addi %c, %three : !N
      continue %1, %2 : !N, !N
    }
    %k = store_ptr_tko weak %y, %s : !P, !N -> token
  }
  // Counts up from a negative number in steps of two: the counter itself is summed.
// CASE @negative grid=1: out0 T=4 -> 1xT=-3
  entry @negative(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %first = constant <!T: -4> : !N
    %one = constant <!T: 1> : !N
    %two = constant <!T: 2> : !N
    %s = for %i in (%first to %n, step %two) : !N iter_values(%x = %one) -> (!N) {
      %0 = addi %x, %i : !N
      continue %0 : !N
    }
    %k = store_ptr_tko weak %y, %s : !P, !N -> token
  }
  // Skips two numbers with continue.
// CASE @skipped grid=1: out0 T=6 -> 1xT=10
  entry @skipped(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    %two = constant <!T: 2> : !N
    %three = constant <!T: 3> : !N
    %s = for %i in (%zero to %n, step %one) : !N iter_values(%x = %zero) -> (!N) {
      %is2 = cmpi equal %i, %two, signed : !N -> tile<i1>
      if %is2 {
        continue %x : !N
      }
      %is3 = cmpi equal %i, %three, signed : !N -> tile<i1>
      if %is3 {
        continue %x : !N
      }
      %0 = addi %x, %i : !N
      continue %0 : !N
    }
    %k = store_ptr_tko weak %y, %s : !P, !N -> token
  }
  // A loop with its test first: halvings until zero.
// CASE @tested grid=1: out0 T=40 -> 1xT=6
// CASE @tested grid=1: out0 T=0 -> 1xT=0
  entry @tested(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    %two = constant <!T: 2> : !N
    %s = loop iter_values(%v = %n, %c = %zero) : !N, !N -> !N {
      %more = cmpi greater_than %v, %zero, signed : !N -> tile<i1>
      if %more {
      } else {
        break %c : !N
      }
      %h = divi %v, %two signed : !N
      %d = addi %c, %one : !N
      continue %h, %d : !N, !N
    }
    %k = store_ptr_tko weak %y, %s : !P, !N -> token
  }
  // A loop with its test in the middle and a second exit at the end.
// CASE @two_ways grid=1: out0 T=3 -> 1xT=106
// CASE @two_ways grid=1: out0 T=50 -> 1xT=221
  entry @two_ways(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    %hundred = constant <!T: 100> : !N
    %limit = constant <!T: 20> : !N
    %s = loop iter_values(%i = %one, %sum = %zero) : !N, !N -> !N {
      %t = addi %sum, %i : !N
      %last = cmpi equal %i, %n, signed : !N -> tile<i1>
      if %last {
        %r = addi %t, %hundred : !N
        break %r : !N
      }
      %far = cmpi greater_than %t, %limit, signed : !N -> tile<i1>
      if %far {
        %two = constant <!T: 200> : !N
        %r = addi %t, %two : !N
        break %r : !N
      }
      %next = addi %i, %one : !N
      continue %next, %t : !N, !N
    }
    %k = store_ptr_tko weak %y, %s : !P, !N -> token
  }
  // An exit two branches deep, where both outer branches also continue.
// CASE @nested grid=1: out0 T=3 -> 1xT=7
// CASE @nested grid=1: out0 T=9 -> 1xT=55
  entry @nested(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    %five = constant <!T: 5> : !N
    %ten = constant <!T: 10> : !N
    %s = loop iter_values(%i = %zero, %sum = %zero) : !N, !N -> !N {
      %done = cmpi greater_than %i, %ten, signed : !N -> tile<i1>
      if %done {
        break %sum : !N
      }
      %small = cmpi less_than %i, %five, signed : !N -> tile<i1>
      %t = if %small -> (!N) {
        %is = cmpi equal %i, %n, signed : !N -> tile<i1>
        if %is {
          %r = addi %sum, %i : !N
          %r1 = addi %r, %one : !N
          break %r1 : !N
        }
        %0 = addi %sum, %i : !N
        yield %0 : !N
      } else {
        %0 = addi %sum, %i : !N
        yield %0 : !N
      }
      %next = addi %i, %one : !N
      continue %next, %t : !N, !N
    }
    %k = store_ptr_tko weak %y, %s : !P, !N -> token
  }
  // An early return from the kernel.
// CASE @left grid=1: out0 T=1 -> 1xT=7|7
// CASE @left grid=1: out0 T=2 -> 1xT=9|7
// CASE @left grid=1: out0 T=3 -> 1xT=3|7
  entry @left(%y: !P, %n: !N) {
    %one = constant <!T: 1> : !N
    %two = constant <!T: 2> : !N
    %nine = constant <!T: 9> : !N
    %is1 = cmpi equal %n, %one, signed : !N -> tile<i1>
    if %is1 {
      return
    }
    %is2 = cmpi equal %n, %two, signed : !N -> tile<i1>
    if %is2 {
      %k = store_ptr_tko weak %y, %nine : !P, !N -> token
      return
    }
    %k = store_ptr_tko weak %y, %n : !P, !N -> token
  }
  // A loop that breaks or returns, and a nested one that does so too.
// CASE @returned grid=1: out0 T=3 -> 1xT=3
// CASE @returned grid=1: out0 T=7 -> 1xT=7
// CASE @returned grid=1: out0 T=10 -> 1xT=5|5
// CASE @returned grid=1: out0 T=40 -> 1xT=5|5
  entry @returned(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    %ten = constant <!T: 10> : !N
    %twenty = constant <!T: 20> : !N
    %s = loop iter_values(%v = %zero) : !N -> !N {
      %w = loop iter_values(%u = %v) : !N -> !N {
        %late = cmpi greater_than %u, %twenty, signed : !N -> tile<i1>
        if %late {
          return
        }
        %even = remi %u, %ten signed : !N
        %stop = cmpi less_than %zero, %even, signed : !N -> tile<i1>
        if %stop {
          break %u : !N
        }
        %next = addi %u, %one : !N
        continue %next : !N
      }
      %there = cmpi equal %w, %n, signed : !N -> tile<i1>
      if %there {
        break %w : !N
      }
      %far = cmpi greater_than %w, %ten, signed : !N -> tile<i1>
      if %far {
        %more = cmpi greater_than %n, %twenty, signed : !N -> tile<i1>
        if %more {
          return
        }
      }
      %next = addi %w, %one : !N
      continue %next : !N
    }
    %k = store_ptr_tko weak %y, %s : !P, !N -> token
  }
  // A loop that only ends with the kernel.
// CASE @endless grid=1: out0 T=3 -> 1xT=3
  entry @endless(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    loop iter_values(%v = %zero) : !N {
      %there = cmpi equal %v, %n, signed : !N -> tile<i1>
      if %there {
        %k = store_ptr_tko weak %y, %v : !P, !N -> token
        return
      }
      %next = addi %v, %one : !N
      continue %next : !N
    }
    %k = store_ptr_tko weak %y, %zero : !P, !N -> token
  }
  // A body that ends with a return.
// CASE @final grid=1: out0 T=3 -> 1xT=3
// CASE @final grid=1: out0 T=-3 -> 1xT=0
  entry @final(%y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    loop iter_values(%v = %zero) : !N {
      %k = store_ptr_tko weak %y, %v : !P, !N -> token
      %below = cmpi less_than %v, %n, signed : !N -> tile<i1>
      if %below {
        %next = addi %v, %one : !N
        continue %next : !N
      }
      return
    }
    %k = store_ptr_tko weak %y, %n : !P, !N -> token
  }
  // Nested loops that carry tiles and pointers.
// CASE @carried grid=1: 4xT=1,2,3,4 out0 T=3 -> 4xT=18,36,54,72|0
  entry @carried(%a: !P, %y: !P, %n: !N) {
    %zero = constant <!T: 0> : !N
    %one = constant <!T: 1> : !N
    %two = constant <!T: 2> : !N
    %l = iota : tile<4x!T>
    %none = constant <!T: 0> : tile<4x!T>
    %a1 = reshape %a : !P -> tile<1xptr<!T>>
    %an = broadcast %a1 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %ap = offset %an, %l : tile<4xptr<!T>>, tile<4x!T> -> tile<4xptr<!T>>
    %s, %p = for %i in (%zero to %n, step %one) : !N iter_values(%x = %none, %q = %ap) -> (tile<4x!T>, tile<4xptr<!T>>) {
      %w = for %j in (%zero to %i, step %one) : !N iter_values(%v = %x) -> (tile<4x!T>) {
        %t, %k = load_ptr_tko weak %q : tile<4xptr<!T>> -> tile<4x!T>, token
        %0 = addi %v, %t : tile<4x!T>
        continue %0 : tile<4x!T>
      }
      %t, %k = load_ptr_tko weak %q : tile<4xptr<!T>> -> tile<4x!T>, token
      %five = constant <!T: 5> : tile<4x!T>
      %m = muli %t, %five : tile<4x!T>
      %0 = addi %w, %m : tile<4x!T>
      continue %0, %q : tile<4x!T>, tile<4xptr<!T>>
    }
    %y1 = reshape %y : !P -> tile<1xptr<!T>>
    %yn = broadcast %y1 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %yp = offset %yn, %l : tile<4xptr<!T>>, tile<4x!T> -> tile<4xptr<!T>>
    %k = store_ptr_tko weak %yp, %s : tile<4xptr<!T>>, tile<4x!T> -> token
  }
}
