"""Kernels as frontends of CUDA Tile IR emit them: entries that take arrays as pointer, sizes and strides.

The frontend states what it knows about arrays as assumptions: pointers are multiples of 16 bytes, sizes and strides are
nonnegative and, with `div`, multiples of a number. Tile sizes are constants.
"""

import re


class Entry:
    """Builds the text of one entry. Without `promises` it states no assumptions about its arguments."""

    def __init__(self, name):
        self.name, self.arguments, self.lines, self.promises = name, [], [], True

    def __call__(self, line):
        self.lines.append("    " + line)

    def array(self, name, element, rank, div=8):
        """A dense or strided array of `rank` axes, the last of stride 1: %NAME_view, its type as self.types[NAME]."""
        names = [f"{name}_n{i}" for i in range(rank)] + [f"{name}_s{i}" for i in range(rank)]
        self.arguments += [f"%{name}: tile<ptr<{element}>>"] + [f"%{n}: tile<i32>" for n in names]
        self(f"%{name}_p = assume div_by<16>, %{name} : tile<ptr<{element}>>")
        for n in names[:-1]:
            self(f"%{n}_b = assume bounded<0, ?>, %{n} : tile<i32>")
            self(f"%{n}_k = assume div_by<{div if n not in names[:rank - 1] else 1}>, %{n}_b : tile<i32>")
        view = f"tensor_view<{'?x' * rank}{element}, strides=[{', '.join(['?'] * (rank - 1) + ['1'])}]>"
        sizes = ", ".join(f"%{n}_k" for n in names[:rank])
        strides = ", ".join([f"%{n}_k" for n in names[rank:-1]] + ["1"])
        self(f"%{name}_view = make_tensor_view %{name}_p, shape = [{sizes}], strides = [{strides}] : tile<i32> -> {view}")
        self.__dict__.setdefault("views", {})[name] = view
        return view

    def partition(self, name, tile, dim_map=None, padding="padding_value = zero, "):
        """A grid of tiles of an array: %NAME_tiles, whose type is returned."""
        order = "" if dim_map is None else f", dim_map=[{', '.join(map(str, dim_map))}]"
        tiles = f"partition_view<tile=({'x'.join(map(str, tile))}), {padding}{self.views[name]}{order}>"
        self(f"%{name}_tiles = make_partition_view %{name}_view : {tiles}")
        return tiles

    def text(self):
        body = "\n".join(self.lines)
        if not self.promises:
            promise = re.compile(r" *(%\w+) = assume [^%]*(%\w+) : .*\n")
            source = dict(promise.findall(body))

            def argument(name):
                return argument(source[name]) if name in source else name
            body = re.sub(r"%\w+", lambda found: argument(found[0]), promise.sub("", body))
        return f"  entry @{self.name}({', '.join(self.arguments)}) {{\n{body}\n  }}\n"


def module(*entries):
    return "cuda_tile.module @kernels {\n" + "".join(entry.text() for entry in entries) + "}\n"


def begin(entry):
    entry("%x, %y, %z = get_tile_block_id : tile<i32>")
    entry("%root = make_token : token")
    entry("%zero = constant <i32: 0> : tile<i32>")
    entry("%one = constant <i32: 1> : tile<i32>")


def accumulate(e, element, bm, bn, bk):
    """The end of the loop: %s + %at·%bt. Tiles of f32 are rounded to tf32 first."""
    a, b, factor = "%at", "%bt", element
    if element == "f32":
        a, b, factor = "%ar", "%br", "tf32"
        e(f"  %ar = ftof %at : tile<{bm}x{bk}xf32> -> tile<{bm}x{bk}xtf32>")
        e(f"  %br = ftof %bt : tile<{bk}x{bn}xf32> -> tile<{bk}x{bn}xtf32>")
    e(f"  %d = mmaf {a}, {b}, %s : tile<{bm}x{bk}x{factor}>, tile<{bk}x{bn}x{factor}>, tile<{bm}x{bn}xf32>")
    e(f"  continue %d : tile<{bm}x{bn}xf32>")
    e("}")


