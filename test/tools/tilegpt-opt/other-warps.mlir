// With four warps, the threads of this kernel would hold more accumulators than they have registers; ptxas says so, and the
// kernel is planned with eight.
// REQUIRES: ptxas
// RUN: tilegpt-opt %kernels/attention_full.mlir --arch=sm_80 --arg=q=2x8x1024x232xbf16,k=2x8x1024x232xbf16,v=2x8x1024x232xbf16,y=2x8x1024x232xbf16 --emit=report | FileCheck %s
// RUN: tilegpt-opt %kernels/attention_full.mlir --arch=sm_80 --arg=q=2x8x1024x232xbf16,k=2x8x1024x232xbf16,v=2x8x1024x232xbf16,y=2x8x1024x232xbf16 --emit=launch 2>&1 | FileCheck %s --check-prefix=LAUNCH --implicit-check-not=warning

// CHECK: attention_full: 256 threads
// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK: tile: 8 warps: with 4, ptxas reports problems
// LAUNCH: "threads": 256

// Without ptxas, the plan is the first one.
// RUN: env TILEGPT_PTXAS=off tilegpt-opt %kernels/attention_full.mlir --arch=sm_80 --arg=q=2x8x1024x232xbf16,k=2x8x1024x232xbf16,v=2x8x1024x232xbf16,y=2x8x1024x232xbf16 --emit=ptx 2>&1 | FileCheck %s --check-prefix=ESTIMATE
// ESTIMATE: .reqntid 128
