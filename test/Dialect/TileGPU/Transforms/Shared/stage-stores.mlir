// RUN: tilegpt-opt %s --tile-gpu-stage-stores --split-input-file --canonicalize --cse | FileCheck %s

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:24*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true>
!Y = !tile.view<?x2304xbf16>

// Three boxes of 64 columns in two buffers.
// CHECK-LABEL: tile.kernel @store(
// CHECK-SAME:    outs(%[[Y:.*]]: !tile.view<?x2304xbf16>)
// CHECK-DAG:   %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<2x128x64xbf16, swizzle = 128>
// CHECK-DAG:   %[[M:.*]] = tile_gpu.tensor_map %[[Y]] : {{.*}} -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
// CHECK:       } consumer {
// CHECK:         %[[ROW:.*]] = arith.muli %{{.*}}, %c128
// CHECK:         %[[COLUMN:.*]] = arith.muli %{{.*}}, %c192
// CHECK:         tile_gpu.tma_store %{{.*}}, %[[M]][%[[ROW]], %[[COLUMN]]] through %[[B]]
// CHECK-NOT:     tile.store
// CHECK:         tile_gpu.finish_stores
tile.kernel @store(%s: bf16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 12] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [128, 192] : bf16 -> tensor<128x192xbf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<128x192xbf16, #acc>, !Y
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:32*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true>
!Y = !tile.view<?x2304xf16>

