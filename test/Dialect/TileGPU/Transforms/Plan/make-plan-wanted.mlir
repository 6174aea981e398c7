// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=planned 2>%t.err | FileCheck %s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=ERR

// A requested plan is honored if the rules for plans allow it, in full or not at all.

// CHECK-DAG: #[[OWN:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 10, producer = true, persistent = true, multicast = 2>
// CHECK-DAG: #[[COPIES:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 10, producer = true, persistent = true, multicast = 2, multicastAxis = 1>
// CHECK-DAG: #[[PARTS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 6, producer = true, parts = 2>
// CHECK-DAG: #[[BANDS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true, persistent = true, raster = 16, overlap = false>
// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, overlap = false>

// CHECK-DAG: #[[WARPS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8>
// CHECK-DAG: #[[REGISTERS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 3, blocks = 1, inRegisters = true>
// CHECK-DAG: #[[SHARED:.*]] = #tile_gpu.plan<target = "sm_90a", warps = {{[0-9]+}}, parts = 4, blocks = {{[0-9]+}}>

// CHECK-DAG: #[[MEMORY:.*]] = #tile_gpu.plan<target = "sm_90a", warps = {{[0-9]+}}, parts = 3, blocks = {{[0-9]+}}, throughMemory = true>

// CHECK-LABEL: @linear_6(
// CHECK:       tile_gpu.plan = #[[OWN]]}
// CHECK-LABEL: @linear_5(
// CHECK:       tile_gpu.plan = #[[OWN]]}
// CHECK-LABEL: @linear_4(
// CHECK:       tile_gpu.plan = #[[OWN]]}
// CHECK-LABEL: @linear_3(
// CHECK:       tile_gpu.plan = #[[COPIES]]}
// CHECK-LABEL: @linear_2(
// CHECK:       tile_gpu.plan = #[[PARTS]]}
// CHECK-LABEL: @linear_1(
// CHECK:       tile_gpu.plan = #[[BANDS]]}
// CHECK-LABEL: @linear_0(
// CHECK:       tile_gpu.plan = #[[OWN]]}
// Exchange through memory takes blocks of their own, two for each multiprocessor.
// CHECK-LABEL: @softmax_6(
// CHECK:       tile_gpu.plan = #[[MEMORY]], tile_gpu.resident = 2 : i64, tile_gpu.row_blocks = array<i64: 3, 2>}
// CHECK-LABEL: @softmax_5(
// CHECK-NOT:   tile_gpu.plan = #[[WARPS]]}
// CHECK-LABEL: @softmax_4(
// CHECK:       tile_gpu.plan = #[[WARPS]]}
// CHECK-LABEL: @softmax_3(
// CHECK-NOT:   tile_gpu.plan = #[[REGISTERS]]}
// CHECK-LABEL: @softmax_2(
// CHECK:       tile_gpu.plan = #[[SHARED]], tile_gpu.resident = 3 : i64}
// CHECK-LABEL: @softmax_1(
// CHECK:       tile_gpu.plan = #[[REGISTERS]]}
// CHECK-LABEL: @softmax_0(
// CHECK:       tile_gpu.plan = #[[ROWS]]}

// ERR-DAG: warning: a plan with parts = 3 does not fit 'linear_4'; the default plan is used
// ERR-DAG: warning: a plan with stages = 2 does not fit 'linear_5'; the default plan is used
// ERR-DAG: warning: a plan with parts = 3 does not fit 'softmax_3'; the default plan is used
// ERR-DAG: warning: a plan with warps = 3 does not fit 'softmax_5'; the default plan is used
// ERR-DAG: warning: a plan with warps = 2 does not fit 'softmax_7'; the default plan is used
// ERR-DAG: warning: a plan with speed = 11 does not fit 'linear_6'; the default plan is used

!X = tensor<1024x3080xbf16>
!W = tensor<768x3080xbf16>
!Y = tensor<1024x768xbf16>
func.func @products(%x: !X, %w: !W, %b: tensor<768xf32>, %y: !Y) {
  tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 64, BN = 96, BK = 64} : (!X, !W, tensor<768xf32>, !Y) -> !Y
  tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 64, BN = 96, BK = 64}
      {tile.wanted_plan = {raster = 16, overlap = 0, stages = 4, multicast = 1, parts = 1}} : (!X, !W, tensor<768xf32>, !Y) -> !Y
  tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 64, BN = 96, BK = 64}
      {tile.wanted_plan = {parts = 2}} : (!X, !W, tensor<768xf32>, !Y) -> !Y
  tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 64, BN = 96, BK = 64}
      {tile.wanted_plan = {multicast = 2, multicastAxis = 1}} : (!X, !W, tensor<768xf32>, !Y) -> !Y
  tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 64, BN = 96, BK = 64}
      {tile.wanted_plan = {parts = 3, raster = 16}} : (!X, !W, tensor<768xf32>, !Y) -> !Y
  tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 64, BN = 96, BK = 64}
      {tile.wanted_plan = {stages = 2}} : (!X, !W, tensor<768xf32>, !Y) -> !Y
  tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 64, BN = 96, BK = 64}
      {tile.wanted_plan = {speed = 11}} : (!X, !W, tensor<768xf32>, !Y) -> !Y
  return
}

func.func @no_product(%x: tensor<64x768xbf16>, %y: tensor<64x768xbf16>) {
  tile.launch @softmax ins(%x) outs(%y) {tile.wanted_plan = {overlap = 0}} : (tensor<64x768xbf16>, tensor<64x768xbf16>) -> tensor<64x768xbf16>
  return
}

// Long rows: where they are kept, and in how many parts. Two warps cannot hold a third of a row.
!R = tensor<75x52138xbf16>
func.func @long_rows(%x: !R, %y: !R) {
  tile.launch @softmax ins(%x) outs(%y) {tile.wanted_plan = {inRegisters = 1, parts = 3, warps = 16}} : (!R, !R) -> !R
  tile.launch @softmax ins(%x) outs(%y) {tile.wanted_plan = {inRegisters = 0, parts = 4}} : (!R, !R) -> !R
  tile.launch @softmax ins(%x) outs(%y) {tile.wanted_plan = {inRegisters = 1, parts = 3, warps = 2}} : (!R, !R) -> !R
  return
}

// Without a producer: a power of two.
func.func @warps(%x: tensor<64x768xbf16>, %y: tensor<64x768xbf16>) {
  tile.launch @softmax ins(%x) outs(%y) {tile.wanted_plan = {warps = 8}} : (tensor<64x768xbf16>, tensor<64x768xbf16>) -> tensor<64x768xbf16>
  tile.launch @softmax ins(%x) outs(%y) {tile.wanted_plan = {warps = 3}} : (tensor<64x768xbf16>, tensor<64x768xbf16>) -> tensor<64x768xbf16>
  return
}

func.func @memory(%x: !R, %y: !R) {
  tile.launch @softmax ins(%x) outs(%y) {tile.wanted_plan = {parts = 3, throughMemory = 1}} : (!R, !R) -> !R
  return
}

// No way to keep long rows has two warps: threads would hold hundreds of their elements.
func.func @few_warps(%x: !R, %y: !R) {
  tile.launch @softmax ins(%x) outs(%y) {tile.wanted_plan = {warps = 2}} : (!R, !R) -> !R
  return
}
