// RUN: tilegpt-opt %s --split-input-file --tile-link-peers | FileCheck %s

!B = !tile.view<?x256xbf16>
!F = !tile.view<?x1024xf32>

// One for each kind and type, bound to it; others stay as they are.
// CHECK-LABEL: tile.kernel @all_reduce_0(
tile.kernel @all_reduce_0(%x: !B) outs(%y: !B) grid [1] attributes {tile.collective = "all_reduce"} {}
// CHECK: tile.kernel @all_reduce_1(
tile.kernel @all_reduce_1(%x: !B) outs(%y: !B) grid [2] attributes {tile.collective = "all_reduce"} {}
// CHECK: tile.kernel @all_gather_0(
tile.kernel @all_gather_0(%x: !F) outs(%y: !F) grid [1] attributes {tile.collective = "all_gather"} {}
// CHECK: tile.kernel @other(
tile.kernel @other(%x: !F) outs(%y: !F) grid [1] {}

// CHECK: tile.kernel @peer_all_reduce_bf16(%{{.*}}: !tile.view<?xbf16>, %{{.*}}: !tile.view<?xi64>, %{{.*}}: !tile.view<?xi32>, %{{.*}}: i64, %{{.*}}: i64) outs(%{{.*}}: !tile.view<?xbf16>, %{{.*}}: !tile.view<?xi64>)
// CHECK-NEXT: params {BN = 512}
// CHECK-NEXT: grid [ceildiv(dim(%{{.*}}, 0), 512)]
// CHECK-SAME: tile.collective = "peer_all_reduce"
// CHECK-NOT: !tile.elt
// Words of another rank are written, and waited for, atomically.
// CHECK: tile.store_at {{.*}} order(relaxed) scope(system) : tensor<512xi64>
// CHECK: scf.while
// CHECK-NEXT: tile.load_at {{.*}} order(relaxed) scope(system) : {{.*}} -> tensor<512xi64>
// CHECK: tile.kernel @peer_all_gather_f32(
// CHECK-NOT: tile.kernel
