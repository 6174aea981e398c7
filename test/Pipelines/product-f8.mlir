// The library's f8 product: with wgmma if sums of 128 products may lose precision, else with f16 fragments.
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a --fast-f8 -o %t.ptx && FileCheck %s --check-prefix=FAST < %t.ptx
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a -o %t.ptx && FileCheck %s --check-prefix=EXACT < %t.ptx
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_89 --fast-f8 -o %t.ptx && FileCheck %s --check-prefix=ADA < %t.ptx
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_80 --fast-f8 -o %t.ptx && FileCheck %s --check-prefix=AMPERE < %t.ptx
// RUN: %if ptxas %{ tilegpt-opt %s --emit=report --arch=sm_90a --fast-f8 | FileCheck %s --check-prefix=REPORT %}
// RUN: %if ptxas %{ tilegpt-opt %s --emit=report --arch=sm_90a | FileCheck %s --check-prefix=REPORT %}
// RUN: %if ptxas %{ tilegpt-opt %s --emit=report --arch=sm_89 --fast-f8 | FileCheck %s --check-prefix=REPORT %}
// RUN: %if ptxas %{ tilegpt-opt %s --emit=report --arch=sm_80 | FileCheck %s --check-prefix=REPORT %}

// REPORT-NOT: problem

// @both, which has no bias: kernels are sorted by name.
// FAST-LABEL: .entry kernel_linear2_0(
// FAST:       cp.async.bulk.tensor.2d.shared::cluster.global
// FAST-COUNT-64: add.rn.f32
// FAST-COUNT-4: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.f32.e4m3.e4m3
// FAST-NOT:   wgmma.mma_async
// FAST:       wgmma.wait_group.sync.aligned 0
// FAST-NOT:   mma_async
// EXACT-LABEL: .entry kernel_linear2_0(
// EXACT:      cp.async.cg.shared.global
// EXACT:      cvt.rn.f16x2.e4m3x2
// EXACT:      mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// EXACT-NOT:  wgmma
// EXACT-LABEL: .entry kernel_linear_0(
// EXACT:      wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16.f32.bf16.bf16
// ADA-LABEL:  .entry kernel_linear2_0(
// ADA:        cp.async.cg.shared.global
// ADA:        mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
// AMPERE-LABEL: .entry kernel_linear2_0(
// AMPERE:     cp.async.cg.shared.global
// AMPERE-NOT: e4m3
// AMPERE:     mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

// If only weights are f8, they are widened to the type that is multiplied.
// FAST-LABEL: .entry kernel_linear_0(
// FAST:       cvt.rn.f16x2.e5m2x2
// FAST:       wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16.f32.bf16.bf16
// AMPERE-LABEL: .entry kernel_linear_0(
// AMPERE:     mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
func.func @weights(%x: tensor<1024x768xbf16>, %w: tensor<768x768xf8E5M2>, %b: tensor<768xf32>) -> tensor<1024x768xbf16> {
  %e = tensor.empty() : tensor<1024x768xbf16>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<1024x768xbf16>, tensor<768x768xf8E5M2>, tensor<768xf32>, tensor<1024x768xbf16>) -> tensor<1024x768xbf16>
  return %y : tensor<1024x768xbf16>
}

func.func @both(%x: tensor<1024x1024xf8E4M3FN>, %w: tensor<4096x1024xf8E4M3FN>) -> tensor<1024x4096xbf16> {
  %e = tensor.empty() : tensor<1024x4096xbf16>
  %n = tensor.empty() : tensor<0xf32>
  %y = tile.launch @linear ins(%x, %w, %n) outs(%e)
    : (tensor<1024x1024xf8E4M3FN>, tensor<4096x1024xf8E4M3FN>, tensor<0xf32>, tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16>
  return %y : tensor<1024x4096xbf16>
}
