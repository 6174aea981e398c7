// Scopes of source locations and their rules. Messages at wrong locations cannot be matched by line, only by text.
// RUN: not tilegpt-opt %s --split-input-file 2>&1 | FileCheck %s
// RUN: not tilegpt-opt %s --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=PRINT
// RUN: not tilegpt-opt %s --split-input-file --mlir-print-debuginfo | FileCheck %s --check-prefix=ALIAS

// PRINT: return loc(#cuda_tile.di_loc<loc("a.py":4:8) in #cuda_tile.di_subprogram<file = <"a.py" in "/src">, line = 1, name = "f", linkageName = "f", compileUnit = <file = <"a.py" in "/src">>, scopeLine = 2>>)

// ALIAS-DAG: #[[FILE:di_file[0-9]*]] = #cuda_tile.di_file<"a.py" in "/src">
// ALIAS-DAG: #[[UNIT:di_compile_unit[0-9]*]] = #cuda_tile.di_compile_unit<file = #[[FILE]]>
// ALIAS-DAG: #[[F:di_subprogram[0-9]*]] = #cuda_tile.di_subprogram<file = #[[FILE]], line = 1, name = "f", linkageName = "f", compileUnit = #[[UNIT]], scopeLine = 2>
// ALIAS-DAG: #{{.*}} = #cuda_tile.di_lexical_block<scope = #[[F]], file = #[[FILE]], line = 3, column = 4>

// A function and its ops in one subprogram.
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = "f", linkageName = "f", compileUnit = #unit, scopeLine = 2>
#block = #cuda_tile.di_lexical_block<scope = #f, file = #file, line = 3, column = 4>
#here = #cuda_tile.di_loc<loc("a.py":4:8) in #f>
#inside = #cuda_tile.di_loc<loc("a.py":5:2) in #block>
cuda_tile.module @good {
  entry @f() {
    %0 = iota : tile<8xi32> loc(#inside)
    %1 = iota : tile<8xi32> loc(callsite(#inside at #here))
    return loc(#here)
  } loc(#here)
}

// -----

// CHECK: expected a di_subprogram as scope of a function, found #cuda_tile.di_lexical_block
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = "f", linkageName = "f", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #f, file = #file, line = 3>
cuda_tile.module @in_a_block {
  entry @f() {
  } loc(#cuda_tile.di_loc<loc("a.py":4:8) in #block>)
}

// -----

// CHECK: expected a scope whose linkageName is the function's name, found "f" of function @g
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = "f", linkageName = "f", compileUnit = #unit>
cuda_tile.module @other_name {
  entry @g() {
  } loc(#cuda_tile.di_loc<loc("a.py":4:8) in #f>)
}

// -----

// CHECK: expected no scope in a function without one, found #cuda_tile.di_subprogram
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = "f", linkageName = "f", compileUnit = #unit>
cuda_tile.module @only_ops {
  entry @f() {
    return loc(#cuda_tile.di_loc<loc("a.py":4:8) in #f>)
  }
}

// -----

// CHECK: expected a scope of the function, {{.*}}name = "g"
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = "f", linkageName = "f", compileUnit = #unit>
#g = #cuda_tile.di_subprogram<file = #file, line = 9, name = "g", linkageName = "g", compileUnit = #unit>
cuda_tile.module @two_functions {
  entry @f() {
    return loc(#cuda_tile.di_loc<loc("a.py":4:8) in #g>)
  } loc(#cuda_tile.di_loc<loc("a.py":4:8) in #f>)
}

// -----

// CHECK: expected no scope outside functions
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = "f", linkageName = "f", compileUnit = #unit>
cuda_tile.module @scoped_global {
  global @data <i32: 1> : tile<4xi32> loc(#cuda_tile.di_loc<loc("a.py":4:8) in #f>)
}

// -----

// CHECK: expected the location of a function, found a call site
cuda_tile.module @called {
  entry @f() {
  } loc(callsite("a.py":1:2 at "a.py":3:4))
}