def sum_of_products(e, element, bm, bn, bk, at, bt, a_index, b_index, steps="%steps"):
    """The loop over the depth: %acc."""
    e(f"%init = constant <f32: 0.0> : tile<{bm}x{bn}xf32>")
    e(f"%acc = for %l in (%zero to {steps}, step %one) : tile<i32> iter_values(%s = %init) -> (tile<{bm}x{bn}xf32>) {{")
    e(f"  %at, %ak = load_view_tko weak %a_tiles[{a_index}] token = %root : {at}, tile<i32> -> tile<{bm}x{bk}x{element}>, token")
    e(f"  %bt, %bk = load_view_tko weak %b_tiles[{b_index}] token = %root : {bt}, tile<i32> -> tile<{bk}x{bn}x{element}>, token")
    accumulate(e, element, bm, bn, bk)


def store(e, element, bm, bn, ct, index):
    result = "%acc"
    if element != "f32":
        result = "%r"
        e(f"%r = ftof %acc : tile<{bm}x{bn}xf32> -> tile<{bm}x{bn}x{element}>")
    e(f"%ck = store_view_tko weak {result}, %c_tiles[{index}] token = %root : tile<{bm}x{bn}x{element}>, {ct}, tile<i32> -> token")


def raster(e, tile, group, bm_count, bn_count):
    """%bi, %bj: the tile of this number, in groups of rows."""
    e(f"%group = constant <i32: {group}> : tile<i32>")
    e(f"%width = muli {bn_count}, %group : tile<i32>")
    e(f"%gid = divi {tile}, %width signed : tile<i32>")
    e("%first = muli %gid, %group : tile<i32>")
    e(f"%left = subi {bm_count}, %first : tile<i32>")
    e("%size = mini %left, %group signed : tile<i32>")
    e(f"%in = remi {tile}, %width signed : tile<i32>")
    e("%im = remi %in, %size signed : tile<i32>")
    e("%bi = addi %first, %im : tile<i32>")
    e("%bj = divi %in, %size signed : tile<i32>")


def matmul(element="bf16", bm=128, bn=128, bk=64, transposed=False, group=0, name="matmul"):
    """c = a·b; b [K, N], or [N, K] where `transposed`. A grid of tiles, or one axis traversed in groups of rows."""
    e = Entry(name)
    for array in "abc":
        e.array(array, element, 2, div=4 if element == "f32" else 8)
    begin(e)
    at = e.partition("a", (bm, bk))
    bt = e.partition("b", (bk, bn), (1, 0) if transposed else None)
    ct = e.partition("c", (bm, bn))
    e(f"%rows, %steps = get_index_space_shape %a_tiles : {at} -> tile<i32>")
    if group:
        e(f"%ms, %ns = get_index_space_shape %c_tiles : {ct} -> tile<i32>")
        raster(e, "%x", group, "%ms", "%ns")
    i, j = ("%bi", "%bj") if group else ("%x", "%y")
    sum_of_products(e, element, bm, bn, bk, at, bt, f"{i}, %l", f"%l, {j}")
    store(e, element, bm, bn, ct, f"{i}, {j}")
    return e


def persistent(element="bf16", bm=128, bn=128, bk=64, group=8, name="persistent"):
    """The same as a persistent kernel: each block computes every n-th tile."""
    e = Entry(name)
    for array in "abc":
        e.array(array, element, 2)
    begin(e)
    at, bt, ct = e.partition("a", (bm, bk)), e.partition("b", (bk, bn)), e.partition("c", (bm, bn))
    e(f"%rows, %steps = get_index_space_shape %a_tiles : {at} -> tile<i32>")
    e(f"%ms, %ns = get_index_space_shape %c_tiles : {ct} -> tile<i32>")
    e("%all = muli %ms, %ns : tile<i32>")
    e("%nb, %nb1, %nb2 = get_num_tile_blocks : tile<i32>")
    e("for %t in (%x to %all, step %nb) : tile<i32> {")
    raster(e, "%t", group, "%ms", "%ns")
    sum_of_products(e, element, bm, bn, bk, at, bt, "%bi, %l", "%l, %bj")
    store(e, element, bm, bn, ct, "%bi, %bj")
    e("}")
    return e


