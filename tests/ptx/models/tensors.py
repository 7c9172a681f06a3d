# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of parts of a tensor: PTX ISA, "Tensors" (tiled mode, im2col mode, swizzling modes, out of boundary access), "Data
Movement and Conversion Instructions: Asynchronous copy: cp.async.bulk.tensor" and "cp.reduce.async.bulk.tensor".

What the ISA leaves open is as an H200 has it: the NaN of what lies outside, and rows that are shorter than a swizzle begin as
far from each other as it goes. A first coordinate that is no multiple of 16 bytes is an illegal instruction there.

A tensor is a list of words in the order of memory, its first dimension the fastest. What a copy reads is written down as a list
of coordinates in the order in which they lie in shared memory; coordinates outside of the tensor give the fill.
"""
from itertools import product

from async_kernels import reduced
from files import In, InOut, Map, Out, file

MODEL = "tensors"
FOLDER = "async/"
PIECE = {"s32": 4, "u32": 4, "f32": 4, "f16": 2, "u8": 1, "u64": 8}
NAN = {"f16": 0x7ff7, "f32": 0x7ff77ff7}
UNTOUCHED = 0x5a5a5a5a


def values(count, width):
    return [(k * 2654435761 + 97) % (1 << 8 * width - 1) for k in range(count)]


def words(elements, width):
    """Elements of so many bytes, packed."""
    whole = b"".join(v.to_bytes(width, "little") for v in elements)
    return [int.from_bytes(whole[k:k + 4], "little") for k in range(0, len(whole), 4)]


def index(at, dims):
    """Of the element, or None outside of the tensor."""
    place, step = 0, 1
    for c, size in zip(at, dims):
        if not 0 <= c < size:
            return None
        place, step = place + c * step, step * size
    return place


def tile(start, box, strides):
    """The first dimension is the fastest; of the others every strides-th element counts."""
    ranges = [range(0, size, 1 if k == 0 else strides[k]) for k, size in enumerate(box)]
    return [tuple(c + i for c, i in zip(start, reversed(steps))) for steps in product(*reversed(ranges))]


def pixels(start, dims, lower, upper, strides, count):
    """Base positions of pixels, without channels: rows, then planes, then images, each within the corners."""
    inner = len(dims) - 2
    position, found = list(start[1:]), []

    def walk(k):
        if k == 0:
            found.append(tuple(position))
            return
        last = dims[k] - 1 + upper[k - 1]
        while position[k - 1] <= last and len(found) < count:
            walk(k - 1)
            position[k - 1] += strides[k]
        position[k - 1] = lower[k - 1]

    while len(found) < count:
        walk(inner)
        position[inner] += 1
    return found[:count]


def im2col(start, dims, lower, upper, strides, count, channels, offsets):
    read = []
    for base in pixels(start, dims, lower, upper, strides, count):
        moved = [c + (offsets[k] if k < len(offsets) else 0) for k, c in enumerate(base)]
        read += [(start[0] + c, *moved) for c in range(channels)]
    return read


def im2col_wide(start, dims, lower, upper, stride, count, channels, offset):
    """Without a halo: pixels of one row of each image, from the corner on in the images behind the first."""
    read, w, n = [], start[1], start[-1]
    for _ in range(count):
        read += [(start[0] + c, w + offset, *start[2:-1], n) for c in range(channels)]
        w += stride
        if w > dims[1] - 1 + upper:
            w, n = lower, n + 1
    return read


def swizzled(byte, swizzle, atom, flip):
    """Within rows of 128 bytes, pieces of `atom` bytes change places by the number of the row; with `flip` the two halves of
    each 16 bytes of every second row do so, too."""
    row, column = divmod(byte, 128)
    if not swizzle:
        return byte
    piece, rest = divmod(column, atom)
    if atom > 16:
        piece ^= row % (128 // atom)
    else:
        piece ^= row % (swizzle // 16)
    if flip and row % 2:
        rest = (rest + 8) % 16 + rest // 16 * 16
    return row * 128 + piece * atom + rest


def spec(type_, dims, **more):
    lists = {name: ";".join(str(v) for v in value) if isinstance(value, (list, tuple)) else value
             for name, value in more.items() if value is not None}
    return "{" + f"base=a,type={type_},dims={';'.join(map(str, dims))}," + ",".join(
        f"{name}={value}" for name, value in lists.items()) + "}"


HEAD = """.reg .u32 %t, %v, %bar, %buf, %i;
.reg .u64 %m, %o, %rd;
.reg .u16 %h<3>;
.reg .pred %p, %done, %more;
mov.u32 %t, %tid.x;
mov.u32 %buf, buf;
mov.u32 %bar, bar;
mov.u64 %m, map;
cvta.param.u64 %m, %m;
setp.eq.u32 %p, %t, 0;
"""


def copied(count, to_global):
    """count words between buf and d, 32 at a time."""
    move = ("ld.shared.u32 %v, [%i];\nst.global.u32 [%o], %v;" if to_global
            else "ld.global.u32 %v, [%o];\nst.shared.u32 [%i], %v;")
    name = "d" if to_global else "s"
    return f"""ld.param.u64 %o, [{name}];
