// Entries, loops, branches, assumptions and tokens, in custom and generic form.
// RUN: tilegpt-opt %s | FileCheck %s
// RUN: tilegpt-opt %s > %t.short
// RUN: tilegpt-opt %t.short | diff %t.short -
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | diff %t.short -

cuda_tile.module @control {
  // CHECK-LABEL: entry @loops
  // CHECK-SAME: (%{{.*}}: tile<i32>) optimization_hints=<default = {occupancy = 4}, sm_80 = {}, sm_90 = {num_cta_in_cga = 2 : i32, occupancy = 2 : i32}> {
  entry @loops(%n: tile<i32>) optimization_hints=<sm_90 = {occupancy = 2 : i32, num_cta_in_cga = 2 : i32}, default = {occupancy = 4}, sm_80 = {}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    // CHECK: for %{{.*}} in (%{{.*}} to %{{.*}}, step %{{.*}}) : tile<i32> iter_values(%{{.*}} = %{{.*}}) -> (tile<i32>) {
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %next = addi %s, %i : tile<i32>
      %odd = trunci %i : tile<i32> -> tile<i1>
      // CHECK: if %{{.*}} {
      // CHECK-NEXT: continue %{{.*}} : tile<i32>
      if %odd {
        continue %s : tile<i32>
      }
      // CHECK: continue %{{.*}} : tile<i32>
      continue %next : tile<i32>
    }
    // CHECK: for %{{.*}} in (%{{.*}} to %{{.*}}, step %{{.*}}) : tile<i32> {
    // CHECK-NEXT: }
    for %i in (%zero to %n, step %one) : tile<i32> {
    }
    // CHECK: loop iter_values(%{{.*}} = %{{.*}}) : tile<i32> -> tile<i1>, tile<i32> {
    %found, %where = loop iter_values(%at = %zero) : tile<i32> -> tile<i1>, tile<i32> {
      %done = cmpi greater_than %at, %n, signed : tile<i32> -> tile<i1>
      if %done {
        // CHECK: break %{{.*}}, %{{.*}} : tile<i1>, tile<i32>
        break %done, %at : tile<i1>, tile<i32>
      }
      %next = addi %at, %one : tile<i32>
      continue %next : tile<i32>
    }
    // CHECK: loop {
    // CHECK-NEXT: break
    loop {
      break
    }
    // CHECK: if %{{.*}} -> (tile<i32>) {
    %two = if %found -> (tile<i32>) {
      // CHECK: yield %{{.*}} : tile<i32>
      yield %where : tile<i32>
      // CHECK: } else {
    } else {
      yield %one : tile<i32>
    }
    // CHECK: if %{{.*}} {
    // CHECK-NEXT: return
    // CHECK-NEXT: } else {
    // CHECK-NEXT: }
    if %found {
      return
    } else {
    }
  }

  // CHECK-LABEL: entry @words
  entry @words(%p: tile<ptr<f32>>) {
    %i = iota : tile<8xi32>
    // CHECK: assume div_by<16>, %{{.*}} : tile<ptr<f32>>
    %0 = assume div_by<16>, %p : tile<ptr<f32>>
    // CHECK-NEXT: assume div_by<4, every 2 along 0>, %{{.*}} : tile<8xi32>
    %1 = assume #cuda_tile.div_by<4, every 2 along 0>, %i : tile<8xi32>
    // CHECK-NEXT: assume same_elements<[4]>, %{{.*}} : tile<8xi32>
    %2 = assume same_elements<[4]>, %1 : tile<8xi32>
    // CHECK-NEXT: assume bounded<0, ?>, %{{.*}} : tile<8xi32>
    %3 = assume bounded<0, ?>, %2 : tile<8xi32>
    // CHECK-NEXT: assume bounded<?, -2>, %{{.*}} : tile<8xi32>
    %4 = assume bounded<?, -2>, %3 : tile<8xi32>
    %b = constant <i1: true> : tile<8xi1>
    // CHECK: assert %{{.*}}, "a message" : tile<8xi1>
    assert %b, "a message" : tile<8xi1>
    // CHECK-NEXT: get_tile_block_id : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    // CHECK-NEXT: get_num_tile_blocks : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    // CHECK-NEXT: print_tko "%d of %d %%\0A", %{{.*}}, %{{.*}} : tile<i32>, tile<8xi32> -> token
    print "%d of %d %%\0A", %x, %i : tile<i32>, tile<8xi32>
    // CHECK-NEXT: print_tko "done" -> token
    print "done"
  }
}

// Values of control flow may have types that other dialects define.
cuda_tile.module @foreign {
  // CHECK-LABEL: testing$func @foreign
  testing$func @foreign(%v: index, %c: !cuda_tile.tile<i1>) {
    // CHECK: if %{{.*}} -> (index) {
    %0 = if %c -> (index) {
      // CHECK-NEXT: yield %{{.*}} : index
      yield %v : index
    } else {
      yield %v : index
    }
    // CHECK: loop iter_values(%{{.*}} = %{{.*}}) : index -> index {
    %1 = loop iter_values(%x = %0) : index -> index {
      if %c {
        // CHECK: continue %{{.*}} : index
        continue %x : index
      }
      // CHECK: break %{{.*}} : index
      break %x : index
    }
  }
}

cuda_tile.module @returning {
  // CHECK-LABEL: entry @returning
  entry @returning() {
    // CHECK: loop {
    loop {
      // CHECK-NEXT: return
      return
    }
  }
}

// Since 13.2.
cuda_tile.module @control_13_2 {
  // CHECK-LABEL: entry @younger
  entry @younger(%n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    // CHECK: for unsigned %{{.*}} in
    for unsigned %i in (%zero to %n, step %n) : tile<i32> {
      %k = make_token : token
      // CHECK: print_tko "%i", %{{.*}} token=%{{.*}} : tile<i32> -> token
      %k1 = print_tko "%i", %i token = %k : tile<i32> -> token
      %k2 = join_tokens %k, %k1 : token
    }
  }
}
