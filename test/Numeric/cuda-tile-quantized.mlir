// Products of bytes, nibbles and f8 with scales in CUDA Tile IR, and the quantization of rows.
// TYPES: f32

cuda_tile.module @quantized {
  // Rows as bytes and a scale each: 127 for the largest.
// CASE @quantize_rows grid=5 K=4: 5x32xf32=2.125,-1.125,2,-2.875,-0.875,2.375,-0.125,-2.875,-0.125,-0.875,3,0.25,1,1.875,2.375,2.875,0.375,1.75,-1.375,2.875,-2.375,0.75,1.125,-3,-0.375,-2.875,1.25,1.875,0.125,2.5,-2,1.375,0.75,-0.125,-0.625,-2.25,0.625,-2.875,0.5,-0.875,-0.875,2.875,-1,-1.625,0.625,1.875,-2.625,-2.25,2.375,-1,2.75,0.75,1.25,0.25,-0.75,-1.375,0.75,1.375,1,-0.875,-2.5,1.625,-1.5,1.375,-1.25,-2.875,-1.625,-0.5,-1.625,2.75,-0.75,1.125,0.125,2.625,1.25,1.375,3,2,1,0.875,2.875,-0.5,-0.625,-1,-2.25,-2.75,0.5,1.375,-2.5,2.5,2.875,2.5,-2.625,-0.375,-0.375,0.125,2.5,-1.25,-1.625,-0.5,-0.625,0.125,2.5,1,-2,-1.125,-1.75,-0.75,-1,0.875,-2.625,-0.125,-1.5,-0.875,-1.375,0.125,0.875,-2.5,2.125,2.25,0.875,-2.125,0.75,-1.25,-2.25,-2.125,1.875,1.75,2.875,-2.375,0.75,3,0.125,2.625,-1,0.875,-0.25,-1.125,-1.875,0.125,0.625,1.125,-0.75,-0.25,-2,-0.25,0.875,2.75,0.25,2.375,0.125,1.125,-2.125,-1.625,-2.875,0.375,-1.75,0.125,-2.5,0.25 out0 out1 i32=5 i32=32 -> 5x32xi8=90,-48,85,-122,-37,101,-5,-122,-5,-37,127,11,42,79,101,122,16,74,-58,122,-101,32,48,-127,-16,-122,53,79,5,106,-85,58,33,-6,-28,-99,28,-127,22,-39,-39,127,-44,-72,28,83,-116,-99,105,-44,121,33,55,11,-33,-61,33,61,44,-39,-110,72,-66,61,-53,-122,-69,-21,-69,116,-32,48,5,111,53,58,127,85,42,37,122,-21,-26,-42,-95,-116,21,58,-106,106,122,106,-111,-16,-16,5,121,-60,-79,-24,-30,6,121,48,-97,-54,-85,-36,-48,42,-127,-6,-73,-42,-67,6,42,-121,103,109,42,-103,36,-60,-109,-103,91,85,122,-101,32,127,5,111,-42,37,-11,-48,-79,5,26,48,-32,-11,-85,-11,37,116,11,101,5,48,-90,-69,-122,16,-74,5,-106,11 5xf32=0.023622047244094488,0.022637795275590553,0.023622047244094488,0.02066929133858268,0.023622047244094488
  entry @quantize_rows(%x: tile<ptr<f32>>, %q: tile<ptr<i8>>, %s: tile<ptr<f32>>, %m: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?, 1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(1x32), padding_value = zero, tensor_view<?x?xf32, strides=[?, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k1 = load_view_tko weak %x_t[%bx, %c] : partition_view<tile=(1x32), padding_value = zero, tensor_view<?x?xf32, strides=[?, 1]>>, tile<i32> -> tile<1x32xf32>, token
    %v = absf %x1 : tile<1x32xf32>
    %s1 = reduce %v dim=1 identities=[0xFF800000 : f32] : tile<1x32xf32> -> tile<1xf32> (%acc: tile<f32>, %el: tile<f32>) {
      %u = maxf %acc, %el : tile<f32>
      yield %u : tile<f32>
    }
    %c1 = constant <f32: 127.0> : tile<1xf32>
    %v1 = divf %s1, %c1 : tile<1xf32>
    %r = reshape %v1 : tile<1xf32> -> tile<1x1xf32>
    %b = broadcast %r : tile<1x1xf32> -> tile<1x32xf32>
    %v2 = divf %x1, %b : tile<1x32xf32>
    %c2 = constant <f32: 0.0> : tile<1x32xf32>
    %p = cmpf less_than ordered %v2, %c2 : tile<1x32xf32> -> tile<1x32xi1>
    %c3 = constant <f32: -0.5> : tile<1x32xf32>
    %c4 = constant <f32: 0.5> : tile<1x32xf32>
    %w = select %p, %c3, %c4 : tile<1x32xi1>, tile<1x32xf32>
    %q_v = make_tensor_view %q, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?, 1]>
    %q_t = make_partition_view %q_v : partition_view<tile=(1x32), tensor_view<?x?xi8, strides=[?, 1]>>
    %v3 = addf %v2, %w : tile<1x32xf32>
    %x2 = ftoi %v3 signed : tile<1x32xf32> -> tile<1x32xi32>
    %x3 = trunci %x2 : tile<1x32xi32> -> tile<1x32xi8>
    %k2 = store_view_tko weak %x3, %q_t[%bx, %c] : tile<1x32xi8>, partition_view<tile=(1x32), tensor_view<?x?xi8, strides=[?, 1]>>, tile<i32> -> token
    %p1 = offset %s, %bx : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %r1 = reshape %v1 : tile<1xf32> -> tile<f32>
    %k3 = store_ptr_tko weak %p1, %r1 : tile<ptr<f32>>, tile<f32> -> token
  }
  // A product of bytes, scaled by rows and columns.
// CASE @bytes_product grid=2x2 K=32: 5x32xi8=90,-48,85,-122,-37,101,-5,-122,-5,-37,127,11,42,79,101,122,16,74,-58,122,-101,32,48,-127,-16,-122,53,79,5,106,-85,58,33,-6,-28,-99,28,-127,22,-39,-39,127,-44,-72,28,83,-116,-99,105,-44,121,33,55,11,-33,-61,33,61,44,-39,-110,72,-66,61,-53,-122,-69,-21,-69,116,-32,48,5,111,53,58,127,85,42,37,122,-21,-26,-42,-95,-116,21,58,-106,106,122,106,-111,-16,-16,5,121,-60,-79,-24,-30,6,121,48,-97,-54,-85,-36,-48,42,-127,-6,-73,-42,-67,6,42,-121,103,109,42,-103,36,-60,-109,-103,91,85,122,-101,32,127,5,111,-42,37,-11,-48,-79,5,26,48,-32,-11,-85,-11,37,116,11,101,5,48,-90,-69,-122,16,-74,5,-106,11 32x6xi8=45,87,-12,-91,35,-73,-69,-98,6,75,41,-18,75,63,-81,-59,-72,-81,-38,-47,-64,-71,-65,-57,57,11,-19,-6,66,13,-47,98,61,91,-76,62,77,48,48,54,-41,-81,-88,62,-98,54,-44,-18,96,35,25,-5,57,79,-29,45,-40,48,-60,-99,52,-65,-24,86,-43,15,85,-20,58,-68,-88,24,-10,86,9,44,73,-39,7,14,28,56,87,60,-99,80,37,10,-85,86,-28,-19,63,-98,-86,35,-72,-51,22,-85,-53,-24,15,73,-54,51,82,-26,-69,5,16,-98,78,-54,30,-74,-16,69,-51,14,67,-90,65,85,-80,86,97,-66,-80,95,-58,-75,84,-84,95,67,-6,18,85,49,-96,70,57,-74,-49,-66,2,-70,77,56,-12,51,-34,90,-52,-12,21,-5,-78,-79,-29,-84,93,-53,-97,-97,33,-17,-27,22,67,-38,22,84,66,26,-65,-55,29,73,58,-27,-95,-66,-45,-9,5,75,-100,68,-46,13 5xf32=0.0625,0.05859375,0.05859375,0.04296875,0.04296875 6xf32=0.046875,0.015625,0.01171875,0.01171875,0.01953125,0.015625 out0 i32=5 i32=32 i32=6 -> 5x6xf32=78.6357421875,16.9521484375,14.820556640625,-10.77978515625,-14.027099609375,29.685546875,-12.80731201171875,-9.19097900390625,-9.876708984375,3.508758544921875,39.59770202636719,-31.77978515625,-47.91961669921875,43.9434814453125,-7.701416015625,2.9134368896484375,-28.878021240234375,-15.5364990234375,41.46551513671875,2.0302734375,1.8061981201171875,5.6854705810546875,9.928970336914062,-15.87762451171875,42.56121826171875,16.5147705078125,-4.2523956298828125,9.642791748046875,-2.891998291015625,-8.6058349609375
  entry @bytes_product(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %sa: tile<ptr<f32>>, %sb: tile<ptr<f32>>, %c: tile<ptr<f32>>, %m: tile<i32>, %k: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?, 1]>
    %a_t = make_partition_view %a_v : partition_view<tile=(4x16), padding_value = zero, tensor_view<?x?xi8, strides=[?, 1]>>
    %b_v = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?, 1]>
    %b_t = make_partition_view %b_v : partition_view<tile=(16x4), padding_value = zero, tensor_view<?x?xi8, strides=[?, 1]>>
    %n1, %n2 = get_index_space_shape %a_t : partition_view<tile=(4x16), padding_value = zero, tensor_view<?x?xi8, strides=[?, 1]>> -> tile<i32>
    %c1 = constant <i32: 0> : tile<4x4xi32>
    %c2 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c2 to %n2, step %c3) : tile<i32> iter_values(%it = %c1) -> (tile<4x4xi32>) {
      %x, %k1 = load_view_tko weak %a_t[%bx, %i] : partition_view<tile=(4x16), padding_value = zero, tensor_view<?x?xi8, strides=[?, 1]>>, tile<i32> -> tile<4x16xi8>, token
      %x1, %k2 = load_view_tko weak %b_t[%i, %by] : partition_view<tile=(16x4), padding_value = zero, tensor_view<?x?xi8, strides=[?, 1]>>, tile<i32> -> tile<16x4xi8>, token
      %d = mmai %x, %x1, %it signed signed : tile<4x16xi8>, tile<16x4xi8>, tile<4x4xi32>
      continue %d : tile<4x4xi32>
    }
    %sa_v = make_tensor_view %sa, shape = [%m], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %sa_t = make_partition_view %sa_v : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %x2, %k3 = load_view_tko weak %sa_t[%bx] : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %sb_v = make_tensor_view %sb, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %sb_t = make_partition_view %sb_v : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %x3, %k4 = load_view_tko weak %sb_t[%by] : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %c_v = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?, 1]>
    %c_t = make_partition_view %c_v : partition_view<tile=(4x4), tensor_view<?x?xf32, strides=[?, 1]>>
    %x4 = itof %l signed : tile<4x4xi32> -> tile<4x4xf32>
    %r = reshape %x2 : tile<4xf32> -> tile<4x1xf32>
    %b1 = broadcast %r : tile<4x1xf32> -> tile<4x4xf32>
    %v = mulf %x4, %b1 : tile<4x4xf32>
    %r1 = reshape %x3 : tile<4xf32> -> tile<1x4xf32>
    %b2 = broadcast %r1 : tile<1x4xf32> -> tile<4x4xf32>
    %v1 = mulf %v, %b2 : tile<4x4xf32>
    %k5 = store_view_tko weak %v1, %c_t[%bx, %by] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x?xf32, strides=[?, 1]>>, tile<i32> -> token
  }
  // x·wᵀ for weights of 4 bits, two to a byte, with a scale and a zero point for each 16.