// Four boxes: two buffers, while they fit.
// CHECK-LABEL: tile.kernel @two_buffers(
// CHECK:       tile_gpu.alloc : !tile_gpu.shared<2x128x64xf16, swizzle = 128>
// CHECK-LABEL: tile.kernel @no_room(
// CHECK:       tile_gpu.alloc : !tile_gpu.shared<1x128x64xf16, swizzle = 128>
tile.kernel @two_buffers(%s: f16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 9] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [128, 256] : f16 -> tensor<128x256xf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<128x256xf16, #acc>, !Y
  }
}
tile.kernel @no_room(%s: f16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 9] attributes {tile_gpu.plan = #plan} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<200x1024xi8>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [128, 256] : f16 -> tensor<128x256xf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<128x256xf16, #acc>, !Y
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:10*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#turned = #tile_gpu.layout<registers = [d0:2*1, d1:2*8, d0:10*8], lanes = [d0:4*2, d1:8*1], warps = [d1:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true>
!Y = !tile.view<?x2304xf16>

// Half and quarter boxes have fewer columns, of a transposed tile fewer rows.
// CHECK-LABEL: tile.kernel @half_box(
// CHECK-DAG:   tile_gpu.alloc : !tile_gpu.shared<1x128x32xf16, swizzle = 64>
// CHECK-DAG:   tile_gpu.tensor_map {{.*}} -> !tile_gpu.tensor_map<64x32xf16, swizzle = 64>
// CHECK-LABEL: tile.kernel @quarter_box(
// CHECK-DAG:   tile_gpu.alloc : !tile_gpu.shared<1x128x16xf16, swizzle = 32>
// CHECK-DAG:   tile_gpu.tensor_map {{.*}} -> !tile_gpu.tensor_map<64x16xf16, swizzle = 32>
// CHECK-LABEL: tile.kernel @quarter_of_transposed(
// CHECK-DAG:   tile_gpu.alloc : !tile_gpu.shared<1x32x64xf16, swizzle = 128>
// CHECK-DAG:   tile_gpu.tensor_map {{.*}} -> !tile_gpu.tensor_map<16x64xf16, swizzle = 128>
// Other kernels with several dots, such as attention, reserve nothing for boxes: threads store their results.
// CHECK-LABEL: tile.kernel @several_dots(
// CHECK-NOT:   tile_gpu.tma_store
// CHECK:       tile.store
tile.kernel @half_box(%s: f16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 29] attributes {tile_gpu.plan = #plan} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<215x1024xi8>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [128, 80] : f16 -> tensor<128x80xf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<128x80xf16, #acc>, !Y
  }
}
tile.kernel @quarter_box(%s: f16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 29] attributes {tile_gpu.plan = #plan} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<220x1024xi8>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [128, 80] : f16 -> tensor<128x80xf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<128x80xf16, #acc>, !Y
  }
}
tile.kernel @quarter_of_transposed(%s: f16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 80), 18]
    attributes {tile_gpu.plan = #plan} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<220x1024xi8>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [80, 128] : f16 -> tensor<80x128xf16, #turned>
    tile.store %t, %y[%m, %n] : tensor<80x128xf16, #turned>, !Y
  }
}
tile.kernel @several_dots(%s: f16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), 29] attributes {tile_gpu.plan = #plan} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<215x1024xi8>
  %a = tile_gpu.alloc : !tile_gpu.shared<128x16xf16, swizzle = 32>
  %b = tile_gpu.alloc : !tile_gpu.shared<80x16xf16, swizzle = 32>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %first = tile_gpu.async_dot %a, %b : !tile_gpu.shared<128x16xf16, swizzle = 32>,
        !tile_gpu.shared<80x16xf16, swizzle = 32>
        -> !tile_gpu.pending<tensor<128x80xf32, #acc>>
    %scores = tile_gpu.finish_dot %first : !tile_gpu.pending<tensor<128x80xf32, #acc>>
    %second = tile_gpu.async_dot %a, %b : !tile_gpu.shared<128x16xf16, swizzle = 32>,
        !tile_gpu.shared<80x16xf16, swizzle = 32>
        -> !tile_gpu.pending<tensor<128x80xf32, #acc>>
    %sum = tile_gpu.finish_dot %second : !tile_gpu.pending<tensor<128x80xf32, #acc>>
    %both = arith.addf %scores, %sum : tensor<128x80xf32, #acc>
    %t = tile.cast %both : tensor<128x80xf32, #acc> to tensor<128x80xf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<128x80xf16, #acc>, !Y
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:16*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#one = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true>
#two = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true, blocks = 2>
!Y = !tile.view<?x2304xf16>

// Buffers fit the share of a block if two share a multiprocessor.
// CHECK-LABEL: tile.kernel @one_block(
// CHECK:       tile_gpu.alloc : !tile_gpu.shared<2x64x64xf16, swizzle = 128>
// CHECK-LABEL: tile.kernel @two_blocks(
// CHECK:       tile_gpu.alloc : !tile_gpu.shared<1x64x64xf16, swizzle = 128>
tile.kernel @one_block(%s: f16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64), 18] attributes {tile_gpu.plan = #one} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<100x1024xi8>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [64, 128] : f16 -> tensor<64x128xf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<64x128xf16, #acc>, !Y
  }
}
tile.kernel @two_blocks(%s: f16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64), 18] attributes {tile_gpu.plan = #two} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<100x1024xi8>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [64, 128] : f16 -> tensor<64x128xf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<64x128xf16, #acc>, !Y
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#acc5 = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:5*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true>

// 32-bit elements are stored through shared memory row by row, and 16-bit ones if rows are no multiple of 16 bytes. If
// that does not fit, threads store directly; four lanes per row would write parts of two sectors each, so a warp first
// forms rows. Rows of an even number of units are padded by one, others by two.
// CHECK:       #[[ROWS:.*]] = #tile_gpu.layout<registers = [d0:16*1, d1:2*32], lanes = [d1:32*1], warps = [d0:4*16]>
// CHECK-LABEL: tile.kernel @odd_rows(
// CHECK-NOT:   tma_store
// CHECK:       %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<4x8x64xbf16, padding = 8>
// CHECK:       tile_gpu.row_store %{{.*}} through %[[B]] :
// CHECK-NOT:   tile.store
// CHECK-LABEL: tile.kernel @odd_units(
// CHECK:       tile_gpu.alloc : !tile_gpu.shared<4x8x40xf16, padding = 16>
// CHECK:       tile_gpu.row_store
// CHECK-LABEL: tile.kernel @odd_rows_no_room(
// CHECK:       %[[R:.*]] = tile_gpu.convert_layout %{{.*}} -> tensor<64x64xbf16, #[[ROWS]]>
// CHECK:       tile.store %[[R]]
// CHECK-LABEL: tile.kernel @wide(
// CHECK-SAME:    outs(%[[Y:.*]]: !tile.view<?x992xf32>)
// CHECK:       %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<4x8x64xf32, padding = 4>
// CHECK:       tile_gpu.row_store %{{.*}}, %[[Y]][%{{.*}}, %{{.*}}] through %[[B]] aligned :
// CHECK-NOT:   tile.store
// CHECK-LABEL: tile.kernel @wide_odd(
// CHECK:       %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<4x8x64xf32, padding = 4>
// CHECK:       tile_gpu.row_store %{{.*}} through %[[B]] :
// CHECK-NOT:   finish_stores
// CHECK-LABEL: tile.kernel @wide_no_room(
// CHECK:       %[[R:.*]] = tile_gpu.convert_layout
// CHECK:       tile.store %[[R]]
tile.kernel @odd_rows(%s: bf16) outs(%y: !tile.view<?x999xbf16>) grid [1, 9] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [64, 64] : bf16 -> tensor<64x64xbf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<64x64xbf16, #acc>, !tile.view<?x999xbf16>
  }
}
tile.kernel @odd_units(%s: f16) outs(%y: !tile.view<?x999xf16>) grid [1, 25] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [64, 40] : f16 -> tensor<64x40xf16, #acc5>
    tile.store %t, %y[%m, %n] : tensor<64x40xf16, #acc5>, !tile.view<?x999xf16>
  }
}
tile.kernel @odd_rows_no_room(%s: bf16) outs(%y: !tile.view<?x999xbf16>) grid [1, 9]
    attributes {tile_gpu.plan = #plan} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<226x1024xi8>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [64, 64] : bf16 -> tensor<64x64xbf16, #acc>
    tile.store %t, %y[%m, %n] : tensor<64x64xbf16, #acc>, !tile.view<?x999xbf16>
  }
}
tile.kernel @wide(%s: f32) outs(%y: !tile.view<?x992xf32>) grid [1, 9] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [64, 64] : f32 -> tensor<64x64xf32, #acc>
    tile.store %t, %y[%m, %n] : tensor<64x64xf32, #acc>, !tile.view<?x992xf32>
  }
}
tile.kernel @wide_odd(%s: f32) outs(%y: !tile.view<?x999xf32>) grid [1, 9] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [64, 64] : f32 -> tensor<64x64xf32, #acc>
    tile.store %t, %y[%m, %n] : tensor<64x64xf32, #acc>, !tile.view<?x999xf32>
  }
}
tile.kernel @wide_no_room(%s: f32) outs(%y: !tile.view<?x999xf32>) grid [1, 9] attributes {tile_gpu.plan = #plan} {
  %ring = tile_gpu.alloc : !tile_gpu.shared<226x1024xi8>
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [64, 64] : f32 -> tensor<64x64xf32, #acc>
    tile.store %t, %y[%m, %n] : tensor<64x64xf32, #acc>, !tile.view<?x999xf32>
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>
!Y = !tile.view<?x12x1024x64xbf16>

// Rows of one head: TMA can touch no data past them.
// CHECK-LABEL: tile.kernel @head(
// CHECK:         %[[M:.*]] = tile_gpu.tensor_map %arg1 : {{.*}} -> !tile_gpu.tensor_map<1x1x64x64xbf16, swizzle = 128>
// CHECK:         %[[ROW:.*]] = arith.muli %{{.*}}, %c128
// CHECK:         tile_gpu.tma_store %{{.*}}, %[[M]][%c5, %c3, %[[ROW]], %c0] through
// CHECK-NOT:     tile.store
tile.kernel @head(%s: bf16) outs(%y: !Y) grid [8] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %w = tile.select %y[%c5, %c3] : !Y -> !tile.view<1024x64xbf16>
    %t = tile.splat %s [128, 64] : bf16 -> tensor<128x64xbf16, #acc>
    tile.store %t, %w[%m, %c0] : tensor<128x64xbf16, #acc>, !tile.view<1024x64xbf16>
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>
!Y = !tile.view<?x768xbf16>
!W = !tile.view<?x64xbf16, strides=[768, 1]>

// Rows of one sequence: those of the next follow.
// CHECK-LABEL: tile.kernel @sequence(
// CHECK-SAME:    %{{.*}}: bf16, %[[FIRST:.*]]: index, %[[COUNT:.*]]: index)
// CHECK:         %[[M:.*]] = tile_gpu.tensor_map %arg3 : {{.*}} -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
// CHECK:         %[[IN:.*]] = arith.muli %[[N:.*]], %c128
// CHECK:         %[[ROW:.*]] = arith.addi %[[IN]], %[[FIRST]]
// CHECK:         %[[NEXT:.*]] = arith.addi %[[N]], %c1
// CHECK:         %[[END:.*]] = arith.muli %[[NEXT]], %c128
// CHECK:         %[[FITS:.*]] = arith.cmpi ule, %[[END]], %[[COUNT]]
// CHECK:         scf.if %[[FITS]] {
// CHECK-NEXT:      tile_gpu.tma_store %{{.*}}, %[[M]][%[[ROW]], %c192] through
// CHECK-NEXT:    } else {
// CHECK-NEXT:      tile.store
// CHECK:         tile_gpu.finish_stores
tile.kernel @sequence(%s: bf16, %first: index, %count: index) outs(%y: !Y) grid [8] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %c0 = arith.constant 0 : index
    %w = tile.subview %y[%first, 192] [%count, 64] : !Y -> !W
    %t = tile.splat %s [128, 64] : bf16 -> tensor<128x64xbf16, #acc>
    tile.store %t, %w[%m, %c0] : tensor<128x64xbf16, #acc>, !W
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:12*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 12, stages = 2, producer = true>
!Y = !tile.view<?x1024x64xbf16>

// Three warp groups have no registers for it if the grid is unknown.
// CHECK-LABEL: tile.kernel @open(
// CHECK-NOT:     tile_gpu.tma_store
// CHECK:         tile.store
tile.kernel @open(%s: bf16) outs(%y: !Y) grid [6, dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %h = tile.block_id 1
    %c0 = arith.constant 0 : index
    %w = tile.select %y[%h] : !Y -> !tile.view<1024x64xbf16>
    %t = tile.splat %s [192, 64] : bf16 -> tensor<192x64xbf16, #acc>
    tile.store %t, %w[%m, %c0] : tensor<192x64xbf16, #acc>, !tile.view<1024x64xbf16>
  }
}