mul.wide.u32 %rd, %t, 4;
add.u64 %o, %o, %rd;
mad.lo.u32 %i, %t, 4, %buf;
add.u32 %v, %buf, {4 * count};
L{name}:
setp.lt.u32 %more, %i, %v;
@!%more bra E{name};
""".replace("%v,", "%bar2,").replace("%i, %v;", "%i, %bar2;") + move + f"""
add.u64 %o, %o, 128;
add.u32 %i, %i, 128;
bra L{name};
E{name}:
"""


def changed(field, ordinal, value):
    """The map in shared memory, where one field is replaced, and then in global memory; %m is its address there."""
    bits = 64 if field.startswith("global_") and not field.endswith("dim") else 32
    form = f"tensormap.replace.tile.{field}.shared::cta.b1024.b{bits}"
    put = f"ld.param.u64 %o, [a];\nadd.u64 %o, %o, {value};" if field == "global_address" else f"mov.u64 %o, {value};"
    constant = field in ("elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity", "fill_mode")
    register = str(value) if constant else "%o" if bits == 64 else "%v"
    return form, f"""mov.u32 %i, smap;
mul.wide.u32 %rd, %t, 4;
add.u64 %rd, %m, %rd;
ld.b32 %v, [%rd];
mad.lo.u32 %bar2, %t, 4, %i;
st.shared.b32 [%bar2], %v;
bar.warp.sync -1;
{put}
cvt.u32.u64 %v, %o;
@%p {form} [%i], {"" if ordinal is None else f"{ordinal}, "}{register};
bar.warp.sync -1;
ld.param.u64 %m, [g];
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%m], [%i], 128;
fence.proxy.tensormap::generic.acquire.gpu [%m], 128;
"""


def loads(name, mode, type_, dims, start, read, size, change=None, given=None, space="shared::cluster", **more):
    """size: bytes of the box. read: coordinates. change: a field that the kernel replaces, of the map `given`."""
    width = PIECE[type_]
    swizzle, atom = more.get("swizzle") or 0, more.get("atom") or 16
    flip = more.get("flip") == 8
    tensor = values(index([d - 1 for d in dims], dims) + 1, width)
    fill = NAN[type_] if more.get("fill") == "nan" else 0
    length = (more.get("box") or [more.get("channels")])[0]  # elements of a row
    pitch = swizzle or length * width
    room = len(read) // length * pitch
    padded = room > size
    buffer = max(4096, room)
    image = bytearray(UNTOUCHED.to_bytes(4, "little") * (buffer // 4) if padded else bytes(buffer))
    for n, at in enumerate(read):
        place = index(at, dims)
        element = (tensor[place] if place is not None else fill).to_bytes(width, "little")
        for byte in range(width):
            image[swizzled(n // length * pitch + n % length * width + byte, swizzle, atom, flip)] = element[byte]
    assert len(read) * width == size, (name, len(read), size)
    out = [int.from_bytes(image[k:k + 4], "little") for k in range(0, room, 4)]
    offsets = more.pop("offsets", None)
    form = f"cp.async.bulk.tensor.{len(dims)}d.{space}.global{mode}.mbarrier::complete_tx::bytes"
    at = ", ".join(str(c) for c in start)
    info = ""
    body = HEAD + ".reg .u32 %bar2;\n"
    if offsets is not None:
        body += "".join(f"mov.u16 %h{k}, {v};\n" for k, v in enumerate(offsets))
        info = ", {" + ", ".join(f"%h{k}" for k in range(len(offsets))) + "}"
    if padded:
        body += f"""mad.lo.u32 %i, %t, 4, %buf;