def batched(element="bf16", bm=128, bn=128, bk=64, name="batched"):
    """c[q] = a[q]·b[q]: the batch is an axis of size 1 of every tile."""
    e = Entry(name)
    for array in "abc":
        e.array(array, element, 3)
    begin(e)
    at, bt, ct = e.partition("a", (1, bm, bk)), e.partition("b", (1, bk, bn)), e.partition("c", (1, bm, bn))
    e(f"%batch, %rows, %steps = get_index_space_shape %a_tiles : {at} -> tile<i32>")
    e(f"%init = constant <f32: 0.0> : tile<{bm}x{bn}xf32>")
    e(f"%acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<{bm}x{bn}xf32>) {{")
    e(f"  %a3, %ak = load_view_tko weak %a_tiles[%z, %x, %l] token = %root : {at}, tile<i32> -> tile<1x{bm}x{bk}x{element}>, token")
    e(f"  %b3, %bk = load_view_tko weak %b_tiles[%z, %l, %y] token = %root : {bt}, tile<i32> -> tile<1x{bk}x{bn}x{element}>, token")
    e(f"  %at = reshape %a3 : tile<1x{bm}x{bk}x{element}> -> tile<{bm}x{bk}x{element}>")
    e(f"  %bt = reshape %b3 : tile<1x{bk}x{bn}x{element}> -> tile<{bk}x{bn}x{element}>")
    accumulate(e, element, bm, bn, bk)
    e(f"%r = ftof %acc : tile<{bm}x{bn}xf32> -> tile<{bm}x{bn}x{element}>")
    e(f"%r3 = reshape %r : tile<{bm}x{bn}x{element}> -> tile<1x{bm}x{bn}x{element}>")
    e(f"%ck = store_view_tko weak %r3, %c_tiles[%z, %x, %y] token = %root : tile<1x{bm}x{bn}x{element}>, {ct}, tile<i32> -> token")
    return e


def split_k(element="bf16", bm=128, bn=128, bk=64, pointers=False, name="split_k"):
    """c += a·b over a part of the depth for each block of the third axis; c is f32 and starts as zero. With `pointers` it is
    updated through a tile of pointers, by atomics with acquire-release order."""
    e = Entry(name)
    e.array("a", element, 2)
    e.array("b", element, 2)
    e.array("c", "f32", 2, div=4)
    begin(e)
    at, bt, ct = e.partition("a", (bm, bk)), e.partition("b", (bk, bn)), e.partition("c", (bm, bn), padding="")
    e(f"%rows, %steps = get_index_space_shape %a_tiles : {at} -> tile<i32>")
    e("%nb, %nb1, %parts = get_num_tile_blocks : tile<i32>")
    e("%share = divi %steps, %parts signed rounding<positive_inf> : tile<i32>")
    e("%from = muli %z, %share : tile<i32>")
    e("%end = addi %from, %share : tile<i32>")
    e("%to = mini %end, %steps signed : tile<i32>")
    e(f"%init = constant <f32: 0.0> : tile<{bm}x{bn}xf32>")
    e(f"%acc, %seen = for %l in (%from to %to, step %one) : tile<i32> iter_values(%s = %init, %k = %root) -> (tile<{bm}x{bn}xf32>, token) {{")
    e(f"  %at, %ak = load_view_tko weak %a_tiles[%x, %l] token = %k : {at}, tile<i32> -> tile<{bm}x{bk}x{element}>, token")
    e(f"  %bt, %bk = load_view_tko weak %b_tiles[%l, %y] token = %k : {bt}, tile<i32> -> tile<{bk}x{bn}x{element}>, token")
    a, b, factor = "%at", "%bt", element
    if element == "f32":
        a, b, factor = "%ar", "%br", "tf32"
        e(f"  %ar = ftof %at : tile<{bm}x{bk}xf32> -> tile<{bm}x{bk}xtf32>")
        e(f"  %br = ftof %bt : tile<{bk}x{bn}xf32> -> tile<{bk}x{bn}xtf32>")
    e(f"  %d = mmaf {a}, {b}, %s : tile<{bm}x{bk}x{factor}>, tile<{bk}x{bn}x{factor}>, tile<{bm}x{bn}xf32>")
    e("  %both = join_tokens %ak, %bk : token")
    e(f"  continue %d, %both : tile<{bm}x{bn}xf32>, token")
    e("}")
    if pointers:
        add_through_pointers(e, bm, bn)
    else:
        e(f"%ck = atomic_red_view_tko relaxed device %c_tiles[%x, %y], addf, %acc token = %root : tile<{bm}x{bn}xf32>, {ct}, tile<i32> -> token")
    return e