// -----

#turned = #tile_gpu.layout<registers = [d0:2*1, d1:2*8, d0:9*8], lanes = [d0:4*2, d1:8*1], warps = [d1:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true>
!Y = !tile.view<?x2304xbf16>

// A transposed result is stored in boxes as well: two, of 64 rows each.
// CHECK-LABEL: tile.kernel @transposed(
// CHECK:       tile_gpu.alloc : !tile_gpu.shared<2x128x64xbf16, swizzle = 128>
// CHECK:       tile_gpu.tma_store
// CHECK-NOT:   tile.store
tile.kernel @transposed(%s: bf16) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 72), 18] attributes {tile_gpu.plan = #plan} {
  tile_gpu.roles producer {
  } consumer {
    %m = tile.block_id 0
    %n = tile.block_id 1
    %t = tile.splat %s [72, 128] : bf16 -> tensor<72x128xbf16, #turned>
    tile.store %t, %y[%m, %n] : tensor<72x128xbf16, #turned>, !Y
  }
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#odd = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:3*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Without roles, four lanes store whole sectors: of 64 bytes, or of 32 if rows are aligned to 8 bytes only. Others
// stay: an odd number of fragments, unaligned rows, 32 bits.
// CHECK-DAG: #[[WIDE:.*]] = #tile_gpu.layout<registers = [d1:8*1, d0:2*8, d1:2*32], lanes = [d1:4*8, d0:8*1], warps = [d0:4*16]>
// CHECK-DAG: #[[HALF:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:2*8, d1:4*16], lanes = [d1:4*4, d0:8*1], warps = [d0:4*16]>
// CHECK-LABEL: tile.kernel @sectors(
// CHECK:       %[[A:.*]] = tile_gpu.convert_layout {{.*}} -> tensor<64x64xbf16, #[[WIDE]]>
// CHECK-NEXT:  tile.store %[[A]]
// CHECK-NEXT:  %[[B:.*]] = tile_gpu.convert_layout {{.*}} -> tensor<64x64xbf16, #[[HALF]]>
// CHECK-NEXT:  tile.store %[[B]]
// CHECK-NOT:   convert_layout
// CHECK-COUNT-3: tile.store
tile.kernel @sectors(%h: bf16, %s: f32) outs(%y: !tile.view<64x64xbf16>, %z: !tile.view<64x68xbf16>, %o: !tile.view<64x24xbf16>,
    %u: !tile.view<64x67xbf16>, %w: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.splat %h [64, 64] : bf16 -> tensor<64x64xbf16, #acc>
  %n = tile.splat %h [64, 24] : bf16 -> tensor<64x24xbf16, #odd>
  %f = tile.splat %s [64, 64] : f32 -> tensor<64x64xf32, #acc>
  tile.store %t, %y[%c0, %c0] : tensor<64x64xbf16, #acc>, !tile.view<64x64xbf16>
  tile.store %t, %z[%c0, %c0] : tensor<64x64xbf16, #acc>, !tile.view<64x68xbf16>
  tile.store %n, %o[%c0, %c0] : tensor<64x24xbf16, #odd>, !tile.view<64x24xbf16>
  tile.store %t, %u[%c0, %c0] : tensor<64x64xbf16, #acc>, !tile.view<64x67xbf16>
  tile.store %f, %w[%c0, %c0] : tensor<64x64xf32, #acc>, !tile.view<64x64xf32>
}
