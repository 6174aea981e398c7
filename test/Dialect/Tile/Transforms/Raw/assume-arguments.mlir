// RUN: split-file %s %t
// RUN: tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=16 | FileCheck %s --check-prefix=ALL
// RUN: tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=0:32,1:4,5=1 | FileCheck %s --check-prefix=SINGLE
// RUN: tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=5=1 --canonicalize --tile-specialize | FileCheck %s --check-prefix=REFINED
// RUN: tilegpt-opt %t/two.mlir --tile-assume-arguments=facts=64 | FileCheck %s --check-prefix=BOTH
// RUN: not tilegpt-opt %t/two.mlir --tile-assume-arguments=facts=0:16 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=24 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=0:0 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=x:16 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=8:16 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=6:16 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=0=1 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=5=70000 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=2=3 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: not tilegpt-opt %t/one.mlir --tile-assume-arguments=facts=2=4096 2>&1 | FileCheck %s --check-prefix=BOUNDED
// RUN: not tilegpt-opt %t/none.mlir --tile-assume-arguments=facts=16 2>&1 | FileCheck %s --check-prefix=NONE

// Pointers, and strides in elements, except for the last axis.
// ALL-LABEL: tile.kernel @one
// ALL: tile.assumed_arguments = [{argument = 0 : i64, div_by = 16 : i64}, {argument = 4 : i64, div_by = 8 : i64}]
// ALL-DAG: tile.assume %[[P:.*]] div_by 16 : !tile.ptr<bf16>
// ALL-DAG: tile.assume %[[S:.*]] div_by 8 : i32
// ALL-NOT: tile.assume {{.*}} : i16

// SINGLE-LABEL: tile.kernel @one
// SINGLE-DAG: tile.assume %{{.*}} div_by 32 : !tile.ptr<bf16>
// SINGLE-DAG: tile.assume %{{.*}} div_by 4 : i32
// SINGLE-DAG: arith.constant 1 : i16

// A stride of 1 becomes part of the type.
// REFINED: tile.view_at {{.*}} strides [%{{.*}}, %{{.*}}] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, strides=[?, 1]>

// BOTH: tile.assume %{{.*}} div_by 64 : !tile.ptr<f32>
// BOTH: tile.assume %{{.*}} div_by 64 : !tile.ptr<f32>

// WHICH: error: assume=0:16: expected one kernel with 'grid launch', found 2
// POWER: error: assume={{.*}}: expected a divisor that is a power of two, as in 16, the number of an argument with one, as in 3:8, or with its value, as in 5=1
// COUNT: error: assume=8:16: 'one' has 7 arguments, numbered from 0; --list of tilegpt-run shows them
// FLOAT: error: assume=6:16: argument 6 of 'one' is f32; expected an integer or a pointer
// VALUE: error: assume=0=1: argument 0 of 'one' is !tile.ptr<bf16>; expected an integer
// WIDE: error: assume=5=70000: the value does not fit i16
// MULTIPLE: error: assume=2=3: the kernel assumes a multiple of 8
// BOUNDED: error: assume=2=4096: the kernel assumes a value from 0 to 1024
// NONE: error: assume=16: assumptions apply to kernels with 'grid launch', and there is none

//--- one.mlir
tile.kernel @one(%p: !tile.ptr<bf16>, %m: i32, %n: i32, %free: i32, %s: i32, %t: i16, %f: f32) grid launch {
  %n0 = tile.assume %n div_by 8 bounded [0, 1024] : i32
  %0 = arith.index_cast %m : i32 to index
  %1 = arith.index_cast %n0 : i32 to index
  %2 = arith.index_cast %s : i32 to index
  %3 = arith.index_cast %t : i16 to index
  %v = tile.view_at %p sizes [%0, %1] strides [%2, %3] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, strides=[?, ?]>
  %c0 = arith.constant 0 : index
  %x = tile.load %v[%c0, %c0] [16, 16] : !tile.view<?x?xbf16, strides=[?, ?]> -> tensor<16x16xbf16>
  tile.store %x, %v[%c0, %c0] : tensor<16x16xbf16>, !tile.view<?x?xbf16, strides=[?, ?]>
}
//--- two.mlir
tile.kernel @a(%p: !tile.ptr<f32>) grid launch {}
tile.kernel @b(%p: !tile.ptr<f32>) grid launch {}
//--- none.mlir
tile.kernel @rows(%x: !tile.view<?xf32>) grid [1] {}