add.u32 %v, %buf, {room};
mov.u32 %bar2, 0x{UNTOUCHED:x};
F:
st.shared.u32 [%i], %bar2;
add.u32 %i, %i, 128;
setp.lt.u32 %more, %i, %v;
@%more bra F;
fence.proxy.async.shared::cta;
"""
    replaces = None
    if change:
        replaces, text = changed(*change)
        body += text
    body += f"""@%p mbarrier.init.shared::cta.b64 [%bar], 1;
fence.mbarrier_init.release.cluster;
bar.sync 0;
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], {size};
@%p {form} [%buf], [%m, {{{at}}}], [%bar]{info};
W:
mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], 0;
@!%done bra W;
""" + copied(len(out), True) + "ret;"
    params = [Map("map", given or spec(type_, dims, **more)), In("a", "b32", words(tensor, width)), Out("d", "b32", out)]
    target = {"target": "sm_100", "version": "8.6", "arch": "sm_100"} if atom > 16 else {}
    if mode in (".tile::gather4", ".im2col::w", ".im2col::w::128"):
        target = {"target": "sm_100a", "version": "8.6", "arch": "sm_100a"}
    outside = f".shared .align 1024 .b8 buf[{buffer}];\n.shared .align 8 .b64 bar;"
    if change:
        params.append(In("g", "b32", [0] * 32))
        outside += "\n.shared .align 128 .b8 smap[128];"
        target = {"version": "8.3", "arch": "sm_90a"} if atom == 16 else {
            "target": "sm_100a", "version": "8.6", "arch": "sm_100a"}
    return FOLDER + (replaces or form + "." + name) + ".ptx", file(
        replaces or form, MODEL, params, body, outside=outside, **target)


def tiled(name, type_, dims, start, box, mode=".tile", strides=None, **more):
    step = strides or [1] * len(dims)
    read = tile(start, box, step)
    return loads(name, mode, type_, dims, start, read, len(read) * PIECE[type_], box=box, elementstrides=strides, **more)


def replaced(field, ordinal, value, type_="u32", dims=(20, 9), start=(16, 6), box=(8, 6), strides=None, before=None, **more):
    """What is read is said of the map as it is then; before: words of the map that the launch gives."""
    dims, start, box = list(dims), list(start), list(box)
    read = tile(start, box, strides or [1] * len(dims))
    words = {"box": box, "elementstrides": strides, **more} | (before or {})
    given = spec(words.pop("type", type_), words.pop("dims", dims), **words)
    return loads("", ".tile", type_, dims, start, read, len(read) * PIECE[type_], change=(field, ordinal, value), given=given,
                 box=box, **more)


def moved(field, value, place):
    """A map of the same tensor that begins further on, or whose rows are apart; none of the box is outside."""
    read = [place(*at) for at in tile([4, 1], [8, 3], [1, 1])]
    return loads("", ".tile", "u32", [20, 9], [4, 1], read, len(read) * 4,
                 change=(field, 0 if field == "global_stride" else None, value),
                 given=spec("u32", [20, 4], box=[8, 3], strides=[80]), box=[8, 3])


def by_pixels(name, type_, dims, start, count, channels, lower, upper, offsets, strides=None, **more):
    read = im2col(start, dims, lower, upper, strides or [1] * len(dims), count, channels, offsets)
    return loads(name, ".im2col", type_, dims, start, read, len(read) * PIECE[type_], lower=lower, upper=upper,
                 channels=channels, pixels=count, elementstrides=strides, offsets=offsets, **more)


def rows_anywhere(column, rows, width):
    return [(column + c, row) for row in rows for c in range(width)]


def gathered(name, type_, dims, column, rows, width, space="shared::cluster", **more):
    """Four rows of the tensor, wherever they are, one behind the other."""
    read = rows_anywhere(column, rows, width)
    return loads(name, ".tile::gather4", type_, dims, [column, *rows], read, len(read) * PIECE[type_], space=space,
                 box=[width, 1], **more)


def by_width(name, mode, type_, dims, start, count, channels, lower, upper, offset, stride=1, **more):
    read = im2col_wide(start, dims, lower, upper, stride, count, channels, offset)
    wide = {".im2col::w": {"pixels": count, "wide": "w"}, ".im2col::w::128": {"wide": "w128"}}[mode]
    return loads(name, mode, type_, dims, start, read, len(read) * PIECE[type_], lower=[lower], upper=[upper],
                 channels=channels, elementstrides=[1, stride] if stride > 1 else None, offsets=[0, offset], **wide, **more)


def stores(name, mode, dims, start, written, op="", **more):
    """From shared memory: coordinates outside of the tensor are left out."""
    sent = values(len(written), 4)
    before = [7 * k + 1 for k in range(index([d - 1 for d in dims], dims) + 1)]
    after = list(before)
    for n, at in enumerate(written):
        place = index(at, dims)
        if place is not None:
            after[place] = reduced(op, "u32", before[place], sent[n]) if op else sent[n]
    verb = "cp.reduce" if op else "cp"
    form = f"{verb}.async.bulk.tensor.{len(dims)}d.global.shared::cta{'.' + op if op else ''}{mode}.bulk_group"
    at = ", ".join(str(c) for c in start)
    body = HEAD + ".reg .u32 %bar2;\n" + copied(len(sent), False) + f"""fence.proxy.async.shared::cta;
