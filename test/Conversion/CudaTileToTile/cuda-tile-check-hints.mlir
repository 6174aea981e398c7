// RUN: tilegpt-opt %s --cuda-tile-check-hints=error -split-input-file -verify-diagnostics | FileCheck %s
// RUN: tilegpt-opt %s --cuda-tile-check-hints -split-input-file 2>&1 | FileCheck %s --check-prefix=WARN
// Without the pass a hint is never an error.
// RUN: tilegpt-opt %s -split-input-file 2>&1 | FileCheck %s --check-prefix=SILENT --implicit-check-not=warning

// CHECK-LABEL: entry @good
// SILENT:      entry @good
cuda_tile.module @good {
  entry @good(%p: tile<ptr<f32>>) optimization_hints=<default = {num_cta_in_cga = 16}, sm_90 = {occupancy = 32, num_worker_warps_per_cta = 8}> {
    %v, %k = load_ptr_tko weak %p optimization_hints = <sm_80 = {latency = 10}> : tile<ptr<f32>> -> tile<f32>, token
    %s = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %w = make_partition_view %s : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %i = constant <i32: 0> : tile<i32>
    %t, %l = load_view_tko weak %w[%i] optimization_hints = <sm_120 = {allow_tma = false, latency = 1}> : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

// WARN: warning: optimization_hints: expected 'default' or a target such as sm_90, found 'sm_90a'
// WARN: entry @target
// SILENT: entry @target
cuda_tile.module @target {
  // expected-error @below {{'cuda_tile.entry' op optimization_hints: expected 'default' or a target such as sm_90, found 'sm_90a'}}
  entry @target() optimization_hints=<sm_90a = {occupancy = 2}> {
  }
}

// -----

cuda_tile.module @name {
  // expected-error @below {{'cuda_tile.entry' op optimization_hints: 'cuda_tile.entry' has no hint 'latency'}}
  entry @name() optimization_hints=<sm_90 = {latency = 2}> {
  }
}

// -----

cuda_tile.module @values {
  // expected-error @below {{'cuda_tile.entry' op optimization_hints: expected a power of two from 1 to 16 for sm_90.num_cta_in_cga, found 7}}
  // expected-error @below {{'cuda_tile.entry' op optimization_hints: expected a power of two from 1 to 32 for sm_90.num_worker_warps_per_cta, found 64}}
  // expected-error @below {{'cuda_tile.entry' op optimization_hints: expected an integer from 1 to 32 for sm_90.occupancy, found "a"}}
  entry @values() optimization_hints=<sm_90 = {num_cta_in_cga = 7, num_worker_warps_per_cta = 64, occupancy = "a"}> {
  }
}

// -----

cuda_tile.module @accesses {
  entry @accesses(%p: tile<ptr<f32>>) {
    // expected-error @below {{'cuda_tile.load_ptr_tko' op optimization_hints: 'cuda_tile.load_ptr_tko' has no hint 'allow_tma'}}
    %v, %k = load_ptr_tko weak %p optimization_hints = <sm_80 = {allow_tma = true}> : tile<ptr<f32>> -> tile<f32>, token
    %s = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %w = make_partition_view %s : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %i = constant <i32: 0> : tile<i32>
    // expected-error @below {{'cuda_tile.load_view_tko' op optimization_hints: expected true or false for sm_90.allow_tma, found 1}}
    // expected-error @below {{'cuda_tile.load_view_tko' op optimization_hints: expected an integer from 1 to 10 for sm_90.latency, found 11}}
    %t, %l = load_view_tko weak %w[%i] optimization_hints = <sm_90 = {allow_tma = 1, latency = 11}> : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}