def add_through_pointers(e, bm, bn):
    """Adds %acc to a tile of %c: rows and columns as numbers, masks where they end, pointers by offsets."""
    wide = f"tile<{bm}x{bn}x"
    for axis, block, size, shape in ((0, "%x", bm, f"{bm}x1"), (1, "%y", bn, f"1x{bn}")):
        e(f"%io{axis} = iota : tile<{size}xi32>")
        e(f"%size{axis} = constant <i32: {size}> : tile<i32>")
        e(f"%from{axis} = muli {block}, %size{axis} : tile<i32>")
        for name in (f"from{axis}", f"c_n{axis}_k"):
            e(f"%{name}_r = reshape %{name} : tile<i32> -> tile<1xi32>")
            e(f"%{name}_w = broadcast %{name}_r : tile<1xi32> -> tile<{size}xi32>")
        e(f"%at{axis} = addi %io{axis}, %from{axis}_w : tile<{size}xi32>")
        e(f"%in{axis} = cmpi less_than %at{axis}, %c_n{axis}_k_w, signed : tile<{size}xi32> -> tile<{size}xi1>")
        for name, kind in ((f"at{axis}", "i32"), (f"in{axis}", "i1")):
            e(f"%{name}_c = reshape %{name} : tile<{size}x{kind}> -> tile<{shape}x{kind}>")
            e(f"%{name}_w = broadcast %{name}_c : tile<{shape}x{kind}> -> {wide}{kind}>")
    e(f"%mask = andi %in0_w, %in1_w : {wide}i1>")
    e("%pitch_r = reshape %c_s0_k : tile<i32> -> tile<1x1xi32>")
    e(f"%pitch = broadcast %pitch_r : tile<1x1xi32> -> {wide}i32>")
    e(f"%row = muli %at0_w, %pitch : {wide}i32>")
    e(f"%place = addi %row, %at1_w : {wide}i32>")
    e("%base_r = reshape %c_p : tile<ptr<f32>> -> tile<1x1xptr<f32>>")
    e(f"%base = broadcast %base_r : tile<1x1xptr<f32>> -> {wide}ptr<f32>>")
    e(f"%pointers = offset %base, %place : {wide}ptr<f32>>, {wide}i32> -> {wide}ptr<f32>>")
    e("%behind = join_tokens %root, %seen : token")
    e(f"%old, %ck = atomic_rmw_tko acq_rel device %pointers, addf, %acc, %mask token = %behind"
      f" : {wide}ptr<f32>>, {wide}f32>, {wide}i1> -> {wide}f32>, token")