bar.sync 0;
@%p {form} [%m, {{{at}}}], [%buf];
@%p cp.async.bulk.commit_group;
@%p cp.async.bulk.wait_group 0;
ret;"""
    params = [Map("map", spec("u32", dims, **more)), InOut("a", "b32", before, after), In("s", "b32", sent)]
    target = {"target": "sm_100a", "version": "8.6", "arch": "sm_100a"} if mode == ".tile::scatter4" else {}
    return FOLDER + form + "." + name + ".ptx", file(
        form, MODEL, params, body, **target, outside=".shared .align 1024 .b8 buf[4096];\n.shared .align 8 .b64 bar;")


def files():
    yield tiled("line", "s32", [40], [-4], [16])
    yield tiled("corner", "u32", [20, 9], [16, 6], [8, 6])
    yield tiled("before", "f16", [16, 6], [-8, -2], [16, 5], fill="nan")
    yield tiled("strided", "s32", [16, 12], [4, 1], [8, 9], strides=[1, 4])
    yield tiled("without_word", "s32", [16, 12], [4, 1], [8, 4], mode="")
    for swizzle in (32, 64, 128):
        yield tiled(f"swizzle_{swizzle}", "f16", [swizzle // 2, 40], [0, 3], [swizzle // 2, 16], swizzle=swizzle)
        yield tiled(f"short_rows_{swizzle}", "f16", [swizzle // 2, 40], [0, 3], [swizzle // 4, 12], swizzle=swizzle)
    yield tiled("swizzle_128_by_32", "u8", [128, 20], [0, 2], [128, 8], swizzle=128, atom=32)
    yield tiled("swizzle_128_by_64", "f32", [32, 20], [0, 2], [32, 8], swizzle=128, atom=64)
    yield tiled("swizzle_128_by_32_flip_8", "f16", [64, 20], [0, 3], [64, 8], swizzle=128, atom=32, flip=8)
    yield tiled("volume", "f32", [8, 5, 6], [4, 2, 4], [4, 3, 3])
    yield tiled("four", "s32", [4, 3, 4, 3], [0, 1, 2, 1], [4, 2, 3, 2])
    yield tiled("five", "s32", [4, 3, 2, 3, 3], [0, 1, 0, 2, 1], [4, 2, 2, 2, 2])
    # A row of 20 words has 80 bytes.
    yield replaced("box_dim", 1, 6, before={"box": [8, 3]})
    yield replaced("global_dim", 0, 20, before={"dims": [18, 9], "strides": [80]})
    yield replaced("element_stride", 1, 2, strides=[1, 2], before={"elementstrides": [1, 1]})
    yield replaced("elemtype", None, 2, before={"type": "s32"})
    yield replaced("interleave_layout", None, 0)
    yield replaced("rank", None, 1, before={"dims": [20, 9, 2], "box": [8, 6, 1]})
    yield replaced("swizzle_mode", None, 1, swizzle=32, before={"swizzle": 0})
    yield replaced("swizzle_atomicity", None, 1, swizzle=128, atom=32, before={"atom": 16})
    yield replaced("fill_mode", None, 1, "f32", fill="nan", before={"fill": "zero"})
    yield moved("global_address", 80, lambda x, y: (x, y + 1))
    yield moved("global_stride", 160, lambda x, y: (x, 2 * y))
    yield by_pixels("row", "f32", [8, 9, 3], [4, 6, 0], 20, 4, [-1], [-1], [1])
    yield by_pixels("filter", "f16", [8, 9, 7, 3], [0, 4, 3, 0], 64, 8, [-1, -1], [-1, -1], [2, 0])
    yield by_pixels("no_padding", "f16", [16, 9, 7, 2], [8, 5, 3, 0], 48, 8, [0, 0], [-2, -2], [2, 2], swizzle=32)
    yield by_pixels("strided", "s32", [4, 8, 7, 3], [0, 5, 5, 0], 32, 4, [-1, -1], [-1, -1], [1, 1],
                    strides=[1, 2, 2, 1])
    yield by_pixels("beyond", "f32", [8, 5, 4, 2], [4, 2, 1, 1], 40, 8, [-1, -1], [0, 0], [0, 1], fill="nan")
    yield by_pixels("wide", "f16", [64, 9, 7, 3], [0, 1, 2, 1], 24, 64, [-1, -1], [-1, -1], [0, 2], swizzle=128)
    yield by_pixels("volume", "f32", [4, 5, 4, 3, 2], [0, 3, 2, 1, 0], 48, 4, [-1, 0, -1], [-1, -1, 0], [1, 0, 1])
    yield gathered("apart", "s32", [24, 9], 4, [7, 0, 3, 3], 8)
    yield gathered("outside", "f16", [24, 9], 16, [8, -1, 9, 2], 16, fill="nan")
    yield gathered("swizzle_128", "f16", [64, 12], 0, [11, 5, 6, 0], 64, swizzle=128)
    yield gathered("short_rows_64", "f32", [16, 12], 8, [1, 10, 4, 2], 8, swizzle=64)
    yield gathered("own", "u32", [24, 9], 12, [2, 8, 5, 6], 12, space="shared::cta")
    yield stores("apart", ".tile::scatter4", [20, 9], [4, 8, 0, 5, 3], rows_anywhere(4, [8, 0, 5, 3], 8), box=[8, 1])
    yield stores("outside", ".tile::scatter4", [20, 9], [16, 9, 0, -1, 3], rows_anywhere(16, [9, 0, -1, 3], 8),
                 box=[8, 1])
    yield by_width("images", ".im2col::w", "f16", [32, 9, 7, 4], [0, 3, 2, 1], 24, 32, 0, 0, 0, swizzle=64)
    yield by_width("padded", ".im2col::w", "f16", [64, 7, 5, 4], [0, -1, 3, 0], 20, 64, -1, -1, 2, swizzle=128)
    yield by_width("strided", ".im2col::w", "f32", [16, 7, 5, 3], [0, -1, 2, 1], 10, 16, -1, -1, 1, stride=3, swizzle=64,
                   fill="nan")
    yield by_width("line", ".im2col::w", "f32", [16, 6, 5], [0, -3, 1], 12, 16, -1, 0, 1, swizzle=64)
    yield by_width("volume", ".im2col::w", "u32", [16, 5, 3, 2, 4], [0, 2, 1, 1, 1], 18, 16, 0, 0, 0, swizzle=64)
    yield by_width("images", ".im2col::w::128", "f16", [32, 9, 4, 16], [0, 4, 2, 2], 128, 32, -1, 0, 1, swizzle=64)
    for op in ("", "add", "min", "max", "inc", "dec", "and", "or", "xor"):
        yield stores("corner", ".tile", [20, 9], [16, 6], tile([16, 6], [8, 6], [1, 1]), op, box=[8, 6])
    for op in ("", "add"):
        yield stores("pixels", ".im2col_no_offs", [8, 6, 5, 3], [4, 3, 2, 0],
                     im2col([4, 3, 2, 0], [8, 6, 5, 3], [1, 0], [0, -1], [1] * 4, 60, 4, []), op, lower=[1, 0],
                     upper=[0, -1], channels=4, pixels=60)
