// Every phase can be printed.
// RUN: tilegpt-opt %s --compile-to=specialized --bind=BN=16 | FileCheck %s --check-prefix=SPECIALIZED
// RUN: tilegpt-opt %s --compile-to=linalg | FileCheck %s --check-prefix=LINALG
// RUN: tilegpt-opt %s --compile-to=bufferized | FileCheck %s --check-prefix=BUFFERIZED
// RUN: tilegpt-opt %s --compile-to=vector --target-cpu=x86-64-v4 | FileCheck %s --check-prefix=VECTOR
// RUN: tilegpt-opt %s --compile-to=vector --target-cpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2
// RUN: tilegpt-opt %s --compile-to=llvm | FileCheck %s --check-prefix=LLVM

// SPECIALIZED: params {BN = 16}
// SPECIALIZED: tile.load {{.*}} -> tensor<16xf32>
// LINALG: func.func @double
// LINALG: linalg.generic
// BUFFERIZED-NOT: tensor<
// VECTOR: vector<16xf32>
// AVX2: vector<8xf32>
// LLVM: llvm.func @kernel.double(%{{.*}}: !llvm.ptr{{.*}}, %{{.*}}: !llvm.ptr{{.*}}, %{{.*}}: i64, %{{.*}}: i64) -> i32
tile.kernel @double(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>)
    params {BN = 64 in [16, 64]}
    grid [ceildiv(dim(%y, 0), BN)] {
  %n = tile.block_id 0
  %t = tile.load %x[%n] [BN] : !tile.view<?xf32> -> tensor<?xf32>
  %s = arith.addf %t, %t : tensor<?xf32>
  tile.store %s, %y[%n] : tensor<?xf32>, !tile.view<?xf32>
}

// All of them, written to files.
// RUN: rm -rf %t && tilegpt-opt %s --dump-phases-to=%t -o /dev/null
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// FILES: 1-graph.mlir
// FILES-NEXT: 2-launches.mlir
// FILES-NEXT: 3-specialized.mlir
// FILES-NEXT: 4-linalg.mlir
// FILES-NEXT: 5-bufferized.mlir
// FILES-NEXT: 6-vector.mlir
// FILES-NEXT: 7-llvm.mlir

// RUN: not tilegpt-opt %s --compile-to=ptx 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: tilegpt-opt: error: --compile-to: expected one of tile, graph, launches, specialized, linalg, bufferized, vector, llvm, or for a GPU tile, graph, launches, specialized, planned, layouts, threads, nvvm, found 'ptx'
// RUN: not tilegpt-opt %s --compile-to=llvm --cse 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: tilegpt-opt: error: --compile-to, --dump-phases-to and --emit run whole phases and cannot be combined with passes
// RUN: not tilegpt-opt %s --compile-to=llvm --target-cpu=z80 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: tilegpt-opt: error: --target-cpu: {{.*}}z80