def attention(element="bf16", rows=128, keys=128, head=64, causal=False, added=False, name="attention"):
    """o = softmax(q·kᵀ/√D)·v of [B·H, T, D]; exponents of 2, sums and maxima carried by the loop over keys. With `added`,
    masks are added as 0 or minus infinity, maxima are scaled after their reduction, and exponentials flush to zero."""
    e = Entry(name)
    for array in "qkvo":
        e.array(array, element, 3)
    begin(e)
    qt, kt = e.partition("q", (1, rows, head)), e.partition("k", (1, head, keys), (0, 2, 1))
    vt, ot = e.partition("v", (1, keys, head)), e.partition("o", (1, rows, head))
    e(f"%q3, %qk = load_view_tko weak %q_tiles[%y, %x, %zero] token = %root : {qt}, tile<i32> -> tile<1x{rows}x{head}x{element}>, token")
    e(f"%qm = reshape %q3 : tile<1x{rows}x{head}x{element}> -> tile<{rows}x{head}x{element}>")
    e(f"%h0, %vsteps, %d0 = get_index_space_shape %v_tiles : {vt} -> tile<i32>")
    scale = 1.4426950408889634 / head ** 0.5
    score, column, out = f"tile<{rows}x{keys}xf32>", f"tile<{rows}x1xf32>", f"tile<{rows}x{head}xf32>"
    flush = " flush_to_zero" if added else ""
    e(f"%scale = constant <f32: {scale!r}> : {score}")
    e(f"%scalec = constant <f32: {scale!r}> : {column}")
    e(f"%low = constant <f32: -1.0e30> : {column}")
    e(f"%lz = constant <f32: 0.0> : {column}")
    e(f"%oz = constant <f32: 0.0> : {out}")
    e(f"%sz = constant <f32: 0.0> : {score}")
    e(f"%hidden = constant <f32: {'0xFF800000' if added else '-1.0e30'}> : {score}")
    e(f"%io = iota : tile<{keys}xi32>")
    e(f"%ior = reshape %io : tile<{keys}xi32> -> tile<1x{keys}xi32>")
    e(f"%iow = broadcast %ior : tile<1x{keys}xi32> -> tile<{rows}x{keys}xi32>")
    e(f"%width = constant <i32: {keys}> : tile<i32>")
    e("%sizer = reshape %k_n1_k : tile<i32> -> tile<1x1xi32>")
    e(f"%sizew = broadcast %sizer : tile<1x1xi32> -> tile<{rows}x{keys}xi32>")
    steps = "%vsteps"
    if causal:
        e(f"%height = constant <i32: {rows}> : tile<i32>")
        e("%above = muli %x, %height : tile<i32>")
        e("%below = addi %above, %height : tile<i32>")
        e("%reach = divi %below, %width signed rounding<positive_inf> : tile<i32>")
        e("%csteps = mini %reach, %vsteps signed : tile<i32>")
        e(f"%rio = iota : tile<{rows}xi32>")
        e(f"%ric = reshape %rio : tile<{rows}xi32> -> tile<{rows}x1xi32>")
        e(f"%riw = broadcast %ric : tile<{rows}x1xi32> -> tile<{rows}x{keys}xi32>")
        e("%ar = reshape %above : tile<i32> -> tile<1x1xi32>")
        e(f"%aw = broadcast %ar : tile<1x1xi32> -> tile<{rows}x{keys}xi32>")
        e(f"%row = addi %riw, %aw : tile<{rows}x{keys}xi32>")
        steps = "%csteps"
    e(f"%mF, %lF, %oF = for %j in (%zero to {steps}, step %one) : tile<i32> iter_values(%mi = %low, %li = %lz, %oi = %oz)"
      f" -> ({column}, {column}, {out}) {{")
    e(f"  %k3, %kk = load_view_tko weak %k_tiles[%y, %zero, %j] token = %root : {kt}, tile<i32> -> tile<1x{head}x{keys}x{element}>, token")
    e(f"  %km = reshape %k3 : tile<1x{head}x{keys}x{element}> -> tile<{head}x{keys}x{element}>")
    e(f"  %s = mmaf %qm, %km, %sz : tile<{rows}x{head}x{element}>, tile<{head}x{keys}x{element}>, {score}")
    e("  %start = muli %j, %width : tile<i32>")
    e("  %startr = reshape %start : tile<i32> -> tile<1x1xi32>")
    e(f"  %startw = broadcast %startr : tile<1x1xi32> -> tile<{rows}x{keys}xi32>")
    e(f"  %key = addi %iow, %startw : tile<{rows}x{keys}xi32>")
    e(f"  %there = cmpi less_than %key, %sizew, signed : tile<{rows}x{keys}xi32> -> tile<{rows}x{keys}xi1>")
    if causal:
        e(f"  %past = cmpi less_than_or_equal %key, %row, signed : tile<{rows}x{keys}xi32> -> tile<{rows}x{keys}xi1>")
        e(f"  %seen = andi %there, %past : tile<{rows}x{keys}xi1>")
    seen = '%seen' if causal else '%there'
    if added:
        # Visible scores get zero added, and maxima are scaled separately.
        e(f"  %seenz = select {seen}, %sz, %hidden : tile<{rows}x{keys}xi1>, {score}")
        e(f"  %masked = addf %s, %seenz : {score}")
    else:
        e(f"  %scaled = mulf %s, %scale : {score}")
        e(f"  %masked = select {seen}, %scaled, %hidden : tile<{rows}x{keys}xi1>, {score}")
    e(f"  %rmax = reduce %masked dim=1 identities=[0xFF800000 : f32] : {score} -> tile<{rows}xf32> (%c: tile<f32>, %b: tile<f32>) {{")
    e("    %w = maxf %c, %b : tile<f32>")
    e("    yield %w : tile<f32>")
    e("  }")
    e(f"  %rmaxc = reshape %rmax : tile<{rows}xf32> -> {column}")
    if added:
        e(f"  %rscaled = mulf %rmaxc, %scalec : {column}")
    e(f"  %mn = maxf %mi, {'%rscaled' if added else '%rmaxc'} : {column}")
    e(f"  %mw = broadcast %mn : {column} -> {score}")
    if added:
        e(f"  %scaled = mulf %masked, %scale : {score}")
    e(f"  %shifted = subf {'%scaled' if added else '%masked'}, %mw : {score}")
    e(f"  %p = exp2 %shifted{flush} : {score}")
    e(f"  %rsum = reduce %p dim=1 identities=[0.0 : f32] : {score} -> tile<{rows}xf32> (%c: tile<f32>, %b: tile<f32>) {{")
    e("    %w = addf %c, %b : tile<f32>")
    e("    yield %w : tile<f32>")
    e("  }")
    e(f"  %rsumc = reshape %rsum : tile<{rows}xf32> -> {column}")
    e(f"  %md = subf %mi, %mn : {column}")
    e(f"  %alpha = exp2 %md{flush} : {column}")
    e(f"  %la = mulf %li, %alpha : {column}")
    e(f"  %ln = addf %la, %rsumc : {column}")
    e(f"  %alphaw = broadcast %alpha : {column} -> {out}")
    e(f"  %oa = mulf %oi, %alphaw : {out}")
    e(f"  %v3, %vk = load_view_tko weak %v_tiles[%y, %j, %zero] token = %root : {vt}, tile<i32> -> tile<1x{keys}x{head}x{element}>, token")
    e(f"  %vm = reshape %v3 : tile<1x{keys}x{head}x{element}> -> tile<{keys}x{head}x{element}>")
    e(f"  %pn = ftof %p : {score} -> tile<{rows}x{keys}x{element}>")
    e(f"  %on = mmaf %pn, %vm, %oa : tile<{rows}x{keys}x{element}>, tile<{keys}x{head}x{element}>, {out}")
    e(f"  continue %mn, %ln, %on : {column}, {column}, {out}")
    e("}")
    e(f"%lw = broadcast %lF : {column} -> {out}")
    e(f"%res = divf %oF, %lw : {out}")
    e(f"%rn = ftof %res : {out} -> tile<{rows}x{head}x{element}>")
    e(f"%r3 = reshape %rn : tile<{rows}x{head}x{element}> -> tile<1x{rows}x{head}x{element}>")
    e(f"%ok = store_view_tko weak %r3, %o_tiles[%y, %x, %zero] token = %root : tile<1x{rows}x{head}x{element}>, {ot}, tile<i32> -> token")
    return e