// CASE @nibbles_product grid=2x2 K=64: 5x32xf32=1,-0.5,1,-0.375,0.75,0.125,-0.625,-1,-0.5,0.875,0.75,0.375,-0.25,-0.375,0.375,0.875,-0.625,0.5,0.625,0.375,-0.625,0.125,-0.375,0.5,-0.625,0.625,-0.375,0.25,-0.5,-0.25,0.25,0.875,-0.75,-0.75,1,0.875,1,0.875,0.375,-0.125,-0.875,0.875,0.5,1,0.625,-0.5,0.125,-1,0.125,-0.125,-0.75,-0.875,-0.75,0.375,0.625,-0.25,-0.875,-0.375,-0.375,0.25,0.75,-0.25,-0.625,-0.75,-0.125,0.75,-0.125,-0.25,-1,0.375,-1,-1,-0.625,0.375,-0.75,-0.25,0.125,0.875,0.75,0.125,0.375,0.625,0.875,0.5,-1,-0.75,1,1,0.75,-0.875,-0.375,-0.625,-0.125,0.875,-0.125,-0.5,-0.375,-0.625,-1,-0.125,-0.875,-0.125,-0.625,0.75,-0.5,0.875,0.75,0.75,-0.5,0.75,0.875,-0.375,0.75,-0.875,-1,0.625,-0.125,0.625,-0.875,0.375,0.625,0.375,0.25,-0.625,0.125,-0.5,-1,0.125,-0.875,0.875,-0.875,-0.875,0.125,0.75,0.5,-1,0.5,-0.125,0.125,-0.25,-1,1,-0.625,0.875,-0.25,-0.375,-0.375,0.625,-1,0.75,1,1,0.75,-0.625,0.75,-0.25,-0.75,-0.5,0.25,0.875 6x16xi8=-65,-53,-29,-107,34,-101,118,16,-109,44,-97,4,-22,-118,92,1,-12,-43,-87,-35,77,37,22,95,31,12,92,22,-114,97,39,-41,-55,38,-122,25,108,63,-60,3,-115,0,-70,120,110,52,-128,-124,74,-24,8,-107,56,-28,22,114,-10,48,21,115,-98,108,42,-88,44,-97,-2,-93,-34,17,64,-37,-9,-113,99,12,-53,-32,-91,-126,-112,-52,-83,-12,-48,-101,-24,103,-75,75,-22,96,-19,28,70,-69 6x2xf32=0.0625,0.3125,0.25,0.375,0.125,0.3125,0.125,0.125,0.0625,0.4375,0.0625,0.0625 6x2xf32=5,9,12,8,3,3,10,1,5,1,0,9 out0 i32=5 i32=6 -> 5x6xf32=-3.4296875,-12.78125,-2.421875,-0.734375,8.7734375,1.7109375,3.8984375,-6.046875,-4.1796875,-4.140625,-10.0859375,2.625,-8.0859375,-4.734375,1.2734375,-1.125,10.3671875,-2.0546875,-0.078125,0.265625,2.6875,-0.921875,-12.578125,1.5078125,-11.9140625,-4.3125,7.1171875,-0.9375,-0.609375,-0.8984375
  entry @nibbles_product(%x: tile<ptr<f32>>, %w: tile<ptr<i8>>, %s: tile<ptr<f32>>, %z: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%m, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf32, strides=[32, 1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(4x16), padding_value = zero, tensor_view<?x32xf32, strides=[32, 1]>>
    %w_v = make_tensor_view %w, shape = [%n, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16xi8, strides=[16, 1]>
    %w_t = make_partition_view %w_v : partition_view<tile=(4x8), padding_value = zero, tensor_view<?x16xi8, strides=[16, 1]>>
    %s_v = make_tensor_view %s, shape = [%n, 2], strides = [2, 1] : tile<i32> -> tensor_view<?x2xf32, strides=[2, 1]>
    %s_t = make_partition_view %s_v : partition_view<tile=(4x1), padding_value = zero, tensor_view<?x2xf32, strides=[2, 1]>>
    %z_v = make_tensor_view %z, shape = [%n, 2], strides = [2, 1] : tile<i32> -> tensor_view<?x2xf32, strides=[2, 1]>
    %z_t = make_partition_view %z_v : partition_view<tile=(4x1), padding_value = zero, tensor_view<?x2xf32, strides=[2, 1]>>
    %c = constant <f32: 0.0> : tile<4x4xf32>
    %c1 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c3 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c1 to %c2, step %c3) : tile<i32> iter_values(%it = %c) -> (tile<4x4xf32>) {
      %x1, %k = load_view_tko weak %w_t[%by, %i] : partition_view<tile=(4x8), padding_value = zero, tensor_view<?x16xi8, strides=[16, 1]>>, tile<i32> -> tile<4x8xi8>, token
      %r = reshape %x1 : tile<4x8xi8> -> tile<32xi8>
      %x2 = unpack %r : tile<32xi8> -> tile<64xi4>
      %x3 = exti %x2 unsigned : tile<64xi4> -> tile<64xi32>
      %x4 = itof %x3 signed : tile<64xi32> -> tile<64xf32>
      %r1 = reshape %x4 : tile<64xf32> -> tile<4x16xf32>
      %x5, %k1 = load_view_tko weak %z_t[%by, %i] : partition_view<tile=(4x1), padding_value = zero, tensor_view<?x2xf32, strides=[2, 1]>>, tile<i32> -> tile<4x1xf32>, token
      %b = broadcast %x5 : tile<4x1xf32> -> tile<4x16xf32>
      %v = subf %r1, %b : tile<4x16xf32>
      %x6, %k2 = load_view_tko weak %s_t[%by, %i] : partition_view<tile=(4x1), padding_value = zero, tensor_view<?x2xf32, strides=[2, 1]>>, tile<i32> -> tile<4x1xf32>, token
      %b1 = broadcast %x6 : tile<4x1xf32> -> tile<4x16xf32>
      %v1 = mulf %v, %b1 : tile<4x16xf32>
      %x7, %k3 = load_view_tko weak %x_t[%bx, %i] : partition_view<tile=(4x16), padding_value = zero, tensor_view<?x32xf32, strides=[32, 1]>>, tile<i32> -> tile<4x16xf32>, token
      %t = permute %v1 [1, 0] : tile<4x16xf32> -> tile<16x4xf32>
      %d = mmaf %x7, %t, %it : tile<4x16xf32>, tile<16x4xf32>, tile<4x4xf32>
      continue %d : tile<4x4xf32>
    }
    %y_v = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(4x4), tensor_view<?x?xf32, strides=[?, 1]>>
    %k4 = store_view_tko weak %l, %y_t[%bx, %by] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x?xf32, strides=[?, 1]>>, tile<i32> -> token
  }
  // A product of f8 with scales for each 16 along the depth: a product for each, added after scaling.
// CASE @f8_product grid=2x2 K=64: 5x32xf8E4M3FN=-0.5,0.5,4,7,2,3,0.25,0.5,0,-6,-3.5,0.25,7,0,-1,3,1,-0.125,3,1.5,-0.125,0.25,0.5,-0.5,3,-6,1.5,0.25,-6,7,-1,1,1.5,7,-3.5,0.25,-6,0,3,-0.5,4,-6,1,4,1,0.25,-0.5,0.25,0,7,3,0.25,-6,1,2,1,-6,7,-1,0,-0.5,2,0.25,2,0.5,0.5,0.25,-3.5,4,0.5,1.5,-3.5,-6,3,0.25,3,1.5,2,-6,7,0.25,2,1,0,2,-0.125,4,0.5,-3.5,-0.125,4,1.5,0.25,2,1.5,-3.5,-0.5,4,0,4,-0.125,2,0.25,4,-6,3,-0.5,3,-1,7,1.5,2,-0.5,-6,1.5,0.5,-0.125,-0.125,1.5,-0.5,-0.125,-1,4,-0.5,-0.5,4,-1,7,4,-0.125,1.5,0.25,3,0.25,1,3,0.25,-1,-3.5,0,2,1,0.5,0.25,-6,4,-3.5,3,1,1,-3.5,1.5,-0.5,-6,-3.5,4,7,-1,4,4 32x6xf8E4M3FN=-0.125,7,2,4,0,4,-1,2,-1,1,-1,-1,-6,2,0.5,0,0.25,-6,1.5,0.25,-3.5,-6,2,2,-0.125,-0.5,-0.5,0.5,0,-6,-6,2,0.25,0,-6,1.5,0.5,-0.5,0,1.5,-3.5,-1,4,3,-0.5,1,-6,-1,3,0.25,4,1.5,7,-3.5,-0.5,-0.5,-3.5,4,1.5,1,0.25,-6,4,4,1.5,2,0.5,2,0,2,0,-0.5,-3.5,-6,-0.5,-0.5,-6,-1,4,1,-1,1.5,-6,1.5,0,-6,4,0,0.5,-0.125,0.5,3,3,-0.125,0.5,-6,-1,-3.5,4,1.5,1,1,4,-0.5,4,7,0,0.25,-6,3,-0.5,-3.5,7,-0.5,-0.125,-0.5,-0.125,0.25,0,-6,3,-0.125,4,0,-6,3,7,-3.5,0.5,-1,-1,-0.125,2,-0.125,-1,0.25,0,-3.5,3,0,-3.5,-3.5,-0.5,0,-0.125,4,-0.125,3,0.25,-6,3,-3.5,0.25,2,2,-6,4,7,-6,4,-6,-3.5,4,2,1,0.5,-1,-0.5,2,-3.5,4,0,1.5,7,-3.5,3,-6,1,4,7,-6,0.25,0.25,-0.125,-0.125,-0.125,-0.5,-0.125,-1,-3.5,1,0.5 5x2xf32=0.5,0.25,2,2,2,1,2,0.25,2,1 2x6xf32=0.5,0.5,2,1,0.5,2,1,0.5,1,0.5,1,1 out0 i32=5 i32=6 -> 5x6xf32=-28,13.970703125,-34.796875,-41.640625,-10.0625,-56.609375,55.75,-24,122.5625,34.21875,164.4375,92.9375,-11.0625,55.46875,-124.53125,86.40625,-79.125,-166.921875,12.12890625,43.923828125,-227.02734375,-6.453125,-103.3828125,91.69140625,24.8125,36.28125,35.9375,-1.625,-68,-13.125
  entry @f8_product(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %sa: tile<ptr<f32>>, %sb: tile<ptr<f32>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf8E4M3FN, strides=[32, 1]>
    %a_t = make_partition_view %a_v : partition_view<tile=(4x16), padding_value = zero, tensor_view<?x32xf8E4M3FN, strides=[32, 1]>>
    %b_v = make_tensor_view %b, shape = [32, %n], strides = [%n, 1] : tile<i32> -> tensor_view<32x?xf8E4M3FN, strides=[?, 1]>
    %b_t = make_partition_view %b_v : partition_view<tile=(16x4), padding_value = zero, tensor_view<32x?xf8E4M3FN, strides=[?, 1]>>
    %sa_v = make_tensor_view %sa, shape = [%m, 2], strides = [2, 1] : tile<i32> -> tensor_view<?x2xf32, strides=[2, 1]>
    %sa_t = make_partition_view %sa_v : partition_view<tile=(4x1), padding_value = zero, tensor_view<?x2xf32, strides=[2, 1]>>
    %sb_v = make_tensor_view %sb, shape = [2, %n], strides = [%n, 1] : tile<i32> -> tensor_view<2x?xf32, strides=[?, 1]>
    %sb_t = make_partition_view %sb_v : partition_view<tile=(1x4), padding_value = zero, tensor_view<2x?xf32, strides=[?, 1]>>
    %c1 = constant <f32: 0.0> : tile<4x4xf32>
    %c2 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 2> : tile<i32>
    %c4 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c2 to %c3, step %c4) : tile<i32> iter_values(%it = %c1) -> (tile<4x4xf32>) {
      %x, %k = load_view_tko weak %a_t[%bx, %i] : partition_view<tile=(4x16), padding_value = zero, tensor_view<?x32xf8E4M3FN, strides=[32, 1]>>, tile<i32> -> tile<4x16xf8E4M3FN>, token
      %x1, %k1 = load_view_tko weak %b_t[%i, %by] : partition_view<tile=(16x4), padding_value = zero, tensor_view<32x?xf8E4M3FN, strides=[?, 1]>>, tile<i32> -> tile<16x4xf8E4M3FN>, token
      %d = mmaf %x, %x1, %c1 : tile<4x16xf8E4M3FN>, tile<16x4xf8E4M3FN>, tile<4x4xf32>
      %x2, %k2 = load_view_tko weak %sa_t[%bx, %i] : partition_view<tile=(4x1), padding_value = zero, tensor_view<?x2xf32, strides=[2, 1]>>, tile<i32> -> tile<4x1xf32>, token
      %b1 = broadcast %x2 : tile<4x1xf32> -> tile<4x4xf32>
      %v = mulf %d, %b1 : tile<4x4xf32>
      %x3, %k3 = load_view_tko weak %sb_t[%i, %by] : partition_view<tile=(1x4), padding_value = zero, tensor_view<2x?xf32, strides=[?, 1]>>, tile<i32> -> tile<1x4xf32>, token
      %b2 = broadcast %x3 : tile<1x4xf32> -> tile<4x4xf32>
      %v1 = mulf %v, %b2 : tile<4x4xf32>
      %v2 = addf %it, %v1 : tile<4x4xf32>
      continue %v2 : tile<4x4xf32>
    }
    %c_v = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?, 1]>
    %c_t = make_partition_view %c_v : partition_view<tile=(4x4), tensor_view<?x?xf32, strides=[?, 1]>>
    %k4 = store_view_tko weak %l, %c_t[%bx, %by] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x?xf32, strides=[?, 1]>>, tile<i32> -> token
  }
}
