// Kernels on rows as producers of CUDA Tile IR write them: transpose, softmax, norms and their gradient, SiLU, a Fourier
// transform.
// TYPES: f32
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>

cuda_tile.module @rows {
  // y = xᵀ.
// CASE @transpose grid=1x3: 3x5xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5 out0 i32=3 i32=5 -> 5x3xf32=0.5,-1.25,-1.75,-0.875,0.875,-1.375,1.125,-1.625,1.375,-1.625,2,1.25,-1.5,-0.375,-1.5
// CASE @transpose grid=9x17: 33x34xf32=random:1 out0 i32=33 i32=34 -> 34x33xf32
  entry @transpose(%a: !P, %y: !P, %m: tile<i32>, %n: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %ys = make_tensor_view %y, shape = [%n, %m], strides = [%m, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %t, %tk = load_view_tko weak %av[%x, %yy] : !cuda_tile.partition_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<4x2x!T>, token
    %r = permute %t [1, 0] : tile<4x2x!T> -> tile<2x4x!T>
    %yk = store_view_tko weak %r, %yv[%yy, %x] : tile<2x4x!T>, !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // Softmax of rows.
// CASE @softmax grid=3 K=5: 3x5xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5 out0 i32=3 i32=5 -> 3x5xf32=0.2962213584592501,0.07489648854156972,0.5534143554465751,0.03537859610478819,0.04008920144781678,0.02614419960273164,0.21890270318280958,0.01796862808952865,0.6742677946173928,0.06271667450753735,0.021466391139722502,0.031233414811132464,0.4885728103766958,0.43116399184448495,0.027563391827964228
  entry @softmax(%a: !P, %y: !P, %m: tile<i32>, %n: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(1x8), padding_value = neg_inf, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %t, %tk = load_view_tko weak %av[%x, %zero] : !cuda_tile.partition_view<tile=(1x8), padding_value = neg_inf, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<1x8x!T>, token
    %mx = reduce %t dim=1 identities=[0xFF800000 : f32] : tile<1x8xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = maxf %a_, %e : tile<f32>
      yield %c : tile<f32>
    }
    %mb1 = reshape %mx : tile<1xf32> -> tile<1x1xf32>
    %mb = broadcast %mb1 : tile<1x1xf32> -> tile<1x8xf32>
    %d = subf %t, %mb rounding<nearest_even> : tile<1x8x!T>
    %ex = exp %d : tile<1x8x!T>
    %sm = reduce %ex dim=1 identities=[0.0 : f32] : tile<1x8xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = addf %a_, %e rounding<nearest_even> : tile<f32>
      yield %c : tile<f32>
    }
    %sb1 = reshape %sm : tile<1xf32> -> tile<1x1xf32>
    %sb = broadcast %sb1 : tile<1x1xf32> -> tile<1x8xf32>
    %r = divf %ex, %sb rounding<nearest_even> : tile<1x8x!T>
    %yk = store_view_tko weak %r, %yv[%x, %zero] : tile<1x8x!T>, !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // The same for wider rows.
// CASE @softmax_wide grid=3 K=301: 3x301xf32=random:1 out0 i32=3 i32=301 -> 3x301xf32
  entry @softmax_wide(%a: !P, %y: !P, %m: tile<i32>, %n: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(1x512), padding_value = neg_inf, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(1x512), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %t, %tk = load_view_tko weak %av[%x, %zero] : !cuda_tile.partition_view<tile=(1x512), padding_value = neg_inf, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<1x512x!T>, token
    %mx = reduce %t dim=1 identities=[0xFF800000 : f32] : tile<1x512xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = maxf %a_, %e : tile<f32>
      yield %c : tile<f32>
    }
    %mb1 = reshape %mx : tile<1xf32> -> tile<1x1xf32>
    %mb = broadcast %mb1 : tile<1x1xf32> -> tile<1x512xf32>
    %d = subf %t, %mb rounding<nearest_even> : tile<1x512x!T>
    %ex = exp %d : tile<1x512x!T>
    %sm = reduce %ex dim=1 identities=[0.0 : f32] : tile<1x512xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = addf %a_, %e rounding<nearest_even> : tile<f32>
      yield %c : tile<f32>
    }
    %sb1 = reshape %sm : tile<1xf32> -> tile<1x1xf32>
    %sb = broadcast %sb1 : tile<1x1xf32> -> tile<1x512xf32>
    %r = divf %ex, %sb rounding<nearest_even> : tile<1x512x!T>
    %yk = store_view_tko weak %r, %yv[%x, %zero] : tile<1x512x!T>, !cuda_tile.partition_view<tile=(1x512), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // y = x·w / √(mean x² + ε).
// CASE @rms_norm [f32] grid=3 K=5: 3x5xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5 5xf32=-0.125,-1.375,1.375,-1.625,-1.125 out0 i32=3 i32=5 -> 3x5xf32=-0.052185175681637046,1.0045646318715131,1.291583098120517,2.204823672549165,1.4089997434042,0.11576027395760079,-0.891354109473526,-1.6553719175936912,-2.407813698318096,0.3125527396855221,0.14984071774153646,1.2950519176232795,1.2950519176232795,-1.3913780933142672,1.1559141082918527
  entry @rms_norm(%a: !P, %w: !P, %y: !P, %m: tile<i32>, %n: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %t, %tk = load_view_tko weak %av[%x, %zero] : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<1x8x!T>, token
    %nf = itof %n unsigned rounding<nearest_even> : tile<i32> -> tile<f32>
    %eps = constant <f32: 1.0e-5> : tile<1xf32>
    %nf1 = reshape %nf : tile<f32> -> tile<1xf32>
    %ws = make_tensor_view %w, shape = [%n], strides = [1] : tile<i32> -> !cuda_tile.tensor_view<?x!T, strides=[1]>
    %wv = make_partition_view %ws : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
    %wt, %wtk = load_view_tko weak %wv[%zero] : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>, tile<i32> -> tile<8x!T>, token
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %sq = mulf %t, %t rounding<nearest_even> : tile<1x8x!T>
    %ss = reduce %sq dim=1 identities=[0.0 : f32] : tile<1x8xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = addf %a_, %e rounding<nearest_even> : tile<f32>
      yield %c : tile<f32>
    }
    %me = divf %ss, %nf1 rounding<nearest_even> : tile<1xf32>
    %mp = addf %me, %eps rounding<nearest_even> : tile<1xf32>
    %rs = rsqrt %mp : tile<1xf32>
    %rb1 = reshape %rs : tile<1xf32> -> tile<1x1xf32>
    %rb = broadcast %rb1 : tile<1x1xf32> -> tile<1x8xf32>
    %wb1 = reshape %wt : tile<8xf32> -> tile<1x8xf32>
    %wb = broadcast %wb1 : tile<1x8xf32> -> tile<1x8xf32>
    %u = mulf %t, %rb rounding<nearest_even> : tile<1x8x!T>
    %r = mulf %u, %wb rounding<nearest_even> : tile<1x8x!T>
    %yk = store_view_tko weak %r, %yv[%x, %zero] : tile<1x8x!T>, !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // Layer norm; elements beyond the row are ignored.
// CASE @layer_norm [f32] grid=3 K=5: 3x5xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5 5xf32=-0.125,-1.375,1.375,-1.625,-1.125 5xf32=-0.25,-1.625,1.125,-1.625,-0.25 out0 i32=3 i32=5 -> 3x5xf32=-0.36085226944147614,-1.1247436045718,3.1260255817128,0.07473479810263384,0.7988330108693509,-0.14101697196226798,-2.594253313186638,-0.4564133004624096,-4.126972069206657,0.00042908570372462984,-0.1298090337063534,-0.67014954555603,2.8633174939877404,-3.53470090888794,0.6314004194867417
  entry @layer_norm(%a: !P, %w: !P, %b: !P, %y: !P, %m: tile<i32>, %n: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %t, %tk = load_view_tko weak %av[%x, %zero] : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<1x8x!T>, token
    %nf = itof %n unsigned rounding<nearest_even> : tile<i32> -> tile<f32>
    %eps = constant <f32: 1.0e-5> : tile<1xf32>
    %nf1 = reshape %nf : tile<f32> -> tile<1xf32>
    %ws = make_tensor_view %w, shape = [%n], strides = [1] : tile<i32> -> !cuda_tile.tensor_view<?x!T, strides=[1]>
    %wv = make_partition_view %ws : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
    %wt, %wtk = load_view_tko weak %wv[%zero] : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>, tile<i32> -> tile<8x!T>, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !cuda_tile.tensor_view<?x!T, strides=[1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
    %bt, %btk = load_view_tko weak %bv[%zero] : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>, tile<i32> -> tile<8x!T>, token
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %su = reduce %t dim=1 identities=[0.0 : f32] : tile<1x8xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = addf %a_, %e rounding<nearest_even> : tile<f32>
      yield %c : tile<f32>
    }
    %mean = divf %su, %nf1 rounding<nearest_even> : tile<1xf32>
    %mb1 = reshape %mean : tile<1xf32> -> tile<1x1xf32>
    %mb = broadcast %mb1 : tile<1x1xf32> -> tile<1x8xf32>
    %i = iota : tile<8xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nb = broadcast %n1 : tile<1xi32> -> tile<8xi32>
    %in = cmpi less_than %i, %nb, signed : tile<8xi32> -> tile<8xi1>
    %in1 = reshape %in : tile<8xi1> -> tile<1x8xi1>
    %z = constant <f32: 0.0> : tile<1x8x!T>
    %d0 = subf %t, %mb rounding<nearest_even> : tile<1x8x!T>
    %d = select %in1, %d0, %z : tile<1x8xi1>, tile<1x8x!T>
    %sq = mulf %d, %d rounding<nearest_even> : tile<1x8x!T>
    %ss = reduce %sq dim=1 identities=[0.0 : f32] : tile<1x8xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = addf %a_, %e rounding<nearest_even> : tile<f32>
      yield %c : tile<f32>
    }
    %va = divf %ss, %nf1 rounding<nearest_even> : tile<1xf32>
    %vp = addf %va, %eps rounding<nearest_even> : tile<1xf32>
    %rs = rsqrt %vp : tile<1xf32>
    %rb1 = reshape %rs : tile<1xf32> -> tile<1x1xf32>
    %rb = broadcast %rb1 : tile<1x1xf32> -> tile<1x8xf32>
    %wb1 = reshape %wt : tile<8xf32> -> tile<1x8xf32>
    %wb = broadcast %wb1 : tile<1x8xf32> -> tile<1x8xf32>
    %bb1 = reshape %bt : tile<8xf32> -> tile<1x8xf32>
    %bb = broadcast %bb1 : tile<1x8xf32> -> tile<1x8xf32>
    %u = mulf %d, %rb rounding<nearest_even> : tile<1x8x!T>
    %r = fma %u, %wb, %bb rounding<nearest_even> : tile<1x8x!T>
    %yk = store_view_tko weak %r, %yv[%x, %zero] : tile<1x8x!T>, !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // The gradients of x and, summed over all blocks, of w.
// CASE @rms_norm_backward grid=3 K=5: 3x5xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5 5xf32=-0.125,-1.375,1.375,-1.625,-1.125 3x5xf32=-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375 out0 out1 i32=3 i32=5 -> 3x5xf32=0.11761606175429964,1.2618799579760176,0.1406963467032862,-1.4846640369760564,1.0170126763800735,0.573973791771341,-0.7108615857067327,-0.025955097994453898,0.7532202891136096,0.557673849810213,-0.3381290650093328,0.9705130845746286,-1.2059770695970429,1.9967977399789507,0.06337106466847925 5xf32|0,0,0,0,0
  entry @rms_norm_backward(%a: !P, %w: !P, %g: !P, %y: !P, %dw: !P, %m: tile<i32>, %n: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %t, %tk = load_view_tko weak %av[%x, %zero] : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<1x8x!T>, token
    %nf = itof %n unsigned rounding<nearest_even> : tile<i32> -> tile<f32>
    %eps = constant <f32: 1.0e-5> : tile<1xf32>
    %nf1 = reshape %nf : tile<f32> -> tile<1xf32>
    %ws = make_tensor_view %w, shape = [%n], strides = [1] : tile<i32> -> !cuda_tile.tensor_view<?x!T, strides=[1]>
    %wv = make_partition_view %ws : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
    %wt, %wtk = load_view_tko weak %wv[%zero] : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>, tile<i32> -> tile<8x!T>, token
    %gs = make_tensor_view %g, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %gv = make_partition_view %gs : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %gt, %gtk = load_view_tko weak %gv[%x, %zero] : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<1x8x!T>, token
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %sq = mulf %t, %t rounding<nearest_even> : tile<1x8x!T>
    %ss = reduce %sq dim=1 identities=[0.0 : f32] : tile<1x8xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = addf %a_, %e rounding<nearest_even> : tile<f32>
      yield %c : tile<f32>
    }
    %me = divf %ss, %nf1 rounding<nearest_even> : tile<1xf32>
    %mp = addf %me, %eps rounding<nearest_even> : tile<1xf32>
    %rs = rsqrt %mp : tile<1xf32>
    %rb1 = reshape %rs : tile<1xf32> -> tile<1x1xf32>
    %rb = broadcast %rb1 : tile<1x1xf32> -> tile<1x8xf32>
    %wb1 = reshape %wt : tile<8xf32> -> tile<1x8xf32>
    %wb = broadcast %wb1 : tile<1x8xf32> -> tile<1x8xf32>
    %wg = mulf %wb, %gt rounding<nearest_even> : tile<1x8x!T>
    %xh = mulf %t, %rb rounding<nearest_even> : tile<1x8x!T>
    %pr = mulf %xh, %wg rounding<nearest_even> : tile<1x8x!T>
    %c1 = reduce %pr dim=1 identities=[0.0 : f32] : tile<1x8xf32> -> tile<1xf32> (%e: tile<f32>, %a_: tile<f32>) {
      %c = addf %a_, %e rounding<nearest_even> : tile<f32>
      yield %c : tile<f32>
    }
    %c2 = divf %c1, %nf1 rounding<nearest_even> : tile<1xf32>
    %cb1 = reshape %c2 : tile<1xf32> -> tile<1x1xf32>
    %cb = broadcast %cb1 : tile<1x1xf32> -> tile<1x8xf32>
    %xc = mulf %xh, %cb rounding<nearest_even> : tile<1x8x!T>
    %di = subf %wg, %xc rounding<nearest_even> : tile<1x8x!T>
    %dx = mulf %di, %rb rounding<nearest_even> : tile<1x8x!T>
    %yk = store_view_tko weak %dx, %yv[%x, %zero] : tile<1x8x!T>, !cuda_tile.partition_view<tile=(1x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
    %dw0 = mulf %gt, %xh rounding<nearest_even> : tile<1x8x!T>
    %dwt = reshape %dw0 : tile<1x8x!T> -> tile<8xf32>
    %vs = make_tensor_view %dw, shape = [%n], strides = [1] : tile<i32> -> !cuda_tile.tensor_view<?x!T, strides=[1]>
    %vv = make_partition_view %vs : !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<?x!T, strides=[1]>>
    %ak = atomic_red_view_tko relaxed device %vv[%zero], addf, %dwt : tile<8xf32>, !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<?x!T, strides=[1]>>, tile<i32> -> token
  }
  // silu(a)·b for the halves of each row; the second half is a pointer offset by n.
// CASE @silu_multiply grid=1x2: 3x10xf32=1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75 out0 i32=3 i32=5 -> 3x5xf32=1.4224805434254364,0.4115650572719921,-0.03890370820011591,-0.8485379673706781,-0.1697075934741356,-0.06937329515200523,-0.3333749624741642,-1.8289035558327038,0.8141935808325678,1.532952142863082,0.4210779573322967,-0.6106451856244258,-0.1287190503213076,1.0160575310181688,0.728718619851273
  entry @silu_multiply(%a: !P, %y: !P, %m: tile<i32>, %n: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %n2 = muli %n, %two : tile<i32>
    %b0 = offset %a, %n : !P, tile<i32> -> !P
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n2, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %bs = make_tensor_view %b0, shape = [%m, %n], strides = [%n2, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %at, %atk = load_view_tko weak %av[%x, %yy] : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<4x4x!T>, token
    %bt, %btk = load_view_tko weak %bv[%x, %yy] : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<4x4x!T>, token
    %o1 = constant <f32: 1.0> : tile<4x4x!T>
    %ng = negf %at : tile<4x4x!T>
    %ex = exp %ng : tile<4x4x!T>
    %dn = addf %o1, %ex rounding<nearest_even> : tile<4x4x!T>
    %sg = divf %at, %dn rounding<nearest_even> : tile<4x4x!T>
    %r = mulf %sg, %bt rounding<nearest_even> : tile<4x4x!T>
    %yk = store_view_tko weak %r, %yv[%x, %yy] : tile<4x4x!T>, !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // A Fourier transform of eight points as two products.
// CASE @fourier grid=1 K=8: 3x8xf32=1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125 8x8xf32=1,1,1,1,1,1,1,1,1,0.7071067690849304,6.123234262925839e-17,-0.7071067690849304,-1,-0.7071067690849304,-1.8369701465288538e-16,0.7071067690849304,1,6.123234262925839e-17,-1,-1.8369701465288538e-16,1,3.0616169991140216e-16,-1,-4.2862638516991895e-16,1,-0.7071067690849304,-1.8369701465288538e-16,0.7071067690849304,-1,0.7071067690849304,5.510910704284357e-16,-0.7071067690849304,1,-1,1,-1,1,-1,1,-1,1,-0.7071067690849304,3.0616169991140216e-16,0.7071067690849304,-1,0.7071067690849304,-2.6948418861948977e-15,-0.7071067690849304,1,-1.8369701465288538e-16,-1,5.510910704284357e-16,1,-2.6948418861948977e-15,-1,-4.904777103602732e-16,1,0.7071067690849304,-4.2862638516991895e-16,-0.7071067690849304,-1,-0.7071067690849304,-4.904777103602732e-16,0.7071067690849304 8x8xf32=0,0,0,0,0,0,0,0,0,-0.7071067690849304,-1,-0.7071067690849304,-1.2246468525851679e-16,0.7071067690849304,1,0.7071067690849304,0,-1,-1.2246468525851679e-16,1,2.4492937051703357e-16,-1,-3.6739402930577075e-16,1,0,-0.7071067690849304,1,-0.7071067690849304,-3.6739402930577075e-16,0.7071067690849304,-1,0.7071067690849304,0,-1.2246468525851679e-16,2.4492937051703357e-16,-3.6739402930577075e-16,4.898587410340671e-16,-6.123233998228043e-16,7.347880586115415e-16,-8.572527703398379e-16,0,0.7071067690849304,-1,0.7071067690849304,-6.123233998228043e-16,-0.7071067690849304,1,-0.7071067690849304,0,1,-3.6739402930577075e-16,-1,7.347880586115415e-16,1,-1.1021821408568715e-15,-1,0,0.7071067690849304,1,0.7071067690849304,-8.572527703398379e-16,-0.7071067690849304,-1,-0.7071067690849304 out0 out1 i32=3 i32=8 -> 3x8xf32=-0.625,1.4848349615931515,5.000000000000002,2.0151650384068485,-1.375,2.0151650384068525,4.999999999999996,1.4848349615931524,4.375,1.8347086533904073,-0.750000000000001,-2.5847086533904067,1.625,-2.584708653390412,-0.749999999999995,1.8347086533904067,-2.875,-0.28661165386438325,-1.9999999999999996,-0.4633883461356173,2.375,-0.46338834613561297,-2.0000000000000018,-0.2866116538643841 3x8xf32=0,-0.0883883461356163,-6.374999999999999,-0.0883883461356163,-7.807123222009302e-16,0.0883883461356163,6.375000000000002,0.0883883461356163,0,-1.1882620379328728,2.1249999999999996,-3.9382620379328728,1.5767327333678975e-15,3.9382620379328728,-2.1250000000000013,1.1882620379328723,0,-0.842068038880825,-0.875,4.907931961119175,2.2962129809460877e-16,-4.907931961119175,0.8750000000000002,0.8420680388808254
  entry @fourier(%a: !P, %c: !P, %s: !P, %y: !P, %z: !P, %m: tile<i32>, %n: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %cs = make_tensor_view %c, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %cv = make_partition_view %cs : !cuda_tile.partition_view<tile=(8x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %ss = make_tensor_view %s, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %sv = make_partition_view %ss : !cuda_tile.partition_view<tile=(8x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %zs = make_tensor_view %z, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %zv = make_partition_view %zs : !cuda_tile.partition_view<tile=(4x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %at, %atk = load_view_tko weak %av[%x, %zero] : !cuda_tile.partition_view<tile=(4x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<4x8x!T>, token
    %ct, %ctk = load_view_tko weak %cv[%zero, %zero] : !cuda_tile.partition_view<tile=(8x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<8x8x!T>, token
    %st, %stk = load_view_tko weak %sv[%zero, %zero] : !cuda_tile.partition_view<tile=(8x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<8x8x!T>, token
    %i0 = constant <f32: 0.0> : tile<4x8x!T>
    %re = mmaf %at, %ct, %i0 : tile<4x8x!T>, tile<8x8x!T>, tile<4x8x!T>
    %im = mmaf %at, %st, %i0 : tile<4x8x!T>, tile<8x8x!T>, tile<4x8x!T>
    %yk = store_view_tko weak %re, %yv[%x, %zero] : tile<4x8x!T>, !cuda_tile.partition_view<tile=(4x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
    %zk = store_view_tko weak %im, %zv[%x, %zero] : tile<4x8x!T>, !cuda_tile.partition_view<tile=(4x8), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
}