def vector_add(element="f32", tile=1024, name="vector_add"):
    e = Entry(name)
    for array in "abc":
        e.array(array, element, 1)
    begin(e)
    at, bt, ct = (e.partition(array, (tile,)) for array in "abc")
    e(f"%v, %ak = load_view_tko weak %a_tiles[%x] token = %root : {at}, tile<i32> -> tile<{tile}x{element}>, token")
    e(f"%w, %bk = load_view_tko weak %b_tiles[%x] token = %root : {bt}, tile<i32> -> tile<{tile}x{element}>, token")
    e(f"%u = addf %v, %w : tile<{tile}x{element}>")
    e(f"%ck = store_view_tko weak %u, %c_tiles[%x] token = %root : tile<{tile}x{element}>, {ct}, tile<i32> -> token")
    return e


def gathered_add(element="f32", tile=1024, name="gathered_add"):
    """The same with tiles of pointers and masks."""
    e = Entry(name)
    for array in "abc":
        e.array(array, element, 1)
    begin(e)
    e(f"%io = iota : tile<{tile}xi32>")
    e(f"%tile = constant <i32: {tile}> : tile<i32>")
    e("%start = muli %x, %tile : tile<i32>")
    for value in ("start", "a_n0_k"):
        e(f"%{value}_r = reshape %{value} : tile<i32> -> tile<1xi32>")
        e(f"%{value}_w = broadcast %{value}_r : tile<1xi32> -> tile<{tile}xi32>")
    e(f"%at = addi %io, %start_w : tile<{tile}xi32>")
    e(f"%mask = cmpi less_than %at, %a_n0_k_w, signed : tile<{tile}xi32> -> tile<{tile}xi1>")
    pointers = f"tile<{tile}xptr<{element}>>"
    for array in "abc":
        e(f"%{array}_r = reshape %{array}_p : tile<ptr<{element}>> -> tile<1xptr<{element}>>")
        e(f"%{array}_w = broadcast %{array}_r : tile<1xptr<{element}>> -> {pointers}")
        e(f"%{array}_a = offset %{array}_w, %at : {pointers}, tile<{tile}xi32> -> {pointers}")
    for array, value in (("a", "v"), ("b", "w")):
        e(f"%{value}, %{value}k = load_ptr_tko weak %{array}_a, %mask token = %root : {pointers}, tile<{tile}xi1>"
          f" -> tile<{tile}x{element}>, token")
    e(f"%u = addf %v, %w : tile<{tile}x{element}>")
    e(f"%ck = store_ptr_tko weak %c_a, %u, %mask token = %root : {pointers}, tile<{tile}x{element}>, tile<{tile}xi1> -> token")
    return e


