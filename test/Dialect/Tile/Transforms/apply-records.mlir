// RUN: tilegpt-opt %s --tile-apply-records=explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: tilegpt-opt %s --tile-apply-records=explain -o /dev/null 2>&1 | sed -n 's/.*@copy of text \([0-9a-f]*\),.*/s|DIGEST|\1|/p' | head -1 > %t.sed
// RUN: sed -f %t.sed %S/Inputs/records.json > %t.json
// RUN: tilegpt-opt %s --tile-apply-records="file=%t.json device='x86_64 znver4 with 4 lanes'" 2>%t.err | FileCheck %s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=ERR
// RUN: tilegpt-opt %s --tile-apply-records="file=%t.json" --tile-choose-parameters 2>/dev/null | FileCheck %s --check-prefix=MODEL
// RUN: tilegpt-opt %s --tile-apply-records="file=%t.json device='x86_64 znver4 with 2 lanes'" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: tilegpt-opt %s --tile-apply-records="file=%t.json device=x86_64" 2>/dev/null | FileCheck %s
// RUN: tilegpt-opt %s --tile-apply-records="file=%t.json device=sm_90a" 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: sed 's/"rows"/rows/' %t.json > %t.broken.json
// RUN: tilegpt-opt %s --tile-apply-records="file=%t.broken.json" 2>&1 | FileCheck %s --check-prefix=BROKEN

// A kernel's name and location are not part of its key.
// NONE: remark: @copy of text [[TEXT:[0-9a-f]+]], rows 0-0: no record
// NONE: remark: @renamed of text [[TEXT]], rows 0-0: no record

// ERR: remark: tuning: the record of @copy has BM = 5, which is not a candidate; it is not applied
// ERR-NOT: warning

// DEVICE: warning: tuning: '{{.*}}.json' is for x86_64 znver4 with 4 lanes, not for x86_64 znver4 with 2 lanes; it is not applied
// DEVICE-NOT: params {BM = 1 :

// ARCH: warning: tuning: '{{.*}}.json' is for x86_64 znver4 with 4 lanes, not for sm_90a; it is not applied

// BROKEN: warning: tuning: '{{.*}}.broken.json' is not valid JSON at line 4, column {{[0-9]+}}
// BROKEN-NOT: params {BM = 1 :

tile.kernel @copy(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    params {BM = 16 in [1, 4, 16], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !tile.view<?x?xf32> -> tensor<?x?xf32>
  tile.store %t, %y[%m, %n] : tensor<?x?xf32>, !tile.view<?x?xf32>
}

tile.kernel @renamed(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    params {BM = 16 in [1, 4, 16], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] attributes {tile.library} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !tile.view<?x?xf32> -> tensor<?x?xf32>
  tile.store %t, %y[%m, %n] : tensor<?x?xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: @of_these_operands
// MODEL-LABEL: @of_these_operands
func.func @of_these_operands(%a: tensor<2x32xf32>, %b: tensor<2x32xf32>) -> tensor<2x32xf32> {
  // CHECK: tile.launch @copy {{.*}} params {BM = 1 : i64}
  // The model would choose 4 rows; it fills open parameters.
  // MODEL: tile.launch @copy {{.*}} params {BM = 1 : i64, BN = 32 : i64}
  %0 = tile.launch @copy ins(%a) outs(%b) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}

// CHECK-LABEL: @of_another_name
func.func @of_another_name(%a: tensor<2x32xf32>, %b: tensor<2x32xf32>) -> tensor<2x32xf32> {
  // CHECK: tile.launch @renamed {{.*}} params {BM = 1 : i64}
  %0 = tile.launch @renamed ins(%a) outs(%b) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}

// CHECK-LABEL: @of_others
func.func @of_others(%a: tensor<2x64xf32>, %b: tensor<2x64xf32>) -> tensor<2x64xf32> {
  // CHECK-NOT: params
  %0 = tile.launch @copy ins(%a) outs(%b) : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  return %0 : tensor<2x64xf32>
}

// CHECK-LABEL: @keeps_what_the_launch_says
func.func @keeps_what_the_launch_says(%a: tensor<2x32xf32>, %b: tensor<2x32xf32>) -> tensor<2x32xf32> {
  // CHECK: tile.launch @copy {{.*}} params {BM = 16 : i64}
  %0 = tile.launch @copy ins(%a) outs(%b) params {BM = 16} : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}

// CHECK-LABEL: @of_rows_that_include_these
func.func @of_rows_that_include_these(%a: tensor<?x32xf32>, %b: tensor<?x32xf32>) -> tensor<?x32xf32>
    attributes {tile.rows = array<i64: 5, 8>} {
  // CHECK: tile.launch @copy {{.*}} params {BM = 4 : i64} {tile.record = "uses the record BM=4 plan.raster=4 plan.stages=3; measured: 1.00 us, 2.00 by default", tile.wanted_plan = {raster = 4 : i64, stages = 3 : i64}}
  %0 = tile.launch @copy ins(%a) outs(%b) : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}

// CHECK-LABEL: @of_more_rows
func.func @of_more_rows(%a: tensor<?x32xf32>, %b: tensor<?x32xf32>) -> tensor<?x32xf32>
    attributes {tile.rows = array<i64: 5, 18>} {
  // CHECK-NOT: params
  %0 = tile.launch @copy ins(%a) outs(%b) : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}

// CHECK-LABEL: @leaves_a_record_that_does_not_fit
func.func @leaves_a_record_that_does_not_fit(%a: tensor<3x32xf32>, %b: tensor<3x32xf32>) -> tensor<3x32xf32> {
  // CHECK-NOT: params
  %0 = tile.launch @copy ins(%a) outs(%b) : (tensor<3x32xf32>, tensor<3x32xf32>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// A plan belongs to a tile.
// CHECK-LABEL: @leaves_a_record_of_another_tile
func.func @leaves_a_record_of_another_tile(%a: tensor<?x32xf32>, %b: tensor<?x32xf32>) -> tensor<?x32xf32>
    attributes {tile.rows = array<i64: 5, 8>} {
  // CHECK: tile.launch @copy {{.*}} params {BM = 16 : i64} : (
  %0 = tile.launch @copy ins(%a) outs(%b) params {BM = 16} : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}
