// RUN: tilegpt-opt %s --cuda-tile-to-tile --canonicalize | FileCheck %s

cuda_tile.module @counters {
  // An integer that iterations count up follows from the number of the iteration.
  // CHECK-LABEL: tile.kernel @counted(
  // CHECK-SAME:    %[[START:[^:]*]]: i32, %[[BY:[^:]*]]: i32)
  // CHECK:         scf.for %[[I:.*]] = %c32 to %{{.*}} step %c16 iter_args(%[[SUM:[^,]*]] = %c0_i32) -> (i32)
  // CHECK:           %[[DISTANCE:.*]] = arith.subi %[[I]], %c32 : index
  // CHECK:           %[[NUMBER:.*]] = arith.divui %[[DISTANCE]], %c16 : index
  // CHECK:           %[[CAST:.*]] = arith.index_cast %[[NUMBER]] : index to i32
  // CHECK:           %[[ADDED:.*]] = arith.muli %[[CAST]], %[[BY]] : i32
  // CHECK:           %[[COUNT:.*]] = arith.addi %[[START]], %[[ADDED]] : i32
  // CHECK:           %[[NEXT:.*]] = arith.xori %[[SUM]], %[[COUNT]] : i32
  // CHECK:           scf.yield %[[NEXT]] : i32
  entry @counted(%y: tile<ptr<i32>>, %n: tile<i32>, %start: tile<i32>, %by: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 32> : tile<i32>
    %step = constant <i32: 16> : tile<i32>
    %s, %c = for %i in (%first to %n, step %step) : tile<i32> iter_values(%x = %zero, %l = %start) -> (tile<i32>, tile<i32>) {
      %0 = xori %x, %l : tile<i32>
      %1 = addi %l, %by : tile<i32>
      continue %0, %1 : tile<i32>, tile<i32>
    }
    %k = store_ptr_tko weak %y, %s : tile<ptr<i32>>, tile<i32> -> token
  }

  // One that is used after the loop stays,
  // CHECK-LABEL: tile.kernel @used_after
  // CHECK:         scf.for {{.*}} -> (i32, i32)
  entry @used_after(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %s, %c = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%x = %zero, %l = %zero) -> (tile<i32>, tile<i32>) {
      %0 = xori %x, %l : tile<i32>
      %1 = addi %l, %one : tile<i32>
      continue %0, %1 : tile<i32>, tile<i32>
    }
    %r = addi %s, %c : tile<i32>
    %k = store_ptr_tko weak %y, %r : tile<ptr<i32>>, tile<i32> -> token
  }

  // so do those to which iterations add different numbers, or their value,
  // CHECK-LABEL: tile.kernel @uneven
  // CHECK:         scf.for {{.*}} -> (i32, i32, i32)
  entry @uneven(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %s, %c, %d = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%x = %zero, %l = %zero, %m = %one) -> (tile<i32>, tile<i32>, tile<i32>) {
      %0 = xori %x, %l : tile<i32>
      %1 = xori %0, %m : tile<i32>
      %2 = addi %l, %i : tile<i32>
      %3 = addi %m, %m : tile<i32>
      continue %1, %2, %3 : tile<i32>, tile<i32>, tile<i32>
    }
    %k = store_ptr_tko weak %y, %s : tile<ptr<i32>>, tile<i32> -> token
  }

  // and those of loops that start at run time.
  // CHECK-LABEL: tile.kernel @late
  // CHECK:         scf.for {{.*}} -> (i32, i32)
  entry @late(%y: tile<ptr<i32>>, %first: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %s, %c = for %i in (%first to %n, step %one) : tile<i32> iter_values(%x = %zero, %l = %zero) -> (tile<i32>, tile<i32>) {
      %0 = xori %x, %l : tile<i32>
      %1 = addi %l, %one : tile<i32>
      continue %0, %1 : tile<i32>, tile<i32>
    }
    %k = store_ptr_tko weak %y, %s : tile<ptr<i32>>, tile<i32> -> token
  }

  // An index may have as many bits as the bounds, and its sign counts: a loop whose bounds are compared without sign counts its
  // iterations.
  // CHECK-LABEL: tile.kernel @unsigned_loop
  // CHECK-SAME:    (%{{[^:]*}}: !tile.ptr<i32>, %[[N:[^:]*]]: i32
  // CHECK:         %[[ENTERED:.*]] = arith.cmpi ugt, %[[N]], %[[FIRST:.*]] : i32
  // CHECK:         %[[RANGE:.*]] = arith.subi %[[N]], %[[FIRST]] : i32
  // CHECK:         %[[COUNT:.*]] = arith.ceildivui %[[RANGE]], %[[STEP:.*]] : i32
  // CHECK:         %[[SOME:.*]] = arith.select %[[ENTERED]], %[[COUNT]]
  // CHECK:         %[[TO:.*]] = arith.index_castui %[[SOME]]
  // CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[TO]]
  // CHECK:           %[[PLACE:.*]] = arith.index_cast %[[I]] : index to i32
  // CHECK:           %[[OFFSET:.*]] = arith.muli %[[PLACE]], %[[STEP]]
  // CHECK:           arith.addi %[[OFFSET]], %[[FIRST]]
  entry @unsigned_loop(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 2147483640> : tile<i32>
    %step = constant <i32: 3> : tile<i32>
    %s = for unsigned %i in (%first to %n, step %step) : tile<i32> iter_values(%x = %zero) -> (tile<i32>) {
      %0 = xori %x, %i : tile<i32>
      continue %0 : tile<i32>
    }
    %k = store_ptr_tko weak %y, %s : tile<ptr<i32>>, tile<i32> -> token
  }

  // One that begins at 0 with step 1 ends at its number of iterations.
  // CHECK-LABEL: tile.kernel @unsigned_from_zero
  // CHECK-SAME:    (%{{[^:]*}}: !tile.ptr<i32>, %[[N:[^:]*]]: i32
  // CHECK:         %[[TO:.*]] = arith.index_castui %[[N]]
  // CHECK:         scf.for %{{.*}} = %c0 to %[[TO]] step %c1
  entry @unsigned_from_zero(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %s = for unsigned %i in (%zero to %n, step %one) : tile<i32> iter_values(%x = %zero) -> (tile<i32>) {
      %0 = xori %x, %i : tile<i32>
      continue %0 : tile<i32>
    }
    %k = store_ptr_tko weak %y, %s : tile<ptr<i32>>, tile<i32> -> token
  }
}