def transpose(element="bf16", tile=64, name="transpose"):
    e = Entry(name)
    e.array("a", element, 2)
    e.array("b", element, 2)
    begin(e)
    at, bt = e.partition("a", (tile, tile)), e.partition("b", (tile, tile))
    kind = f"tile<{tile}x{tile}x{element}>"
    e(f"%t, %ak = load_view_tko weak %a_tiles[%x, %y] token = %root : {at}, tile<i32> -> {kind}, token")
    e(f"%r = permute %t [1, 0] : {kind} -> {kind}")
    e(f"%bk = store_view_tko weak %r, %b_tiles[%y, %x] token = %root : {kind}, {bt}, tile<i32> -> token")
    return e


def rms_norm(element="bf16", columns=1024, name="rms_norm"):
    """y = x·g/√(mean(x²) + ε), one row per block; a row is one tile."""
    e = Entry(name)
    e.array("a", element, 2)
    e.array("g", "f32", 1)
    e.array("b", element, 2)
    begin(e)
    at, gt, bt = e.partition("a", (1, columns)), e.partition("g", (columns,)), e.partition("b", (1, columns))
    row, wide, one = f"tile<1x{columns}x{element}>", f"tile<1x{columns}xf32>", "tile<1x1xf32>"
    e(f"%t, %ak = load_view_tko weak %a_tiles[%x, %zero] token = %root : {at}, tile<i32> -> {row}, token")
    e(f"%gain, %gk = load_view_tko weak %g_tiles[%zero] token = %root : {gt}, tile<i32> -> tile<{columns}xf32>, token")
    e(f"%w = ftof %t : {row} -> {wide}")
    e(f"%q = mulf %w, %w : {wide}")
    e(f"%sum = reduce %q dim=1 identities=[0.0 : f32] : {wide} -> tile<1xf32> (%c: tile<f32>, %d: tile<f32>) {{")
    e("  %v = addf %c, %d : tile<f32>")
    e("  yield %v : tile<f32>")
    e("}")
    e(f"%sumr = reshape %sum : tile<1xf32> -> {one}")
    e("%count = itof %a_n1_k signed : tile<i32> -> tile<f32>")
    e(f"%countr = reshape %count : tile<f32> -> {one}")
    e(f"%mean = divf %sumr, %countr : {one}")
    e(f"%eps = constant <f32: 1.0e-5> : {one}")
    e(f"%safe = addf %mean, %eps : {one}")
    e(f"%scale = rsqrt %safe : {one}")
    e(f"%scalew = broadcast %scale : {one} -> {wide}")
    e(f"%gr = reshape %gain : tile<{columns}xf32> -> {wide}")
    e(f"%n = mulf %w, %scalew : {wide}")
    e(f"%y1 = mulf %n, %gr : {wide}")
    e(f"%r = ftof %y1 : {wide} -> {row}")
    e(f"%bk = store_view_tko weak %r, %b_tiles[%x, %zero] token = %root : {row}, {bt}, tile<i32> -> token")
    return e


