// From the library's kernels to wgmma: every shape class, through LLVM and ptxas.
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a -o %t.ptx && FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %if ptxas %{ tilegpt-opt %s --emit=report --arch=sm_90a | FileCheck %s --check-prefix=REPORT %}

// Teams take turns: 128 × 192 × 64 are 2 × 4 instructions per step, once before the loop and once in it. Three boxes
// are stored from each of two blocks of 64 rows.
// PTX-LABEL: .entry kernel_linear_0(
// PTX:       .reqntid 384
// PTX:       setmaxnreg.dec.sync.aligned.u32 24
// PTX:       cp.async.bulk.tensor.2d.shared::cluster.global
// PTX:       cp.async.bulk.tensor.2d.shared::cluster.global
// PTX:       setmaxnreg.inc.sync.aligned.u32 240
// PTX-COUNT-8: wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16
// PTX:       wgmma.commit_group
// PTX-NOT:   wgmma.commit_group
// PTX-COUNT-8: wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16
// PTX-NOT:   wgmma.mma_async
// PTX:       wgmma.wait_group.sync.aligned 1
// PTX:       wgmma.wait_group.sync.aligned 0
// PTX-COUNT-24: stmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX-NOT:   stmatrix
// PTX:       ret

// Four blocks split the depth: three shares of 8 columns are sent, with a predicated store each.
// PTX-LABEL: .entry kernel_linear_2(
// PTX:       .reqnctapercluster 1, 4, 1
// PTX:       barrier.cluster.arrive.relaxed
// PTX:       barrier.cluster.wait
// PTX-COUNT-4: st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32
// PTX-NOT:   st.async
// PTX:       ret

// 142 rows: transposed tiles of 72, which stmatrix transposes back; a square of four blocks copies them.
// PTX-LABEL: .entry kernel_linear_3(
// PTX:       .reqnctapercluster 4, 1, 1
// PTX:       wgmma.mma_async.sync.aligned.m64n72k16.f32.bf16.bf16
// PTX-COUNT-8: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX-NOT:   stmatrix
// PTX:       ret

// No spills and no serialized wgmma: neither here nor if warp groups share a tile, and with any epilogue.
// REPORT:     kernel_linear_add_0: 384 threads
// REPORT-NOT: problem
// REPORT:     kernel_linear_gelu_0: 384 threads
// REPORT-NOT: problem
// REPORT:     kernel_linear2_0: 384 threads
// REPORT-NOT: problem
// REPORT:     kernel_linear_0: 384 threads
// REPORT-NOT: problem
// REPORT:     kernel_linear_1: 384 threads
// REPORT-NOT: problem
// REPORT:     kernel_linear_2: 256 threads
// REPORT-NOT: problem
// REPORT:     kernel_linear_3: 384 threads
// REPORT-NOT: problem

func.func @wide(%x: tensor<8192x768xbf16>, %w: tensor<3072x768xbf16>, %b: tensor<3072xf32>) -> tensor<8192x3072xbf16> {
  %e = tensor.empty() : tensor<8192x3072xbf16>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e) params {BM = 128, BN = 192}
    : (tensor<8192x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<8192x3072xbf16>) -> tensor<8192x3072xbf16>
  return %y : tensor<8192x3072xbf16>
}

func.func @one_wave(%x: tensor<1024x768xbf16>, %w: tensor<768x768xbf16>, %b: tensor<768xf32>) -> tensor<1024x768xbf16> {
  %e = tensor.empty() : tensor<1024x768xbf16>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e) params {BM = 128, BN = 56}
    : (tensor<1024x768xbf16>, tensor<768x768xbf16>, tensor<768xf32>, tensor<1024x768xbf16>) -> tensor<1024x768xbf16>
  return %y : tensor<1024x768xbf16>
}

func.func @activated(%x: tensor<8192x768xbf16>, %w: tensor<3072x768xbf16>, %b: tensor<3072xf32>) -> tensor<8192x3072xbf16> {
  %e = tensor.empty() : tensor<8192x3072xbf16>
  %h = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<8192x768xbf16>, tensor<3072x768xbf16>, tensor<3072xf32>, tensor<8192x3072xbf16>) -> tensor<8192x3072xbf16>
  %y = tile.launch @gelu ins(%h) outs(%e) : (tensor<8192x3072xbf16>, tensor<8192x3072xbf16>) -> tensor<8192x3072xbf16>
  return %y : tensor<8192x3072xbf16>
}

func.func @residual(%x: tensor<8192x3072xbf16>, %w: tensor<768x3072xbf16>, %b: tensor<768xf32>,
                    %r: tensor<8192x768xbf16>) -> tensor<8192x768xbf16> {
  %e = tensor.empty() : tensor<8192x768xbf16>
  %h = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<8192x3072xbf16>, tensor<768x3072xbf16>, tensor<768xf32>, tensor<8192x768xbf16>) -> tensor<8192x768xbf16>
  %y = tile.launch @add ins(%h, %r) outs(%e)
    : (tensor<8192x768xbf16>, tensor<8192x768xbf16>, tensor<8192x768xbf16>) -> tensor<8192x768xbf16>
  return %y : tensor<8192x768xbf16>
}

func.func @head(%x: tensor<1024x768xbf16>, %w: tensor<50257x768xbf16>) -> tensor<1024x50257xf32> {
  %e = tensor.empty() : tensor<1024x50257xf32>
  %n = tensor.empty() : tensor<0xf32>
  %y = tile.launch @linear ins(%x, %w, %n) outs(%e)
    : (tensor<1024x768xbf16>, tensor<50257x768xbf16>, tensor<0xf32>, tensor<1024x50257xf32>) -> tensor<1024x50257xf32>
  return %y : tensor<1024x50257xf32>
}

func.func @deep(%x: tensor<64x3072xbf16>, %w: tensor<768x3072xbf16>, %b: tensor<768xf32>) -> tensor<64x768xbf16> {
  %e = tensor.empty() : tensor<64x768xbf16>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<64x3072xbf16>, tensor<768x3072xbf16>, tensor<768xf32>, tensor<64x768xbf16>) -> tensor<64x768xbf16>
  return %y : tensor<64x768xbf16>
}

func.func @uneven(%x: tensor<142x1944xbf16>, %w: tensor<6248x1944xbf16>, %b: tensor<6248xf32>) -> tensor<142x6248xbf16> {
  %e = tensor.empty() : tensor<142x6248xbf16>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e)
    : (tensor<142x1944xbf16>, tensor<6248x1944xbf16>, tensor<6248xf32>, tensor<142x6248xbf16>) -> tensor<142x6248xbf16>
  return %y : tensor<142x6248xbf16>
}
