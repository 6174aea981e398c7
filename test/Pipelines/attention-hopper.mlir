// From the attention kernel to wgmma: every number of warp groups, both head sizes, through LLVM and ptxas.
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a -o %t.ptx && FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %if ptxas %{ tilegpt-opt %s --emit=report --arch=sm_90a | FileCheck %s --check-prefix=REPORT %}
// RUN: tilegpt-opt %s --compile-to=layouts --arch=sm_90a | FileCheck %s --check-prefix=LAYOUTS
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_80 -o %t.80.ptx && FileCheck %s --check-prefix=AMPERE < %t.80.ptx

// Scores of the first iteration; scores and accumulators of each further one; accumulators of the last. One instruction
// per exponential, and no element is converted separately.
// PTX-LABEL: .entry kernel_attention_0(
// PTX:       .reqntid 512
// PTX:       setmaxnreg.inc.sync.aligned.u32 160
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// PTX:       wgmma.wait_group.sync.aligned 0
// PTX:       max.NaN.f32
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// PTX-COUNT-8: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
// PTX:       wgmma.wait_group.sync.aligned 1
// PTX:       wgmma.wait_group.sync.aligned 0
// PTX:       fma.rn.f32
// PTX-NEXT:  ex2.approx.ftz.f32
// PTX:       cvt.rn.bf16x2.f32
// PTX:       vote.sync.any
// PTX:       max.NaN.f32
// PTX:       ret

// Warps mask independently: no exchange there, nor anywhere else.
// LAYOUTS:     tile_gpu.any
// LAYOUTS-NOT: tile_gpu.convert_layout
// LAYOUTS-NOT: tile_gpu.barrier

// REPORT:     kernel_attention_0: 512 threads
// REPORT-NOT: problem
// REPORT:     kernel_attention_1: 256 threads
// REPORT-NOT: problem
// REPORT:     kernel_attention_2: 384 threads
// REPORT-NOT: problem

// AMPERE-NOT: wgmma
// AMPERE:     mma.sync.aligned.m16n8k16

func.func @three(%x: tensor<16384x2304xbf16>, %k: tensor<8x12x2048x64xbf16>, %p: tensor<8xi32>) -> tensor<16384x768xbf16> {
  %zf = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16384x768xbf16>
  %y = tile.launch @attention ins(%x, %k, %k, %p, %zf, %zi, %zf) outs(%e) : (tensor<16384x2304xbf16>, tensor<8x12x2048x64xbf16>,
    tensor<8x12x2048x64xbf16>, tensor<8xi32>, f32, i32, f32, tensor<16384x768xbf16>) -> tensor<16384x768xbf16>
  return %y : tensor<16384x768xbf16>
}
func.func @one(%x: tensor<256x2304xbf16>, %k: tensor<1x12x256x64xbf16>, %p: tensor<1xi32>) -> tensor<256x768xbf16> {
  %zf = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %e = tensor.empty() : tensor<256x768xbf16>
  %y = tile.launch @attention ins(%x, %k, %k, %p, %zf, %zi, %zf) outs(%e) : (tensor<256x2304xbf16>, tensor<1x12x256x64xbf16>,
    tensor<1x12x256x64xbf16>, tensor<1xi32>, f32, i32, f32, tensor<256x768xbf16>) -> tensor<256x768xbf16>
  return %y : tensor<256x768xbf16>
}
func.func @wide(%x: tensor<16384x6144xf16>, %k: tensor<2x16x8192x128xf16>, %p: tensor<2xi32>) -> tensor<16384x2048xf16> {
  %zf = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16384x2048xf16>
  %y = tile.launch @attention ins(%x, %k, %k, %p, %zf, %zi, %zf) outs(%e) : (tensor<16384x6144xf16>, tensor<2x16x8192x128xf16>,
    tensor<2x16x8192x128xf16>, tensor<2xi32>, f32, i32, f32, tensor<16384x2048xf16>) -> tensor<16384x2048xf16>
  return %y : tensor<16384x2048xf16>
}