def silu_multiply(element="bf16", columns=1024, name="silu_multiply"):
    """y = silu(a)·b, a piece of a row per block."""
    e = Entry(name)
    for array in "abc":
        e.array(array, element, 2)
    begin(e)
    at, bt, ct = (e.partition(array, (1, columns)) for array in "abc")
    row, wide = f"tile<1x{columns}x{element}>", f"tile<1x{columns}xf32>"
    for array, tiles in (("a", at), ("b", bt)):
        e(f"%{array}t, %{array}k = load_view_tko weak %{array}_tiles[%x, %y] token = %root : {tiles}, tile<i32> -> {row}, token")
        e(f"%{array}w = ftof %{array}t : {row} -> {wide}")
    e(f"%neg = negf %aw : {wide}")
    e(f"%ex = exp %neg : {wide}")
    e(f"%ones = constant <f32: 1.0> : {wide}")
    e(f"%den = addf %ex, %ones : {wide}")
    e(f"%act = divf %aw, %den : {wide}")
    e(f"%res = mulf %act, %bw : {wide}")
    e(f"%r = ftof %res : {wide} -> {row}")
    e(f"%ck = store_view_tko weak %r, %c_tiles[%x, %y] token = %root : {row}, {ct}, tile<i32> -> token")
    return e
