// Ops that do not exist, with the op that was likely meant.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

tile.kernel @name_of_triton() grid [1] {
  // expected-error@below {{custom op 'tile.program_id' is unknown; did you mean 'tile.block_id'?}}
  %m = tile.program_id 0
}

// -----

tile.kernel @op_of_math(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.exp' is unknown; did you mean 'math.exp'?}}
  %e = tile.exp %x : f32
}

// -----

tile.kernel @op_of_arith(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.add' is unknown; did you mean 'arith.addf' or 'arith.addi'?}}
  %e = tile.add %x, %x : f32
}

// -----

tile.kernel @kind_of_reduction(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.sum' is unknown; did you mean 'tile.reduce add'?}}
  %e = tile.sum %x axis 0
}

// -----

tile.kernel @misspelled(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.brodcast' is unknown; did you mean 'tile.broadcast'?}}
  %e = tile.brodcast %x [4] : f32 -> tensor<4xf32>
}

// -----

tile.kernel @closer_than_a_misspelling(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.split' is unknown; did you mean 'tile.extract'?}}
  %e = tile.split %x
}

// -----

tile.kernel @composed(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.softmax' is unknown; did you mean 'tile.reduce max', 'math.exp' and 'tile.reduce add'?}}
  %e = tile.softmax %x axis 0
}

// -----

tile.kernel @without_counterpart(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.sort' is unknown; no op sorts: repeat 'tile.reduce argmax' for the largest elements, or count those before each with 'tile.reduce add'}}
  %e = tile.sort %x axis 0
}

// -----

tile.kernel @without_need() grid [1] {
  // expected-error@below {{custom op 'tile.barrier' is unknown; the memory accesses of a block take effect in program order without barriers}}
  tile.barrier
}

// -----

tile.kernel @like_nothing() grid [1] {
  // expected-error@below {{custom op 'tile.frobnicate' is unknown}}
  tile.frobnicate
}

// -----

tile.kernel @exchanged_letters(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.laod' is unknown; did you mean 'tile.load'?}}
  %e = tile.laod %x
}

// -----

tile.kernel @of_another_dialect(%x: f32) grid [1] {
  // expected-error@below {{custom op 'tile.mulff' is unknown; did you mean 'arith.mulf'?}}
  %e = tile.mulff %x
}
